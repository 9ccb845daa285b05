//! Reads models that are written as text, so that a law reads like its formula:
//!
//! ```text
//! y, z = Split<axis = 1>(x, lengths)
//! best = ai.onnx.ml.Scaler<offset = [1.0], scale = [2.0]>(y)
//! sum = Loop<body = {(i, go, s) => (go, t) t = Add(s, a)}>(n, _, start)
//! ```
//!
//! A statement ends with its `)`. `_` stands for a left-out input or output, `@alpha` for an attribute of the enclosing
//! function, `type "seq(...)"` for a type, and `float{1.0, 2.0}` for a tensor of rank 1. The outputs of the model are
//! the outputs of the last statement. The first statement may follow `opset 10`, `ml 3` (the opset of `ai.onnx.ml`) and
//! functions: `function own.Twice<by = 2.0>(x) => (y) opset 13 {...}`.

use plumbline_tensor::onnx::{
    AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto,
};
use plumbline_tensor::{DType, Model, Tensor, ValueKind, tensor_to_proto};

/// Reads a program as a model with inputs of these names.
pub fn model(text: &str, inputs: &[&str]) -> Model {
    let mut reader = Reader { rest: text };
    let (mut opset, mut ml, mut functions) = (28, 5, vec![]);
    loop {
        if reader.word_is("opset") {
            opset = reader.word().parse().unwrap();
        } else if reader.word_is("ml") {
            ml = reader.word().parse().unwrap();
        } else if reader.word_is("function") {
            functions.push(reader.function());
        } else {
            break;
        }
    }
    let mut node = vec![];
    while !reader.at_end() {
        node.push(reader.statement());
    }
    let last: &NodeProto = node.last().expect("a program has a statement");
    let output = last.output.iter().filter(|o| !o.is_empty()).map(|o| info(o, None)).collect();
    let graph = GraphProto {
        name: Some("law".to_owned()),
        input: inputs.iter().map(|i| info(i, None)).collect(),
        output,
        node,
        ..GraphProto::default()
    };
    let imports =
        [("", opset), ("ai.onnx.ml", ml), ("ai.onnx.preview", 1), ("ai.onnx.preview.training", 1), ("own", 1)];
    let opset_import = imports.map(|(domain, version)| import(domain, version)).into();
    Model {
        proto: ModelProto { ir_version: Some(10), graph: Some(graph), opset_import, functions, ..Default::default() },
    }
}

fn import(domain: &str, version: i64) -> OperatorSetIdProto {
    OperatorSetIdProto { domain: Some(domain.to_owned()), version: Some(version) }
}

fn info(name: &str, kind: Option<&str>) -> ValueInfoProto {
    let kind = kind.map(|k| k.parse::<ValueKind>().unwrap().to_proto());
    ValueInfoProto { name: Some(name.to_owned()), r#type: kind, ..Default::default() }
}

/// Splits a name such as `own.Twice` into domain and operator: `("own", "Twice")`.
fn named(path: &str) -> (String, String) {
    let (domain, name) = path.rsplit_once('.').unwrap_or(("", path));
    (domain.to_owned(), name.to_owned())
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
    }

    fn at_end(&mut self) -> bool {
        self.skip();
        self.rest.is_empty()
    }

    /// Skips `mark` if it comes next; returns whether it did.
    fn takes(&mut self, mark: &str) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    #[track_caller]
    fn expect(&mut self, mark: &str) {
        assert!(self.takes(mark), "`{mark}` is missing before `{}`", self.rest.chars().take(40).collect::<String>());
    }

    fn peek_word(&mut self) -> &'a str {
        self.skip();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || "._+-".contains(c))).unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    #[track_caller]
    fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        assert!(!word.is_empty(), "a name is missing before `{}`", self.rest.chars().take(40).collect::<String>());
        self.rest = &self.rest[word.len()..];
        word
    }

    /// Skips a word if it comes next and is not the name of an output; returns whether it did.
    fn word_is(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word && !self.rest[word.len()..].trim_start().starts_with(['=', ',']);
        if found {
            self.rest = &self.rest[word.len()..];
        }
        found
    }

    /// Reads names up to a mark; `_` becomes the empty name.
    fn names(&mut self, end: &str) -> Vec<String> {
        let mut names = vec![];
        while !self.takes(end) {
            let name = self.word();
            names.push(if name == "_" { String::new() } else { name.to_owned() });
            self.takes(",");
        }
        names
    }

    fn statement(&mut self) -> NodeProto {
        let output = self.names("=");
        let (domain, operator) = named(self.word());
        let mut attribute = vec![];
        if self.takes("<") {
            while !self.takes(">") {
                let name = self.word();
                self.expect("=");
                attribute.push(AttributeProto { name: Some(name.to_owned()), ..self.value() });
                self.takes(",");
            }
        }
        self.expect("(");
        let input = self.names(")");
        NodeProto { op_type: Some(operator), domain: Some(domain), input, output, attribute, ..Default::default() }
    }

    /// Reads a string `"..."`, which may have `\"`, `\\`, `\n` and `\t` inside.
    fn string(&mut self) -> Vec<u8> {
        self.expect("\"");
        let (mut text, mut chars) = (String::new(), self.rest.char_indices());
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return text.into_bytes();
                }
                '\\' => text.push(match chars.next().unwrap().1 {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                }),
                other => text.push(other),
            }
        }
        panic!("a string has no end");
    }

    fn value(&mut self) -> AttributeProto {
        let of = |code: i32| AttributeProto { r#type: Some(code), ..Default::default() };
        self.skip();
        match self.rest.as_bytes().first() {
            Some(b'"') => AttributeProto { s: Some(self.string()), ..of(3) },
            Some(b'{') => AttributeProto { g: Some(Box::new(self.graph())), ..of(5) },
            Some(b'@') => {
                self.expect("@");
                AttributeProto { ref_attr_name: Some(self.word().to_owned()), ..Default::default() }
            }
            Some(b'[') => self.list(),
            _ if self.word_is("type") => {
                let kind: ValueKind = String::from_utf8(self.string()).unwrap().parse().unwrap();
                AttributeProto { tp: Some(Box::new(kind.to_proto())), ..of(13) }
            }
            _ => {
                let word = self.word();
                match (word.parse::<i64>(), DType::from_name(word)) {
                    (Ok(i), _) => AttributeProto { i: Some(i), ..of(2) },
                    (_, Some(dtype)) => {
                        self.expect("{");
                        let values: Vec<f64> = self.names("}").iter().map(|v| v.parse().unwrap()).collect();
                        let tensor = Tensor::from_f64s(dtype, vec![values.len()], &values).unwrap();
                        AttributeProto { t: Some(tensor_to_proto(&tensor, "")), ..of(4) }
                    }
                    _ => AttributeProto { f: Some(word.parse().unwrap()), ..of(1) },
                }
            }
        }
    }

    fn list(&mut self) -> AttributeProto {
        let of = |code: i32| AttributeProto { r#type: Some(code), ..Default::default() };
        self.expect("[");
        if self.peek_word().is_empty() && !self.takes("]") {
            let mut strings = vec![];
            while !self.takes("]") {
                strings.push(self.string());
                self.takes(",");
            }
            return AttributeProto { strings, ..of(8) };
        }
        let words = if self.rest.starts_with(']') || !self.peek_word().is_empty() { self.names("]") } else { vec![] };
        match words.iter().map(|w| w.parse()).collect::<Result<Vec<i64>, _>>() {
            Ok(ints) => AttributeProto { ints, ..of(7) },
            Err(_) => AttributeProto { floats: words.iter().map(|w| w.parse().unwrap()).collect(), ..of(6) },
        }
    }

    /// Reads a graph, `(a, b) => (y) statements`. A formal input may have a type, as in `a "tensor(float)"`.
    fn graph(&mut self) -> GraphProto {
        self.expect("{");
        let input = self.formals();
        self.expect("=>");
        let output = self.formals();
        let mut node = vec![];
        while !self.takes("}") {
            node.push(self.statement());
        }
        GraphProto { name: Some("inner".to_owned()), input, output, node, ..Default::default() }
    }

    fn formals(&mut self) -> Vec<ValueInfoProto> {
        self.expect("(");
        let mut formals = vec![];
        while !self.takes(")") {
            let name = self.word();
            self.skip();
            let kind = self.rest.starts_with('"').then(|| String::from_utf8(self.string()).unwrap());
            formals.push(info(name, kind.as_deref()));
            self.takes(",");
        }
        formals
    }

    fn function(&mut self) -> FunctionProto {
        let (domain, name) = named(self.word());
        let (mut attribute, mut attribute_proto) = (vec![], vec![]);
        if self.takes("<") {
            while !self.takes(">") {
                let name = self.word().to_owned();
                match self.takes("=") {
                    true => attribute_proto.push(AttributeProto { name: Some(name), ..self.value() }),
                    false => attribute.push(name),
                }
                self.takes(",");
            }
        }
        self.expect("(");
        let input = self.names(")");
        self.expect("=>");
        self.expect("(");
        let output = self.names(")");
        let mut opset_import = vec![import("own", 1)];
        if self.word_is("opset") {
            opset_import.push(import("", self.word().parse().unwrap()));
        }
        self.expect("{");
        let mut node = vec![];
        while !self.takes("}") {
            node.push(self.statement());
        }
        FunctionProto {
            name: Some(name),
            domain: Some(domain),
            attribute,
            attribute_proto,
            input,
            output,
            node,
            opset_import,
            ..Default::default()
        }
    }
}
