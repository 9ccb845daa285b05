//! Recipes for If and SequenceMap.

use plumbline_spec::TypeStr;
use plumbline_tensor::{DType, Tensor, Value, ValueKind};

use crate::body::{Body, takes};
use crate::draw::{Draw, kind_of};
use crate::values::Values;

/// Draws a bool tensor of one element, with a rank of up to `ranks`.
pub(super) fn flag(draw: &mut Draw, ranks: usize) -> Tensor {
    let (rank, value) = (draw.below(ranks + 1), draw.flag());
    Tensor::from_i128s(DType::Bool, vec![1; rank], &[i128::from(value)]).expect("one element")
}

/// Chooses one of the types that this version allows.
pub(super) fn any_type(draw: &mut Draw) -> TypeStr {
    let types = &draw.version().types["V"];
    draw.choose(types)
}

/// Draws a value of a type; a tensor gets this shape.
pub(super) fn value(draw: &mut Draw, type_: &TypeStr, shape: &[usize]) -> Value {
    match type_ {
        TypeStr::Tensor(dtype) => draw.elements(*dtype, shape, Values::Any).into(),
        other => draw.value_of(other, Values::Any),
    }
}

/// Adds what a branch does with a value of the enclosing graph: it copies the value, or adds it to itself.
fn branch(draw: &mut Draw, body: Body, type_: &TypeStr, from: &str, to: &str) -> Body {
    let opset = draw.since();
    if takes("Add", opset, type_) && draw.flag() {
        draw.feature("a branch computes");
        return body.node("Add", &[from, from], to);
    }
    body.copy(opset, type_, from, to)
}

/// Adds an If inside a branch. Its branches use values from outside of both Ifs.
fn nested(draw: &mut Draw, body: Body, type_: &TypeStr, from: [&str; 2], to: &str) -> Body {
    let inner = flag(draw, 0);
    let (cond, opset) = (format!("{to}_cond"), draw.since());
    draw.outer(&cond, inner);
    let side = |name: &str, from: &str| {
        let out = format!("{to}_{name}");
        Body::new(name).copy(opset, type_, from, &out).output(&out, &kind_of(type_), None).attribute(name)
    };
    let sides = vec![side("then_branch", from[0]), side("else_branch", from[1])];
    body.node_with("If", &[&cond], to, sides)
}

pub fn if_(draw: &mut Draw) {
    let cond = flag(draw, 2);
    draw.input("cond", cond);
    let mut branches = [Body::new("then"), Body::new("otherwise")];
    let mut kinds = Vec::new();
    for k in 0..draw.range(1..=2) {
        let type_ = if k == 0 { draw.type_of("V") } else { any_type(draw) };
        let shape = draw.shape(0..=3);
        let mut shapes = [shape.clone(), shape];
        if draw.since() >= 11 && draw.flag() {
            shapes[1] = draw.shape(0..=3);
            if shapes[0] != shapes[1] {
                draw.feature("shapes differ");
            }
        }
        let names = [format!("a{k}"), format!("b{k}")];
        for (name, shape) in names.iter().zip(&shapes) {
            let value = value(draw, &type_, shape);
            draw.outer(name, value);
        }
        let kind = kind_of(&type_);
        for (side, out) in ["then", "otherwise"].into_iter().enumerate() {
            let out = format!("{out}{k}");
            let mut body = branches[side].clone();
            let mut known = true;
            body = if draw.once_in(5) {
                draw.feature("nested If");
                known = false;
                nested(draw, body, &type_, [&names[side], &names[1 - side]], &out)
            } else {
                branch(draw, body, &type_, &names[side], &out)
            };
            let declared = (known && draw.flag()).then_some(shapes[side].as_slice());
            branches[side] = body.output(&out, &kind, declared);
        }
        kinds.push(kind);
    }
    let [then, otherwise] = branches;
    draw.graph_attribute("then_branch", then.build());
    draw.graph_attribute("else_branch", otherwise.build());
    draw.typed_outputs(kinds);
}

/// Gives two branches that copy values of these types and shapes, with these numbers of outputs.
fn plain(draw: &mut Draw, types: [DType; 2], shapes: [&[usize]; 2], outputs: [usize; 2]) {
    let opset = draw.since();
    for (side, name) in ["then_branch", "else_branch"].into_iter().enumerate() {
        let from = format!("around_{name}");
        let tensor = draw.elements(types[side], shapes[side], Values::Any);
        draw.outer(&from, tensor);
        let mut body = Body::new(name);
        for k in 0..outputs[side] {
            let out = format!("{name}{k}");
            body = body.copy(opset, &TypeStr::Tensor(types[side]), &from, &out);
            body = body.output(&out, &ValueKind::Tensor(types[side]), Some(shapes[side]));
        }
        draw.graph_attribute(name, body.build());
    }
    draw.typed_outputs(vec![ValueKind::Tensor(types[0])]);
}

/// Gives a condition of two elements, or of no element.
pub fn if_cond_has_one_element(draw: &mut Draw) {
    let count = draw.way_of(&[2, 0]);
    let cond = Tensor::from_i128s(DType::Bool, vec![count], &vec![1; count]).expect("as many as the shape says");
    draw.input("cond", cond);
    plain(draw, [DType::Float; 2], [&[2], &[2]], [1, 1]);
}

pub fn if_branch_outputs_fit(draw: &mut Draw) {
    let cond = flag(draw, 0);
    draw.input("cond", cond);
    let outputs = draw.way_of(&[[1, 2], [2, 1]]);
    plain(draw, [DType::Float; 2], [&[2], &[2]], outputs);
}

pub fn if_branch_types_equal(draw: &mut Draw) {
    let cond = flag(draw, 0);
    draw.input("cond", cond);
    let types = draw.way_of(&[[DType::Float, DType::Int64], [DType::Bool, DType::Float]]);
    plain(draw, types, [&[2], &[2]], [1, 1]);
}

pub fn if_branch_shapes_equal(draw: &mut Draw) {
    let cond = flag(draw, 0);
    draw.input("cond", cond);
    plain(draw, [DType::Float; 2], [&[2], &[3]], [1, 1]);
}

/// Draws a sequence of `count` tensors of one type and different shapes.
fn sequence(draw: &mut Draw, dtype: DType, count: usize) -> Value {
    let mut items = Vec::new();
    for _ in 0..count {
        let shape = draw.shape(0..=3);
        items.push(draw.elements(dtype, &shape, Values::Any).into());
    }
    Value::Sequence { element: ValueKind::Tensor(dtype), items }
}

pub fn sequence_map(draw: &mut Draw) {
    let count = draw.choose(&[2, 1, 3, 0]);
    if count == 0 {
        draw.feature("empty sequence");
    }
    let mut body = Body::new("body");
    let mut dtypes = vec![draw.type_of("S").leaf_dtype()];
    let first = sequence(draw, dtypes[0], count);
    draw.input("input_sequence", first);
    // If the cell binds `V`, the first additional input has that type.
    let more = draw.range(if draw.binding.contains_key("V") { 1..=3 } else { 0..=2 });
    for at in 0..more {
        let type_ = if at == 0 { draw.type_of("V") } else { any_type(draw) };
        dtypes.push(type_.leaf_dtype());
        let value = match type_ {
            TypeStr::Sequence(_) => sequence(draw, type_.leaf_dtype(), count),
            _ => {
                draw.feature("a tensor for all");
                let shape = draw.shape(0..=3);
                draw.elements(type_.leaf_dtype(), &shape, Values::Any).into()
            }
        };
        draw.input("additional_inputs", value);
    }
    for (at, dtype) in dtypes.iter().enumerate() {
        body = body.input(&format!("e{at}"), &ValueKind::Tensor(*dtype), None);
    }
    let mut kinds = Vec::new();
    for at in 0..draw.range(1..=3) {
        let from = draw.below(dtypes.len());
        let (mut dtype, from, to) = (dtypes[from], format!("e{from}"), format!("r{at}"));
        let type_ = TypeStr::Tensor(dtype);
        body = match draw.below(4) {
            1 if takes("Add", 17, &type_) => body.node("Add", &[&from, &from], &to),
            2 => {
                dtype = DType::Int64;
                body.node("Shape", &[&from], &to)
            }
            3 => {
                draw.feature("a value around the body");
                let around = format!("around{at}");
                let shape = draw.shape(0..=2);
                let tensor = draw.elements(dtype, &shape, Values::Any);
                draw.outer(&around, tensor);
                body.copy(17, &type_, &around, &to)
            }
            _ => body.copy(17, &type_, &from, &to),
        };
        body = body.output(&to, &ValueKind::Tensor(dtype), None);
        kinds.push(ValueKind::Sequence(Box::new(ValueKind::Tensor(dtype))));
    }
    draw.graph_attribute("body", body.build());
    draw.typed_outputs(kinds);
}

/// Gives a body that copies its first input and declares this number of inputs.
fn copies(draw: &mut Draw, dtype: DType, inputs: usize) {
    let mut body = Body::new("body");
    for at in 0..inputs {
        body = body.input(&format!("e{at}"), &ValueKind::Tensor(dtype), None);
    }
    body = body.node("Identity", &["e0"], "r0").output("r0", &ValueKind::Tensor(dtype), None);
    draw.graph_attribute("body", body.build());
    draw.typed_outputs(vec![ValueKind::Sequence(Box::new(ValueKind::Tensor(dtype)))]);
}

/// Gives an additional sequence that is shorter than the first one.
pub fn sequence_map_sequences_long_enough(draw: &mut Draw) {
    let dtype = draw.type_of("S").leaf_dtype();
    let counts = draw.way_of(&[[2, 1], [1, 0], [3, 1]]);
    for (input, count) in ["input_sequence", "additional_inputs"].into_iter().zip(counts) {
        let sequence = sequence(draw, dtype, count);
        draw.input(input, sequence);
    }
    copies(draw, dtype, 2);
}

pub fn sequence_map_body_fits_node(draw: &mut Draw) {
    let dtype = draw.type_of("S").leaf_dtype();
    let sequence = sequence(draw, dtype, 2);
    draw.input("input_sequence", sequence);
    copies(draw, dtype, 2);
}
