//! Reads messages: models, functions, graphs and nodes here, attributes and types in the files beside this one.

mod attribute;
mod types;

use super::reader::{Reader, Result};
use crate::onnx::*;
use types::named;

impl Reader<'_> {
    pub(super) fn model(&mut self) -> Result<ModelProto> {
        let mut model = ModelProto::default();
        self.header(|reader, key| {
            match key {
                "ir_version" => model.ir_version = Some(reader.integer()?),
                "opset_import" => model.opset_import = reader.opsets()?,
                "producer_name" => model.producer_name = Some(reader.string()?),
                "producer_version" => model.producer_version = Some(reader.string()?),
                "domain" => model.domain = Some(reader.string()?),
                "model_version" => model.model_version = Some(reader.integer()?),
                "doc_string" => model.doc_string = Some(reader.string()?),
                "metadata_props" => model.metadata_props = reader.entries()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        model.graph = Some(self.graph()?);
        while self.peek().is_some() {
            model.functions.push(self.function()?);
        }
        Ok(model)
    }

    pub(super) fn function(&mut self) -> Result<FunctionProto> {
        let mut function = FunctionProto::default();
        self.header(|reader, key| {
            match key {
                "opset_import" => function.opset_import = reader.opsets()?,
                "domain" => function.domain = Some(reader.string()?),
                "overload" => function.overload = Some(reader.string()?),
                "doc_string" => function.doc_string = Some(reader.string()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        function.name = Some(self.name("the name of a function")?);
        if self.takes(b'<') {
            self.items(b'>', |reader| {
                let name = reader.name("the name of an attribute")?;
                match reader.peek() {
                    Some(b':' | b'=') => function.attribute_proto.push(reader.attribute(name)?),
                    _ => function.attribute.push(name),
                }
                Ok(())
            })?;
        }
        function.input = self.function_values(&mut function.value_info)?;
        self.arrow()?;
        function.output = self.function_values(&mut function.value_info)?;
        if self.takes(b'<') {
            self.items(b'>', |reader| {
                function.value_info.push(reader.value_info()?);
                Ok(())
            })?;
        }
        function.node = self.nodes()?;
        Ok(function)
    }

    /// Reads `<key: value, ...>`, if it is next. `field` reads the value of a key; `false` means an unknown key.
    fn header(&mut self, mut field: impl FnMut(&mut Self, &str) -> Result<bool>) -> Result<()> {
        if !self.takes(b'<') {
            return Ok(());
        }
        self.items(b'>', |reader| {
            let Some(key) = reader.peek_identifier() else { return reader.expected("the name of a field") };
            let place = reader.place();
            reader.identifier_if_any();
            reader.expect(b':')?;
            if field(reader, key)? { Ok(()) } else { reader.error_at(place, format!("`{key}` is not allowed here")) }
        })
    }

    fn opsets(&mut self) -> Result<Vec<OperatorSetIdProto>> {
        let mut opsets = Vec::new();
        self.expect(b'[')?;
        self.items(b']', |reader| {
            let domain = Some(reader.string()?);
            reader.expect(b':')?;
            opsets.push(OperatorSetIdProto { domain, version: Some(reader.integer()?) });
            Ok(())
        })?;
        Ok(opsets)
    }

    /// Reads `["key": "value", ...]`.
    fn entries(&mut self) -> Result<Vec<StringStringEntryProto>> {
        let mut entries = Vec::new();
        self.expect(b'[')?;
        self.items(b']', |reader| {
            let key = Some(reader.string()?);
            reader.expect(b':')?;
            entries.push(StringStringEntryProto { key, value: Some(reader.string()?) });
            Ok(())
        })?;
        Ok(entries)
    }

    /// Reads the inputs or outputs of a function. Those with a type are added to `infos` as well.
    fn function_values(&mut self, infos: &mut Vec<ValueInfoProto>) -> Result<Vec<String>> {
        let mut names = Vec::new();
        self.expect(b'(')?;
        self.items(b')', |reader| {
            let info = reader.value_info()?;
            names.extend(info.name.clone());
            infos.extend(info.r#type.is_some().then_some(info));
            Ok(())
        })?;
        Ok(names)
    }

    pub(super) fn graph(&mut self) -> Result<GraphProto> {
        self.nested(|reader| {
            let name = Some(reader.name("the name of a graph")?);
            let mut graph = GraphProto { name, ..GraphProto::default() };
            if reader.takes(b'(') {
                reader.items(b')', |reader| {
                    let info = reader.value_info()?;
                    if reader.takes(b'=') {
                        reader.initializer(&mut graph, &info)?;
                    }
                    graph.input.push(info);
                    Ok(())
                })?;
            }
            reader.arrow()?;
            reader.expect(b'(')?;
            reader.items(b')', |reader| {
                graph.output.push(reader.value_info()?);
                Ok(())
            })?;
            if reader.takes(b'<') {
                reader.items(b'>', |reader| {
                    let info = reader.value_info()?;
                    if reader.takes(b'=') {
                        reader.initializer(&mut graph, &info)
                    } else {
                        graph.value_info.push(info);
                        Ok(())
                    }
                })?;
            }
            graph.node = reader.nodes()?;
            Ok(graph)
        })
    }

    /// Reads a name, with or without a type before it.
    fn value_info(&mut self) -> Result<ValueInfoProto> {
        let typed = self.next_is_type();
        let r#type = if typed { Some(self.type_proto()?) } else { None };
        let name = Some(self.name(if typed { "a name" } else { "a type or a name" })?);
        Ok(ValueInfoProto { name, r#type, ..ValueInfoProto::default() })
    }

    fn initializer(&mut self, graph: &mut GraphProto, info: &ValueInfoProto) -> Result<()> {
        let Some(r#type) = &info.r#type else { return self.error("an initializer needs a type") };
        let name = info.name.clone();
        if let Some(TypeProtoValue::SparseTensorType(sparse)) = &r#type.value {
            let sparse = self.sparse_tensor(sparse)?;
            graph.sparse_initializer.push(named(sparse, name));
        } else {
            graph.initializer.push(self.tensor(r#type, name)?);
        }
        Ok(())
    }

    fn nodes(&mut self) -> Result<Vec<NodeProto>> {
        let mut nodes = Vec::new();
        self.expect(b'{')?;
        while !self.takes(b'}') {
            nodes.push(self.node()?);
        }
        Ok(nodes)
    }

    pub(super) fn node(&mut self) -> Result<NodeProto> {
        let mut node = NodeProto::default();
        if self.takes(b'[') {
            node.name = Some(self.name_if_any()?.unwrap_or_default());
            self.expect(b']')?;
        }
        node.output = self.names()?;
        if !self.takes(b'=') {
            return self.expected("`,`, or `=` after the outputs of a node");
        }
        let mut domain = Vec::new();
        let mut operator = self.name("the name of an operator")?;
        while self.takes(b'.') {
            domain.push(std::mem::replace(&mut operator, self.name("the name of an operator")?));
        }
        node.domain = Some(domain.join("."));
        node.op_type = Some(operator);
        if self.takes(b':') {
            node.overload = Some(self.name("an overload")?).filter(|overload| !overload.is_empty());
        }
        node.attribute = self.attributes()?;
        self.expect(b'(')?;
        node.input = self.names()?;
        if !self.takes(b')') {
            return self.expected("`,` or `)`");
        }
        if node.attribute.is_empty() {
            node.attribute = self.attributes()?;
        }
        Ok(node)
    }

    /// Reads names with commas between them. If no name stands in front of a comma, the name is empty, as in `a,,b`.
    fn names(&mut self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        loop {
            match self.name_if_any()? {
                Some(name) => names.push(name),
                None if self.peek() == Some(b',') => names.push(String::new()),
                None => return Ok(names),
            }
            if !self.takes(b',') {
                return Ok(names);
            }
        }
    }
}
