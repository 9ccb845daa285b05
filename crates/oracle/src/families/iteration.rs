//! Code that Loop and Scan share: it stacks the values that the iterations give for a scan output, and reads the type
//! that a nested graph declares for this output.

use std::sync::Arc;

use plumbline_tensor::ValueKind;
use plumbline_tensor::onnx::{TensorShapeProtoDimensionValue, TypeProtoValue, ValueInfoProto};

use super::sequence::stacked;
use crate::prelude::*;

/// The values of one scan output, in the order of the iterations.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    items: Vec<Arc<Expected>>,
}

impl Gathered {
    /// Adds the value of one more iteration. `label` names the rule that is violated if the value is not a tensor, or
    /// if its element type or shape differs from that of the first value.
    pub fn push(&mut self, value: &Operand, label: Label) -> Result<(), Refusal> {
        let Operand::Tensor(tensor) = value else {
            return Err(Refusal::violates(label, format!("a scan output is {}, expected a tensor", value.kind())));
        };
        if let Some(first) = self.items.first()
            && (first.shape() != tensor.shape() || first.dtype() != tensor.dtype())
        {
            let message = format!(
                "a scan output changes its type or shape: it is {}{:?} after {}{:?}",
                tensor.dtype(),
                tensor.shape(),
                first.dtype(),
                first.shape()
            );
            return Err(Refusal::violates(label, message));
        }
        shape::affordable(&[&[self.items.len() + 1], tensor.shape()].concat())?;
        self.items.push(tensor.clone());
        Ok(())
    }

    /// Returns the number of iterations.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether there was no iteration.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the rank of each value, or `None` if there was no iteration.
    pub fn rank(&self) -> Option<usize> {
        self.items.first().map(|t| t.rank())
    }

    /// Stacks the values along a new axis; with `backwards` the last value comes first.
    ///
    /// If there was no iteration, the result is an empty tensor of the type and shape that the nested graph declares
    /// for each value. `open` names the rule that leaves the result open if the graph does not declare them.
    pub fn output(
        &self,
        axis: usize,
        backwards: bool,
        declared: Option<&ValueInfoProto>,
        open: Label,
    ) -> Result<Expected, Refusal> {
        let mut items: Vec<&Expected> = self.items.iter().map(|t| &**t).collect();
        if backwards {
            items.reverse();
        }
        if !items.is_empty() {
            return stacked(&items, axis);
        }
        let Some((dtype, mut shape)) = declared.and_then(static_type).filter(|(_, shape)| axis <= shape.len()) else {
            return Err(Refusal::leaves_open(
                open,
                "there is no iteration, and the body does not declare the shape of the output",
            ));
        };
        shape.insert(axis, 0);
        shape::affordable(&shape)?;
        Ok(Tensor::zeros(dtype, shape)?.into())
    }
}

/// Returns the element type and the shape that a graph declares for a tensor, or `None` if it does not declare a tensor
/// type with a number for every extent.
pub fn static_type(info: &ValueInfoProto) -> Option<(DType, Vec<usize>)> {
    let type_ = info.r#type.as_ref()?;
    let ValueKind::Tensor(dtype) = ValueKind::from_proto(type_)? else { return None };
    let Some(TypeProtoValue::TensorType(tensor)) = &type_.value else { return None };
    let extent = |d: &plumbline_tensor::onnx::TensorShapeProtoDimension| match d.value {
        Some(TensorShapeProtoDimensionValue::DimValue(extent)) => usize::try_from(extent).ok(),
        _ => None,
    };
    Some((dtype, tensor.shape.as_ref()?.dim.iter().map(extent).collect::<Option<_>>()?))
}

/// Returns the only element of a bool or integer tensor that controls the operator. `label` names the rule that is
/// violated if the operand is not a bool or integer tensor with exactly one element.
pub fn single(operand: &Operand, what: &str, label: Label) -> Result<i128, Refusal> {
    let Operand::Tensor(tensor) = operand else {
        return Err(Refusal::violates(
            label,
            format!("{what} is {}, expected a tensor of one element", operand.kind()),
        ));
    };
    if tensor.len() != 1 || !(tensor.dtype().is_integer() || tensor.dtype() == DType::Bool) {
        return Err(Refusal::violates(
            label,
            format!(
                "{what} is {}{:?}, expected one element of an integer type or bool",
                tensor.dtype(),
                tensor.shape()
            ),
        ));
    }
    if !tensor.is_certain() {
        return Err(Refusal::unsupported(format!(
            "{what} decides what is computed, but the oracle accepts more than one value for it"
        )));
    }
    Ok(tensor.tensor.i128_at(0))
}
