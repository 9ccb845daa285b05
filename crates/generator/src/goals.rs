//! Goals: what some case of each cell has to meet, such as an empty extent, a value of an attribute that the text of
//! the operator names, or a NaN. `generators/goals.toml` lists the goals of each cell.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Tensor, Value};

use crate::case::Case;
use crate::cell::Cell;
use crate::declarations::short_type;

/// Attributes whose values are options: the text of the operator names each of them. Flags are among them.
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

/// The classes of special elements, first those that only floating-point types have.
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

/// The number of classes that only floating-point types have.
const OF_FLOATS: usize = 5;

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
        case.features.extend(options);
        case.features.extend(kinds);
        case.features.extend(classes.into_iter().map(str::to_owned));
    }

    /// Returns the classes of special elements in the inputs of the cell's own type. If this is not a floating-point
    /// type, those of floating-point types are looked for in all inputs. If no input has the cell's type, all classes
    /// are.
    fn classes(&self, case: &Case) -> Vec<&'static str> {
        let is_of_inputs = |variable: &String| self.version.inputs.iter().any(|input| input.type_ == *variable);
        let own = self.bound.as_ref().filter(|(variable, _)| is_of_inputs(variable));
        let own = own.map(|(_, type_)| type_.leaf_dtype());
        let has_floats = own.is_some_and(DType::is_float);
        let mut seen = [false; CLASSES.len()];
        for tensor in case.inputs.iter().flat_map(tensors) {
            let is_own = own.is_none_or(|own| own == tensor.dtype());
            if is_own || !has_floats {
                let of_tensor = classes_of(tensor);
                let counts = |at: usize| is_own || at < OF_FLOATS;
                seen.iter_mut().enumerate().for_each(|(at, seen)| *seen |= of_tensor[at] && counts(at));
            }
        }
        CLASSES.into_iter().zip(seen).filter(|(_, seen)| *seen).map(|(class, _)| class).collect()
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
        let Some(name) = attribute.name.as_deref().filter(|name| OPTIONS.contains(name)) else { continue };
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

fn tensors(value: &Value) -> Vec<&Tensor> {
    match value {
        Value::Tensor(tensor) => vec![tensor],
        Value::Sequence { items, .. } | Value::Map { items, .. } => items.iter().flat_map(tensors).collect(),
        Value::Optional { item, .. } => item.iter().flat_map(|item| tensors(item)).collect(),
        Value::SparseTensor(_) => vec![],
    }
}

/// Returns the places of elements that may be in a class of floating-point types. Nearly all elements are ordinary: the
/// bits of their magnitude are between those of the smallest normal number and those of the largest finite one.
/// `precision` is the number of bits of the significand, the leading one included.
fn extraordinary(tensor: &Tensor, precision: u32) -> Box<dyn Iterator<Item = usize> + '_> {
    fn places<'a, const SIZE: usize>(bytes: &'a [u8], precision: u32) -> Box<dyn Iterator<Item = usize> + 'a> {
        let (sign, mantissa) = (8 * SIZE as u32 - 1, precision - 1);
        let (least, infinity) = (1u64 << mantissa, ((1u64 << (sign - mantissa)) - 1) << mantissa);
        let magnitude = move |bytes: &[u8; SIZE]| {
            let mut word = [0; 8];
            word[..SIZE].copy_from_slice(bytes);
            u64::from_le_bytes(word) & ((1 << sign) - 1)
        };
        let words = bytes.as_chunks::<SIZE>().0.iter().enumerate();
        Box::new(words.filter(move |(_, word)| !(least..infinity - 1).contains(&magnitude(word))).map(|(i, _)| i))
    }
    match tensor.dtype().size() {
        2 => places::<2>(tensor.bytes(), precision),
        4 => places::<4>(tensor.bytes(), precision),
        8 => places::<8>(tensor.bytes(), precision),
        _ => Box::new(0..tensor.len()),
    }
}

fn classes_of(tensor: &Tensor) -> [bool; CLASSES.len()] {
    let dtype = tensor.dtype();
    let mut seen = [false; CLASSES.len()];
    let mut note = |classes: [bool; CLASSES.len()]| seen.iter_mut().zip(classes).for_each(|(seen, is)| *seen |= is);
    if let Some(format) = dtype.float_format() {
        let (least, most) = (format.min_normal(), format.max_finite());
        for x in extraordinary(tensor, format.precision()).map(|i| tensor.f64_at(i)) {
            let negative = x.is_sign_negative();
            note([
                x.is_nan(),
                x == f64::INFINITY,
                x == f64::NEG_INFINITY,
                x == 0.0 && negative,
                x != 0.0 && x.abs() < least,
                x == 0.0 && !negative,
                x == most,
                x == -most,
            ]);
        }
    } else if let Some((low, high)) = dtype.integer_range().filter(|_| dtype != DType::Bool) {
        for x in (0..tensor.len()).map(|i| tensor.i128_at(i)).filter(|x| [0, low, high].contains(x)) {
            note([false, false, false, false, false, x == 0, x == high, x == low]);
        }
    }
    seen
}
