//! The types in which sums and products are accumulated.

use std::borrow::Cow;

use half::{bf16, f16};

use super::product::Product;
use crate::element::{Float, Number};

/// A number, with the type that accumulates its sums and products: float32 for 16-bit floats, the number's own type for
/// the others.
pub trait Sum: Number {
    /// The type that accumulates.
    type Total: Product;
    /// Converts to the accumulating type, without loss.
    fn total(self) -> Self::Total;
    /// Rounds to the nearest number of this type.
    fn of_total(total: Self::Total) -> Self;
    /// Converts all numbers to the accumulating type, without a copy if that is their own type.
    fn totals(data: &[Self]) -> Cow<'_, [Self::Total]>;
}

macro_rules! narrow {
    ($($t:ident)*) => {$(
        impl Sum for $t {
            type Total = f32;
            #[inline(always)] fn total(self) -> f32 { self.wide() }
            #[inline(always)] fn of_total(total: f32) -> $t { <$t as Float>::narrow(total) }
            fn totals(data: &[$t]) -> Cow<'_, [f32]> { Cow::Owned(data.iter().map(|x| x.wide()).collect()) }
        }
    )*};
}
narrow! { f16 bf16 }

macro_rules! as_they_are {
    ($($t:ident)*) => {$(
        impl Sum for $t {
            type Total = $t;
            #[inline(always)] fn total(self) -> $t { self }
            #[inline(always)] fn of_total(total: $t) -> $t { total }
            fn totals(data: &[$t]) -> Cow<'_, [$t]> { Cow::Borrowed(data) }
        }
    )*};
}
as_they_are! { f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 }
