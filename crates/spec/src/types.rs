//! Parses the type strings of ONNX.

use plumbline_tensor::DType;
use std::fmt;
use std::str::FromStr;

/// A type as ONNX writes it: `tensor(float)`, `seq(map(string, float))`, `optional(tensor(bool))`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeStr {
    /// A dense tensor.
    Tensor(DType),
    /// A sparse tensor.
    SparseTensor(DType),
    /// A sequence.
    Sequence(Box<TypeStr>),
    /// A value that may be absent.
    Optional(Box<TypeStr>),
    /// A map, with the types of its keys and values. The values of `map(string, float)` have the type `Tensor(Float)`.
    Map(DType, Box<TypeStr>),
}

impl TypeStr {
    /// Returns the element type of a dense tensor, or `None` for other types.
    pub fn tensor_dtype(&self) -> Option<DType> {
        match self {
            TypeStr::Tensor(dtype) => Some(*dtype),
            _ => None,
        }
    }

    /// Returns the innermost element type. For a map, this is the element type of its values.
    pub fn leaf_dtype(&self) -> DType {
        match self {
            TypeStr::Tensor(dtype) | TypeStr::SparseTensor(dtype) => *dtype,
            TypeStr::Sequence(inner) | TypeStr::Optional(inner) | TypeStr::Map(_, inner) => inner.leaf_dtype(),
        }
    }
}

impl fmt::Display for TypeStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeStr::Tensor(dtype) => write!(f, "tensor({})", dtype.name()),
            TypeStr::SparseTensor(dtype) => write!(f, "sparse_tensor({})", dtype.name()),
            TypeStr::Sequence(inner) => write!(f, "seq({inner})"),
            TypeStr::Optional(inner) => write!(f, "optional({inner})"),
            TypeStr::Map(key, value) => match **value {
                TypeStr::Tensor(dtype) => write!(f, "map({}, {})", key.name(), dtype.name()),
                _ => write!(f, "map({}, {value})", key.name()),
            },
        }
    }
}

/// The error that a text is not a type of ONNX.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{text}` is not an ONNX type; known forms: tensor(float), seq(tensor(float)), map(string, float), optional(...)"
)]
pub struct TypeError {
    text: String,
}

/// The deepest nesting that the parser reads. No type of ONNX's operators is nested as deeply, and the stack is large
/// enough for this depth.
const MAX_DEPTH: usize = 16;

impl FromStr for TypeStr {
    type Err = TypeError;

    fn from_str(text: &str) -> Result<TypeStr, TypeError> {
        parse(text, 0).ok_or_else(|| TypeError { text: text.to_owned() })
    }
}

fn parse(text: &str, depth: usize) -> Option<TypeStr> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (constructor, rest) = text.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    Some(match constructor {
        "tensor" => TypeStr::Tensor(dtype(inside)?),
        "sparse_tensor" => TypeStr::SparseTensor(dtype(inside)?),
        "seq" => TypeStr::Sequence(Box::new(parse(inside, depth + 1)?)),
        "optional" => TypeStr::Optional(Box::new(parse(inside, depth + 1)?)),
        "map" => {
            let (key, value) = inside.split_once(',')?;
            let value = value.strip_prefix(' ').unwrap_or(value);
            let value = match dtype(value) {
                Some(dtype) => TypeStr::Tensor(dtype),
                None => parse(value, depth + 1).filter(|value| value.tensor_dtype().is_none())?,
            };
            TypeStr::Map(dtype(key)?, Box::new(value))
        }
        _ => return None,
    })
}

/// Returns the element type with this name. Accepts only ONNX's spelling, whereas `DType::from_name` ignores case.
fn dtype(name: &str) -> Option<DType> {
    DType::from_name(name).filter(|dtype| dtype.name() == name)
}

impl<'de> serde::Deserialize<'de> for TypeStr {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<TypeStr, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl serde::Serialize for TypeStr {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_gives_onnx_spelling_back() {
        for dtype in DType::ALL {
            let text = format!("tensor({})", dtype.name());
            assert_eq!(text.parse::<TypeStr>().unwrap(), TypeStr::Tensor(dtype));
        }
        for text in
            ["seq(map(int64, float))", "optional(seq(tensor(bool)))", "map(string, int64)", "sparse_tensor(float)"]
        {
            assert_eq!(text.parse::<TypeStr>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_text_is_rejected() {
        let deep = format!("{}tensor(float){}", "seq(".repeat(10_000), ")".repeat(10_000));
        for text in ["", "T", "tensor", "tensor(float", "tensor(FLOAT)", "tensor(half)", "seq()", "map(string)", &deep]
        {
            assert!(text.parse::<TypeStr>().is_err(), "{text}");
        }
    }
}
