//! Checks what recipes draw: that the oracle answers valid cases in every form and refuses negative ones, that the
//! values, sizes and attributes which matter occur, and how cases are divided among operators. Other tests use the
//! cases to compare kernels with function bodies, and to check that the lowering to DirectML gives valid graphs, that
//! the oracle accepts exact answers rounded once, that it accepts enough where inputs are uncertain, and that it never
//! panics. All tests are in one program, because each program takes time to compile and link.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod bodies;
mod budget;
mod directml;
mod directml_behaviours;
mod directml_suite;
mod flush;
mod forms;
mod goals;
mod hostile;
mod large;
mod oracle;
mod precision;
mod samples;
mod sizes;
mod uncertain;
mod values;

use std::collections::BTreeMap;

use plumbline_generator::{Cell, cells};

/// Returns the cells of all operators, or of the operator that `PLUMBLINE_OP` names.
fn selected_cells() -> Vec<Cell> {
    let only = std::env::var("PLUMBLINE_OP").ok();
    let cells: Vec<Cell> =
        cells().into_iter().filter(|c| only.as_ref().is_none_or(|o| *o == c.version.id.name)).collect();
    assert!(!cells.is_empty(), "the selection has no cell");
    cells
}

/// Returns the selected cells by the domain and name of their operator.
fn by_operator() -> BTreeMap<String, Vec<Cell>> {
    let mut all: BTreeMap<String, Vec<Cell>> = BTreeMap::new();
    for cell in selected_cells() {
        all.entry(format!("{}.{}", cell.version.id.domain, cell.version.id.name)).or_default().push(cell);
    }
    all
}
