//! Quantization: scales and zero points that many elements share, and the conversion of numbers to a smaller type.
//!
//! QuantizeLinear, DequantizeLinear and related operators share these rules:
//!
//! - `scale-shape-fits`: the shape of the scale fits the input.
//! - `zero-point-matches-scale`: the zero point has the shape of the scale.
//! - `axis-in-range`: the axis is in range.
//! - `axis-of-a-vector`: the axis of a vector, where the text does not say that it has no effect.
//! - `block-size-non-negative`: the size of a block is not negative.
//! - `blocks-cover-axis`: blocks of the given size cover the axis.
//! - `nan`: the integer that NaN becomes.
//! - `float-rounding`, `float8-saturation` and `types-without-infinity`: the same as in Cast.

use plumbline_tensor::{FloatFormat, RoundMode};

use crate::families::cast::Cast;
use crate::prelude::*;
use crate::{Int, Ints};

/// Returns, for each element of `x`, the index of its element of `scale`. There is one scale for the whole tensor, one
/// for each slice along `axis`, or one for each block. The rules are `scale-shape-fits`, `axis-in-range`,
/// `blocks-cover-axis` and `block-size-non-negative`.
pub fn spread(call: &Call, x: &Expected, scale: &Expected) -> Result<Vec<usize>, Refusal> {
    let refuse = || {
        Refusal::violates(
            rule::SCALE_SHAPE_FITS,
            format!("a scale of shape {:?} does not fit an input of shape {:?}", scale.shape(), x.shape()),
        )
    };
    let block = call.optional_int("block_size").unwrap_or(0);
    if block < 0 {
        return Err(Refusal::violates(rule::BLOCK_SIZE_NON_NEGATIVE, format!("`block_size` is {block}")));
    }
    // A one-dimensional scale of one element applies to the whole tensor, too.
    if scale.rank() <= 1 && scale.len() == 1 {
        return Ok(vec![0; x.len()]);
    }
    let since = call.since();
    let blocked = since >= 21 && block != 0 && scale.rank() == x.rank();
    if since < 13 || scale.rank() != 1 && !blocked {
        return Err(refuse());
    }
    // From version 19 on, the axis does not matter for a one-dimensional input.
    let axis = match call.int("axis")? {
        axis if x.rank() == 1 && since >= 19 => {
            if axis != 0 && axis != -1 && call.follows(rule::AXIS_OF_A_VECTOR) {
                call.leaves_open(rule::AXIS_OF_A_VECTOR);
            }
            0
        }
        axis => call.axis(axis, x.rank(), rule::AXIS_IN_RANGE)?,
    };
    let slices = |extents: &[usize]| shape::around(extents, axis);
    let (_, extent, inner) = slices(x.shape());
    if !blocked {
        let count = scale.len();
        return if count == extent { Ok((0..x.len()).map(|i| i / inner % extent).collect()) } else { Err(refuse()) };
    }
    let others = |shape: &[usize]| [&shape[..axis], &shape[axis + 1..]].concat();
    if others(x.shape()) != others(scale.shape()) {
        return Err(refuse());
    }
    let blocks = scale.extent(axis);
    let fits = usize::try_from(block).is_ok_and(|block| extent.div_ceil(block) == blocks);
    if !fits {
        return Err(Refusal::violates(
            rule::BLOCKS_COVER_AXIS,
            format!("{blocks} blocks of {block} are too few or too many for an extent of {extent}"),
        ));
    }
    let block = block as usize;
    Ok((0..x.len()).map(|i| (i / inner / extent * blocks + i / inner % extent / block) * inner + i % inner).collect())
}

/// Returns the zero point, if it is given. It has the shape of the scale (`zero-point-matches-scale`), except that a
/// scalar and a one-dimensional tensor of one element fit each other.
pub fn zero_point<'a>(call: &Call<'a>, name: &str, scale: &Expected) -> Result<Option<&'a Expected>, Refusal> {
    let Some(zero) = call.optional_tensor(name)? else { return Ok(None) };
    if zero.shape() == scale.shape() || zero.len() == 1 && scale.len() == 1 && zero.rank().max(scale.rank()) <= 1 {
        return Ok(Some(zero));
    }
    Err(Refusal::violates(
        rule::ZERO_POINT_MATCHES_SCALE,
        format!("`{name}` has shape {:?}, expected that of the scale, {:?}", zero.shape(), scale.shape()),
    ))
}

/// Accepts the results of two ways to compute a number. If only the second way gives NaN, an infinity or zero, its
/// result is left open (`label`).
pub fn or_at_precision(first: Number, second: Number, label: Label) -> Number {
    let (a, b) = (first.real(), second.real());
    let strays = b.nan && !a.nan
        || b.low.is_infinite() && a.low.is_finite()
        || b.high.is_infinite() && a.high.is_finite()
        || b.mid == 0.0 && a.mid != 0.0;
    if strays { first.or(b.overflowing(), label) } else { first.hull(second) }
}

/// Computes `x / scale` at the precision of `x`. If the scale is a power of two and the type can represent the
/// quotient, every implementation computes this exact quotient, so that ties stay ties.
pub fn divided(x: Number, scale: Number) -> Number {
    let quotient = x.mid() / scale.mid();
    let power = scale.mid().is_finite() && libm::frexp(scale.mid().abs()).0 == 0.5;
    let format = FloatFormat::for_dtype(x.dtype());
    let held = format.is_some_and(|f| f.nearest(quotient) == quotient);
    if power && held && x.is_point() && scale.is_point() && x.mid().is_finite() {
        return Real::constant(quotient, x.dtype()).into();
    }
    x / scale
}

/// The target of a quantization: the type, whether 8-bit floats saturate, and the version whose rules apply to them.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The target type.
    pub dtype: DType,
    /// The attribute `saturate`, for 8-bit floats.
    pub saturate: bool,
    /// The version of Cast whose tables for 8-bit floats apply.
    pub since: u32,
    /// The rule that leaves open which integer a NaN becomes.
    pub nan: Label,
}

impl Target {
    /// Converts a quotient to the target type: `saturate(round(quotient) + zero)` for integers,
    /// `saturate(quotient + zero)` rounded once for floats. No integer stands for NaN (`nan`).
    pub fn quantized(&self, quotient: Number, zero: Option<Number>) -> Number {
        if self.dtype.is_float() {
            let sum = match zero.filter(|z| z.mid() != 0.0 || !z.is_point()) {
                Some(zero) => quotient + zero.at_precision(quotient.dtype()),
                None => quotient,
            };
            let cast =
                Cast { since: self.since, to: self.dtype, saturate: self.saturate, round_mode: RoundMode::Nearest };
            return cast.number(sum);
        }
        let none = Int { low: 0, mid: 0, high: 0, dtype: self.dtype };
        quotient.each_way(|quotient| match zero {
            Some(zero) => zero.each_way(|zero| match zero.kind {
                NumberKind::Int(zero) => self.integer(quotient.real(), zero),
                NumberKind::Real(_) => self.integer(quotient.real(), none),
            }),
            None => self.integer(quotient.real(), none),
        })
    }

    /// Does the same for an integer type.
    fn integer(&self, quotient: Real, zero: Int) -> Number {
        let rounded = Number::from(quotient).round().real();
        let (least, most) = self.dtype.integer_range().unwrap_or((0, 0));
        // The cast to `i128` already saturates, also for infinities.
        let at = |x: f64, zero: i128| (x as i128).saturating_add(zero).clamp(least, most);
        let (low, mid, high) = (at(rounded.low, zero.low), at(rounded.mid, zero.mid), at(rounded.high, zero.high));
        let result = Number { kind: NumberKind::Int(Int { low, mid, high, dtype: self.dtype }), latitude: None };
        // NaN becomes an end of the range, or 0. An implementation may add the zero point to this 0.
        if !rounded.nan {
            return result;
        }
        let zeros = Ints::default().with(zero.low.clamp(least, most), zero.high.clamp(least, most));
        let of_nan = [0, least, most].into_iter().fold(zeros, |all, other| all.with(other, other));
        result.or(Allowed::Ints(of_nan), self.nan)
    }
}

/// Returns whether a type is one in which implementations compute.
pub fn is_working(dtype: DType) -> bool {
    matches!(dtype, DType::Float | DType::Double | DType::Float16 | DType::Bfloat16)
}

/// Returns whether a number is zero or normal in a type, so that a conversion to the type loses no more than a
/// rounding.
pub fn is_normal(x: &Number, dtype: DType) -> bool {
    let Some(format) = FloatFormat::for_dtype(dtype) else { return false };
    let real = x.real();
    [real.mid, real.low, real.high]
        .into_iter()
        .map(f64::abs)
        .all(|magnitude| magnitude == 0.0 || magnitude >= format.min_normal() && magnitude <= format.max_finite())
}

/// Returns the index of the scale or zero point for each row of the left factor of a matrix product (`axis` 0), or for
/// each column of the right factor (`axis` 1), matrix after matrix.
///
/// The tensor `of` has one element for all rows or columns, one element for each row or column of a single matrix, or
/// the shape of the factor with an extent of 1 along the axis that is summed over. `label` names the rule that is
/// violated by any other shape.
pub fn along(of: &Expected, batch: &[usize], extent: usize, axis: usize, label: Label) -> Result<Vec<usize>, Refusal> {
    let count = shape::product(batch)?.saturating_mul(extent);
    if of.len() == 1 && of.rank() <= 1 {
        return Ok(vec![0; count]);
    }
    if batch.is_empty() && of.shape() == [extent] {
        return Ok((0..extent).collect());
    }
    let matrix = if axis == 0 { [extent, 1] } else { [1, extent] };
    let full = [batch, &matrix].concat();
    if of.shape() == full {
        return Ok((0..count).collect());
    }
    Err(Refusal::violates(
        label,
        format!("a scale or zero point of shape {:?} does not fit the shape {full:?}", of.shape()),
    ))
}

/// Subtracts the zero point from a factor of a matrix product. The result is int32 for integers and float for floats.
/// `at` comes from [`along`], and `inner` is the extent that is summed over.
pub fn centred(
    x: &Expected,
    zero: Option<&Expected>,
    at: &[usize],
    inner: usize,
    axis: usize,
) -> Result<Expected, Refusal> {
    let dtype = if x.dtype().is_float() { DType::Float } else { DType::Int32 };
    let wide = |n: Number| match n.kind {
        NumberKind::Int(int) => Number { kind: NumberKind::Int(Int { dtype, ..int }), ..n },
        NumberKind::Real(_) => n.at_precision(dtype),
    };
    let lanes = if axis == 0 { 1 } else { x.shape().last().copied().unwrap_or(1).max(1) };
    let lanes = if x.rank() < 2 { 1 } else { lanes };
    let inner = inner.max(1);
    let number = |i: usize| match zero {
        Some(zero) => wide(x.number(i)) - wide(zero.number(at[i / lanes / inner * lanes + i % lanes])),
        None => wide(x.number(i)),
    };
    Expected::from_numbers(dtype, x.shape().to_vec(), (0..x.len()).map(number))
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, refusable_by};

    #[test]
    fn the_first_texts_give_a_range_for_the_axis_of_a_vector() {
        let inputs = [floats(&[2], &[1.0, 2.0]), floats(&[2], &[0.5, 0.25])];
        let by = |release: &str, axis: i64| {
            refusable_by(release, &format!("QuantizeLinear <axis = {axis}>"), 21, &inputs, 1)
        };
        assert!(by("1.16", 1).is_some_and(|rule| rule.contains("axis-of-a-vector")));
        assert_eq!((by("1.16", 0), by("1.17", 1)), (None, None));
    }
}
