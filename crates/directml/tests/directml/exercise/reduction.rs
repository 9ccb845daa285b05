//! Exercises for REDUCE, ARGMAX and ARGMIN, running sums and products, and TOP_K.

use super::{Draft, Exercise, Plain, all};
use plumbline_spec::directml::TensorDataType;

/// Sets random axes, and size 1 along them in the output.
fn reduced(draft: &mut Draft) {
    let rank = draft.rank("InputTensor");
    let rank_out = draft.rank("OutputTensor");
    let rank = rank.max(rank_out);
    let mut sizes = draft.some_sizes(rank);
    draft.resize("InputTensor", &sizes);
    let mut axes = vec![draft.below(rank)];
    if rank > 1 && draft.flip() {
        axes.push((axes[0] + 1) % rank);
    }
    axes.iter().for_each(|&axis| sizes[axis] = 1);
    draft.resize("OutputTensor", &sizes);
    draft.set_uint("AxisCount", axes.len());
    draft.set_uints("Axes", &axes);
}

/// Returns the elements that an element of the output is computed from, in order.
fn part(draft: &Draft, index: &[usize]) -> Vec<f64> {
    let (x, axes) = (draft.input("InputTensor"), draft.uints("Axes"));
    let mine = |other: &&Vec<usize>| (0..index.len()).all(|d| axes.contains(&d) || other[d] == index[d]);
    all(&x.sizes).iter().filter(mine).map(|other| x.at(other)).collect()
}

fn place(part: &[f64], largest: bool, last: bool) -> f64 {
    let best = if largest {
        part.iter().copied().fold(f64::MIN, f64::max)
    } else {
        part.iter().copied().fold(f64::MAX, f64::min)
    };
    let found = |x: &f64| *x == best;
    (if last { part.iter().rposition(found) } else { part.iter().position(found) }).unwrap() as f64
}

fn extreme(draft: &Draft, largest: bool) -> Vec<Plain> {
    let last = draft.uint("AxisDirection") == 1;
    vec![draft.output("OutputTensor", |index| place(&part(draft, index), largest, last))]
}

fn places(draft: &mut Draft) {
    reduced(draft);
    let direction = draft.below(2);
    draft.set_uint("AxisDirection", direction);
}

fn along(draft: &mut Draft) {
    draft.same();
    let rank = draft.rank("InputTensor");
    let (axis, direction, flag) = (draft.below(rank), draft.below(2), draft.flip());
    draft.set_uint("Axis", axis);
    draft.set_uint("AxisDirection", direction);
    let name = if draft.description.name() == "CUMULATIVE_PRODUCT" { "HasExclusiveProduct" } else { "HasExclusiveSum" };
    draft.set_bool(name, flag);
}

fn cumulated(draft: &Draft, flag: &str, start: f64, join: fn(f64, f64) -> f64) -> Vec<Plain> {
    let (axis, backward, exclusive) = (draft.uint("Axis"), draft.uint("AxisDirection") == 1, draft.uint(flag) == 1);
    vec![draft.output("OutputTensor", |index| {
        let at = index[axis];
        let count = draft.sizes("InputTensor")[axis];
        let range = match (backward, exclusive) {
            (false, false) => 0..at + 1,
            (false, true) => 0..at,
            (true, false) => at..count,
            (true, true) => at + 1..count,
        };
        range.fold(start, |acc, i| {
            let mut index = index.to_vec();
            index[axis] = i;
            join(acc, draft.input("InputTensor").at(&index))
        })
    })]
}

fn some_of(draft: &mut Draft) {
    draft.same();
    let mut sizes = draft.sizes("InputTensor");
    let axis = draft.below(sizes.len());
    sizes[axis] = 4;
    draft.resize("InputTensor", &sizes);
    sizes[axis] = 1 + draft.below(4);
    draft.resize("OutputValueTensor", &sizes);
    draft.resize("OutputIndexTensor", &sizes);
    draft.set_uint("Axis", axis);
    draft.set_uint("K", sizes[axis]);
    if draft.description.operator().field("AxisDirection").is_some() {
        let direction = draft.below(2);
        draft.set_uint("AxisDirection", direction);
    }
    // The elements along the axis are distinct, because the documentation does not order equal ones.
    let mut next = 0;
    draft.fill_by("InputTensor", |_, _| {
        next += 1;
        f64::from(next * 37 % 101)
    });
}

fn top(draft: &Draft) -> Vec<Plain> {
    let (axis, smallest) = (draft.uint("Axis"), draft.description.uint("AxisDirection") == Some(0));
    let find = |index: &[usize]| {
        let x = draft.input("InputTensor");
        let mut row: Vec<(f64, usize)> = (0..x.sizes[axis])
            .map(|i| {
                let mut index = index.to_vec();
                index[axis] = i;
                (x.at(&index), i)
            })
            .collect();
        row.sort_by(|a, b| a.0.total_cmp(&b.0));
        if !smallest {
            row.reverse();
        }
        row[index[axis]]
    };
    vec![
        draft.output("OutputValueTensor", |index| find(index).0),
        draft.output("OutputIndexTensor", |index| find(index).1 as f64),
    ]
}

pub const EXERCISES: &[Exercise] = &[
    Exercise {
        name: "REDUCE",
        shape: |draft| {
            reduced(draft);
            // Each support table is for a group of functions. One function of the group is drawn.
            let of_table: &[usize] = match draft.uint("Function") {
                0 | 1 => &[0, 1],
                2 | 4 | 5 | 6 => &[2, 4, 5, 6],
                3 | 11 => &[3, 11],
                7 | 8 => &[7, 8],
                _ => &[9, 10],
            };
            let function = of_table[draft.below(of_table.len())];
            draft.set_uint("Function", function);
            // All functions but the first two need the same type for both tensors. The draft has the type under test in
            // one tensor, and in the other the first type of the table, which is float32.
            if function > 1 {
                let types = [draft.data_type("InputTensor"), draft.data_type("OutputTensor")];
                let asked = if types[0] == TensorDataType::Float32 { types[1] } else { types[0] };
                draft.retype("InputTensor", asked);
                draft.retype("OutputTensor", asked);
            }
            if function == 5 {
                draft.fill_by("InputTensor", |draft, _| 0.25 + draft.below(9) as f64);
            }
            if function == 9 {
                draft.fill_by("InputTensor", |draft, _| [1.0, 2.0, 3.0][draft.below(3)]);
            }
        },
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| {
                let part = part(draft, index);
                let sum = |f: fn(f64) -> f64| part.iter().copied().map(f).sum::<f64>();
                match draft.uint("Function") {
                    0 => place(&part, true, false),
                    1 => place(&part, false, false),
                    2 => sum(|x| x) / part.len() as f64,
                    3 => sum(f64::abs),
                    4 => sum(|x| x * x).sqrt(),
                    5 => sum(|x| x).ln(),
                    6 => sum(f64::exp).ln(),
                    7 => part.iter().copied().fold(f64::MIN, f64::max),
                    8 => part.iter().copied().fold(f64::MAX, f64::min),
                    9 => part.iter().product(),
                    10 => sum(|x| x),
                    _ => sum(|x| x * x),
                }
            })]
        },
    },
    Exercise { name: "ARGMAX", shape: places, evaluate: |draft| extreme(draft, true) },
    Exercise { name: "ARGMIN", shape: places, evaluate: |draft| extreme(draft, false) },
    Exercise {
        name: "CUMULATIVE_PRODUCT",
        shape: |draft| {
            along(draft);
            draft.fill_by("InputTensor", |draft, _| [1.0, 2.0, 3.0][draft.below(3)]);
        },
        evaluate: |draft| cumulated(draft, "HasExclusiveProduct", 1.0, |a, b| a * b),
    },
    Exercise {
        name: "CUMULATIVE_SUMMATION",
        shape: along,
        evaluate: |draft| cumulated(draft, "HasExclusiveSum", 0.0, |a, b| a + b),
    },
    Exercise { name: "TOP_K", shape: some_of, evaluate: top },
    Exercise { name: "TOP_K1", shape: some_of, evaluate: top },
];
