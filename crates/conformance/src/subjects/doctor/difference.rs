//! Compares an output with the tensor that was sent, and says which bytes of a `TensorProto` were probably read or
//! written wrongly.

use plumbline_tensor::{DType, DTypeKind, Tensor, Value};

use super::Problem;

/// Returns what is wrong with an answer of one tensor that should be `expected`. All NaNs of a floating-point type are
/// equal.
pub fn compare(expected: &Tensor, answer: &[Value], what: &str) -> Option<Problem> {
    let problem = |found: String, advice: &str| Some(Problem::new(format!("{what}: {found}"), advice));
    let Some(found) = answer.first().and_then(Value::as_tensor) else {
        let kind = answer.first().map_or("no value".to_owned(), |value| value.kind().to_string());
        return problem(
            format!("answered with {kind}, expected a tensor"),
            "Write an output as tensor(TYPE) and a TensorProto.",
        );
    };
    if found.dtype() != expected.dtype() {
        return problem(
            format!("the output is {}, expected {}", found.dtype(), expected.dtype()),
            "Write the output with the type that the graph declares for it. Do not convert it to a type of the host \
             language.",
        );
    }
    if found.shape() != expected.shape() {
        return problem(
            format!("the output has the shape {:?}, expected {:?}", found.shape(), expected.shape()),
            shape_advice(expected.shape()),
        );
    }
    let at = (0..expected.len()).find(|&at| !same(expected, found, at))?;
    let text = |tensor: &Tensor| match expected.dtype() {
        DType::String => tensor.element_text(at),
        _ => format!("{} ({})", tensor.element_text(at), tensor.element_hex(at)),
    };
    let wrong = (0..expected.len()).filter(|&at| !same(expected, found, at)).count();
    let count = format!("{wrong} of {} elements differ", expected.len());
    problem(format!("{count}; element {at} is {}, expected {}", text(found), text(expected)), advice(expected, found))
}

/// Says what to change in an adapter that lost this shape.
fn shape_advice(shape: &[usize]) -> &'static str {
    if shape.is_empty() {
        "A tensor without `dims` is a scalar of rank 0, and not a tensor of shape [1]. Write no `dims` for it."
    } else if shape.contains(&0) {
        "An extent of 0 is valid: the tensor has no elements, and its `dims` still have to be written, zeros included."
    } else {
        "Read and write all `dims` of a TensorProto, in order, and leave out none that is 1."
    }
}

/// Returns whether an element is the same: bit for bit or, in a floating-point type, NaN in both.
fn same(expected: &Tensor, found: &Tensor, at: usize) -> bool {
    match (expected.dtype().kind(), expected.dtype().float_format()) {
        (DTypeKind::String, _) => expected.strings().get(at) == found.strings().get(at),
        (DTypeKind::Complex, _) => {
            let bytes = |tensor: &Tensor| {
                let size = tensor.dtype().size();
                tensor.bytes()[at * size..(at + 1) * size].to_vec()
            };
            bytes(expected) == bytes(found)
        }
        (_, Some(format)) => {
            let (a, b) = (expected.bits_at(at), found.bits_at(at));
            a == b || format.decode(a).is_nan() && format.decode(b).is_nan()
        }
        _ => expected.bits_at(at) == found.bits_at(at),
    }
}

/// Returns whether `holds` is true for each element that differs. `holds` receives the expected number and then the
/// number that was found.
fn only(expected: &Tensor, found: &Tensor, holds: impl Fn(f64, f64) -> bool) -> bool {
    (0..expected.len()).all(|at| same(expected, found, at) || holds(expected.f64_at(at), found.f64_at(at)))
}

/// Says which bytes were probably read or written wrongly.
fn advice(expected: &Tensor, found: &Tensor) -> &'static str {
    let dtype = expected.dtype();
    match dtype.kind() {
        DTypeKind::String => return string_advice(expected, found),
        DTypeKind::Bool => {
            return "A bool in `raw_data` is one byte, 0 or 1, and not an int32. Only `int32_data` has a number of 32 \
                    bits for each bool, and Plumbline writes `raw_data`.";
        }
        _ => {}
    }
    let zeros = found.bytes().iter().all(|&byte| byte == 0);
    if zeros {
        return "All elements are zero. Plumbline writes elements to `raw_data` (field 9 of TensorProto), and leaves \
                `float_data`, `int32_data` and `int64_data` empty; read `raw_data` if it is there.";
    }
    if let Some(bits @ 1..8) = dtype.bits() {
        return match bits {
            4 => {
                "Types of 4 bits have two elements in each byte of `raw_data`: the first in the low half, the second in \
                 the high half. An odd number of elements leaves the last half byte empty."
            }
            2 => "Types of 2 bits have four elements in each byte of `raw_data`, the first in the lowest bits.",
            _ => "Elements of fewer than 8 bits are packed into the bytes of `raw_data` from the lowest bit on.",
        };
    }
    let size = dtype.size();
    let swapped =
        |unit: usize| expected.bytes().chunks(unit).flat_map(|e| e.iter().rev().copied()).collect::<Vec<u8>>();
    if size > 1 && found.bytes() == swapped(size)
        || dtype.kind() == DTypeKind::Complex && found.bytes() == swapped(size / 2)
    {
        return "The bytes of each element are in reverse order. `raw_data` is little-endian on every machine.";
    }
    if dtype.is_integer() {
        return integer_advice(expected, found);
    }
    if dtype.float_format().is_none() {
        return "An element of `raw_data` is the real part and then the imaginary part, both little-endian.";
    }
    let through_float = |x: f64| f64::from(x as f32);
    if dtype == DType::Double
        && found
            .to_f64s()
            .iter()
            .zip(expected.to_f64s())
            .all(|(&f, e)| f == through_float(e) || f.is_nan() && e.is_nan())
    {
        return "The elements were rounded to float. Keep double as double, from `raw_data` to `raw_data`.";
    }
    if only(expected, found, |e, f| e == 0.0 && f == 0.0) {
        return "Only the sign of a zero is lost. Copy bits instead of converting numbers through text or integers.";
    }
    if only(expected, found, |e, _| !e.is_finite()) {
        return "Only infinities or NaN differ. Copy bits instead of converting numbers, and do not clamp or replace them.";
    }
    if size < 4 {
        return "Elements of this type are bit patterns of 16 or 8 bits in `raw_data`. They are neither integers nor \
                floats of 32 bits; copy the bits, or convert them by the rules of the type.";
    }
    "Read and write the elements in `raw_data` as little-endian bits of the type, without a conversion in between."
}

fn integer_advice(expected: &Tensor, found: &Tensor) -> &'static str {
    let pairs = || (0..expected.len()).map(|at| (expected.i128_at(at), found.i128_at(at)));
    let through_32_bits = |x: i128| [i128::from(x as i32), x.clamp(i32::MIN.into(), i32::MAX.into())];
    if expected.dtype() == DType::Int64 && pairs().all(|(e, f)| through_32_bits(e).contains(&f)) {
        return "The integers pass through 32 bits. Keep them as integers of 64 bits. If the runtime itself does this, \
                there is nothing to change: a run then reports wrong values.";
    }
    if pairs().all(|(e, f)| e == f || e.unsigned_abs() > 1 << 53) {
        return "Only integers beyond 2^53 differ: they pass through a double. Keep them as integers of 64 bits.";
    }
    if pairs().all(|(e, f)| e == f || e.unsigned_abs() > 1 << 24) {
        return "Only integers beyond 2^24 differ: they pass through a float or a narrower integer. Keep the type.";
    }
    "Read and write the elements in `raw_data` as little-endian integers of exactly the width and sign of the type."
}

fn string_advice(expected: &Tensor, found: &Tensor) -> &'static str {
    let is_ascii = |at: usize| expected.strings().get(at).is_some_and(|string| string.is_ascii());
    if (0..expected.len()).all(|at| same(expected, found, at) || !is_ascii(at)) {
        return "Only strings with characters beyond ASCII differ. `string_data` holds UTF-8: decode and encode it as \
                UTF-8, and not as Latin-1 or ASCII.";
    }
    "Strings are in `string_data` (field 6), one entry for each element, also for empty strings. They are never in \
     `raw_data`."
}
