//! Checks the lowering of generated cases to DirectML graphs: each case becomes a valid graph with the shapes that the
//! oracle gives, or the lowering names the obstacle.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_directml::lowering::{LoweringError, Obstacle, Options, Variant, lower, operators};
use plumbline_directml::{
    FieldValue, Graph, InputSource, Node, OperatorDescription, TensorDescription, graph_violations,
};
use plumbline_generator::{Case, Cell, cells};
use plumbline_oracle::{Operand, Oracle};
use plumbline_spec::directml::{FeatureLevel, FieldKind, TensorDataType};
use plumbline_tensor::{Model, Tensor, Value, ValueKind, tensor_to_proto};

fn lowered_cells() -> impl Iterator<Item = Cell> {
    let known: BTreeSet<&str> = operators().collect();
    crate::sampled_cells().into_iter().filter(move |cell| {
        let id = &cell.version.id;
        id.domain == "ai.onnx" && known.contains(id.name.as_str()) && cell.recipe().is_some()
    })
}

fn descriptions(graph: &Graph) -> impl Iterator<Item = &OperatorDescription> {
    graph.nodes.iter().filter_map(|node| match node {
        Node::Operator { description, .. } => Some(description),
        Node::Constant { .. } => None,
    })
}

/// Lists what is wrong with a graph: violations that validation finds, required fields without a value, inputs and
/// outputs without exactly one edge, tensors that read beyond a buffer, constants of the wrong size, and outputs
/// whose tensor differs from what their node writes or does not fit their shape and type.
fn faults(graph: &Graph, level: FeatureLevel) -> Vec<String> {
    let mut faults: Vec<String> = graph_violations(graph, level).iter().map(ToString::to_string).collect();
    let reads_beyond = |read: &TensorDescription, written: &TensorDescription| {
        read.total_size_in_bytes > written.total_size_in_bytes || read.smallest_total_size_in_bytes().is_none()
    };
    let produced = |node: usize, output: usize| match &graph.nodes[node] {
        Node::Operator { description, .. } => description.outputs().get(output).copied().flatten(),
        Node::Constant { .. } => None,
    };
    for (at, description) in descriptions(graph).enumerate() {
        let name = description.name();
        let unset = description.fields().filter(|(field, value)| !field.optional && **value == FieldValue::Absent);
        faults.extend(unset.map(|(field, _)| format!("{name}.{} has no value", field.name)));
        for (index, (field, tensor)) in description.places(FieldKind::InputTensor).into_iter().enumerate() {
            let from_inputs =
                graph.input_edges.iter().filter(|e| (e.to_node_index, e.to_node_input_index) == (at, index));
            let from_inputs = from_inputs.map(|e| graph.inputs.get(e.graph_input_index).map(|input| &input.tensor));
            let between = graph.intermediate_edges.iter();
            let between = between.filter(|e| (e.to_node_index, e.to_node_input_index) == (at, index));
            let between = between.map(|e| match e.from_node_index < at {
                true => produced(e.from_node_index, e.from_node_output_index),
                false => None,
            });
            let sources: Vec<_> = from_inputs.chain(between).collect();
            match (tensor, sources.as_slice()) {
                (None, []) => {}
                (Some(tensor), [Some(source)]) if reads_beyond(tensor, source) => {
                    faults.push(format!("{name}.{}: {tensor:?} reads beyond {source:?}", field.name));
                }
                (Some(_), [Some(_)]) => {}
                (Some(_), [None]) => faults.push(format!("{name}.{}: its edge comes from no tensor", field.name)),
                (None, _) => faults.push(format!("{name}.{}: is left out, but has an edge", field.name)),
                _ => faults.push(format!("{name}.{}: {} edges lead to it, expected 1", field.name, sources.len())),
            }
        }
    }
    for input in &graph.inputs {
        if let InputSource::Constant(bytes) = &input.source
            && bytes.len() as u64 != input.tensor.total_size_in_bytes
        {
            faults.push(format!(
                "{}: has {} bytes of data for a tensor of {} bytes",
                input.name,
                bytes.len(),
                input.tensor.total_size_in_bytes
            ));
        }
    }
    for (at, output) in graph.outputs.iter().enumerate() {
        let edges: Vec<_> = graph.output_edges.iter().filter(|edge| edge.graph_output_index == at).collect();
        let [edge] = edges.as_slice() else {
            faults.push(format!("output {}: {} edges lead to it, expected 1", output.name, edges.len()));
            continue;
        };
        let count: usize = output.shape.iter().product();
        let carried = TensorDataType::of_onnx(output.dtype).and_then(TensorDataType::bits);
        if produced(edge.from_node_index, edge.from_node_output_index) != Some(&output.tensor)
            || output.tensor.element_count() != Some(count as u64)
            || output.tensor.strides.is_some()
            || output.tensor.data_type.bits() != carried
        {
            faults.push(format!("output {output:?}: its tensor is not the node's, or does not fit its shape and type"));
        }
    }
    faults
}

/// Lowers a case and returns its graph or the obstacle. Any other error is a fault of the lowering; it is added to
/// `wrong`.
fn lowered(case: &Case, level: FeatureLevel, wrong: &mut Vec<String>) -> Option<Result<Graph, Obstacle>> {
    match lower(&case.model, &case.inputs, Options::at(level)) {
        Ok(graph) => Some(Ok(graph)),
        Err(LoweringError::Unsupported(unsupported)) => Some(Err(unsupported.obstacle)),
        Err(error) => {
            wrong.push(format!("{} at {level}: {error}", case.id));
            None
        }
    }
}

#[test]
fn lowered_cases_have_the_shapes_of_the_oracle() {
    let (oracle, mut wrong, mut obstacles) = (Oracle::default(), Vec::new(), BTreeMap::<String, usize>::new());
    let (mut versions, mut graphs) = (BTreeSet::new(), 0);
    for cell in lowered_cells() {
        for index in 0..5 {
            let case = cell.case(None, index, 0).expect("every cell has a recipe");
            match lowered(&case, FeatureLevel::LAST, &mut wrong) {
                Some(Ok(graph)) => {
                    versions.insert(cell.version.id.to_string());
                    graphs += 1;
                    wrong.extend(
                        faults(&graph, FeatureLevel::LAST).into_iter().map(|fault| format!("{}: {fault}", case.id)),
                    );
                    let Ok(answers) = oracle.answer(&case.model, &case.inputs) else { continue };
                    let names = case.model.output_names();
                    for output in &graph.outputs {
                        let at = names
                            .iter()
                            .position(|name| *name == output.name)
                            .expect("the graph has the outputs of the model");
                        let shape = match &answers[at] {
                            Operand::Tensor(expected) => expected.shape(),
                            _ => &[],
                        };
                        if answers[at].kind() != ValueKind::Tensor(output.dtype) || shape != output.shape {
                            wrong.push(format!(
                                "{}: the type or shape {:?} of an output differs from the oracle's, {shape:?}",
                                case.id, output.shape
                            ));
                        }
                    }
                }
                Some(Err(obstacle)) => {
                    *obstacles.entry(format!("{} {obstacle}", cell.version.id.name)).or_default() += 1
                }
                None => {}
            }
        }
    }
    for (obstacle, times) in &obstacles {
        println!("{times} {obstacle}");
    }
    println!("{graphs} graphs of {} operator versions", versions.len());
    assert!(
        wrong.is_empty(),
        "{} faults of graphs or the lowering, among them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(120)].join("\n")
    );
}

#[test]
fn a_lower_level_never_serves_more_cases() {
    let mut wrong = Vec::new();
    for cell in lowered_cells() {
        let case = cell.case(None, 1, 0).expect("every cell has a recipe");
        let mut before: Option<FeatureLevel> = None;
        for level in
            [FeatureLevel::V1_0, FeatureLevel::V2_1, FeatureLevel::V3_0, FeatureLevel::V5_0, FeatureLevel::LAST]
        {
            match (lowered(&case, level, &mut wrong), before) {
                (Some(Ok(graph)), _) => {
                    wrong.extend(
                        faults(&graph, level).into_iter().map(|fault| format!("{} at {level}: {fault}", case.id)),
                    );
                    before = Some(level);
                }
                (Some(Err(obstacle)), Some(before)) => {
                    wrong.push(format!("{}: has a graph at {before}, but not at {level}: {obstacle}", case.id));
                }
                _ => {}
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} faults of graphs or the lowering, among them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(120)].join("\n")
    );
}

/// Checks for each element type which feature level is the first that has a graph for Min-13.
#[test]
fn min_13_is_lowered_by_type_and_level() {
    let mut wrong = Vec::new();
    for cell in cells().into_iter().filter(|cell| cell.version.id.to_string() == "Min-13") {
        let case = (0..400).filter_map(|index| cell.case(None, index, 0)).find(|case| {
            let shapes = case.inputs.iter().filter_map(Value::as_tensor).map(Tensor::shape);
            case.inputs.len() == 2 && shapes.clone().all(|s| s.len() <= 4 && !s.contains(&0)) && shapes.count() == 2
        });
        let case = case.expect("one of the cases has two inputs");
        let first =
            FeatureLevel::ALL.into_iter().find(|&level| matches!(lowered(&case, level, &mut wrong), Some(Ok(_))));
        let expected = match case.types["T"].as_str() {
            "float" | "float16" => Some(FeatureLevel::V1_0),
            "int8" | "int16" | "int32" | "uint8" | "uint16" | "uint32" => Some(FeatureLevel::V2_1),
            "int64" | "uint64" => Some(FeatureLevel::V5_0),
            _ => None,
        };
        assert_eq!(first, expected, "{}", case.id);
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Returns the operators that a case is lowered to, in the variant of ONNX and in that of ONNX Runtime. `None` if the
/// case has no graph in one of the variants.
fn both(case: &Case) -> Option<[Vec<OperatorDescription>; 2]> {
    let graph = |variant| lower(&case.model, &case.inputs, Options { variant, ..Options::default() }).ok();
    let [onnx, theirs] = [graph(Variant::Onnx)?, graph(Variant::OnnxRuntime)?];
    Some([onnx, theirs].map(|graph| descriptions(&graph).cloned().collect()))
}

/// Returns the same case with this input as an initializer of the model.
fn with_constant(case: &Case, name: &str) -> Option<Case> {
    let (mut case, names) = (case.clone(), case.model.input_names());
    let at = names.iter().position(|known| *known == name)?;
    let tensor = tensor_to_proto(case.inputs.get(at)?.as_tensor()?, name);
    case.inputs.remove(at);
    let mut proto = case.model.proto.clone();
    let graph = proto.graph.as_mut()?;
    graph.input.retain(|input| input.name.as_deref() != Some(name));
    graph.initializer.push(tensor);
    case.model = Model { proto };
    Some(case)
}

#[test]
fn some_operators_are_lowered_differently_for_the_provider() {
    let names = |all: &[OperatorDescription]| all.iter().map(|one| one.name()).collect::<Vec<_>>();
    let mut seen = BTreeMap::<String, usize>::new();
    for cell in lowered_cells() {
        let id = cell.version.id.to_string();
        for index in 0..60 {
            let Some(case) = cell.case(None, index, 0) else { continue };
            let (onnx, theirs) = match id.as_str() {
                "Cast-13"
                    if case.model.graph().output[0].r#type.as_ref().and_then(ValueKind::from_proto)
                        == Some(ValueKind::Tensor(plumbline_tensor::DType::Bool))
                        && case.inputs.first().and_then(Value::dtype) != Some(plumbline_tensor::DType::Bool) =>
                {
                    let Some([onnx, theirs]) = both(&case) else { continue };
                    assert_eq!(
                        names(&onnx),
                        ["ELEMENT_WISE_LOGICAL_EQUALS", "ELEMENT_WISE_LOGICAL_NOT"],
                        "{}",
                        case.id
                    );
                    let clip = theirs.last().expect("the graph has a node");
                    assert_eq!(clip.name(), "ELEMENT_WISE_CLIP1", "{}", case.id);
                    (onnx, theirs)
                }
                "Pow-15" => {
                    let Some(case) = with_constant(&case, "Y") else { continue };
                    let Some([onnx, theirs]) = both(&case) else { continue };
                    assert_eq!(names(&onnx), ["ELEMENT_WISE_POW"], "{}", case.id);
                    if names(&theirs) != ["ELEMENT_WISE_CONSTANT_POW"] {
                        continue;
                    }
                    (onnx, theirs)
                }
                "IsInf-10" => {
                    let flags = case.model.graph().node[0].attribute.iter().filter(|a| a.i == Some(0)).count();
                    let Some([onnx, theirs]) = both(&case).filter(|_| flags == 2) else { continue };
                    assert_eq!(names(&onnx), ["FILL_VALUE_CONSTANT"], "{}", case.id);
                    assert_eq!(theirs[0].uint("InfinityMode"), Some(0), "{}", case.id);
                    (onnx, theirs)
                }
                _ => continue,
            };
            assert_ne!(onnx, theirs, "{}", case.id);
            *seen.entry(cell.version.id.name.clone()).or_default() += 1;
        }
    }
    if std::env::var("PLUMBLINE_OP").is_err() {
        assert_eq!(seen.keys().collect::<Vec<_>>(), ["Cast", "IsInf", "Pow"], "{seen:?}");
    }
}
