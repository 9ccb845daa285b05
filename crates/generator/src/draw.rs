//! The methods with which a recipe draws a case.

mod beyond;
mod give;
pub(crate) mod large;
mod maps;
mod one_special;
mod shapes;
mod sizes;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use plumbline_spec::Label;
use plumbline_spec::{FormalOption, OperatorVersion, TypeStr};
use plumbline_tensor::onnx::{AttributeProto, NodeProto};
use plumbline_tensor::{DType, Tensor, Value, ValueKind, element_count};

use crate::choices::Choices;
use crate::declarations::kind_of;
use crate::values::{self, Values};

pub(crate) use large::has_large;
pub(crate) use sizes::{Size, has_large_sample, has_one_special};

/// One input, or one value of [`Draw::outer`], as a recipe gives it.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub formal: String,
    pub value: Option<Value>,
    /// The name by which [`Draw::input_around`] gives this input. Empty if the input is omitted or has a value of its
    /// own.
    pub around: String,
    pub constant: bool,
}

/// A case of one operator version while it is drawn. A recipe gives inputs and attributes by name as it draws them; an
/// input or attribute that it does not give is left out of the node.
pub struct Draw<'a> {
    pub(crate) choices: Choices,
    pub(crate) version: &'a OperatorVersion,
    pub(crate) binding: BTreeMap<String, TypeStr>,
    pub(crate) index: u64,
    pub(crate) inputs: Vec<Input>,
    pub(crate) attributes: Vec<AttributeProto>,
    pub(crate) features: Vec<String>,
    pub(crate) outputs: Option<Vec<bool>>,
    pub(crate) output_kinds: Option<Vec<ValueKind>>,
    pub(crate) outer: Vec<Input>,
    pub(crate) before: Vec<NodeProto>,
    pub(crate) violates: Option<Label>,
    pub(crate) declined: bool,
    /// The number of elements drawn so far.
    pub(crate) elements: usize,
    pub(crate) size: Size,
    /// Whether each tensor has one special element among ordinary ones.
    pub(crate) one_special: bool,
    /// Whether a random operator draws a large sample.
    pub(crate) large_sample: bool,
    /// The number of extents so far that are larger than usual.
    pub(crate) larger: u8,
    /// The largest value that an enlarged extent may have (`longest`), and the work that each element of a shape causes
    /// (`cost`).
    pub(crate) longest: usize,
    pub(crate) cost: usize,
    /// What [`Draw::way`] needs in a negative recipe: a number that depends on the cell and decides how case 0 violates
    /// the constraint (`rotation`), and the number of combinations that the calls so far can give (`combinations`).
    pub(crate) rotation: u64,
    pub(crate) combinations: u64,
}

/// Draws a tensor of a type and shape.
///
/// # Panics
/// Panics if the shape has more elements than a tensor may have.
pub fn tensor(choices: &mut Choices, dtype: DType, shape: &[usize], values: Values) -> Tensor {
    let count = element_count(shape).expect("a tensor that is drawn is small");
    let tensor = match dtype {
        DType::String => {
            let strings = choices.block(count, values::BOUND).into_iter().map(values::string).collect();
            Tensor::from_strings(shape.to_vec(), strings)
        }
        DType::Complex64 | DType::Complex128 => {
            let part = if dtype == DType::Complex64 { DType::Float } else { DType::Double };
            let bits = choices.block(2 * count, values::BOUND).into_iter();
            let bits = bits.map(|choice| values::element(part, values, choice));
            let bytes = bits.flat_map(|b| b.to_le_bytes().into_iter().take(part.size())).collect();
            Tensor::from_bytes(dtype, shape.to_vec(), bytes)
        }
        _ => {
            let bits = choices.block(count, values::BOUND).into_iter();
            Tensor::from_bits(dtype, shape.to_vec(), bits.map(|choice| values::element(dtype, values, choice)))
        }
    };
    tensor.expect("as many elements were drawn as the shape has")
}

impl<'a> Draw<'a> {
    /// Returns the specification of the operator version that is drawn.
    pub fn version(&self) -> &'a OperatorVersion {
        self.version
    }

    /// Returns the version number of the operator that is drawn.
    pub fn since(&self) -> u32 {
        self.version.since()
    }

    /// Returns the constraint to violate, in a negative recipe.
    pub fn violating(&self) -> Option<Label> {
        self.violates
    }

    /// Declares that this case does not exist, for example because the constraint cannot be violated with the types
    /// that the cell binds.
    pub fn decline(&mut self) {
        self.declined = true;
    }

    /// Notes that this case has a feature. Coverage counts features, and a test checks that each feature is reached.
    pub fn feature(&mut self, name: &str) {
        if !self.features.iter().any(|f| f == name) {
            self.features.push(name.to_owned());
        }
    }

    /// Returns a number from the range; its start is the simplest.
    pub fn range(&mut self, range: RangeInclusive<i64>) -> i64 {
        let span = range.end().saturating_sub(*range.start()).saturating_add(1).max(1) as u64;
        range.start() + self.choices.below(span) as i64
    }

    /// Returns an index below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.choices.below(count as u64) as usize
    }

    /// Returns one of these options; the first is the simplest.
    pub fn choose<T: Clone>(&mut self, options: &[T]) -> T {
        let at = self.below(options.len());
        options[at].clone()
    }

    /// Returns true once in `of` times on average, and never if `of` is 1; false is simpler.
    pub fn once_in(&mut self, of: u64) -> bool {
        self.choices.rarely(of)
    }

    /// Returns true or false with equal odds; false is simpler.
    pub fn flag(&mut self) -> bool {
        self.choices.below(2) == 1
    }

    /// Returns whether to give an optional input or attribute. Case 0 of a cell leaves it out, case 1 gives it, and
    /// later cases decide at random. Coverage counts the cases with it and those without it.
    pub fn give(&mut self) -> bool {
        let given = match self.index {
            0 => self.choices.steered(2, 0),
            1 => self.choices.steered(2, 1),
            _ => self.choices.below(2),
        };
        given == 1
    }

    /// Returns the n-th option in case n of a cell, so that the first cases reach every option; later cases draw one.
    pub fn turn<T: Clone>(&mut self, options: &[T]) -> T {
        let count = options.len() as u64;
        let at = if self.index < count { self.choices.steered(count, self.index) } else { self.choices.below(count) };
        options[at as usize].clone()
    }

    /// Returns `None` in case 0 of a cell, and one option after the other in the cases from 1 on. Later cases draw,
    /// and half of them get `None`.
    pub fn turn_or_none<T: Clone>(&mut self, options: &[T]) -> Option<T> {
        let count = options.len() as u64;
        // Numbers below `count` stand for `None`.
        let at = match self.index {
            0 => self.choices.steered(2 * count, 0),
            index if index <= count => self.choices.steered(2 * count, count + index - 1),
            _ => self.choices.below(2 * count),
        };
        at.checked_sub(count).map(|at| options[at as usize].clone())
    }

    /// Returns the value to give to an attribute of this version, chosen by [`Draw::turn_or_none`], or by
    /// [`Draw::turn`] if the attribute is required. If this version does not have the attribute, returns `None`.
    pub fn turn_attribute<T: Clone>(&mut self, name: &str, options: &[T]) -> Option<T> {
        match self.version.attribute(name) {
            None => None,
            Some(a) if a.required => Some(self.turn(options)),
            Some(_) => self.turn_or_none(options),
        }
    }

    /// Returns whether this version has an attribute of that name.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.version.attribute(name).is_some()
    }

    /// Returns whether this version has an input of that name.
    pub fn has_input(&self, name: &str) -> bool {
        self.version.input(name).is_some()
    }

    /// Returns whether to give an attribute: always if this version requires it, never if this version does not have
    /// it.
    pub fn give_attribute(&mut self, name: &str) -> bool {
        match self.version.attribute(name) {
            None => false,
            Some(a) if a.required => true,
            Some(_) => self.give(),
        }
    }

    /// Returns whether to give an input: always if this version requires it, never if this version does not have it.
    pub fn give_input(&mut self, name: &str) -> bool {
        match self.version.input(name) {
            None => false,
            Some(i) if i.option == FormalOption::Single => true,
            Some(_) => self.give(),
        }
    }

    /// Returns the type that a type variable is bound to, and draws it if the cell leaves it open. An input or output
    /// may have a type such as `tensor(int64)` instead of a variable. If `variable` is such a type, returns that type.
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

    /// Returns the element type of a type variable, or of a type such as `tensor(int64)`.
    pub fn dtype(&mut self, variable: &str) -> DType {
        self.type_of(variable).leaf_dtype()
    }

    /// Returns the element type of an input.
    pub fn input_dtype(&mut self, input: &str) -> DType {
        let variable = self.version.input(input).map(|i| i.type_.clone());
        self.dtype(variable.as_deref().unwrap_or("tensor(float)"))
    }

    /// Returns the element type of an output.
    pub fn output_dtype(&mut self, output: &str) -> DType {
        let variable = self.version.output(output).map(|o| o.type_.clone());
        self.dtype(variable.as_deref().unwrap_or("tensor(float)"))
    }

    /// Binds a type variable that the cell leaves open, and returns whether the variable now has this type.
    pub fn bind(&mut self, variable: &str, dtype: DType) -> bool {
        let wanted = TypeStr::Tensor(dtype);
        let allowed = self.version.types.get(variable).is_some_and(|types| types.contains(&wanted));
        if allowed {
            self.binding.entry(variable.to_owned()).or_insert_with(|| wanted.clone());
        }
        self.binding.get(variable) == Some(&wanted)
    }
    /// Returns `count` numbers below `bound`, for choices that are made for each element of a tensor. They are recorded
    /// in a block of their own.
    pub fn block(&mut self, count: usize, bound: u64) -> Vec<u64> {
        self.choices.block(count, bound)
    }

    /// Draws a tensor of a type and shape. If the case would have more than `sizes::MOST_ELEMENTS` elements, the case
    /// is declined and the tensor is empty.
    pub fn elements(&mut self, dtype: DType, shape: &[usize], values: Values) -> Tensor {
        self.elements = self.elements.saturating_add(element_count(shape).unwrap_or(usize::MAX));
        if self.elements > sizes::MOST_ELEMENTS {
            self.decline();
            return Tensor::zeros(dtype, vec![0; shape.len()]).expect("a tensor without elements always fits");
        }
        if self.one_special
            && let Some(tensor) = self.with_one_special(dtype, shape, values)
        {
            return tensor;
        }
        tensor(&mut self.choices, dtype, shape, values)
    }

    /// Returns this tensor with about a third of its elements replaced by some of these numbers. If the tensor has an
    /// integer type, numbers that the type cannot represent are not used.
    pub fn sprinkled(&mut self, tensor: &Tensor, numbers: &[f64]) -> Tensor {
        let (dtype, shape) = (tensor.dtype(), tensor.shape().to_vec());
        let alone = |&x: &f64| match dtype.integer_range() {
            Some((low, high)) => (x.fract() == 0.0 && (low as f64..=high as f64).contains(&x)).then(|| {
                Tensor::from_i128s(dtype, vec![], &[x as i128])
                    .expect("a tensor of one element has one value")
                    .bits_at(0)
            }),
            None => {
                Some(Tensor::from_f64s(dtype, vec![], &[x]).expect("a tensor of one element has one value").bits_at(0))
            }
        };
        let numbers: Vec<u64> = numbers.iter().filter_map(alone).collect();
        let choices = self.choices.block(tensor.len(), 3 * numbers.len() as u64);
        let bits =
            choices.into_iter().enumerate().map(|(i, c)| numbers.get(c as usize).copied().unwrap_or(tensor.bits_at(i)));
        Tensor::from_bits(dtype, shape, bits).expect("the number of elements did not change")
    }

    /// Draws a value of any type: a tensor of any shape, a sequence of up to three values, an optional that may be
    /// empty, or a map.
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
            TypeStr::Map(key, of) => self.map(*key, of, values),
            other => {
                let shape = self.shape(0..=8);
                self.elements(other.leaf_dtype(), &shape, values).into()
            }
        }
    }

    /// Returns the type of an output, for the model.
    pub(crate) fn output_kind(&mut self, position: usize) -> ValueKind {
        if let Some(kind) = self.output_kinds.as_ref().and_then(|kinds| kinds.get(position)) {
            return kind.clone();
        }
        let formals = &self.version.outputs;
        let formal = formals.get(position).or(formals.last().filter(|f| f.option == FormalOption::Variadic));
        let variable = formal.map(|f| f.type_.clone()).unwrap_or_default();
        kind_of(&self.type_of(&variable))
    }
}
