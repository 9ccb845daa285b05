//! Checks which DirectML operators some ONNX operators are lowered to, and that these give the right results.

use plumbline_directml::backend::run;
use plumbline_directml::lowering::{Options, lower};
use plumbline_directml::software::SoftwareDevice;
use plumbline_directml::{InputSource, Node};
use plumbline_graph::RefusalKind;
use plumbline_oracle::{Judged, Oracle};
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{DType, Model, Tensor, Value};

use crate::common::model;

const FLOAT: &str = "tensor(float)";

/// Returns a tensor of integers from 1 to 7, so that every order of summation gives the same sum.
fn tensor(dtype: DType, shape: &[usize]) -> Value {
    let count: usize = shape.iter().product();
    let data: Vec<f64> = (0..count).map(|at| ((at * 5 + count) % 7) as f64 + 1.0).collect();
    Tensor::from_f64s(dtype, shape.to_vec(), &data).unwrap().into()
}

/// Checks the results with the oracle, and returns the operators of the graph.
fn becomes(model: &Model, inputs: &[Value], level: FeatureLevel) -> Vec<&'static str> {
    let wanted = Oracle::default().answer(model, inputs).unwrap();
    let found = run(&SoftwareDevice::new(level), model, inputs).unwrap();
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(&wanted) {
        let (found, wanted) = (found.as_tensor().unwrap(), wanted.tensor().unwrap());
        assert_eq!(found.shape(), wanted.shape());
        let wrong = (0..found.len()).find(|&at| wanted.judge(found, at) != Judged::Accepted);
        assert_eq!(wrong, None, "{found:?} of {inputs:?}");
    }
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
    let model = model(&format!(r#"Einsum <equation = "{equation}">"#), 12, &kinds, &kind);
    becomes(&model, &inputs, FeatureLevel::LAST)
}

#[test]
fn einsum_uses_gemm_for_sums_of_floats() {
    let (gemm, copied): (&[&str], &[&str]) = (&["GEMM"], &["ELEMENT_WISE_IDENTITY", "GEMM"]);
    assert_eq!(einsum("ij,jk->ik", DType::Float, &[&[2, 3], &[3, 4]]), gemm);
    assert_eq!(einsum("ij,kj", DType::Float, &[&[2, 3], &[4, 3]]), gemm);
    assert_eq!(einsum("bij,bjk->bik", DType::Float, &[&[2, 3, 4], &[2, 4, 5]]), gemm);
    assert_eq!(einsum("i,i", DType::Float, &[&[3], &[3]]), gemm);
    // The output is transposed: the columns of the second operand come first.
    assert_eq!(einsum("ij,jk->ki", DType::Float, &[&[2, 3], &[3, 4]]), ["GEMM", "ELEMENT_WISE_IDENTITY"]);
    // The indices that are summed over are not adjacent in the second operand.
    assert_eq!(einsum("aij,ibj->ab", DType::Float, &[&[2, 3, 4], &[3, 5, 4]]), copied);
    assert_eq!(einsum("ij,jk,kl->il", DType::Float, &[&[2, 3], &[3, 4], &[4, 2]]), ["GEMM", "GEMM"]);
    assert!(einsum("...ij,...jk", DType::Float, &[&[5, 1, 2, 3], &[1, 2, 3, 4]]).contains(&"GEMM"));
    // The strides select the diagonal.
    assert_eq!(einsum("iij,ik", DType::Float, &[&[2, 2, 3], &[2, 4]]), gemm);
}

#[test]
fn einsum_uses_products_and_sums_otherwise() {
    assert_eq!(einsum("ij->ji", DType::Double, &[&[2, 3]]), ["ELEMENT_WISE_IDENTITY"]);
    assert_eq!(einsum("i,j->ij", DType::Float, &[&[2], &[3]]), ["ELEMENT_WISE_MULTIPLY"]);
    assert_eq!(einsum("ij,k->k", DType::Float, &[&[2, 3], &[4]]), ["REDUCE", "ELEMENT_WISE_MULTIPLY"]);
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
        let node = format!("ConcatFromSequence <axis = {axis}, new_axis = {new}>");
        model(&node, 11, &["seq(tensor(float))"], FLOAT)
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
fn nonzero_lists_the_coordinates_of_elements_that_are_not_zero() {
    let model = |kind: &str| model("NonZero", 13, &[kind], "tensor(int64)");
    let Value::Tensor(numbers) = tensor(DType::Float, &[3, 1, 5]) else { panic!("expected a tensor") };
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

/// Adds an output of this type to the model.
fn and_output(mut model: Model, kind: &str) -> Model {
    let graph = model.proto.graph.as_mut().unwrap();
    let name = format!("y{}", graph.output.len());
    let mut value = crate::common::model("Identity", 13, &[kind], kind).proto.graph.unwrap().input.remove(0);
    value.name = Some(name.clone());
    graph.node[0].output.push(name);
    graph.output.push(value);
    model
}

#[test]
fn losses_take_the_score_of_the_label_and_weight_it() {
    let labels =
        |shape: &[usize], labels: &[i64]| Value::from(Tensor::from_i64s(labels).reshaped(shape.to_vec()).unwrap());
    let (scores, weights) = (tensor(DType::Float, &[2, 3, 4]), tensor(DType::Float, &[3]));
    let ids = labels(&[2, 4], &[0, 2, 1, -7, 2, 0, 1, 1]);
    let inner = labels(&[2, 4], &[0, 2, 1, 1, 2, 0, 1, 1]);
    let of = |op: &str, inputs: usize, reduction: &str, ignored: Option<i64>| {
        let kinds = [FLOAT, "tensor(int64)", FLOAT];
        let ignored = ignored.map_or(String::new(), |index| format!(", ignore_index = {index}"));
        model(&format!(r#"{op} <reduction = "{reduction}"{ignored}>"#), 13, &kinds[..inputs], FLOAT)
    };
    let whole: &[&str] = &["GATHER_ELEMENTS", "ELEMENT_WISE_NEGATE", "REDUCE"];
    let model = of("NegativeLogLikelihoodLoss", 2, "mean", None);
    assert_eq!(becomes(&model, &[scores.clone(), inner], FeatureLevel::LAST), whole);
    for reduction in ["none", "sum", "mean"] {
        for inputs in [2, 3] {
            // One ignored value is out of the range of classes, the other is a class.
            for (ignored, ids) in [(-7, &ids), (1, &labels(&[2, 4], &[0, 2, 1, 1, 2, 0, 1, 1]))] {
                let all = [scores.clone(), ids.clone(), weights.clone()];
                let model = of("NegativeLogLikelihoodLoss", inputs, reduction, Some(ignored));
                for level in [FeatureLevel::V5_0, FeatureLevel::LAST] {
                    assert!(becomes(&model, &all[..inputs], level).contains(&"ELEMENT_WISE_IF"));
                }
                let model = and_output(of("SoftmaxCrossEntropyLoss", inputs, reduction, Some(ignored)), FLOAT);
                assert_eq!(becomes(&model, &all[..inputs], FeatureLevel::LAST)[0], "ACTIVATION_LOG_SOFTMAX1");
            }
        }
    }
    // Ignored elements count as 0 even if they are NaN or infinite, and the mean of no elements is NaN.
    let scores: Value = Tensor::from_f32s(vec![2, 2], &[f32::NAN, 1.0, f32::INFINITY, 2.0]).unwrap().into();
    for (reduction, wanted) in [("sum", 0.0), ("mean", f64::NAN)] {
        let model = of("NegativeLogLikelihoodLoss", 2, reduction, Some(0));
        let inputs = [scores.clone(), labels(&[2], &[0, 0])];
        let found = run(&SoftwareDevice::new(FeatureLevel::LAST), &model, &inputs).unwrap();
        let found = found[0].as_tensor().unwrap().f64_at(0);
        assert!(found == wanted || found.is_nan() && wanted.is_nan(), "{reduction}: {found}");
    }
}

#[test]
fn normalizations_also_output_their_statistics() {
    let model = |kind: &str| {
        let model = model("LayerNormalization <axis = 1>", 17, &[kind, kind], kind);
        and_output(and_output(model, FLOAT), FLOAT)
    };
    for dtype in [DType::Float, DType::Float16] {
        let inputs = [tensor(dtype, &[2, 3, 5]), tensor(dtype, &[3, 5])];
        let found = becomes(&model(&format!("tensor({dtype})")), &inputs, FeatureLevel::V3_1);
        assert_eq!(found.iter().filter(|name| **name == "REDUCE").count(), 2);
        assert_eq!(found.contains(&"CAST"), dtype == DType::Float16);
    }
}

#[test]
fn col2im_needs_level_6_4() {
    let list = |values: &[i64]| Value::from(Tensor::from_i64s(values));
    for dtype in [DType::Float16, DType::Int64, DType::Uint64] {
        let kinds = [format!("tensor({dtype})"), "tensor(int64)".to_owned(), "tensor(int64)".to_owned()];
        let model = model("Col2Im", 18, &kinds.each_ref().map(String::as_str), &kinds[0]);
        let large = |at: usize| (1i128 << 60) + at as i128;
        let x = match dtype {
            DType::Float16 => tensor(dtype, &[1, 4, 6]),
            _ => Tensor::from_i128s(dtype, vec![1, 4, 6], &(0..24).map(large).collect::<Vec<_>>()).unwrap().into(),
        };
        let inputs = [x, list(&[3, 4]), list(&[2, 2])];
        assert_eq!(becomes(&model, &inputs, FeatureLevel::LAST), ["FOLD"]);
        let refused = run(&SoftwareDevice::new(FeatureLevel::V6_3), &model, &inputs).unwrap_err();
        assert_eq!(refused.message, "FOLD is available from feature level 6_4, and the graph is for 6_3");
    }
}

#[test]
fn rotary_embedding_rotates_pairs() {
    let ids = Tensor::from_i64s(&[4, 0, 2, 1, 1, 3]).reshaped(vec![2, 3]).unwrap();
    for (interleaved, turned) in [(0, 0), (1, 0), (0, 4), (1, 2)] {
        let half = if turned == 0 { 3 } else { turned as usize / 2 };
        let node =
            format!("RotaryEmbedding <interleaved = {interleaved}, rotary_embedding_dim = {turned}, num_heads = 2>");
        let (cache, each) = (tensor(DType::Float, &[5, half]), tensor(DType::Float, &[2, 3, half]));
        let kinds = [FLOAT, FLOAT, FLOAT, "tensor(int64)"];
        for shape in [&[2, 2, 3, 6][..], &[2, 3, 12]] {
            let x = tensor(DType::Float, shape);
            let model = |inputs: usize| model(&node, 23, &kinds[..inputs], FLOAT);
            let inputs = [x.clone(), cache.clone(), cache.clone(), ids.clone().into()];
            let found = becomes(&model(4), &inputs, FeatureLevel::V3_0);
            assert_eq!(found.iter().filter(|name| **name == "GATHER").count(), 2);
            let found = becomes(&model(3), &[x, each.clone(), each.clone()], FeatureLevel::V3_0);
            assert_eq!(found.iter().filter(|name| **name == "SPLIT").count(), if turned == 0 { 1 } else { 2 });
        }
    }
}

#[test]
fn attention_decomposes_into_several_operators() {
    let (bool_, outputs) = ("tensor(bool)", [FLOAT; 3]);
    let kinds = [FLOAT, FLOAT, FLOAT, bool_, FLOAT, FLOAT];
    // For rank 4 the number of heads is an extent, for rank 3 an attribute.
    let number_of_heads = ["", "q_num_heads = 4, kv_num_heads = 2, "];
    let q = [tensor(DType::Float, &[2, 4, 3, 2]), tensor(DType::Float, &[2, 3, 8])];
    let kv = [tensor(DType::Float, &[2, 2, 5, 2]), tensor(DType::Float, &[2, 5, 4])];
    let past = tensor(DType::Float, &[2, 2, 1, 2]);
    let mask = |hidden: usize| {
        let seen = (0..18).map(|at| u64::from(at / 6 != hidden && at % 4 != 1));
        Value::from(Tensor::from_bits(DType::Bool, vec![3, 6], seen).unwrap())
    };
    for ((q, kv), heads) in q.iter().zip(&kv).zip(number_of_heads) {
        let inputs = |hidden: usize| [q.clone(), kv.clone(), kv.clone(), mask(hidden), past.clone(), past.clone()];
        let whole = |mode: i64, softcap: f32, count: usize| {
            let attributes = format!("{heads}qk_matmul_output_mode = {mode}, softcap = {softcap:?}");
            let model = model(&format!("Attention <{attributes}>"), 24, &kinds, FLOAT);
            outputs[..count].iter().fold(model, |model, kind| and_output(model, kind))
        };
        let found = becomes(&whole(0, 0.0, 2), &inputs(9), FeatureLevel::LAST);
        assert!(found.contains(&"MULTIHEAD_ATTENTION1"));
        for mode in 0..4 {
            // The mask hides every key from query 1, whose result is therefore 0.
            let found = becomes(&whole(mode, 2.0, 3), &inputs(1), FeatureLevel::LAST);
            assert_eq!(found.iter().filter(|name| **name == "GEMM").count(), 2);
            assert!(found.contains(&"ACTIVATION_TANH") && found.contains(&"ELEMENT_WISE_IS_INFINITY"));
        }
        let found = becomes(&whole(0, 0.0, 0), &inputs(2), FeatureLevel::LAST);
        assert!(found.contains(&"ACTIVATION_SOFTMAX1") && !found.contains(&"ACTIVATION_TANH"));
    }
}

#[test]
fn bits_are_copied_as_integers() {
    let of = |from: &str, to: i64, kind: &str| model(&format!("BitCast <to = {to}>"), 26, &[from], kind);
    let odd: Vec<f32> = [0x7f80_0001, 0x0000_0001, 0x8000_0000].map(f32::from_bits).to_vec();
    let odd = [Value::from(Tensor::from_f32s(vec![3], &odd).unwrap())];
    let found = run(&SoftwareDevice::new(FeatureLevel::LAST), &of(FLOAT, 6, "tensor(int32)"), &odd).unwrap();
    let bits: Vec<i128> = found[0].as_tensor().unwrap().to_i128s();
    assert_eq!(bits, [0x7f80_0001, 1, i128::from(i32::MIN)]);
    let graph = lower(&of(FLOAT, 6, "tensor(int32)"), &odd, Options::default()).unwrap();
    assert_eq!(graph.outputs[0].tensor.data_type, plumbline_spec::directml::TensorDataType::Uint32);
    let bytes = [Value::from(Tensor::from_i128s(DType::Int8, vec![3], &[0, -1, 1]).unwrap())];
    assert_eq!(becomes(&of("tensor(int8)", 9, "tensor(bool)"), &bytes, FeatureLevel::LAST).len(), 2);
}

#[test]
fn constants_become_indices_and_bounds() {
    let flags = Tensor::from_bits(DType::Bool, vec![3], [1, 0, 1].into_iter()).unwrap();
    let inputs = [tensor(DType::Float, &[2, 3, 2]), flags.into()];
    for node in ["Compress <axis = 1>", "Compress"] {
        let model = model(node, 11, &[FLOAT, "tensor(bool)"], FLOAT);
        assert_eq!(becomes(&model, &inputs, FeatureLevel::V1_0), ["GATHER"]);
    }
    let starts = Value::from(Tensor::from_i64s(&[3, 1]));
    let inputs = [tensor(DType::Float, &[2, 4, 3]), tensor(DType::Float, &[2, 2, 3]), starts];
    let node = r#"TensorScatter <axis = 1, mode = "circular">"#;
    let model_of = model(node, 24, &[FLOAT, FLOAT, "tensor(int64)"], FLOAT);
    assert_eq!(becomes(&model_of, &inputs, FeatureLevel::LAST), ["SCATTER_ELEMENTS"]);
    let model_of = model("CenterCropPad", 18, &[FLOAT, "tensor(int64)"], FLOAT);
    let inputs = [tensor(DType::Float, &[5, 2, 3]), Tensor::from_i64s(&[2, 5, 3]).into()];
    assert_eq!(becomes(&model_of, &inputs, FeatureLevel::LAST), ["SLICE1", "PADDING1"]);
}

#[test]
fn shifts_keep_the_sign() {
    let x = [i128::from(i32::MIN), -7, -1, 0, 5, i128::from(i32::MAX)];
    let shifts = [0, 1, 31, 32, -1, 7].map(|shift| Tensor::from_i128s(DType::Int32, vec![], &[shift]).unwrap());
    let x = Value::from(Tensor::from_i128s(DType::Int32, vec![6], &x).unwrap());
    let int32 = "tensor(int32)";
    for direction in ["LEFT", "RIGHT"] {
        let model = model(&format!(r#"BitShift <direction = "{direction}">"#), 28, &[int32, int32], int32);
        for shift in &shifts {
            let found = becomes(&model, &[x.clone(), shift.clone().into()], FeatureLevel::V5_0);
            assert_eq!(found.contains(&"ELEMENT_WISE_BIT_NOT"), direction == "RIGHT");
        }
    }
}

#[test]
fn four_bit_values_are_read_by_dequantize() {
    let of = |from: DType, to: DType| {
        let kinds = [from, to].map(|dtype| format!("tensor({dtype})"));
        model(&format!("Cast <to = {}>", to.code()), 24, &[&kinds[0]], &kinds[1])
    };
    let all: Vec<i128> = (-8..8).collect();
    let nibbles = Value::from(Tensor::from_i128s(DType::Int4, vec![16], &all).unwrap());
    for to in [DType::Float16, DType::Uint8, DType::Int64, DType::Bool, DType::Uint4] {
        let found = becomes(&of(DType::Int4, to), std::slice::from_ref(&nibbles), FeatureLevel::LAST);
        assert_eq!(found[0], "DEQUANTIZE");
    }
    let wide: Vec<i128> = (-20..20).chain([i128::from(i64::MAX), i128::from(i64::MIN) + 9]).collect();
    let wide = Value::from(Tensor::from_i128s(DType::Int64, vec![wide.len()], &wide).unwrap());
    for to in [DType::Int4, DType::Uint4] {
        let found = becomes(&of(DType::Int64, to), std::slice::from_ref(&wide), FeatureLevel::LAST);
        assert_eq!(found.last(), Some(&"QUANTIZE"));
        let refused = run(&SoftwareDevice::new(FeatureLevel::V6_2), &of(DType::Int64, to), std::slice::from_ref(&wide))
            .unwrap_err();
        assert_eq!(refused.message, "QUANTIZE is available from feature level 6_3, and the graph is for 6_2");
    }
}

#[test]
fn batch_normalization_in_training_updates_the_statistics() {
    let channel = || tensor(DType::Float, &[3]);
    let inputs = [tensor(DType::Float, &[2, 3, 4]), channel(), channel(), channel(), channel()];
    let training = model("BatchNormalization <training_mode = 1>", 15, &[FLOAT; 5], FLOAT);
    let found = becomes(&and_output(and_output(training, FLOAT), FLOAT), &inputs, FeatureLevel::V4_1);
    assert_eq!((found[0], found.len()), ("BATCH_NORMALIZATION_TRAINING", 7));
}

#[test]
fn linear_attention_passes_a_state_from_token_to_token() {
    let few = |shape: &[usize]| {
        let count: usize = shape.iter().product();
        let data: Vec<f32> = (0..count).map(|at| ((at * 3) % 5) as f32 / 8.0 - 0.25).collect();
        Value::from(Tensor::from_f32s(shape.to_vec(), &data).unwrap())
    };
    let inputs = [[2, 3, 8], [2, 3, 4], [2, 3, 6]].map(|shape| few(&shape));
    let gates = [few(&[2, 2, 2, 3]), few(&[2, 3, 4]), few(&[2, 3, 1])];
    for (rule, gemms) in [("linear", 6), ("gated", 6), ("delta", 9), ("gated_delta", 9)] {
        let node = format!(r#"LinearAttention <q_num_heads = 4, kv_num_heads = 2, update_rule = "{rule}">"#);
        let model = and_output(model(&node, 27, &[FLOAT; 6], FLOAT), FLOAT);
        let found = becomes(&model, &[inputs.as_slice(), &gates].concat(), FeatureLevel::LAST);
        assert_eq!(found.iter().filter(|name| **name == "GEMM").count(), gemms, "{rule}");
        assert_eq!(found.contains(&"ELEMENT_WISE_EXP"), rule.starts_with("gated"));
    }
}
