//! Makes the text of a backend safe to keep and to print.

/// The number of bytes that [`plain`] keeps of a text. Without this limit, a message of 50 MB would fill results and
/// reports.
pub(crate) const MOST_BYTES: usize = 16 << 10;

/// Makes a text of a backend safe: returns the first [`MOST_BYTES`] bytes of the text as UTF-8, in which control
/// characters are escaped (`\u{1b}`), because a terminal would obey them. Newlines and tabs stay, and `\r\n` becomes
/// `\n`. Codes that only set a colour are removed. A text that is cut off says how long it was.
pub(crate) fn plain(text: &[u8]) -> String {
    let mut end = text.len().min(MOST_BYTES);
    // If the cut is inside a character, moves it to the start of that character. All bytes of a character except the
    // first are 0b10xxxxxx.
    while end < text.len() && end > 0 && text[end] & 0xc0 == 0x80 {
        end -= 1;
    }
    let kept = String::from_utf8_lossy(&text[..end]);
    let mut plain = String::with_capacity(kept.len());
    let mut rest = kept.as_ref();
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if let ('\x1b', Some(after)) = (c, without_colour(rest)) {
            rest = after;
        } else if c == '\r' && rest.starts_with('\n') {
            // The newline that follows is enough.
        } else if c.is_control() && c != '\n' && c != '\t' {
            plain.extend(c.escape_debug());
        } else {
            plain.push(c);
        }
    }
    if end < text.len() {
        plain.push_str(&format!(" ... (the first {end} of {} bytes)", text.len()));
    }
    plain
}

/// Returns what follows a code that sets a colour (`[1;31m`, after an ESC); `None` if the text does not start with such
/// a code.
fn without_colour(text: &str) -> Option<&str> {
    text.strip_prefix('[')?.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').strip_prefix('m')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(
            plain(b"\x1b[2Jclear, \x1b]0;title\x07, \0, \x1b"),
            "\\u{1b}[2Jclear, \\u{1b}]0;title\\u{7}, \\0, \\u{1b}"
        );
        assert_eq!(plain("C1: \u{9b}31m".as_bytes()), "C1: \\u{9b}31m");
        assert_eq!(plain(b"over\rwritten"), "over\\rwritten");
    }

    #[test]
    fn text_stays_and_its_colour_codes_are_removed() {
        let text = "two lines\n\tof 'text' with \\ and \"\u{e9}\u{1f600}\"";
        assert_eq!(plain(text.as_bytes()), text);
        assert_eq!(plain(b"of Windows\r\nnext"), "of Windows\nnext");
        assert_eq!(plain(b"\x1b[1;31mred\x1b[m, not \xff"), "red, not \u{fffd}");
    }

    #[test]
    fn long_text_is_cut_and_says_how_long_it_was() {
        let text = plain(&vec![b'x'; 50 << 20]);
        assert!(text.ends_with("x ... (the first 16384 of 52428800 bytes)"), "{}", &text[16000..]);
        let text = "\u{20ac}".repeat(MOST_BYTES);
        assert!(plain(text.as_bytes()).ends_with("\u{20ac} ... (the first 16383 of 49152 bytes)"));
        assert_eq!(plain(&vec![b'x'; MOST_BYTES]).len(), MOST_BYTES);
    }
}
