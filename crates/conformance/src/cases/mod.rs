//! What runs: the selection of cells, cases that are made from models, suites, kept cases, random changes, and twins.

mod edit;
mod element;
pub mod excerpts;
mod from_model;
pub mod graphs;
mod kinds;
mod layout;
pub mod mutated;
mod node_text;
mod proto;
pub mod regressions;
mod scene;
mod selection;
pub mod suite;
pub mod twin;
mod union;

pub(crate) use element::{Element, converted, map, map_bits, moved, resized, stepped};
pub use from_model::{SuiteCase, case_of_model, suite_cases};
pub(crate) use kinds::{declared_kinds, value_kinds};
pub use layout::NodePlace;
pub(crate) use layout::{Layout, Part, named_outputs, reads, renamed};
pub(crate) use node_text::{graph_text, node_text};
pub(crate) use scene::{IR_OF_FREE_INITIALIZERS, Scene, leave_out, set_value, value_of};
pub use selection::Selection;
pub(crate) use selection::operator_named;
pub(crate) use union::{UnionKey, named_parts, union};
