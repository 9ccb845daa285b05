//! [`Cell`]: an operator version with one of its type variables bound to a type.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use plumbline_spec::{OperatorVersion, TypeStr};

use crate::declarations::short_type;

/// An operator version with one of its type variables bound to a type. The cases draw the types of the other variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The specification of the operator version.
    pub version: &'static OperatorVersion,
    /// The bound variable and its type; `None` for a version without type variables.
    pub bound: Option<(String, TypeStr)>,
}

/// The name of a cell, and what is looked up by it.
pub(crate) struct Name {
    /// The name, as `Display` writes it.
    pub text: String,
    /// The hash of the name.
    pub hash: u64,
    /// The share of the cell (see [`Cell::share_of`]), once it is known.
    pub share: OnceCell<f64>,
}

thread_local! {
    /// The cell that this thread named last. Most callers draw many cases of one cell.
    static NAMED: RefCell<Option<(Cell, Rc<Name>)>> = const { RefCell::new(None) };
}

impl Cell {
    /// Returns the name of the cell.
    pub(crate) fn name(&self) -> Rc<Name> {
        NAMED.with_borrow_mut(|named| match named {
            Some((cell, name)) if std::ptr::eq(cell.version, self.version) && cell.bound == self.bound => name.clone(),
            _ => {
                let text = self.to_string();
                let name = Rc::new(Name { hash: hash(&text), text, share: OnceCell::new() });
                *named = Some((self.clone(), name.clone()));
                name
            }
        })
    }
}

impl std::fmt::Display for Cell {
    /// Writes the cell as in the id of a case: `Min-13/T=float16`, or `-` after the slash if no variable is bound.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.version.id)?;
        match &self.bound {
            Some((variable, type_)) => write!(f, "/{variable}={}", short_type(&type_.to_string())),
            None => write!(f, "/-"),
        }
    }
}

/// Computes a seed from an id (FNV-1a, finished with a mixer). It is the same on every machine.
pub(crate) fn hash(id: &str) -> u64 {
    let mut h = id.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    h ^= h >> 32;
    h = h.wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^ h >> 32
}
