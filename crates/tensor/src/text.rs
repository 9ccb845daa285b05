//! Formats tensors and values for failures and reports: `float16[2,3] [[1, -0, 0.1], [NaN, inf, 65504]]`.
//!
//! A float has the fewest digits that distinguish it from its neighbours in its own type, but a float that is a whole
//! number below 1e16 has all of its digits. `{:x}` writes the bit pattern after each number: `0.1:0x2e66`. A large
//! tensor shows only its first elements.

use std::fmt;

use crate::{DType, DTypeKind, Data, FloatFormat, MapKeys, Saturation, Tensor, Value, ValueKind};

/// The number of elements that a large tensor shows.
const SHOWN: usize = 64;

impl FloatFormat {
    /// Returns the shortest decimal number that rounds to this bit pattern: `0.1` for float16's 0x2e66, which is
    /// 0.0999755859375. Whole numbers below 1e16 have all their digits: 65504, not 65500. Infinities and NaNs are
    /// `inf`, `-inf`, `NaN` and `-NaN`.
    pub fn shortest(&self, bits: u64) -> String {
        let x = self.decode(bits);
        if !x.is_finite() {
            return if x.is_nan() && x.is_sign_negative() { "-NaN".to_owned() } else { x.to_string() };
        }
        if x.fract() == 0.0 && x.abs() < 1e16 {
            return x.to_string();
        }
        let shortest = (0..17)
            .filter_map(|digits| format!("{x:.digits$e}").parse::<f64>().ok())
            .find(|&y| self.encode(y, Saturation::None) == bits)
            .unwrap_or(x);
        if !(1e-5..1e16).contains(&shortest.abs()) { format!("{shortest:e}") } else { shortest.to_string() }
    }
}

impl Tensor {
    /// Returns element `index` as text, or an empty text beyond the end. See [`FloatFormat::shortest`].
    pub fn element_text(&self, index: usize) -> String {
        if index >= self.len() {
            return String::new();
        }
        let dtype = self.dtype();
        match (dtype.float_format(), dtype.kind()) {
            (Some(format), _) => format.shortest(self.bits_at(index)),
            (None, DTypeKind::Bool) => (self.bits_at(index) != 0).to_string(),
            (None, DTypeKind::String) => string_text(&self.strings()[index]),
            (None, DTypeKind::Complex) => {
                let part = if dtype == DType::Complex64 { DType::Float } else { DType::Double };
                let bytes = self.bytes()[index * dtype.size()..][..dtype.size()].to_vec();
                match Tensor::from_bytes(part, vec![2], bytes) {
                    Ok(parts) => {
                        let imaginary = parts.element_text(1);
                        let sign = if imaginary.starts_with('-') { "" } else { "+" };
                        format!("{}{sign}{imaginary}i", parts.element_text(0))
                    }
                    Err(_) => String::new(),
                }
            }
            (None, _) => self.i128_at(index).to_string(),
        }
    }

    /// Returns the bit pattern of element `index` in hexadecimal, with a leading `0x` and enough digits for all bits of
    /// the type. Returns an empty text for strings and beyond the end.
    pub fn element_hex(&self, index: usize) -> String {
        let Data::Bytes(bytes) = self.data() else { return String::new() };
        let size = self.dtype().size();
        let Some(bytes) = bytes.get(index * size..(index + 1) * size) else { return String::new() };
        let digits = self.dtype().bits().unwrap_or(8).div_ceil(4) as usize;
        let hex: String = bytes.iter().rev().map(|b| format!("{b:02x}")).collect();
        format!("0x{}", &hex[hex.len() - digits..])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, bits: bool) -> fmt::Result {
        let extents: Vec<String> = self.shape().iter().map(usize::to_string).collect();
        write!(f, "{}[{}] ", self.dtype(), extents.join(","))?;
        let count = self.len();
        if count > SHOWN {
            for index in 0..SHOWN {
                self.write_element(f, index, bits)?;
                f.write_str(", ")?;
            }
            return write!(f, "... ({count} elements)");
        }
        if count == 0 {
            return f.write_str("[]");
        }
        for index in 0..count {
            // Each dimension divides the elements into blocks: the last dimension into rows, the one before it into
            // matrices, and so on. A bracket opens at the first element of each block and closes at the last.
            let mut block = 1;
            let mut opened = 0;
            let mut closed = 0;
            for extent in self.shape().iter().rev() {
                block *= extent;
                opened += usize::from(index % block == 0);
                closed += usize::from((index + 1) % block == 0);
            }
            if index > 0 {
                f.write_str(", ")?;
            }
            f.write_str(&"[".repeat(opened))?;
            self.write_element(f, index, bits)?;
            f.write_str(&"]".repeat(closed))?;
        }
        Ok(())
    }

    fn write_element(&self, f: &mut fmt::Formatter<'_>, index: usize, bits: bool) -> fmt::Result {
        f.write_str(&self.element_text(index))?;
        if bits && self.dtype() != DType::String {
            write!(f, ":{}", self.element_hex(index))?;
        }
        Ok(())
    }
}

fn string_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("b\"{}\"", bytes.escape_ascii()),
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

impl fmt::LowerHex for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

impl Value {
    fn write(&self, f: &mut fmt::Formatter<'_>, bits: bool) -> fmt::Result {
        if !matches!(self, Value::Tensor(_)) {
            write!(f, "{} ", self.kind())?;
        }
        match self {
            Value::Tensor(tensor) => tensor.write(f, bits),
            Value::SparseTensor(sparse) => {
                sparse.values().write(f, bits)?;
                let extents: Vec<String> = sparse.shape().iter().map(usize::to_string).collect();
                write!(f, " at {} in [{}]", sparse.indices(), extents.join(","))
            }
            Value::Sequence { items, .. } => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    item.write(f, bits)?;
                }
                f.write_str("]")
            }
            Value::Optional { item: None, .. } => f.write_str("none"),
            Value::Optional { item: Some(item), .. } => item.write(f, bits),
            Value::Map { keys, items, .. } => {
                f.write_str("{")?;
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    match keys {
                        MapKeys::Integers(_, keys) => write!(f, "{}: ", keys.get(index).copied().unwrap_or(0))?,
                        MapKeys::Strings(keys) => {
                            write!(f, "{}: ", string_text(keys.get(index).map_or(&[], Vec::as_slice)))?;
                        }
                    }
                    item.write(f, bits)?;
                }
                f.write_str("}")
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

impl fmt::LowerHex for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}

impl fmt::Display for ValueKind {
    /// Writes ONNX's own spelling: `tensor(float)`, `seq(tensor(int64))`, `optional(tensor(bool))`, `map(string,
    /// tensor(float))`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueKind::Tensor(dtype) => write!(f, "tensor({dtype})"),
            ValueKind::SparseTensor(dtype) => write!(f, "sparse_tensor({dtype})"),
            ValueKind::Sequence(of) => write!(f, "seq({of})"),
            ValueKind::Optional(of) => write!(f, "optional({of})"),
            ValueKind::Map(key, of) => write!(f, "map({key}, {of})"),
        }
    }
}

/// Returns the text inside `name(...)`.
fn inside<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.trim().strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')
}

impl std::str::FromStr for ValueKind {
    type Err = String;

    /// Reads ONNX's own spelling, as the `Display` of [`ValueKind`] writes it. Ignores spaces around each type.
    fn from_str(text: &str) -> Result<ValueKind, String> {
        let wrong = || format!("`{text}` is not the type of an ONNX value, such as tensor(float)");
        let dtype = |name: &str| DType::from_name(name.trim()).ok_or_else(wrong);
        if let Some(of) = inside(text, "tensor") {
            Ok(ValueKind::Tensor(dtype(of)?))
        } else if let Some(of) = inside(text, "sparse_tensor") {
            Ok(ValueKind::SparseTensor(dtype(of)?))
        } else if let Some(of) = inside(text, "seq") {
            Ok(ValueKind::Sequence(Box::new(of.parse()?)))
        } else if let Some(of) = inside(text, "optional") {
            Ok(ValueKind::Optional(Box::new(of.parse()?)))
        } else if let Some((key, of)) = inside(text, "map").and_then(|inside| inside.split_once(',')) {
            Ok(ValueKind::Map(dtype(key)?, Box::new(of.parse()?)))
        } else {
            Err(wrong())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_digits_restore_the_bit_pattern() {
        for dtype in [DType::Float16, DType::Bfloat16, DType::Float8e4m3fn, DType::Float8e5m2, DType::Float4e2m1] {
            let format = FloatFormat::for_dtype(dtype).unwrap();
            for bits in 0..1u64 << dtype.bits().unwrap() {
                if format.decode(bits).is_finite() {
                    let text = format.shortest(bits);
                    assert_eq!(format.encode(text.parse().unwrap(), Saturation::None), bits, "{dtype} {text}");
                }
            }
        }
        let text = |dtype, x: f64| Tensor::from_f64s(dtype, vec![], &[x]).unwrap().element_text(0);
        assert_eq!(text(DType::Float16, 0.1), "0.1");
        assert_eq!(text(DType::Float, f64::from(f32::MAX)), "3.4028235e38");
        assert_eq!(text(DType::Float, 16777216.0), "16777216");
        assert_eq!(text(DType::Float, 1.4e-45), "1e-45");
        assert_eq!(text(DType::Double, 0.1 + 0.2), "0.30000000000000004");
        assert_eq!(text(DType::Bfloat16, -0.0), "-0");
        assert_eq!(text(DType::Float16, f64::NEG_INFINITY), "-inf");
    }

    #[test]
    fn rows_are_bracketed() {
        let values = [1.0, -0.0, 0.1, f64::NAN, f64::INFINITY, 65504.0];
        let tensor = Tensor::from_f64s(DType::Float16, vec![2, 3], &values).unwrap();
        assert_eq!(tensor.to_string(), "float16[2,3] [[1, -0, 0.1], [NaN, inf, 65504]]");
        assert_eq!(
            format!("{tensor:x}"),
            "float16[2,3] [[1:0x3c00, -0:0x8000, 0.1:0x2e66], [NaN:0x7e00, inf:0x7c00, 65504:0x7bff]]"
        );
        assert_eq!(format!("{tensor:?}"), tensor.to_string());
        let tensor = Tensor::from_i64s(&[1, 2, 3, 4]).reshaped(vec![2, 1, 2]).unwrap();
        assert_eq!(tensor.to_string(), "int64[2,1,2] [[[1, 2]], [[3, 4]]]");
        assert_eq!(Tensor::from_i64(5).to_string(), "int64[] 5");
        assert_eq!(Tensor::zeros(DType::Bool, vec![2, 0]).unwrap().to_string(), "bool[2,0] []");
        let strings = Tensor::from_strings(vec![2], vec![b"a\"".to_vec(), vec![0xff]]).unwrap();
        assert_eq!(format!("{strings:x}"), "string[2] [\"a\\\"\", b\"\\xff\"]");
        let bytes = [1.5f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let complex = Tensor::from_bytes(DType::Complex64, vec![1], bytes).unwrap();
        assert_eq!(format!("{complex:x}"), "complex64[1] [1.5-2i:0xc00000003fc00000]");
        let small = Tensor::from_i128s(DType::Int4, vec![2], &[-8, 7]).unwrap();
        assert_eq!(format!("{small:x}"), "int4[2] [-8:0x8, 7:0x7]");
    }

    #[test]
    fn the_text_of_large_tensors_is_shortened() {
        let text = Tensor::zeros(DType::Int8, vec![1000, 1000]).unwrap().to_string();
        assert!(text.starts_with("int8[1000,1000] 0, 0, ") && text.ends_with(", ... (1000000 elements)"), "{text}");
        assert!(text.len() < 300);
    }

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for text in [
            "tensor(float8e4m3fn)",
            "seq(tensor(int64))",
            "optional(seq(tensor(bool)))",
            "map(string, map(int64, tensor(float)))",
            "sparse_tensor(double)",
        ] {
            assert_eq!(text.parse::<ValueKind>().unwrap().to_string(), text);
        }
        for text in
            ["", "tensor", "tensor(", "tensor(floats)", "seq()", "map(int64)", "seq(tensor(float)", "opaque(a,b)"]
        {
            assert!(text.parse::<ValueKind>().is_err(), "{text}");
        }
    }
}
