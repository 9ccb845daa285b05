//! Tests that `load_model` reads tensors from files in the model's folder, and from nowhere else.

use std::path::Path;

use plumbline_tensor::onnx::{
    AttributeProto, GraphProto, ModelProto, NodeProto, SparseTensorProto, StringStringEntryProto, TensorProto,
};
use plumbline_tensor::{DType, Tensor, WireError, load_model, tensor_from_proto};
use prost::Message;

fn external(entries: &[(&str, &str)]) -> TensorProto {
    let entry =
        |&(key, value): &(&str, &str)| StringStringEntryProto { key: Some(key.into()), value: Some(value.into()) };
    TensorProto {
        dims: vec![2],
        data_type: Some(DType::Float.code()),
        name: Some("w".into()),
        data_location: Some(1),
        external_data: entries.iter().map(entry).collect(),
        ..TensorProto::default()
    }
}

fn model(graph: GraphProto) -> Vec<u8> {
    ModelProto { ir_version: Some(10), graph: Some(graph), ..ModelProto::default() }.encode_to_vec()
}

fn load(folder: &Path, tensor: TensorProto) -> Result<Tensor, WireError> {
    let path = folder.join("model.onnx");
    std::fs::write(&path, model(GraphProto { initializer: vec![tensor], ..GraphProto::default() })).unwrap();
    tensor_from_proto(&load_model(&path)?.graph().initializer[0])
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let weights: Vec<u8> = [1.0f32, 2.0, 3.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    std::fs::write(folder.path().join("outside.bin"), &weights).unwrap();
    std::fs::create_dir_all(folder.path().join("m/data")).unwrap();
    std::fs::write(folder.path().join("m/data/w.bin"), &weights).unwrap();
    std::fs::write(folder.path().join("m/w.bin"), &weights[..8]).unwrap();
    folder
}

#[test]
fn data_beside_and_below_the_model_is_read() {
    let folder = folder();
    let inside = folder.path().join("m");
    let wanted = |values: &[f32]| Tensor::from_f32s(vec![2], values).unwrap();
    assert_eq!(load(&inside, external(&[("location", "w.bin")])).unwrap(), wanted(&[1.0, 2.0]));
    assert_eq!(load(&inside, external(&[("location", "./w.bin"), ("checksum", "x")])).unwrap(), wanted(&[1.0, 2.0]));
    let part = external(&[("location", "data/w.bin"), ("offset", "4"), ("length", "8")]);
    assert_eq!(load(&inside, part).unwrap(), wanted(&[2.0, 3.0]));
    let to_the_end = external(&[("location", "data/w.bin"), ("offset", "8")]);
    assert_eq!(load(&inside, to_the_end).unwrap(), wanted(&[3.0, 4.0]));
}

#[test]
fn the_data_of_constants_is_not_copied() {
    let folder = folder();
    let path = folder.path().join("m/model.onnx");
    let beside = external(&[("location", "data/w.bin"), ("offset", "8")]);
    let within = TensorProto { data_location: None, raw_data: Some(vec![0; 8].into()), ..external(&[]) };
    let bytes = model(GraphProto { initializer: vec![beside.clone(), beside, within], ..GraphProto::default() });
    std::fs::write(&path, bytes).unwrap();
    let read = load_model(&path).unwrap();
    let model = read.clone();
    let place = |at: usize| read.graph().initializer[at].raw_data.as_ref().unwrap().as_ptr();
    assert_eq!(place(0), place(1), "a file is mapped once");
    for (at, proto) in model.graph().initializer.iter().enumerate() {
        assert_eq!(tensor_from_proto(proto).unwrap().bytes().as_ptr(), place(at));
    }
}

#[test]
fn external_data_is_resolved_at_every_place_in_a_graph() {
    let folder = folder();
    let path = folder.path().join("m/model.onnx");
    let tensor = || external(&[("location", "w.bin")]);
    let sparse = || SparseTensorProto { values: Some(tensor()), indices: Some(tensor()), dims: vec![4] };
    let subgraph = GraphProto { initializer: vec![tensor()], ..GraphProto::default() };
    let attribute = AttributeProto {
        t: Some(tensor()),
        tensors: vec![tensor()],
        g: Some(Box::new(subgraph.clone())),
        graphs: vec![subgraph],
        sparse_tensor: Some(sparse()),
        sparse_tensors: vec![sparse()],
        ..AttributeProto::default()
    };
    let graph = GraphProto {
        node: vec![NodeProto { attribute: vec![attribute], ..NodeProto::default() }],
        initializer: vec![tensor()],
        sparse_initializer: vec![sparse()],
        ..GraphProto::default()
    };
    std::fs::write(&path, model(graph)).unwrap();
    let bytes = load_model(&path).unwrap().to_bytes();
    let found = bytes.windows(5).filter(|window| window == b"w.bin").count();
    assert_eq!(found, 0, "no reference is left");
}

#[test]
fn data_outside_the_model_folder_is_not_read() {
    let folder = folder();
    let inside = folder.path().join("m");
    let absolute = folder.path().join("m/w.bin");
    for location in ["../outside.bin", "data/../../outside.bin", "data/../w.bin", "", absolute.to_str().unwrap()] {
        let error = load(&inside, external(&[("location", location)])).unwrap_err();
        assert!(matches!(&error, WireError::Tensor { reason, .. } if reason.contains("not a path below")), "{error}");
    }
    assert!(load(&inside, external(&[])).is_err());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../outside.bin", inside.join("link.bin")).unwrap();
        let error = load(&inside, external(&[("location", "link.bin"), ("length", "8")])).unwrap_err();
        assert!(matches!(&error, WireError::Tensor { reason, .. } if reason.contains("leads out")), "{error}");
    }
}

#[test]
fn lengths_are_checked_before_reading() {
    let folder = folder();
    let inside = folder.path().join("m");
    for entries in [
        &[("location", "data/w.bin")][..],
        &[("location", "data/w.bin"), ("length", "4")],
        &[("location", "data/w.bin"), ("offset", "12"), ("length", "8")],
        &[("location", "data/w.bin"), ("offset", "17")],
        &[("location", "data/w.bin"), ("offset", "-4")],
        &[("location", "data/w.bin"), ("offset", "18446744073709551615"), ("length", "8")],
        &[("location", "data"), ("length", "8")],
        &[("location", "missing.bin")],
    ] {
        assert!(load(&inside, external(entries)).is_err(), "{entries:?}");
    }
    // The length check reports the error before anything is read.
    let beyond = external(&[("location", "data/w.bin"), ("offset", "12"), ("length", "8")]);
    assert!(matches!(load(&inside, beyond), Err(WireError::Tensor { .. })));
    let mut huge = external(&[("location", "w.bin")]);
    huge.dims = vec![1 << 50];
    assert!(load(&inside, huge).is_err());
    let error = load_model(&inside.join("nothing.onnx")).unwrap_err();
    assert!(error.to_string().contains("nothing.onnx"), "{error}");
}
