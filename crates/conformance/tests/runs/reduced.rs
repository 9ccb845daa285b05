//! Failures of models with several nodes become failures of the nodes that are wrong.

use std::time::Duration;

use plumbline_backend::Profile;
use plumbline_conformance::{
    Budget, Failure, PreparedCase, Subject, Verdict, case_of_model, examine_one, right, smaller,
};
use plumbline_oracle::{Operand, Oracle};
use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Model, Tensor, Value, tensor_to_proto};

use crate::common::local;
use crate::twisted::{Twist, Twisted};

const DEADLINE: Duration = Duration::from_secs(10);

/// What a backend gets wrong: it adds 1 to what such a node computes.
#[derive(Clone, Copy)]
enum Wrong {
    /// An operator.
    Operator(&'static str),
    /// An operator that reads what another one computed.
    After(&'static str, &'static str),
}

impl Wrong {
    fn concerns(self, node: &NodeProto, nodes: &[NodeProto]) -> bool {
        let is = |node: &NodeProto, operator: &str| node.op_type.as_deref() == Some(operator);
        match self {
            Wrong::Operator(operator) => is(node, operator),
            Wrong::After(first, second) => {
                let reads = |before: &&NodeProto| before.output.iter().any(|name| node.input.contains(name));
                is(node, second) && nodes.iter().filter(reads).any(|before| is(before, first))
            }
        }
    }

    /// Returns the model with an addition behind each node that is computed wrong.
    fn applied(self, model: &Model) -> Model {
        let mut wrong = model.clone();
        let Some(graph) = &mut wrong.proto.graph else { return wrong };
        let nodes = std::mem::take(&mut graph.node);
        for node in &nodes {
            let mut node = node.clone();
            let is_wrong = self.concerns(&node, &nodes);
            let name = node.output[0].clone();
            if is_wrong {
                node.output[0] = format!("{name}_right");
            }
            graph.node.push(node);
            if is_wrong {
                graph.node.push(NodeProto {
                    op_type: Some("Add".to_owned()),
                    input: vec![format!("{name}_right"), "one".to_owned()],
                    output: vec![name],
                    ..NodeProto::default()
                });
            }
        }
        graph.initializer.push(tensor_to_proto(&Tensor::from_f32s(vec![], &[1.0]).unwrap(), "one"));
        wrong
    }
}

/// A backend that answers as the oracle does, but for what it gets wrong.
fn subject(wrong: Wrong) -> Subject {
    let twist = move |model: &Model| -> Twist {
        let model = wrong.applied(model);
        Box::new(move |_, inputs| Ok(Oracle::default().answer(&model, inputs)?.iter().map(Operand::to_value).collect()))
    };
    local("wrong", move || Twisted::boxed(Profile::default(), twist))
}

/// Numbers that depend on a seed only.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}

/// Makes a model of `count` nodes with its inputs. Every value is a matrix of floats.
fn drawn(seed: u64, count: usize) -> (Model, Vec<Value>) {
    let mut numbers = Numbers(seed);
    let mut values: Vec<(String, [usize; 2])> = Vec::new();
    let (mut inputs, mut constants) = (Vec::new(), Vec::new());
    let mut nodes = String::new();
    let matrix = |numbers: &mut Numbers, shape: [usize; 2]| {
        let elements: Vec<f32> = (0..shape[0] * shape[1]).map(|_| numbers.below(64) as f32 / 16.0 - 1.5).collect();
        Tensor::from_f32s(shape.to_vec(), &elements).unwrap()
    };
    for at in 0..2 {
        let shape = [2 + numbers.below(4), 3 + numbers.below(4)];
        inputs.push(Value::Tensor(matrix(&mut numbers, shape)));
        values.push((format!("x{at}"), shape));
    }
    for at in 0..count {
        // Later values are read more often, so that the model is deep.
        let from = values.len().saturating_sub(1 + numbers.below(3));
        let (a, [rows, columns]) = values[from].clone();
        let mut constant = |shape: [usize; 2]| {
            constants.push((format!("c{at}"), matrix(&mut numbers, shape)));
            format!("c{at}")
        };
        let kind = at * 7 + seed as usize * 5 + from;
        let (node, shape) = match kind % 9 {
            0 => (format!("Relu({a})"), [rows, columns]),
            1 => (format!("Tanh({a})"), [rows, columns]),
            2 => (format!("Transpose<perm = [1, 0]>({a})"), [columns, rows]),
            3 => (format!("Softmax<axis = 1>({a})"), [rows, columns]),
            4 => (format!("Add({a}, {})", constant([1, columns])), [rows, columns]),
            5 => (format!("Mul({a}, {})", constant([rows, 1])), [rows, columns]),
            6 => (format!("MatMul({a}, {})", constant([columns, 4])), [rows, 4]),
            7 => (format!("Concat<axis = 0>({a}, {})", constant([2, columns])), [rows + 2, columns]),
            _ => (format!("Sub({}, {a})", constant([rows, columns])), [rows, columns]),
        };
        nodes += &format!("  v{at} = {node}\n");
        values.push((format!("v{at}"), shape));
    }
    let declared = |(name, [rows, columns]): &(String, [usize; 2])| format!("float[{rows}, {columns}] {name}");
    let given = values[..2].iter().map(declared).collect::<Vec<_>>().join(", ");
    let outputs = [values.len() - 1, values.len() - 2].map(|at| declared(&values[at])).join(", ");
    let text = format!("<ir_version: 8, opset_import: [\"\" : 17]>\ndrawn ({given}) => ({outputs}) {{\n{nodes}}}");
    let mut model: Model = text.parse().unwrap();
    let graph = model.proto.graph.as_mut().unwrap();
    graph.initializer = constants.iter().map(|(name, tensor)| tensor_to_proto(tensor, name)).collect();
    (model, inputs)
}

fn examined(subject: &Subject, model: Model, inputs: Vec<Value>) -> Failure {
    let case = case_of_model("drawn".to_owned(), model, inputs, None);
    let right = right(&Oracle::default(), &case).unwrap();
    examine_one(subject, &PreparedCase::alone(case), &right, DEADLINE).failure
}

/// Returns the numbers of nodes and of elements of all inputs and initializers.
fn size(failure: &Failure) -> (usize, usize) {
    let graph = failure.case.model.graph();
    let constants = graph.initializer.iter().map(|tensor| tensor.dims.iter().product::<i64>() as usize);
    let inputs = failure.case.inputs.iter().filter_map(|value| value.as_tensor()).map(Tensor::len);
    (graph.node.len(), constants.chain(inputs).sum())
}

#[test]
fn a_wrong_operator_is_left_alone_of_a_model() {
    let wrong = [
        (Wrong::Operator("Softmax"), 1),
        (Wrong::Operator("Tanh"), 1),
        (Wrong::Operator("MatMul"), 1),
        (Wrong::Operator("Concat"), 1),
        (Wrong::Operator("Mul"), 1),
        (Wrong::After("MatMul", "Add"), 2),
        (Wrong::After("Tanh", "Transpose"), 2),
        (Wrong::After("Relu", "Sub"), 2),
    ];
    let mut found = Vec::new();
    for seed in 0..400 {
        if found.len() == 30 {
            break;
        }
        let (wrong, least) = wrong[seed as usize % wrong.len()];
        let subject = subject(wrong);
        let (model, inputs) = drawn(seed, 3 + seed as usize % 10);
        let before = examined(&subject, model, inputs);
        if before.judgement.verdict != Verdict::Fail {
            continue;
        }
        let after = smaller(&subject, &before, DEADLINE, Budget::default(), || false).expect("it is smaller");
        let (nodes, elements) = size(&after);
        println!("seed {seed}: {:?} -> {:?}", size(&before), (nodes, elements));
        assert_eq!(after.judgement.kind, before.judgement.kind);
        assert_eq!(nodes, least, "seed {seed}:\n{}", after.case.model);
        found.push(elements);
    }
    // The class of a failure stays the same, and the number of wrong elements may be part of it.
    assert!(found.iter().all(|&elements| elements <= 8) && found.iter().sum::<usize>() <= 3 * 30, "{found:?}");
    assert_eq!(found.len(), 30, "models that fail");
}

#[test]
fn what_a_branch_or_a_function_contains_is_written_out() {
    let text = r#"
        <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
        nested (float[2, 3] x, bool c) => (float[2, 3] y) {
            h = local.twice (x)
            y = If (c) <
                then_branch = then () => (float[2, 3] t) { t = Tanh (h) },
                else_branch = else () => (float[2, 3] e) { e = Neg (h) }
            >
        }
        <domain: "local", opset_import: ["" : 17]>
        twice (a) => (b) { i = Relu (a)  b = Add (i, i) }
    "#;
    for (operator, c) in [("Tanh", 1), ("Neg", 0), ("Add", 1)] {
        let subject = subject_in(operator);
        let inputs = vec![
            Value::Tensor(Tensor::from_f32s(vec![2, 3], &[0.5, -2.0, 3.0, 1.5, 0.25, -1.0]).unwrap()),
            Value::Tensor(Tensor::from_i128s(DType::Bool, vec![], &[c]).unwrap()),
        ];
        let before = examined(&subject, text.parse().unwrap(), inputs);
        assert_eq!(before.judgement.verdict, Verdict::Fail, "{operator}");
        let after = smaller(&subject, &before, DEADLINE, Budget::default(), || false).expect("it is smaller");
        let nodes = &after.case.model.graph().node;
        assert_eq!(nodes.len(), 1, "{}", after.case.model);
        assert_eq!(nodes[0].op_type.as_deref(), Some(operator), "{}", after.case.model);
    }
}

#[test]
fn a_smaller_model_stays_valid() {
    let text = r#"
        <ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 1]>
        valid (float[7, 3] x, float[1, 5] s) => (float[7, 3] y, float[1, 5] z)
        <int64 trips = {2}, bool go = {1}> {
            y = Loop (trips, go, x) <
                body = turn (int64 i, bool c, float[7, 3] before) => (bool c, float[7, 3] after) {
                    after = Tanh (before)
                }
            >
            z = ai.onnx.ml.Binarizer (s)
        }
    "#;
    let x = Tensor::from_f32s(vec![7, 3], &(0..21).map(|i| i as f32 / 8.0).collect::<Vec<_>>()).unwrap();
    let s = Tensor::from_f32s(vec![1, 5], &[0.5, -2.0, 3.0, 1.5, 0.25]).unwrap();
    let smallest = |operator| {
        let subject = subject_in(operator);
        let before = examined(&subject, text.parse().unwrap(), vec![x.clone().into(), s.clone().into()]);
        smaller(&subject, &before, DEADLINE, Budget::default(), || false).expect("it is smaller").case.model
    };
    let tanh = smallest("Tanh");
    assert!(is_in(&tanh.graph().node, "Loop") && tanh.to_string().contains("float[] before"), "{tanh}");
    assert!(tanh.proto.opset_import.iter().all(|import| import.domain.as_deref() != Some("ai.onnx.ml")), "{tanh}");
    let binarizer = smallest("Binarizer");
    assert!(binarizer.proto.opset_import.iter().any(|import| import.domain.as_deref() == Some("")), "{binarizer}");
}

/// Returns whether nodes, or nodes of graphs in their attributes, have this operator.
fn is_in(nodes: &[NodeProto], operator: &str) -> bool {
    nodes.iter().any(|node| {
        let mut graphs = node.attribute.iter().filter_map(|attribute| attribute.g.as_deref());
        node.op_type.as_deref() == Some(operator) || graphs.any(|graph| is_in(&graph.node, operator))
    })
}

fn plus_five(value: &Value) -> Value {
    let tensor = value.as_tensor().unwrap();
    let elements: Vec<f64> = tensor.to_f64s().iter().map(|x| x + 5.0).collect();
    Tensor::from_f64s(tensor.dtype(), tensor.shape().to_vec(), &elements).unwrap().into()
}

/// A backend that is wrong about an operator wherever it is: also in branches and functions.
fn subject_in(operator: &'static str) -> Subject {
    let twist = move |model: &Model| -> Twist {
        let mut functions = model.proto.functions.iter();
        let is_wrong = is_in(&model.graph().node, operator) || functions.any(|f| is_in(&f.node, operator));
        Box::new(move |inner, inputs| {
            let outputs = inner.run(inputs)?;
            Ok(if is_wrong { outputs.iter().map(plus_five).collect() } else { outputs })
        })
    };
    local("inside", move || Twisted::boxed(Profile::default(), twist))
}
