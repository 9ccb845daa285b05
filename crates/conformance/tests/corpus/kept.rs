//! Cases of the suite `directml` that are written by hand, so that each wrong device meets what it gets wrong.

use std::collections::BTreeMap;

use plumbline_conformance::Work;
use plumbline_generator::directml::{DOMAIN, SUITE};
use plumbline_generator::{Case, Origin};
use plumbline_spec::OperatorId;
use plumbline_tensor::{DType, Tensor, Value};
use serde_json::{Value as Json, json};

/// Returns a case of an operator. Its inputs are packed tensors with a name, a type, sizes and elements, its output is
/// `OutputTensor`, and `body` is what it means, in ONNX's text syntax.
fn case(
    name: &str,
    (operator, level, more): (&str, &str, Json),
    inputs: &[(&str, DType, &[usize], &[f64])],
    (dtype, sizes): (DType, &[usize]),
    body: &str,
) -> Work {
    let directml = |dtype: DType| match dtype {
        DType::Float => "FLOAT32",
        DType::Float16 => "FLOAT16",
        DType::Uint32 => "UINT32",
        other => panic!("{other}"),
    };
    let tensor = |dtype: DType, sizes: &[usize]| {
        let bytes = (sizes.iter().product::<usize>() * dtype.size()).next_multiple_of(4);
        json!({ "DataType": directml(dtype), "Sizes": sizes, "TotalTensorSizeInBytes": bytes })
    };
    let mut fields = more;
    inputs.iter().for_each(|(name, dtype, sizes, _)| fields[*name] = tensor(*dtype, sizes));
    fields["OutputTensor"] = tensor(dtype, sizes);
    let operator = format!("DML_OPERATOR_{operator}");
    let desc = json!({ "type": operator, "desc": fields }).to_string().replace('"', "\\\"");
    let (mut values, mut typed, mut names, mut reshapes) = (Vec::new(), Vec::new(), Vec::new(), String::new());
    for (name, dtype, sizes, elements) in inputs {
        let count = elements.len().next_multiple_of(4 / dtype.size().min(4));
        let mut all = elements.to_vec();
        all.resize(count, 0.0);
        values.push(Value::from(Tensor::from_f64s(*dtype, vec![count], &all).unwrap()));
        typed.push(format!("{dtype}[{count}] {name}"));
        names.push((*name).to_owned());
        let places: Vec<String> = (0..elements.len()).map(|at| at.to_string()).collect();
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        reshapes += &format!(
            "at_{name} = Constant <value_ints: ints = [{}]> ()\nflat_{name} = Gather ({name}, at_{name})\n\
             sizes_{name} = Constant <value_ints: ints = [{}]> ()\n{} = Reshape (flat_{name}, sizes_{name})\n",
            places.join(", "),
            sizes.join(", "),
            name.to_lowercase()
        );
    }
    let shape: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    let (typed, names) = (typed.join(", "), names.join(", "));
    let text = format!(
        r#"<ir_version: 10, opset_import: ["" : 21, "{DOMAIN}" : 1]>
        kept ({typed}) => ({dtype}[{}] OutputTensor) {{
            OutputTensor = {DOMAIN}.{operator} <desc = "{desc}", feature_level = "{level}"> ({names})
        }}
        <domain: "{DOMAIN}", opset_import: ["" : 21]>
        {operator} <desc, feature_level> ({names}) => (OutputTensor) {{
            {reshapes} {body}
        }}"#,
        shape.join(",")
    );
    let model = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    let case = Case {
        id: format!("{SUITE}/{operator}/{name}"),
        version: OperatorId::new(DOMAIN, &operator, 1),
        types: BTreeMap::new(),
        model,
        inputs: values,
        features: vec![],
        violates: None,
        origin: Origin::Given,
        form: Default::default(),
        choices: Default::default(),
    };
    Work::Kept(Box::new(case), SUITE.to_owned())
}

/// Returns the cases.
pub fn cases() -> Vec<Work> {
    use DType::{Float, Float16, Uint32};
    let row: &[usize] = &[1, 1, 1, 6];
    let square: &[usize] = &[1, 1, 2, 2];
    let special = [f64::INFINITY, f64::NAN, -0.0, 1.5, f64::NEG_INFINITY, -2.0];
    vec![
        case(
            "scale-and-bias",
            ("ELEMENT_WISE_IDENTITY", "1_0", json!({ "ScaleBias": { "Scale": 2.0, "Bias": 0.5 } })),
            &[("InputTensor", Float, row, &[1.0, 2.0, 3.0, -4.0, 5.0, 6.0])],
            (Float, row),
            "two = Constant <value_float: float = 2.0> ()\nhalf = Constant <value_float: float = 0.5> ()\n\
             twice = Mul (inputtensor, two)\nOutputTensor = Add (twice, half)",
        ),
        case(
            "fused-relu",
            (
                "ELEMENT_WISE_ADD1",
                "2_0",
                json!({ "FusedActivation": { "type": "DML_OPERATOR_ACTIVATION_RELU", "desc": {} } }),
            ),
            &[("ATensor", Float16, row, &[1.0, -2.0, 3.0, -4.0, 5.0, -6.0]), ("BTensor", Float16, row, &[0.5; 6])],
            (Float16, row),
            "sum = Add (atensor, btensor)\nOutputTensor = Relu (sum)",
        ),
        case(
            "exponential-16",
            ("ELEMENT_WISE_EXP", "1_0", json!({})),
            &[("InputTensor", Float16, row, &[12.0, f64::NAN, 1.0, -1.0, 0.3, f64::NEG_INFINITY])],
            (Float16, row),
            "OutputTensor = Exp (inputtensor)",
        ),
        case(
            "exponential-32",
            ("ELEMENT_WISE_EXP", "2_0", json!({})),
            &[("InputTensor", Float, row, &[90.0, 0.1, 1.0, -1.0, 0.3, -110.0])],
            (Float, row),
            "OutputTensor = Exp (inputtensor)",
        ),
        case(
            "special",
            ("ELEMENT_WISE_NEGATE", "5_0", json!({})),
            &[("InputTensor", Float, row, &special)],
            (Float, row),
            "OutputTensor = Neg (inputtensor)",
        ),
        case(
            "product",
            ("GEMM", "1_0", json!({ "TransA": "NONE", "TransB": "TRANSPOSE", "Alpha": 2.0, "Beta": -1.0 })),
            &[
                ("ATensor", Float, square, &[1.0, 2.0, 3.0, 4.0]),
                ("BTensor", Float, square, &[5.0, 6.0, 7.0, 8.0]),
                ("CTensor", Float, square, &[1.0, 10.0, 100.0, 1000.0]),
            ],
            (Float, square),
            "turned = Transpose <perm: ints = [0, 1, 3, 2]> (btensor)\nproduct = MatMul (atensor, turned)\n\
             two = Constant <value_float: float = 2.0> ()\ntwice = Mul (product, two)\n\
             OutputTensor = Sub (twice, ctensor)",
        ),
        case(
            "rows",
            ("GATHER", "1_0", json!({ "Axis": 2, "IndexDimensions": 1 })),
            &[
                ("InputTensor", Float, &[1, 1, 3, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
                ("IndicesTensor", Uint32, &[1, 1, 1, 3], &[2.0, 0.0, 1.0]),
            ],
            (Float, &[1, 1, 3, 3]),
            "list = Constant <value_ints: ints = [3]> ()\nto = Reshape (indicestensor, list)\n\
             wide = Cast <to: int = 7> (to)\nOutputTensor = Gather <axis: int = 2> (inputtensor, wide)",
        ),
    ]
}
