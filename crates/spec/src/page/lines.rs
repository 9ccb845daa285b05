//! Splits a page into lines, and removes what differs between the forms of a page: entities, markup and pilcrows.

/// A line that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line number, from 1.
    pub number: usize,
    /// The number of spaces at the start.
    pub indent: usize,
    /// The text without entities and without a trailing pilcrow. It still has its markup.
    pub text: String,
}

/// Returns the lines of a page that are not empty.
pub fn lines(page: &str) -> Vec<Line> {
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
pub fn plain(text: &str) -> String {
    let text = text.replace("**", "").replace('`', "");
    text.trim_start_matches('#').trim_end_matches('#').trim().to_owned()
}

/// Returns the text of a list item, if the line is one.
pub fn bullet(text: &str) -> Option<&str> {
    let rest = ["*", "-", "•", "◦", "‣"].iter().find_map(|mark| text.strip_prefix(mark))?;
    rest.starts_with(' ').then(|| rest.trim_start())
}

/// Resolves numeric HTML entities and the named ones that occur on pages. Leaves all other text as it is.
fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        result.push_str(&rest[..start]);
        rest = &rest[start..];
        let resolved = rest.find(';').and_then(|end| Some((entity(&rest[1..end])?, end + 1)));
        let (character, length) = resolved.unwrap_or(('&', 1));
        result.push(character);
        rest = &rest[length..];
    }
    result + rest
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_unescaped() {
        assert_eq!(unescape("a &lt;b&gt; &#34;c&#x22; &amp;lt; d"), "a <b> \"c\" &lt; d");
        assert_eq!(unescape("a & b && c; &; &nosuch; &#99999999;"), "a & b && c; &; &nosuch; &#99999999;");
        assert_eq!(unescape("ü &é; &"), "ü &é; &");
    }

    #[test]
    fn markup_is_removed() {
        assert_eq!(plain("### Type Constraints"), "Type Constraints");
        assert_eq!(plain("**T** in (`tensor(bool)`)"), "T in (tensor(bool))");
        assert_eq!(bullet("• X - T:"), Some("X - T:"));
        assert_eq!(bullet("**Inputs**"), None);
        assert_eq!(bullet("-"), None);
        assert_eq!(
            lines("a\n\n  b¶ \n").iter().map(|line| (line.number, line.indent)).collect::<Vec<_>>(),
            [(1, 0), (3, 2)]
        );
    }
}
