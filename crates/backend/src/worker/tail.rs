//! What the host keeps of a worker's stderr.

use std::collections::VecDeque;

use super::plain::plain;

/// The last bytes of a worker's stderr.
#[derive(Default)]
pub(super) struct Tail {
    bytes: VecDeque<u8>,
}

impl Tail {
    const LIMIT_BYTES: usize = 4096;
    const LIMIT_LINES: usize = 8;

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let surplus = self.bytes.len().saturating_sub(Tail::LIMIT_BYTES);
        self.bytes.drain(..surplus);
    }

    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        let text = plain(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(Tail::LIMIT_LINES)..].join("\n")
    }
}
