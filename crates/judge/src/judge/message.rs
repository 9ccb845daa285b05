//! The class of a message: what it has in common with the messages of failures that are alike.
//!
//! The messages of a runtime begin with what all of them have in common ("Exception from ...", a source file, the
//! signature of a C++ function), and end with what differs. So the whole message counts, up to a limit, but without the
//! particulars of the case: numbers, extents, types of tensors, addresses and paths of temporary files.

use std::sync::LazyLock;

use plumbline_graph::Refusal;
use regex::Regex;

/// A class is cut after this many bytes: longer messages usually repeat the model.
const LONGEST: usize = 1000;

/// At most this many bytes of a message are read.
const LONGEST_MESSAGE: usize = 4 * LONGEST;

/// Returns the class of a message.
pub fn class(message: &str) -> String {
    static PATTERNS: LazyLock<[(Regex, &str); 15]> = LazyLock::new(|| {
        [
            (r"(?:\x1b|\\u\{1b\})\[[0-9;?]*[A-Za-z]", ""),
            (r#"[^ \n'"(]*/registry/src/[^/ \n]+/|/rustc/[0-9a-f]+/"#, ""),
            (r#"(?:/private)?/(?:(?:var/)?tmp|var/folders/[^/ \n]+/[^/ \n]+/T)/[^ \n'"`:,;)]*"#, "#"),
            (r#"[A-Za-z]:\\[^ \n'":]*\\Temp\\[^ \n'"`:,;)]*"#, "#"),
            (r"tensor\([a-z0-9]+\)", "tensor(T)"),
            // A list of all types that an operator takes, in any order.
            (r"(?:[a-z_]+\()*tensor\(T\)\)*(?:, ?(?:[a-z_]+\()*tensor\(T\)\)*){3,}", "tensor(T)"),
            // Here OpenVINO describes the node and its inputs, which are particulars of the case.
            (r"validating node '[^']*'", "validating node"),
            (r"<Node\(([A-Za-z0-9_]+)\): [^>]*>", "<Node($1)>"),
            // Drops the sign of a number, and puts `#` in place of every word that contains a digit: names of nodes,
            // hexadecimal addresses, `float16`.
            (r"(^|[ \n\t(\[{,=:])[-+]([0-9])", "$1$2"),
            (r"[0-9]+(?:\.[0-9]+)*[eE][-+]?[0-9]+|[A-Za-z0-9_]*[0-9][A-Za-z0-9_]*(?:\.[0-9][A-Za-z0-9_]*)*", "#"),
            (r"[ \r\n\t]+", " "),
            // The length of a list differs from case to case, so every list becomes a single `#`.
            (LIST, "#"),
            (r"[\[{] ?#? ?,? ?[\]}]", "#"),
            (r"\( ?# ?,? ?\)", "#"),
            (LIST, "#"),
        ]
        .map(|(pattern, mask)| (Regex::new(pattern).expect("the pattern is a regular expression"), mask))
    });
    let message = message[..message.floor_char_boundary(LONGEST_MESSAGE)].to_owned();
    let mask = |text: String, (pattern, mask): &(Regex, &str)| pattern.replace_all(&text, *mask).into_owned();
    let mut text = PATTERNS.iter().fold(message, mask);
    text.truncate(text.floor_char_boundary(LONGEST));
    text
}

/// Returns whether two refusals have the same class.
pub fn is_alike(one: &Refusal, other: &Refusal) -> bool {
    class(&one.to_string()) == class(&other.to_string())
}

/// Matches a list of masked numbers with its separators.
const LIST: &str = r"#(?:(?: ?[,x;:*/] ?| )#)+";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_after_a_long_common_beginning_counts() {
        let message = |end: &str| {
            format!(
                "Exception from src/inference/src/core.cpp:103:\nCheck 'false' failed at src/frontends/frontend.cpp:{}:\n{}{end}",
                end.len(),
                "FrontEnd API failed with OpConversionFailure: ".repeat(4)
            )
        };
        let (axis, mode) = (message("the axis is out of range"), message("the mode is unknown"));
        assert_ne!(class(&axis), class(&mode));
        assert_eq!(class(&axis), class(&message("the axis is out of\nrange")));
    }

    #[test]
    fn numbers_extents_and_element_types_do_not_count() {
        let of = |extents: &str, number: &str, dtype: &str| {
            class(&format!("expected {{{extents}}} (tensor({dtype})), got index {number} at 0x7f{}", number.len()))
        };
        assert_eq!(of("2,3,4", "5", "float"), of("7", "-12.5e-3", "bfloat16"));
        assert_eq!(of("2,3,4", "5", "float"), of("", "5", "float"));
        assert_eq!(
            class("inferred types: seq(tensor(int8)),tensor(bool),tensor(float),seq(tensor(float16))"),
            class("inferred types: tensor(float),seq(tensor(int8)),tensor(double),tensor(int64),tensor(bool)")
        );
        assert_eq!(class("shapes 2x3 and [4, 5]"), class("shapes 2x3x9 and [4]"));
        assert_ne!(class("index 2 in list"), class("index 2 in map"));
        let node = |name: &str, dump: &str| {
            class(&format!(
                "While validating ONNX node '<Node(DFT): {name}>': While validating node '{dump}': axis -1 is out of range"
            ))
        };
        assert_eq!(
            node("Y", "opset14::DFT DFT_12 (Parameter X[0]:f32) -> (dynamic)"),
            node("Y, Z", "opset7::IDFT IDFT_7 (Concat Concat_8[0]:f16, Constant C9[0]:i64) -> ([...])")
        );
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        // The character has three bytes, and the limits are not multiples of three.
        assert_eq!(class(&"€".repeat(10_000)).len(), LONGEST - LONGEST % 3);
    }
}
