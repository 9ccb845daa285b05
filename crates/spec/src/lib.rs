//! The specifications of operators: loads, indexes, validates and compares `specs/`.
//!
//! The facts of every operator version come from `specs/onnx/<domain>/<Op>.json`, which is imported and never edited by
//! hand. The rules, which the onnx package does not state, are in `<Op>.rules.toml` beside it. Both are embedded in the
//! binary ([`Spec::embedded`]) and can be read from a folder ([`Spec::load`]). DirectML's operators are in
//! [`directml`].
//!
//! ```
//! let spec = plumbline_spec::Spec::embedded();
//! let min = spec.resolve("", "Min", 12).expect("Min is an operator");
//! assert_eq!(min.id.to_string(), "Min-12");
//! ```

mod diff;
pub mod directml;
mod domain;
pub mod embedded;
mod error;
mod facts;
mod find_rule;
mod id;
mod import;
mod label;
mod load;
mod lookup;
mod numerics;
mod operator;
pub mod page;
mod release;
pub mod rule;
mod rules_file;
mod types;
mod version_range;
mod write;

pub use diff::{Change, Part, SpecDiff, What};
pub use domain::Domain;
pub use error::SpecError;
pub use facts::{DTypeFacts, DomainRange, Opsets, Release};
pub use find_rule::UnknownRule;
pub use id::{IdError, ONNX_DOMAIN, OperatorId, canonical_domain};
pub use import::{Difference, IMPORT_SCRIPT, Import, ONNX_RELEASE, Written};
pub use label::{Label, RuleKind};
pub use load::Spec;
pub use lookup::{Found, LookupError};
pub use numerics::{CPU_ACCURACY, DEFAULT_ACCURACY, Doubles, Numerics, Products, Ulp, Unchecked};
pub use operator::{
    Attribute, AttributeKind, AttributeValue, Determinism, Formal, FormalOption, Operator, OperatorVersion, Support,
};
pub use release::{AddedBy, Addition, Additions, ReleaseNumber, ReleaseRange, RuntimeRelease, UnknownRelease};
pub use rules_file::{Accuracy, Behaviour, Constraint, Names, Required, Rules, SeenIn, Status};
pub use types::{TypeError, TypeStr};
pub use version_range::VersionRange;
pub use write::to_pretty_json;
