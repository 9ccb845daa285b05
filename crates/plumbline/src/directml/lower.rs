//! `plumbline directml lower`: shows the graph that a case becomes.

use crate::exit::Exit;
use crate::spec::Format;
use plumbline_directml::lowering::{LoweringError, Options, Variant, lower};
use plumbline_directml::{
    Attribute, FieldValue, Graph, InputSource, Node, OperatorDescription, TensorDescription, graph_violations,
};
use plumbline_spec::directml::{DirectMl, FeatureLevel, Field, FieldKind};
use serde_json::{Map, Value, json};

const EXAMPLES: &str = "\
Examples:
  plumbline directml lower Min-13/T=float16/17@0                       at feature level 6_4
  plumbline directml lower Min-13/T=float16/17@0 --feature-level 1_0   at an older one
  plumbline directml lower Pow-15/T=float/3@0 --onnxruntime            as ONNX Runtime's provider lowers it
  plumbline directml lower onnx:1.23.2/node/test_min_int8 --format json

Exit codes: 0 the case becomes a graph that DirectML accepts; 1 it does not; 2 the case cannot be read.";

/// Arguments of `plumbline directml lower`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The id of a case, or a folder with model.onnx and test_data_set_0
    case: String,
    /// The feature level that the graph must run at: 1_0 to 6_4
    #[arg(long, value_name = "L", default_value_t = FeatureLevel::LAST)]
    feature_level: FeatureLevel,
    /// Lower as ONNX Runtime's provider does, where that differs
    #[arg(long)]
    onnxruntime: bool,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs `plumbline directml lower`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let case = crate::replay::load(&args.case)?;
    let variant = if args.onnxruntime { Variant::OnnxRuntime } else { Variant::Onnx };
    let level = args.feature_level;
    let graph = match lower(&case.model, &case.inputs, Options { level, variant }) {
        Ok(graph) => graph,
        Err(error) => {
            match args.format {
                Format::Json => {
                    println!("{:#}", json!({"case": case.id, "feature_level": level, "none": reason(&error)}))
                }
                Format::Text => {
                    println!("{}: the case has no graph at feature level {level}: {}", case.id, reason(&error))
                }
            }
            return Ok(Exit::DoesNotConform);
        }
    };
    let refused: Vec<String> = graph_violations(&graph, level).iter().map(ToString::to_string).collect();
    match args.format {
        Format::Json => {
            let mut shown = as_json(&graph);
            shown.insert("case".to_owned(), json!(case.id));
            shown.insert("feature_level".to_owned(), json!(level));
            shown.insert("refused".to_owned(), json!(refused));
            println!("{:#}", Value::Object(shown));
        }
        Format::Text => {
            println!("{} at feature level {level}", case.id);
            print(&graph);
            refused.iter().for_each(|line| println!("rejected {line}"));
        }
    }
    Ok(if refused.is_empty() { Exit::Conforms } else { Exit::DoesNotConform })
}

fn reason(error: &LoweringError) -> String {
    match error {
        LoweringError::Invalid(refusal) => format!("the case is invalid: {refusal}"),
        error => error.to_string(),
    }
}

/// Describes a tensor, with its strides after `by` if it has any: `FLOAT32[2, 3] by [0, 1]`.
fn tensor(tensor: &TensorDescription) -> String {
    let strides = tensor.strides.as_ref().map(|strides| format!(" by {strides:?}")).unwrap_or_default();
    format!("{}{:?}{strides}", tensor.data_type, tensor.sizes)
}

/// Describes the value of an attribute; a value of an enumeration is described by its name.
fn attribute(field: &Field, attribute: &Attribute) -> String {
    let known = field.enumeration().and_then(|name| DirectMl::embedded().enumeration(name));
    match attribute {
        Attribute::Uint(value) => match known.and_then(|known| known.value(*value)) {
            Some(named) => named.name.clone(),
            None => value.to_string(),
        },
        Attribute::Int(value) => value.to_string(),
        Attribute::Float(value) => format!("{value:?}"),
        Attribute::Bool(value) => value.to_string(),
        Attribute::UintArray(values) => format!("{values:?}"),
        Attribute::IntArray(values) => format!("{values:?}"),
        Attribute::FloatArray(values) => format!("{values:?}"),
        other => format!("{other:?}"),
    }
}

/// Describes the source of a node's input: an input of the graph, or an output of a node.
fn source(graph: &Graph, node: usize, input: usize) -> String {
    let from_input = graph.input_edges.iter().find(|e| (e.to_node_index, e.to_node_input_index) == (node, input));
    let between = graph.intermediate_edges.iter().find(|e| (e.to_node_index, e.to_node_input_index) == (node, input));
    match (from_input, between) {
        (Some(edge), _) => graph.inputs.get(edge.graph_input_index).map_or("?".to_owned(), |i| format!("`{}`", i.name)),
        (None, Some(edge)) => format!("node {}.{}", edge.from_node_index, edge.from_node_output_index),
        (None, None) => "nothing".to_owned(),
    }
}

/// Returns each tensor that a node reads or writes: its field, its description and, if the node reads it, its source.
fn tensors(graph: &Graph, node: usize, description: &OperatorDescription) -> Vec<(String, String, Option<String>)> {
    let inputs =
        description.places(FieldKind::InputTensor).into_iter().enumerate().filter_map(|(at, (field, found))| {
            Some((field.name.clone(), tensor(found?), Some(source(graph, node, at))))
        });
    let outputs = description.places(FieldKind::OutputTensor).into_iter();
    let outputs = outputs.filter_map(|(field, found)| Some((field.name.clone(), tensor(found?), None)));
    inputs.chain(outputs).collect()
}

fn attributes(description: &OperatorDescription) -> Vec<(String, String)> {
    let given = description.fields().filter_map(|(field, value)| match value {
        FieldValue::Attribute(value) => Some((field.name.clone(), attribute(field, value))),
        _ => None,
    });
    given.collect()
}

fn input_source(source: &InputSource) -> String {
    match source {
        InputSource::Model(index) => format!("input {index} of the model"),
        InputSource::Element { input, at } => format!("tensor {at} of input {input} of the model"),
        InputSource::Constant(bytes) => format!("a constant of {} bytes", bytes.len()),
    }
}

/// Describes the node that writes an output.
fn written_by(graph: &Graph, output: usize) -> String {
    let edge = graph.output_edges.iter().find(|edge| edge.graph_output_index == output);
    edge.map_or("nothing".to_owned(), |e| format!("node {}.{}", e.from_node_index, e.from_node_output_index))
}

fn print(graph: &Graph) {
    for input in &graph.inputs {
        println!("input    `{}` {}: {}", input.name, tensor(&input.tensor), input_source(&input.source));
    }
    for (at, node) in graph.nodes.iter().enumerate() {
        match node {
            Node::Constant { data, .. } => println!("node {at}   a constant of {} bytes", data.len()),
            Node::Operator { description, .. } => {
                println!("node {at}   {}", description.name());
                for (field, found, source) in tensors(graph, at, description) {
                    let from = source.map(|source| format!(" from {source}")).unwrap_or_default();
                    println!("           {field}: {found}{from}");
                }
                attributes(description).iter().for_each(|(field, value)| println!("           {field}: {value}"));
            }
        }
    }
    for (at, output) in graph.outputs.iter().enumerate() {
        let as_onnx = format!("{}{:?}", output.dtype, output.shape);
        println!("output   `{}` {as_onnx}: {} from {}", output.name, tensor(&output.tensor), written_by(graph, at));
    }
}

fn as_json(graph: &Graph) -> Map<String, Value> {
    let described = |found: &TensorDescription| {
        json!({
            "data_type": found.data_type,
            "sizes": found.sizes,
            "strides": found.strides,
            "total_size_in_bytes": found.total_size_in_bytes,
        })
    };
    let inputs = graph.inputs.iter().map(
        |input| json!({"name": input.name, "tensor": described(&input.tensor), "source": input_source(&input.source)}),
    );
    let nodes = graph.nodes.iter().enumerate().map(|(at, node)| match node {
        Node::Constant { data, name } => json!({"name": name, "constant_bytes": data.len()}),
        Node::Operator { description, name } => {
            let place = |(index, (field, found)): (usize, (&Field, Option<&TensorDescription>)), read: bool| {
                let from = read.then(|| source(graph, at, index));
                found.map(|found| json!({"field": field.name, "tensor": described(found), "from": from}))
            };
            let of = |kind: FieldKind, read: bool| {
                let places = description.places(kind).into_iter().enumerate();
                places.filter_map(|found| place(found, read)).collect::<Vec<_>>()
            };
            json!({
                "name": name,
                "operator": description.operator().name,
                "inputs": of(FieldKind::InputTensor, true),
                "outputs": of(FieldKind::OutputTensor, false),
                "attributes": attributes(description).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
            })
        }
    });
    let outputs = graph.outputs.iter().enumerate().map(|(at, output)| {
        json!({
            "name": output.name,
            "tensor": described(&output.tensor),
            "dtype": output.dtype.name(),
            "shape": output.shape,
            "from": written_by(graph, at),
        })
    });
    let (inputs, nodes, outputs) = (inputs.collect(), nodes.collect(), outputs.collect());
    Map::from_iter([
        ("inputs".to_owned(), Value::Array(inputs)),
        ("nodes".to_owned(), Value::Array(nodes)),
        ("outputs".to_owned(), Value::Array(outputs)),
    ])
}
