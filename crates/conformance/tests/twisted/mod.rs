//! A backend that is wrong on purpose, which several tests share.

use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_executor::OracleBackend;
use plumbline_graph::Refusal;
use plumbline_tensor::{Model, Value};

/// What the backend does in a run of one model, given the model as the oracle prepared it, and the inputs.
pub type Twist = Box<dyn FnMut(&mut dyn Prepared, &[Value]) -> Result<Vec<Value>, Refusal> + Send>;

/// The oracle as a backend that is wrong on purpose.
pub struct Twisted {
    profile: Profile,
    /// Prepares the twist for a model.
    twist: Box<dyn Fn(&Model) -> Twist + Send + Sync>,
}

impl Twisted {
    /// Returns a backend with this profile, in a box.
    pub fn boxed(profile: Profile, twist: impl Fn(&Model) -> Twist + Send + Sync + 'static) -> Box<dyn Backend> {
        Box::new(Twisted { profile, twist: Box::new(twist) })
    }
}

struct Ready {
    inner: Box<dyn Prepared>,
    twist: Twist,
}

impl Backend for Twisted {
    fn identity(&self) -> Identity {
        Identity { name: "twisted".to_owned(), version: "1".to_owned() }
    }
    fn profile(&self) -> &Profile {
        &self.profile
    }
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(Ready { inner: OracleBackend::default().prepare(model)?, twist: (self.twist)(model) }))
    }
}

impl Prepared for Ready {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        (self.twist)(self.inner.as_mut(), inputs)
    }
}
