//! Lists the elements of an output that are wrong, or right only because a rule leaves them open.

use plumbline_oracle::shape::coordinates;
use plumbline_oracle::{Bounds, Expected, Judged, Label};
use plumbline_tensor::{DTypeKind, Tensor};

/// The value of an element.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A floating-point number. Every number of a narrower type is exact in float64.
    Float(f64),
    /// An integer, or a bool as 0 or 1.
    Int(i128),
    /// The two parts of a complex number.
    Complex(f64, f64),
    /// A string. Bytes that are not UTF-8 are replaced.
    Text(String),
}

/// The judgement of one element that is wrong, or right only because a rule leaves it open.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementJudgement {
    /// The position of the tensor in each sequence or map around it, the outermost first. Empty for an output that is a
    /// tensor.
    pub item: Vec<usize>,
    /// The coordinates of the element in its tensor.
    pub index: Vec<usize>,
    /// The value that was found.
    pub found: Scalar,
    /// The preferred answer.
    pub expected: Scalar,
    /// A description of everything that is accepted for the element.
    pub accepted: String,
    /// The smallest value of the accepted interval; `None` for strings and complex numbers.
    pub low: Option<Scalar>,
    /// The largest value of the accepted interval; `None` for strings and complex numbers.
    pub high: Option<Scalar>,
    /// The rule that leaves the element open, if there is one. A wrong element may have such a rule, too.
    pub rule: Option<Label>,
    /// The text of the rule. Only the functions of [`crate::model`] fill it in.
    pub rule_text: Option<&'static str>,
    /// Whether the element is right because of this rule. Otherwise it is wrong.
    pub is_latitude: bool,
    /// The distance from the preferred answer: in ULP for floats, as the difference for integers. `None` if it is not
    /// finite, and for bool, strings and complex numbers.
    pub ulp: Option<f64>,
}

/// Collects the first elements of an output that are wrong or left open, at most `limit` of them. Wrong elements take
/// precedence: if the list is full, they replace elements that a rule leaves open.
pub(super) struct Listing {
    limit: usize,
    /// The position of the tensor that is being judged: see [`ElementJudgement::item`].
    item: Vec<usize>,
    pub elements: Vec<ElementJudgement>,
}

impl Listing {
    pub fn new(limit: usize) -> Listing {
        Listing { limit, item: vec![], elements: vec![] }
    }

    /// Notes that the next tensors are inside item `at` of a sequence or map, until [`Listing::leave`] is called.
    pub fn enter(&mut self, at: usize) {
        self.item.push(at);
    }

    pub fn leave(&mut self) {
        self.item.pop();
    }

    /// Adds the element at this row-major index, unless it is accepted or the list has no place for it.
    pub fn add(&mut self, expected: &Expected, tensor: &Tensor, index: usize, judged: &Judged) {
        let is_latitude = match judged {
            Judged::Accepted => return,
            Judged::Latitude(_) => true,
            Judged::Wrong => false,
        };
        if self.elements.len() >= self.limit {
            // A wrong element replaces the last listed element that a rule leaves open.
            let Some(last) = self.elements.iter().rposition(|e| e.is_latitude).filter(|_| !is_latitude) else { return };
            self.elements.remove(last);
        }
        let (low, high) = ends(expected, index);
        let ulp = expected.distance_ulp(tensor, index);
        let has_ulp = expected.dtype().is_float() || expected.dtype().is_integer();
        let rule = expected.latitude.binary_search_by_key(&index, |(at, _)| *at).ok();
        self.elements.push(ElementJudgement {
            item: self.item.clone(),
            index: coordinates(index, expected.shape()),
            found: scalar(tensor, index),
            expected: scalar(&expected.tensor, index),
            accepted: expected.describe(index),
            low,
            high,
            rule: rule.map(|at| expected.latitude[at].1.label),
            rule_text: None,
            is_latitude,
            ulp: (has_ulp && ulp.is_finite()).then_some(ulp),
        });
    }
}

/// Returns the ends of the interval that is accepted for an element.
fn ends(expected: &Expected, index: usize) -> (Option<Scalar>, Option<Scalar>) {
    match &expected.bounds {
        Some(Bounds::Real(reals)) => (Some(Scalar::Float(reals[index].low)), Some(Scalar::Float(reals[index].high))),
        Some(Bounds::Int(ints)) => (Some(Scalar::Int(ints[index].low)), Some(Scalar::Int(ints[index].high))),
        None => match scalar(&expected.tensor, index) {
            Scalar::Text(_) | Scalar::Complex(..) => (None, None),
            value => (Some(value.clone()), Some(value)),
        },
    }
}

fn scalar(tensor: &Tensor, index: usize) -> Scalar {
    match tensor.dtype().kind() {
        DTypeKind::Float => Scalar::Float(tensor.f64_at(index)),
        DTypeKind::String => {
            let text = tensor.strings().get(index).map(|text| String::from_utf8_lossy(text).into_owned());
            Scalar::Text(text.unwrap_or_default())
        }
        DTypeKind::Complex => {
            let half = tensor.dtype().size() / 2;
            let part = |at: usize| {
                let bytes = tensor.bytes().get(at * half..(at + 1) * half).unwrap_or_default();
                match (<[u8; 4]>::try_from(bytes), <[u8; 8]>::try_from(bytes)) {
                    (Ok(bytes), _) => f64::from(f32::from_le_bytes(bytes)),
                    (_, Ok(bytes)) => f64::from_le_bytes(bytes),
                    _ => f64::NAN,
                }
            };
            Scalar::Complex(part(2 * index), part(2 * index + 1))
        }
        DTypeKind::Bool | DTypeKind::SignedInteger | DTypeKind::UnsignedInteger => Scalar::Int(tensor.i128_at(index)),
    }
}
