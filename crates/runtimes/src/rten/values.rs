//! Converts values to and from rten. This is the only place that knows which values rten cannot store.
//!
//! rten stores float, int32, int8 and uint8. Its documentation says that int64 and bool are passed as int32, so their
//! values are converted to int32, and come back as the type that the model declares. All other types are unsupported:
//! rten would read double and float16 as float, which is not what the model says.

use plumbline_tensor::onnx::{GraphProto, NodeProto};
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

/// Refuses models with values that rten cannot store. Inputs, outputs, the values in `value_info` and tensors must have
/// a type that rten stores. The int64 values of tensors and of `Constant` nodes must also be in the range of int32,
/// because rten would clamp them.
pub fn check_model(model: &Model) -> Result<(), Refusal> {
    let graph = model.graph();
    for info in graph.input.iter().chain(&graph.output).chain(&graph.value_info) {
        if let Some(kind) = info.r#type.as_ref().and_then(ValueKind::from_proto) {
            check_kind(&kind)?;
        }
    }
    check_tensors(graph)
}

/// Checks the initializers of a graph, the tensors in the attributes of its nodes, and the integers in the attributes
/// of its `Constant` nodes. Does the same for the graphs in attributes.
fn check_tensors(graph: &GraphProto) -> Result<(), Refusal> {
    let attributes = || graph.node.iter().flat_map(|node| &node.attribute);
    for proto in graph.initializer.iter().chain(attributes().filter_map(|a| a.t.as_ref())) {
        check_range(&tensor_from_proto(proto).map_err(|e| Refusal::invalid(e.to_string()))?)?;
    }
    let is_constant = |node: &&NodeProto| node.op_type.as_deref() == Some("Constant");
    for attribute in graph.node.iter().filter(is_constant).flat_map(|node| &node.attribute) {
        attribute.i.iter().chain(&attribute.ints).try_for_each(|value| check_int64(*value))?;
    }
    attributes().flat_map(|a| a.g.as_deref().into_iter().chain(&a.graphs)).try_for_each(check_tensors)
}

fn check_int64(value: i64) -> Result<(), Refusal> {
    match i32::try_from(value) {
        Ok(_) => Ok(()),
        Err(_) => Err(Refusal::unsupported(format!("rten stores int64 as int32, which cannot represent {value}"))),
    }
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
/// and each other type stands for itself.
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
            DType::Bool => (DType::Bool, shape_and_bytes(t, |x| [u8::from(x != 0)])),
            _ => (DType::Int32, shape_and_bytes(t, i32::to_le_bytes)),
        },
        _ => return Err(Refusal::failed("rten returned a value of unknown type")),
    };
    Tensor::from_bytes(dtype, shape, bytes).map_err(|e| Refusal::failed(format!("rten returned an invalid value: {e}")))
}
