//! Compares what we read and write with protobuf messages of the onnx package. `scripts/make_wire_data.py` writes these
//! messages into `data/wire.txt`.

use plumbline_tensor::onnx::{GraphProto, ModelProto, SparseTensorProto, TensorProto, ValueInfoProto};
use plumbline_tensor::{
    DType, Data, Model, Tensor, Value, ValueKind, WireError, tensor_from_proto, tensor_to_proto, value_from_bytes,
    value_to_bytes,
};
use prost::Message;

fn lines(table: &str) -> Vec<Vec<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wire.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<Vec<String>> = text
        .lines()
        .filter_map(|line| line.strip_prefix(&format!("{table} ")))
        .map(|line| line.splitn(4, ' ').map(str::to_owned).collect())
        .collect();
    assert!(!lines.is_empty());
    lines
}

fn hex(text: &str) -> Vec<u8> {
    let digit = |d: u8| (d as char).to_digit(16).unwrap() as u8;
    if text == "-" { vec![] } else { text.as_bytes().chunks(2).map(|p| digit(p[0]) << 4 | digit(p[1])).collect() }
}

#[test]
fn tensors_are_read_as_onnx_reads_them() {
    let mut seen = std::collections::BTreeSet::new();
    for line in lines("tensor") {
        let [name, message, dtype, rest] = &line[..] else { panic!("{line:?}") };
        let (dims, memory) = rest.split_once(' ').unwrap();
        let proto = TensorProto::decode(&hex(message)[..]).unwrap();
        let tensor = tensor_from_proto(&proto).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(tensor.dtype(), DType::from_name(dtype).unwrap(), "{name}");
        let dims: Vec<usize> = if dims == "-" { vec![] } else { dims.split(',').map(|d| d.parse().unwrap()).collect() };
        assert_eq!(tensor.shape(), dims, "{name}");
        let bytes = match tensor.data() {
            Data::Bytes(bytes) => bytes.clone(),
            Data::Strings(strings) => {
                strings.iter().flat_map(|s| [&(s.len() as u32).to_le_bytes(), &s[..]].concat()).collect()
            }
        };
        assert_eq!(bytes, hex(memory), "{name}");
        // We write the same bytes as `from_array`.
        if !name.contains('/') && name.contains('[') {
            assert_eq!(tensor_to_proto(&tensor, "x").encode_to_vec(), hex(message), "{name}");
        }
        assert_eq!(tensor_from_proto(&tensor_to_proto(&tensor, "")).unwrap(), tensor);
        seen.insert(tensor.dtype());
    }
    assert_eq!(seen.len(), DType::ALL.len());
}

#[test]
fn tensors_that_onnx_rejects_are_rejected() {
    for line in lines("refused") {
        let proto = TensorProto::decode(&hex(&line[1])[..]).unwrap();
        let error = tensor_from_proto(&proto).unwrap_err();
        assert!(matches!(error, WireError::Tensor { .. } | WireError::Unsupported(_)), "{}: {error}", line[0]);
    }
}

#[test]
fn values_are_read_and_written_as_onnx_does() {
    for line in lines("value") {
        let [name, message, kind, text] = &line[..] else { panic!("{line:?}") };
        let kind: ValueKind = kind.parse().unwrap();
        let value = value_from_bytes(&hex(message), &kind).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(value.kind(), kind, "{name}");
        assert_eq!(&value.to_string(), text, "{name}");
        let written = value_to_bytes(&value, &name[..1]).unwrap();
        assert_eq!(value_from_bytes(&written, &kind).unwrap(), value, "{name}");
        // We do not keep the names inside a sparse tensor. For an empty inner sequence, we write the kind of its
        // elements, which ONNX's helper does not know.
        if !name.starts_with("sparse") && name != "sequence/nested" {
            assert_eq!(written, hex(message), "{name}");
        }
    }
}

#[test]
fn values_of_another_type_are_refused() {
    let values = lines("value");
    let kinds: Vec<ValueKind> = values.iter().map(|line| line[2].parse().unwrap()).collect();
    let mut refused = 0;
    for (line, kind) in values.iter().zip(&kinds) {
        for other in &kinds {
            match value_from_bytes(&hex(&line[1]), other) {
                Ok(value) => assert_eq!(value.kind(), *other),
                Err(_) if kind == other => panic!("{}", line[0]),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn values_that_contradict_their_own_type_are_not_written() {
    let item = Value::Tensor(Tensor::from_f64s(DType::Float, vec![1], &[1.0]).unwrap());
    let optional = |dtype| Value::Optional { element: ValueKind::Tensor(dtype), item: Some(Box::new(item.clone())) };
    let sequence = |dtype| Value::Sequence { element: ValueKind::Tensor(dtype), items: vec![item.clone()] };
    let nested = |dtype| Value::Sequence { element: optional(dtype).kind(), items: vec![optional(dtype)] };
    for (right, wrong) in [
        (optional(DType::Float), optional(DType::Double)),
        (sequence(DType::Float), sequence(DType::Double)),
        (nested(DType::Float), nested(DType::Double)),
    ] {
        assert!(value_to_bytes(&right, "x").is_ok(), "{right}");
        let error = value_to_bytes(&wrong, "x").unwrap_err();
        assert!(matches!(error, WireError::Value { .. }), "{error}");
    }
}

#[test]
fn inputs_with_a_dense_or_sparse_initializer_need_not_be_given() {
    let info = |name: &str| ValueInfoProto { name: Some(name.to_owned()), ..Default::default() };
    let tensor = |name: &str| TensorProto { name: Some(name.to_owned()), ..Default::default() };
    let graph = GraphProto {
        input: ["a", "b", "c", "d"].map(info).to_vec(),
        initializer: vec![tensor("b")],
        sparse_initializer: vec![SparseTensorProto { values: Some(tensor("c")), ..Default::default() }],
        ..Default::default()
    };
    let model = Model { proto: ModelProto { graph: Some(graph), ..Default::default() } };
    assert_eq!(model.input_names(), ["a", "d"]);
}
