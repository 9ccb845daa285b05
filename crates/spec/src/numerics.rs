//! What a backend may declare of its arithmetic, in the terms of `specs/functions.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The table of a profile that names none, and what other tables leave out.
pub const DEFAULT_ACCURACY: &str = "opencl-full";

/// What a backend declares of its arithmetic, by which its answers are judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Numerics {
    /// Whether subnormal inputs and results may be flushed to zero.
    pub flush_subnormals: bool,
    /// Whether sums of 16-bit and smaller floats may be kept at that precision instead of float's.
    pub low_precision_accumulation: bool,
    /// The table of `specs/functions.toml` by which the accuracy of functions is judged.
    pub accuracy: String,
    /// The backend's own numbers for functions, in place of the table's.
    pub ulp: BTreeMap<String, Ulp>,
    /// Extra error the backend declares for a function of `specs/functions.toml`, in ULP.
    pub extra_ulp: BTreeMap<String, f64>,
}

impl Default for Numerics {
    fn default() -> Numerics {
        Numerics {
            flush_subnormals: false,
            low_precision_accumulation: false,
            accuracy: DEFAULT_ACCURACY.to_owned(),
            ulp: BTreeMap::new(),
            extra_ulp: BTreeMap::new(),
        }
    }
}

/// How far a function may stray, in units in the last place, by type; what is left out is as in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ulp {
    /// For float.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub float: Option<f64>,
    /// For double.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double: Option<f64>,
    /// For float16, bfloat16 and everything smaller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<f64>,
}
