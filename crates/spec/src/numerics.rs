//! What a backend may declare about its answers: its arithmetic, in the terms of `specs/functions.toml`, and the release
//! of ONNX that it implements.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::release::ReleaseNumber;

/// The table of `specs/functions.toml` that applies if a profile names none. It also supplies what other tables leave
/// out.
pub const DEFAULT_ACCURACY: &str = "opencl-full";

/// The table of `specs/functions.toml` for a backend that computes on a CPU, where division and square root are
/// correctly rounded.
pub const CPU_ACCURACY: &str = "ieee-754";

/// What a backend declares about its answers. The backend's answers are judged accordingly.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Numerics {
    /// Whether the backend may flush subnormal inputs and results to zero.
    pub flush_subnormals: bool,
    /// Whether the backend may accumulate sums of 16-bit and smaller floats in the type of the elements instead of in
    /// float.
    pub low_precision_accumulation: bool,
    /// Whether the backend may round the products of 16-bit and smaller floats to the type of the elements before it adds
    /// them up in float.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub low_precision_products: bool,
    /// The format to which the backend may round the factors of products of float.
    #[serde(skip_serializing_if = "Products::is_float")]
    pub products: Products,
    /// The type in which the backend computes double.
    #[serde(skip_serializing_if = "Doubles::is_double")]
    pub double: Doubles,
    /// The name of the table in `specs/functions.toml` that sets the accuracy of functions.
    pub accuracy: String,
    /// The backend's own error bounds, by function. Each replaces the bound that the table has for this function.
    pub ulp: BTreeMap<String, Ulp>,
    /// The extra error, in ULP, that the backend declares for a function of `specs/functions.toml`.
    pub extra_ulp: BTreeMap<String, f64>,
    /// The release of ONNX whose texts the backend implements; `None` for the newest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub onnx: Option<ReleaseNumber>,
    /// What the backend does not check.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unchecked: BTreeSet<Unchecked>,
}

/// What a backend may declare that it does not check. Attributes, types and shapes are known before a kernel runs, so
/// that no backend that computes answers is excused from checking them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unchecked {
    /// Constraints that are [seen only in values](crate::SeenIn::Values): a kernel on a device reads them, and cannot
    /// stop the run without a cost to every valid one.
    Values,
    /// Constraints that a model shows: of attributes, types and shapes. This is for tools that read models and promise to
    /// say what is right, and not what is wrong, such as shape inference.
    Models,
}

/// The format to which a backend may round the factors of products of float before it multiplies them and sums the
/// products up, as in MatMul, Conv and Attention. The sums are kept in float.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Products {
    /// Factors are not rounded.
    #[default]
    Float,
    /// TensorFloat-32: 8 bits of exponent, 10 of significand.
    Tf32,
    /// bfloat16.
    Bfloat16,
    /// float16. Factors beyond its largest number may become infinite.
    Float16,
}

impl Products {
    fn is_float(&self) -> bool {
        *self == Products::Float
    }

    /// Returns the word of the file format.
    pub fn name(self) -> &'static str {
        match self {
            Products::Float => "float",
            Products::Tf32 => "tf32",
            Products::Bfloat16 => "bfloat16",
            Products::Float16 => "float16",
        }
    }
}

/// The type in which a backend computes on tensors of double. Elements that it only moves keep their bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubles {
    /// Every step is computed in double.
    #[default]
    Double,
    /// Elements may be rounded to float, and steps computed in float.
    Float,
}

impl Doubles {
    fn is_double(&self) -> bool {
        *self == Doubles::Double
    }

    /// Returns the word of the file format.
    pub fn name(self) -> &'static str {
        match self {
            Doubles::Double => "double",
            Doubles::Float => "float",
        }
    }
}

impl Default for Numerics {
    fn default() -> Numerics {
        Numerics {
            flush_subnormals: false,
            low_precision_accumulation: false,
            low_precision_products: false,
            products: Products::Float,
            double: Doubles::Double,
            accuracy: DEFAULT_ACCURACY.to_owned(),
            ulp: BTreeMap::new(),
            extra_ulp: BTreeMap::new(),
            onnx: None,
            unchecked: BTreeSet::new(),
        }
    }
}

/// The largest error of a function, in units in the last place, by type. A type without a value has the bound of the
/// table that [`Numerics::accuracy`] names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ulp {
    /// The bound for float.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub float: Option<f64>,
    /// The bound for double.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double: Option<f64>,
    /// The bound for float16, bfloat16 and everything smaller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<f64>,
}
