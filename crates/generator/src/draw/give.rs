//! What a recipe gives: the inputs, attributes and outputs of the node, and the values and nodes beside it.

use plumbline_tensor::onnx::{AttributeProto, GraphProto, SparseTensorProto};
use plumbline_tensor::{Tensor, Value, ValueKind, tensor_to_proto};

use super::{Draw, Input};
use crate::body::Body;
use crate::declarations::attribute;
use crate::values::Values;

impl Draw<'_> {
    /// Gives an input: a tensor of the input's own element type, with this shape and these values. Returns the tensor.
    pub fn tensor(&mut self, input: &str, shape: &[usize], values: Values) -> Tensor {
        let dtype = self.input_dtype(input);
        let tensor = self.elements(dtype, shape, values);
        self.input(input, tensor.clone());
        tensor
    }

    /// Gives an input, or one more value of a variadic input.
    pub fn input(&mut self, input: &str, value: impl Into<Value>) {
        self.inputs.push(Input {
            formal: input.to_owned(),
            value: Some(value.into()),
            around: String::new(),
            constant: false,
        });
    }

    /// Gives an input by the name of a value in the same graph: one of [`Draw::outer`], or one that a node of
    /// [`Draw::before`] computes.
    pub fn input_around(&mut self, input: &str, name: &str) {
        let (formal, around) = (input.to_owned(), name.to_owned());
        self.inputs.push(Input { formal, value: None, around, constant: false });
    }

    /// Replaces the value of the input given last.
    pub fn replace_last_input(&mut self, value: impl Into<Value>) {
        if let Some(input) = self.inputs.last_mut() {
            input.value = Some(value.into());
        }
    }

    /// Gives a 1-D input of integers, as [`Draw::int_tensor`] does.
    pub fn ints(&mut self, input: &str, values: &[i64]) {
        self.int_tensor(input, vec![values.len()], values);
    }

    /// Gives a rank-0 input with one integer, as [`Draw::int_tensor`] does.
    pub fn int_scalar(&mut self, input: &str, value: i64) {
        self.int_tensor(input, vec![], &[value]);
    }

    /// Gives an input of integers with this shape, in the element type of the input. Values outside the range of that
    /// type become its nearest end. From IR version 4 on, one in three such inputs is an initializer.
    pub fn int_tensor(&mut self, input: &str, shape: Vec<usize>, values: &[i64]) {
        let dtype = self.input_dtype(input);
        let (least, most) = dtype.integer_range().unwrap_or((i128::MIN, i128::MAX));
        let wide: Vec<i128> = values.iter().map(|&v| i128::from(v).clamp(least, most)).collect();
        let tensor =
            Tensor::from_i128s(dtype, shape, &wide).expect("there are as many values as the shape has elements");
        let constant = self.once_in(3);
        if constant {
            self.feature("constant input");
        }
        self.inputs.push(Input {
            formal: input.to_owned(),
            value: Some(tensor.into()),
            around: String::new(),
            constant,
        });
    }

    /// Leaves a place of a variadic input empty. For any other input this is the same as not giving it.
    pub fn omit(&mut self, input: &str) {
        self.inputs.push(Input { formal: input.to_owned(), value: None, around: String::new(), constant: false });
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

    /// Gives a TYPE_PROTO attribute.
    pub fn type_attribute(&mut self, name: &str, kind: &ValueKind) {
        self.attributes.push(AttributeProto { tp: Some(Box::new(kind.to_proto())), ..attribute(name, 13) });
    }

    /// Gives a GRAPH attribute.
    pub fn graph_attribute(&mut self, name: &str, value: GraphProto) {
        self.attributes.push(AttributeProto { g: Some(Box::new(value)), ..attribute(name, 5) });
    }

    /// In some cases gives the attribute `consumed_inputs`, which has no effect. Only the first versions have it.
    pub fn legacy(&mut self) {
        if self.give_attribute("consumed_inputs") {
            let count = self.inputs.len();
            self.ints_attribute("consumed_inputs", &vec![0; count]);
        }
    }

    /// Gives the graph a value with a name. A graph in an attribute of the node, a node before it, or
    /// [`Draw::input_around`] refers to the value by this name. From IR version 4 on, one in three such tensors is an
    /// initializer.
    pub fn outer(&mut self, name: &str, value: impl Into<Value>) {
        let constant = self.once_in(3);
        self.outer_input(name, value);
        if let Some(input) = self.outer.last_mut() {
            input.constant = constant;
        }
    }

    /// Gives a value like [`Draw::outer`], but never as an initializer.
    pub fn outer_input(&mut self, name: &str, value: impl Into<Value>) {
        let (formal, around) = (name.to_owned(), String::new());
        self.outer.push(Input { formal, value: Some(value.into()), around, constant: false });
    }

    /// Puts the nodes of a graph before the operator's own node, in the same graph. They refer to values of
    /// [`Draw::outer`] by name, and belong to the `ai.onnx` opset of the release that has the operator.
    pub fn before(&mut self, body: Body) {
        self.before.extend(body.build().node);
    }

    /// Gives the node one output of each of these types. For nodes whose output types follow from an attribute.
    pub fn typed_outputs(&mut self, kinds: Vec<ValueKind>) {
        self.outputs = Some(vec![true; kinds.len()]);
        self.output_kinds = Some(kinds);
    }

    /// Sets which outputs the node names, in order. By default it names all outputs that are not variadic, or one
    /// output if all outputs are variadic.
    pub fn outputs(&mut self, named: &[bool]) {
        self.outputs = Some(named.to_vec());
    }
}
