//! What failures that are alike have in common.

use crate::Verdict;
use crate::judge::Judgement;

/// A short name for a failure and those alike: operator, kind, and a hash of the backend and the class of difference. Types and versions
/// do not count, nor do numbers in messages. `None` for what is no failure.
pub fn signature(operator: &str, backend: &str, judgement: &Judgement) -> Option<String> {
    let what = match (judgement.verdict, judgement.kind) {
        (Verdict::Fail, Some(kind)) => kind.name(),
        (Verdict::Crash, _) => "crash",
        (Verdict::Timeout, _) => "timeout",
        (Verdict::DeviceLost, _) => "device-lost",
        _ => return None,
    };
    let hash = hash(&format!("{backend}\n{}", judgement.class)) as u32;
    Some(format!("{operator}-{what}-{hash:08x}"))
}

/// FNV-1a, finished with a mixer: the same on every machine.
pub fn hash(text: &str) -> u64 {
    let mut h = text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    h ^= h >> 32;
    h = h.wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^ h >> 32
}
