//! What operators of ONNX become that are no one operator of DirectML, and what comes out.

use plumbline_executor::cpu::Cpu;
use plumbline_executor::directml::backend::run;
use plumbline_executor::directml::lowering::{Options, lower};
use plumbline_executor::directml::software::SoftwareDevice;
use plumbline_executor::directml::{InputSource, Node};
use plumbline_executor::{Backend, RefusalKind};
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::onnx::AttributeProto;
use plumbline_tensor::{DType, Model, Tensor, Value};

use crate::common::{int, model, model_with};

const FLOAT: &str = "tensor(float)";

fn text(name: &str, text: &str) -> AttributeProto {
    let s = Some(text.as_bytes().to_vec());
    AttributeProto { name: Some(name.to_owned()), s, r#type: Some(3), ..Default::default() }
}

/// Whole numbers without 0, so that every order of sums gives the same.
fn tensor(dtype: DType, shape: &[usize]) -> Value {
    let count: usize = shape.iter().product();
    let data: Vec<f64> = (0..count).map(|at| ((at * 5 + count) % 7) as f64 + 1.0).collect();
    Tensor::from_f64s(dtype, shape.to_vec(), &data).unwrap().into()
}

/// The operators that it becomes, once it has given what the CPU gives.
fn becomes(model: &Model, inputs: &[Value], level: FeatureLevel) -> Vec<&'static str> {
    let wanted = Cpu::new().prepare(model).unwrap().run(inputs).unwrap();
    assert_eq!(run(&SoftwareDevice::new(level), model, inputs).unwrap(), wanted);
    let graph = lower(model, inputs, Options::at(level)).unwrap();
    let name = |node: &Node| match node {
        Node::Operator { description, .. } => description.name(),
        Node::Constant { .. } => "a constant",
    };
    graph.nodes.iter().map(name).collect()
}

fn einsum(equation: &str, dtype: DType, shapes: &[&[usize]]) -> Vec<&'static str> {
    let kind = format!("tensor({dtype})");
    let kinds = vec![kind.as_str(); shapes.len()];
    let inputs: Vec<Value> = shapes.iter().map(|shape| tensor(dtype, shape)).collect();
    let model = model_with("Einsum", 12, &kinds, &kind, vec![text("equation", equation)]);
    becomes(&model, &inputs, FeatureLevel::LAST)
}

#[test]
fn einsum_is_gemm_where_floats_are_summed_over() {
    let (gemm, copied): (&[&str], &[&str]) = (&["GEMM"], &["ELEMENT_WISE_IDENTITY", "GEMM"]);
    assert_eq!(einsum("ij,jk->ik", DType::Float, &[&[2, 3], &[3, 4]]), gemm);
    assert_eq!(einsum("ij,kj", DType::Float, &[&[2, 3], &[4, 3]]), gemm);
    assert_eq!(einsum("bij,bjk->bik", DType::Float, &[&[2, 3, 4], &[2, 4, 5]]), gemm);
    assert_eq!(einsum("i,i", DType::Float, &[&[3], &[3]]), gemm);
    // The columns come first in the output.
    assert_eq!(einsum("ij,jk->ki", DType::Float, &[&[2, 3], &[3, 4]]), ["GEMM", "ELEMENT_WISE_IDENTITY"]);
    // What is summed over does not lie together in the second one.
    assert_eq!(einsum("aij,ibj->ab", DType::Float, &[&[2, 3, 4], &[3, 5, 4]]), copied);
    assert_eq!(einsum("ij,jk,kl->il", DType::Float, &[&[2, 3], &[3, 4], &[4, 2]]), ["GEMM", "GEMM"]);
    assert_eq!(einsum("ij,k->k", DType::Float, &[&[2, 3], &[4]]), ["REDUCE", "ELEMENT_WISE_MULTIPLY"]);
    assert!(einsum("...ij,...jk", DType::Float, &[&[5, 1, 2, 3], &[1, 2, 3, 4]]).contains(&"GEMM"));
    // The diagonal, by its strides.
    assert_eq!(einsum("iij,ik", DType::Float, &[&[2, 2, 3], &[2, 4]]), gemm);
}

#[test]
fn einsum_is_products_and_sums_elsewhere() {
    assert_eq!(einsum("ij->ji", DType::Double, &[&[2, 3]]), ["ELEMENT_WISE_IDENTITY"]);
    assert_eq!(einsum("i,j->ij", DType::Float, &[&[2], &[3]]), ["ELEMENT_WISE_MULTIPLY"]);
    assert_eq!(einsum("ij,jk->ik", DType::Int32, &[&[2, 3], &[3, 4]]), ["ELEMENT_WISE_MULTIPLY", "REDUCE"]);
    assert_eq!(einsum("bii->bi", DType::Int8, &[&[2, 3, 3]]), ["ELEMENT_WISE_IDENTITY"]);
    assert_eq!(einsum("ii", DType::Float, &[&[3, 3]]), ["REDUCE"]);
    let casts: &[&str] = &["CAST", "CAST", "ELEMENT_WISE_MULTIPLY", "REDUCE", "CAST"];
    assert_eq!(einsum("ii,i->", DType::Int8, &[&[3, 3], &[3]]), casts);
}

#[test]
fn tensors_of_a_sequence_are_joined() {
    let sequence = |shapes: &[&[usize]]| {
        let tensors = shapes.iter().map(|shape| tensor(DType::Float, shape).into_tensor().unwrap()).collect();
        [Value::tensor_sequence(DType::Float, tensors).unwrap()]
    };
    let of = |axis: i64, new: i64| {
        let attributes = vec![int("axis", axis), int("new_axis", new)];
        model_with("ConcatFromSequence", 11, &["seq(tensor(float))"], FLOAT, attributes)
    };
    let inputs = sequence(&[&[2, 3], &[2, 0], &[2, 1]]);
    assert_eq!(becomes(&of(-1, 0), &inputs, FeatureLevel::V1_0), ["JOIN"]);
    let graph = lower(&of(-1, 0), &inputs, Options::default()).unwrap();
    let sources: Vec<&InputSource> = graph.inputs.iter().map(|input| &input.source).collect();
    assert_eq!(sources, [&InputSource::Element { input: 0, at: 0 }, &InputSource::Element { input: 0, at: 2 }]);
    for axis in [0, 1, 2, -1] {
        assert_eq!(becomes(&of(axis, 1), &sequence(&[&[2, 3], &[2, 3]]), FeatureLevel::LAST), ["JOIN"]);
    }
    assert_eq!(becomes(&of(-3, 1), &sequence(&[&[2, 3]]), FeatureLevel::LAST), ["ELEMENT_WISE_IDENTITY"]);
}

#[test]
fn coordinates_are_as_many_as_there_are() {
    let model = |kind: &str| model("NonZero", 13, &[kind], "tensor(int64)");
    let Value::Tensor(numbers) = tensor(DType::Float, &[3, 1, 5]) else { panic!("a tensor") };
    let some: Vec<f32> = numbers.to_f64s().iter().map(|&x| if x > 3.0 { x as f32 } else { -0.0 }).collect();
    let some = Tensor::from_f32s(vec![3, 1, 5], &some).unwrap();
    let found = becomes(&model(FLOAT), &[some.into()], FeatureLevel::V3_0);
    assert_eq!(found, ["NONZERO_COORDINATES", "CAST"]);
    let found = becomes(&model("tensor(int64)"), &[tensor(DType::Int64, &[9])], FeatureLevel::LAST);
    assert_eq!(found[..2], ["ELEMENT_WISE_LOGICAL_EQUALS", "ELEMENT_WISE_LOGICAL_NOT"]);
    let zeros: Value = Tensor::from_f32s(vec![2], &[0.0, -0.0]).unwrap().into();
    let refused = run(&SoftwareDevice::new(FeatureLevel::LAST), &model(FLOAT), &[zeros]).unwrap_err();
    assert_eq!((refused.kind, refused.message.as_str()), (RefusalKind::Unsupported, "`Y` has no elements"));
}
