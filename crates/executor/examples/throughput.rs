//! Measures how many different models of one node a backend runs per second through a worker.
//!
//! `cargo run --release -p plumbline-executor --features rten,onnxruntime --example throughput -- rten onnxruntime`

use std::time::{Duration, Instant};

use plumbline_executor::{Job, Observation, Options, Registry, Runner};
use plumbline_tensor::{DType, Model, Tensor, Value, ValueKind, onnx};

const CASES: usize = 5000;

/// Returns a model that computes `y = a + b` in float32. The name of the node contains `index`, so that no two models
/// are equal.
fn add(index: usize) -> Model {
    let value = |name: &str| onnx::ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(ValueKind::Tensor(DType::Float).to_proto()),
        ..Default::default()
    };
    let node = onnx::NodeProto {
        op_type: Some("Add".to_owned()),
        name: Some(format!("node {index}")),
        input: vec!["a".to_owned(), "b".to_owned()],
        output: vec!["y".to_owned()],
        ..Default::default()
    };
    let graph = onnx::GraphProto {
        name: Some("add".to_owned()),
        node: vec![node],
        input: vec![value("a"), value("b")],
        output: vec![value("y")],
        ..Default::default()
    };
    Model {
        proto: onnx::ModelProto {
            ir_version: Some(8),
            graph: Some(graph),
            opset_import: vec![onnx::OperatorSetIdProto { domain: None, version: Some(14) }],
            ..Default::default()
        },
    }
}

fn measure(name: &str, runner: &mut dyn Runner) -> Result<(), Box<dyn std::error::Error>> {
    let models: Vec<Model> = (0..CASES).map(add).collect();
    let elements: Vec<f32> = (0..6).map(|i| i as f32).collect();
    let tensor = Value::Tensor(Tensor::from_f32s(vec![2, 3], &elements)?);
    let inputs = [tensor.clone(), tensor];
    let jobs: Vec<Job<'_>> = models.iter().map(|model| Job::new(model, &inputs)).collect();
    let deadline = Duration::from_secs(10);
    runner.run_batch(&jobs[..100], deadline);

    let start = Instant::now();
    let seen = runner.run_batch(&jobs, deadline);
    let batched = CASES as f64 / start.elapsed().as_secs_f64();
    let mut inside = 0.0;
    for observation in &seen {
        match observation {
            Observation::Outputs { seconds, .. } => inside += seconds,
            other => return Err(format!("{name}: {other:?}").into()),
        }
    }
    let start = Instant::now();
    for job in &jobs[..1000] {
        runner.run(job.model, job.inputs, deadline);
    }
    let alone = 1000.0 / start.elapsed().as_secs_f64();
    let microseconds = inside / CASES as f64 * 1e6;
    println!(
        "{name:22} {batched:8.0} cases/s in one batch, {alone:8.0} cases/s one at a time; {microseconds:6.1} us in the \
         backend"
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::new(Options::default());
    if let Some(served) = registry.serve_if_asked(std::env::args_os().skip(1)) {
        return Ok(served?);
    }
    for name in std::env::args().skip(1) {
        measure(&name, registry.start(&name)?.as_mut())?;
        measure(&format!("{name} x2"), &mut registry.start_pool(&name, 2)?)?;
        let start = Instant::now();
        drop(registry.start(&name)?);
        println!("{name:22} {:8.1} ms to start a worker and to end it", start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}
