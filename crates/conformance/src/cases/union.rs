//! Joins models into one model of independent parts: a disjoint union, in which every value has the name that it had in
//! its own model behind a prefix.

use std::collections::BTreeSet;

use plumbline_graph::domain_of;
use plumbline_tensor::Model;
use plumbline_tensor::onnx::{
    FunctionProto, GraphProto, NodeProto, OperatorSetIdProto, TensorShapeProtoDimensionValue, TypeProto,
    TypeProtoValue, ValueInfoProto,
};

use crate::cases::layout::names_in_attributes;

/// What models must have in common to be joined: the IR version, and the imported opsets in order of their domains.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UnionKey {
    ir_version: Option<i64>,
    imports: BTreeSet<(String, i64)>,
}

impl UnionKey {
    /// Returns the key of a model; models with equal keys can be joined. `None` if the model cannot be joined with any
    /// other: [`union`] does not rename what sparse initializers, quantization annotations, training information and
    /// device configurations refer to.
    pub fn new(model: &Model) -> Option<UnionKey> {
        let proto = &model.proto;
        let graph = model.graph();
        let is_plain = graph.sparse_initializer.is_empty()
            && graph.quantization_annotation.is_empty()
            && proto.training_info.is_empty()
            && proto.configuration.is_empty();
        let import = |import: &OperatorSetIdProto| (domain_of(&import.domain).to_owned(), import.version.unwrap_or(1));
        let imports = proto.opset_import.iter().map(import).collect();
        is_plain.then_some(UnionKey { ir_version: proto.ir_version, imports })
    }
}

/// Joins models with equal keys into one. Its inputs, outputs, initializers and nodes are those of the first model, then
/// those of the second, and so on. The names of the model at place `i` begin with `c{i}_`: values, nodes, symbolic
/// extents, and functions that the model defines, in nested graphs as well.
pub(crate) fn union(models: &[&Model]) -> Model {
    let mut proto = models.first().map(|model| model.proto.clone()).unwrap_or_default();
    let mut whole = GraphProto { name: proto.graph.take().and_then(|graph| graph.name), ..GraphProto::default() };
    proto.functions.clear();
    for (at, model) in models.iter().enumerate() {
        let functions = model.proto.functions.iter();
        let functions = functions.map(|f| (domain_of(&f.domain).to_owned(), f.name.clone().unwrap_or_default()));
        let prefix = Prefix { text: format!("c{at}_"), functions: functions.collect() };
        let mut graph = model.graph().clone();
        prefix.graph(&mut graph);
        whole.node.extend(graph.node);
        whole.initializer.extend(graph.initializer);
        whole.input.extend(graph.input);
        whole.output.extend(graph.output);
        whole.value_info.extend(graph.value_info);
        proto.functions.extend(model.proto.functions.iter().cloned().map(|mut function| {
            prefix.function(&mut function);
            function
        }));
    }
    proto.graph = Some(whole);
    Model { proto }
}

/// Puts a prefix before the names of all values and nodes of a graph, nested graphs included.
pub(super) fn with_prefix(graph: &mut GraphProto, prefix: &str) {
    Prefix { text: prefix.to_owned(), functions: BTreeSet::new() }.graph(graph);
}

/// Returns the places of the models whose names a text has, such as the message of a backend that refuses a union of
/// `count` models: 3 for `c3_y`.
pub(crate) fn named_parts(text: &str, count: usize) -> BTreeSet<usize> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let place = |word: &str| word.strip_prefix('c')?.split_once('_')?.0.parse().ok();
    words.filter_map(place).filter(|place| *place < count).collect()
}

/// Puts a prefix before the names of one model.
struct Prefix {
    text: String,
    /// The domains and names of the functions that the model defines.
    functions: BTreeSet<(String, String)>,
}

impl Prefix {
    /// Renames something, unless it has no name.
    fn name(&self, name: &mut String) {
        if !name.is_empty() {
            name.insert_str(0, &self.text);
        }
    }

    fn graph(&self, graph: &mut GraphProto) {
        graph.node.iter_mut().for_each(|node| self.node(node));
        graph.initializer.iter_mut().flat_map(|tensor| &mut tensor.name).for_each(|name| self.name(name));
        let GraphProto { input, output, value_info, .. } = graph;
        input.iter_mut().chain(output).chain(value_info).for_each(|info| self.value_info(info));
    }

    fn node(&self, node: &mut NodeProto) {
        node.input.iter_mut().chain(&mut node.output).chain(&mut node.name).for_each(|name| self.name(name));
        self.call(node);
        names_in_attributes(node).for_each(|name| _ = name.splice(0..0, self.text.bytes()));
        for attribute in &mut node.attribute {
            attribute.g.as_deref_mut().into_iter().chain(&mut attribute.graphs).for_each(|graph| self.graph(graph));
        }
    }

    fn value_info(&self, info: &mut ValueInfoProto) {
        info.name.iter_mut().for_each(|name| self.name(name));
        info.r#type.iter_mut().for_each(|type_| self.extents(type_));
    }

    /// Renames the symbolic extents of a type: extents of the same name are equal, also between inputs.
    fn extents(&self, type_: &mut TypeProto) {
        let shape = match &mut type_.value {
            Some(TypeProtoValue::TensorType(tensor)) => &mut tensor.shape,
            Some(TypeProtoValue::SparseTensorType(tensor)) => &mut tensor.shape,
            Some(TypeProtoValue::SequenceType(sequence)) => {
                return sequence.elem_type.iter_mut().for_each(|type_| self.extents(type_));
            }
            Some(TypeProtoValue::OptionalType(optional)) => {
                return optional.elem_type.iter_mut().for_each(|type_| self.extents(type_));
            }
            Some(TypeProtoValue::MapType(map)) => {
                return map.value_type.iter_mut().for_each(|type_| self.extents(type_));
            }
            Some(TypeProtoValue::OpaqueType(_)) | None => return,
        };
        for dim in shape.iter_mut().flat_map(|shape| &mut shape.dim) {
            if let Some(TensorShapeProtoDimensionValue::DimParam(name)) = &mut dim.value {
                self.name(name);
            }
        }
    }

    /// Renames a function. The names of its values stay, because they are known only inside of it.
    fn function(&self, function: &mut FunctionProto) {
        function.name.iter_mut().for_each(|name| self.name(name));
        function.node.iter_mut().for_each(|node| self.calls(node));
    }

    fn calls(&self, node: &mut NodeProto) {
        self.call(node);
        for attribute in &mut node.attribute {
            let graphs = attribute.g.as_deref_mut().into_iter().chain(&mut attribute.graphs);
            graphs.flat_map(|graph| &mut graph.node).for_each(|node| self.calls(node));
        }
    }

    /// Renames the operator of a node if it is a function of the model.
    fn call(&self, node: &mut NodeProto) {
        let name = (domain_of(&node.domain).to_owned(), node.op_type.clone().unwrap_or_default());
        if self.functions.contains(&name) {
            node.op_type.iter_mut().for_each(|name| self.name(name));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use plumbline_generator::cells;

    use super::*;

    fn model(text: &str) -> Model {
        text.parse().unwrap()
    }

    #[test]
    fn only_models_of_equal_opsets_and_ir_versions_are_joined() {
        let of = |imports: &str| {
            model(&format!(
                "<ir_version: 8, opset_import: [{imports}]> g (float[2] x) => (float[2] y) {{ y = Relu (x) }}"
            ))
        };
        let key = |model: &Model| UnionKey::new(model).unwrap();
        assert_eq!(key(&of("\"\" : 13")), key(&of("\"ai.onnx\" : 13")));
        assert_ne!(key(&of("\"\" : 13")), key(&of("\"\" : 14")));
        assert_ne!(key(&of("\"\" : 13")), key(&of("\"\" : 13, \"ai.onnx.ml\" : 1")));
        let mut older = of("\"\" : 13");
        older.proto.ir_version = Some(7);
        assert_ne!(key(&of("\"\" : 13")), key(&older));
        let mut sparse = of("\"\" : 13");
        sparse.proto.graph.as_mut().unwrap().sparse_initializer.push(Default::default());
        assert_eq!(UnionKey::new(&sparse), None);
    }

    #[test]
    fn names_of_nested_graphs_functions_and_extents_get_the_prefix() {
        let nested = model(
            "<ir_version: 8, opset_import: [\"\" : 16]> g (bool c, float[N] x) => (float[N] y) \
             { y = If (c) <then_branch = a () => (float[N] z) { z = Relu (x) }, \
             else_branch = b () => (float[N] z) { z = Neg (x) }> }",
        );
        let text = union(&[&nested, &nested]).to_string();
        for name in ["c0_c", "c1_x", "c1_N", "c0_z", "c1_z", "c0_y"] {
            assert!(text.contains(name), "{name}: {text}");
        }
        assert!(!text.contains("float[N]") && !text.contains("(x)"), "{text}");
    }

    #[test]
    fn a_refusal_names_the_models_that_it_is_about() {
        let text = "no conversion rule for plumbline.c1_WrappedRelu (c0); '<Node(Add): c12_y>', c3_, acc2_z, c40_x";
        assert_eq!(named_parts(text, 20), BTreeSet::from([1, 3, 12]));
        assert!(named_parts("Relu(14) is not implemented", 20).is_empty());
    }

    /// The names in a union must be as valid as those in its models. What its nodes compute is tested by running packs
    /// of all operators on the oracle.
    #[test]
    fn unions_of_drawn_cases_have_valid_names() {
        let mut by_key = std::collections::BTreeMap::<UnionKey, Vec<Model>>::new();
        for cell in cells().into_iter().step_by(7) {
            let Some(case) = cell.case(None, 1, 0) else { continue };
            let case = case.in_form(&[]);
            let Some(key) = UnionKey::new(&case.model) else { continue };
            by_key.entry(key).or_default().push(case.model);
        }
        assert!(by_key.len() > 20 && by_key.values().any(|models| models.len() > 20));
        for models in by_key.values() {
            let all: Vec<&Model> = models.iter().collect();
            let whole = union(&all);
            assert_eq!(plumbline_graph::names::check(&whole), Ok(()));
            let names = |f: fn(&Model) -> usize| all.iter().map(|model| f(model)).sum::<usize>();
            assert_eq!(whole.input_names().len(), names(|model| model.input_names().len()));
            assert_eq!(whole.output_names().len(), names(|model| model.output_names().len()));
        }
    }
}
