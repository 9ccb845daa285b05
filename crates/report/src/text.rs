//! Shows hidden characters of text from outside, shortens and quotes such text, and formats numbers.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Returns whether a character is invisible, or changes how other characters are shown: control characters (except
/// newline and tab), directional and other format characters, and characters that XML forbids.
fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        _ if c.is_control() => true,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

/// Returns where the first hidden character of a text starts.
fn find_hidden(text: &str) -> Option<usize> {
    // Most texts are ASCII, which needs no decoding. A loop without iterators is fast even if nothing is optimized.
    let (bytes, mut at) = (text.as_bytes(), 0);
    while at < bytes.len() && matches!(bytes[at], b' '..=b'~' | b'\n' | b'\t') {
        at += 1;
    }
    text[at..].find(is_hidden).map(|after| at + after)
}

/// Writes `text` with hidden characters spelled out. ASCII's control characters (except newline and tab) become their
/// pictures (␀, ␛), and others become escapes like `\u{202e}`.
pub(crate) fn write_visible(out: &mut impl Write, text: &str) -> std::fmt::Result {
    let mut rest = text;
    while let Some(at) = find_hidden(rest) {
        out.write_str(&rest[..at])?;
        let c = rest[at..].chars().next().expect("`at` is the start of a character");
        match c {
            '\0'..='\u{1f}' => out.write_char(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'))?,
            '\u{7f}' => out.write_char('\u{2421}')?,
            _ => write!(out, "\\u{{{:x}}}", u32::from(c))?,
        }
        rest = &rest[at + c.len_utf8()..];
    }
    out.write_str(rest)
}

/// Returns what [`write_visible`] writes.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    write_visible(&mut out, text).expect("writing to a string does not fail");
    out
}

/// Returns [`visible`] text on one line: newlines and tabs become pictures too.
pub(crate) fn visible_line(text: &str) -> String {
    visible(text).replace('\n', "\u{240a}").replace('\t', "\u{2409}")
}

/// Returns the longest prefix of `text` that has at most `max_bytes` and ends between characters.
fn head(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}

/// Cuts text that is longer than `max_bytes`, and appends how much is missing.
pub(crate) fn shorten(text: &str, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let head = head(text, max_bytes);
    format!("{head}… ({} more bytes)", text.len() - head.len())
}

/// Returns the FNV-1a hash of a text, which is the same on every machine.
pub(crate) fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Cuts a name that is longer than `max_bytes`. What is cut off is replaced by the FNV-1a hash of the whole name, so
/// that different names stay different.
pub(crate) fn shorten_key(text: String, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text;
    }
    format!("{}…{:016x}", head(&text, max_bytes), fnv(&text))
}

/// Replaces the numbers in a message, which may differ between cases: `[2, 3]` and `7` become `[…]` and `…`. Digits in
/// a name (`int64`) stay.
pub(crate) fn without_numbers(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let starts_word = !out.ends_with(is_word);
        let unsigned = rest.strip_prefix('-').filter(|_| starts_word).unwrap_or(rest);
        if starts_word && unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            let inside = |c: char| is_word(c) || c == '.';
            let number = unsigned.split(|c| !inside(c)).next().unwrap_or(unsigned);
            // A full stop after the number ends the sentence, and is not part of the number.
            rest = &unsigned[number.trim_end_matches('.').len()..];
            match out.strip_suffix("…, ").map(str::len) {
                Some(length) => out.truncate(length + '…'.len_utf8()),
                None => out.push('…'),
            }
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// Formats a count with narrow no-break spaces between groups of three digits: `1 234 567`.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// Formats a count in at most four characters if it is below a trillion: `999`, `1.2k`, `12k`, `3.4M`. It rounds down,
/// so that it never shows more than the count.
pub(crate) fn compact(count: u64) -> String {
    let (unit, suffix) = match count {
        0..1_000 => return count.to_string(),
        1_000..1_000_000 => (1_000, "k"),
        1_000_000..1_000_000_000 => (1_000_000, "M"),
        _ => (1_000_000_000, "G"),
    };
    let tenths = count / (unit / 10);
    if tenths < 100 { format!("{}.{}{suffix}", tenths / 10, tenths % 10) } else { format!("{}{suffix}", count / unit) }
}

/// Formats a distance in ULP: `0`, `0.5`, `12`, `3e6`. It rounds up, so that it never shows less than the distance.
pub(crate) fn ulp(distance: f64) -> String {
    if distance.is_infinite() {
        "∞".to_owned()
    } else if distance < 10.0 {
        let text = format!("{:.1}", (distance * 10.0).ceil() / 10.0);
        text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
    } else if distance < 10_000.0 {
        format!("{:.0}", distance.ceil())
    } else {
        let exponent = distance.log10().floor();
        let mantissa = (distance / 10f64.powf(exponent)).ceil();
        if mantissa >= 10.0 { format!("1e{}", exponent + 1.0) } else { format!("{mantissa}e{exponent}") }
    }
}

/// Quotes an argument of a POSIX shell's command line if necessary.
pub(crate) fn shell_quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

/// Formats a binding of type variables: `T=float16`, `T1=float T2=int64`. The text is empty for an operator without
/// type variables.
pub fn types_text(types: &BTreeMap<String, String>) -> String {
    types.iter().map(|(variable, bound)| format!("{variable}={bound}")).collect::<Vec<_>>().join(" ")
}

/// Returns whether a count is zero, so that it is left out.
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Names the invalid cases that a backend may answer, because it declares that it does not check what they violate.
pub fn unchecked(count: u64) -> String {
    let cases = if count == 1 { "case" } else { "cases" };
    format!("{} invalid {cases} whose violation it declares not to check", grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_shown() {
        assert_eq!(visible("a\0b\u{1b}[31m\u{7f}\r\n\tä"), "a␀b␛[31m␡␍\n\tä");
        assert_eq!(visible("x\u{202e}y\u{200b}\u{85}\u{ffff}"), "x\\u{202e}y\\u{200b}\\u{85}\\u{ffff}");
        assert_eq!(visible_line("a\n\tb"), "a␊␉b");
        for code in 0..=0x10_ffff {
            let Some(c) = char::from_u32(code) else { continue };
            assert!(!visible(&c.to_string()).contains(is_hidden), "U+{code:04X}");
        }
    }

    #[test]
    fn text_is_cut_between_characters_and_names_stay_distinct() {
        assert_eq!(shorten("äöü", 6), "äöü");
        assert_eq!(shorten("äöü", 3), "ä… (4 more bytes)");
        let (one, other) = (shorten_key("x".repeat(99) + "1", 10), shorten_key("x".repeat(99) + "2", 10));
        assert_ne!(one, other);
        assert!(one.len() < 40 && one.starts_with("xxxxxxxxxx…"));
    }

    #[test]
    fn messages_lose_only_their_numbers() {
        for (text, pattern) in [
            ("no kernel for int64 at opset 13.", "no kernel for int64 at opset …."),
            ("Inputs were (tensor(i8) [3, 1, 7], tensor(i8) [5])", "Inputs were (tensor(i8) […], tensor(i8) […])"),
            ("axis -1 of rank-3, 0x7f80 1.5e9, 2", "axis … of rank-… …"),
            ("ä 1ö", "ä …"),
            ("C2 x_1 1.23.2", "C2 x_1 …"),
            ("", ""),
            ("-", "-"),
        ] {
            assert_eq!(without_numbers(text), pattern);
        }
    }

    #[test]
    fn numbers_are_short_and_distances_are_not_rounded_down() {
        let counts = [(0, "0"), (999, "999"), (1_000, "1.0k"), (1_999, "1.9k"), (99_999, "99k"), (999_999, "999k")];
        for (count, text) in counts {
            assert_eq!(compact(count), text);
        }
        assert_eq!(compact(u64::MAX), "18446744073G");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(12), "12");
        let distances = [
            (0.0, "0"),
            (0.5, "0.5"),
            (0.001, "0.1"),
            (3.0, "3"),
            (9.99, "10"),
            (10.2, "11"),
            (9_999.0, "9999"),
            (10_000.0, "1e4"),
            (2_500_000.0, "3e6"),
            (9_900_000.0, "1e7"),
            (f64::INFINITY, "∞"),
        ];
        for (distance, text) in distances {
            assert_eq!(ulp(distance), text);
        }
    }

    #[test]
    fn a_quoted_text_is_one_argument_for_the_shell() {
        assert_eq!(shell_quoted("Min-13/T=float16/s:1"), "Min-13/T=float16/s:1");
        assert_eq!(shell_quoted("a b;'$(rm)"), r"'a b;'\''$(rm)'");
        assert_eq!(shell_quoted(""), "''");
    }
}
