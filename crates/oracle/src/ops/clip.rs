use crate::prelude::*;

/// Limits each element to the range from `min` to `max`.
///
/// Up to version 6 the bounds are attributes, from version 11 on they are scalar inputs (`bounds-are-scalars`). Version
/// 12 adds integers; version 13 adds bfloat16. A `min` above `max` is left open (`min-above-max`) until the text of
/// version 13 decides for `max` (`crossed-bounds`).
///
/// Elements that are NaN: `nan`; bounds that are NaN: `nan-bound`; bounds that are left out: `omitted-bound` and
/// `default-bound`. All types are computed alike, although the function body does not accept bfloat16
/// (`bfloat16-body`).
pub fn clip(call: &Call) -> Answer {
    let dtype = call.tensor("input")?.dtype();
    let bound = |name: &str| match call.since() {
        1 | 6 => {
            Ok(call.attribute(name).map(|a| Number::from(Real::exact(f64::from(a.f.unwrap_or(0.0)), dtype)).nearest()))
        }
        _ => scalar(call, name),
    };
    let (min, max) = (bound("min")?, bound("max")?);
    let crossed = min.zip(max).is_some_and(|(min, max)| above(min, max));
    let crossed_open = crossed && call.follows(rule::MIN_ABOVE_MAX);
    if crossed_open {
        call.leaves_open(rule::MIN_ABOVE_MAX);
    }
    let since = call.since();
    let between = |x: Number, min, max| Clip { since, min, max, crossed_open }.element(x);
    call.map("input", |x| Number::each_part_of(min, |min| Number::each_part_of(max, |max| between(x, min, max))))
}

fn scalar(call: &Call, name: &str) -> Result<Option<Number>, Refusal> {
    let Some(bound) = call.optional_tensor(name)? else { return Ok(None) };
    if bound.rank() != 0 {
        return Err(Refusal::violates(
            rule::BOUNDS_ARE_SCALARS,
            format!("`{name}` has shape {:?}, expected a scalar", bound.shape()),
        ));
    }
    Ok(Some(bound.number(0)))
}

struct Clip {
    since: u32,
    min: Option<Number>,
    max: Option<Number>,
    /// Whether `min` is above `max`, and the text leaves open what that gives.
    crossed_open: bool,
}

impl Clip {
    fn element(&self, x: Number) -> Number {
        if x.is_nan() {
            return self.of_nan(x);
        }
        let number = |bound: Option<Number>| bound.filter(|b| !b.is_nan());
        let (min, max) = (number(self.min), number(self.max));
        let y = clipped(x, min, max);
        if let Some(other) = self.beside_nan(x) {
            return y.or(x.like(f64::NAN), rule::NAN_BOUND).or(other, rule::NAN_BOUND);
        }
        match (min, max) {
            (Some(min), Some(_)) if self.crossed_open => y.or(min, rule::MIN_ABOVE_MAX),
            // A `max` that is left out limits an infinite `min`, too.
            (Some(min), None) if min.mid() > largest(x.dtype()) => self.without_bound(min, y),
            _ => self.without_bound(x, y),
        }
    }

    /// Returns the result for a NaN element. Min and Max may return either operand if one is NaN (`nan`), so NaN or one
    /// of the bounds comes out.
    fn of_nan(&self, x: Number) -> Number {
        let [min, max] = self.bounds(x);
        x.or(min, rule::NAN).or(max, rule::NAN)
    }

    /// Returns the other bound if one bound is NaN. Max(x, NaN) is NaN or x, and Min(max, NaN) may be max
    /// (`nan-bound`).
    fn beside_nan(&self, x: Number) -> Option<Number> {
        let is_nan = |bound: &Option<Number>| bound.as_ref().is_some_and(Number::is_nan);
        match (is_nan(&self.min), is_nan(&self.max)) {
            (true, _) => Some(self.bounds(x)[1]),
            (false, true) => Some(self.bounds(x)[0]),
            (false, false) => None,
        }
    }

    /// Returns both bounds, or the ends of the type's range.
    fn bounds(&self, x: Number) -> [Number; 2] {
        let largest = largest(x.dtype());
        [self.min.unwrap_or(x.like(-largest)), self.max.unwrap_or(x.like(largest))]
    }

    /// Adds the outcomes for an element beyond the default of a bound that is left out.
    fn without_bound(&self, x: Number, y: Number) -> Number {
        let open = x.mid() > 0.0 && self.max.is_none() || x.mid() < 0.0 && self.min.is_none();
        if open && self.since == 6 && x.dtype() == DType::Double && !x.is_point() {
            let defaults = [f64::from(f32::MAX), largest(x.dtype())].map(|x| x.copysign(y.mid()));
            return y.or(x, rule::DEFAULT_BOUND).or(Allowed::either(defaults[0], defaults[1]), rule::DEFAULT_BOUND);
        }
        if !open || y.mid() != x.mid() || !x.dtype().is_float() {
            return y;
        }
        let sign = x.mid().signum();
        // A result of an earlier node that has overflowed is not rounded to infinity yet.
        let is_beyond = x.mid().abs() > largest(x.dtype());
        let largest = sign * largest(x.dtype());
        if self.since != 6 {
            // In place of a bound that is left out, the description takes the largest finite number. The function body
            // does not limit the element there (`omitted-bound`).
            return if is_beyond { x.like(largest).or(x, rule::OMITTED_BOUND) } else { y };
        }
        // The attribute defaults to the largest float32; the description says the largest number of the type
        // (`default-bound`).
        let default = sign * f64::from(f32::MAX);
        match x.dtype() {
            DType::Double if is_beyond => x.like(default).or(Allowed::either(largest, x.mid()), rule::DEFAULT_BOUND),
            DType::Double if x.mid().abs() > default.abs() => x.like(default).or(x, rule::DEFAULT_BOUND),
            DType::Float if is_beyond => x.like(default),
            _ if is_beyond => x.like(largest).or(x, rule::DEFAULT_BOUND),
            _ => y,
        }
    }
}

/// Returns the largest finite number of a floating-point type.
fn largest(dtype: DType) -> f64 {
    dtype.float_format().map_or(f64::INFINITY, |f| f.max_finite())
}

/// Returns whether `a` may be above `b`.
fn above(a: Number, b: Number) -> bool {
    a.compare(b, PartialOrd::gt, PartialOrd::gt).widest().high > 0.0
}

/// Computes `Min(max, Max(x, min))` for operands that are not NaN.
fn clipped(x: Number, min: Option<Number>, max: Option<Number>) -> Number {
    let x = min.map_or(x, |min| x.maximum(min, rule::NAN));
    max.map_or(x, |max| x.minimum(max, rule::NAN))
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, refusable_by, run, run_by_both};
    use crate::{Allowed, Expected, Int, Judged, Operand, Oracle};
    use plumbline_tensor::{DType, Model, Tensor};

    #[test]
    fn a_minimum_above_the_maximum_gives_the_maximum_from_13_on() {
        let inputs = [floats(&[3], &[-2.0, 0.0, 6.0]), floats(&[], &[2.0]), floats(&[], &[1.0])];
        let y = &run("Clip", 13, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(y.tensor.to_f64s(), [1.0, 1.0, 1.0]);
        assert!(y.is_certain());
        let y = &run("Clip", 12, &inputs, 1).expect("the node is valid")[0];
        assert!(matches!(y.judge(&floats(&[3], &[2.0; 3]), 1), Judged::Latitude(_)));
    }

    #[test]
    fn a_bound_of_nan_has_no_effect_or_gives_nan_or_the_other_bound() {
        let inputs = [floats(&[2], &[-2.0, 6.0]), floats(&[], &[f32::NAN]), floats(&[], &[1.0])];
        let y = &run("Clip", 13, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(y.tensor.to_f64s(), [-2.0, 1.0]);
        assert!(matches!(y.judge(&floats(&[2], &[f32::NAN; 2]), 0), Judged::Latitude(_)));
        assert!(matches!(y.judge(&floats(&[2], &[1.0; 2]), 0), Judged::Latitude(_)));
        assert_eq!(y.judge(&floats(&[2], &[0.0; 2]), 0), Judged::Wrong);
    }

    /// By the description, an omitted bound is the largest finite number of the type. The attribute of Clip-6 defaults
    /// to the largest float32.
    #[test]
    fn a_bound_that_is_left_out_is_the_end_of_the_range_or_none() {
        let y = &run("Clip", 13, &[floats(&[2], &[f32::INFINITY, 3e38])], 1).expect("the node is valid")[0];
        assert_eq!(y.judge(&floats(&[2], &[f32::MAX; 2]), 0), Judged::Accepted);
        assert!(matches!(y.judge(&floats(&[2], &[f32::INFINITY; 2]), 0), Judged::Latitude(_)));
        assert_eq!(y.number(1).latitude, None);
        let min = [floats(&[2], &[0.0, f32::NEG_INFINITY]), floats(&[], &[f32::INFINITY])];
        let y = &run("Clip", 13, &min, 1).expect("the node is valid")[0];
        assert_eq!(y.judge(&floats(&[2], &[f32::MAX; 2]), 0), Judged::Accepted);
        assert!(matches!(y.judge(&floats(&[2], &[f32::INFINITY; 2]), 0), Judged::Latitude(_)));
        let x = Tensor::from_f64s(DType::Double, vec![2], &[1e300, -1e30]).expect("two values fill the shape");
        let y = &run("Clip <min = -1.0>", 6, &[x], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor.to_f64s(), [f64::from(f32::MAX), -1.0]);
        assert_eq!(y.number(0).latitude.map(|l| l.allowed), Some(Allowed::real(1e300)));
    }

    #[test]
    fn a_result_that_has_overflowed_is_beyond_a_bound_that_is_left_out() {
        let text =
            "<ir_version: 8, opset_import: [\"\" : 13]> g (float[1] a) => (float[1] y) { b = Mul (a, a) y = Clip (b) }";
        let model: Model = text.parse().expect("the model is valid");
        let answer = Oracle::default().evaluate(&model, &[floats(&[1], &[1e30]).into()]).expect("the model is valid");
        let y = answer.outputs[0].tensor().expect("the output is a tensor");
        assert_eq!(y.judge(&floats(&[1], &[f32::MAX]), 0), Judged::Accepted);
        assert!(matches!(y.judge(&floats(&[1], &[f32::INFINITY]), 0), Judged::Latitude(_)));
    }

    #[test]
    fn the_first_text_of_version_13_leaves_a_minimum_above_the_maximum_open() {
        let inputs = [floats(&[1], &[0.0]), floats(&[], &[2.0]), floats(&[], &[1.0])];
        let (_, old) = run_by_both("1.17", "Clip", 13, &inputs, 1).expect("the node is valid");
        assert!(matches!(old.expect("the texts differ")[0].judge(&floats(&[1], &[2.0]), 0), Judged::Latitude(_)));
        assert!(refusable_by("1.17", "Clip", 13, &inputs, 1).is_some());
        assert_eq!(refusable_by("1.18", "Clip", 13, &inputs, 1), None);
    }

    #[test]
    fn a_minimum_that_may_be_above_the_maximum_opens_the_result() {
        let text = "<ir_version: 7, opset_import: [\"\" : 12]> g (uint64[] x, bool[] c, uint64[] max) => (uint64[] y) \
                    { min = Cast <to = 13> (c) y = Clip (x, min, max) }";
        let model: Model = text.parse().expect("the model is valid");
        let scalar = |dtype: DType, value: i128| {
            Operand::from(Expected::from(
                Tensor::from_i128s(dtype, vec![], &[value]).expect("a scalar has one element"),
            ))
        };
        let either = Int { low: 0, mid: 0, high: 1, dtype: DType::Bool }.into();
        let either = Expected::from_numbers(DType::Bool, vec![], [either]).expect("a scalar has one element");
        let inputs = [scalar(DType::Uint64, 7), either.into(), scalar(DType::Uint64, 0)];
        let answer = Oracle::default().evaluate_operands(&model, &inputs).expect("the model is valid");
        let y = answer.outputs[0].tensor().expect("the output is a tensor");
        let judged = |value: i128| {
            y.judge(&Tensor::from_i128s(DType::Uint64, vec![], &[value]).expect("a scalar has one element"), 0)
        };
        assert_eq!(judged(0), Judged::Accepted);
        assert!(matches!(judged(1), Judged::Latitude(_)));
        assert_eq!(judged(7), Judged::Wrong);
    }
}
