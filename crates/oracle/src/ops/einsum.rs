use std::collections::VecDeque;

use plumbline_tensor::FloatFormat;

use crate::Allowed;
use crate::families::reduce::rounded_sum;
use crate::families::subscripts::Equation;
use crate::prelude::*;

/// Computes the sum of products that an equation in Einstein notation describes.
///
/// Versions 12 and 28 have the same meaning; version 28 adds bfloat16. Constraints: the equation
/// (`equation-well-formed`), terms that fit the ranks (`terms-fit-ranks`), equal extents of a letter
/// (`letter-extents-equal`), the output term (`output-term-valid`), and ellipses (`ellipses-broadcast`).
///
/// Integer overflow: `integer-overflow`; sums and products that overflow in some order: `intermediate-overflow`;
/// upper-case letters, which the text of earlier releases does not allow: `upper-case-letters`; extents of 1, and
/// ellipses that the output leaves out: `size-one-broadcast`; a letter that occurs twice in a term: `repeated-letters`;
/// an ellipsis in the output only: `output-ellipsis`.
pub fn einsum(call: &Call) -> Answer {
    let operands = call.tensors("Inputs")?;
    let shapes: Vec<&[usize]> = operands.iter().map(|t| t.shape()).collect();
    let text = call.string("equation")?;
    let equation = Equation::parse(&text, &shapes)?;
    if text.contains(|c: char| c.is_ascii_uppercase()) && call.follows(rule::UPPER_CASE_LETTERS) {
        call.leaves_open(rule::UPPER_CASE_LETTERS);
    }
    let sum = Sum { dtype: call.output_dtype(0)?, operands: &operands, equation: &equation };
    let steps: Vec<Vec<usize>> = shapes.iter().enumerate().map(|(k, shape)| equation.steps(k, shape)).collect();
    // The offset of an element in an operand has two parts: one for the summed indices, and one for the output element.
    let summed: Vec<Vec<usize>> =
        steps.iter().map(|s| shape::strided_indices(&equation.summed_extents(), &s[equation.rank..])).collect();
    let starts: Vec<Vec<usize>> =
        steps.iter().map(|s| shape::strided_indices(equation.output(), &s[..equation.rank])).collect();
    let count = shape::affordable(equation.output())?;
    if equation.open {
        call.leaves_open(rule::SIZE_ONE_BROADCAST);
    }
    let element = |i: usize| {
        let start: Vec<usize> = starts.iter().map(|s| s[i]).collect();
        sum.element(&start, &summed)
    };
    call.answer(equation.output().to_vec(), (0..count).map(element))
}

struct Sum<'a> {
    dtype: DType,
    operands: &'a [&'a Expected],
    equation: &'a Equation,
}

impl Sum<'_> {
    /// Computes one element: the sum, over all summed indices, of the product of one element of each operand.
    fn element(&self, start: &[usize], summed: &[Vec<usize>]) -> Number {
        let count = summed.first().map_or(0, Vec::len);
        let factors = |at: usize| -> Vec<Number> {
            self.operands.iter().enumerate().map(|(k, x)| x.number(start[k] + summed[k][at])).collect()
        };
        if self.dtype.is_float() { self.reals(count, factors) } else { self.ints(count, factors) }
    }

    fn ints(&self, count: usize, factors: impl Fn(usize) -> Vec<Number>) -> Number {
        const LARGEST: f64 = 1e37;
        let one = Number::int(1, self.dtype);
        let terms = (0..count).map(|at| factors(at).into_iter().fold(one, |a, b| a * b));
        let total = terms.fold(Number::int(0, self.dtype), |a, b| a + b);
        let magnitude = |at: usize| factors(at).iter().map(|x| x.mid().abs().max(1.0)).product::<f64>();
        // Products are computed in 128 bits here. Beyond that, only the low bits of the value are known.
        let magnitudes = (0..count).map(magnitude).sum::<f64>();
        let beyond = self.operands.len() > 2 && magnitudes > LARGEST;
        let total = if beyond { total.overflowed(rule::INTEGER_OVERFLOW) } else { total.wraps(rule::INTEGER_OVERFLOW) };
        // An intermediate result that is cut at an end of the range changes all that is computed from it.
        let may_be_cut = !self.equation.is_one_step()
            && self.dtype.integer_range().is_some_and(|(_, most)| magnitudes > most as f64);
        if may_be_cut { total.undecided(rule::INTEGER_OVERFLOW) } else { total }
    }

    fn reals(&self, count: usize, factors: impl Fn(usize) -> Vec<Number>) -> Number {
        let preferred = |at: usize| factors(at).iter().map(Number::real).collect();
        let result = self.sum_of_products(count, &preferred);
        let open = (0..count).find_map(|at| factors(at).iter().find_map(|x| x.latitude));
        let widest = |at: usize| factors(at).iter().map(Number::widest).collect();
        open.map_or(result, |l| result.or(self.sum_of_products(count, &widest).widest(), l.label))
    }

    fn sum_of_products(&self, count: usize, factors: &impl Fn(usize) -> Vec<Real>) -> Number {
        let mut sum = Accumulator::new(self.dtype);
        let (mut magnitude, mut largest, mut whole, mut finite) = (0.0, 0.0, true, true);
        for at in 0..count {
            let factors = factors(at);
            let values = factors.iter().map(|x| x.mid);
            magnitude += within_range(values.clone().map(f64::abs).collect(), |x| *x, |x, y| x * y).unwrap_or(1.0);
            largest += values.clone().map(|x| x.abs().max(1.0)).product::<f64>();
            whole &= factors.iter().all(Real::is_whole);
            finite &= values.clone().all(f64::is_finite);
            match &factors[..] {
                [x] => sum.add(*x),
                [x, y] => sum.add_product(*x, *y),
                _ => product(factors).into_iter().for_each(|product| sum.add(product)),
            }
        }
        let result = rounded_sum(sum, rule::INTERMEDIATE_OVERFLOW);
        // An equation with more than two operands, or with a sum over an index that one of two operands does not have,
        // takes more than one step. An implementation chooses the order of the steps.
        let steps = if self.equation.is_one_step() { 0 } else { self.operands.len() + 1 };
        let result = if steps == 0 { result } else { self.loosened(result, steps, count, magnitude, whole) };
        let format = FloatFormat::for_dtype(self.dtype);
        let strays = steps > 0 && (!finite || format.is_some_and(|f| largest > f.max_finite()));
        // In some order of the steps, infinite elements may be multiplied by zero, or sums or products may overflow.
        // The result may then be an infinity of either sign, or NaN.
        match strays {
            true => result.or(
                Allowed::either(f64::INFINITY, f64::NEG_INFINITY).with(Allowed::real(f64::NAN)),
                rule::INTERMEDIATE_OVERFLOW,
            ),
            false => result,
        }
    }

    /// Widens the result for the rounding of each intermediate step. Small whole numbers are exact.
    fn loosened(&self, result: Number, steps: usize, count: usize, magnitude: f64, whole: bool) -> Number {
        let Some(format) = FloatFormat::for_dtype(self.dtype) else { return result };
        let precision = format.precision() as i32;
        if whole && magnitude < libm::scalbn(1.0, precision) {
            return result;
        }
        let lost = steps as f64 * (libm::scalbn(magnitude, -precision) + count as f64 * format.min_positive());
        result.map_real(|x| {
            let (low, high) = (x.low - lost, x.high + lost);
            Real { low, high, ..x }.nearest()
        })
    }
}

/// Computes the product of several factors. If it overflows on the way, another order is used.
fn product(factors: Vec<Real>) -> Option<Real> {
    let holds = |x: &Real| x.low.is_finite() && x.high.is_finite() && !x.nan;
    let in_order = factors.iter().copied().reduce(Real::times)?;
    let balanced = !holds(&in_order) && factors.iter().all(holds);
    if balanced { within_range(factors, |x| x.mid.abs(), Real::times) } else { Some(in_order) }
}

/// Multiplies the factors in an order that keeps the product near 1: after a large product the smallest factor, after a
/// small one the largest.
fn within_range<T: Copy>(mut factors: Vec<T>, size: impl Fn(&T) -> f64, times: impl Fn(T, T) -> T) -> Option<T> {
    factors.sort_by(|x, y| size(x).total_cmp(&size(y)));
    let mut rest = VecDeque::from(factors);
    let mut product = rest.pop_back()?;
    while let Some(next) = if size(&product) > 1.0 { rest.pop_front() } else { rest.pop_back() } {
        product = times(product, next);
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, refusable_by, run};
    use plumbline_tensor::{DType, Tensor};

    fn einsum(text: &str, inputs: &[Tensor]) -> Vec<f64> {
        let y = &run(&format!(r#"Einsum <equation = "{text}">"#), 12, inputs, 1).expect("the node is valid")[0];
        assert!(y.is_certain(), "small whole numbers are exact");
        y.tensor.to_f64s()
    }

    #[test]
    fn einsum_computes_diagonals_traces_and_outer_products() {
        let x = floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(einsum("ii->i", std::slice::from_ref(&x)), [1.0, 4.0]);
        assert_eq!(einsum("ii", std::slice::from_ref(&x)), [5.0]);
        // Upper-case letters sort before lower-case ones.
        assert_eq!(einsum("aB", std::slice::from_ref(&x)), [1.0, 3.0, 2.0, 4.0]);
        let y = floats(&[2], &[10.0, 1.0]);
        assert_eq!(einsum(" i , jk -> k i", &[y.clone(), x.clone()]), [40.0, 4.0, 60.0, 6.0]);
        assert_eq!(einsum("ij,jk,k->i", &[x.clone(), x.clone(), y]), [80.0, 172.0]);
        assert_eq!(einsum("...i,...i->...", &[x.clone(), x.clone()]), [5.0, 25.0]);
        assert_eq!(einsum("ij->...i", &[x]), [3.0, 7.0]);
    }

    /// One operand may be multiplied by the sum of the other one, whose elements it does not have.
    #[test]
    fn the_steps_of_a_sum_over_an_index_of_one_operand_come_in_any_order() {
        let x = [floats(&[1], &[f32::NEG_INFINITY]), floats(&[2, 1], &[1.0, 0.0])];
        let y = &run(r#"Einsum <equation = "i,ij->j">"#, 12, &x, 1).expect("the node is valid")[0];
        assert_eq!(y.judge(&floats(&[1], &[f32::NAN]), 0), Judged::Accepted);
        assert!(matches!(y.judge(&floats(&[1], &[f32::NEG_INFINITY]), 0), Judged::Latitude(_)));
        let ints = |x: &[i32]| {
            let x: Vec<i128> = x.iter().map(|&x| i128::from(x)).collect();
            Tensor::from_i128s(DType::Int32, vec![x.len()], &x).expect("it is as long")
        };
        let judged = |first: &[i32], second: &[i32], y: i32| {
            let answer = run(r#"Einsum <equation = "i,j->">"#, 12, &[ints(first), ints(second)], 1);
            let scalar = ints(&[y]).reshaped(vec![]).expect("there is one element");
            answer.expect("the node is valid")[0].judge(&scalar, 0)
        };
        // The sum of the first operand may be cut at the largest int32.
        assert!(matches!(judged(&[i32::MAX, 1, -2], &[1], i32::MAX - 2), Judged::Latitude(_)));
        assert_eq!(judged(&[7, 1, -2], &[1, 2], 17), Judged::Wrong);
    }

    /// The product of the first two factors leaves the range of double; the product of all three does not.
    #[test]
    fn partial_products_that_leave_the_range_are_left_open() {
        let double = |x: f64| Tensor::from_f64s(DType::Double, vec![1], &[x]).expect("the shape has one element");
        let inputs = [double(1e308), double(-30.0), double(1e-308)];
        let y = &run(r#"Einsum <equation = "i,i,i->i">"#, 12, &inputs, 1).expect("the node is valid")[0];
        let judged = |x: f64| y.judge(&double(x), 0);
        assert_eq!(judged(-30.0), Judged::Accepted);
        assert!(matches!(judged(f64::NEG_INFINITY), Judged::Latitude(_)));
        assert_eq!(judged(-30.000001), Judged::Wrong);
        assert_eq!(judged(0.0), Judged::Wrong);
    }

    #[test]
    fn integers_are_exact() {
        let x = Tensor::from_i128s(DType::Int32, vec![2], &[3, -4]).expect("two values fill the shape");
        let y = &run(r#"Einsum <equation = "i,i->">"#, 12, &[x.clone(), x], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor.to_i128s(), [25]);
    }

    #[test]
    fn older_texts_have_lower_case_letters_only() {
        let x = [floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0])];
        let by = |release: &str, version: i64, text: &str| {
            refusable_by(release, &format!("Einsum <equation = \"{text}\">"), version, &x, 1)
        };
        assert!(by("1.22", 12, "aB").is_some_and(|rule| rule.contains("upper-case-letters")));
        assert_eq!(by("1.22", 12, "ab"), None);
        assert_eq!(by("1.23", 12, "aB"), None);
        assert_eq!(by("1.22", 28, "aB"), None);
    }
}
