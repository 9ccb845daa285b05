//! Prints messages: models, functions, graphs and nodes here, attributes and types in the files beside this one.

mod attribute;
mod types;

use std::collections::BTreeSet;

use super::elements::string_text;
use super::type_names::{begins_type, is_identifier, is_special_float};
use crate::onnx::*;

/// The state of printing: the names of the fields that the text lacks, and the depth of the indentation.
#[derive(Default)]
pub(super) struct Printer {
    lost: BTreeSet<&'static str>,
    indent: usize,
}

impl Printer {
    /// Puts a comment with the names of the lost fields before the text, if there are any.
    pub(super) fn with_comment(self, text: String) -> String {
        if self.lost.is_empty() {
            return text;
        }
        let lost: Vec<&str> = self.lost.into_iter().collect();
        format!("# Not in this text: {}\n{text}", lost.join(", "))
    }

    /// If `set`, remembers that a field of the message is not in the text.
    fn lose(&mut self, field: &'static str, set: bool) {
        if set {
            self.lost.insert(field);
        }
    }

    pub(super) fn model(&mut self, model: &ModelProto) -> String {
        self.lose("ModelProto.training_info", !model.training_info.is_empty());
        self.lose("ModelProto.configuration", !model.configuration.is_empty());
        let metadata = Some(&model.metadata_props).filter(|entries| !entries.is_empty());
        let header = [
            model.ir_version.map(|version| format!("ir_version: {version}")),
            Some(format!("opset_import: {}", opsets_text(&model.opset_import))),
            field_text("producer_name", &model.producer_name),
            field_text("producer_version", &model.producer_version),
            field_text("domain", &model.domain),
            model.model_version.map(|version| format!("model_version: {version}")),
            field_text("doc_string", &model.doc_string),
            metadata.map(|entries| format!("metadata_props: {}", entries_text(entries))),
        ];
        let graph = self.graph(model.graph.as_ref().unwrap_or(&GraphProto::default()));
        let functions: String = model.functions.iter().map(|function| self.function(function)).collect();
        format!("{}{graph}\n{functions}", header_text(header))
    }

    pub(super) fn function(&mut self, function: &FunctionProto) -> String {
        self.lose("FunctionProto.metadata_props", !function.metadata_props.is_empty());
        let header = header_text([
            field_text("domain", &function.domain),
            field_text("overload", &function.overload),
            Some(format!("opset_import: {}", opsets_text(&function.opset_import))),
            field_text("doc_string", &function.doc_string),
        ]);
        let names = function.attribute.iter().map(|name| name_text(name));
        let mut attributes: Vec<String> = names.collect();
        let defaults = function.attribute_proto.iter();
        attributes.extend(defaults.filter_map(|default| self.attribute(default, "FunctionProto.attribute_proto")));
        let attributes = if attributes.is_empty() { String::new() } else { format!("<{}> ", attributes.join(", ")) };
        let name = name_text(function.name.as_deref().unwrap_or(""));
        let [inputs, outputs] = [&function.input, &function.output]
            .map(|names| names.iter().map(|name| untyped_name_text(name)).collect::<Vec<_>>().join(", "));
        let values = function.value_info.iter().map(|info| self.value_info(info)).collect();
        let values = self.block('<', values, ",", "> ");
        let nodes = self.nodes(&function.node);
        format!("{header}{name} {attributes}({inputs}) => ({outputs}) {values}{nodes}\n")
    }

    pub(super) fn graph(&mut self, graph: &GraphProto) -> String {
        self.lose("GraphProto.doc_string", is_set(&graph.doc_string));
        self.lose("GraphProto.quantization_annotation", !graph.quantization_annotation.is_empty());
        self.lose("GraphProto.metadata_props", !graph.metadata_props.is_empty());
        // The text of a graph begins with its name. In an attribute, a name that looks like a type or a number would be
        // read as one, so it is quoted.
        let name = match graph.name.as_deref().unwrap_or("") {
            name if is_special_float(name) => string_text(name),
            name => untyped_name_text(name),
        };
        let [inputs, outputs] = [&graph.input, &graph.output]
            .map(|infos| infos.iter().map(|info| self.value_info(info)).collect::<Vec<_>>().join(", "));
        let mut values: Vec<String> = graph.initializer.iter().filter_map(|t| self.initializer(t)).collect();
        values.extend(graph.sparse_initializer.iter().filter_map(|sparse| self.sparse_initializer(sparse)));
        values.extend(graph.value_info.iter().map(|info| self.value_info(info)));
        let values = self.block('<', values, ",", "> ");
        let nodes = self.nodes(&graph.node);
        format!("{name} ({inputs}) => ({outputs}) {values}{nodes}")
    }

    fn value_info(&mut self, info: &ValueInfoProto) -> String {
        self.lose("ValueInfoProto.doc_string", is_set(&info.doc_string));
        self.lose("ValueInfoProto.metadata_props", !info.metadata_props.is_empty());
        let name = info.name.as_deref().unwrap_or("");
        let r#type = info.r#type.as_ref().map_or(String::new(), |t| self.type_proto(t));
        if r#type.is_empty() { untyped_name_text(name) } else { format!("{} {}", r#type, name_text(name)) }
    }

    fn nodes(&mut self, nodes: &[NodeProto]) -> String {
        self.indent += 1;
        let nodes: Vec<String> = nodes.iter().map(|node| self.node(node)).collect();
        self.indent -= 1;
        if nodes.is_empty() { "{}".to_owned() } else { self.block('{', nodes, "", "}") }
    }

    pub(super) fn node(&mut self, node: &NodeProto) -> String {
        self.lose("NodeProto.doc_string", is_set(&node.doc_string));
        self.lose("NodeProto.metadata_props", !node.metadata_props.is_empty());
        self.lose("NodeProto.device_configurations", !node.device_configurations.is_empty());
        let label = node.name.as_ref().map_or(String::new(), |name| format!("[{}] ", name_text(name)));
        let [inputs, outputs] = [&node.input, &node.output]
            .map(|names| names.iter().map(|name| name_text(name)).collect::<Vec<_>>().join(", "));
        let equals = if outputs.is_empty() { "=" } else { " =" };
        let domain = match node.domain.as_deref().unwrap_or("") {
            "" => String::new(),
            domain if domain.split('.').all(is_identifier) => format!("{domain}."),
            domain => format!("{}.", string_text(domain)),
        };
        let operator = name_text(node.op_type.as_deref().unwrap_or(""));
        let overload = node.overload.as_ref().filter(|overload| !overload.is_empty());
        let overload = overload.map_or(String::new(), |overload| format!(":{}", name_text(overload)));
        let head = format!("{label}{outputs}{equals} {domain}{operator}{overload}");
        // If an attribute contains a graph, all attributes stand after the inputs, each on a line of its own.
        let graphs = node.attribute.iter().any(|attribute| attribute.g.is_some() || !attribute.graphs.is_empty());
        self.indent += usize::from(graphs);
        let attributes = node.attribute.iter().filter_map(|attribute| self.attribute(attribute, "NodeProto.attribute"));
        let attributes: Vec<String> = attributes.collect();
        self.indent -= usize::from(graphs);
        match attributes.is_empty() {
            true => format!("{head} ({inputs})"),
            false if graphs => format!("{head} ({inputs}) {}", self.block('<', attributes, ",", ">")),
            false => format!("{head} <{}> ({inputs})", attributes.join(", ")),
        }
    }

    /// Puts each item on a line of its own, between `open` and `close`. Without items, there is no block.
    fn block(&self, open: char, items: Vec<String>, separator: &str, close: &str) -> String {
        if items.is_empty() {
            return String::new();
        }
        let outer = "  ".repeat(self.indent);
        let lines = items.join(&format!("{separator}\n{outer}  "));
        format!("{open}\n{outer}  {lines}\n{outer}{close}")
    }
}

/// Returns whether a string is there and not empty.
fn is_set(text: &Option<String>) -> bool {
    text.as_ref().is_some_and(|text| !text.is_empty())
}

/// Returns a name, quoted if it is not an identifier.
fn name_text(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { string_text(name) }
}

/// Returns a name for a place where it may follow a type. It is quoted if it could be taken for a type.
fn untyped_name_text(name: &str) -> String {
    if begins_type(name) { string_text(name) } else { name_text(name) }
}

fn field_text(key: &str, value: &Option<String>) -> Option<String> {
    value.as_ref().map(|value| format!("{key}: {}", string_text(value)))
}

fn header_text(fields: impl IntoIterator<Item = Option<String>>) -> String {
    format!("<\n  {}\n>\n", fields.into_iter().flatten().collect::<Vec<_>>().join(",\n  "))
}

fn opsets_text(opsets: &[OperatorSetIdProto]) -> String {
    let opset = |o: &OperatorSetIdProto| {
        format!("{} : {}", string_text(o.domain.as_deref().unwrap_or("")), o.version.unwrap_or(0))
    };
    format!("[{}]", opsets.iter().map(opset).collect::<Vec<_>>().join(", "))
}

fn entries_text(entries: &[StringStringEntryProto]) -> String {
    let text = |text: &Option<String>| string_text(text.as_deref().unwrap_or(""));
    let entry = |e: &StringStringEntryProto| format!("{}: {}", text(&e.key), text(&e.value));
    format!("[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
}
