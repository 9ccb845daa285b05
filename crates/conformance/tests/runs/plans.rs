//! A setting that breaks what a session does in its second run: the result names the setting, as it names a pass.

use std::sync::Arc;

use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_conformance::graphs::{Pattern, Start};
use plumbline_conformance::{CaseResult, Minimization, Optimizer, Run, Settings, Work};
use plumbline_executor::OracleBackend;
use plumbline_graph::Refusal;
use plumbline_tensor::{Model, Tensor, Value};

use crate::common::{Silent, local, new_folder, results};

const SETTING: &str = "memory_pattern=on";

/// The oracle with a plan for memory, after whose first run each output begins with the element of another value.
struct Planning {
    plans: bool,
    inner: OracleBackend,
}

impl Backend for Planning {
    fn identity(&self) -> Identity {
        Identity { name: "planning".to_owned(), version: "1".to_owned() }
    }

    fn profile(&self) -> &Profile {
        self.inner.profile()
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let plans = self.plans && model.graph().node.len() > 1;
        Ok(Box::new(Planned { plans, runs: 0, inner: self.inner.prepare(model)? }))
    }
}

struct Planned {
    plans: bool,
    runs: usize,
    inner: Box<dyn Prepared>,
}

impl Prepared for Planned {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        let values = self.inner.run(inputs)?;
        self.runs += 1;
        if !self.plans || self.runs == 1 {
            return Ok(values);
        }
        Ok(values.into_iter().map(overwritten).collect())
    }
}

/// Flips the highest bit of the first element.
fn overwritten(value: Value) -> Value {
    let Some(tensor) = value.as_tensor().filter(|tensor| (1..=8).contains(&tensor.dtype().size())) else {
        return value;
    };
    let high = 1 << (8 * tensor.dtype().size() - 2);
    let bits = (0..tensor.len()).map(|at| tensor.bits_at(at) ^ if at == 0 { high } else { 0 });
    Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bits).map_or(value.clone(), Value::Tensor)
}

#[test]
fn a_setting_is_named_if_only_the_second_run_shows_what_it_breaks() {
    let planning =
        |plans: bool| local("planning", move || Box::new(Planning { plans, inner: OracleBackend::default() }));
    let mut subject = planning(true);
    // The last of several that help is named: a search without the second run would name the other one.
    let passes = vec![SETTING.to_owned(), "last".to_owned()];
    let is_left_out = |passes: &[&str]| passes.is_empty() || passes.contains(&SETTING);
    subject.optimizer = Some(Arc::new(Optimizer::new(passes, move |passes| Ok(planning(!is_left_out(passes))))));
    let subjects = [subject];
    let settings = Settings { cases: 60, out: new_folder(), jobs: 1, ..Settings::default() };
    let settings = Settings { minimization: Minimization::Off, ..settings };
    let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent };
    let start = Start::Pattern(Pattern::find("relu-clip").unwrap());
    run.run(vec![Work::Graphs(start)]).unwrap();
    let rows = results(&settings.out);
    let failed: Vec<&CaseResult> = rows.iter().filter(|row| row.verdict.is_bad()).collect();
    assert!(failed.len() >= 5, "{} of {} graphs fail", failed.len(), rows.len());
    for row in failed {
        let passes = row.optimizer.as_ref().map(|fault| fault.passes.as_slice());
        assert_eq!((row.op.as_str(), passes), ("graph", Some([SETTING.to_owned()].as_slice())), "{row:#?}");
    }
}
