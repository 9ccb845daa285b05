//! Splits a page into lines, and removes what differs between the forms of a page: entities, markup and pilcrows.

use super::pattern;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A line that is not empty.
pub(super) struct Line {
    /// The line number, from 1.
    pub number: usize,
    /// The number of spaces at the start.
    pub indent: usize,
    /// The text without entities and without a trailing pilcrow. It still has its markup.
    pub text: String,
}

/// Returns the lines of a page that are not empty.
pub(super) fn lines(page: &str) -> Vec<Line> {
    let number = page.lines().enumerate();
    number
        .filter_map(|(index, line)| {
            let line = unescape(line).replace(['\u{a0}', '\t'], " ");
            let text = line.trim().trim_start_matches('\u{feff}');
            let indent = line.len() - line.trim_start().len();
            let text = text.trim_end_matches(['¶', '\u{f0c1}']).trim_end().to_owned();
            (!text.is_empty()).then_some(Line { number: index + 1, indent, text })
        })
        .collect()
}

/// Removes the marks of bold, code and headings: `**T**`, `` `T` ``, `## T`, `T#`.
pub(super) fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "").trim_matches('#').trim().to_owned()
}

/// Returns the text of a list item, if the line is one.
pub(super) fn bullet(text: &str) -> Option<&str> {
    Some(text.strip_prefix(['*', '-', '•', '◦', '‣'])?.strip_prefix(' ')?.trim_start())
}

/// Resolves numeric HTML entities and the named ones that occur on pages. Leaves all other text as it is.
fn unescape(text: &str) -> String {
    static ENTITY: LazyLock<Regex> =
        LazyLock::new(|| pattern("&(?:#([0-9]+)|#[xX]([0-9a-fA-F]+)|(lt|gt|amp|quot|apos|nbsp));"));
    let resolve = |found: &Captures| {
        let code =
            |index: usize, radix| found.get(index).and_then(|code| u32::from_str_radix(code.as_str(), radix).ok());
        let name = found.get(3).map(|name| match name.as_str() {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            _ => ' ',
        });
        let character = name.or_else(|| char::from_u32(code(1, 10).or(code(2, 16))?));
        character.map_or(found[0].to_owned(), String::from)
    };
    ENTITY.replace_all(text, resolve).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_and_markup_are_removed() {
        assert_eq!(unescape("a &lt;b&gt; &#34;c&#x22; &amp;lt; d"), "a <b> \"c\" &lt; d");
        assert_eq!(unescape("a & b && c; &; &nosuch; &#99999999;"), "a & b && c; &; &nosuch; &#99999999;");
        assert_eq!(unescape("ü &é; &"), "ü &é; &");
        assert_eq!(plain("### Type Constraints"), "Type Constraints");
        assert_eq!(plain("**T** in (`tensor(bool)`)"), "T in (tensor(bool))");
        assert_eq!(["• X - T:", "**Inputs**", "-"].map(bullet), [Some("X - T:"), None, None]);
        let found: Vec<_> = lines("a\n\n  b¶ \n").iter().map(|line| (line.number, line.indent)).collect();
        assert_eq!(found, [(1, 0), (3, 2)]);
    }
}
