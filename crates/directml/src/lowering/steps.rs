//! Frequent steps of a lowering, each made of at most two calls.

use super::context::{Lowering, carried, mismatch, scalar, stretched};
use super::error::LoweringError;
use super::view::{View, broadcast};
use crate::Wire;
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::DType;

impl Lowering<'_> {
    /// Copies the elements of a view to a packed tensor.
    pub fn copy(&mut self, view: &View) -> Result<View, LoweringError> {
        let call = self.call("ELEMENT_WISE_IDENTITY").read("InputTensor", view);
        call.write("OutputTensor", view.data_type, &view.sizes).one()
    }

    /// Returns the view if it is packed, or a packed copy.
    pub fn packed(&mut self, view: View) -> Result<View, LoweringError> {
        if view.is_packed() { Ok(view) } else { self.copy(&view) }
    }

    /// Casts the elements to another type.
    pub fn cast(&mut self, view: &View, data_type: TensorDataType) -> Result<View, LoweringError> {
        if view.data_type == data_type {
            return Ok(view.clone());
        }
        self.call("CAST").read("InputTensor", view).write("OutputTensor", data_type, &view.sizes).one()
    }

    /// Calls an operator with `InputTensor` and an `OutputTensor` of the same type and sizes.
    pub fn unary(&mut self, operator: &'static str, view: &View) -> Result<View, LoweringError> {
        self.call(operator).read("InputTensor", view).write("OutputTensor", view.data_type, &view.sizes).one()
    }

    /// Calls an operator with `ATensor`, `BTensor` and `OutputTensor`; the inputs are broadcast.
    pub fn binary(
        &mut self,
        operator: &'static str,
        [a, b]: [&View; 2],
        data_type: TensorDataType,
    ) -> Result<View, LoweringError> {
        let sizes = broadcast([a.sizes.as_slice(), &b.sizes]).ok_or_else(|| mismatch(a, &b.sizes))?;
        let (a, b) = (stretched(a, &sizes)?, stretched(b, &sizes)?);
        self.call(operator).read("ATensor", &a).read("BTensor", &b).write("OutputTensor", data_type, &sizes).one()
    }

    /// Calls an operator with `ATensor`, a constant number as `BTensor`, and an `OutputTensor` of the same type.
    pub fn with_number(&mut self, operator: &'static str, a: &View, number: f64) -> Result<View, LoweringError> {
        let number = self.constant("number", a.data_type, scalar(a.data_type, number));
        self.binary(operator, [a, &number], a.data_type)
    }

    /// Returns bytes: 1 where an element is not equal to 0 (NaN included), 0 elsewhere.
    pub fn not_zero(&mut self, view: &View) -> Result<View, LoweringError> {
        let zero = self.constant("0", view.data_type, scalar(view.data_type, 0.0));
        let zeros = self.binary("ELEMENT_WISE_LOGICAL_EQUALS", [view, &zero], TensorDataType::Uint8)?;
        self.unary("ELEMENT_WISE_LOGICAL_NOT", &zeros)
    }

    /// Returns `a` where `condition`, a tensor of bytes, is not 0, and `b` elsewhere. All three are broadcast.
    pub fn either(&mut self, condition: &View, [a, b]: [&View; 2]) -> Result<View, LoweringError> {
        let sizes = broadcast([condition.sizes.as_slice(), &a.sizes, &b.sizes]).ok_or_else(|| mismatch(a, &b.sizes))?;
        let (condition, a, b) = (stretched(condition, &sizes)?, stretched(a, &sizes)?, stretched(b, &sizes)?);
        let call = self.call("ELEMENT_WISE_IF").read("ConditionTensor", &condition).read("ATensor", &a);
        call.read("BTensor", &b).write("OutputTensor", a.data_type, &sizes).one()
    }

    /// Reads non-negative integers as another integer type. A graph input carries no type and needs no cast, but both
    /// types must then have the same width.
    pub fn as_type(&mut self, view: &View, data_type: TensorDataType) -> Result<View, LoweringError> {
        match view.wire {
            Wire::Input(_) => Ok(view.retyped(data_type)),
            Wire::Node { .. } => self.cast(view, data_type),
        }
    }

    /// Returns an output of the node in the form in which later nodes read it.
    pub(super) fn stored(&mut self, name: &str, dtype: DType, view: &View) -> Result<View, LoweringError> {
        let view = self.packed(view.clone())?;
        let carried = carried(name, dtype)?;
        if view.data_type == carried { Ok(view) } else { self.as_type(&view, carried) }
    }

    /// Makes an output of the node an output of the model.
    pub(super) fn output(&mut self, name: &str, dtype: DType, view: &View) -> Result<(), LoweringError> {
        let carried = carried(name, dtype)?;
        if view.data_type.bits() != carried.bits() {
            let message = format!("output `{name}` is computed as {}, but the model declares {dtype}", view.data_type);
            return Err(Refusal::failed(message).into());
        }
        let view = match view.wire {
            Wire::Input(_) => self.copy(view)?,
            Wire::Node { .. } => self.packed(view.clone())?,
        };
        let tensor = self.graph.tensor(view.wire).cloned();
        let tensor =
            tensor.ok_or_else(|| Refusal::failed(format!("no operator of the graph computes output `{name}`")))?;
        let shape: Vec<usize> = view.sizes.iter().map(|&size| size as usize).collect();
        Ok(self.graph.output(name, view.wire, tensor, dtype, &shape)?)
    }
}
