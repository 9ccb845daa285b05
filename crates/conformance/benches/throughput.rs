//! Measures how many cases per second one core draws, answers and judges. No backend runs: the oracle's own answer is
//! judged.

use divan::counter::ItemsCount;
use plumbline_backend::Observation;
use plumbline_conformance::graphs::Start;
use plumbline_conformance::{Right, judge, output_shapes};
use plumbline_generator::{Cell, cells};
use plumbline_oracle::{Operand, Oracle};

/// Tensors are allocated and freed all the time. This allocator keeps their pages, and `cargo xtask` uses it as well.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const CASES: u64 = 64;

fn cells_of(name: &str) -> Vec<Cell> {
    cells().into_iter().filter(|c| c.version.id.name == name).collect()
}

/// The operators whose cases are measured.
const OPERATORS: [&str; 10] =
    ["Floor", "Min", "Expand", "Add", "Exp", "Tanh", "Where", "Softmax", "ReduceSum", "MatMul"];

/// Measures all cases, in the forms and sizes that a run has.
#[divan::bench(args = OPERATORS)]
fn draw_answer_judge(bencher: divan::Bencher, name: &str) {
    measure(bencher, name, |_, _| true);
}

/// Measures only the cases of the usual size, so that the result does not depend on how large the others are.
#[divan::bench(args = OPERATORS)]
fn small(bencher: divan::Bencher, name: &str) {
    measure(bencher, name, Cell::is_small);
}

/// The numbers of nodes that graphs are measured with.
const NODES: [usize; 2] = [8, 20];

/// Draws graphs of about this many nodes, answers and judges them.
#[divan::bench(args = NODES)]
fn graphs(bencher: divan::Bencher, nodes: usize) {
    let starts: Vec<Start> = cells().into_iter().step_by(29).filter_map(Start::of_cell).collect();
    let reference = Oracle::default();
    bencher.counter(ItemsCount::new(starts.len())).bench(|| {
        for (index, start) in starts.iter().enumerate() {
            let Some(case) = plumbline_conformance::graphs::draw_of(start, index as u64, 0, nodes) else { continue };
            let Ok(outputs) = reference.answer(&case.model, &case.inputs) else { continue };
            let values = outputs.iter().map(Operand::to_value).collect();
            let right = Right::from(outputs);
            let observation = Observation::Outputs { values, seconds: 0.0 };
            divan::black_box(judge(&right, &case.model.output_names(), &observation));
        }
    });
}

fn measure(bencher: divan::Bencher, name: &str, takes: impl Fn(&Cell, u64) -> bool + Sync) {
    let cells = cells_of(name);
    let reference = Oracle::default();
    let wanted: Vec<(&Cell, u64)> = cells
        .iter()
        .flat_map(|cell| (0..CASES).map(move |index| (cell, index)))
        .filter(|(c, i)| takes(c, *i))
        .collect();
    bencher.counter(ItemsCount::new(wanted.len())).bench(|| {
        for &(cell, index) in &wanted {
            let Some(case) = cell.case(None, index, 0) else { continue };
            let Ok(outputs) = reference.answer(&case.model, &case.inputs) else { continue };
            let values = outputs.iter().map(Operand::to_value).collect();
            let right = Right::from(outputs);
            let case = case.in_form(&output_shapes(&right));
            let observation = Observation::Outputs { values, seconds: 0.0 };
            divan::black_box(judge(&right, &case.model.output_names(), &observation));
        }
    });
}
