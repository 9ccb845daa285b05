//! Converts values to and from rten. This is the only place that knows which values rten cannot store.
//!
//! rten stores float, int32, int8 and uint8. Its documentation says that int64 and bool are passed as int32, so their
//! values are converted to int32, and come back as the type that the model declares, if they are values of this type.
//! All other types are unsupported:
//! rten would read double and float16 as float, which is not what the model says.

use std::collections::BTreeSet;

use plumbline_tensor::onnx::{GraphProto, TensorProto};
use plumbline_tensor::{DType, Model, Tensor, Value, ValueKind, tensor_from_proto};
use rten::{DataType, Sequence, ValueView};
use rten_tensor::{AsView, Layout, TensorView};

use crate::Refusal;

/// The ways in which rten stores an element type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Storage {
    Float,
    Int8,
    Uint8,
    Int32,
    /// As int32; values outside of its range are refused.
    Int64,
    /// As int32, with the values 0 and 1.
    Bool,
}

/// Returns how rten stores this type; refuses a type that it does not store.
fn storage(dtype: DType) -> Result<Storage, Refusal> {
    Ok(match dtype {
        DType::Float => Storage::Float,
        DType::Int8 => Storage::Int8,
        DType::Uint8 => Storage::Uint8,
        DType::Int32 => Storage::Int32,
        DType::Int64 => Storage::Int64,
        DType::Bool => Storage::Bool,
        _ => return Err(Refusal::unsupported(format!("rten has no storage for tensor({dtype})"))),
    })
}

fn check_kind(kind: &ValueKind) -> Result<(), Refusal> {
    match kind {
        ValueKind::Tensor(dtype) => storage(*dtype).map(|_| ()),
        ValueKind::Sequence(of) if matches!(**of, ValueKind::Tensor(_)) => check_kind(of),
        _ => Err(Refusal::unsupported(format!("rten has no storage for {kind}"))),
    }
}

/// Refuses models with values that rten cannot store. Inputs, outputs, the values in `value_info`, tensors and the types
/// that attributes name must be types that rten stores. The int64 values of tensors and of `Constant` nodes must also be
/// in the range of int32, because rten would clamp them. Values in [`CLAMPED`] mean the same when they are clamped.
pub fn check_model(model: &Model) -> Result<(), Refusal> {
    let mut reads = Reads::default();
    reads.add(model.graph());
    check_graph(model.graph(), &reads)
}

/// Inputs of operators for which rten clamps int64 on purpose: by convention, the ends of `Slice` are the largest and
/// the smallest int64 where it goes to the end of an axis, and `Loop` has the largest trip count if only its condition
/// ends it.
const CLAMPED: [(&str, &[usize]); 2] = [("Slice", &[1, 2, 4]), ("Loop", &[0])];

/// The attributes that name an element type.
const TYPES: [&str; 3] = ["to", "dtype", "output_dtype"];

/// The names of the values that nodes read, those of nested graphs included.
#[derive(Default)]
struct Reads<'a> {
    /// As one of the inputs in [`CLAMPED`].
    clamped: BTreeSet<&'a str>,
    /// As any other input, or as an output of a graph.
    others: BTreeSet<&'a str>,
}

impl<'a> Reads<'a> {
    fn add(&mut self, graph: &'a GraphProto) {
        self.others.extend(graph.output.iter().filter_map(|info| info.name.as_deref()));
        for node in &graph.node {
            let places = CLAMPED.iter().find(|(name, _)| node.op_type.as_deref() == Some(*name));
            for (at, name) in node.input.iter().enumerate() {
                let is_clamped = places.is_some_and(|(_, places)| places.contains(&at));
                if is_clamped {
                    self.clamped.insert(name)
                } else {
                    self.others.insert(name)
                };
            }
            node.nested().for_each(|graph| self.add(graph));
        }
    }

    fn may_clamp(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| self.clamped.contains(name) && !self.others.contains(name))
    }
}

/// Checks the values of a graph, its initializers, the tensors and types in the attributes of its nodes, and the integers
/// in the attributes of its `Constant` nodes. Does the same for the graphs in attributes.
fn check_graph(graph: &GraphProto, reads: &Reads) -> Result<(), Refusal> {
    for info in graph.input.iter().chain(&graph.output).chain(&graph.value_info) {
        if let Some(kind) = info.r#type.as_ref().and_then(ValueKind::from_proto) {
            check_kind(&kind)?;
        }
    }
    for proto in &graph.initializer {
        check_tensor(proto, reads.may_clamp(proto.name.as_deref()))?;
    }
    for node in &graph.node {
        let is_constant = node.op_type.as_deref() == Some("Constant");
        let may_clamp = is_constant && reads.may_clamp(node.output.first().map(String::as_str));
        for attribute in &node.attribute {
            attribute.t.iter().try_for_each(|proto| check_tensor(proto, may_clamp))?;
            if is_constant && !may_clamp {
                attribute.i.iter().chain(&attribute.ints).try_for_each(|value| check_int64(*value))?;
            }
            if TYPES.contains(&attribute.name.as_deref().unwrap_or_default()) {
                let dtype = attribute.i.and_then(DType::from_code);
                dtype.map_or(Ok(()), |dtype| storage(dtype).map(drop))?;
            }
        }
        node.nested().try_for_each(|graph| check_graph(graph, reads))?;
    }
    Ok(())
}

fn check_int64(value: i64) -> Result<(), Refusal> {
    match i32::try_from(value) {
        Ok(_) => Ok(()),
        Err(_) => Err(Refusal::unsupported(format!("rten stores int64 as int32, which cannot represent {value}"))),
    }
}

/// Checks a tensor of the model. If `may_clamp`, the range of its int64 values does not matter.
fn check_tensor(proto: &TensorProto, may_clamp: bool) -> Result<(), Refusal> {
    let tensor = tensor_from_proto(proto).map_err(|e| Refusal::invalid(e.to_string()))?;
    if may_clamp { storage(tensor.dtype()).map(drop) } else { check_range(&tensor) }
}

fn check_range(tensor: &Tensor) -> Result<(), Refusal> {
    if storage(tensor.dtype())? == Storage::Int64 {
        let elements = tensor.to_i64s().map_err(|e| Refusal::failed(e.to_string()))?;
        elements.into_iter().try_for_each(check_int64)?;
    }
    Ok(())
}

/// Converts a value for rten.
pub fn to_rten(value: &Value) -> Result<rten::Value, Refusal> {
    match value {
        Value::Tensor(tensor) => tensor_to_rten(tensor),
        Value::Sequence { element, items } => {
            check_kind(&value.kind())?;
            let ValueKind::Tensor(dtype) = element else {
                return Err(Refusal::unsupported(format!("rten has no storage for {}", value.kind())));
            };
            let mut sequence = Sequence::new(match storage(*dtype)? {
                Storage::Float => DataType::Float,
                Storage::Int8 => DataType::Int8,
                Storage::Uint8 => DataType::UInt8,
                Storage::Int32 | Storage::Int64 | Storage::Bool => DataType::Int32,
            });
            for (index, item) in items.iter().enumerate() {
                let inserted = sequence.insert(index, to_rten(item)?);
                inserted.map_err(|e| Refusal::failed(format!("sequence element {index}: {e:?}")))?;
            }
            Ok(rten::Value::Sequence(sequence))
        }
        _ => Err(Refusal::unsupported(format!("rten has no storage for {}", value.kind()))),
    }
}

fn tensor_to_rten(tensor: &Tensor) -> Result<rten::Value, Refusal> {
    check_range(tensor)?;
    let (shape, bytes) = (tensor.shape(), tensor.bytes());
    let built = match storage(tensor.dtype())? {
        Storage::Float => {
            rten::Value::from_shape(shape, bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
                .map_err(|e| e.to_string())
        }
        Storage::Int8 => rten::Value::from_shape(shape, bytes.iter().map(|b| *b as i8).collect::<Vec<i8>>())
            .map_err(|e| e.to_string()),
        Storage::Uint8 => rten::Value::from_shape(shape, bytes.to_vec()).map_err(|e| e.to_string()),
        Storage::Int32 | Storage::Int64 | Storage::Bool => {
            // The values are in range, as was checked above.
            let elements: Vec<i32> = (0..tensor.len()).map(|i| tensor.i128_at(i) as i32).collect();
            rten::Value::from_shape(shape, elements).map_err(|e| e.to_string())
        }
    };
    built.map_err(Refusal::failed)
}

/// Converts a value of rten. int32 elements become int64 or bool if `kind`, the declared type, says so.
pub fn from_rten(value: rten::Value, kind: Option<&ValueKind>) -> Result<Value, Refusal> {
    match value.as_view() {
        ValueView::Sequence(sequence) => {
            let declared = match kind {
                Some(ValueKind::Sequence(of)) => Some(of.as_ref()),
                _ => None,
            };
            let items = sequence.iter().map(|item| tensor_from_rten(&item, declared)).collect::<Result<Vec<_>, _>>()?;
            let element = ValueKind::Tensor(declared_dtype(sequence.dtype(), declared)?);
            Ok(Value::Sequence { element, items: items.into_iter().map(Value::Tensor).collect() })
        }
        view => Ok(Value::Tensor(tensor_from_rten(&view, kind)?)),
    }
}

/// Returns the element type that an rten type stands for: int32 stands for int64 or bool if the model declares this,
/// and each other type stands for itself. Whether int32 values are those of a bool, only [`tensor_from_rten`] sees.
fn declared_dtype(stored: DataType, kind: Option<&ValueKind>) -> Result<DType, Refusal> {
    Ok(match (stored, kind) {
        (DataType::Int32, Some(ValueKind::Tensor(declared @ (DType::Int64 | DType::Bool)))) => *declared,
        (DataType::Int32, _) => DType::Int32,
        (DataType::Float, _) => DType::Float,
        (DataType::Int8, _) => DType::Int8,
        (DataType::UInt8, _) => DType::Uint8,
        (other, _) => return Err(Refusal::failed(format!("rten returned elements of type {other:?}"))),
    })
}

fn tensor_from_rten(view: &ValueView<'_>, kind: Option<&ValueKind>) -> Result<Tensor, Refusal> {
    fn shape_and_bytes<T: Copy, const N: usize>(
        view: &TensorView<T>,
        bytes: fn(T) -> [u8; N],
    ) -> (Vec<usize>, Vec<u8>) {
        (view.shape().to_vec(), view.to_vec().into_iter().flat_map(bytes).collect())
    }
    let (dtype, (shape, bytes)) = match view {
        ValueView::FloatTensor(t) => (DType::Float, shape_and_bytes(t, f32::to_le_bytes)),
        ValueView::Int8Tensor(t) => (DType::Int8, shape_and_bytes(t, i8::to_le_bytes)),
        ValueView::UInt8Tensor(t) => (DType::Uint8, shape_and_bytes(t, u8::to_le_bytes)),
        ValueView::Int32Tensor(t) => match declared_dtype(DataType::Int32, kind)? {
            DType::Int64 => (DType::Int64, shape_and_bytes(t, |x| i64::from(x).to_le_bytes())),
            // Other numbers are no bool: a node that reads them would compute with them.
            DType::Bool if t.iter().all(|x| [0, 1].contains(x)) => {
                (DType::Bool, shape_and_bytes(t, |x| [u8::from(x != 0)]))
            }
            _ => (DType::Int32, shape_and_bytes(t, i32::to_le_bytes)),
        },
        _ => return Err(Refusal::failed("rten returned a value of unknown type")),
    };
    Tensor::from_bytes(dtype, shape, bytes).map_err(|e| Refusal::failed(format!("rten returned an invalid value: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), Refusal> {
        check_model(&format!("<ir_version: 8, opset_import: [\"\" : 18]> g {text}").parse::<Model>().unwrap())
    }

    const LARGEST: i64 = i64::MAX;

    /// rten clamps these ends to the largest int32, which goes to the end of an axis as well.
    #[test]
    fn an_end_of_a_slice_may_be_clamped() {
        let slice = |ends: &str, more: &str| {
            check(&format!(
                "(float[3] x) => (float[n] y{}) <int64[1] starts = {{1}}, int64[1] ends = {{{ends}}}> {{ {more} \
                 y = Slice (x, starts, ends) }}",
                if more.is_empty() { "" } else { ", int64[1] z" }
            ))
        };
        slice("2", "").unwrap();
        slice(&LARGEST.to_string(), "").unwrap();
        slice(&i64::MIN.to_string(), "").unwrap();
        let refusal = slice(&LARGEST.to_string(), "z = Neg (ends)").unwrap_err().to_string();
        assert!(refusal.contains(&LARGEST.to_string()), "{refusal}");
        let node = format!("e = Constant <value_ints = [{LARGEST}]> ()");
        check(&format!("(float[3] x, int64[1] s) => (float[n] y) {{ {node} y = Slice (x, s, e) }}")).unwrap();
        assert!(check(&format!("(int64[1] x) => (int64[1] y) {{ {node} y = Add (x, e) }}")).is_err());
    }

    #[test]
    fn the_trip_count_of_a_loop_may_be_clamped_and_not_a_number_in_its_body() {
        let model = format!(
            "(bool c, int64 v) => (int64 w) <int64 m = {{{LARGEST}}}> {{ w = Loop (m, c, v) <body = t \
             (int64 i, bool c0, int64 v0) => (bool c1, int64 v1) {{ c1 = Not (c0) v1 = Add (v0, i) }}> }}"
        );
        check(&model).unwrap();
        assert!(check(&model.replace("Add (v0, i)", "Add (v0, m)")).is_err());
    }

    #[test]
    fn types_between_nodes_are_types_that_are_stored() {
        let between = |to: DType| {
            let to = to.code();
            check(&format!("(float[2] x) => (float[2] y) {{ a = Cast <to = {to}> (x) y = Cast <to = 1> (a) }}"))
        };
        between(DType::Bool).unwrap();
        for dtype in [DType::Float16, DType::Double, DType::Float8e5m2] {
            assert_eq!(between(dtype).unwrap_err().kind, plumbline_backend::RefusalKind::Unsupported, "{dtype}");
        }
    }

    #[test]
    fn a_bool_is_0_or_1() {
        let of = |elements: Vec<i32>| {
            let value = rten::Value::from_shape(&[2], elements).unwrap();
            from_rten(value, Some(&ValueKind::Tensor(DType::Bool))).unwrap().kind()
        };
        assert_eq!(of(vec![0, 1]), ValueKind::Tensor(DType::Bool));
        assert_eq!(of(vec![0, 5]), ValueKind::Tensor(DType::Int32));
    }
}
