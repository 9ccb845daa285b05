//! What a recipe draws a case with.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use plumbline_executor::Label;
use plumbline_spec::{AttributeValue, FormalOption, OperatorVersion, TypeStr};
use plumbline_tensor::onnx::{AttributeProto, GraphProto, SparseTensorProto};
use plumbline_tensor::{DType, Tensor, Value, ValueKind, element_count, tensor_to_proto};

use crate::case::Input;
use crate::choices::Choices;
use crate::values::{self, Values};

/// Largest number of elements of a drawn tensor.
const MOST_ELEMENTS: usize = 256;

/// Draws one case of one operator version. Inputs and attributes are given by name as they are drawn; what is not given is left out.
pub struct Draw<'a> {
    pub(crate) choices: Choices,
    pub(crate) version: &'a OperatorVersion,
    pub(crate) binding: BTreeMap<String, TypeStr>,
    pub(crate) index: u64,
    pub(crate) inputs: Vec<Input>,
    pub(crate) attributes: Vec<AttributeProto>,
    pub(crate) features: Vec<String>,
    pub(crate) outputs: Option<Vec<bool>>,
    pub(crate) violates: Option<Label>,
    pub(crate) declined: bool,
}

impl<'a> Draw<'a> {
    /// The facts of the operator version that is drawn.
    pub fn version(&self) -> &'a OperatorVersion {
        self.version
    }

    /// The version of the operator that is drawn.
    pub fn since(&self) -> u32 {
        self.version.since()
    }

    /// The constraint to violate, in a negative recipe.
    pub fn violating(&self) -> Option<Label> {
        self.violates
    }

    /// For a negative recipe whose constraint cannot be violated with what the cell binds: there is no such case.
    pub fn decline(&mut self) {
        self.declined = true;
    }

    /// Notes that this case has a feature; coverage counts it, and a test sees to it that each is reached.
    pub fn feature(&mut self, name: &str) {
        if !self.features.iter().any(|f| f == name) {
            self.features.push(name.to_owned());
        }
    }

    /// A number of a range; the first is the simplest.
    pub fn range(&mut self, range: RangeInclusive<i64>) -> i64 {
        let span = range.end().saturating_sub(*range.start()).saturating_add(1).max(1) as u64;
        range.start() + self.choices.below(span) as i64
    }

    /// An index below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.choices.below(count as u64) as usize
    }

    /// One of these; the first is the simplest.
    pub fn choose<T: Clone>(&mut self, options: &[T]) -> T {
        let at = self.below(options.len());
        options[at].clone()
    }

    /// True once in `of` times; false is the simpler one.
    pub fn once_in(&mut self, of: u64) -> bool {
        self.choices.below(of) == of - 1 && of > 1
    }

    /// Even odds; false is the simpler one.
    pub fn flag(&mut self) -> bool {
        self.choices.below(2) == 1
    }

    /// Whether to give an optional input or attribute; both ways are taken early in each cell. Coverage counts which.
    pub fn give(&mut self) -> bool {
        let given = match self.index {
            0 => self.choices.steered(2, 0),
            1 => self.choices.steered(2, 1),
            _ => self.choices.below(2),
        };
        given == 1
    }

    /// Whether this version has an attribute of that name.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.version.attribute(name).is_some()
    }

    /// Whether this version has an input of that name.
    pub fn has_input(&self, name: &str) -> bool {
        self.version.input(name).is_some()
    }

    /// Whether to give an attribute of this version: always where it is required, never where it has none of that name.
    pub fn give_attribute(&mut self, name: &str) -> bool {
        match self.version.attribute(name) {
            None => false,
            Some(a) if a.required => true,
            Some(_) => self.give(),
        }
    }

    /// Whether to give an input of this version: always where it is required, never where it has none of that name.
    pub fn give_input(&mut self, name: &str) -> bool {
        match self.version.input(name) {
            None => false,
            Some(i) if i.option == FormalOption::Single => true,
            Some(_) => self.give(),
        }
    }

    /// What a type variable (or an input's or output's type) is bound to; drawn where the cell leaves it open.
    pub fn type_of(&mut self, variable: &str) -> TypeStr {
        if let Some(bound) = self.binding.get(variable) {
            return bound.clone();
        }
        let Some(types) = self.version.types.get(variable) else {
            return variable.parse().unwrap_or(TypeStr::Tensor(DType::Float));
        };
        let chosen = self.choose(types);
        self.binding.insert(variable.to_owned(), chosen.clone());
        chosen
    }

    /// The element type of a type variable (or a type such as `tensor(int64)`).
    pub fn dtype(&mut self, variable: &str) -> DType {
        self.type_of(variable).leaf_dtype()
    }

    /// The element type of an input.
    pub fn input_dtype(&mut self, input: &str) -> DType {
        let variable = self.version.input(input).map(|i| i.type_.clone());
        self.dtype(variable.as_deref().unwrap_or("tensor(float)"))
    }

    /// The element type of an output.
    pub fn output_dtype(&mut self, output: &str) -> DType {
        let variable = self.version.output(output).map(|o| o.type_.clone());
        self.dtype(variable.as_deref().unwrap_or("tensor(float)"))
    }

    /// Binds a type variable, where the cell leaves it open; says whether it now has this type.
    pub fn bind(&mut self, variable: &str, dtype: DType) -> bool {
        let wanted = TypeStr::Tensor(dtype);
        let allowed = self.version.types.get(variable).is_some_and(|types| types.contains(&wanted));
        if allowed {
            self.binding.entry(variable.to_owned()).or_insert_with(|| wanted.clone());
        }
        self.binding.get(variable) == Some(&wanted)
    }

    /// A shape of a rank in this range: extents differ as far as they can, one is 1 now and then, and one is 0 now and then.
    pub fn shape(&mut self, ranks: RangeInclusive<usize>) -> Vec<usize> {
        let mut shape = self.full_shape(ranks);
        if !shape.is_empty() && self.once_in(14) {
            let at = self.below(shape.len());
            shape[at] = 0;
            self.feature("empty extent");
        }
        shape
    }

    /// A shape without an empty extent.
    pub fn full_shape(&mut self, ranks: RangeInclusive<usize>) -> Vec<usize> {
        let (least, most) = (*ranks.start(), *ranks.end());
        // Ranks up to 4 are drawn twice as often as those beyond.
        let usual = most.min(4).max(least);
        let rank = if most > usual && self.once_in(3) {
            self.range(usual as i64 + 1..=most as i64) as usize
        } else {
            self.range(least as i64..=usual as i64) as usize
        };
        let mut extents = vec![2, 3, 5, 7, 4, 6];
        let mut shape = Vec::with_capacity(rank);
        let mut count = 1;
        for _ in 0..rank {
            // The simplest extent is 1.
            let at = self.below(extents.len() + 1);
            let extent = match at.checked_sub(1).map(|i| (i, extents[i])) {
                Some((i, extent)) if count * extent <= MOST_ELEMENTS => {
                    extents.remove(i);
                    extent
                }
                Some(_) if count * 2 <= MOST_ELEMENTS => 2,
                _ => 1,
            };
            count *= extent;
            shape.push(extent);
        }
        shape
    }

    /// Shapes that broadcast to one: `count` of them, of which each misses leading dimensions or has extents of 1 where it likes.
    pub fn broadcastable(&mut self, count: usize, ranks: RangeInclusive<usize>) -> Vec<Vec<usize>> {
        let full = self.shape(ranks);
        let mut shapes = vec![full.clone(); count];
        // The simplest case has equal shapes.
        if count < 2 || !self.flag() {
            return shapes;
        }
        self.feature("broadcast");
        for d in 0..full.len() {
            // One of the operands keeps the extent.
            let keeper = self.below(count);
            for (i, shape) in shapes.iter_mut().enumerate() {
                if i != keeper && self.choices.below(3) == 1 {
                    shape[d] = 1;
                }
            }
        }
        for shape in &mut shapes {
            // Leading extents of 1 may be left out.
            while shape.first() == Some(&1) && self.choices.below(2) == 1 {
                shape.remove(0);
            }
        }
        shapes
    }

    /// Two shapes that do not broadcast (for negative recipes).
    pub fn unbroadcastable(&mut self) -> (Vec<usize>, Vec<usize>) {
        let mut a = self.full_shape(1..=4);
        let at = self.below(a.len());
        a[at] = self.choose(&[2, 3, 5]);
        let mut b = a.clone();
        b[at] += 1 + self.below(2);
        let drop = self.below(at + 1);
        b.drain(..drop);
        if self.flag() { (a, b) } else { (b, a) }
    }

    /// An axis of this rank, half of the time counted from the back where `negative` axes are allowed.
    pub fn axis(&mut self, rank: usize, negative: bool) -> i64 {
        let axis = self.below(rank.max(1)) as i64;
        if negative && rank > 0 && self.flag() {
            self.feature("negative axis");
            return axis - rank as i64;
        }
        axis
    }

    /// The default of the attribute `axis` (0 where it has none).
    pub fn default_axis(&self) -> i64 {
        match self.version.attribute("axis").and_then(|a| a.default.as_ref()) {
            Some(AttributeValue::Int(axis)) => *axis,
            _ => 0,
        }
    }

    /// An axis just outside the range (for negative recipes).
    pub fn bad_axis(&mut self, rank: usize, negative: bool) -> i64 {
        let rank = rank as i64;
        if self.flag() { if negative { -rank - 1 } else { -1 } } else { rank }
    }

    /// As many numbers below `bound`, in a block of their own: what is chosen for each element of a tensor.
    pub fn block(&mut self, count: usize, bound: u64) -> Vec<u64> {
        self.choices.block(count, bound)
    }

    /// Elements of a type.
    pub fn elements(&mut self, dtype: DType, shape: &[usize], values: Values) -> Tensor {
        let count = element_count(shape).unwrap_or(0);
        let tensor = match dtype {
            DType::String => {
                let strings = self.choices.block(count, values::BOUND).into_iter().map(values::string).collect();
                Tensor::from_strings(shape.to_vec(), strings)
            }
            DType::Complex64 | DType::Complex128 => {
                let part = if dtype == DType::Complex64 { DType::Float } else { DType::Double };
                let bits = self.choices.block(2 * count, values::BOUND).into_iter();
                let bits = bits.map(|choice| values::element(part, values, choice));
                let bytes = bits.flat_map(|b| b.to_le_bytes().into_iter().take(part.size())).collect();
                Tensor::from_bytes(dtype, shape.to_vec(), bytes)
            }
            _ => {
                let bits = self.choices.block(count, values::BOUND).into_iter();
                Tensor::from_bits(dtype, shape.to_vec(), bits.map(|choice| values::element(dtype, values, choice)))
            }
        };
        tensor.expect("the elements are as many as the shape says")
    }

    /// A value of any type: a tensor of any shape, a sequence of up to three values, an optional value or none.
    pub fn value_of(&mut self, type_: &TypeStr, values: Values) -> Value {
        match type_ {
            TypeStr::Sequence(of) => {
                let count = self.choose(&[2, 1, 3, 0]);
                if count == 0 {
                    self.feature("empty sequence");
                }
                let items = (0..count).map(|_| self.value_of(of, values)).collect();
                Value::Sequence { element: kind_of(of), items }
            }
            TypeStr::Optional(of) => {
                let item = if self.once_in(4) {
                    self.feature("empty optional");
                    None
                } else {
                    Some(Box::new(self.value_of(of, values)))
                };
                Value::Optional { element: kind_of(of), item }
            }
            other => {
                let shape = self.shape(0..=8);
                self.elements(other.leaf_dtype(), &shape, values).into()
            }
        }
    }

    /// Gives an input: a tensor of its own type, this shape and these values.
    pub fn tensor(&mut self, input: &str, shape: &[usize], values: Values) -> Tensor {
        let dtype = self.input_dtype(input);
        let tensor = self.elements(dtype, shape, values);
        self.input(input, tensor.clone());
        tensor
    }

    /// Gives an input (or one more of a variadic input).
    pub fn input(&mut self, input: &str, value: impl Into<Value>) {
        self.inputs.push(Input { formal: input.to_owned(), value: Some(value.into()), constant: false });
    }

    /// Gives another value for the input given last.
    pub fn replace_last_input(&mut self, value: impl Into<Value>) {
        if let Some(input) = self.inputs.last_mut() {
            input.value = Some(value.into());
        }
    }

    /// Gives a 1-D input of integers, of the type the input has; now and then as an initializer.
    pub fn ints(&mut self, input: &str, values: &[i64]) {
        self.int_tensor(input, vec![values.len()], values);
    }

    /// Gives a rank-0 input of an integer, of the type the input has; now and then as an initializer.
    pub fn int_scalar(&mut self, input: &str, value: i64) {
        self.int_tensor(input, vec![], &[value]);
    }

    /// Gives an input of integers in this shape, of the type the input has; now and then as an initializer.
    pub fn int_tensor(&mut self, input: &str, shape: Vec<usize>, values: &[i64]) {
        let dtype = self.input_dtype(input);
        let wide: Vec<i128> = values.iter().map(|&v| i128::from(v)).collect();
        let tensor = Tensor::from_i128s(dtype, shape, &wide).expect("as many values as the shape says");
        let constant = self.once_in(3);
        if constant {
            self.feature("constant input");
        }
        self.inputs.push(Input { formal: input.to_owned(), value: Some(tensor.into()), constant });
    }

    /// Leaves one place of a variadic input, or an input before a given one, empty. Optional inputs that are never given need no call.
    pub fn omit(&mut self, input: &str) {
        self.inputs.push(Input { formal: input.to_owned(), value: None, constant: false });
    }

    /// Gives an INT attribute.
    pub fn int_attribute(&mut self, name: &str, value: i64) {
        self.attributes.push(AttributeProto { i: Some(value), ..attribute(name, 2) });
    }

    /// Gives a FLOAT attribute.
    pub fn float_attribute(&mut self, name: &str, value: f32) {
        self.attributes.push(AttributeProto { f: Some(value), ..attribute(name, 1) });
    }

    /// Gives a STRING attribute.
    pub fn string_attribute(&mut self, name: &str, value: &str) {
        self.attributes.push(AttributeProto { s: Some(value.as_bytes().to_vec()), ..attribute(name, 3) });
    }

    /// Gives an INTS attribute.
    pub fn ints_attribute(&mut self, name: &str, values: &[i64]) {
        self.attributes.push(AttributeProto { ints: values.to_vec(), ..attribute(name, 7) });
    }

    /// Gives a FLOATS attribute.
    pub fn floats_attribute(&mut self, name: &str, values: &[f32]) {
        self.attributes.push(AttributeProto { floats: values.to_vec(), ..attribute(name, 6) });
    }

    /// Gives a STRINGS attribute.
    pub fn strings_attribute(&mut self, name: &str, values: &[Vec<u8>]) {
        self.attributes.push(AttributeProto { strings: values.to_vec(), ..attribute(name, 8) });
    }

    /// Gives a TENSOR attribute.
    pub fn tensor_attribute(&mut self, name: &str, value: &Tensor) {
        self.attributes.push(AttributeProto { t: Some(tensor_to_proto(value, "")), ..attribute(name, 4) });
    }

    /// Gives a SPARSE_TENSOR attribute.
    pub fn sparse_tensor_attribute(&mut self, name: &str, value: SparseTensorProto) {
        self.attributes.push(AttributeProto { sparse_tensor: Some(value), ..attribute(name, 11) });
    }

    /// Gives a GRAPH attribute.
    pub fn graph_attribute(&mut self, name: &str, value: GraphProto) {
        self.attributes.push(AttributeProto { g: Some(Box::new(value)), ..attribute(name, 5) });
    }

    /// Gives `consumed_inputs` now and then, an attribute without a meaning that the first versions have.
    pub fn legacy(&mut self) {
        if self.give_attribute("consumed_inputs") {
            let count = self.inputs.len();
            self.ints_attribute("consumed_inputs", &vec![0; count]);
        }
    }

    /// Which outputs the node names, in order; by default all that are not variadic.
    pub fn outputs(&mut self, named: &[bool]) {
        self.outputs = Some(named.to_vec());
    }

    /// The type of an output, for the model.
    pub(crate) fn output_kind(&mut self, position: usize) -> ValueKind {
        let formals = &self.version.outputs;
        let formal = formals.get(position).or(formals.last().filter(|f| f.option == FormalOption::Variadic));
        let variable = formal.map(|f| f.type_.clone()).unwrap_or_default();
        kind_of(&self.type_of(&variable))
    }
}

fn attribute(name: &str, kind: i32) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(kind), ..AttributeProto::default() }
}

/// The type of a value that has this type of the specification.
pub(crate) fn kind_of(type_: &TypeStr) -> ValueKind {
    match type_ {
        TypeStr::Tensor(dtype) => ValueKind::Tensor(*dtype),
        TypeStr::Sequence(of) => ValueKind::Sequence(Box::new(kind_of(of))),
        TypeStr::Optional(of) => ValueKind::Optional(Box::new(kind_of(of))),
        TypeStr::Map(key, of) => ValueKind::Map(*key, Box::new(kind_of(of))),
        TypeStr::SparseTensor(dtype) => ValueKind::SparseTensor(*dtype),
    }
}
