//! Finds out in which arithmetic a backend computes, by small models whose answers differ from one arithmetic to the
//! next. It judges nothing: what is found can be written down as the profile by which the backend is judged.

mod arithmetic;
mod declared;
mod functions;
mod prober;
mod special;

use std::time::{Duration, Instant};

use plumbline_backend::Runner;
use plumbline_oracle::Arithmetic;
use plumbline_tensor::DType;

pub use declared::{Declared, declared};
pub use functions::{FunctionError, sweep};
use prober::Prober;

/// A deviation from computing each step in the type of the elements, with everything that IEEE 754 has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deviation {
    /// Subnormal numbers of this type are read as zeros.
    FlushesInputs(DType),
    /// Subnormal results of this type become zeros.
    FlushesResults(DType),
    /// Products that are summed up are computed in this arithmetic.
    Products(Arithmetic),
    /// Factors of products are quantized to integers of 8 bits.
    QuantizedProducts,
    /// Double is computed in float, by each operator that was probed.
    DoubleAsFloat,
    /// This operator computes double in float, and others do not.
    SomeDoubleAsFloat,
    /// Sums of float16 are kept in float16.
    SumsInType,
    /// NaN or an infinity is lost, or made, where it should not be.
    Special,
    /// The same inputs give other bits in another session.
    Unrepeatable,
    /// Values that violate the specification are not looked at.
    UncheckedValues,
}

/// What a probe found.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was probed: `subnormal inputs of float`.
    pub subject: String,
    /// What was found, in words.
    pub found: String,
    /// The deviation, if there is one.
    pub deviation: Option<Deviation>,
}

/// A probe: it adds the rows of what it found.
type Probe = fn(&mut Prober, &mut Vec<Row>);

/// All probes, in the order in which they run.
const PROBES: [Probe; 8] = [
    arithmetic::subnormals,
    arithmetic::fused,
    arithmetic::products,
    arithmetic::sums,
    arithmetic::doubles,
    special::special_numbers,
    special::repeats,
    special::values,
];

/// How long probes may take.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// The longest time for one model.
    pub model: Duration,
    /// When everything has to be over. Models that would begin later are not run.
    pub until: Option<Instant>,
}

impl Time {
    /// Returns whether the time is over.
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// Runs all probes on a backend. `report` receives each row as soon as it is found.
pub fn probe(runner: &mut dyn Runner, time: Time, report: &mut dyn FnMut(&Row)) -> Vec<Row> {
    let mut prober = Prober::new(runner, time);
    let mut rows = Vec::new();
    for probe in PROBES {
        let start = rows.len();
        probe(&mut prober, &mut rows);
        rows[start..].iter().for_each(&mut *report);
    }
    rows
}
