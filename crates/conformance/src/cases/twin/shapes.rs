//! What a run does with a twin: its case, its constants and the shapes of its outputs.

use plumbline_generator::{Case, OutputShape};
use plumbline_oracle::{Operand, Oracle};
use plumbline_tensor::onnx::{TensorShapeProto, TensorShapeProtoDimension, TypeProtoValue, ValueInfoProto};

use super::Twin;

impl Twin {
    /// Returns the twin of a case that random changes made invalid. `base` is the valid case before these changes.
    pub(crate) fn base(base: Case) -> Twin {
        let twin = Twin {
            id: base.id.clone(),
            change: format!("everything as in {}", base.id),
            changes: None,
            distance: None,
            model: base.model,
            inputs: base.inputs,
        };
        twin.with_ranks(&Oracle::default())
    }

    /// Declares a rank for each output of the twin that declares no shape, because ONNX requires a rank.
    pub(super) fn with_ranks(mut self, reference: &Oracle) -> Twin {
        let answer = reference.answer(&self.model, &self.inputs).unwrap_or_default();
        for (output, operand) in self.model.proto.graph.iter_mut().flat_map(|graph| &mut graph.output).zip(&answer) {
            if let (Operand::Tensor(expected), Some(TypeProtoValue::TensorType(tensor))) =
                (operand, output.r#type.as_mut().and_then(|type_| type_.value.as_mut()))
            {
                let dim = vec![TensorShapeProtoDimension::default(); expected.rank()];
                tensor.shape.get_or_insert(TensorShapeProto { dim });
            }
        }
        self
    }

    /// Returns the twin as a case, with the id of the invalid case.
    pub fn in_case(&self, case: &Case) -> Case {
        Case { model: self.model.clone(), inputs: self.inputs.clone(), ..case.clone() }
    }

    /// Returns the twin with the inputs of these names as initializers. `case` is the case that it is the twin of.
    pub(crate) fn with_constants(&self, case: &Case, names: &[String]) -> Twin {
        let Case { model, inputs, .. } = self.in_case(case).with_constants(names);
        Twin { model, inputs, ..self.clone() }
    }

    /// Returns shapes for the outputs of `case`: ranks without extents. An output that the twin also has gets the
    /// twin's rank. For any other output the rank is unknown, but ONNX requires one, so it gets the rank of the twin's
    /// first tensor, or 1.
    pub fn output_shapes(&self, case: &Case) -> Vec<Option<OutputShape>> {
        let own = &self.model.graph().output;
        let rank = |output: &ValueInfoProto| match output.r#type.as_ref()?.value.as_ref()? {
            TypeProtoValue::TensorType(tensor) => Some(tensor.shape.as_ref()?.dim.len()),
            _ => None,
        };
        let first = own.iter().find_map(rank).unwrap_or(1);
        let of_twin =
            |output: &ValueInfoProto| own.iter().find(|own| own.name == output.name).and_then(rank).unwrap_or(first);
        case.model.graph().output.iter().map(|output| Some(vec![None; of_twin(output)])).collect()
    }
}
