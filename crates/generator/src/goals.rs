//! Goals: what some case of each cell has to meet, such as an empty extent, a value of an attribute that the text of
//! the operator names, or a NaN. `generators/goals.toml` lists the goals of each cell.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Tensor, Value};

use crate::case::Case;
use crate::cell::Cell;
use crate::declarations::short_type;

/// Attributes whose values are options: the text of the operator names each of them. Flags are among them. Sorted.
const OPTIONS: [&str; 65] = [
    "activation",
    "activations",
    "aggregate_function",
    "align_corners",
    "allowzero",
    "antialias",
    "approximate",
    "auto_pad",
    "broadcast",
    "case_change_action",
    "cast_to",
    "ceil_mode",
    "center_point_box",
    "coordinate_transformation_mode",
    "count_include_pad",
    "detect_negative",
    "detect_positive",
    "direction",
    "exclude_outside",
    "exclusive",
    "fmod",
    "input_forget",
    "interleaved",
    "inverse",
    "is_case_sensitive",
    "is_causal",
    "is_test",
    "keep_aspect_ratio_policy",
    "keepdims",
    "kernel_type",
    "largest",
    "layout",
    "linear_before_reset",
    "map_form",
    "mode",
    "multi_class",
    "nearest_mode",
    "new_axis",
    "nodes_modes",
    "noop_with_empty_axes",
    "norm",
    "one_class",
    "onesided",
    "output_sequence",
    "padding_mode",
    "periodic",
    "pixel_format",
    "post_transform",
    "qk_matmul_output_mode",
    "reduction",
    "reverse",
    "round_mode",
    "saturate",
    "select_last_index",
    "softmax_precision",
    "sorted",
    "spatial",
    "stash_type",
    "storage_order",
    "training_mode",
    "transA",
    "transB",
    "update_rule",
    "upper",
    "zeros",
];

/// Starts of the names of features that are no goals: the form and the rank of a case, and what the index of a case
/// decides.
const NO_GOALS: [&str; 5] = ["form ", "rank ", "an extent ", "more than ", "one special "];

/// The classes of special elements. In a set of classes, each is the bit of its place here.
const CLASSES: [&str; 8] = [
    "value NaN",
    "value infinity",
    "value -infinity",
    "value -0",
    "value subnormal",
    "value 0",
    "value largest",
    "value smallest",
];

const NAN: u8 = 1;
const INFINITY: u8 = 1 << 1;
const NEGATIVE_INFINITY: u8 = 1 << 2;
const NEGATIVE_ZERO: u8 = 1 << 3;
const SUBNORMAL: u8 = 1 << 4;
const ZERO: u8 = 1 << 5;
const LARGEST: u8 = 1 << 6;
const SMALLEST: u8 = 1 << 7;

/// The classes that only floating-point types have.
const OF_FLOATS: u8 = NAN | INFINITY | NEGATIVE_INFINITY | NEGATIVE_ZERO | SUBNORMAL;

/// The number of cases of a cell, on average, within which it has to meet its goals: that of the profile `ci`.
pub const CASES: u64 = 20;

/// The start of the name of a goal that is a behaviour of the operator.
pub const RULE: &str = "rule ";

/// The goals of an operator: which cells they are for, and their names.
type Goals = BTreeMap<String, Vec<String>>;

/// `generators/goals.toml`: the goals of all operators.
static GOALS: LazyLock<BTreeMap<String, Goals>> = LazyLock::new(|| {
    let text = plumbline_spec::embedded::text(&plumbline_generator_data::FOLDER, "goals.toml");
    toml::from_str(text).expect("generators/goals.toml is valid: a test reads it")
});

impl Cell {
    /// Returns what some case of this cell has to meet: features of cases and, as `rule NAME`, behaviours by which the
    /// oracle leaves something open.
    pub fn goals(&self) -> Vec<&'static str> {
        let Some(goals) = GOALS.get(&self.version.id.qualified_name()) else { return vec![] };
        let of_cell = goals.iter().filter(|(cells, _)| cells.split(' ').any(|some| self.is_among(some)));
        of_cell.flat_map(|(_, names)| names).map(String::as_str).collect()
    }

    /// Returns whether this cell is among `*` (all), `11,13` (those of some versions) or `13/T=float|double` (some of
    /// those).
    fn is_among(&self, cells: &str) -> bool {
        let (versions, bound) =
            cells.split_once('/').map_or((cells, None), |(versions, bound)| (versions, Some(bound)));
        let is_version = |since: &str| since.parse() == Ok(self.version.since());
        if versions != "*" && !versions.split(',').any(is_version) {
            return false;
        }
        let Some((variable, types)) = bound.and_then(|bound| bound.split_once('=')) else { return bound.is_none() };
        let is = |(own, type_): &(String, plumbline_spec::TypeStr)| {
            own == variable && types.split('|').any(|other| other == short_type(&type_.to_string()))
        };
        self.bound.as_ref().is_some_and(is)
    }

    /// Adds the features that show in the finished case: its options, the kinds of types that the cell leaves open, and
    /// its special elements.
    pub(crate) fn note_goals(&self, case: &mut Case) {
        let options = case.model.graph().node.last().map(options).unwrap_or_default();
        let own = self.bound.as_ref().map(|(variable, _)| variable);
        let others = case.types.iter().filter(|(variable, _)| own != Some(variable));
        let kinds = others.filter_map(|(variable, type_)| Some(format!("{variable} is {}", kind_of_type(type_)?)));
        let kinds: Vec<String> = kinds.collect();
        let classes = self.classes(case);
        let classes = CLASSES.iter().enumerate().filter(|(at, _)| classes >> at & 1 == 1).map(|(_, name)| *name);
        case.features.extend(options);
        case.features.extend(kinds);
        case.features.extend(classes.map(str::to_owned));
    }

    /// Returns the classes of special elements in the inputs of the cell's own type. If this is not a floating-point
    /// type, those of floating-point types are looked for in all inputs. If no input has the cell's type, all classes
    /// are.
    fn classes(&self, case: &Case) -> u8 {
        let is_of_inputs = |variable: &String| self.version.inputs.iter().any(|input| input.type_ == *variable);
        let own = self.bound.as_ref().filter(|(variable, _)| is_of_inputs(variable));
        let own = own.map(|(_, type_)| type_.leaf_dtype());
        let has_floats = own.is_some_and(DType::is_float);
        let mut seen = 0;
        for value in &case.inputs {
            each_tensor(value, &mut |tensor| {
                if own.is_none_or(|own| own == tensor.dtype()) {
                    seen |= classes_of(tensor);
                } else if !has_floats && tensor.dtype().is_float() {
                    seen |= classes_of(tensor) & OF_FLOATS;
                }
            });
        }
        seen
    }
}

/// Returns the kind of a tensor type, if it has one.
fn kind_of_type(type_: &str) -> Option<&'static str> {
    Some(match type_ {
        "float" | "double" => "float or double",
        "float16" | "bfloat16" => "a float of 16 bits",
        "float8e8m0" => "float8e8m0",
        "string" => "string",
        "bool" => "bool",
        small if small.starts_with("float") => "a small float",
        integer if integer.starts_with("int") || integer.starts_with("uint") => "an integer",
        _ => return None,
    })
}

/// Returns whether a feature may be a goal.
pub fn may_be_goal(feature: &str) -> bool {
    !NO_GOALS.iter().any(|start| feature.starts_with(start))
}

/// Returns the options that a node gives: `attribute mode = linear`.
fn options(node: &NodeProto) -> Vec<String> {
    let mut options = Vec::new();
    for attribute in &node.attribute {
        let Some(name) = attribute.name.as_deref().filter(|name| OPTIONS.binary_search(name).is_ok()) else { continue };
        let numbers = attribute.i.iter().map(i64::to_string);
        let texts = attribute.s.iter().chain(&attribute.strings).map(|s| String::from_utf8_lossy(s).into_owned());
        for value in numbers.chain(texts) {
            let option = format!("attribute {name} = {value}");
            if !options.contains(&option) {
                options.push(option);
            }
        }
    }
    options
}

fn each_tensor(value: &Value, note: &mut impl FnMut(&Tensor)) {
    match value {
        Value::Tensor(tensor) => note(tensor),
        Value::Sequence { items, .. } | Value::Map { items, .. } => {
            items.iter().for_each(|item| each_tensor(item, note))
        }
        Value::Optional { item, .. } => item.iter().for_each(|item| each_tensor(item, note)),
        Value::SparseTensor(_) => {}
    }
}

/// Returns the classes of the elements, as a set.
fn classes_of(tensor: &Tensor) -> u8 {
    let dtype = tensor.dtype();
    match (dtype.float_format(), dtype.bits()) {
        (Some(format), Some(bits)) if bits > 8 => {
            let (sign, mantissa) = (bits - 1, format.precision() - 1);
            let magnitudes = (1 << sign) - 1;
            let (least, infinity) = (1 << mantissa, magnitudes >> mantissa << mantissa);
            union(tensor, |bits| {
                let magnitude = bits & magnitudes;
                // Nearly all elements are normal.
                if (least..infinity - 1).contains(&magnitude) {
                    return 0;
                }
                match (magnitude, bits >> sign == 1) {
                    (0, negative) => {
                        if negative {
                            NEGATIVE_ZERO
                        } else {
                            ZERO
                        }
                    }
                    (magnitude, _) if magnitude < least => SUBNORMAL,
                    (magnitude, _) if magnitude > infinity => NAN,
                    (magnitude, false) => {
                        if magnitude == infinity {
                            INFINITY
                        } else {
                            LARGEST
                        }
                    }
                    (magnitude, true) => {
                        if magnitude == infinity {
                            NEGATIVE_INFINITY
                        } else {
                            SMALLEST
                        }
                    }
                }
            })
        }
        (Some(format), _) => {
            let (least, most) = (format.min_normal(), format.max_finite());
            union(tensor, |bits| match format.decode(bits) {
                x if x.is_nan() => NAN,
                f64::INFINITY => INFINITY,
                f64::NEG_INFINITY => NEGATIVE_INFINITY,
                x if x == 0.0 => {
                    if x.is_sign_negative() {
                        NEGATIVE_ZERO
                    } else {
                        ZERO
                    }
                }
                x if x.abs() < least => SUBNORMAL,
                x if x == most => LARGEST,
                x if x == -most => SMALLEST,
                _ => 0,
            })
        }
        (None, Some(bits)) if dtype.is_integer() => {
            let all = u64::MAX >> (64 - bits);
            let sign = if dtype.is_signed_integer() { 1 << (bits - 1) } else { 0 };
            let (smallest, largest) = (sign, all ^ sign);
            union(tensor, |bits| {
                let is = |other: u64, class: u8| if bits & all == other { class } else { 0 };
                is(0, ZERO) | is(smallest, SMALLEST) | is(largest, LARGEST)
            })
        }
        _ => 0,
    }
}

/// Returns the union of what `classes` returns for the bits of each element.
fn union(tensor: &Tensor, classes: impl Fn(u64) -> u8) -> u8 {
    (0..tensor.len()).fold(0, |seen, i| seen | classes(tensor.bits_at(i)))
}
