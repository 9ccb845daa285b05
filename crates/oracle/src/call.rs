//! [`Call`] is what a kernel receives: one node with its attributes and inputs, and the facts of its operator version.

mod elementwise;
mod lists;

pub use elementwise::broadcast_shape;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use plumbline_graph::Attributes;
use plumbline_spec::{AttributeKind, FormalOption, OperatorId, OperatorVersion, ReleaseNumber, Spec, TypeStr, rule};
use plumbline_tensor::onnx::{AttributeProto, GraphProto, NodeProto};
use plumbline_tensor::{DType, Tensor};

use super::expected::Expected;
use super::number::Number;
use super::operand::Operand;
use super::releases;
use crate::{Label, Refusal};

/// The result of a kernel or of a model: one operand for each output, or a refusal. A kernel returns as many outputs as
/// the operator defines for these inputs; its caller drops those that the node leaves out.
pub type Answer = Result<Vec<Operand>, Refusal>;

/// The function that computes an operator (all of its versions).
pub type Kernel = fn(&Call) -> Answer;

/// The surroundings of a node in a model that runs: the values that its nested graphs see, and the nodes before it.
pub(crate) trait Surroundings {
    /// Returns the nodes before this one in the same graph, in order.
    fn before(&self) -> &[NodeProto];

    /// Returns which of `count` alternative answers a node of this operator has to give (see [`Call::reading`]).
    fn reading(&self, operator: &OperatorId, label: Label, count: usize) -> usize;

    /// Returns whether the text that the model is judged by has this rule for this operator version (see
    /// [`Call::follows`]).
    fn follows(&self, version: &OperatorVersion, label: Label) -> bool;

    /// Returns the constants of the same graph: its initializers, or the inputs that the model was given in their
    /// place.
    fn constants(&self) -> HashMap<String, Operand>;

    /// Computes the outputs of another node with these inputs, as if that node stood in the place of this one.
    fn run_node(&self, node: &NodeProto, inputs: &[Option<Operand>]) -> Answer;

    /// Runs a nested graph of the node: its formal inputs take `inputs` in order, and it sees what the node sees.
    fn run(&self, graph: &GraphProto, inputs: &[Operand]) -> Answer;
}

/// One node that is about to be computed.
pub struct Call<'a> {
    version: &'a OperatorVersion,
    node: &'a NodeProto,
    attributes: Attributes<'a>,
    inputs: &'a [Option<Operand>],
    surroundings: Option<&'a dyn Surroundings>,
    opened: RefCell<Vec<Label>>,
}

impl<'a> Call<'a> {
    /// Returns a call of `node`, which is resolved to the operator version `version`. Checks the rules that hold for
    /// every operator (arity, attributes, types).
    pub fn new(
        version: &'a OperatorVersion,
        node: &'a NodeProto,
        inputs: &'a [Option<Operand>],
    ) -> Result<Self, Refusal> {
        let attributes = Attributes::new(version, node);
        let call = Call { version, node, attributes, inputs, surroundings: None, opened: RefCell::default() };
        let kinds: Vec<_> = inputs.iter().map(|operand| operand.as_ref().map(Operand::kind)).collect();
        plumbline_graph::check(version, node, &kinds)?;
        // Kernels multiply the extents of inputs without a check for overflow, so the shapes are checked here.
        for tensor in inputs.iter().flatten().filter_map(|operand| operand.tensor().ok()) {
            super::shape::affordable(tensor.shape())?;
        }
        Ok(call)
    }

    /// Returns the same call inside of a model, so that the graphs in its attributes can be run.
    pub(crate) fn within(self, surroundings: &'a dyn Surroundings) -> Self {
        Call { surroundings: Some(surroundings), ..self }
    }

    /// Returns the surroundings of the node, if it belongs to a model.
    pub(crate) fn surroundings(&self) -> Option<&'a dyn Surroundings> {
        self.surroundings
    }

    /// Records that a rule leaves the result as a whole open, and not only single elements. If `refused` is one of the
    /// outcomes of the rule, a backend that refuses the model does not fail. A rule that leaves single elements open
    /// need not be recorded here: the latitude of the elements names it.
    pub fn leaves_open(&self, label: Label) {
        self.opened.borrow_mut().push(label);
    }

    /// Returns which of `count` alternative answers the kernel has to give: 0 for the preferred answer, or the number
    /// of another one. Meant for rules that leave the shape of the answer open, or several elements that depend on each
    /// other.
    pub fn reading(&self, label: Label, count: usize) -> usize {
        self.leaves_open(label);
        self.surroundings.map_or(0, |surroundings| surroundings.reading(&self.version.id, label, count))
    }

    /// Returns whether the text that the model is judged by has this rule for this operator version. It does not if
    /// the rule is for the texts of other releases of ONNX. The oracle first runs a model by the newest text. If a
    /// kernel has asked for a rule that the text of the backend's release decides otherwise, it runs the model by that
    /// text as well.
    pub fn follows(&self, label: Label) -> bool {
        match self.surroundings {
            Some(surroundings) => surroundings.follows(self.version, label),
            None => releases::holds(Spec::embedded(), self.version, label, ReleaseNumber::newest()),
        }
    }

    /// Returns the labels that were recorded by [`Call::leaves_open`].
    pub(crate) fn opened(&self) -> Vec<Label> {
        self.opened.borrow().clone()
    }

    /// Runs the graph of a GRAPH attribute with `inputs` as its formal inputs. The graph sees the values that the node
    /// sees. The answer has one operand for each output of the graph.
    pub fn run_graph(&self, attribute: &str, inputs: &[Operand]) -> Answer {
        let graph = self.graph(attribute)?;
        match self.surroundings {
            Some(surroundings) => surroundings.run(graph, inputs),
            None => Err(Refusal::failed(format!(
                "graph `{attribute}` cannot run, because the node is called outside a model"
            ))),
        }
    }

    /// Returns the facts of the operator version.
    pub fn version(&self) -> &'a OperatorVersion {
        self.version
    }

    /// Returns the number of the operator version: the opset that introduced it.
    pub fn since(&self) -> u32 {
        self.version.since()
    }

    /// Returns the node itself.
    pub fn node(&self) -> &'a NodeProto {
        self.node
    }

    /// Returns all inputs by position; left-out inputs are `None`.
    pub fn operands(&self) -> &'a [Option<Operand>] {
        self.inputs
    }

    /// Returns how many outputs the node lists, left-out ones included.
    pub fn output_count(&self) -> usize {
        self.node.output.len()
    }

    /// Returns whether the node names this output.
    pub fn wants_output(&self, name: &str) -> bool {
        let at = self.version.outputs.iter().position(|o| o.name == name);
        at.and_then(|i| self.node.output.get(i)).is_some_and(|o| !o.is_empty())
    }

    fn position(&self, name: &str) -> Result<usize, Refusal> {
        let at = self.version.inputs.iter().position(|i| i.name == name);
        at.ok_or_else(|| {
            Refusal::failed(format!("the kernel asks for an input `{name}` that {} does not have", self.version.id))
        })
    }

    /// Returns an input of any type if it is given. An input that this version does not have counts as not given.
    pub fn optional_operand(&self, name: &str) -> Option<&'a Operand> {
        let at = self.version.inputs.iter().position(|i| i.name == name)?;
        self.inputs.get(at)?.as_ref()
    }

    /// Returns an input of any type.
    pub fn operand(&self, name: &str) -> Result<&'a Operand, Refusal> {
        self.position(name)?;
        self.optional_operand(name).ok_or_else(|| Refusal::invalid(format!("input `{name}` is missing")))
    }

    /// Returns whether an input is given.
    pub fn given(&self, name: &str) -> bool {
        self.optional_operand(name).is_some()
    }

    /// Returns a tensor input.
    pub fn tensor(&self, name: &str) -> Result<&'a Expected, Refusal> {
        self.operand(name)?.tensor()
    }

    /// Returns a tensor input if it is given.
    pub fn optional_tensor(&self, name: &str) -> Result<Option<&'a Expected>, Refusal> {
        self.optional_operand(name).map(Operand::tensor).transpose()
    }

    /// Returns the tensors of a variadic input, in order.
    pub fn tensors(&self, name: &str) -> Result<Vec<&'a Expected>, Refusal> {
        let at = self.position(name)?;
        self.inputs[at.min(self.inputs.len())..].iter().flatten().map(Operand::tensor).collect()
    }

    /// Returns an attribute that the node itself has; defaults are not looked up.
    pub fn attribute(&self, name: &str) -> Option<&'a AttributeProto> {
        self.attributes.given(name)
    }

    /// Returns whether the node itself has this attribute.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    fn missing(&self, name: &str) -> Refusal {
        Refusal::invalid(format!("attribute `{name}` is missing"))
    }

    /// Returns an INT attribute or its default, if there is one.
    pub fn optional_int(&self, name: &str) -> Option<i64> {
        self.attributes.int(name)
    }

    /// Returns an INT attribute or its default.
    pub fn int(&self, name: &str) -> Result<i64, Refusal> {
        self.optional_int(name).ok_or_else(|| self.missing(name))
    }

    /// Returns whether a flag is set. A flag is an INT attribute for which the specification defines 0 and 1. Any other
    /// value counts as 1, but a backend may also read it as 0 or refuse it (`other-flag-values`). A flag that this
    /// version does not have is not set.
    pub fn flag(&self, name: &str) -> bool {
        match self.optional_int(name).unwrap_or(0) {
            0 => false,
            1 => true,
            _ => self.reading(rule::OTHER_FLAG_VALUES, 2) == 0,
        }
    }

    /// Returns the same as [`Call::flag`], but a flag that this version does not have is set.
    pub fn flag_or_set(&self, name: &str) -> bool {
        self.optional_int(name).is_none() || self.flag(name)
    }

    /// Returns a FLOAT attribute or its default, if there is one.
    pub fn optional_float(&self, name: &str) -> Option<f32> {
        self.attributes.float(name)
    }

    /// Returns a FLOAT attribute or its default.
    pub fn float(&self, name: &str) -> Result<f32, Refusal> {
        self.optional_float(name).ok_or_else(|| self.missing(name))
    }

    /// Returns a STRING attribute or its default, if there is one.
    pub fn optional_string(&self, name: &str) -> Option<String> {
        self.attributes.string(name).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Returns a STRING attribute or its default.
    pub fn string(&self, name: &str) -> Result<String, Refusal> {
        self.optional_string(name).ok_or_else(|| self.missing(name))
    }

    /// Returns an INTS attribute or its default, if there is one.
    pub fn optional_int_list(&self, name: &str) -> Option<Vec<i64>> {
        self.attributes.ints(name).map(<[i64]>::to_vec)
    }

    /// Returns an INTS attribute or its default.
    pub fn int_list(&self, name: &str) -> Result<Vec<i64>, Refusal> {
        self.optional_int_list(name).ok_or_else(|| self.missing(name))
    }

    /// Returns a FLOATS attribute or its default, if there is one.
    pub fn optional_float_list(&self, name: &str) -> Option<Vec<f32>> {
        self.attributes.floats(name).map(<[f32]>::to_vec)
    }

    /// Returns a STRINGS attribute or its default, if there is one.
    pub fn optional_string_list(&self, name: &str) -> Option<Vec<Vec<u8>>> {
        self.attributes.strings(name).map(|strings| strings.into_iter().map(<[u8]>::to_vec).collect())
    }

    /// Returns a TENSOR attribute if it is given.
    pub fn optional_tensor_attribute(&self, name: &str) -> Result<Option<Tensor>, Refusal> {
        self.attributes.tensor(name)
    }

    /// Returns the graph of a GRAPH attribute.
    pub fn graph(&self, name: &str) -> Result<&'a GraphProto, Refusal> {
        self.attributes.graph(name).ok_or_else(|| match self.has_attribute(name) {
            true => Refusal::invalid(format!("attribute `{name}` has no graph")),
            false => self.missing(name),
        })
    }

    /// Returns the element type that the given inputs bind a type variable to, if they bind it to a tensor type.
    pub fn bound(&self, variable: &str) -> Option<DType> {
        let formals = &self.version.inputs;
        self.inputs.iter().enumerate().find_map(|(i, operand)| {
            let formal = formals.get(i).or_else(|| formals.last().filter(|f| f.option == FormalOption::Variadic))?;
            if formal.type_ != variable {
                return None;
            }
            Some(operand.as_ref()?.tensor().ok()?.dtype())
        })
    }

    /// Returns the element type of an output: the one that the inputs bind its type variable to, or the only one that
    /// it may have.
    pub fn output_dtype(&self, position: usize) -> Result<DType, Refusal> {
        let formals = &self.version.outputs;
        let formal = formals
            .get(position)
            .or(formals.last())
            .ok_or_else(|| Refusal::failed("the specification of the operator has no output"))?;
        if let Some(dtype) = self.bound(&formal.type_) {
            return Ok(dtype);
        }
        match self.version.types_of(formal).as_slice() {
            [TypeStr::Tensor(dtype)] => Ok(*dtype),
            _ => Err(Refusal::failed(format!(
                "the types of the inputs do not determine the type of output `{}`",
                formal.name
            ))),
        }
    }

    /// Brings an axis, from an attribute or an input, into `0..rank`. `label` is the constraint that is broken if the
    /// axis is outside `-rank..rank`.
    pub fn axis(&self, axis: i64, rank: usize, label: Label) -> Result<usize, Refusal> {
        let signed = rank as i64;
        if axis < -signed || axis >= signed {
            return Err(Refusal::violates(label, format!("axis {axis} is outside [-{rank}, {rank})")));
        }
        Ok(if axis < 0 { axis + signed } else { axis } as usize)
    }

    /// Returns an answer of one output, which has the element type that the operator defines for it.
    pub fn answer(&self, shape: Vec<usize>, numbers: impl IntoIterator<Item = Number>) -> Answer {
        self.answer_as(self.output_dtype(0)?, shape, numbers)
    }

    /// Returns an answer of one output, which has this element type.
    pub fn answer_as(&self, dtype: DType, shape: Vec<usize>, numbers: impl IntoIterator<Item = Number>) -> Answer {
        one(Expected::from_numbers(dtype, shape, numbers)?)
    }

    /// Returns the kind of an attribute if this version has it.
    pub fn attribute_kind(&self, name: &str) -> Option<AttributeKind> {
        self.version.attribute(name).map(|a| a.kind)
    }
}

/// Returns an answer of one output.
pub fn one(output: Expected) -> Answer {
    Ok(vec![Operand::Tensor(Arc::new(output))])
}

/// Returns an answer of several outputs.
pub fn several(outputs: impl IntoIterator<Item = Expected>) -> Answer {
    Ok(outputs.into_iter().map(|o| Operand::Tensor(Arc::new(o))).collect())
}
