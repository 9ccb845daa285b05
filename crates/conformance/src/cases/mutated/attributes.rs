//! Changes of attributes: other values, other types, left out, added.

use plumbline_generator::Choices;
use plumbline_spec::{Attribute, AttributeKind, AttributeValue, Spec};
use plumbline_tensor::onnx::AttributeProto;
use plumbline_tensor::{DType, Tensor, tensor_from_proto, tensor_to_proto};

use crate::cases::edit::Edit;
use crate::cases::element::{converted, resized};
use crate::cases::proto;
use crate::cases::scene::Scene;

/// Words that are values of some operator's attributes, and words that look as if they were.
const WORDS: [&str; 40] = [
    "constant",
    "reflect",
    "edge",
    "wrap",
    "linear",
    "nearest",
    "cubic",
    "bilinear",
    "border",
    "zeros",
    "NOTSET",
    "SAME_UPPER",
    "SAME_LOWER",
    "VALID",
    "none",
    "add",
    "mul",
    "max",
    "min",
    "mean",
    "sum",
    "forward",
    "reverse",
    "bidirectional",
    "DCR",
    "CRD",
    "asymmetric",
    "align_corners",
    "half_pixel",
    "floor",
    "avg",
    "LOGISTIC",
    "SOFTMAX",
    "BRANCH_EQ",
    "Relu",
    "Tanh",
    "left",
    "LOWER",
    "TFIDF",
    "RGB",
];
const INTEGERS: [i64; 12] = [0, 1, -1, 2, 3, -2, 7, i64::MIN, i64::MAX, 1 << 31, 1 << 40, -(1 << 31) - 1];
const FLOATS: [f32; 12] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, -1.0, 1.0, 0.5, 2.5, f32::MAX, -f32::MAX, 1e-40];

/// Gives an attribute another value of its own type.
pub(super) fn value(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let fact = pick(&scene.version.attributes, choices)?;
    let mut new = proto::attribute(&fact.name, fact.kind);
    let given = current(scene, fact).unwrap_or_else(|| new.clone());
    match fact.kind {
        AttributeKind::Float => new.f = Some(float(given.f.unwrap_or(0.0), choices)),
        AttributeKind::Int => new.i = Some(integer(given.i.unwrap_or(0), choices)),
        AttributeKind::String => new.s = Some(word(given.s.as_deref().unwrap_or_default(), choices)),
        AttributeKind::Floats => new.floats = list(&given.floats, 1.0, choices, |x, choices| float(*x, choices)),
        AttributeKind::Ints => new.ints = list(&given.ints, 1, choices, |i, choices| integer(*i, choices)),
        AttributeKind::Strings => {
            new.strings = list(&given.strings, b"a".to_vec(), choices, |s, choices| word(s, choices));
        }
        AttributeKind::Tensor => new.t = Some(tensor_to_proto(&tensor(&given, choices)?, "")),
        _ => return None,
    }
    Some(vec![put(new)])
}

/// Leaves out an attribute that the case gives.
pub(super) fn dropped(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    Some(vec![Edit::NoAttribute(pick(&scene.node()?.attribute, choices)?.name.clone()?)])
}

/// Gives an attribute a value of another type.
pub(super) fn of_another_type(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let fact = pick(&scene.version.attributes, choices)?;
    let kinds = [AttributeKind::Float, AttributeKind::Int, AttributeKind::String, AttributeKind::Ints];
    let kind = *pick(&kinds, choices)?;
    (kind != fact.kind).then(|| vec![put(some(&fact.name, kind, choices))])
}

/// Adds an attribute that no operator has.
pub(super) fn unknown(_: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    Some(vec![put(some("no_such_attribute", AttributeKind::Int, choices))])
}

/// Adds an attribute that only another version of the operator has.
pub(super) fn of_another_version(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let operator = Spec::embedded().operator(&scene.version.id.domain, &scene.version.id.name)?;
    let all = operator.versions.iter().flat_map(|version| &version.attributes);
    let foreign: Vec<&Attribute> = all.filter(|fact| scene.version.attribute(&fact.name).is_none()).collect();
    let fact = *pick(&foreign, choices)?;
    Some(vec![put(some(&fact.name, fact.kind, choices))])
}

fn put(attribute: AttributeProto) -> Edit {
    Edit::Attribute { attribute: Box::new(attribute), from: None }
}

/// Returns one of the items, or `None` if there are none.
pub(super) fn pick<'a, T>(items: &'a [T], choices: &mut Choices) -> Option<&'a T> {
    items.get(choices.below(items.len() as u64) as usize)
}

/// Returns the value of an attribute, given or by default. Returns `None` if the default is a tensor.
fn current(scene: &Scene, fact: &Attribute) -> Option<AttributeProto> {
    if let Some(given) = scene.given(&fact.name) {
        return Some(given.clone());
    }
    let mut proto = proto::attribute(&fact.name, fact.kind);
    match fact.default.clone()? {
        AttributeValue::Float(x) => proto.f = Some(x),
        AttributeValue::Int(i) => proto.i = Some(i),
        AttributeValue::String(s) => proto.s = Some(s.into_bytes()),
        AttributeValue::Floats(x) => proto.floats = x,
        AttributeValue::Ints(i) => proto.ints = i,
        AttributeValue::Strings(s) => proto.strings = s.into_iter().map(String::into_bytes).collect(),
        AttributeValue::Tensor(_) => return None,
    }
    Some(proto)
}

/// Returns an attribute of this type with some value, or an integer attribute for types other than float, string, ints
/// and floats.
fn some(name: &str, kind: AttributeKind, choices: &mut Choices) -> AttributeProto {
    let mut proto = proto::attribute(name, kind);
    match kind {
        AttributeKind::Float => proto.f = Some(float(0.0, choices)),
        AttributeKind::String => proto.s = Some(word(b"", choices)),
        AttributeKind::Ints => proto.ints = vec![integer(0, choices)],
        AttributeKind::Floats => proto.floats = vec![float(0.0, choices)],
        _ => return proto::int(name, integer(0, choices)),
    }
    proto
}

/// Returns another integer: a neighbour of the old one, its negative, its double, or one that is special.
pub(super) fn integer(old: i64, choices: &mut Choices) -> i64 {
    match choices.below(INTEGERS.len() as u64 + 4) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_neg(),
        3 => old.wrapping_mul(2),
        at => INTEGERS[at as usize - 4],
    }
}

/// Returns another number: the negative of the old one, the old one plus 1, or one that is special.
pub(super) fn float(old: f32, choices: &mut Choices) -> f32 {
    match choices.below(FLOATS.len() as u64 + 2) {
        0 => -old,
        1 => old + 1.0,
        at => FLOATS[at as usize - 2],
    }
}

/// Returns another text: empty, not UTF-8, a variant of the old one, or a word.
pub(super) fn word(old: &[u8], choices: &mut Choices) -> Vec<u8> {
    match choices.below(9) {
        0 => vec![],
        1 => vec![0xff, 0xfe],
        2 => old.to_ascii_uppercase(),
        3 => old.to_ascii_lowercase(),
        4 => [old, b" "].concat(),
        5 => [old, &[0xc3]].concat(),
        6 => b"no such word".to_vec(),
        _ => pick(&WORDS, choices).map_or(vec![], |word| word.as_bytes().to_vec()),
    }
}

/// Returns a list that is longer, shorter, empty or reversed, or that has another item.
fn list<T: Clone>(old: &[T], first: T, choices: &mut Choices, item: fn(&T, &mut Choices) -> T) -> Vec<T> {
    let mut new = old.to_vec();
    let at = choices.below(old.len() as u64) as usize;
    match choices.below(8) {
        0 => new.clear(),
        1 => drop(new.pop()),
        2 => new.push(old.last().cloned().unwrap_or(first)),
        3 => new.insert(0, old.first().cloned().unwrap_or(first)),
        4 if old.len() > 1 => new[at] = old[(at + 1) % old.len()].clone(),
        5 if old.len() > 1 => new.reverse(),
        _ if old.is_empty() => new.push(item(&first, choices)),
        _ => new[at] = item(&old[at], choices),
    }
    new
}

/// Returns a tensor of another shape or element type.
fn tensor(old: &AttributeProto, choices: &mut Choices) -> Option<Tensor> {
    let old = tensor_from_proto(old.t.as_ref()?).ok()?;
    if choices.below(2) == 0 {
        return converted(&old, *pick(&DType::ALL, choices)?, true);
    }
    let mut shape = old.shape().to_vec();
    match choices.below(3) {
        0 => return old.reshaped([&[1][..], &shape].concat()).ok(),
        1 if shape.iter().all(|extent| *extent == 1) => return old.reshaped(vec![]).ok(),
        _ => {
            let at = choices.below(shape.len() as u64) as usize;
            *shape.get_mut(at)? += 1;
        }
    }
    resized(&old, shape)
}
