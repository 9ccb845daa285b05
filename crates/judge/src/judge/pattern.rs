//! The pattern of a failure: what the wrong elements of an answer have in common. Two bugs of an operator rarely share
//! a pattern, and one bug rarely has two patterns, so the pattern is the class of the failure.

use plumbline_oracle::Expected;
use plumbline_tensor::Tensor;

/// How one element, or all wrong elements of an answer, differ from what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    /// The name of the value that was found, and the name of the expected value. At least one of the two values is a
    /// NaN, an infinity, a zero or the largest finite number.
    Special(&'static str, &'static str),
    /// Two or more different [`Difference::Special`].
    Specials,
    /// At most 16 ULP.
    FewUlp,
    /// At most 65536 ULP.
    ManyUlp,
    /// The expected number with the other sign; for floats, approximately.
    OppositeSign,
    /// The expected integer, rounded to the nearest float or double.
    Rounded,
    /// The expected integer plus or minus 1, or a wrong bool.
    OffByOne,
    /// The low bits of the expected integer, as an integer of a smaller type.
    Wrapped,
    /// The least or the greatest integer of the type.
    EndOfType,
    /// Any other number.
    Number,
    /// A wrong string or complex number, or something wrong that is not an element of a tensor. The variant holds the
    /// name of its class.
    Other(&'static str),
}

impl Difference {
    fn name(self) -> String {
        match self {
            Difference::Special(found, expected) => return format!("{found} for {expected}"),
            Difference::Specials => "several NaN, infinities or zeros",
            Difference::FewUlp => "a few ULP",
            Difference::ManyUlp => "many ULP",
            Difference::OppositeSign => "opposite sign",
            Difference::Rounded => "rounded to a float",
            Difference::OffByOne => "off by one",
            Difference::Wrapped => "wrapped to a smaller type",
            Difference::EndOfType => "an end of the type",
            Difference::Number => "another number",
            Difference::Other(name) => name,
        }
        .to_owned()
    }

    /// Returns what two differences have in common. A difference between ordinary numbers takes precedence over a
    /// [`Difference::Special`], because a bug that gives wrong numbers often gives some wrong NaN and infinities, too.
    fn with(self, other: Difference) -> Difference {
        use Difference::*;
        match (self, other) {
            (a, b) if a == b => a,
            (Other(_), _) => self,
            (_, Other(_)) => other,
            (Special(..) | Specials, Special(..) | Specials) => Specials,
            (Special(..) | Specials, number) | (number, Special(..) | Specials) => number,
            (FewUlp, ManyUlp) | (ManyUlp, FewUlp) => ManyUlp,
            _ => Number,
        }
    }

    fn between(expected: &Expected, tensor: &Tensor, index: usize, ulp: f64) -> Difference {
        let dtype = expected.dtype();
        if dtype.is_float() {
            let largest = dtype.float_format().map_or(f64::MAX, |format| format.max_finite());
            return between_floats(expected.tensor.f64_at(index), tensor.f64_at(index), largest, ulp);
        }
        match (dtype.bits(), dtype.integer_range()) {
            (Some(bits), Some(range)) => {
                between_integers(expected.tensor.i128_at(index), tensor.i128_at(index), bits, range)
            }
            _ => Difference::Other("value"),
        }
    }
}

fn between_floats(expected: f64, found: f64, largest: f64, ulp: f64) -> Difference {
    let (want, got) = (name_of(expected, largest), name_of(found, largest));
    match ulp {
        _ if want != got || want != NUMBER => Difference::Special(got, want),
        _ if (found + expected).abs() <= expected.abs() / 1024.0 => Difference::OppositeSign,
        u if u <= 16.0 => Difference::FewUlp,
        u if u <= 65536.0 => Difference::ManyUlp,
        _ => Difference::Number,
    }
}

const NUMBER: &str = "a number";

/// Returns the name of a number that is special, or [`NUMBER`].
fn name_of(x: f64, largest: f64) -> &'static str {
    match x {
        x if x.is_nan() => "NaN",
        f64::INFINITY => "+Inf",
        f64::NEG_INFINITY => "-Inf",
        x if x == 0.0 && x.is_sign_negative() => "-0",
        0.0 => "+0",
        x if x.abs() == largest => "the largest number",
        _ => NUMBER,
    }
}

fn between_integers(expected: i128, found: i128, bits: u32, (least, greatest): (i128, i128)) -> Difference {
    let rounded = (expected.unsigned_abs() > 1 << 24 && found == expected as f32 as i128)
        || (expected.unsigned_abs() > 1 << 53 && found == expected as f64 as i128);
    let low_bits = |narrow: u32| {
        let unsigned = expected & ((1 << narrow) - 1);
        found == unsigned || found == unsigned - (1 << narrow)
    };
    match found {
        _ if rounded => Difference::Rounded,
        _ if (expected - found).abs() == 1 => Difference::OffByOne,
        0 => Difference::Special("0", "an integer"),
        _ if found == -expected => Difference::OppositeSign,
        _ if [8, 16, 32].into_iter().any(|narrow| narrow < bits && low_bits(narrow)) => Difference::Wrapped,
        _ if [least, greatest].contains(&found) => Difference::EndOfType,
        _ => Difference::Number,
    }
}

/// Collects the wrong elements of an answer.
#[derive(Debug, Default)]
pub(super) struct Pattern {
    difference: Option<Difference>,
    /// The name of the place of the wrong elements; `Some(None)` if the place has no name or is not the same in all
    /// tensors, and `None` before the first tensor.
    place: Option<Option<&'static str>>,
}

impl Pattern {
    /// Notes that something other than an element of a tensor is wrong.
    pub fn other(&mut self, class: &'static str) {
        self.note(Difference::Other(class));
    }

    /// Notes that an element is wrong. `ulp` is its distance from the preferred answer.
    pub fn element(&mut self, expected: &Expected, tensor: &Tensor, index: usize, ulp: f64) {
        self.note(Difference::between(expected, tensor, index, ulp));
    }

    fn note(&mut self, difference: Difference) {
        self.difference = Some(self.difference.map_or(difference, |before| before.with(difference)));
    }

    /// Notes which elements of a tensor are wrong.
    pub fn places(&mut self, shape: &[usize], wrong: &[usize]) {
        let place = end_of_an_axis(shape, wrong);
        self.place = Some(self.place.map_or(place, |before| before.filter(|before| Some(*before) == place)));
    }

    /// Returns the class of the failure, or `None` if nothing is wrong.
    pub fn class(&self) -> Option<String> {
        let name = self.difference?.name();
        Some(match self.place.flatten() {
            Some(place) => format!("{name}, {place}"),
            None => name,
        })
    }
}

/// Returns the name of the place if exactly the elements at the first or at the last index of an axis are wrong. The
/// axis must have an extent of 3 or more, and there must be several such elements.
fn end_of_an_axis(shape: &[usize], wrong: &[usize]) -> Option<&'static str> {
    let elements: usize = shape.iter().product();
    let mut inner = 1;
    for &extent in shape.iter().rev() {
        let slice = elements.checked_div(extent)?;
        let all_at = |at: usize| wrong.iter().all(|index| index / inner % extent == at);
        if extent >= 3 && slice >= 2 && wrong.len() == slice {
            if all_at(0) {
                return Some("the first index of an axis");
            }
            if all_at(extent - 1) {
                return Some("the last index of an axis");
            }
        }
        inner *= extent;
    }
    None
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::DType;

    use super::*;

    fn class<T: Copy>(dtype: DType, pairs: &[(T, T)], tensor: impl Fn(&[T]) -> Tensor) -> String {
        let (want, got): (Vec<T>, Vec<T>) = pairs.iter().copied().unzip();
        let expected = Expected::from(tensor(&want));
        let tensor = tensor(&got);
        assert_eq!(expected.dtype(), dtype);
        let mut pattern = Pattern::default();
        for index in 0..pairs.len() {
            pattern.element(&expected, &tensor, index, expected.distance_ulp(&tensor, index));
        }
        pattern.class().unwrap()
    }

    fn integers(dtype: DType, pairs: &[(i128, i128)]) -> String {
        class(dtype, pairs, |values| Tensor::from_i128s(dtype, vec![values.len()], values).unwrap())
    }

    fn floats(pairs: &[(f32, f32)]) -> String {
        class(DType::Float, pairs, |values| Tensor::from_f32s(vec![values.len()], values).unwrap())
    }

    #[test]
    fn integers_differ_in_ways_that_have_names() {
        assert_eq!(integers(DType::Int32, &[(5, 6), (-3, -4)]), "off by one");
        assert_eq!(integers(DType::Int32, &[(5, -5)]), "opposite sign");
        assert_eq!(integers(DType::Int32, &[(2_147_483_646, -2_147_483_648)]), "an end of the type");
        assert_eq!(integers(DType::Int64, &[((1 << 33) + 7, 7)]), "wrapped to a smaller type");
        assert_eq!(integers(DType::Int32, &[(200, -56)]), "wrapped to a smaller type");
        assert_eq!(integers(DType::Int32, &[(16_777_219, 16_777_220)]), "rounded to a float");
        assert_eq!(integers(DType::Uint8, &[(17, 0)]), "0 for an integer");
        assert_eq!(integers(DType::Uint8, &[(17, 90)]), "another number");
        assert_eq!(integers(DType::Int32, &[(5, 6), (40, 7)]), "another number");
    }

    #[test]
    fn wrong_numbers_take_precedence_over_wrong_zeros_and_nan() {
        assert_eq!(floats(&[(0.0, f32::NAN)]), "NaN for +0");
        assert_eq!(floats(&[(0.0, f32::NAN), (f32::NAN, 1.0)]), "several NaN, infinities or zeros");
        assert_eq!(floats(&[(0.0, f32::NAN), (3.0, 1.5)]), "another number");
        assert_eq!(floats(&[(2.0, -2.0)]), "opposite sign");
        assert_eq!(floats(&[(1.0, 1.0 + 4.0 * f32::EPSILON), (1.0, 1.0 + 1e-3)]), "many ULP");
        assert_eq!(floats(&[(f32::INFINITY, f32::MAX)]), "the largest number for +Inf");
    }

    #[test]
    fn the_ends_of_an_axis_are_noticed() {
        assert_eq!(end_of_an_axis(&[3, 2], &[4, 5]), Some("the last index of an axis"));
        assert_eq!(end_of_an_axis(&[2, 3], &[0, 3]), Some("the first index of an axis"));
        assert_eq!(end_of_an_axis(&[2, 3], &[0]), None);
        assert_eq!(end_of_an_axis(&[2, 3], &[0, 4]), None);
        assert_eq!(end_of_an_axis(&[4], &[3]), None);
        assert_eq!(end_of_an_axis(&[0, 3], &[]), None);
        let mut pattern = Pattern::default();
        pattern.other("value");
        pattern.places(&[3, 2], &[4, 5]);
        assert_eq!(pattern.class().unwrap(), "value, the last index of an axis");
        pattern.places(&[3, 2], &[0, 5]);
        assert_eq!(pattern.class().unwrap(), "value");
    }
}
