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

/// Returns one of four items of each group, and the first of each: for tests that look at what the items of a group have
/// in common. Returns all items if `PLUMBLINE_CELLS` is `all`, as in the workflow `nightly.yml`, or with `PLUMBLINE_OP`.
fn sampled<T>(items: Vec<T>, group: impl Fn(&T) -> String) -> Vec<T> {
    let all = std::env::var("PLUMBLINE_CELLS").is_ok_and(|cells| cells == "all");
    if all || std::env::var_os("PLUMBLINE_OP").is_some() {
        return items;
    }
    // Multiples of the golden ratio: every fourth item would often be of the same type or feature level.
    let mut counted: BTreeMap<String, u32> = BTreeMap::new();
    let mut is_sample = |item: &T| {
        let count = counted.entry(group(item)).or_default();
        let place = count.wrapping_mul(2_654_435_769);
        *count += 1;
        place < u32::MAX / 4
    };
    items.into_iter().filter(|item| is_sample(item)).collect()
}

/// Returns one of four of the selected cells of each operator version (see [`sampled`]).
fn sampled_cells() -> Vec<Cell> {
    sampled(selected_cells(), |cell| cell.version.id.to_string())
}

/// Returns the selected cells by the domain and name of their operator.
fn by_operator() -> BTreeMap<String, Vec<Cell>> {
    let mut all: BTreeMap<String, Vec<Cell>> = BTreeMap::new();
    for cell in selected_cells() {
        all.entry(format!("{}.{}", cell.version.id.domain, cell.version.id.name)).or_default().push(cell);
    }
    all
}
