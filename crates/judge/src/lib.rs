//! Judges what a backend did against what the oracle allows.

mod bits;
mod errors;
mod inaccurate;
mod judge;
mod near;
mod reason;
mod right;
mod signature;
mod usual;
mod verdict;
mod wrong;

pub use bits::{same_bits, same_element};
pub use inaccurate::{explained, right_in};
pub use judge::{ElementJudgement, Judgement, NOTABLE_RATIO, Scalar, element, judge, judge_in_detail, message};
pub use reason::{ElementError, Explanation, Reason, ReasonKind, inaccuracy, name_of_violated};
pub use right::{Right, Violation, output_shapes};
pub use signature::{hash, signature};
pub use usual::error_ratios;
pub use verdict::{FailKind, Verdict};
pub use wrong::wrong_elements;
