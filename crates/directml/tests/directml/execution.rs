//! Runs graphs on a device, with guard bytes around each tensor, and checks that forbidden writes of the device are
//! detected.

use plumbline_backend::{Backend, RefusalKind};
use plumbline_directml::backend::{DirectMlSoftware, run};
use plumbline_directml::execution::{ExecutionError, execute};
use plumbline_directml::software::{Device, DeviceError, SoftwareDevice};
use plumbline_directml::{Binding, Graph, GraphBuilder, OperatorDescription, TensorDescription};
use plumbline_spec::directml::FeatureLevel;
use plumbline_spec::directml::TensorDataType::Float32;
use plumbline_tensor::{DType, Tensor, Value};

use crate::common::model;

/// Returns a graph for (x - y) * x, where x has a gap between its rows.
fn graph() -> Graph {
    let rows = || TensorDescription::strided(Float32, [2, 3], [4, 1]);
    let packed = || TensorDescription::packed(Float32, [2, 3]);
    let mut graph = GraphBuilder::new();
    let x = graph.input("x", 0, rows());
    let y = graph.constant("y", TensorDescription::packed(Float32, [1]), 1f32.to_le_bytes());
    let all = TensorDescription::strided(Float32, [2, 3], [0, 0]);
    let less = graph.node("ELEMENT_WISE_SUBTRACT").input("ATensor", x, rows()).input("BTensor", y, all);
    let less = less.output("OutputTensor", rows()).add().unwrap();
    let product = graph.node("ELEMENT_WISE_MULTIPLY").input("ATensor", less, rows()).input("BTensor", x, rows());
    let product = product.output("OutputTensor", packed()).add().unwrap();
    graph.output("z", product, packed(), DType::Float, &[2, 3]).unwrap();
    graph.finish()
}

fn input() -> Value {
    Tensor::from_f32s(vec![7], &[1.0, 2.0, 3.0, f32::NAN, 4.0, 5.0, 6.0]).unwrap().into()
}

/// The fault of a device.
#[derive(Clone, Copy, Debug)]
enum Fault {
    None,
    BeforeOutput,
    BehindOutput,
    InInput,
    InGapOfOutput,
    InGapOfInput,
    Refuses,
}

struct Faulty(Fault);

impl Device for Faulty {
    fn feature_level(&self) -> FeatureLevel {
        FeatureLevel::LAST
    }

    fn dispatch(
        &self,
        description: &OperatorDescription,
        buffers: &mut [Vec<u8>],
        inputs: &[Option<Binding>],
        outputs: &[Option<Binding>],
    ) -> Result<(), DeviceError> {
        SoftwareDevice::new(FeatureLevel::LAST).dispatch(description, buffers, inputs, outputs)?;
        if description.name() != "ELEMENT_WISE_SUBTRACT" {
            return Ok(());
        }
        let (read, written) = (inputs[0].unwrap(), outputs[0].unwrap());
        let at = match self.0 {
            Fault::None => return Ok(()),
            Fault::BeforeOutput => written.offset - 1,
            Fault::BehindOutput | Fault::Refuses => written.offset + written.size_in_bytes,
            Fault::InInput => read.offset,
            Fault::InGapOfOutput => written.offset + 12,
            Fault::InGapOfInput => read.offset + 12,
        };
        buffers[0][at as usize] ^= 1;
        match self.0 {
            Fault::Refuses => Err(DeviceError::Invalid(Vec::new())),
            _ => Ok(()),
        }
    }
}

/// A device may write between the elements of an output. It must not write to any other place outside of the outputs.
#[test]
fn writes_outside_of_the_output_are_caught() {
    let right = vec![Value::from(Tensor::from_f32s(vec![2, 3], &[0.0, 2.0, 6.0, 12.0, 20.0, 30.0]).unwrap())];
    for fault in [Fault::None, Fault::InGapOfOutput] {
        assert_eq!(execute(&Faulty(fault), &graph(), &[input()]).as_ref(), Ok(&right), "{fault:?}");
    }
    for (fault, said) in [
        (Fault::BeforeOutput, "byte 1 before `0 ELEMENT_WISE_SUBTRACT.OutputTensor`"),
        (Fault::BehindOutput, "byte 0 after `0 ELEMENT_WISE_SUBTRACT.OutputTensor`"),
        (Fault::InInput, "byte 0 of input `x`"),
        (Fault::InGapOfInput, "byte 12 of input `x`"),
        (Fault::Refuses, "byte 0 of `0 ELEMENT_WISE_SUBTRACT.OutputTensor`"),
    ] {
        let done = execute(&Faulty(fault), &graph(), &[input()]);
        let Err(ExecutionError::Wrote { node, place }) = done else { panic!("{fault:?}: {done:?}") };
        assert_eq!((node.as_str(), place.as_str()), ("0 ELEMENT_WISE_SUBTRACT", said), "{fault:?}");
    }
}

#[test]
fn a_graph_is_validated_before_any_operator_runs() {
    let mut graph = graph();
    graph.intermediate_edges.clear();
    let done = execute(&SoftwareDevice::new(FeatureLevel::V3_0), &graph, &[input()]);
    assert!(matches!(&done, Err(ExecutionError::Graph(found)) if found.len() == 1), "{done:?}");
    let short = execute(&SoftwareDevice::new(FeatureLevel::V3_0), &self::graph(), &[Tensor::from_i64(1).into()]);
    assert!(matches!(short, Err(ExecutionError::Input { .. })));
}

#[test]
fn an_onnx_sum_runs_at_two_levels() {
    let cube = |count: usize| Value::from(Tensor::from_f32s(vec![1, 1, 1, count, 1, 1], &vec![-2.5; count]).unwrap());
    let f = "tensor(float)";
    let sum = model("Add", 14, &[f, f], f);
    let [old, new] = [FeatureLevel::V1_0, FeatureLevel::LAST].map(SoftwareDevice::new);
    let values = run(&new, &sum, &[cube(3), cube(1)]).unwrap();
    assert_eq!(values, [Tensor::from_f32s(vec![1, 1, 1, 3, 1, 1], &[-5.0; 3]).unwrap().into()]);
    assert_eq!(
        run(&old, &sum, &[cube(3), cube(1)]).unwrap(),
        values,
        "dimensions of size 1 are removed if the level allows only 4 dimensions"
    );
    let whole = "tensor(int64)";
    let sum = model("Add", 14, &[whole, whole], whole);
    let pair = [Value::from(Tensor::from_i64(1)), Value::from(Tensor::from_i64(2))];
    assert_eq!(run(&new, &sum, &pair).unwrap(), [Tensor::from_i64(3).into()]);
    let refused = run(&old, &sum, &pair).unwrap_err();
    assert_eq!(refused.kind, RefusalKind::Unsupported);
    assert!(refused.message.contains("INT64") && refused.message.contains("feature level 4_1 lifts"), "{refused}");
    let identity = DirectMlSoftware::new(FeatureLevel::V5_0).identity();
    assert_eq!(identity.to_string(), "directml-software 5_0");
}
