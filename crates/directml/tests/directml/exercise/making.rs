//! Exercises for operators that create elements from a description or convert single elements, and for UPSAMPLE_2D.

use super::{Exercise, all};
use plumbline_directml::{Attribute, Size2d};

pub const EXERCISES: &[Exercise] = &[
    Exercise {
        name: "CAST",
        shape: |draft| {
            draft.same();
            // The numbers are in the range of every type.
            draft.fill_by("InputTensor", |draft, _| draft.below(9) as f64 + 0.5);
        },
        evaluate: |draft| {
            let whole = !draft.is_float("OutputTensor");
            vec![draft.output("OutputTensor", |index| {
                let x = draft.input("InputTensor").at(index);
                if whole { x.trunc() } else { x }
            })]
        },
    },
    Exercise {
        name: "FILL_VALUE_CONSTANT",
        shape: |draft| {
            draft.same();
            draft.set_scalar("Value", draft.data_type("OutputTensor"), 3.0);
        },
        evaluate: |draft| vec![draft.output("OutputTensor", |_| 3.0)],
    },
    Exercise {
        name: "FILL_VALUE_SEQUENCE",
        shape: |draft| {
            draft.same();
            draft.set_scalar("ValueStart", draft.data_type("OutputTensor"), 3.0);
            draft.set_scalar("ValueDelta", draft.data_type("OutputTensor"), 2.0);
        },
        evaluate: |draft| {
            let mut next = 1.0;
            vec![draft.output("OutputTensor", |_| {
                next += 2.0;
                next
            })]
        },
    },
    Exercise {
        name: "DIAGONAL_MATRIX",
        shape: |draft| {
            draft.same();
            let offset = draft.below(3) as i32 - 1;
            draft.set("Offset", Attribute::Int(offset));
            draft.set_float("Value", 4.0);
        },
        evaluate: |draft| {
            let Some(Attribute::Int(offset)) = draft.description.attribute("Offset") else { panic!() };
            vec![draft.output("OutputTensor", |index| {
                let [.., row, column] = index else { panic!() };
                if *row as i32 + offset == *column as i32 { 4.0 } else { 0.0 }
            })]
        },
    },
    Exercise {
        name: "DIAGONAL_MATRIX1",
        shape: |draft| {
            draft.same();
            let begin = draft.below(4) as i32 - 2;
            let end = begin + draft.below(3) as i32;
            draft.set("DiagonalFillBegin", Attribute::Int(begin));
            draft.set("DiagonalFillEnd", Attribute::Int(end));
            draft.set_scalar("Value", draft.data_type("OutputTensor"), 4.0);
        },
        evaluate: |draft| {
            let number = |field| match draft.description.attribute(field) {
                Some(Attribute::Int(number)) => *number,
                other => panic!("{other:?}"),
            };
            vec![draft.output("OutputTensor", |index| {
                let [.., row, column] = index else { panic!() };
                let diagonal = *column as i32 - *row as i32;
                match number("DiagonalFillBegin") <= diagonal && diagonal < number("DiagonalFillEnd") {
                    true => 4.0,
                    false => draft.optional("InputTensor").map_or(0.0, |x| x.at(index)),
                }
            })]
        },
    },
    Exercise {
        name: "VALUE_SCALE_2D",
        shape: |draft| {
            draft.same();
            let channels = draft.sizes("InputTensor")[1];
            draft.set_float("Scale", 1.5);
            draft.set_uint("ChannelCount", channels);
            draft.set("Bias", Attribute::FloatArray((0..channels).map(|c| c as f32 - 0.5).collect()));
        },
        evaluate: |draft| {
            vec![
                draft
                    .output("OutputTensor", |index| draft.input("InputTensor").at(index) * 1.5 + index[1] as f64 - 0.5),
            ]
        },
    },
    Exercise {
        name: "UPSAMPLE_2D",
        shape: |draft| {
            let rank = draft.rank("InputTensor");
            let mut sizes = draft.some_sizes(rank);
            draft.resize("InputTensor", &sizes);
            sizes[rank - 2] *= 2;
            sizes[rank - 1] *= 3;
            draft.resize("OutputTensor", &sizes);
            draft.set("ScaleSize", Attribute::Size2d(Size2d { height: 2, width: 3 }));
            let mode = draft.below(2);
            draft.set_uint("InterpolationMode", mode);
        },
        evaluate: |draft| {
            let x = draft.input("InputTensor");
            vec![draft.output("OutputTensor", |index| {
                let rank = index.len();
                let mut sum = 0.0;
                for from in all(&x.sizes) {
                    let weight = |d: usize, scale: f64| {
                        let place = (index[d] as f64 + 0.5) / scale - 0.5;
                        match draft.uint("InterpolationMode") {
                            0 => f64::from(u8::from(from[d] == (index[d] as f64 / scale) as usize)),
                            _ => {
                                let place = place.max(0.0).min(x.sizes[d] as f64 - 1.0);
                                (1.0 - (place - from[d] as f64).abs()).max(0.0)
                            }
                        }
                    };
                    if from[..rank - 2] == index[..rank - 2] {
                        sum += weight(rank - 2, 2.0) * weight(rank - 1, 3.0) * x.at(&from);
                    }
                }
                sum
            })]
        },
    },
];
