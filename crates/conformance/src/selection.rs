//! Which operators and element types are wanted, by what people type.

use plumbline_generator::{Case, Cell, cells};
use plumbline_spec::{Found, OperatorId, Spec};
use plumbline_tensor::DType;

/// Which operator versions and element types a run is about; all of them where none is named.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    operators: Vec<(String, Option<u32>)>,
    dtypes: Vec<DType>,
}

impl Selection {
    /// Operators as `Min`, `Min-13` or `ai.onnx.ml.Scaler`, element types as `float16`.
    ///
    /// # Errors
    /// A sentence that names what there is not, and what comes nearest.
    pub fn new<O: AsRef<str>, D: AsRef<str>>(operators: &[O], dtypes: &[D]) -> Result<Selection, String> {
        let operator = |text: &O| match Spec::embedded().find(text.as_ref()) {
            Ok(Found::Operator(operator)) => Ok((operator.qualified_name(), None)),
            Ok(Found::Version(operator, version)) => Ok((operator.qualified_name(), Some(version.since()))),
            Err(error) => Err(error.to_string()),
        };
        let dtype = |text: &D| {
            let text = text.as_ref();
            DType::from_name(text).ok_or_else(|| {
                let known: Vec<&str> = DType::ALL.iter().map(|d| d.name()).collect();
                format!("no element type is called `{text}`; there are {}", known.join(", "))
            })
        };
        Ok(Selection {
            operators: operators.iter().map(operator).collect::<Result<_, _>>()?,
            dtypes: dtypes.iter().map(dtype).collect::<Result<_, _>>()?,
        })
    }

    /// Whether operators are named at all.
    pub fn names_operators(&self) -> bool {
        !self.operators.is_empty()
    }

    /// Whether this operator version is wanted.
    pub fn takes(&self, id: &OperatorId) -> bool {
        let name = id.qualified_name();
        self.operators.is_empty() || self.operators.iter().any(|(n, s)| *n == name && s.is_none_or(|s| s == id.since))
    }

    /// Whether this cell is wanted.
    pub fn takes_cell(&self, cell: &Cell) -> bool {
        let dtype = cell.bound.as_ref().map(|(_, type_)| type_.leaf_dtype());
        self.takes(&cell.version.id) && (self.dtypes.is_empty() || dtype.is_some_and(|d| self.dtypes.contains(&d)))
    }

    /// Whether this case is wanted.
    pub fn takes_case(&self, case: &Case) -> bool {
        let wanted = |dtype: &DType| case.types.values().any(|t| t == dtype.name());
        self.takes(&case.version) && (self.dtypes.is_empty() || self.dtypes.iter().any(wanted))
    }

    /// Every wanted cell that has a recipe.
    pub fn cells(&self) -> Vec<Cell> {
        cells().into_iter().filter(|cell| self.takes_cell(cell)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_versions_and_types_narrow() {
        let all = Selection::default().cells().len();
        let count = |operators: &[&str], dtypes: &[&str]| Selection::new(operators, dtypes).unwrap().cells().len();
        assert_eq!(count(&[], &[]), all);
        assert_eq!(count(&["Floor"], &[]), 3 + 3 + 4);
        assert_eq!(count(&["Floor-13"], &[]), 4);
        assert_eq!(count(&["Floor"], &["bfloat16"]), 1);
        assert_eq!(count(&["Floor", "Floor-13"], &["float", "double"]), 6);
        assert_eq!(count(&["Floor"], &["int8"]), 0);
    }

    #[test]
    fn what_there_is_not_is_named() {
        let none: [&str; 0] = [];
        assert!(Selection::new(&["Flor"], &none).unwrap_err().contains("nearest: Floor"));
        assert!(Selection::new(&["Floor-2"], &none).unwrap_err().contains("Floor has no version 2"));
        assert!(Selection::new(&none, &["half"]).unwrap_err().contains("no element type is called `half`; there are"));
    }
}
