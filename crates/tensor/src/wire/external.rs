//! Reads models with tensors that have their data in other files (`external_data`).

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;

use super::tensor::{bad, is_external, raw_len};
use super::{Model, WireError};
use crate::onnx::{AttributeProto, GraphProto, NodeProto, SparseTensorProto, TensorProto};

fn file_error(path: &Path, reason: impl ToString) -> WireError {
    WireError::File { path: path.to_owned(), reason: reason.to_string() }
}

/// Reads a model. If a tensor has its data in another file, maps this file into memory; the tensor's `raw_data` is a part
/// of it. A program that changes or shortens the file meanwhile changes the tensor, or ends this process.
///
/// The other files must be in the model's folder or below. A location that is absolute, contains `..`, or leads outside
/// through a symbolic link is an error. Data is read only after its length has been checked against the tensor. Keys
/// other than `location`, `offset` and `length` are ignored, including `checksum`.
pub fn load_model(path: &Path) -> Result<Model, WireError> {
    let bytes = std::fs::read(path).map_err(|e| file_error(path, e))?;
    let mut model = Model::decode(Bytes::from(bytes)).map_err(|e| match e {
        WireError::Decode { what, reason } => file_error(path, format!("not {what}: {reason}")),
        other => other,
    })?;
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let mut resolver = Resolver { folder, canonical: None, mapped: BTreeMap::new() };
    if let Some(graph) = &mut model.proto.graph {
        resolver.graph(graph)?;
    }
    for function in &mut model.proto.functions {
        resolver.nodes(&mut function.node)?;
        resolver.attributes(&mut function.attribute_proto)?;
    }
    for training in &mut model.proto.training_info {
        for graph in [&mut training.initialization, &mut training.algorithm].into_iter().flatten() {
            resolver.graph(graph)?;
        }
    }
    Ok(model)
}

struct Resolver<'a> {
    folder: &'a Path,
    /// The path of `folder` with its symbolic links resolved; computed when it is first needed.
    canonical: Option<PathBuf>,
    /// The files that are mapped.
    mapped: BTreeMap<PathBuf, Bytes>,
}

impl Resolver<'_> {
    fn graph(&mut self, graph: &mut GraphProto) -> Result<(), WireError> {
        graph.initializer.iter_mut().try_for_each(|tensor| self.tensor(tensor))?;
        graph.sparse_initializer.iter_mut().try_for_each(|sparse| self.sparse(sparse))?;
        self.nodes(&mut graph.node)
    }

    fn nodes(&mut self, nodes: &mut [NodeProto]) -> Result<(), WireError> {
        nodes.iter_mut().try_for_each(|node| self.attributes(&mut node.attribute))
    }

    fn attributes(&mut self, attributes: &mut [AttributeProto]) -> Result<(), WireError> {
        for attribute in attributes {
            attribute.t.iter_mut().chain(&mut attribute.tensors).try_for_each(|tensor| self.tensor(tensor))?;
            let sparse = attribute.sparse_tensor.iter_mut().chain(&mut attribute.sparse_tensors);
            sparse.into_iter().try_for_each(|sparse| self.sparse(sparse))?;
            if let Some(graph) = &mut attribute.g {
                self.graph(graph)?;
            }
            attribute.graphs.iter_mut().try_for_each(|graph| self.graph(graph))?;
        }
        Ok(())
    }

    fn sparse(&mut self, sparse: &mut SparseTensorProto) -> Result<(), WireError> {
        sparse.values.iter_mut().chain(&mut sparse.indices).try_for_each(|tensor| self.tensor(tensor))
    }

    fn tensor(&mut self, tensor: &mut TensorProto) -> Result<(), WireError> {
        if !is_external(tensor) {
            return Ok(());
        }
        let wanted = raw_len(tensor)?;
        let path = self.path(tensor)?;
        let offset = number(tensor, "offset")?.unwrap_or(0);
        let stated = number(tensor, "length")?;
        let metadata = path.metadata().map_err(|e| file_error(&path, e))?;
        if !metadata.is_file() {
            return Err(file_error(&path, "the external data is not a file"));
        }
        let Some(left) = metadata.len().checked_sub(offset) else {
            return Err(bad(
                tensor,
                format!("the offset {offset} of its external data is beyond the end of {}", path.display()),
            ));
        };
        let length = stated.unwrap_or(left);
        if length != wanted as u64 || length > left {
            let reason = format!(
                "it needs {wanted} bytes of external data; it refers to {length} bytes, and {} has {left} bytes from \
                 the offset on",
                path.display()
            );
            return Err(bad(tensor, reason));
        }
        tensor.raw_data = Some(match wanted {
            0 => Bytes::new(),
            _ => self.part(&path, offset, wanted)?,
        });
        tensor.data_location = None;
        tensor.external_data.clear();
        Ok(())
    }

    /// Returns a part of a file, which is mapped.
    fn part(&mut self, path: &Path, offset: u64, length: usize) -> Result<Bytes, WireError> {
        let short = || file_error(path, format!("it has fewer than {length} bytes from byte {offset} on"));
        let from = usize::try_from(offset).map_err(|_| short())?;
        let to = from.checked_add(length).ok_or_else(short)?;
        let whole = match self.mapped.get(path) {
            Some(bytes) => bytes.clone(),
            None => {
                let bytes = map(path).map_err(|e| file_error(path, e))?;
                self.mapped.insert(path.to_owned(), bytes.clone());
                bytes
            }
        };
        if to > whole.len() {
            return Err(short());
        }
        Ok(whole.slice(from..to))
    }

    /// Returns the path of the data, which is inside the model's folder.
    fn path(&mut self, tensor: &TensorProto) -> Result<PathBuf, WireError> {
        let location = entry(tensor, "location").unwrap_or("");
        let relative = Path::new(location);
        let plain = relative.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        if location.is_empty() || !plain {
            return Err(bad(
                tensor,
                format!("its external data is at `{location}`, which is not a path below the model's folder"),
            ));
        }
        if self.canonical.is_none() {
            self.canonical = Some(self.folder.canonicalize().map_err(|e| file_error(self.folder, e))?);
        }
        let joined = self.folder.join(relative);
        let path = joined.canonicalize().map_err(|e| file_error(&joined, e))?;
        match &self.canonical {
            Some(folder) if path.starts_with(folder) => Ok(path),
            _ => {
                Err(bad(tensor, format!("its external data is at `{location}`, which leads out of the model's folder")))
            }
        }
    }
}

/// Maps a file into memory.
#[allow(unsafe_code, reason = "a mapped file is memory that other programs can change")]
fn map(path: &Path) -> std::io::Result<Bytes> {
    let file = File::open(path)?;
    // SAFETY: the pages are only read, and only as bytes, of which each pattern is valid. `load_model` says what happens
    // if the file is changed.
    let pages = unsafe { memmap2::Mmap::map(&file)? };
    Ok(Bytes::from_owner(pages))
}

fn entry<'a>(tensor: &'a TensorProto, key: &str) -> Option<&'a str> {
    tensor.external_data.iter().find(|e| e.key.as_deref() == Some(key)).and_then(|e| e.value.as_deref())
}

fn number(tensor: &TensorProto, key: &str) -> Result<Option<u64>, WireError> {
    let Some(text) = entry(tensor, key) else { return Ok(None) };
    text.parse()
        .map(Some)
        .map_err(|_| bad(tensor, format!("the {key} `{text}` of its external data is not a number of bytes")))
}
