//! The description of an operator while it is drawn, and how DxDispatch writes it as JSON.

use plumbline_spec::directml::{Field, Operator, TensorDataType};
use plumbline_tensor::{DType, Tensor};
use serde_json::{Map, Value, json};

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Drawn {
    /// It is left out.
    Absent,
    /// A tensor, or all tensors of an array.
    Tensors(Vec<DrawnTensor>),
    /// Anything else.
    Attribute(Attribute),
}

impl Drawn {
    /// Returns what the coverage counts of the field with this name.
    pub fn features(&self, name: &str) -> Vec<String> {
        match self {
            Drawn::Tensors(tensors) => {
                let of_tensor = |tensor: &DrawnTensor| {
                    let packed = tensor.is_packed().then(|| "layout: packed".to_owned());
                    let own = [tensor.data_type.to_string(), format!("{} dimensions", tensor.sizes.len())];
                    own.map(|what| format!("{name} {what}")).into_iter().chain(packed).collect::<Vec<_>>()
                };
                tensors.iter().flat_map(of_tensor).collect()
            }
            Drawn::Attribute(Attribute::Bool(value)) => vec![format!("{name} {value}")],
            Drawn::Attribute(Attribute::Operator(fused)) => vec![format!("{name} {}", fused.operator.short_name())],
            Drawn::Absent | Drawn::Attribute(_) => vec![],
        }
    }
}

/// The value of a field that is no tensor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Attribute {
    Int(i64),
    Ints(Vec<i64>),
    Float(f32),
    Floats(Vec<f32>),
    Bool(bool),
    /// The full name of a value of an enumeration.
    Name(String),
    /// A `DML_SIZE_2D`.
    Size2d {
        width: u32,
        height: u32,
    },
    ScaleBias {
        scale: f32,
        bias: f32,
    },
    /// An element, by its bits.
    Scalar(TensorDataType, u64),
    Operator(Fused),
    Operators(Vec<Fused>),
}

/// An operator within another one. It has no tensors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fused {
    pub operator: &'static Operator,
    pub fields: Vec<(String, Attribute)>,
}

/// A tensor with its layout and, if it is an input, with all elements of its buffer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawnTensor {
    pub data_type: TensorDataType,
    pub sizes: Vec<u32>,
    pub strides: Option<Vec<u32>>,
    pub total_size: u64,
    pub alignment: u32,
    pub flags: Option<&'static str>,
    pub buffer: Option<Tensor>,
}

/// The flag of a tensor that DirectML copies when an operator is initialized.
pub(crate) const OWNED_BY_DML: &str = "OWNED_BY_DML";

/// What a layout may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum May {
    /// Anything, also strides of 0.
    Repeat,
    /// Each element has a place of its own.
    Gaps,
    /// The elements lie one after the other.
    Packed,
}

/// Returns the element type of ONNX that stands for a type of DirectML. `None` for UNKNOWN.
pub(crate) fn dtype(data_type: TensorDataType) -> Option<DType> {
    DType::ALL.into_iter().filter(|d| *d != DType::Bool).find(|d| TensorDataType::of_onnx(*d) == Some(data_type))
}

/// Returns row-major strides without gaps.
pub(crate) fn packed(sizes: &[u32]) -> Vec<u32> {
    let mut strides = vec![1u32; sizes.len()];
    for d in (1..sizes.len()).rev() {
        strides[d - 1] = strides[d] * sizes[d];
    }
    strides
}

impl DrawnTensor {
    /// Returns the strides, also if the description leaves them out.
    pub fn effective_strides(&self) -> Vec<u32> {
        self.strides.clone().unwrap_or_else(|| packed(&self.sizes))
    }

    /// Returns the place in the buffer of each element, in row-major order.
    pub fn offsets(&self) -> Vec<u64> {
        let mut offsets = vec![0u64];
        for (&size, stride) in self.sizes.iter().zip(self.effective_strides()) {
            let along = |at: &u64| {
                let at = *at;
                (0..u64::from(size)).map(move |i| at + i * u64::from(stride))
            };
            offsets = offsets.iter().flat_map(along).collect();
        }
        offsets
    }

    /// Returns whether the elements lie one after the other in row-major order.
    pub fn is_packed(&self) -> bool {
        let wide = |strides: &[u32]| -> Vec<u32> {
            self.sizes.iter().zip(strides).filter(|(size, _)| **size > 1).map(|(_, stride)| *stride).collect()
        };
        wide(&self.effective_strides()) == wide(&packed(&self.sizes))
    }

    /// Returns the sizes as extents of a tensor of ONNX.
    pub fn shape(&self) -> Vec<usize> {
        self.sizes.iter().map(|&size| size as usize).collect()
    }

    /// Returns whether a stride of 0 repeats elements.
    pub fn is_broadcast(&self) -> bool {
        self.sizes.iter().zip(self.effective_strides()).any(|(&size, stride)| size > 1 && stride == 0)
    }

    fn json(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("DataType".to_owned(), json!(self.data_type.name()));
        fields.insert("Sizes".to_owned(), json!(self.sizes));
        if let Some(strides) = &self.strides {
            fields.insert("Strides".to_owned(), json!(strides));
        }
        fields.insert("TotalTensorSizeInBytes".to_owned(), json!(self.total_size));
        if self.alignment > 0 {
            fields.insert("GuaranteedBaseOffsetAlignment".to_owned(), json!(self.alignment));
        }
        if let Some(flags) = self.flags {
            fields.insert("Flags".to_owned(), json!(flags));
        }
        Value::Object(fields)
    }
}

impl Attribute {
    fn json(&self) -> Value {
        match self {
            Attribute::Int(value) => json!(value),
            Attribute::Ints(values) => json!(values),
            Attribute::Float(value) => float_json(*value),
            Attribute::Floats(values) => values.iter().map(|value| float_json(*value)).collect(),
            Attribute::Bool(value) => json!(value),
            Attribute::Name(name) => json!(name),
            Attribute::Size2d { width, height } => json!({"Width": width, "Height": height}),
            Attribute::ScaleBias { scale, bias } => json!({"Scale": scale, "Bias": bias}),
            Attribute::Scalar(data_type, bits) => scalar_json(*data_type, *bits),
            Attribute::Operator(fused) => fused.json(),
            Attribute::Operators(called) => called.iter().map(Fused::json).collect(),
        }
    }

    /// Returns how ONNX's text syntax writes the value in an attribute.
    pub fn text(&self) -> Option<String> {
        fn list<T>(values: &[T], text: impl Fn(&T) -> String) -> String {
            format!("[{}]", values.iter().map(text).collect::<Vec<_>>().join(", "))
        }
        Some(match self {
            Attribute::Int(value) => value.to_string(),
            Attribute::Bool(value) => i64::from(*value).to_string(),
            Attribute::Ints(values) => list(values, i64::to_string),
            Attribute::Float(value) => format!("{value:?}"),
            Attribute::Floats(values) => list(values, |value| format!("{value:?}")),
            _ => return None,
        })
    }
}

impl Fused {
    fn json(&self) -> Value {
        let fields: Map<String, Value> = self.fields.iter().map(|(name, value)| (name.clone(), value.json())).collect();
        json!({"type": self.operator.name, "desc": fields})
    }
}

/// Returns the JSON of an operator's description.
pub(crate) fn json_of(operator: &Operator, fields: &[(&'static Field, Drawn)]) -> Value {
    let mut map = Map::new();
    for (field, drawn) in fields {
        let value = match drawn {
            Drawn::Absent => continue,
            Drawn::Tensors(tensors) if field.type_.is_array() => tensors.iter().map(DrawnTensor::json).collect(),
            Drawn::Tensors(tensors) => tensors.first().map_or(Value::Null, DrawnTensor::json),
            Drawn::Attribute(attribute) => attribute.json(),
        };
        map.insert(field.name.clone(), value);
    }
    json!({"type": operator.name, "desc": map})
}

fn float_json(value: f32) -> Value {
    match value {
        f32::INFINITY => json!("inf"),
        f32::NEG_INFINITY => json!("-inf"),
        value if value.is_nan() => json!("nan"),
        value => json!(f64::from(value)),
    }
}

fn scalar_json(data_type: TensorDataType, bits: u64) -> Value {
    let tensor = dtype(data_type).and_then(|d| Tensor::from_bits(d, vec![1], std::iter::once(bits)).ok());
    match tensor {
        Some(tensor) if data_type.is_float() => json!(tensor.f64_at(0)),
        Some(tensor) => match i64::try_from(tensor.i128_at(0)) {
            Ok(value) => json!(value),
            Err(_) => json!(bits),
        },
        None => Value::Null,
    }
}
