//! Checks that a form changes how a case is put into a model, but not its meaning: the oracle gives the same answer in
//! every form. It also checks that all forms occur. `PLUMBLINE_OP=Min` restricts the tests to one operator.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_generator::{Case, Cell, Form};
use plumbline_oracle::{Operand, Oracle};
use rayon::prelude::*;

use crate::sampled_cells;

/// The number of cases per cell that are answered in every form that they can have.
const ANSWERED: u64 = 1;
/// The number of cases per cell in which forms are counted.
const COUNTED: u64 = 100;
/// A form has to occur in a cell if at least this many of the cell's counted cases can have the form.
const OFTEN: u64 = 40;
/// A form has to occur in an operator version if at least this many of the version's counted cases can have the form.
const OFTEN_OF_VERSION: u64 = 80;

fn answer(oracle: &Oracle, case: &Case) -> Result<Vec<Operand>, String> {
    oracle.answer(&case.model, &case.inputs).map_err(|refusal| refusal.to_string())
}

fn differences(oracle: &Oracle, case: &Case) -> Vec<String> {
    let plain = answer(oracle, case).unwrap();
    let wrong = |form: Form| {
        let formed = Case { form, ..case.clone() }.in_form(&[]);
        if form != Form::AsDrawn && formed.model == case.model {
            return Some(format!("{} does not change in the form `{form}`", case.id));
        }
        match answer(oracle, &formed) {
            Ok(outputs) if format!("{outputs:?}") == format!("{plain:?}") => None,
            Ok(_) => Some(format!("{} has another answer in the form `{form}`", case.id)),
            Err(refusal) => Some(format!("{} is refused in the form `{form}`: {refusal}", case.id)),
        }
    };
    case.forms().into_iter().filter_map(wrong).collect()
}

#[test]
fn every_form_has_the_same_answer() {
    let oracle = Oracle::default();
    let of_cell = |cell: &Cell| -> Vec<String> {
        let cases = (0..ANSWERED).filter_map(|index| cell.case(None, index, 3));
        cases.flat_map(|case| differences(&oracle, &case)).collect()
    };
    let wrong: Vec<String> = sampled_cells().par_iter().flat_map(of_cell).collect();
    assert!(
        wrong.is_empty(),
        "{} forms of cases have no effect, change the answer or are refused, among them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(60)].join("\n")
    );
}

/// Checks that `with_constants` finds an input by its place at the operator, even if the operator is inside a function.
#[test]
fn the_same_inputs_become_constants_in_a_function() {
    let constant = ["scales".to_owned()];
    let initializers = |case: &Case, form: Form| -> Vec<String> {
        let formed = Case { form, ..case.clone() }.in_form(&[]).with_constants(&constant);
        formed.model.graph().initializer.iter().filter_map(|tensor| tensor.name.clone()).collect()
    };
    let mut without_regions = 0;
    for cell in plumbline_generator::cells().into_iter().filter(|cell| cell.version.id.to_string() == "Resize-13") {
        for case in (0..8).filter_map(|index| cell.case(None, index, 0)) {
            assert_eq!(initializers(&case, Form::Function), initializers(&case, Form::AsDrawn), "{}", case.id);
            let node = &case.model.graph().node[0];
            without_regions += usize::from(node.input.len() > 2 && node.input[1].is_empty());
        }
    }
    assert!(without_regions > 0, "no case leaves out `roi` before `scales`");
}

/// How many cases of a version or a cell can have each form, and which forms occur.
#[derive(Default)]
struct Forms {
    possible: BTreeMap<Form, u64>,
    seen: BTreeSet<Form>,
}

impl Forms {
    fn add(&mut self, other: &Forms) {
        other.possible.iter().for_each(|(form, cases)| *self.possible.entry(*form).or_default() += cases);
        self.seen.extend(&other.seen);
    }

    fn missing(&self, often: u64) -> impl Iterator<Item = Form> {
        let often = self.possible.iter().filter(move |(_, cases)| **cases >= often);
        often.map(|(form, _)| *form).filter(|form| !self.seen.contains(form))
    }
}

/// An operator version has to occur in each form that at least `OFTEN_OF_VERSION` of its cases can have, and a cell in
/// each form that at least `OFTEN` of its cases can have. Cells may miss a few forms: for each thousand pairs of cell
/// and form that occur, one pair may be missing.
#[test]
fn every_cell_comes_in_every_form_it_can_have() {
    let of_cell = |cell: &Cell| {
        let mut forms = Forms::default();
        for case in (0..COUNTED).filter_map(|index| cell.case(None, index, 0)) {
            case.forms().into_iter().for_each(|form| *forms.possible.entry(form).or_default() += 1);
            forms.seen.insert(case.form);
        }
        (cell.clone(), forms)
    };
    let counted: Vec<(Cell, Forms)> = sampled_cells().par_iter().map(of_cell).collect();
    let mut by_version: BTreeMap<String, Forms> = BTreeMap::new();
    counted.iter().for_each(|(cell, forms)| by_version.entry(cell.version.id.to_string()).or_default().add(forms));
    let versions = by_version.iter().flat_map(|(id, forms)| {
        forms.missing(OFTEN_OF_VERSION).map(move |form| format!("{id}: no case has the form {form}"))
    });
    let versions: Vec<String> = versions.collect();
    let cells = counted
        .iter()
        .flat_map(|(cell, forms)| forms.missing(OFTEN).map(move |form| format!("{cell}: no case has the form {form}")));
    let cells: Vec<String> = cells.collect();
    let pairs: usize = counted.iter().map(|(_, forms)| forms.seen.len()).sum();
    let mut by_form: BTreeMap<Form, usize> = BTreeMap::new();
    counted.iter().flat_map(|(_, forms)| &forms.seen).for_each(|form| *by_form.entry(*form).or_default() += 1);
    println!(
        "{} cells, {pairs} pairs of cell and form, of which {} are missing; cells by form: {by_form:?}",
        counted.len(),
        cells.len()
    );
    assert!(versions.is_empty(), "{} forms are missing in a version:\n{}", versions.len(), versions.join("\n"));
    assert!(
        cells.len() * 1000 <= pairs,
        "{} forms are missing in a cell:\n{}",
        cells.len(),
        cells[..cells.len().min(60)].join("\n")
    );
}
