//! Exercises for products of matrices.

use super::{Draft, Exercise, element_wise::scales};
use plumbline_directml::{Attribute, OperatorDescription};
use plumbline_spec::directml::TensorDataType;

/// Sets matrices of 2 by 3 and 3 by 4; attributes may transpose them.
fn matrices(draft: &mut Draft) {
    let rank = draft.rank("OutputTensor");
    let head: Vec<usize> = (0..rank - 2).map(|_| 1 + draft.below(2)).collect();
    let sizes = |rows: usize, columns: usize| [head.as_slice(), &[rows, columns]].concat();
    let turned = |draft: &mut Draft, field: &str| {
        let turn = draft.description.operator().field(field).is_some() && draft.flip();
        if turn {
            draft.set_uint(field, 1);
        }
        turn
    };
    let (a, b) = (turned(draft, "TransA"), turned(draft, "TransB"));
    draft.resize("ATensor", &if a { sizes(3, 2) } else { sizes(2, 3) });
    draft.resize("BTensor", &if b { sizes(4, 3) } else { sizes(3, 4) });
    for field in ["CTensor", "BiasTensor", "OutputTensor"] {
        draft.resize(field, &sizes(2, 4));
    }
}

/// Computes an element of a product. `a` and `b` convert the elements of the factors.
fn product(draft: &Draft, index: &[usize], a: impl Fn(f64, usize) -> f64, b: impl Fn(f64, usize) -> f64) -> f64 {
    let [head @ .., row, column] = index else { panic!() };
    let at = |turn: &str, row: usize, column: usize| match draft.description.uint(turn) {
        Some(1) => [head, &[column, row]].concat(),
        _ => [head, &[row, column]].concat(),
    };
    let term = |k: usize| {
        let left = draft.input("ATensor").at(&at("TransA", *row, k));
        a(left, *row) * b(draft.input("BTensor").at(&at("TransB", k, *column)), *column)
    };
    (0..3).map(term).sum()
}

/// Sets zero points and scales: one number, or one for each row or column.
fn factors(draft: &mut Draft) {
    matrices(draft);
    for (field, columns) in [
        ("AScaleTensor", false),
        ("AZeroPointTensor", false),
        ("BScaleTensor", true),
        ("BZeroPointTensor", true),
        ("OutputScaleTensor", false),
        ("OutputZeroPointTensor", false),
    ] {
        if !draft.has(field) {
            continue;
        }
        let rank = draft.rank(field);
        let mut sizes = vec![1; rank];
        if draft.flip() && (columns || rank > 1) {
            let at = if columns { rank - 1 } else { rank - 2 };
            sizes[at] = if columns { 4 } else { 2 };
        }
        draft.resize(field, &sizes);
        if field.ends_with("ScaleTensor") {
            scales(draft, field);
        }
    }
}

fn factor(draft: &Draft, field: &'static str, default: f64, at: usize) -> f64 {
    draft.optional(field).map_or(default, |found| found.data[at.min(found.data.len() - 1)])
}

fn centred(draft: &Draft, index: &[usize]) -> f64 {
    let a = |x: f64, row: usize| x - factor(draft, "AZeroPointTensor", 0.0, row);
    product(draft, index, a, |x, column| x - factor(draft, "BZeroPointTensor", 0.0, column))
}

fn scaled(draft: &Draft, index: &[usize]) -> f64 {
    let [.., row, column] = index else { panic!() };
    let scale = factor(draft, "AScaleTensor", 1.0, *row) * factor(draft, "BScaleTensor", 1.0, *column);
    centred(draft, index) * scale
}

pub const EXERCISES: &[Exercise] = &[
    Exercise {
        name: "GEMM",
        shape: |draft| {
            matrices(draft);
            draft.set_float("Alpha", 0.5);
            draft.set_float("Beta", 1.5);
            if draft.flip() {
                let relu = OperatorDescription::new("ACTIVATION_RELU").build_fused().unwrap();
                draft.set("FusedActivation", Attribute::Operator(Box::new(relu)));
            }
        },
        evaluate: |draft| {
            let fused = draft.description.attribute("FusedActivation").is_some();
            vec![draft.output("OutputTensor", |index| {
                let added = draft.optional("CTensor").map_or(0.0, |c| 1.5 * c.at(index));
                let sum = 0.5 * product(draft, index, |x, _| x, |x, _| x) + added;
                if fused { sum.max(0.0) } else { sum }
            })]
        },
    },
    Exercise {
        name: "MATRIX_MULTIPLY_INTEGER",
        shape: factors,
        evaluate: |draft| vec![draft.output("OutputTensor", |index| centred(draft, index))],
    },
    Exercise {
        name: "MATRIX_MULTIPLY_INTEGER_TO_FLOAT",
        shape: factors,
        evaluate: |draft| {
            let bias = |index: &[usize]| draft.optional("BiasTensor").map_or(0.0, |bias| bias.at(index));
            vec![draft.output("OutputTensor", |index| scaled(draft, index) + bias(index))]
        },
    },
    Exercise {
        name: "QUANTIZED_LINEAR_MATRIX_MULTIPLY",
        shape: factors,
        evaluate: |draft| {
            let least = if draft.data_type("OutputTensor") == TensorDataType::Int8 { -128.0 } else { 0.0 };
            vec![draft.output("OutputTensor", |index| {
                let row = index[index.len() - 2];
                let multiple = scaled(draft, index) / factor(draft, "OutputScaleTensor", 1.0, row);
                let zero = factor(draft, "OutputZeroPointTensor", 0.0, row);
                (multiple.round_ties_even() + zero).clamp(least, least + 255.0)
            })]
        },
    },
];
