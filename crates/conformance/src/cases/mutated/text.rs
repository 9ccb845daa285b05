//! How the changes of a mutated case are written for people.

use plumbline_tensor::onnx::AttributeProto;

/// The largest number of items of a list, or of bytes that are not UTF-8, that are written.
const MOST_ITEMS: usize = 8;
/// The largest number of characters of a text that are written.
const LONGEST: usize = 40;

/// Writes the value of an attribute: `2`, `[0, 1]`, `"SAME_UPPER"`. A tensor is described by its type and shape, and a
/// graph or another value by its type.
pub(super) fn value(attribute: Option<&AttributeProto>) -> String {
    let Some(attribute) = attribute else { return "left out".to_owned() };
    match attribute.r#type.unwrap_or(0) {
        1 => format!("{:?}", attribute.f.unwrap_or_default()),
        2 => attribute.i.unwrap_or_default().to_string(),
        3 => string(attribute.s.as_deref().unwrap_or_default()),
        4 => match attribute.t.as_ref() {
            Some(tensor) => format!("a tensor of type {} and shape {:?}", tensor.data_type.unwrap_or(0), tensor.dims),
            None => "no tensor".to_owned(),
        },
        6 => list(attribute.floats.iter().map(|x| format!("{x:?}"))),
        7 => list(attribute.ints.iter().map(i64::to_string)),
        8 => list(attribute.strings.iter().map(|s| string(s))),
        number => format!("a value of type {number}"),
    }
}

/// Writes a text in quotes, and bytes that are not UTF-8 in hexadecimal. Both are cut if they are long.
pub(super) fn string(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.chars().count() <= LONGEST => format!("{text:?}"),
        Ok(text) => format!("{:?}...", text.chars().take(LONGEST).collect::<String>()),
        Err(_) => format!("the bytes {:02x?}", &bytes[..bytes.len().min(MOST_ITEMS)]),
    }
}

fn list(items: impl ExactSizeIterator<Item = String>) -> String {
    let count = items.len();
    let first: Vec<String> = items.take(MOST_ITEMS).collect();
    let more = if count > MOST_ITEMS { format!(", ... {count} items") } else { String::new() };
    format!("[{}{more}]", first.join(", "))
}
