//! What the host keeps of a worker's stderr.

use std::collections::VecDeque;

use crate::plain::plain;

/// The last bytes that a worker wrote to stderr, and the first bytes that it wrote after its last answer. An error that
/// ends a process often prints a message and then a long backtrace, so the last bytes alone do not say what happened.
#[derive(Default)]
pub(super) struct Tail {
    last: VecDeque<u8>,
    /// The first bytes after the last answer.
    first: Vec<u8>,
    /// The number of lines that ended after the last answer.
    lines: usize,
}

impl Tail {
    /// The largest number of bytes in `first`, and also in `last`.
    const MOST_BYTES: usize = 4096;
    /// The largest number of lines that are shown from `first`, and also from `last`.
    const MOST_LINES: usize = 8;

    /// Adds bytes that the worker wrote.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = Tail::MOST_BYTES - self.first.len();
        self.first.extend(&bytes[..room.min(bytes.len())]);
        self.lines += bytes.iter().filter(|byte| **byte == b'\n').count();
        self.last.extend(bytes);
        let surplus = self.last.len().saturating_sub(Tail::MOST_BYTES);
        self.last.drain(..surplus);
    }

    /// Notes that an answer has arrived.
    pub(super) fn answered(&mut self) {
        self.first.clear();
        self.lines = 0;
    }

    /// Returns the last lines that the worker wrote. If it wrote more than [`Tail::MOST_LINES`] lines after its last
    /// answer, the text begins with the first of these lines.
    ///
    /// An answer does not remove the last lines: the worker's answers and its stderr arrive on two pipes, so what the
    /// worker wrote to stderr right after an answer may arrive here before that answer.
    pub(super) fn text(&self) -> String {
        let [first, last] =
            [self.first.clone(), self.last.iter().copied().collect()].map(|bytes: Vec<u8>| plain(&bytes));
        let [first, last] = [&first, &last]
            .map(|text| -> Vec<&str> { text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect() });
        let last = &last[last.len().saturating_sub(Tail::MOST_LINES)..];
        if self.lines <= Tail::MOST_LINES {
            return last.join("\n");
        }
        let first = &first[..first.len().min(Tail::MOST_LINES)];
        // `first` and `last` overlap if fewer than twice `MOST_LINES` lines follow the last answer.
        let common = (0..=first.len().min(last.len())).rev().find(|&n| first.ends_with(&last[..n])).unwrap_or(0);
        let gap = if common == 0 { vec!["..."] } else { vec![] };
        [first, &gap, &last[common..]].concat().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(numbers: std::ops::RangeInclusive<u32>) -> Vec<String> {
        numbers.map(|number| format!("line {number}")).collect()
    }

    fn push_lines(tail: &mut Tail, numbers: std::ops::RangeInclusive<u32>) {
        lines(numbers).iter().for_each(|line| tail.push(format!("{line}\n").as_bytes()));
    }

    #[test]
    fn few_lines_are_shown_whole() {
        let mut tail = Tail::default();
        assert_eq!(tail.text(), "");
        push_lines(&mut tail, 1..=3);
        assert_eq!(tail.text(), lines(1..=3).join("\n"));
        tail.answered();
        assert_eq!(tail.text(), lines(1..=3).join("\n"));
        push_lines(&mut tail, 4..=11);
        assert_eq!(tail.text(), lines(4..=11).join("\n"));
    }

    #[test]
    fn the_first_and_the_last_lines_are_shown() {
        let mut tail = Tail::default();
        push_lines(&mut tail, 1..=20);
        tail.answered();
        push_lines(&mut tail, 21..=35);
        assert_eq!(tail.text(), lines(21..=35).join("\n"));
        push_lines(&mut tail, 36..=9999);
        assert_eq!(tail.text(), [lines(21..=28).join("\n"), lines(9992..=9999).join("\n")].join("\n...\n"));
        assert!(tail.first.len() <= Tail::MOST_BYTES && tail.last.len() <= Tail::MOST_BYTES);
    }

    #[test]
    fn lines_are_printable() {
        let mut tail = Tail::default();
        tail.push(b"\x1b[31mred\x1b[0m \x1b[2J \0\r\n\n\n");
        assert_eq!(tail.text(), "red \\u{1b}[2J \\0");
    }
}
