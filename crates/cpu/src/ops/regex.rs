//! Translates patterns of RE2 to patterns of the `regex` crate. The syntaxes differ in the Perl classes, which are
//! ASCII in RE2, in nested brackets, in literal text, and in the repetitions that are refused.

use regex::bytes::Regex;

use plumbline_graph::Refusal;

const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

/// Returns an expression that matches a string if the pattern matches the whole string.
pub fn whole(pattern: &str) -> Result<Regex, Refusal> {
    let mut reader = Reader { rest: pattern, out: String::new() };
    let mut repeated = false;
    while !reader.rest.is_empty() {
        let repeats = reader.repetition()?;
        if repeats && repeated {
            return Err(wrong(pattern));
        }
        if !repeats {
            reader.one()?;
        }
        repeated = repeats;
    }
    Regex::new(&format!(r"\A(?:{})\z", reader.out)).map_err(|_| wrong(pattern))
}

fn wrong(pattern: &str) -> Refusal {
    Refusal::invalid(format!("{pattern:?} is not a valid regular expression"))
}

struct Reader<'p> {
    rest: &'p str,
    out: String,
}

impl<'p> Reader<'p> {
    /// Takes the next `count` bytes.
    fn take(&mut self, count: usize) -> &'p str {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    /// Copies a repetition if one comes next. Returns whether there is one.
    fn repetition(&mut self) -> Result<bool, Refusal> {
        let length = match self.rest.as_bytes() {
            [b'*' | b'+' | b'?', ..] => 1,
            [b'{', ..] => match self.rest.find('}').filter(|&end| counts(&self.rest[1..end])) {
                Some(end) => end + 1,
                None => return Ok(false),
            },
            _ => return Ok(false),
        };
        let taken = self.take(length);
        let numbers = taken.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
        if numbers.map(str::parse::<u32>).any(|number| number.map_or(true, |number| number > 1000)) {
            return Err(wrong(taken));
        }
        self.out.push_str(taken);
        if self.rest.starts_with('?') {
            self.plain();
        }
        Ok(true)
    }

    /// Translates one item that may be repeated, or a part of such an item.
    fn one(&mut self) -> Result<(), Refusal> {
        if let Some(literal) = self.rest.strip_prefix(r"\Q") {
            let (literal, rest) = literal.split_once(r"\E").unwrap_or((literal, ""));
            self.out.push_str(&regex::escape(literal));
            self.rest = rest;
            return Ok(());
        }
        match self.rest.as_bytes() {
            [b'\\', ..] => self.escape(),
            [b'[', ..] => self.class(),
            [b'(', b'?', ..] => self.flags(),
            [b'{', ..] => {
                self.take(1);
                self.out.push_str(r"\{");
                Ok(())
            }
            _ => {
                self.plain();
                Ok(())
            }
        }
    }

    fn plain(&mut self) {
        let length = self.rest.chars().next().map_or(0, char::len_utf8);
        let taken = self.take(length);
        self.out.push_str(taken);
    }

    fn flags(&mut self) -> Result<(), Refusal> {
        let length = 2 + self.rest[2..].find(|c: char| c != '-' && !c.is_alphabetic()).unwrap_or(0);
        let taken = self.take(length);
        self.out.push_str(taken);
        if taken[2..].chars().all(|flag| "imsUP-".contains(flag)) { Ok(()) } else { Err(wrong(taken)) }
    }

    fn escape(&mut self) -> Result<(), Refusal> {
        let Some(escaped) = self.rest[1..].chars().next() else { return Err(wrong(r"\")) };
        let class = match escaped {
            'd' => "[0-9]",
            'D' => "[^0-9]",
            's' => r"[\t\n\f\r ]",
            'S' => r"[^\t\n\f\r ]",
            'w' => "[0-9A-Za-z_]",
            'W' => "[^0-9A-Za-z_]",
            'b' => r"(?-u:\b)",
            'B' => r"(?-u:\B)",
            '0'..='7' | 'C' => {
                return Err(Refusal::unsupported(
                    "octal escapes, backreferences and \\C in patterns are not implemented",
                ));
            }
            _ => "",
        };
        let mut length = 1 + escaped.len_utf8();
        if "xpP".contains(escaped) && self.rest[length..].starts_with('{') {
            length = self.rest.find('}').ok_or_else(|| wrong(self.rest))? + 1;
        }
        let taken = self.take(length);
        self.out.push_str(if class.is_empty() { taken } else { class });
        Ok(())
    }

    /// Translates a class in brackets.
    fn class(&mut self) -> Result<(), Refusal> {
        let start = self.rest;
        let length =
            ["[^]", "[]", "[^", "["].iter().find(|open| start.starts_with(**open)).map_or(1, |open| open.len());
        let taken = self.take(length);
        self.out.push_str(&taken.replace(']', r"\]"));
        loop {
            match self.rest.as_bytes() {
                [] => return Err(wrong(start)),
                [b']', ..] => {
                    self.plain();
                    return Ok(());
                }
                [b'\\', ..] => self.escape()?,
                [b'[', b':', ..] if self.rest.contains(":]") => {
                    let taken = self.take(self.rest.find(":]").unwrap_or(0) + 2);
                    if !POSIX.contains(&taken[2..taken.len() - 2].trim_start_matches('^')) {
                        return Err(wrong(taken));
                    }
                    self.out.push_str(taken);
                }
                [b'-', b'-', ..] => {
                    return Err(Refusal::unsupported("two hyphens in a character class are not implemented"));
                }
                [b'[' | b'&' | b'~', ..] => {
                    self.out.push('\\');
                    self.plain();
                }
                _ => self.plain(),
            }
        }
    }
}

/// Returns whether braces with this content are a repetition. Otherwise they are literal text.
fn counts(inside: &str) -> bool {
    let (least, most) = inside.split_once(',').unwrap_or((inside, ""));
    !least.is_empty() && [least, most].iter().all(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn patterns_are_read_as_re2_reads_them() {
        let matches = |pattern: &str, text: &str| whole(pattern).expect(pattern).is_match(text.as_bytes());
        assert!(matches(r"\d+", "12") && !matches(r"\d", "\u{0663}"));
        assert!(matches(r"\W", "é") && matches(r"[^\W]", "_"));
        assert!(matches("a{,2}", "a{,2}") && !matches("a{,2}", "aa"));
        assert!(matches("[[&]+", "[&") && matches("[]a-]+", "a]-") && matches("[^]]", "a"));
        assert!(matches(r"\Qa.b\E+", "a.bb") && !matches(r"\Qa.b\E", "aXb"));
        assert!(matches(r"(?i)a{1,3}?", "aA") && matches(r"[\x{62}\p{Greek}]*", "bα"));
    }

    #[test]
    fn invalid_patterns_are_rejected() {
        for pattern in ["(", "a**", "*a", "[b-a]", "(?=a)b", "a{1001}", r"\Z", "a)", "[a", r"\", "[[:foo:]]", "(?x)a"] {
            assert!(whole(pattern).is_err(), "{pattern}");
        }
    }
}
