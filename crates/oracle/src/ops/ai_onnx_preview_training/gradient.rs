use std::collections::{HashMap, HashSet};

use plumbline_tensor::onnx::NodeProto;

use crate::families::adjoint::{Around, backward, filled};
use crate::prelude::*;

/// Computes the derivatives of `y` with respect to `xs` in reverse mode, through the nodes of the surrounding graph.
///
/// The only version is 1. The inputs are the values of `xs` followed by those of `zs`, one per name
/// (`inputs-match-names`). None of these tensors may be determined by the others (`names-independent`), and together
/// they must determine `y` (`xs-determine-y`). The nodes between them and `y` are computed again from the given values.
///
/// `y` must have one element (`non-scalar-y`), and only the operators that [`backward`] knows can be differentiated
/// (`differentiable-operators`). A tensor that `y` does not depend on has the gradient zero (`unrelated-tensor`).
pub fn gradient(call: &Call) -> Answer {
    let names = |attribute: &str| -> Vec<String> {
        let list = call.optional_string_list(attribute).unwrap_or_default();
        list.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    };
    let (xs, zs, y) = (names("xs"), names("zs"), call.string("y")?);
    let independent = [xs.clone(), zs].concat();
    if call.operands().len() != independent.len() {
        let message = format!(
            "there are {} inputs, expected one for each of the {} names in `xs` and `zs`",
            call.operands().len(),
            independent.len()
        );
        return Err(Refusal::violates(rule::INPUTS_MATCH_NAMES, message));
    }
    let around = Around::read(call)?;
    only_independent(&around, &independent)?;
    let mut values: HashMap<String, Operand> = around.constants();
    for (name, input) in independent.iter().zip(call.operands()) {
        let input = input
            .clone()
            .ok_or_else(|| Refusal::violates(rule::INPUTS_MATCH_NAMES, format!("the input for `{name}` is missing")))?;
        values.insert(name.clone(), input);
    }
    let path = forward(&around, &y, &mut values)?;
    let result = values.get(&y).ok_or_else(|| {
        Refusal::violates(rule::XS_DETERMINE_Y, format!("`{y}` cannot be computed from `xs` and `zs`"))
    })?;
    let result = result.tensor()?;
    if result.len() != 1 {
        return Err(Refusal::leaves_open(
            rule::NON_SCALAR_Y,
            format!("`y` has {} elements, expected one", result.len()),
        ));
    }
    let ones = filled(result.dtype(), result.shape(), 1.0)?;
    let adjoints = reverse(&around, &path, &xs, (y, ones), &values)?;
    let gradient = |x: &String| match adjoints.get(x) {
        Some(adjoint) => Ok(adjoint.clone()),
        // The tensor does not influence `y`: `unrelated-tensor`.
        None => {
            let value = values[x].tensor()?;
            filled(value.dtype(), value.shape(), 0.0)
        }
    };
    // The derivatives of outcomes are not followed.
    let is_open = |operand: &Operand| operand.tensor().is_ok_and(|tensor| tensor.first_open().is_some());
    let anything = |operand: Operand| {
        let of = operand.tensor()?;
        if !of.dtype().is_float() {
            return Ok(operand);
        }
        Ok(Expected::from_numbers(of.dtype(), of.shape().to_vec(), of.numbers().map(Number::or_whole_range))?.into())
    };
    match call.operands().iter().flatten().any(is_open) {
        true => xs.iter().map(|x| anything(gradient(x)?)).collect(),
        false => xs.iter().map(gradient).collect(),
    }
}

/// Rejects names that occur twice, and names of tensors that other named tensors determine (`names-independent`). A
/// constant counts as independent, and so does a tensor that also depends on tensors which `xs` and `zs` do not name.
fn only_independent(around: &Around, independent: &[String]) -> Result<(), Refusal> {
    if let Some(twice) = independent.iter().enumerate().find(|(i, name)| independent[..*i].contains(name)) {
        return Err(Refusal::violates(
            rule::NAMES_INDEPENDENT,
            format!("`xs` and `zs` together name `{}` twice", twice.1),
        ));
    }
    let constants = around.constants();
    // For each tensor that follows only from named tensors and constants: whether a named tensor is involved.
    let mut follows: HashMap<&str, bool> = constants.keys().map(|name| (name.as_str(), false)).collect();
    follows.extend(independent.iter().map(|name| (name.as_str(), true)));
    for node in around.nodes {
        let inputs = node.input.iter().filter(|i| !i.is_empty()).map(|i| follows.get(i.as_str()).copied());
        let takes: Option<Vec<bool>> = inputs.collect();
        let Some(takes) = takes.map(|takes| takes.contains(&true)) else { continue };
        for output in node.output.iter().filter(|o| !o.is_empty()) {
            if takes && independent.contains(output) {
                return Err(Refusal::violates(
                    rule::NAMES_INDEPENDENT,
                    format!("`{output}` can be computed from other names in `xs` and `zs`"),
                ));
            }
            follows.entry(output).or_insert(takes);
        }
    }
    Ok(())
}

/// Finds the nodes that lead to `y`, computes their outputs from the given values, and returns these nodes in order.
fn forward<'a>(
    around: &Around<'a>,
    y: &str,
    values: &mut HashMap<String, Operand>,
) -> Result<Vec<&'a NodeProto>, Refusal> {
    let mut wanted = vec![y.to_owned()];
    let mut path = Vec::new();
    for node in around.nodes.iter().rev() {
        if node.output.iter().any(|o| wanted.contains(o) && !values.contains_key(o)) {
            wanted.extend(node.input.iter().cloned());
            path.push(node);
        }
    }
    path.reverse();
    for node in &path {
        if let Some(missing) = node.input.iter().find(|i| !i.is_empty() && !values.contains_key(*i)) {
            return Err(Refusal::violates(
                rule::XS_DETERMINE_Y,
                format!("`{y}` depends on `{missing}`, which cannot be computed from `xs` and `zs`"),
            ));
        }
        let outputs = around.run(node, values)?;
        for (name, value) in node.output.iter().zip(outputs) {
            values.insert(name.clone(), value);
        }
    }
    Ok(path)
}

/// Starts from the adjoint of `y`, and returns, by name, the adjoints of all tensors that depend on `xs`.
fn reverse(
    around: &Around,
    path: &[&NodeProto],
    xs: &[String],
    y: (String, Operand),
    values: &HashMap<String, Operand>,
) -> Result<HashMap<String, Operand>, Refusal> {
    let mut depends: HashSet<&str> = xs.iter().map(String::as_str).collect();
    for node in path {
        if node.input.iter().any(|i| depends.contains(i.as_str())) {
            depends.extend(node.output.iter().map(String::as_str));
        }
    }
    let mut adjoints: HashMap<String, Operand> = HashMap::from([y]);
    for node in path.iter().rev() {
        if !node.input.iter().any(|i| depends.contains(i.as_str())) {
            continue;
        }
        if node.output.iter().skip(1).any(|o| adjoints.contains_key(o)) {
            return Err(Refusal::leaves_open(
                rule::DIFFERENTIABLE_OPERATORS,
                "the oracle differentiates only the first output of an operator",
            ));
        }
        let Some(output) = node.output.first().and_then(|o| adjoints.get(o)).cloned() else { continue };
        for (name, adjoint) in backward(around, node, &output, values)? {
            let total = match adjoints.remove(&name) {
                Some(before) => around.one("Add", &[&before, &adjoint])?,
                None => adjoint,
            };
            adjoints.insert(name, total);
        }
    }
    Ok(adjoints)
}
