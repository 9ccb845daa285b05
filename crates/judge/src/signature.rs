//! Signatures, which group failures that are alike.

use crate::judge::Judgement;
use crate::verdict::Verdict;

/// Returns a short name, which is the same for failures that are alike: the operator, the kind, and a hash of the
/// backend and the class of difference. Element types, operator versions and numbers in messages do not affect it.
/// Returns `None` if the judgement is not a failure.
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

/// Computes an FNV-1a hash with a final mixing step. The result is the same on every machine.
pub fn hash(text: &str) -> u64 {
    let mut h = text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    h ^= h >> 32;
    h = h.wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^ h >> 32
}
