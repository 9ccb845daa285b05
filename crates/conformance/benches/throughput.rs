//! Measures how many cases per second one core draws, answers and judges. No backend runs: the oracle's own answer is
//! judged.

use divan::counter::ItemsCount;
use plumbline_backend::Observation;
use plumbline_conformance::{Right, judge, output_shapes};
use plumbline_generator::{Cell, cells};
use plumbline_oracle::{Operand, Reference};

/// Tensors are allocated and freed all the time. This allocator keeps their pages, and `cargo xtask` uses it as well.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const CASES: u64 = 64;

fn of(name: &str) -> Vec<Cell> {
    cells().into_iter().filter(|c| c.version.id.name == name).collect()
}

#[divan::bench(args = ["Floor", "Min", "Expand", "Add", "Exp", "Tanh", "Where", "Softmax", "ReduceSum", "MatMul"])]
fn draw_answer_judge(bencher: divan::Bencher, name: &str) {
    let cells = of(name);
    let reference = Reference::default();
    let count = cells.len() as u64 * CASES;
    bencher.counter(ItemsCount::new(count)).bench(|| {
        for cell in &cells {
            for index in 0..CASES {
                let Some(case) = cell.case(None, index, 0) else { continue };
                let Ok(outputs) = reference.answer(&case.model, &case.inputs) else { continue };
                let values = outputs.iter().map(Operand::to_value).collect();
                let right = Right::from(outputs);
                let case = case.in_form(&output_shapes(&right));
                let observation = Observation::Outputs { values, seconds: 0.0 };
                divan::black_box(judge(&right, &case.model.output_names(), &observation));
            }
        }
    });
}
