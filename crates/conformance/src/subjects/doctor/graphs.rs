//! Checks which value of a request becomes which input of the graph, and which output of the graph becomes which value
//! of the answer.

use plumbline_tensor::{Model, Value};

use super::adapter::Adapter;
use super::model::{Carrier, OPSET, floats, parse, parse_typed};
use super::outcome::{Trouble, first_line};
use super::{Problem, Report};

/// What a backend should answer to a model, and what it answers if the adapter has a known mistake.
struct Expectation<'a> {
    model: &'a Model,
    inputs: &'a [Value],
    what: &'a str,
    expected: Vec<Value>,
    /// Wrong answers that show their cause, each with what to change.
    mistakes: Vec<(Vec<Value>, &'a str)>,
    /// What to change if the answer is wrong in another way.
    advice: &'a str,
}

impl Expectation<'_> {
    fn check(self, adapter: &mut Adapter) -> Result<(), Trouble> {
        let found = match adapter.run(self.model, self.inputs, self.what) {
            Ok(found) => found,
            Err(Trouble::Problem(mut problem)) => {
                if problem.found.contains("refused as `") {
                    problem.advice += &format!(" {}", self.advice);
                }
                return Err(Trouble::Problem(problem));
            }
            Err(unsupported) => return Err(unsupported),
        };
        if found == self.expected {
            return Ok(());
        }
        let known = self.mistakes.iter().find(|(answer, _)| *answer == found).map(|&(_, advice)| advice);
        let found = format!("{}: answered {}, expected {}", self.what, listed(&found), listed(&self.expected));
        Err(Trouble::Problem(Problem::new(found, known.unwrap_or(self.advice))))
    }
}

fn listed(values: &[Value]) -> String {
    let texts: Vec<String> = values.iter().map(Value::to_string).collect();
    texts.join(", ")
}

/// Returns the report of a check that ran one model.
fn report(result: Result<(), Trouble>, summary: &str) -> Report {
    match result {
        Ok(()) => Report::ok(summary),
        Err(Trouble::Problem(problem)) => Report::wrong(problem),
        Err(Trouble::Unsupported(message)) => Report::skipped(format!("unsupported: {}", first_line(&message))),
    }
}

/// Checks that the inputs `z` and `a`, which have different shapes, are bound in this order.
pub fn check_inputs(adapter: &mut Adapter) -> Report {
    let advice = "Bind the values of a request by position: the first value is the first entry of graph.input that has no \
                  initializer, and so on. The values carry no names.";
    let sorted = "The inputs are swapped. Do not sort the names of graph.input: the values of a request are in the order \
                  of graph.input.";
    let sub = parse(OPSET, "inputs (float[2,2] z, float[2] a) => (float[2,2] y) { y = Sub (z, a) }");
    let inputs = [floats(&[2, 2], &[10.0, 20.0, 30.0, 40.0]), floats(&[2], &[1.0, 2.0])];
    let expectation = Expectation {
        model: &sub,
        inputs: &inputs,
        what: "Sub of the inputs z and a",
        expected: vec![floats(&[2, 2], &[9.0, 18.0, 29.0, 38.0])],
        mistakes: vec![(vec![floats(&[2, 2], &[-9.0, -18.0, -29.0, -38.0])], sorted)],
        advice,
    };
    let mut result = expectation.check(adapter);
    if let Err(Trouble::Unsupported(_)) = result {
        let concat =
            parse(OPSET, "inputs (float[2] z, float[1] a) => (float[3] y) { y = Concat <axis: int = 0> (z, a) }");
        let inputs = [floats(&[2], &[1.0, 2.0]), floats(&[1], &[3.0])];
        let expectation = Expectation {
            model: &concat,
            inputs: &inputs,
            what: "Concat of the inputs z and a",
            expected: vec![floats(&[3], &[1.0, 2.0, 3.0])],
            mistakes: vec![(vec![floats(&[3], &[3.0, 1.0, 2.0])], sorted)],
            advice,
        };
        result = expectation.check(adapter);
    }
    report(result, "two inputs whose names are not sorted are in the order of graph.input")
}

/// Checks that the outputs `z` and `a` come in this order, although the nodes compute them in the other order.
pub fn check_outputs(adapter: &mut Adapter, carrier: Carrier) -> Report {
    let model = carrier.graph("outputs", "float[2] x, float[3] w", "float[2] z, float[3] a", &[("a", "w"), ("z", "x")]);
    let (x, w) = (floats(&[2], &[1.0, 2.0]), floats(&[3], &[3.0, 4.0, 5.0]));
    let inputs = [x.clone(), w.clone()];
    let expectation = Expectation {
        model: &model,
        inputs: &inputs,
        what: "two outputs z and a",
        expected: vec![x.clone(), w.clone()],
        mistakes: vec![(
            vec![w, x],
            "The outputs are swapped. Write them in the order of graph.output, and neither sorted by name nor in the \
             order of the nodes.",
        )],
        advice: "Write one value for each entry of graph.output, in that order.",
    };
    report(expectation.check(adapter), "two outputs whose names are not sorted are in the order of graph.output")
}

/// Checks an input of the graph that is also an output, and an output that two nodes read.
pub fn check_shared_values(adapter: &mut Adapter, carrier: Carrier) -> Report {
    let advice = "Write one value for each entry of graph.output, also if it is an input of the graph or the input of \
                  another node. If the runtime does not support such graphs, answer `unsupported`.";
    let x = floats(&[2], &[1.0, 2.0]);
    let inputs = [x.clone()];
    let through = carrier.graph("through", "float[2] x", "float[2] x, float[2] y", &[("y", "x")]);
    let twice = carrier.graph(
        "twice",
        "float[2] x",
        "float[2] y, float[2] b, float[2] a",
        &[("y", "x"), ("a", "y"), ("b", "y")],
    );
    let cases = [
        (through, "an output that is an input of the graph", vec![x.clone(); 2], advice),
        (twice, "an output that two nodes read", vec![x; 3], advice),
    ];
    check_each(adapter, &inputs, &cases, "an output that is an input, and an output that two nodes read")
}

/// Checks initializers that are no inputs of the graph, in `raw_data` and in `float_data`, and one that is an input.
pub fn check_initializers(adapter: &mut Adapter) -> Report {
    const RAW: &str = "Give the model to the runtime with its initializers. An initializer is a constant of the model: \
                       no value of the request belongs to it. Its elements are in `raw_data`.";
    const TYPED: &str = "Read elements of an initializer from `float_data` if it has no `raw_data`. Models of published \
                         suites have both forms.";
    const INPUT: &str = "Below IR version 4, each initializer is also in graph.input. A request has values only for inputs \
                         without an initializer, so skip the inputs that have one when you bind values to names.";
    let free = "free (float[2] x) => (float[2] y) <float[2] w = {10, 20}> { y = Add (x, w) }";
    let mut bound =
        parse(8, "bound (float[2] w, float[2] x) => (float[2] y) <float[2] w = {10, 20}> { y = Add (x, w) }");
    bound.proto.ir_version = Some(3);
    let expected = vec![floats(&[2], &[11.0, 22.0])];
    let cases = [
        (parse(OPSET, free), "an initializer in raw_data", expected.clone(), RAW),
        (parse_typed(OPSET, free), "an initializer in float_data", expected.clone(), TYPED),
        (bound, "an initializer that is also an input (IR version 3)", expected, INPUT),
    ];
    let inputs = [floats(&[2], &[1.0, 2.0])];
    check_each(adapter, &inputs, &cases, "in raw_data, in float_data, and as an input of the graph (IR version 3)")
}

/// A model, its name in messages, the expected outputs, and what to change if the answer is wrong.
type Case<'a> = (Model, &'a str, Vec<Value>, &'a str);

/// Runs models with the same inputs. `summary` says what was checked; if the backend does not support some of the
/// models, the report lists these models instead.
fn check_each(adapter: &mut Adapter, inputs: &[Value], cases: &[Case], summary: &str) -> Report {
    let mut report = Report::ok(summary);
    let mut unsupported = Vec::new();
    for (model, what, expected, advice) in cases {
        let expectation = Expectation { model, inputs, what, expected: expected.clone(), mistakes: vec![], advice };
        match expectation.check(adapter) {
            Ok(()) => {}
            Err(Trouble::Problem(problem)) => report.problems.push(problem),
            Err(Trouble::Unsupported(message)) => unsupported.push(format!("{what} ({})", first_line(&message))),
        }
    }
    if !unsupported.is_empty() {
        report.summary = format!("unsupported: {}", unsupported.join(", "));
        report.skipped = unsupported.len() == cases.len();
    }
    report
}
