//! Tests malformed bytes: they cause errors and never a panic, and memory is allocated only after lengths are checked.

use plumbline_tensor::onnx::{GraphProto, ModelProto, SequenceProto, TensorProto};
use plumbline_tensor::{Model, ValueKind, WireError, tensor_from_proto, value_from_bytes};
use proptest::prelude::*;
use prost::Message;

fn messages() -> Vec<(Vec<u8>, Option<ValueKind>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wire.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let hex = |text: &str| -> Vec<u8> {
        (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
    };
    text.lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .filter(|words| words[0] != "#" && words[2] != "-")
        .map(|words| (hex(words[2]), (words[0] == "value").then(|| words[3].parse().unwrap())))
        .collect()
}

#[derive(Clone, Debug)]
enum Change {
    Set(usize, u8),
    Flip(usize, u8),
    Remove(usize, usize),
    Insert(usize, Vec<u8>),
    Truncate(usize),
    Repeat(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = || any::<prop::sample::Index>().prop_map(|i| i.index(1 << 16));
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (at(), 0..8u8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        (at(), 1..9usize).prop_map(|(at, length)| Change::Remove(at, length)),
        (at(), prop::collection::vec(any::<u8>(), 1..9)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        // A varint with all bits set, which may end up in place of a length or an extent.
        (at(), 1..11usize).prop_map(|(at, length)| {
            let mut bytes = vec![0xff; length - 1];
            bytes.push(0x7f);
            Change::Insert(at, bytes)
        }),
        at().prop_map(Change::Truncate),
        (at(), 1..40usize).prop_map(|(at, length)| Change::Repeat(at, length)),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let within = |at: usize, length: usize| at % (length + 1);
    let length = bytes.len();
    match *change {
        Change::Set(at, byte) if length > 0 => bytes[at % length] = byte,
        Change::Flip(at, bit) if length > 0 => bytes[at % length] ^= 1 << bit,
        Change::Remove(at, count) => {
            let start = within(at, length);
            bytes.drain(start..(start + count).min(length));
        }
        Change::Insert(at, ref inserted) => {
            let at = within(at, length);
            bytes.splice(at..at, inserted.iter().copied());
        }
        Change::Truncate(at) => bytes.truncate(within(at, length)),
        Change::Repeat(at, count) => {
            let start = within(at, length);
            let part = bytes[start..(start + count).min(length)].to_vec();
            bytes.splice(start..start, part);
        }
        Change::Set(..) | Change::Flip(..) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_panic(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec(change(), 1..5),
    ) {
        let messages = messages();
        let (bytes, kind) = &messages[which.index(messages.len())];
        let mut bytes = bytes.clone();
        for change in &changes {
            apply(&mut bytes, change);
        }
        let kind = kind.clone().unwrap_or(ValueKind::Tensor(plumbline_tensor::DType::Float));
        if let Ok(value) = value_from_bytes(&bytes, &kind) {
            // A value that was read can be formatted, and each of its tensors has at most 8 bytes for each byte
            // of the message.
            prop_assert!(!value.to_string().is_empty());
            for tensor in value.tensors() {
                prop_assert!(tensor.bytes().len() <= 8 * bytes.len());
            }
        }
        let _ = Model::from_bytes(&bytes);
    }

    #[test]
    fn contradicting_fields_never_panic(
        dims in prop::collection::vec(prop_oneof![0i64..5, Just(i64::MAX), Just(i64::MIN), Just(-1), Just(1 << 31), Just(1 << 60)], 0..5),
        data_type in -1i32..31,
        raw in prop::option::of(prop::collection::vec(any::<u8>(), 0..20)),
        ints in prop::collection::vec(any::<i32>(), 0..9),
        floats in prop::collection::vec(any::<f32>(), 0..9),
    ) {
        let proto = TensorProto {
            dims,
            data_type: Some(data_type),
            raw_data: raw.map(Into::into),
            double_data: floats.iter().map(|&x| f64::from(x)).collect(),
            int64_data: ints.iter().map(|&x| i64::from(x)).collect(),
            uint64_data: ints.iter().map(|&x| x as u64).collect(),
            string_data: ints.iter().map(|x| x.to_le_bytes().to_vec()).collect(),
            int32_data: ints,
            float_data: floats,
            ..TensorProto::default()
        };
        if let Ok(tensor) = tensor_from_proto(&proto) {
            prop_assert!(tensor.bytes().len() <= 200);
        }
    }
}

/// Returns a message that is nested `depth` times: each level is in field number `field` of the level above it.
fn nested(field: u8, depth: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..depth {
        let mut outer = vec![field << 3 | 2];
        prost::encoding::encode_varint(bytes.len() as u64, &mut outer);
        outer.append(&mut bytes);
        bytes = outer;
    }
    bytes
}

#[test]
fn depth_is_limited() {
    let kind = |depth: usize| {
        (0..depth).fold(ValueKind::Tensor(plumbline_tensor::DType::Float), |of, _| ValueKind::Sequence(Box::new(of)))
    };
    const SEQUENCE_VALUES: u8 = 5;
    let error = value_from_bytes(&nested(SEQUENCE_VALUES, 3000), &kind(3001)).unwrap_err();
    assert!(matches!(error, WireError::Decode { what: "a sequence", .. }), "{error}");
    // A sequence that is nested less deeply is read.
    let mut shallow = SequenceProto { elem_type: Some(3), ..SequenceProto::default() };
    for _ in 0..20 {
        shallow = SequenceProto { elem_type: Some(3), sequence_values: vec![shallow], ..SequenceProto::default() };
    }
    assert!(value_from_bytes(&shallow.encode_to_vec(), &kind(22)).is_ok());
    // The nesting is ModelProto.graph, then 2000 times GraphProto.node = 1, NodeProto.attribute = 5 and
    // AttributeProto.g = 6.
    let mut graph = Vec::new();
    for _ in 0..2000 {
        for field in [6u8, 5, 1] {
            let mut outer = vec![field << 3 | 2];
            prost::encoding::encode_varint(graph.len() as u64, &mut outer);
            outer.append(&mut graph);
            graph = outer;
        }
    }
    let mut model = vec![7 << 3 | 2];
    prost::encoding::encode_varint(graph.len() as u64, &mut model);
    model.append(&mut graph);
    let error = Model::from_bytes(&model).unwrap_err();
    assert!(error.to_string().starts_with("not an ONNX model: "), "{error}");
}

#[test]
fn a_model_needs_a_graph() {
    assert!(Model::from_bytes(&ModelProto::default().encode_to_vec()).is_err());
    let model = ModelProto { graph: Some(GraphProto::default()), ..ModelProto::default() };
    assert_eq!(Model::from_bytes(&model.encode_to_vec()).unwrap().proto, model);
    assert!(Model::from_bytes(&model.encode_to_vec()[..1]).is_err());
}
