//! What a rewritten model declares: the same inputs and outputs as the original, and outputs as they are.

use std::collections::BTreeMap;

use plumbline_tensor::onnx::ValueInfoProto;
use plumbline_tensor::{Model, Value, ValueKind};

use super::inferring;
use crate::Refusal;

/// Checks that a rewritten model takes and returns values of the same names and types, in the same order. Inputs that have
/// an initializer may disappear.
pub(super) fn interface(original: &Model, model: &Model) -> Result<(), Refusal> {
    let (graph, rewritten) = (original.graph(), model.graph());
    same("inputs", &original.input_names(), &model.input_names())?;
    same("outputs", &original.output_names(), &model.output_names())?;
    let kinds = |infos: &[ValueInfoProto], name: &str| infos.iter().find(|info| info.name() == name).and_then(kind_of);
    for name in original.input_names() {
        same_type("input", name, kinds(&graph.input, name), kinds(&rewritten.input, name))?;
    }
    for name in original.output_names() {
        same_type("output", name, kinds(&graph.output, name), kinds(&rewritten.output, name))?;
    }
    Ok(())
}

fn same(what: &str, names: &[&str], found: &[&str]) -> Result<(), Refusal> {
    if names == found {
        return Ok(());
    }
    let message = match names.iter().find(|name| !found.contains(name)) {
        Some(missing) => {
            format!("the rewritten model has no more `{missing}` among its {what}, which are: {}", found.join(", "))
        }
        None => format!("the rewritten model has other {what} than {}: {}", names.join(", "), found.join(", ")),
    };
    Err(Refusal::breaks_interface(message))
}

fn same_type(what: &str, name: &str, kind: Option<ValueKind>, found: Option<ValueKind>) -> Result<(), Refusal> {
    match (kind, found) {
        (Some(kind), Some(found)) if kind != found => Err(Refusal::breaks_interface(format!(
            "in the rewritten model, {what} `{name}` is {found}, and was {kind}"
        ))),
        _ => Ok(()),
    }
}

fn kind_of(info: &ValueInfoProto) -> Option<ValueKind> {
    info.r#type.as_ref().and_then(ValueKind::from_proto)
}

/// Checks that a rewritten model declares no other types and extents for its outputs than they have, unless it declares
/// the same as the original: then the outputs are wrong.
pub(super) fn declared(original: &Model, model: &Model, values: &[Value]) -> Result<(), Refusal> {
    let outputs = model.graph().output.iter().zip(&original.graph().output).zip(values);
    for ((info, _), value) in outputs.filter(|((info, original), _)| info.r#type != original.r#type) {
        let wrong = |declared: String, found: String| {
            Err(Refusal::breaks_model(format!(
                "the rewritten model declares {declared} for output `{}`, which is {found}",
                info.name()
            )))
        };
        if let Some(kind) = kind_of(info).filter(|kind| *kind != value.kind()) {
            return wrong(kind.to_string(), value.kind().to_string());
        }
        let extents = info.r#type.as_ref().and_then(|type_| inferring::extents_of(type_, &BTreeMap::new()));
        let (Some(extents), Some(tensor)) = (extents, value.as_tensor()) else { continue };
        let shape = tensor.shape();
        if !inferring::agree(&extents, shape) {
            return wrong(inferring::shape_text(&extents), format!("{shape:?}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::Tensor;

    use super::*;
    use crate::RefusalKind;

    #[test]
    fn a_rewritten_model_has_the_inputs_and_outputs_of_the_original() {
        let model =
            |text: &str| -> Model { format!("<ir_version: 8, opset_import: [\"\" : 18]> g {text}").parse().unwrap() };
        let original = model("(float[2] a, float[2] b) => (float[2] c) { c = Add (a, b) }");
        let checked = |text: &str| match interface(&original, &model(text)) {
            Ok(()) => None,
            Err(refusal) => Some((refusal.kind, refusal.message)),
        };
        let broken = |message: &str| Some((RefusalKind::BreaksInterface, message.to_owned()));
        assert_eq!(checked("(float[2] a, float[n] b) => (float c) { c = Sub (a, b) }"), None);
        assert_eq!(
            checked("(float[2] a) => (float[2] c) { c = Add (a, a) }"),
            broken("the rewritten model has no more `b` among its inputs, which are: a")
        );
        assert_eq!(
            checked("(float[2] b, float[2] a) => (float[2] c) { c = Add (a, b) }"),
            broken("the rewritten model has other inputs than a, b: b, a")
        );
        assert_eq!(
            checked("(float[2] a, double[2] b) => (float[2] c) { c = Add (a, a) }"),
            broken("in the rewritten model, input `b` is tensor(double), and was tensor(float)")
        );
        assert_eq!(
            checked("(float[2] a, float[2] b) => (int8[2] c) { c = Cast <to = 3> (a) }"),
            broken("in the rewritten model, output `c` is tensor(int8), and was tensor(float)")
        );
    }

    #[test]
    fn a_rewritten_model_declares_what_its_outputs_are() {
        let model = |output: &str| -> Model {
            let text = format!("g (float[2] a) => ({output}) {{ c = Neg (a) }}");
            format!("<ir_version: 8, opset_import: [\"\" : 18]> {text}").parse().unwrap()
        };
        let values = [Value::Tensor(Tensor::from_f32s(vec![2], &[1.0, 2.0]).unwrap())];
        for right in ["float[] c", "float[2] c", "float[n] c"] {
            assert_eq!(declared(&model("float[m] c"), &model(right), &values), Ok(()), "{right}");
        }
        for wrong in ["float c", "float[3] c", "float[2,1] c", "double[2] c"] {
            let refusal = declared(&model("float[m] c"), &model(wrong), &values).unwrap_err();
            assert_eq!(refusal.kind, RefusalKind::BreaksModel, "{wrong}");
            assert_eq!(declared(&model(wrong), &model(wrong), &values), Ok(()), "{wrong}");
        }
    }
}
