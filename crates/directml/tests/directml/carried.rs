//! Tests of models that carry an operator of DirectML, and of devices that run them wrongly.

use plumbline_backend::{Backend, Refusal, RefusalKind};
use plumbline_directml::backend::{DirectMlSoftware, run};
use plumbline_directml::software::{Device, DeviceError, SoftwareDevice};
use plumbline_directml::{Binding, OperatorDescription};
use plumbline_oracle::Oracle;
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{DType, Model, Tensor, Value};
use serde_json::{Value as Json, json};

/// Returns a model with the operator MIN of [2, 3] tensors: A is transposed in memory, B is a row that is broadcast, and
/// the output has gaps between its rows.
fn min(edit: impl Fn(&mut Json), attributes: &str) -> Model {
    let mut desc = json!({"type": "DML_OPERATOR_ELEMENT_WISE_MIN", "desc": {
        "ATensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 2, 3], "Strides": [6, 6, 1, 2], "TotalTensorSizeInBytes": 32},
        "BTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 2, 3], "Strides": [0, 0, 0, 1], "TotalTensorSizeInBytes": 12},
        "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 2, 3], "Strides": [8, 8, 4, 1],
                         "TotalTensorSizeInBytes": 28}}});
    edit(&mut desc);
    let desc = desc.to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let text = format!(
        r#"<ir_version: 10, opset_import: ["" : 21, "com.microsoft.directml" : 1]>
        carried (float[8] a, float[3] b) => (float[1,1,2,3] y) {{
            y = com.microsoft.directml.DML_OPERATOR_ELEMENT_WISE_MIN <desc = "{desc}"{attributes}> (a, b)
        }}
        <domain: "com.microsoft.directml", opset_import: ["" : 21]>
        DML_OPERATOR_ELEMENT_WISE_MIN <desc, feature_level, in_place> (a, b) => (y) {{
            at_a = Constant <value_ints: ints = [0, 2, 4, 1, 3, 5]> ()
            flat_a = Gather (a, at_a)
            sizes = Constant <value_ints: ints = [1, 1, 2, 3]> ()
            full_a = Reshape (flat_a, sizes)
            at_b = Constant <value_ints: ints = [0, 1, 2, 0, 1, 2]> ()
            flat_b = Gather (b, at_b)
            full_b = Reshape (flat_b, sizes)
            y = Min (full_a, full_b)
        }}"#
    );
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn inputs() -> [Value; 2] {
    let a = [1.0, 4.0, 2.0, 5.0, 3.0, 6.0, f32::NAN, f32::NAN];
    [Tensor::from_f32s(vec![8], &a).unwrap().into(), Tensor::from_f32s(vec![3], &[9.0, 2.5, 2.0]).unwrap().into()]
}

fn right() -> Vec<Value> {
    vec![Tensor::from_f32s(vec![1, 1, 2, 3], &[1.0, 2.0, 2.0, 4.0, 2.5, 2.0]).unwrap().into()]
}

const LEVEL: &str = r#", feature_level = "2_1""#;

#[test]
fn buffers_are_read_and_written_through_strides() {
    let model = min(|_| {}, LEVEL);
    let wanted = Oracle::default().answer(&model, &inputs()).unwrap();
    let wanted: Vec<Value> = wanted.iter().map(|operand| operand.tensor().unwrap().tensor.clone().into()).collect();
    assert_eq!(wanted, right(), "the function says the same as the description");
    let found = DirectMlSoftware::new(FeatureLevel::V2_1).prepare(&model).unwrap().run(&inputs()).unwrap();
    assert_eq!(found, wanted);
}

#[test]
fn an_output_may_share_the_memory_of_an_input() {
    let in_place = |level: &str| min(|desc| desc["desc"]["OutputTensor"] = desc["desc"]["ATensor"].clone(), level);
    let [shared, apart] = [&format!("{LEVEL}, in_place = 0"), LEVEL].map(in_place);
    let device = SoftwareDevice::new(FeatureLevel::LAST);
    assert_eq!(run(&device, &shared, &inputs()), Ok(right()));
    let bindings = std::sync::Mutex::new(Vec::new());
    let recording =
        Changed(|_: &mut OperatorDescription, inputs: &mut [Option<Binding>], outputs: &[Option<Binding>]| {
            bindings.lock().unwrap().push((inputs[0].unwrap().offset, outputs[0].unwrap().offset));
        });
    run(&recording, &shared, &inputs()).unwrap();
    run(&recording, &apart, &inputs()).unwrap();
    let [(a, y), (b, z)] = bindings.lock().unwrap()[..] else { panic!() };
    assert!(a == y && b != z);
    let no = min(|_| {}, &format!("{LEVEL}, in_place = 2"));
    assert_eq!(run(&device, &no, &inputs()).unwrap_err().kind, RefusalKind::Invalid);
}

#[test]
fn what_breaks_a_rule_is_invalid_and_a_level_too_low_is_unsupported() {
    let refusal = |edit: &dyn Fn(&mut Json), attributes: &str, level: FeatureLevel| -> Refusal {
        run(&SoftwareDevice::new(level), &min(edit, attributes), &inputs()).unwrap_err()
    };
    let late = refusal(&|_| {}, r#", feature_level = "5_0""#, FeatureLevel::V2_1);
    assert_eq!(late.kind, RefusalKind::Unsupported);
    let whole = |desc: &mut Json| {
        for tensor in ["ATensor", "BTensor", "OutputTensor"] {
            desc["desc"][tensor]["DataType"] = "INT64".into();
        }
    };
    type Edit<'a> = &'a dyn Fn(&mut Json);
    let edits: [(Edit, &str, &str); 7] = [
        (&whole, LEVEL, "data-type"),
        (&|desc| desc["desc"]["OutputTensor"]["Strides"] = json!([8, 8, 1, 1]), LEVEL, "overlap"),
        (&|desc| desc["desc"]["ATensor"]["TotalTensorSizeInBytes"] = 20.into(), LEVEL, "total-size"),
        (&|desc| desc["desc"]["ATensor"]["TotalTensorSizeInBytes"] = 48.into(), LEVEL, "binding"),
        (&|desc| desc["desc"]["BTensor"]["Sizes"] = json!([1, 1, 1, 3]), LEVEL, "same"),
        (&|desc| desc["desc"]["CTensor"] = desc["desc"]["ATensor"].clone(), LEVEL, "no such field"),
        (&|_| {}, "", "`feature_level`"),
    ];
    for (edit, attributes, rule) in edits {
        let refused = refusal(edit, attributes, FeatureLevel::LAST);
        assert_eq!(refused.kind, RefusalKind::Invalid, "{refused}");
        assert!(refused.to_string().contains(rule), "{rule}: {refused}");
    }
}

/// A device that changes the description or the bindings, and then runs them on the software device.
struct Changed<F>(F);

impl<F: Fn(&mut OperatorDescription, &mut [Option<Binding>], &[Option<Binding>])> Device for Changed<F> {
    fn feature_level(&self) -> FeatureLevel {
        FeatureLevel::LAST
    }

    fn dispatch(
        &self,
        description: &OperatorDescription,
        buffers: &mut [Vec<u8>],
        inputs: &[Option<Binding>],
        outputs: &[Option<Binding>],
    ) -> Result<(), DeviceError> {
        let (mut description, mut inputs) = (description.clone(), inputs.to_vec());
        (self.0)(&mut description, &mut inputs, outputs);
        SoftwareDevice::new(FeatureLevel::LAST).dispatch(&description, buffers, &inputs, outputs)
    }
}

#[test]
fn elements_of_4_bits_are_packed_in_the_buffer() {
    let desc = json!({"type": "DML_OPERATOR_DEQUANTIZE", "desc": {
        "InputTensor": {"DataType": "INT4", "Sizes": [1, 1, 1, 3], "TotalTensorSizeInBytes": 4},
        "QuantizationType": "DML_QUANTIZATION_TYPE_SCALE",
        "QuantizationTensors": [{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 3], "Strides": [0, 0, 0, 0]}],
        "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, 3]}}});
    let desc = desc.to_string().replace('"', "\\\"");
    let text = format!(
        r#"<ir_version: 10, opset_import: ["" : 21, "com.microsoft.directml" : 1]>
        carried (int4[8] x, float[1] scale) => (float[1,1,1,3] y) {{
            y = com.microsoft.directml.DML_OPERATOR_DEQUANTIZE <desc = "{desc}", feature_level = "6_3"> (x, scale)
        }}"#
    );
    let model: Model = text.parse().unwrap();
    let x = Tensor::from_f64s(DType::Int4, vec![8], &[-8.0, 7.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let scale = Tensor::from_f32s(vec![1], &[0.5]).unwrap();
    let found = run(&SoftwareDevice::new(FeatureLevel::V6_3), &model, &[x.into(), scale.into()]);
    assert_eq!(found, Ok(vec![Tensor::from_f32s(vec![1, 1, 1, 3], &[-4.0, 3.5, -0.5]).unwrap().into()]));
}
