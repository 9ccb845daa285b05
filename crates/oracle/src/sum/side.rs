//! [`Side`]: the elements of one factor of many products.

use std::borrow::Cow;

use plumbline_tensor::{DType, FloatFormat};

use super::accumulator::lowest_bit;
use crate::arithmetic::rounded_or_cut;
use crate::expected::Expected;
use crate::number::Number;
use crate::precision;

/// The elements of one factor, for [`Block`](super::Block): their preferred values and the ends of their intervals. All three are NaN
/// for an element that needs the definition.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// The preferred values.
    mid: Vec<f64>,
    /// The lower and the upper ends; `None` if every element is certain.
    ends: Option<(Vec<f64>, Vec<f64>)>,
}

impl Side {
    /// Returns certain elements.
    pub fn certain(values: Vec<f64>) -> Side {
        Side { mid: values, ends: None }
    }

    /// Returns the elements of a tensor of this type, as implementations have them that multiply them. `None` for types
    /// for which float64 is not precise enough.
    pub fn of_tensor(tensor: &Expected) -> Option<Side> {
        let dtype = tensor.dtype();
        if !has_blocks(dtype) {
            return None;
        }
        let plain = tensor.bounds.is_none() && tensor.is_certain();
        match plain && precision::factors(dtype).is_none() && !precision::flushing() {
            true => Some(Side::certain(tensor.tensor.to_f64s())),
            false => Some(Side::of_numbers(tensor.numbers(), dtype)),
        }
    }

    /// Returns numbers of this type, as implementations have them that multiply them.
    pub fn of_numbers(numbers: impl Iterator<Item = Number>, dtype: DType) -> Side {
        let format = precision::factors(dtype);
        let room = numbers.size_hint().0;
        let [mut low, mut mid, mut high] = [(); 3].map(|()| Vec::with_capacity(room));
        for number in numbers {
            let [least, preferred, most] = ends(&number, format);
            low.push(least);
            mid.push(preferred);
            high.push(most);
        }
        Side { mid, ends: Some((low, high)) }
    }

    /// Returns the elements at these indices; 0 where there is no index.
    pub fn gather(&self, indices: impl Iterator<Item = Option<usize>> + Clone) -> Side {
        let pick = |values: &[f64]| indices.clone().map(|at| at.map_or(0.0, |at| values[at])).collect();
        Side { mid: pick(&self.mid), ends: self.ends.as_ref().map(|(low, high)| (pick(low), pick(high))) }
    }

    /// Returns elements made by `fill`, which gets each of the three lists in turn, and a list of `count` zeros for the
    /// elements that it makes of them.
    pub fn filled(&self, count: usize, fill: impl Fn(&[f64], &mut [f64])) -> Side {
        let make = |values: &[f64]| {
            let mut made = vec![0.0; count];
            fill(values, &mut made);
            made
        };
        Side { mid: make(&self.mid), ends: self.ends.as_ref().map(|(low, high)| (make(low), make(high))) }
    }

    /// Returns whether some elements may be uncertain.
    pub(super) fn has_intervals(&self) -> bool {
        self.ends.is_some()
    }

    /// Returns whether an element is certain.
    fn is_point(&self, i: usize) -> bool {
        self.ends.as_ref().is_none_or(|(low, high)| low[i] == high[i])
    }

    /// Returns the exponent of the lowest bit of some elements; `None` if one of them is not certain.
    pub(super) fn quantum(&self, mut indices: impl Iterator<Item = usize> + Clone) -> Option<i32> {
        let points = indices.clone().all(|i| self.is_point(i) && self.mid[i].is_finite());
        points.then(|| lowest_bit(indices.by_ref().map(|i| self.mid[i])))
    }

    /// Returns whether some elements are certain and others are not.
    pub(super) fn is_mixed(&self, mut indices: impl Iterator<Item = usize> + Clone) -> bool {
        self.ends.is_some() && indices.clone().any(|i| self.is_point(i)) && indices.any(|i| !self.is_point(i))
    }

    /// Returns a quantity of each element; `None` if it is zero for all of them.
    pub(super) fn quantity(&self, what: Quantity) -> Option<Cow<'_, [f64]>> {
        let certain = |f: fn(f64) -> f64| self.mid.iter().map(|&x| f(x)).collect::<Vec<f64>>();
        let of_ends = |f: fn(f64, f64, f64) -> f64| {
            let (low, high) = self.ends.as_ref()?;
            Some(low.iter().zip(&self.mid).zip(high).map(|((&low, &mid), &high)| f(low, mid, high)).collect())
        };
        let values: Vec<f64> = match (what, &self.ends) {
            (Quantity::Preferred, _) | (Quantity::Centre | Quantity::Certain, None) => {
                return Some(Cow::Borrowed(&self.mid));
            }
            (Quantity::Radius | Quantity::Turn | Quantity::Across | Quantity::Around, None) => return None,
            (Quantity::Reach | Quantity::Largest, None) => certain(f64::abs),
            (Quantity::Above, None) => certain(|x| x.max(0.0)),
            (Quantity::Below, None) => certain(|x| (-x).max(0.0)),
            (Quantity::Centre, _) => of_ends(|low, _, high| centre(low, high))?,
            (Quantity::Radius, _) => of_ends(|low, _, high| radius(low, high))?,
            (Quantity::Turn, _) => of_ends(|low, _, high| {
                let radius = radius(low, high);
                centre(low, high).max(-radius).min(radius)
            })?,
            (Quantity::Reach, _) => of_ends(|low, _, high| centre(low, high).abs().max(radius(low, high)))?,
            (Quantity::Above, _) => of_ends(|_, _, high| high.max(0.0))?,
            (Quantity::Below, _) => of_ends(|low, _, _| (-low).max(0.0))?,
            (Quantity::Largest, _) => of_ends(|low, mid, high| low.abs().max(high.abs()).max(mid.abs()))?,
            (Quantity::Across, _) => of_ends(|low, _, high| (-low).min(high).max(0.0))?,
            (Quantity::Around, _) => of_ends(|low, _, high| if low < 0.0 && high > 0.0 { high - low } else { 0.0 })?,
            (Quantity::Certain, _) => of_ends(|low, mid, high| if low == high { mid } else { 0.0 })?,
        };
        values.iter().any(|&x| x != 0.0).then_some(Cow::Owned(values))
    }
}

/// Returns whether sums of products of this type can be computed in blocks: whether float64 represents each product of
/// two elements exactly, and implementations round none.
pub fn has_blocks(dtype: DType) -> bool {
    dtype.is_float() && dtype != DType::Double && !precision::rounds_products(dtype)
}

/// Returns the lower end, the preferred value and the upper end of a factor.
fn ends(number: &Number, format: Option<&FloatFormat>) -> [f64; 3] {
    let x = number.real();
    let cut = |x: f64, format: Option<&FloatFormat>| format.map_or((x, x), |format| rounded_or_cut(x, format));
    let outward = x.outward();
    let (low, high) = (cut(outward.low, format).0, cut(outward.high, format).1);
    if number.latitude.is_some() || x.nan || ![low, x.mid, high].iter().all(|end| end.is_finite()) {
        return [f64::NAN; 3];
    }
    if low == high { [low.min(x.mid), x.mid, high.max(x.mid)] } else { [low, x.mid, high] }
}

/// Returns the middle of an interval, rounded.
fn centre(low: f64, high: f64) -> f64 {
    if low == high { low } else { 0.5 * low + 0.5 * high }
}

/// Returns a number that is not below the distance of [`centre`] from either end.
fn radius(low: f64, high: f64) -> f64 {
    let centre = centre(low, high);
    (high - centre).max(centre - low) * (1.0 + 4.0 * f64::EPSILON)
}

/// What the sums of a block are made of. An interval has a centre `c` and a radius `r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// The preferred value.
    Preferred,
    /// `c`.
    Centre,
    /// `r`.
    Radius,
    /// `c`, brought into `[-r, r]`. The product of two of them moves the centre of the product.
    Turn,
    /// The larger of `|c|` and `r`.
    Reach,
    /// The largest magnitude above zero.
    Above,
    /// The largest magnitude below zero.
    Below,
    /// The largest magnitude.
    Largest,
    /// The smaller of the magnitudes of the ends, if zero lies between them.
    Across,
    /// The width, if zero lies inside.
    Around,
    /// The preferred value, if it is certain.
    Certain,
}
