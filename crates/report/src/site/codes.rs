//! Writes in a few characters what became of many cases.
//!
//! The ids of many cases of a cell differ only in a number. Such ids are written as one template. The results of the
//! cases with the numbers 0, 1, 2, ... are written as a row of codes, in which repetitions are counted: `4p f0 2u`
//! stands for four passes, a failure with state 0, and two unsupported cases. A state is a combination of verdict, kind
//! of failure and signature, and its number is its place in the operator's list of the states that occur.

use std::fmt::Write;

use plumbline_conformance::Verdict;

/// What became of a case: a verdict that needs no state, or a state of the operator, if the case failed.
/// [`Code::MISSING`] stands for a number without a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code(u16);

/// The verdicts that need no state, with their letters.
const LETTERS: [(Verdict, char); 4] =
    [(Verdict::Pass, 'p'), (Verdict::Unsupported, 'u'), (Verdict::Latitude, 'l'), (Verdict::NotRun, 'n')];
/// The largest number of a case in a row of codes. The id of a case with a larger number is written in full.
const MAX_NUMBER: usize = 99_999;
/// The largest number of states that an operator can have.
pub(super) const MAX_STATES: usize = 10_000;

impl Code {
    /// There is no case with this number.
    pub const MISSING: Code = Code(0);

    /// Returns the code of a verdict, if it needs no state.
    pub fn plain(verdict: Verdict) -> Option<Code> {
        let place = LETTERS.iter().position(|(letter, _)| *letter == verdict)?;
        Some(Code(place as u16 + 1))
    }

    /// Returns the code of a state, by its place in the operator's list of states.
    pub fn state(place: usize) -> Code {
        Code((place.min(MAX_STATES) + LETTERS.len() + 1) as u16)
    }

    /// Returns the verdict of a code that needs no state.
    pub fn verdict(self) -> Option<Verdict> {
        let place = usize::from(self.0).checked_sub(1)?;
        LETTERS.get(place).map(|(verdict, _)| *verdict)
    }

    /// Returns the place of the state in the operator's list of states, or `None` if the code is no state.
    pub fn place(self) -> Option<usize> {
        usize::from(self.0).checked_sub(LETTERS.len() + 1)
    }

    fn write(self, out: &mut String) {
        match (self.verdict(), self.place()) {
            (Some(verdict), _) => {
                out.extend(LETTERS.iter().find(|(known, _)| *known == verdict).map(|(_, letter)| *letter));
            }
            (_, Some(place)) => write!(out, "f{place}").expect("writing to a string does not fail"),
            _ => out.push('-'),
        }
    }

    fn read(text: &str) -> Option<Code> {
        match text.strip_prefix('f') {
            Some(place) => place.parse().ok().filter(|&place| place < MAX_STATES).map(Code::state),
            None if text == "-" => Some(Code::MISSING),
            None => {
                let place = LETTERS.iter().position(|(_, letter)| text.chars().eq([*letter]))?;
                Some(Code(place as u16 + 1))
            }
        }
    }
}

/// Writes codes as text.
pub(super) fn encode(codes: &[Code]) -> String {
    let mut out = String::new();
    for same in codes.chunk_by(|one, other| one == other) {
        if !out.is_empty() {
            out.push(' ');
        }
        if same.len() > 1 {
            write!(out, "{}", same.len()).expect("writing to a string does not fail");
        }
        same[0].write(&mut out);
    }
    out
}

/// Reads what [`encode`] writes. Returns `None` for a text that is not a row of codes.
pub(super) fn decode(text: &str) -> Option<Vec<Code>> {
    let mut codes = Vec::new();
    for part in text.split(' ') {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (count, code) = part.split_at(digits);
        let count: usize = if count.is_empty() { 1 } else { count.parse().ok()? };
        let length = codes.len().checked_add(count).filter(|&length| length <= MAX_NUMBER + 1)?;
        codes.resize(length, Code::read(code)?);
    }
    Some(codes)
}

/// Splits the id of a case into a template and a number. In the template, `#` stands for the number and `~` for the
/// cell. If an id cannot be written like this, its template is `=` and the whole id, and its number is 0.
pub(super) fn split(case: &str, cell: &str) -> (String, usize) {
    let own = || (format!("={case}"), 0);
    if case.contains(['#', '~']) || case.starts_with('=') {
        return own();
    }
    let (stem, tail) = case.rfind('@').map_or((case, ""), |at| case.split_at(at));
    let name = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &stem[name.len()..];
    let number = digits.parse().ok().filter(|&number: &usize| number <= MAX_NUMBER);
    match number {
        Some(number) if number.to_string() == digits => {
            let name = match name.find(&format!("{cell}/")) {
                Some(at) => format!("{}~{}", &name[..at], &name[at + cell.len()..]),
                None => name.to_owned(),
            };
            (format!("{name}#{tail}"), number)
        }
        _ => own(),
    }
}

/// Returns the id that [`split`] split.
pub(super) fn join(template: &str, number: usize, cell: &str) -> String {
    match template.strip_prefix('=') {
        Some(case) => case.to_owned(),
        None => template.replacen('#', &number.to_string(), 1).replacen('~', cell, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_joined_as_they_were_split() {
        let cell = "Min-13/T=float16";
        for (case, template) in [
            ("Min-13/T=float16/17@0", "~/#@0"),
            ("Min-13/T=float16/shapes-broadcast/3@0", "~/shapes-broadcast/#@0"),
            ("mutated/Min-13/T=float16/3@7", "mutated/~/#@7"),
            ("regressions/Min-nan", "=regressions/Min-nan"),
            ("regressions/Min-2", "regressions/Min-#"),
            ("onnx:1.23.2/node/test_min_int8", "onnx:1.23.2/node/test_min_int#"),
            ("Min-13/T=float16/007@0", "=Min-13/T=float16/007@0"),
            ("Min-13/T=float16/1000000@0", "=Min-13/T=float16/1000000@0"),
            ("a~b#1", "=a~b#1"),
            ("=x", "==x"),
            ("", "="),
            ("@", "=@"),
        ] {
            let (found, number) = split(case, cell);
            assert_eq!(found, template, "{case}");
            assert_eq!(join(&found, number, cell), case);
        }
    }

    #[test]
    fn codes_are_read_as_they_were_written() {
        let pass = Code::plain(Verdict::Pass).unwrap();
        let codes = [pass, pass, Code::state(0), Code::state(12), Code::MISSING, Code::state(12)];
        assert_eq!(encode(&codes), "2p f0 f12 - f12");
        assert_eq!(decode("p 18446744073709551615p"), None);
        assert_eq!(decode("2p f0 f12 - f12").unwrap(), codes);
        for verdict in [Verdict::Pass, Verdict::Unsupported, Verdict::Latitude, Verdict::NotRun] {
            assert_eq!(Code::plain(verdict).unwrap().verdict(), Some(verdict));
            assert_eq!(Code::plain(verdict).unwrap().place(), None);
        }
        assert_eq!(Code::plain(Verdict::Fail), None);
        assert_eq!((Code::state(7).place(), Code::state(7).verdict()), (Some(7), None));
        for wrong in ["", "x", "2", "p2", "f", "f-1", "100001p", "99999999999999999999p", "p  p", "f10000"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
