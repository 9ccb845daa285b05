//! Translates regular expressions of RE2 to those of the `regex` crate. The two are close relatives: both match in
//! linear time, without backreferences and lookaround. They differ in the Perl classes (RE2's are ASCII), in escapes,
//! and in what they reject. The source is RE2's page on syntax, and RE2 itself where the page says nothing.

// Over 400 lines: the translation stands beside the tests of what RE2 accepts and rejects.

use std::iter::Peekable;
use std::str::Chars;

use plumbline_spec::rule;
use regex::bytes::Regex;

use crate::Refusal;

/// The largest count of a repetition. The product of the counts of nested repetitions must not be larger, either.
const MOST_REPETITIONS: u32 = 1000;

/// The names of the POSIX classes.
const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

/// Returns an expression that matches exactly those strings that the pattern of RE2 matches as a whole.
///
/// # Errors
/// The pattern is not valid in RE2, or the `regex` crate rejects its translation (`pattern-valid`).
pub fn whole(pattern: &str) -> Result<Regex, Refusal> {
    let compile = |translated: String| {
        let whole = format!(r"\A(?:{translated})\z");
        Regex::new(&whole).map_err(|e| e.to_string().lines().last().unwrap_or_default().to_owned())
    };
    let refuse = |reason| Refusal::violates(rule::PATTERN_VALID, format!("{pattern:?}: {reason}"));
    Translation::translate(pattern).and_then(compile).map_err(refuse)
}

struct Translation<'p> {
    rest: Peekable<Chars<'p>>,
    out: String,
    /// Whether there is something that a repetition could repeat.
    atom: bool,
    /// Whether a repetition has just been read. Another one must not follow.
    repeated: bool,
    /// The largest product of nested counts within the part of the pattern that the next repetition would repeat.
    product: u32,
    /// The largest such product so far in each group that is open, the innermost one last.
    groups: Vec<u32>,
}

impl Translation<'_> {
    fn translate(pattern: &str) -> Result<String, String> {
        let rest = pattern.chars().peekable();
        let mut this =
            Translation { rest, out: String::new(), atom: false, repeated: false, product: 1, groups: vec![] };
        while let Some(c) = this.rest.next() {
            this.next(c)?;
        }
        Ok(this.out)
    }

    /// Adds the translation of something that may be repeated.
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        (self.atom, self.repeated, self.product) = (true, false, 1);
    }

    fn literal(&mut self, c: char) {
        self.push(&regex::escape(&c.to_string()));
    }

    fn next(&mut self, c: char) -> Result<(), String> {
        match c {
            '\\' => self.escape(),
            '[' => self.class(),
            '(' => self.group(),
            '|' => {
                self.out.push('|');
                (self.atom, self.repeated) = (false, false);
                Ok(())
            }
            '*' | '+' | '?' => self.repetition(&c.to_string()),
            '{' => match self.counts() {
                Some((counts, most)) => {
                    self.repetition(&counts)?;
                    self.multiply(most)
                }
                None => {
                    self.literal('{');
                    Ok(())
                }
            },
            ')' => {
                let product = self.groups.pop().ok_or("a parenthesis closes no group")?;
                self.push(")");
                self.multiply(product)
            }
            '.' | '^' | '$' => {
                self.push(&c.to_string());
                Ok(())
            }
            other => {
                self.literal(other);
                Ok(())
            }
        }
    }

    /// Adds a repetition, greedy or not. A repetition cannot directly follow another one.
    fn repetition(&mut self, how: &str) -> Result<(), String> {
        if self.repeated {
            return Err(format!("{how} directly follows another repetition"));
        }
        if !self.atom {
            return Err(format!("there is nothing to repeat before {how}"));
        }
        self.out.push_str(how);
        if self.rest.next_if_eq(&'?').is_some() {
            self.out.push('?');
        }
        self.repeated = true;
        Ok(())
    }

    /// Multiplies `product` by a count. If the result is larger than the product of the innermost open group, it
    /// becomes that group's product.
    fn multiply(&mut self, count: u32) -> Result<(), String> {
        // RE2 ignores a count of 0.
        self.product *= count.max(1);
        if self.product > MOST_REPETITIONS {
            return Err(format!("nested repetitions have a product above {MOST_REPETITIONS}"));
        }
        if let Some(group) = self.groups.last_mut() {
            *group = self.product.max(*group);
        }
        Ok(())
    }

    /// Reads `{2}`, `{2,}` or `{2,3}` after the opening brace, and returns it with the higher of its counts. Returns
    /// `None` for anything else, which is not a repetition.
    fn counts(&mut self) -> Option<(String, u32)> {
        let ahead: String = self.rest.clone().take_while(|c| *c != '}').collect();
        let closed = self.rest.clone().nth(ahead.chars().count()) == Some('}');
        let (low, high) = ahead.split_once(',').unwrap_or((&ahead, &ahead));
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !closed || !digits(low) || !(high.is_empty() || digits(high)) {
            return None;
        }
        let count = |s: &str| s.parse::<u32>().ok().filter(|n| *n <= MOST_REPETITIONS);
        let (least, most) = (count(low), if high.is_empty() { count(low) } else { count(high) });
        for _ in 0..=ahead.chars().count() {
            self.rest.next();
        }
        match (least, most) {
            (Some(least), Some(most)) if least <= most => Some((format!("{{{ahead}}}"), most)),
            // RE2 rejects all other counts, but the crate accepts some of them. `{2,1}`, which both reject, takes
            // their place.
            _ => Some(("{2,1}".to_owned(), 1)),
        }
    }

    /// Reads what follows an opening parenthesis: a name, flags, or nothing.
    fn group(&mut self) -> Result<(), String> {
        if self.rest.next_if_eq(&'?').is_none() {
            self.begin_group("(");
            return Ok(());
        }
        let named = self.rest.next_if_eq(&'P').is_some();
        if named || self.rest.peek() == Some(&'<') {
            let name: String = self.rest.by_ref().take_while(|c| *c != '>').collect();
            let name = name.strip_prefix('<').ok_or("a group has no name")?;
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(word) {
                return Err(format!("a group has the name {name:?}, expected letters, digits and underscores"));
            }
            // The names themselves do not matter, but a duplicate name is an error, which the crate reports.
            self.begin_group(&format!("(?P<n{name}>"));
            return Ok(());
        }
        let mut flags = String::new();
        for c in self.rest.by_ref() {
            flags.push(c);
            if c == ':' || c == ')' {
                break;
            }
        }
        let body = flags.trim_end_matches([':', ')']);
        let known = body.chars().all(|c| "imsU-".contains(c)) && body.matches('-').count() < 2 && !body.ends_with('-');
        if !known || flags.len() != body.len() + 1 {
            return Err(format!("(?{flags} does not begin a group"));
        }
        match flags.as_str() {
            // RE2 accepts `(?)`, which sets no flag. The crate does not.
            ")" => {}
            _ if flags.ends_with(':') => self.begin_group(&format!("(?{flags}")),
            _ => {
                self.out.push_str(&format!("(?{flags}"));
                (self.atom, self.repeated) = (false, false);
            }
        }
        Ok(())
    }

    /// Begins a group.
    fn begin_group(&mut self, text: &str) {
        self.out.push_str(text);
        (self.atom, self.repeated) = (false, false);
        self.groups.push(1);
    }

    /// Reads up to the next `end` and returns what is before it. Returns `None` if there is no `end`.
    fn until(&mut self, end: char) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.rest.next()? {
                c if c == end => return Some(text),
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<(), String> {
        let c = self.rest.next().ok_or("the pattern ends with a backslash")?;
        match c {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => self.push(perl(c)),
            'b' | 'B' => self.push(&format!(r"(?-u:\{c})")),
            'A' | 'z' => self.push(&format!(r"\{c}")),
            'C' => self.push("(?s-u:.)"),
            'Q' => self.quoted(),
            'p' | 'P' => {
                let class = self.property(c)?;
                self.push(&class);
            }
            _ => {
                let literal = self.escaped(c)?;
                self.literal(literal);
            }
        }
        Ok(())
    }

    /// Reads up to `\E`; every character before it stands for itself.
    fn quoted(&mut self) {
        while let Some(c) = self.rest.next() {
            if c == '\\' && self.rest.next_if_eq(&'E').is_some() {
                return;
            }
            self.literal(c);
        }
    }

    /// Reads a Unicode class.
    fn property(&mut self, c: char) -> Result<String, String> {
        let first = self.rest.next().ok_or("a Unicode class has no name")?;
        if first != '{' {
            return Ok(format!(r"\{c}{{{first}}}"));
        }
        let name = self.until('}').ok_or("the name of a Unicode class is not closed")?;
        let (negated, name) = name.strip_prefix('^').map_or((false, name.as_str()), |rest| (true, rest));
        let c = if negated == (c == 'p') { 'P' } else { 'p' };
        match name.chars().all(|c| c.is_ascii_alphabetic() || c == '_') {
            true if name == "Any" => Ok(if c == 'p' { r"[\x{0}-\x{10FFFF}]".to_owned() } else { r"[a&&b]".to_owned() }),
            true => Ok(format!(r"\{c}{{{name}}}")),
            false => Err(format!("{name} is not a Unicode class")),
        }
    }

    /// Returns the character that an escape stands for.
    fn escaped(&mut self, c: char) -> Result<char, String> {
        let wrong = || format!(r"\{c} is no escape");
        match c {
            'a' => Ok('\x07'),
            'f' => Ok('\x0c'),
            't' => Ok('\t'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            'v' => Ok('\x0b'),
            'x' => {
                let digits = match self.rest.next_if_eq(&'{') {
                    Some(_) => self.until('}'),
                    None => Some(self.rest.by_ref().take(2).collect()).filter(|digits: &String| digits.len() == 2),
                };
                let digits = digits.ok_or_else(wrong)?;
                let hexadecimal = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit());
                let code = u32::from_str_radix(&digits, 16).ok().filter(|_| hexadecimal);
                code.and_then(char::from_u32).ok_or_else(wrong)
            }
            '0'..='7' => {
                let octal = |c: &char| c.is_digit(8);
                if c != '0' && !self.rest.peek().is_some_and(octal) {
                    return Err(wrong());
                }
                let mut code = c.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    if let Some(digit) = self.rest.next_if(octal) {
                        code = code * 8 + digit.to_digit(8).unwrap_or(0);
                    }
                }
                char::from_u32(code).ok_or_else(wrong)
            }
            c if c.is_ascii_punctuation() && c != '_' || c == ' ' => Ok(c),
            _ => Err(wrong()),
        }
    }

    /// Reads a class in brackets.
    fn class(&mut self) -> Result<(), String> {
        let mut class = String::from("[");
        if self.rest.next_if_eq(&'^').is_some() {
            class.push('^');
        }
        let mut first = true;
        loop {
            let c = self.rest.next().ok_or("a character class is not closed")?;
            match c {
                ']' if !first => break,
                '[' if self.rest.peek() == Some(&':') => class.push_str(&self.posix()?),
                '\\' => match self.rest.next().ok_or("a character class is not closed")? {
                    c @ ('d' | 'D' | 'w' | 'W' | 's' | 'S') => class.push_str(perl(c)),
                    c @ ('p' | 'P') => class.push_str(&self.property(c)?),
                    c => {
                        let low = self.escaped(c)?;
                        class.push_str(&self.range(low)?);
                    }
                },
                low => class.push_str(&self.range(low)?),
            }
            first = false;
        }
        self.push(&format!("{class}]"));
        Ok(())
    }

    /// Reads a character of a class, or a range that begins with it.
    fn range(&mut self, low: char) -> Result<String, String> {
        let mut ahead = self.rest.clone();
        let is_range = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']');
        if !is_range {
            return Ok(format!(r"\x{{{:x}}}", u32::from(low)));
        }
        self.rest.next();
        let high = match self.rest.next().ok_or("a character class is not closed")? {
            '\\' => {
                let c = self.rest.next().ok_or("a character class is not closed")?;
                self.escaped(c)?
            }
            c => c,
        };
        if high < low {
            return Err(format!("the range {low}-{high} is empty"));
        }
        Ok(format!(r"\x{{{:x}}}-\x{{{:x}}}", u32::from(low), u32::from(high)))
    }

    /// Reads a POSIX class after its first bracket. If the class does not end, the bracket stands for itself.
    fn posix(&mut self) -> Result<String, String> {
        let ahead: String = self.rest.clone().collect();
        let Some((inside, _)) = ahead[1..].split_once(":]") else { return self.range('[') };
        let name = inside.strip_prefix('^').unwrap_or(inside);
        if !POSIX.contains(&name) {
            return Err(format!("[:{name}:] is not a POSIX class"));
        }
        for _ in 0..inside.chars().count() + 3 {
            self.rest.next();
        }
        Ok(format!("[:{inside}:]"))
    }
}

/// Returns a Perl class, which knows only ASCII.
fn perl(c: char) -> &'static str {
    match c {
        'd' => "[0-9]",
        'D' => "[^0-9]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        's' => r"[\t\n\x0c\r ]",
        _ => r"[^\t\n\x0c\r ]",
    }
}

#[cfg(test)]
mod tests {
    use super::whole;

    fn matches(pattern: &str, text: &str) -> bool {
        whole(pattern).expect(pattern).is_match(text.as_bytes())
    }

    #[test]
    fn classes_of_perl_are_ascii_and_brackets_do_not_nest() {
        assert!(matches(r"\d+", "12") && !matches(r"\d", "\u{0663}") && matches(r"[^\W]", "_"));
        assert!(matches(r"\w+", "ab_1") && !matches(r"\w+", "é") && matches(r"\W", "é"));
        assert!(matches("[[a]", "[") && matches("[&&b]+", "&b&") && matches("[]a]+", "a]"));
        assert!(matches(r"[\d-]+", "1-2") && matches("[[:^alpha:]x]+", "1x") && !matches("[[:^alpha:]x]", "y"));
    }

    #[test]
    fn escapes_and_flags_are_read_as_re2_reads_them() {
        assert!(matches(r"\Qa.b\E+", "a.bb") && !matches(r"\Qa.b\E", "axb"));
        assert!(matches(r"\141\x62\x{63}", "abc") && matches(r"\<\-", "<-") && matches(r"\pL", "é"));
        assert!(matches("a{,2}", "a{,2}") && matches("a{2,3}?", "aa") && matches("a{b", "a{b"));
        assert!(matches(r"(?i)a{1,3}?", "aA") && matches(r"[\x{62}\p{Greek}]*", "bα"));
    }

    #[test]
    fn counts_of_nested_repetitions_multiply() {
        let text = "a".repeat(1000);
        for pattern in ["(a{100}){10}", "(?:(?:a{10}){10,}){10}", "(a{500}){0,2}", "(a{500}b{600})?(?)a{1000}"] {
            assert!(matches(pattern, &text), "{pattern}");
        }
        for pattern in ["(a{100}){11}", "((a{10}){10}b|c){11}", "(a{501,}){2}", "((a{1000})*){2}", "(a{0,600}){2,}"] {
            assert!(whole(pattern).is_err(), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_re2_rejects_are_rejected() {
        let repetitions = ["a**", "*a", "a|*", "a{1001}", "(?)*", "(?i)*"];
        let groups = ["(", "a)", "a)(b", "(?=a)", "(?x)a", "(?-)", "(?", "(?i", "(?:", "(?<n"];
        let classes = ["[b-a]", "[[:foo:]]", "[a", r"\p{Greek", r"[\p{Greek]", r"\p{}"];
        let escapes = [r"\1", r"\Z", r"\_", r"\", r"a\E", r"\x", r"\x6", r"[\x6]", r"\x{63", r"[\x{63]", r"\x{}"];
        for pattern in repetitions.iter().chain(&groups).chain(&classes).chain(&escapes) {
            assert!(whole(pattern).is_err(), "{pattern}");
        }
    }
}
