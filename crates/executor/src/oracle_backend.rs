//! The oracle as a backend: it answers with the outputs that it prefers.

use plumbline_backend::{Backend, Identity, Prepared, Profile, Refusal};
use plumbline_oracle::{Operand, Oracle, Policy};
use plumbline_tensor::{Model, Value};

/// The name by which the oracle is chosen as a backend.
pub const ORACLE: &str = "reference";

/// The oracle as a backend (`reference`).
#[derive(Clone, Debug)]
pub struct OracleBackend {
    oracle: Oracle,
    profile: Profile,
}

impl Default for OracleBackend {
    fn default() -> OracleBackend {
        // The oracle computes by the profile: where a step may overflow, the preferred answer depends on it.
        OracleBackend { oracle: Oracle::new(Policy::of_cpu()), profile: Profile::of_cpu() }
    }
}

struct PreparedOracle {
    oracle: Oracle,
    model: Model,
}

impl Prepared for PreparedOracle {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        Ok(self.oracle.answer(&self.model, inputs)?.iter().map(Operand::to_value).collect())
    }
}

impl Backend for OracleBackend {
    fn identity(&self) -> Identity {
        Identity { name: ORACLE.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(PreparedOracle { oracle: self.oracle.clone(), model: model.clone() }))
    }
}
