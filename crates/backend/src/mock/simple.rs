//! A backend with three operators of its own, so that tests of runners and judges do not need the oracle.

use plumbline_tensor::{DType, Model, Tensor, Value};

use crate::{Backend, Identity, Prepared, Profile, Refusal};

/// A backend that runs models of one node: Identity of any value, Abs of float tensors, and Add of float tensors of
/// equal shape.
#[derive(Debug, Default)]
pub struct Simple {
    profile: Profile,
}

impl Backend for Simple {
    fn identity(&self) -> Identity {
        Identity { name: "simple".to_owned(), version: String::new() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let [node] = model.graph().node.as_slice() else {
            return Err(Refusal::unsupported(format!(
                "a graph of {} nodes, expected one node",
                model.graph().node.len()
            )));
        };
        let run = match node.op_type.as_deref() {
            Some("Identity") => |inputs: &[Value]| inputs.first().cloned().ok_or_else(|| missing(1)),
            Some("Abs") => |inputs: &[Value]| {
                let x = float(inputs, 0)?;
                tensor(x, x.to_f64s().into_iter().map(f64::abs))
            },
            Some("Add") => |inputs: &[Value]| {
                let (a, b) = (float(inputs, 0)?, float(inputs, 1)?);
                if a.shape() != b.shape() {
                    return Err(Refusal::unsupported("Add of inputs with different shapes"));
                }
                // Double holds the sum of two floats exactly enough that rounding it to float gives the correctly
                // rounded sum.
                tensor(a, a.to_f64s().into_iter().zip(b.to_f64s()).map(|(x, y)| x + y))
            },
            other => return Err(Refusal::unsupported(format!("operator {}", other.unwrap_or("without a name")))),
        };
        Ok(Box::new(One(run)))
    }
}

struct One(fn(&[Value]) -> Result<Value, Refusal>);

impl Prepared for One {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        Ok(vec![(self.0)(inputs)?])
    }
}

fn missing(count: usize) -> Refusal {
    Refusal::invalid(format!("fewer inputs than {count}"))
}

fn float(inputs: &[Value], index: usize) -> Result<&Tensor, Refusal> {
    let tensor = inputs.get(index).ok_or_else(|| missing(index + 1))?.as_tensor();
    tensor
        .filter(|t| t.dtype() == DType::Float)
        .ok_or_else(|| Refusal::unsupported("inputs of other types than tensor(float)"))
}

fn tensor(like: &Tensor, elements: impl Iterator<Item = f64>) -> Result<Value, Refusal> {
    let elements: Vec<f32> = elements.map(|x| x as f32).collect();
    let tensor = Tensor::from_f32s(like.shape().to_vec(), &elements).map_err(|e| Refusal::failed(e.to_string()))?;
    Ok(Value::Tensor(tensor))
}
