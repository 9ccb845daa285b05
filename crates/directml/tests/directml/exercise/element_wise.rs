//! Exercises for `ELEMENT_WISE_*`.

use super::{Draft, Exercise, Plain, machine};
use plumbline_directml::{Attribute, OperatorDescription, ScaleBias};
use plumbline_spec::directml::TensorDataType;

/// Gives all tensors the same sizes. If the operator has a scale and bias and the input is a float, sets them in half
/// of the drafts.
pub fn one(draft: &mut Draft) {
    draft.same();
    let known = draft.description.operator().field("ScaleBias").is_some();
    if known && draft.is_float("InputTensor") && draft.flip() {
        draft.set("ScaleBias", Attribute::ScaleBias(ScaleBias { scale: 2.0, bias: 0.5 }));
    }
}

/// Returns an element of the input after scale and bias.
fn scaled(draft: &Draft, index: &[usize]) -> f64 {
    let x = draft.input("InputTensor").at(index);
    match draft.description.attribute("ScaleBias") {
        Some(Attribute::ScaleBias(by)) => x * f64::from(by.scale) + f64::from(by.bias),
        _ => x,
    }
}

fn two(draft: &mut Draft) {
    draft.same();
}

/// Keeps divisors above 0 if they are integers.
fn divisors(draft: &mut Draft) {
    draft.same();
    if !draft.is_float("BTensor") {
        draft.fill_by("BTensor", |draft, _| 1.0 + draft.below(6) as f64);
    }
}

fn special(draft: &mut Draft) {
    draft.same();
    let values = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.0, 1.5];
    draft.fill_by("InputTensor", |draft, _| values[draft.below(5)]);
}

macro_rules! unary {
    ($draft:ident, $x:ident, $name:literal, $shape:expr, $value:expr) => {
        Exercise {
            name: $name,
            shape: $shape,
            evaluate: |$draft| {
                vec![$draft.output("OutputTensor", |index| {
                    let $x = scaled($draft, index);
                    $value
                })]
            },
        }
    };
    ($name:literal, $x:ident => $value:expr) => {
        unary!(_draft, $x, $name, one, $value)
    };
}

macro_rules! binary {
    ($draft:ident, $name:literal, $shape:expr, ($a:ident, $b:ident) => $value:expr) => {
        Exercise {
            name: $name,
            shape: $shape,
            evaluate: |$draft| {
                vec![$draft.output("OutputTensor", |index| {
                    let ($a, $b) = ($draft.input("ATensor").at(index), $draft.input("BTensor").at(index));
                    $value
                })]
            },
        }
    };
    ($name:literal, $shape:expr, ($a:ident, $b:ident) => $value:expr) => {
        binary!(draft, $name, $shape, ($a, $b) => $value)
    };
}

/// Applies `f` to the bits that the numbers `a` and `b` have in the element type of a field.
fn bitwise(draft: &Draft, field: &str, [a, b]: [f64; 2], f: fn(u64, u64) -> u64) -> f64 {
    let data_type = draft.data_type(field);
    let word = |x: f64| {
        let mut word = [0; 8];
        let bytes = machine::bytes(data_type, x);
        word[..bytes.len()].copy_from_slice(&bytes);
        u64::from_le_bytes(word)
    };
    let size = machine::bytes(data_type, a).len();
    machine::number(data_type, &f(word(a), word(b)).to_le_bytes()[..size])
}

fn truth(truth: bool) -> f64 {
    f64::from(u8::from(truth))
}

pub const EXERCISES: &[Exercise] = &[
    unary!("ELEMENT_WISE_ABS", x => x.abs()),
    unary!("ELEMENT_WISE_ACOS", x => x.acos()),
    unary!("ELEMENT_WISE_ACOSH", x => x.acosh()),
    unary!("ELEMENT_WISE_ASIN", x => x.asin()),
    unary!("ELEMENT_WISE_ASINH", x => x.asinh()),
    unary!("ELEMENT_WISE_ATAN", x => x.atan()),
    unary!("ELEMENT_WISE_ATANH", x => x.atanh()),
    unary!(draft, x, "ELEMENT_WISE_BIT_NOT", one, bitwise(draft, "InputTensor", [x, 0.0], |x, _| !x)),
    unary!("ELEMENT_WISE_CEIL", x => x.ceil()),
    unary!("ELEMENT_WISE_COS", x => x.cos()),
    unary!("ELEMENT_WISE_COSH", x => x.cosh()),
    unary!("ELEMENT_WISE_ERF", x => libm::erf(x)),
    unary!("ELEMENT_WISE_EXP", x => x.exp()),
    unary!("ELEMENT_WISE_FLOOR", x => x.floor()),
    unary!("ELEMENT_WISE_IDENTITY", x => x),
    unary!("ELEMENT_WISE_LOG", x => x.ln()),
    unary!("ELEMENT_WISE_LOGICAL_NOT", x => truth(x == 0.0)),
    unary!("ELEMENT_WISE_NEGATE", x => -x),
    unary!("ELEMENT_WISE_RECIP", x => 1.0 / x),
    unary!("ELEMENT_WISE_SIGN", x => if x == 0.0 { 0.0 } else { x.signum() }),
    unary!("ELEMENT_WISE_SIN", x => x.sin()),
    unary!("ELEMENT_WISE_SINH", x => x.sinh()),
    unary!("ELEMENT_WISE_SQRT", x => x.sqrt()),
    unary!("ELEMENT_WISE_TAN", x => x.tan()),
    unary!("ELEMENT_WISE_TANH", x => x.tanh()),
    unary!(draft, x, "ELEMENT_WISE_BIT_COUNT", one, {
        let bytes = machine::bytes(draft.data_type("InputTensor"), x);
        bytes.iter().map(|byte| f64::from(byte.count_ones())).sum()
    }),
    unary!(
        draft,
        x,
        "ELEMENT_WISE_IS_INFINITY",
        |draft| {
            special(draft);
            let mode = draft.below(3);
            draft.set_uint("InfinityMode", mode);
        },
        truth(
            x.is_infinite()
                && match draft.uint("InfinityMode") {
                    1 => x > 0.0,
                    2 => x < 0.0,
                    _ => true,
                }
        )
    ),
    unary!(_draft, x, "ELEMENT_WISE_IS_NAN", special, truth(x.is_nan())),
    unary!(
        draft,
        x,
        "ELEMENT_WISE_CLIP",
        |draft| {
            one(draft);
            draft.set_float("Min", -1.0);
            draft.set_float("Max", 2.0);
        },
        x.max(draft.float("Min")).min(draft.float("Max"))
    ),
    unary!(
        draft,
        x,
        "ELEMENT_WISE_CLIP1",
        |draft| {
            one(draft);
            limits(draft);
        },
        {
            let limit = |name| draft.scalar(name, draft.data_type("OutputTensor"));
            x.max(limit("Min")).min(limit("Max"))
        }
    ),
    unary!(
        draft,
        x,
        "ELEMENT_WISE_CONSTANT_POW",
        |draft| {
            one(draft);
            let exponent = [0.5, 2.0, -1.0, 3.0][draft.below(4)];
            draft.set_float("Exponent", exponent);
        },
        x.powf(draft.float("Exponent"))
    ),
    unary!(
        draft,
        x,
        "ELEMENT_WISE_ROUND",
        |draft| {
            one(draft);
            let mode = draft.below(3);
            draft.set_uint("RoundingMode", mode);
        },
        match draft.uint("RoundingMode") {
            0 => x.round_ties_even(),
            1 => x.trunc(),
            _ => x.round(),
        }
    ),
    unary!(
        draft,
        x,
        "ELEMENT_WISE_THRESHOLD",
        |draft| {
            one(draft);
            draft.set_float("Min", 1.0);
        },
        x.max(draft.float("Min"))
    ),
    binary!("ELEMENT_WISE_ADD", two, (a, b) => a + b),
    Exercise {
        name: "ELEMENT_WISE_ADD1",
        shape: |draft| {
            draft.same();
            let floats = [TensorDataType::Float32, TensorDataType::Float16];
            if floats.contains(&draft.data_type("OutputTensor")) && draft.flip() {
                let relu = OperatorDescription::new("ACTIVATION_RELU").build_fused().unwrap();
                draft.set("FusedActivation", Attribute::Operator(Box::new(relu)));
            }
        },
        evaluate: |draft| {
            let fused = draft.description.attribute("FusedActivation").is_some();
            vec![draft.output("OutputTensor", |index| {
                let sum = draft.input("ATensor").at(index) + draft.input("BTensor").at(index);
                if fused { sum.max(0.0) } else { sum }
            })]
        },
    },
    binary!("ELEMENT_WISE_ATAN_YX", two, (y, x) => y.atan2(x)),
    binary!(draft, "ELEMENT_WISE_BIT_AND", two, (a, b) => bitwise(draft, "ATensor", [a, b], |a, b| a & b)),
    binary!(draft, "ELEMENT_WISE_BIT_OR", two, (a, b) => bitwise(draft, "ATensor", [a, b], |a, b| a | b)),
    binary!("ELEMENT_WISE_BIT_SHIFT_LEFT", shifts, (a, b) => a * b.exp2()),
    binary!("ELEMENT_WISE_BIT_SHIFT_RIGHT", shifts, (a, b) => (a / b.exp2()).floor()),
    binary!(draft, "ELEMENT_WISE_BIT_XOR", two, (a, b) => bitwise(draft, "ATensor", [a, b], |a, b| a ^ b)),
    binary!("ELEMENT_WISE_DIFFERENCE_SQUARE", two, (a, b) => (a - b) * (a - b)),
    Exercise {
        name: "ELEMENT_WISE_DIVIDE",
        shape: divisors,
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| {
                let quotient = draft.input("ATensor").at(index) / draft.input("BTensor").at(index);
                if draft.is_float("ATensor") { quotient } else { quotient.trunc() }
            })]
        },
    },
    binary!("ELEMENT_WISE_LOGICAL_AND", two, (a, b) => truth(a != 0.0 && b != 0.0)),
    binary!("ELEMENT_WISE_LOGICAL_EQUALS", two, (a, b) => truth(a == b)),
    binary!("ELEMENT_WISE_LOGICAL_GREATER_THAN", two, (a, b) => truth(a > b)),
    binary!("ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", two, (a, b) => truth(a >= b)),
    binary!("ELEMENT_WISE_LOGICAL_LESS_THAN", two, (a, b) => truth(a < b)),
    binary!("ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", two, (a, b) => truth(a <= b)),
    binary!("ELEMENT_WISE_LOGICAL_OR", two, (a, b) => truth(a != 0.0 || b != 0.0)),
    binary!("ELEMENT_WISE_LOGICAL_XOR", two, (a, b) => truth((a != 0.0) != (b != 0.0))),
    binary!("ELEMENT_WISE_MAX", two, (a, b) => a.max(b)),
    binary!("ELEMENT_WISE_MEAN", |draft| {
        draft.same();
        for field in ["ATensor", "BTensor"] {
            draft.fill_by(field, |draft, _| 2.0 * draft.below(9) as f64);
        }
    }, (a, b) => (a + b) / 2.0),
    binary!("ELEMENT_WISE_MIN", two, (a, b) => a.min(b)),
    binary!("ELEMENT_WISE_MODULUS_FLOOR", divisors, (a, b) => a - b * (a / b).floor()),
    binary!("ELEMENT_WISE_MODULUS_TRUNCATE", divisors, (a, b) => a - b * (a / b).trunc()),
    binary!("ELEMENT_WISE_MULTIPLY", two, (a, b) => a * b),
    binary!("ELEMENT_WISE_SUBTRACT", two, (a, b) => a - b),
    Exercise {
        name: "ELEMENT_WISE_POW",
        shape: |draft| {
            draft.same();
            // Base and exponent are so small that every type can represent the power.
            draft.fill_by("InputTensor", |draft, _| draft.below(5) as f64);
            draft.fill_by("ExponentTensor", |draft, _| draft.below(3) as f64);
        },
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| {
                draft.input("InputTensor").at(index).powf(draft.input("ExponentTensor").at(index))
            })]
        },
    },
    Exercise {
        name: "ELEMENT_WISE_IF",
        shape: |draft| {
            draft.same();
            draft.fill_by("ConditionTensor", |draft, _| draft.below(3) as f64);
        },
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| {
                let chosen = if draft.input("ConditionTensor").at(index) != 0.0 { "ATensor" } else { "BTensor" };
                draft.input(chosen).at(index)
            })]
        },
    },
    Exercise {
        name: "ELEMENT_WISE_CLIP_GRAD",
        shape: |draft| {
            draft.same();
            draft.set_float("Min", -1.0);
            draft.set_float("Max", 2.0);
        },
        evaluate: |draft| within(draft, draft.float("Min"), draft.float("Max")),
    },
    Exercise {
        name: "ELEMENT_WISE_CLIP_GRAD1",
        shape: |draft| {
            draft.same();
            limits(draft);
        },
        evaluate: |draft| {
            let limit = |name| draft.scalar(name, draft.data_type("OutputGradientTensor"));
            within(draft, limit("Min"), limit("Max"))
        },
    },
    Exercise {
        name: "ELEMENT_WISE_QUANTIZE_LINEAR",
        shape: |draft| {
            draft.same();
            scales(draft, "ScaleTensor");
        },
        evaluate: |draft| {
            let least = if draft.data_type("OutputTensor") == TensorDataType::Int8 { -128.0 } else { 0.0 };
            vec![draft.output("OutputTensor", |index| {
                let multiple = draft.input("InputTensor").at(index) / draft.input("ScaleTensor").at(index);
                let zero = draft.optional("ZeroPointTensor").map_or(0.0, |zero| zero.at(index));
                (multiple.round_ties_even() + zero).clamp(least, least + 255.0)
            })]
        },
    },
    Exercise {
        name: "ELEMENT_WISE_DEQUANTIZE_LINEAR",
        shape: |draft| {
            draft.same();
            scales(draft, "ScaleTensor");
        },
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| {
                let zero = draft.optional("ZeroPointTensor").map_or(0.0, |zero| zero.at(index));
                (draft.input("InputTensor").at(index) - zero) * draft.input("ScaleTensor").at(index)
            })]
        },
    },
    Exercise {
        name: "ELEMENT_WISE_QUANTIZED_LINEAR_ADD",
        shape: |draft| {
            draft.same();
            let ones = vec![1; draft.rank("ATensor")];
            for field in ["AScaleTensor", "BScaleTensor", "OutputScaleTensor"] {
                draft.resize(field, &ones);
                scales(draft, field);
            }
            for field in ["AZeroPointTensor", "BZeroPointTensor", "OutputZeroPointTensor"] {
                draft.resize(field, &ones);
            }
        },
        evaluate: |draft| {
            let least = if draft.data_type("OutputTensor") == TensorDataType::Int8 { -128.0 } else { 0.0 };
            let zero = |field| draft.optional(field).map_or(0.0, |zero| zero.data[0]);
            vec![draft.output("OutputTensor", |index| {
                let a =
                    (draft.input("ATensor").at(index) - zero("AZeroPointTensor")) * draft.input("AScaleTensor").data[0];
                let b =
                    (draft.input("BTensor").at(index) - zero("BZeroPointTensor")) * draft.input("BScaleTensor").data[0];
                let multiple = (a + b) / draft.input("OutputScaleTensor").data[0];
                (multiple.round_ties_even() + zero("OutputZeroPointTensor")).clamp(least, least + 255.0)
            })]
        },
    },
];

/// Keeps shifts smaller than the width of the narrowest type.
fn shifts(draft: &mut Draft) {
    draft.same();
    draft.fill_by("BTensor", |draft, _| draft.below(8) as f64);
}

fn limits(draft: &mut Draft) {
    let field = draft.description.operator().outputs().next().unwrap().name.as_str();
    let data_type = draft.data_type(field);
    draft.set_scalar("Min", data_type, 1.0);
    draft.set_scalar("Max", data_type, 3.0);
}

/// Fills a tensor of scales with powers of 2, so that division by a scale is exact.
pub fn scales(draft: &mut Draft, field: &'static str) {
    draft.fill_by(field, |draft, _| [0.25, 0.5, 1.0, 2.0][draft.below(4)]);
}

fn within(draft: &Draft, least: f64, most: f64) -> Vec<Plain> {
    vec![draft.output("OutputGradientTensor", |index| {
        let x = draft.input("InputTensor").at(index);
        if x <= least || x >= most { 0.0 } else { draft.input("InputGradientTensor").at(index) }
    })]
}
