//! Reads the tokens of the syntax: identifiers, numbers, strings and punctuation. Builds errors with their place.

use super::SyntaxError;
use super::type_names::is_special_float;

pub(super) type Result<T> = std::result::Result<T, SyntaxError>;

/// How deep graphs and types may be nested. The decoder of the wire format refuses deeper models as well.
const DEPTH: usize = 64;

/// A text, and how far it has been read.
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Reads a whole text. What follows the message is an error.
    pub(super) fn whole<T>(text: &'a str, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let message = read(&mut reader)?;
        match reader.peek() {
            None => Ok(message),
            Some(_) => reader.expected("the end"),
        }
    }

    /// Returns an error at the next token.
    pub(super) fn error<T>(&mut self, reason: impl Into<String>) -> Result<T> {
        let place = self.place();
        self.error_at(place, reason)
    }

    /// Returns the place of the next token, for [`Reader::error_at`].
    pub(super) fn place(&mut self) -> usize {
        self.peek();
        self.at
    }

    /// Returns an error at a place of the text (see [`Reader::place`]).
    pub(super) fn error_at<T>(&self, at: usize, reason: impl Into<String>) -> Result<T> {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
        Err(SyntaxError { line, column, reason: reason.into() })
    }

    /// Returns an error that says what is expected, and which character stands there instead.
    pub(super) fn expected<T>(&mut self, what: &str) -> Result<T> {
        self.peek();
        match self.rest().chars().next() {
            Some(found) => self.error(format!("expected {what}, found `{}`", found.escape_debug())),
            None => self.error(format!("expected {what}, found the end")),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips spaces and comments, and returns the next byte.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let rest = self.rest();
            let spaces = rest.bytes().take_while(|b| b.is_ascii_whitespace() || *b == 0x0b).count();
            self.at += spaces;
            if !rest[spaces..].starts_with('#') {
                return rest.as_bytes().get(spaces).copied();
            }
            self.at += rest[spaces..].find('\n').unwrap_or(rest.len() - spaces);
        }
    }

    /// Skips the next character if it is `wanted`. Returns whether it was.
    pub(super) fn takes(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, wanted: u8) -> Result<()> {
        if self.takes(wanted) { Ok(()) } else { self.expected(&format!("`{}`", char::from(wanted))) }
    }

    /// Reads `=>`, which has no space inside.
    pub(super) fn arrow(&mut self) -> Result<()> {
        self.peek();
        if !self.rest().starts_with("=>") {
            return self.expected("`=>`");
        }
        self.at += 2;
        Ok(())
    }

    /// Reads items with commas between them, up to `close`. There may be no items.
    pub(super) fn items(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.takes(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.takes(b',') {
                break;
            }
        }
        if self.takes(close) { Ok(()) } else { self.expected(&format!("`,` or `{}`", char::from(close))) }
    }

    /// Reads a graph or a type, which may contain others. Returns an error if it is nested too deeply.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH {
            return self.error(format!("graphs and types are nested more than {DEPTH} times"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Returns the identifier that is next, without reading it.
    pub(super) fn peek_identifier(&mut self) -> Option<&'a str> {
        self.peek();
        let rest = self.rest();
        let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        Some(&rest[..length]).filter(|id| !id.is_empty() && !id.as_bytes()[0].is_ascii_digit())
    }

    pub(super) fn identifier_if_any(&mut self) -> Option<&'a str> {
        let id = self.peek_identifier()?;
        self.at += id.len();
        Some(id)
    }

    pub(super) fn identifier(&mut self, what: &str) -> Result<&'a str> {
        match self.identifier_if_any() {
            Some(id) => Ok(id),
            None => self.expected(what),
        }
    }

    /// Reads an identifier or a quoted name, if one is next.
    pub(super) fn name_if_any(&mut self) -> Result<Option<String>> {
        match self.peek() {
            Some(b'"') => self.string().map(Some),
            _ => Ok(self.identifier_if_any().map(str::to_owned)),
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Result<String> {
        match self.name_if_any()? {
            Some(name) => Ok(name),
            None => self.expected(what),
        }
    }

    /// Returns whether a string is next.
    pub(super) fn next_is_string(&mut self) -> bool {
        self.peek();
        self.rest().starts_with('"') || self.rest().starts_with("b\"")
    }

    /// Reads a quoted string. A backslash makes the character after it an ordinary one.
    pub(super) fn string(&mut self) -> Result<String> {
        if self.peek() != Some(b'"') {
            return self.expected("a string");
        }
        let mut string = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(string);
                }
                '\\' => string.extend(chars.next().map(|(_, c)| c)),
                c => string.push(c),
            }
        }
        self.error("the string has no end")
    }

    /// Reads a quoted string, or the bytes of `b"..."`.
    pub(super) fn bytes(&mut self) -> Result<Vec<u8>> {
        self.peek();
        if !self.rest().starts_with("b\"") {
            return self.string().map(String::into_bytes);
        }
        let mut bytes = Vec::new();
        let mut at = self.at + 2;
        let text = self.text.as_bytes();
        loop {
            let (byte, length) = match &text[at.min(text.len())..] {
                [b'"', ..] => {
                    self.at = at + 1;
                    return Ok(bytes);
                }
                [b'\\', b'x', digits @ ..] => {
                    let digits = digits.get(..2).and_then(|d| std::str::from_utf8(d).ok()).unwrap_or("");
                    match u8::from_str_radix(digits, 16) {
                        Ok(byte) if !digits.starts_with('+') => (byte, 4),
                        _ => return self.error_at(at, "expected two hexadecimal digits after `\\x`"),
                    }
                }
                [b'\\', b'n', ..] => (b'\n', 2),
                [b'\\', b'r', ..] => (b'\r', 2),
                [b'\\', b't', ..] => (b'\t', 2),
                [b'\\', byte @ (b'\\' | b'"' | b'\''), ..] => (*byte, 2),
                [b'\\', ..] => return self.error_at(at, "unknown escape"),
                [byte, ..] => (*byte, 1),
                [] => return self.error("the string has no end"),
            };
            bytes.push(byte);
            at += length;
        }
    }

    /// Returns the number that is next, without reading it: `-1`, `0.5`, `1e-45`, `-inf`, `nan(0x7fa00001)`.
    fn peek_number(&mut self) -> Option<&'a str> {
        self.peek();
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let bytes = rest.as_bytes();
        let count = |from: usize, wanted: fn(u8) -> bool| bytes[from..].iter().take_while(|b| wanted(**b)).count();
        let word = count(sign, |b| b.is_ascii_alphanumeric() || b == b'_');
        if is_special_float(&rest[sign..sign + word]) {
            let end = sign + word;
            let bits = rest[end..].strip_prefix("(0x").and_then(|bits| bits.find(')')).map_or(0, |length| length + 4);
            return Some(&rest[..end + bits]);
        }
        let digit = |b: u8| b.is_ascii_digit();
        let whole = count(sign, digit);
        let mut end = sign + whole;
        if whole == 0 {
            return None;
        }
        if bytes.get(end) == Some(&b'.') {
            end += 1 + count(end + 1, digit);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            end += 1;
            end += usize::from(matches!(bytes.get(end), Some(b'+' | b'-')));
            end += count(end, digit);
        }
        Some(&rest[..end])
    }

    /// Returns whether a number is next.
    pub(super) fn next_is_number(&mut self) -> bool {
        self.peek_number().is_some()
    }

    /// Returns whether a float is next: an infinity, a NaN, or a number with a point or an exponent.
    pub(super) fn next_is_float(&mut self) -> bool {
        self.peek_number().is_some_and(|number| !number.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
    }

    fn number<T>(&mut self, what: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let Some(number) = self.peek_number() else { return self.expected(what) };
        match read(number) {
            Some(value) => {
                self.at += number.len();
                Ok(value)
            }
            None => self.error(format!("`{number}` is not {what}")),
        }
    }

    /// Reads an integer that fits into `T`.
    pub(super) fn integer<T: std::str::FromStr>(&mut self) -> Result<T> {
        let bits = 8 * size_of::<T>();
        self.number(&format!("an integer of {bits} bits"), |number| number.parse().ok())
    }

    pub(super) fn float(&mut self) -> Result<f32> {
        self.number("a number of type float", |number| match nan_bits(number) {
            Some(bits) => u32::try_from(bits?).ok().map(f32::from_bits).filter(|x| x.is_nan()),
            None => number.parse::<f32>().ok().filter(|x| !x.is_infinite() || is_infinity(number)),
        })
    }

    pub(super) fn double(&mut self) -> Result<f64> {
        self.number("a number of type double", |number| match nan_bits(number) {
            Some(bits) => bits.map(f64::from_bits).filter(|x| x.is_nan()),
            None => number.parse::<f64>().ok().filter(|x| !x.is_infinite() || is_infinity(number)),
        })
    }
}

/// Returns the bits that stand in parentheses after `nan`, as in `nan(0x7fa00001)`. Returns `None` if `number` has no
/// parentheses, and `Some(None)` if the parentheses do not follow `nan` or do not hold a hexadecimal number of at most
/// 64 bits.
fn nan_bits(number: &str) -> Option<Option<u64>> {
    let (word, bits) = number.split_once("(0x")?;
    let bits = bits.strip_suffix(')').filter(|bits| bits.bytes().all(|b| b.is_ascii_hexdigit()) && word == "nan");
    Some(bits.and_then(|bits| u64::from_str_radix(bits, 16).ok()))
}

fn is_infinity(number: &str) -> bool {
    number.trim_start_matches('-').starts_with(['i', 'I'])
}
