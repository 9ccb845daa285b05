//! Judges backends that compute one operator as another one, or refuse models with many outputs.

use std::time::Duration;

use plumbline_backend::{Backend, Identity, Local, Prepared, Profile, Refusal, Runner};
use plumbline_conformance::model::{Effort, Traced, judge_backend, part};
use plumbline_conformance::{Subject, Verdict};
use plumbline_tensor::{Model, Value};

use crate::{CHAIN, floats, model, run};

/// A backend whose nodes answer as the oracle does, except that it computes one operator as another one, and that it
/// refuses models with many outputs.
struct Wrong {
    profile: Profile,
    swap: Option<(&'static str, &'static str)>,
    /// Whether the operator is wrong only in a model with one output, as if more outputs prevented a wrong fusion.
    fuses: bool,
    most_outputs: usize,
}

struct Loaded(Model);

impl Prepared for Loaded {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        let values = run(&self.0, inputs, |_, value| value)?;
        Ok(self.0.output_names().iter().map(|name| values[*name].clone()).collect())
    }
}

impl Backend for Wrong {
    fn identity(&self) -> Identity {
        let name = self.swap.map_or("right", |(_, to)| to).to_lowercase();
        Identity { name, version: "1".to_owned() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let outputs = model.output_names().len();
        if outputs > self.most_outputs {
            return Err(Refusal::unsupported(format!("{outputs} outputs are too many")));
        }
        let mut model = model.clone();
        for node in &mut model.proto.graph.as_mut().unwrap().node {
            if let Some((from, to)) = self.swap.filter(|_| !self.fuses || outputs == 1)
                && node.op_type.as_deref() == Some(from)
            {
                node.op_type = Some(to.to_owned());
            }
        }
        Ok(Box::new(Loaded(model)))
    }
}

fn traced_with(swap: Option<(&'static str, &'static str)>, fuses: bool, most_outputs: usize) -> Traced {
    let open = move || {
        let backend = Wrong { profile: Profile::default(), swap, fuses, most_outputs };
        Ok(Box::new(Local::new(Box::new(backend))) as Box<dyn Runner>)
    };
    let subject = Subject::start("wrong", Box::new(open)).unwrap();
    let x = [floats(&[-1.5, 0.0, 0.3, 2.0])];
    judge_backend(&subject, &model(CHAIN), &x, Duration::from_secs(10), &Effort::default()).unwrap()
}

/// Judges a backend that swaps an operator, or none, on a chain of 40 nodes whose values have 16 bytes each.
fn traced_in(effort: &Effort, swap: Option<(&'static str, &'static str)>) -> Traced {
    let open = move || {
        let backend = Wrong { profile: Profile::default(), swap, fuses: false, most_outputs: 100 };
        Ok(Box::new(Local::new(Box::new(backend))) as Box<dyn Runner>)
    };
    let subject = Subject::start("wrong", Box::new(open)).unwrap();
    let mut nodes = String::new();
    for at in 0..40 {
        let operator = if at == 30 { "Abs" } else { "Neg" };
        nodes += &format!("v{} = {operator} (v{at})\n", at + 1);
    }
    let text = format!("<ir_version: 8, opset_import: [\"\" : 17]>\ng (float[4] v0) => (float[4] v40) {{\n{nodes}}}");
    let x = [floats(&[-1.5, 0.5, 0.3, 2.0])];
    judge_backend(&subject, &model(&text), &x, Duration::from_secs(10), effort).unwrap()
}

#[test]
fn values_that_do_not_fit_into_memory_together_come_from_several_runs() {
    // Eight values of 16 bytes fit into a run.
    let small = Effort { memory_bytes: 8 * 8 * 16, keeps_values: false, ..Effort::default() };
    let right = traced_in(&small, None);
    assert!(right.is_accepted(), "{:?}", right.judgement.detail);
    assert!(right.runs > 4, "{}", right.runs);
    assert_eq!(right.values.keys().collect::<Vec<_>>(), ["v40"]);
    assert!(right.judgement.nodes.iter().all(|node| node.verdict() == Some(Verdict::Pass)));
    for effort in [small, Effort::default()] {
        let wrong = traced_in(&effort, Some(("Abs", "Relu")));
        assert_eq!(wrong.judgement.first_wrong().unwrap().node.index, 30);
        assert_eq!(wrong.judgement.nodes.iter().filter(|node| node.is_wrong()).count(), 1);
    }
}

#[test]
fn work_that_is_ended_is_not_complete() {
    let effort = Effort::default();
    effort.stop.raise();
    let traced = traced_in(&effort, Some(("Abs", "Relu")));
    assert_eq!(traced.judgement.verdict, Verdict::NotRun);
    // Nothing was asked for, so only the output of the model could have been judged.
    assert_eq!(traced.judgement.incomplete.map(|incomplete| incomplete.judged), Some(0));
}

#[test]
fn a_backend_is_judged_at_every_node() {
    let right = traced_with(None, false, 100);
    assert!(right.is_accepted(), "{:?}", right.judgement.detail);
    assert_eq!((right.runs, right.values.len(), right.omitted.len()), (1, 5, 0));
    let wrong = traced_with(Some(("Mul", "Div")), false, 100);
    assert!(!wrong.is_accepted());
    assert_eq!(wrong.judgement.first_wrong().unwrap().node.index, 2);
    let parting = part(&model(CHAIN), &right.values, &wrong.values).unwrap();
    assert_eq!((parting.node.index, parting.value.as_str()), (2, "c"));
    // A run does not differ from itself.
    assert_eq!(part(&model(CHAIN), &right.values, &right.values), None);
}

#[test]
fn a_backend_that_refuses_many_outputs_gets_them_in_halves() {
    let wrong = traced_with(Some(("Mul", "Div")), false, 2);
    // Four intermediate values are asked for: all of them in one run, each half, and each alone.
    assert_eq!((wrong.runs, wrong.values.len(), wrong.omitted.len()), (7, 5, 0));
    assert_eq!(wrong.judgement.first_wrong().unwrap().node.index, 2);
    let none = traced_with(Some(("Mul", "Div")), false, 1);
    assert_eq!((none.runs, none.values.len(), none.omitted.len()), (7, 1, 4));
    let first = none.judgement.first_wrong().unwrap();
    assert_eq!((first.node.index, first.together_with.len()), (4, 4), "no value inside the model is known");
}

#[test]
fn an_error_that_more_outputs_hide_is_found_and_reported() {
    let fused = traced_with(Some(("Mul", "Div")), true, 100);
    assert_eq!(fused.judgement.verdict, Verdict::Fail, "the unchanged model has a wrong output");
    assert_eq!(fused.changed_outputs, ["y"]);
    assert!(fused.judgement.first_wrong().is_none(), "every node is right by itself");
}

#[test]
fn a_backend_that_fails_on_the_model_may_answer_when_asked_for_more_outputs() {
    // Gemm cannot take the place of Mul here. The backend puts it there only in a model with one output, such as the
    // unchanged model.
    let failed = traced_with(Some(("Mul", "Gemm")), true, 100);
    assert_eq!((failed.judgement.verdict, failed.answered), (Verdict::Fail, false));
    assert_eq!((failed.judgement.nodes.len(), failed.values.len()), (5, 5));
    assert!(failed.judgement.first_wrong().is_none() && !failed.is_accepted());
}

#[test]
fn a_backend_that_refuses_the_model_is_not_accepted() {
    let refused = traced_with(None, false, 0);
    assert_eq!((refused.judgement.verdict, refused.is_accepted()), (Verdict::Unsupported, false));
    assert_eq!(refused.runs, 0);
}
