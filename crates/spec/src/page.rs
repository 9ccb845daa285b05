//! Reads ONNX's operator pages, to compare their facts with `specs/`.
//!
//! The reader accepts three forms of the same page: reStructuredText, its Markdown successor, and the plain text of the
//! rendered page. Each has one block for each version: a heading (`Min - 13`), a list of properties, and sections for
//! attributes, inputs, outputs and type constraints. Summaries, examples and the tables of differences are skipped,
//! because `specs/` does not hold such facts.
//!
//! The word `heterogeneous` needs care. The generator of these pages prints it beside every input and output whose
//! `is_homogeneous` is *true*, and prints nothing if it is false. So the reader takes `heterogeneous` to mean
//! homogeneous.

mod compare;
pub(crate) mod lines;
mod parse;

pub use compare::{Comparison, Disagreement};
pub use parse::PageError;

use crate::id::OperatorId;
use crate::operator::FormalOption;
use std::collections::BTreeMap;

/// What a page says about the versions of an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// One entry for each version block, in the order of the page.
    pub versions: Vec<PageVersion>,
}

/// A value with the line of the page in which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// The line number, from 1.
    pub line: usize,
    /// The value that the page gives there.
    pub value: T,
}

/// What a page says about one version. A fact that the page does not state is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct PageVersion {
    /// The name and version come from the heading. The domain comes from the property `domain`, or from the heading if
    /// there is no such property.
    pub id: OperatorId,
    /// The line of the heading.
    pub line: usize,
    /// The property `since_version`.
    pub since: Option<At<u32>>,
    /// The property `function`.
    pub function: Option<At<bool>>,
    /// The property `support_level`, in lower case and without `SupportType.` before it.
    pub support: Option<At<String>>,
    /// The property `shape inference`.
    pub shape_inference: Option<At<bool>>,
    /// Whether the page says that the version is deprecated (true) or available (false).
    pub deprecated: Option<At<bool>>,
    /// The attributes, if there is a section for them.
    pub attributes: Option<At<Vec<At<PageAttribute>>>>,
    /// The inputs, if there is a section for them.
    pub inputs: Option<At<PageFormals>>,
    /// The outputs, if there is a section for them.
    pub outputs: Option<At<PageFormals>>,
    /// The types of each type variable, if there is a section for them.
    pub types: Option<At<BTreeMap<String, At<Vec<String>>>>>,
}

/// The inputs or outputs of a version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageFormals {
    /// The smallest and largest number of inputs or outputs. A page prints them only if they differ.
    pub count: Option<At<(u32, u32)>>,
    /// The inputs or outputs.
    pub formals: Vec<At<PageFormal>>,
}

/// One input or output.
#[derive(Clone, Debug, PartialEq)]
pub struct PageFormal {
    /// The name of the input or output.
    pub name: String,
    /// Its type variable or type.
    pub type_: String,
    /// How often it may occur in a node.
    pub option: FormalOption,
    /// Whether it is homogeneous, which the page prints as `heterogeneous` (see [`page`](self)).
    pub homogeneous: bool,
}

/// One attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct PageAttribute {
    /// The name of the attribute.
    pub name: String,
    /// The kind of its value in ONNX's spelling. Older pages state it only together with a default.
    pub kind: Option<String>,
    /// Whether the page calls it required.
    pub required: bool,
    /// The default as the page prints it.
    pub default: PageDefault,
}

/// The default of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum PageDefault {
    /// The page does not say whether there is a default.
    Unknown,
    /// There is no default.
    None,
    /// The printed default. Floats are rounded to five digits after the point.
    Printed(String),
}
