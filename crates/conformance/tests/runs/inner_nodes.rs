//! A node that is wrong wherever it is, also inside of an `If`, a `Loop` or a `Scan`: the result is that of the node.

use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_conformance::graphs::Start;
use plumbline_conformance::{CaseResult, Minimization, Run, Settings, Work};
use plumbline_executor::OracleBackend;
use plumbline_generator::cells;
use plumbline_graph::Refusal;
use plumbline_tensor::Model;
use plumbline_tensor::onnx::{FunctionProto, GraphProto, NodeProto};

use crate::common::{Silent, local, new_folder, results};

/// Computes `Abs` for `Neg`.
struct WrongNeg(OracleBackend);

impl Backend for WrongNeg {
    fn identity(&self) -> Identity {
        Identity { name: "wrong-neg".to_owned(), version: "1".to_owned() }
    }

    fn profile(&self) -> &Profile {
        self.0.profile()
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let mut model = model.clone();
        let proto = &mut model.proto;
        proto.graph.iter_mut().for_each(replace);
        proto.functions.iter_mut().flat_map(|FunctionProto { node, .. }| node).for_each(replace_node);
        self.0.prepare(&model)
    }
}

fn replace(graph: &mut GraphProto) {
    graph.node.iter_mut().for_each(replace_node);
}

fn replace_node(node: &mut NodeProto) {
    if node.op_type.as_deref() == Some("Neg") {
        node.op_type = Some("Abs".to_owned());
    }
    node.attribute.iter_mut().filter_map(|attribute| attribute.g.as_deref_mut()).for_each(replace);
}

#[test]
fn a_wrong_node_inside_of_another_node_is_named() {
    let neg = |cell: &plumbline_generator::Cell| cell.version.id.to_string() == "Neg-13";
    let starts: Vec<Start> = cells().into_iter().filter(neg).filter_map(Start::of_cell).collect();
    let settings = Settings { cases: 60, out: new_folder(), minimization: Minimization::Off, ..Settings::default() };
    let subjects = [local("wrong-neg", || Box::new(WrongNeg(OracleBackend::default())))];
    let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent };
    let outcome = run.run(starts.into_iter().map(Work::Graphs).collect()).unwrap();
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    let rows = results(&settings.out);
    let failed: Vec<&CaseResult> = rows.iter().filter(|row| row.verdict.is_bad()).collect();
    let others: Vec<_> = failed.iter().filter(|row| row.op != "Neg").map(|row| (&row.case, &row.op)).collect();
    assert!(failed.len() > 200, "{} of {} graphs fail", failed.len(), rows.len());
    assert!(others.is_empty(), "{} of {}: {others:?}", others.len(), failed.len());
}
