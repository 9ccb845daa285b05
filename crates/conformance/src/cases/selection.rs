//! Parses which operators, element types and forms a user wants.

use plumbline_generator::directml::{self, DirectMlCell};
use plumbline_generator::{Case, Cell, Form, cells};
use plumbline_spec::directml::{DirectMl, OPERATOR_PREFIX, TensorDataType};
use plumbline_spec::{Found, OperatorId, Spec};
use plumbline_tensor::DType;

use crate::cases::excerpts::Excerpt;
use crate::cases::graphs::Start;

/// The operator versions, element types and forms of a run. An empty list selects all of them.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    operators: Vec<(String, Option<u32>)>,
    dtypes: Vec<DType>,
    forms: Vec<Form>,
    in_part: bool,
    since: u32,
}

/// Finds an operator by its name, with or without a version: `Min`, `Min-13`, `DML_OPERATOR_ELEMENT_WISE_MIN`. Returns its
/// qualified name, and the version.
///
/// # Errors
/// Returns a sentence that names an unknown operator and the nearest ones, or an unknown version and the known ones.
pub(crate) fn operator_named(text: &str) -> Result<(String, Option<u32>), String> {
    if text.starts_with(OPERATOR_PREFIX) {
        let operator = DirectMl::embedded().find(text).map_err(|error| error.to_string())?;
        return Ok((directml::id_of(operator).qualified_name(), None));
    }
    match Spec::embedded().find(text) {
        Ok(Found::Operator(operator)) => Ok((operator.qualified_name(), None)),
        Ok(Found::Version(operator, version)) => Ok((operator.qualified_name(), Some(version.since()))),
        Err(error) => Err(error.to_string()),
    }
}

impl Selection {
    /// Parses operators (`Min`, `Min-13`, `ai.onnx.ml.Scaler`, and of DirectML `DML_OPERATOR_ELEMENT_WISE_MIN` or
    /// `ELEMENT_WISE_MIN`) and element types (`float16`).
    ///
    /// # Errors
    /// Returns a sentence that names an unknown operator and the nearest ones, an unknown version and the versions of
    /// the operator, or an unknown element type and the known ones.
    pub fn new<O: AsRef<str>, D: AsRef<str>>(operators: &[O], dtypes: &[D]) -> Result<Selection, String> {
        let operator = |text: &O| {
            operator_named(text.as_ref()).or_else(|error| {
                let operator = DirectMl::embedded().operator(text.as_ref());
                operator.map(|operator| (directml::id_of(operator).qualified_name(), None)).ok_or(error)
            })
        };
        let dtype = |text: &D| {
            let text = text.as_ref();
            DType::from_name(text).ok_or_else(|| {
                let known: Vec<&str> = DType::ALL.iter().map(|d| d.name()).collect();
                format!("no element type is called `{text}`; the types are {}", known.join(", "))
            })
        };
        Ok(Selection {
            operators: operators.iter().map(operator).collect::<Result<_, _>>()?,
            dtypes: dtypes.iter().map(dtype).collect::<Result<_, _>>()?,
            ..Selection::default()
        })
    }

    /// Selects only operator versions that came with this version of their domain's opset, or later.
    pub fn since(self, opset: u32) -> Selection {
        Selection { since: opset, ..self }
    }

    /// Selects only the cases in these forms: `as-drawn`, `constant-nodes`.
    ///
    /// # Errors
    /// Returns a sentence that names an unknown form and the known ones.
    pub fn in_forms<F: AsRef<str>>(self, forms: &[F]) -> Result<Selection, String> {
        let form = |text: &F| {
            let text = text.as_ref();
            Form::ALL.into_iter().find(|form| Selection::word(*form) == text).ok_or_else(|| {
                let known: Vec<String> = Form::ALL.into_iter().map(Selection::word).collect();
                format!("no form is called `{text}`; the forms are {}", known.join(", "))
            })
        };
        Ok(Selection { forms: forms.iter().map(form).collect::<Result<_, _>>()?, ..self })
    }

    /// Says that only a part of the selected cells runs.
    pub fn in_part(self) -> Selection {
        Selection { in_part: true, ..self }
    }

    /// Returns the word by which a form is selected.
    pub(crate) fn word(form: Form) -> String {
        form.name().replace(' ', "-")
    }

    /// Returns whether any forms are named.
    pub fn names_forms(&self) -> bool {
        !self.forms.is_empty()
    }

    /// Returns whether cases in this form are selected.
    pub fn takes_form(&self, form: Form) -> bool {
        self.forms.is_empty() || self.forms.contains(&form)
    }

    /// Returns whether any operators are named.
    pub fn names_operators(&self) -> bool {
        !self.operators.is_empty()
    }

    /// Returns whether every cell of an operator, or of one version of it, is selected in all forms. Without an
    /// operator, returns whether every existing cell is selected in all forms.
    pub fn has_all_of(&self, operator: Option<(&str, Option<u32>)>) -> bool {
        let all = self.dtypes.is_empty() && self.forms.is_empty() && self.since == 0 && !self.in_part;
        let Some((name, since)) = operator else { return self.operators.is_empty() && all };
        let whole = |(n, s): &(String, Option<u32>)| n == name && (s.is_none() || *s == since);
        all && (self.operators.is_empty() || self.operators.iter().any(whole))
    }

    /// Returns whether this operator version is selected.
    pub fn takes(&self, id: &OperatorId) -> bool {
        let name = id.qualified_name();
        let named = |(n, s): &(String, Option<u32>)| *n == name && s.is_none_or(|s| s == id.since);
        id.since >= self.since && (self.operators.is_empty() || self.operators.iter().any(named))
    }

    /// Returns whether this cell is selected.
    pub fn takes_cell(&self, cell: &Cell) -> bool {
        let dtype = cell.bound.as_ref().map(|(_, type_)| type_.leaf_dtype());
        self.takes(&cell.version.id) && (self.dtypes.is_empty() || dtype.is_some_and(|d| self.dtypes.contains(&d)))
    }

    /// Returns whether graphs with this start are selected. Patterns are selected by the operators in them, and not if
    /// element types or versions are named.
    pub fn takes_graph(&self, start: &Start) -> bool {
        match start {
            Start::Cell(cell) => self.takes_cell(cell),
            Start::Pattern(pattern) | Start::Canonical(pattern) => {
                let named = |(name, since): &(String, Option<u32>)| since.is_none() && pattern.has_operator(name);
                self.dtypes.is_empty()
                    && self.since == 0
                    && (self.operators.is_empty() || self.operators.iter().any(named))
            }
        }
    }

    /// Returns whether cases of a cell of DirectML are selected.
    pub fn takes_directml(&self, cell: &DirectMlCell) -> bool {
        let dtype = |dtype: &DType| TensorDataType::of_onnx(*dtype) == Some(cell.data_type);
        self.takes(&cell.id()) && (self.dtypes.is_empty() || self.dtypes.iter().any(dtype))
    }

    /// Returns whether a part of a model is selected: one of its nodes by its operator, and one of its values by its
    /// element type.
    pub fn takes_excerpt(&self, excerpt: &Excerpt) -> bool {
        let of_operators = excerpt.operators().iter().any(|id| self.takes(id));
        let of_types = self.dtypes.is_empty() || excerpt.dtypes().iter().any(|dtype| self.dtypes.contains(dtype));
        (of_operators || self.operators.is_empty() && self.since == 0) && of_types
    }

    /// Returns whether this case is selected by its operator and element types. Its form does not matter.
    pub fn takes_case(&self, case: &Case) -> bool {
        let wanted = |dtype: &DType| case.types.values().any(|t| t == dtype.name());
        self.takes(&case.version) && (self.dtypes.is_empty() || self.dtypes.iter().any(wanted))
    }

    /// Returns every selected cell that has a recipe.
    pub fn cells(&self) -> Vec<Cell> {
        cells().into_iter().filter(|cell| self.takes_cell(cell)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_versions_and_types_narrow_a_selection() {
        let all = Selection::default().cells().len();
        let count = |operators: &[&str], dtypes: &[&str]| Selection::new(operators, dtypes).unwrap().cells().len();
        assert_eq!(count(&[], &[]), all);
        assert_eq!(count(&["Floor"], &[]), 3 + 3 + 4);
        assert_eq!(count(&["Floor-13"], &[]), 4);
        assert_eq!(count(&["Floor"], &["bfloat16"]), 1);
        assert_eq!(count(&["Floor", "Floor-13"], &["float", "double"]), 6);
        assert_eq!(count(&["Floor"], &["int8"]), 0);
        let newer = Selection::new(&["Floor"], &[""; 0]).unwrap().since(7);
        assert!(newer.cells().iter().all(|cell| cell.version.since() == 13) && newer.cells().len() == 4);
        assert!(!newer.has_all_of(Some(("Floor", None))));
    }

    #[test]
    fn an_operator_is_complete_if_all_its_cells_are_selected() {
        let all_of = |operators: &[&str], dtypes: &[&str], since| {
            Selection::new(operators, dtypes).unwrap().has_all_of(Some(("Floor", since)))
        };
        assert!(all_of(&[], &[], None) && all_of(&["Floor"], &[], Some(13)) && all_of(&["Floor-13"], &[], Some(13)));
        assert!(
            !all_of(&["Floor-13"], &[], None) && !all_of(&["Ceil"], &[], None) && !all_of(&["Floor"], &["float"], None)
        );
        assert!(!Selection::default().in_part().has_all_of(None), "an expectation may match a case that does not run");
        assert!(
            Selection::default().has_all_of(None) && !Selection::new(&["Floor"], &[""; 0]).unwrap().has_all_of(None)
        );
    }

    #[test]
    fn forms_narrow_a_selection() {
        let selection = Selection::default().in_forms(&["constant-nodes", "function"]).unwrap();
        let taken: Vec<Form> = Form::ALL.into_iter().filter(|form| selection.takes_form(*form)).collect();
        assert_eq!(taken, [Form::ConstantNodes, Form::Function]);
        // Expectations may match cases in other forms.
        assert!(!selection.has_all_of(None));
        assert!(Form::ALL.into_iter().all(|form| Selection::default().takes_form(form)));
    }

    #[test]
    fn unknown_names_are_errors_that_name_them() {
        let none: [&str; 0] = [];
        let form = Selection::default().in_forms(&["folded"]).unwrap_err();
        assert!(form.starts_with("no form is called `folded`; the forms are as-drawn, initializers"), "{form}");
        assert!(Selection::new(&["Flor"], &none).unwrap_err().contains("nearest: Floor"));
        assert!(Selection::new(&["Floor-2"], &none).unwrap_err().contains("Floor has no version 2"));
        assert!(
            Selection::new(&none, &["half"]).unwrap_err().contains("no element type is called `half`; the types are")
        );
    }
}
