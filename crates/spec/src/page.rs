//! ONNX's operator pages, read to compare their facts with `specs/`.
//!
//! Three forms of the same page are read: reStructuredText, its Markdown successor, and the plain text
//! of the rendered page. Each holds one block a version: a heading (`Min - 13`), a list of properties,
//! and sections for attributes, inputs, outputs and type constraints. Summaries, examples and the
//! tables of differences are passed over: they are not facts `specs/` holds.
//!
//! One word needs care. The generator of these pages prints `heterogeneous` beside every input and
//! output whose `is_homogeneous` is *true*; where it is false, nothing is printed. So the word is read
//! as what it stands for, homogeneous, and not as what it says.

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
    /// One for each version block, in the order of the page.
    pub versions: Vec<PageVersion>,
}

/// A value and the line of the page it stands in, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// The line.
    pub line: usize,
    /// What the page says there.
    pub value: T,
}

/// What a page says about one version. What it does not say is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct PageVersion {
    /// Domain and name of the page, version of the heading.
    pub id: OperatorId,
    /// The line of the heading.
    pub line: usize,
    /// `since_version`.
    pub since: Option<At<u32>>,
    /// `function`.
    pub function: Option<At<bool>>,
    /// `support_level`, in lower case and without what is around it.
    pub support: Option<At<String>>,
    /// `shape inference`.
    pub shape_inference: Option<At<bool>>,
    /// Whether the version is called deprecated rather than available.
    pub deprecated: Option<At<bool>>,
    /// The attributes, when there is a section of them.
    pub attributes: Option<At<Vec<At<PageAttribute>>>>,
    /// The inputs, when there is a section of them.
    pub inputs: Option<At<PageFormals>>,
    /// The outputs, when there is a section of them.
    pub outputs: Option<At<PageFormals>>,
    /// The types of each type variable, when there is a section of them.
    pub types: Option<At<BTreeMap<String, At<Vec<String>>>>>,
}

/// The inputs or outputs of a version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageFormals {
    /// Fewest and most, which a page prints only where they differ.
    pub count: Option<At<(u32, u32)>>,
    /// Each of them.
    pub formals: Vec<At<PageFormal>>,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq)]
pub struct PageFormal {
    /// Its name.
    pub name: String,
    /// Its type variable or type.
    pub type_: String,
    /// How often it occurs.
    pub option: FormalOption,
    /// Printed as `heterogeneous`; see the module.
    pub homogeneous: bool,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct PageAttribute {
    /// Its name.
    pub name: String,
    /// What kind of value it has, as ONNX spells it; older pages do not say.
    pub kind: Option<String>,
    /// Whether it is called required.
    pub required: bool,
    /// Its default, as it is printed.
    pub default: PageDefault,
}

/// The default of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum PageDefault {
    /// The page does not tell whether there is one.
    Unknown,
    /// There is none.
    None,
    /// This one; floats are rounded to five digits after the point.
    Printed(String),
}
