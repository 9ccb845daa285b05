//! Judges what any implementation answered to a model: the outputs and, if they are given, the intermediate values.
//! Only [`judge_backend`] runs an implementation.
//!
//! [`judge`] computes what is accepted for the outputs, and compares the answer with it. The oracle passes the accepted
//! values of each node on to the nodes after it. So for the output of a chain of nodes it accepts every value that the
//! chain may give if all its nodes are implemented correctly. [`judge_with_values`] also judges each node alone, on the
//! values that the implementation itself had as the node's inputs, and so finds the first node that is wrong.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use plumbline_conformance::Verdict;
//! use plumbline_conformance::model::{Values, judge, judge_with_values};
//! use plumbline_oracle::Oracle;
//! use plumbline_tensor::{Model, Tensor, Value};
//!
//! let model: Model = r#"
//!     <ir_version: 8, opset_import: ["" : 17]>
//!     rounded (float[2] x) => (float[2] y) { h = Exp(x)  y = Floor(h) }
//! "#
//! .parse()?;
//! let floats = |x: [f32; 2]| Tensor::from_f32s(vec![2], &x).map(Value::Tensor);
//!
//! let reference = Oracle::default();
//! let inputs = [floats([0.0, 1.0])?];
//! assert_eq!(judge(&reference, &model, &inputs, &[floats([1.0, 2.0])?])?.verdict, Verdict::Pass);
//!
//! let judgement = judge(&reference, &model, &inputs, &[floats([1.0, 3.0])?])?;
//! assert_eq!(judgement.verdict, Verdict::Fail);
//! let wrong = &judgement.outputs[0].elements[0];
//! assert_eq!(wrong.index, [1]);
//! assert_eq!(wrong.accepted, "2.0 (0x40000000) is expected");
//!
//! // The exponential is wrong, and Floor hides it.
//! let values = Values::from(BTreeMap::from([("h".to_owned(), floats([1.0, 2.5])?)]));
//! let judgement = judge_with_values(&reference, &model, &inputs, &[floats([1.0, 2.0])?], &values)?;
//! assert_eq!(judgement.outputs[0].judgement.verdict, Verdict::Pass);
//! let first = judgement.first_wrong().expect("a node is wrong");
//! assert_eq!((first.node.operator.as_str(), first.node.index), ("Exp-13", 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod effort;
mod error;
mod given;
mod json;
mod locate;
mod parting;
mod report;
mod trace;
mod whole;

pub use crate::cases::NodePlace;
pub use effort::{Effort, Watch};
pub use error::JudgeError;
pub use given::Values;
pub use json::{FORMAT, to_json};
pub use parting::{Parting, part};
pub use report::{Incomplete, ModelJudgement, NodeJudgement, NodeOutcome, OutputJudgement};
pub use trace::{Traced, judge_backend};
pub use whole::{MOST_STEPS_OF_CHAIN, judge, judge_watched, judge_with_values, output_kinds};
