//! Tests of the software device. The results of the operators in `SAME` are compared with the oracle's answer for the
//! ONNX operator of the same meaning, for every element type of the support tables at the lowest and the highest rank.
//! Element types that a table forbids must be refused, and no memory outside of the output may be written.

use crate::common::untyped;
use plumbline_directml::minimal::{Block, blocks};
use plumbline_directml::software::{Device, DeviceError, SoftwareDevice};
use plumbline_directml::{Attribute, Binding, FieldValue, OperatorDescription, ScaleBias, TensorDescription};
use plumbline_oracle::{Judged, Oracle};
use plumbline_spec::directml::{FeatureLevel, TensorDataType};
use plumbline_tensor::{DType, Data, Tensor, Value};

/// Attributes: the name in DirectML, the name in ONNX, and a value.
type Known = &'static [(&'static str, &'static str, f32)];

/// DirectML operators with the ONNX operators of the same meaning.
const SAME: &[(&str, &str, Known)] = &[
    ("ELEMENT_WISE_ABS", "Abs", &[]),
    ("ELEMENT_WISE_ACOS", "Acos", &[]),
    ("ELEMENT_WISE_ACOSH", "Acosh", &[]),
    ("ELEMENT_WISE_ASIN", "Asin", &[]),
    ("ELEMENT_WISE_ASINH", "Asinh", &[]),
    ("ELEMENT_WISE_ATAN", "Atan", &[]),
    ("ELEMENT_WISE_ATANH", "Atanh", &[]),
    ("ELEMENT_WISE_BIT_NOT", "BitwiseNot", &[]),
    ("ELEMENT_WISE_CEIL", "Ceil", &[]),
    ("ELEMENT_WISE_COS", "Cos", &[]),
    ("ELEMENT_WISE_COSH", "Cosh", &[]),
    ("ELEMENT_WISE_ERF", "Erf", &[]),
    ("ELEMENT_WISE_EXP", "Exp", &[]),
    ("ELEMENT_WISE_FLOOR", "Floor", &[]),
    ("ELEMENT_WISE_IDENTITY", "Identity", &[]),
    ("ELEMENT_WISE_IS_INFINITY", "IsInf", &[]),
    ("ELEMENT_WISE_IS_NAN", "IsNaN", &[]),
    ("ELEMENT_WISE_LOG", "Log", &[]),
    ("ELEMENT_WISE_LOGICAL_NOT", "Not", &[]),
    ("ELEMENT_WISE_NEGATE", "Neg", &[]),
    ("ELEMENT_WISE_RECIP", "Reciprocal", &[]),
    ("ELEMENT_WISE_ROUND", "Round", &[]),
    ("ELEMENT_WISE_SIGN", "Sign", &[]),
    ("ELEMENT_WISE_SIN", "Sin", &[]),
    ("ELEMENT_WISE_SINH", "Sinh", &[]),
    ("ELEMENT_WISE_SQRT", "Sqrt", &[]),
    ("ELEMENT_WISE_TAN", "Tan", &[]),
    ("ELEMENT_WISE_TANH", "Tanh", &[]),
    ("ELEMENT_WISE_ADD", "Add", &[]),
    ("ELEMENT_WISE_BIT_AND", "BitwiseAnd", &[]),
    ("ELEMENT_WISE_BIT_OR", "BitwiseOr", &[]),
    ("ELEMENT_WISE_BIT_XOR", "BitwiseXor", &[]),
    ("ELEMENT_WISE_DIVIDE", "Div", &[]),
    ("ELEMENT_WISE_LOGICAL_AND", "And", &[]),
    ("ELEMENT_WISE_LOGICAL_EQUALS", "Equal", &[]),
    ("ELEMENT_WISE_LOGICAL_GREATER_THAN", "Greater", &[]),
    ("ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", "GreaterOrEqual", &[]),
    ("ELEMENT_WISE_LOGICAL_LESS_THAN", "Less", &[]),
    ("ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", "LessOrEqual", &[]),
    ("ELEMENT_WISE_LOGICAL_OR", "Or", &[]),
    ("ELEMENT_WISE_LOGICAL_XOR", "Xor", &[]),
    ("ELEMENT_WISE_MAX", "Max", &[]),
    ("ELEMENT_WISE_MIN", "Min", &[]),
    ("ELEMENT_WISE_MULTIPLY", "Mul", &[]),
    ("ELEMENT_WISE_SUBTRACT", "Sub", &[]),
    ("ACTIVATION_CELU", "Celu", &[("Alpha", "alpha", 0.75)]),
    ("ACTIVATION_ELU", "Elu", &[("Alpha", "alpha", 0.75)]),
    ("ACTIVATION_GELU", "Gelu", &[]),
    ("ACTIVATION_HARD_SIGMOID", "HardSigmoid", &[("Alpha", "alpha", 0.25), ("Beta", "beta", 0.5)]),
    ("ACTIVATION_IDENTITY", "Identity", &[]),
    ("ACTIVATION_LEAKY_RELU", "LeakyRelu", &[("Alpha", "alpha", 0.25)]),
    ("ACTIVATION_PARAMETERIZED_RELU", "PRelu", &[]),
    ("ACTIVATION_RELU", "Relu", &[]),
    ("ACTIVATION_SCALED_ELU", "Selu", &[("Alpha", "alpha", 1.5), ("Gamma", "gamma", 0.75)]),
    ("ACTIVATION_SHRINK", "Shrink", &[("Bias", "bias", 0.5), ("Threshold", "lambd", 1.0)]),
    ("ACTIVATION_SIGMOID", "Sigmoid", &[]),
    ("ACTIVATION_SOFTPLUS", "Softplus", &[]),
    ("ACTIVATION_SOFTSIGN", "Softsign", &[]),
    ("ACTIVATION_TANH", "Tanh", &[]),
    ("ACTIVATION_THRESHOLDED_RELU", "ThresholdedRelu", &[("Alpha", "alpha", 1.0)]),
];

/// The byte that fills a buffer before and after the tensor.
const GUARD: u8 = 0xa5;
const MARGIN: usize = 48;

fn dtype(data_type: TensorDataType) -> DType {
    DType::ALL.into_iter().find(|&d| d != DType::Bool && TensorDataType::of_onnx(d) == Some(data_type)).unwrap()
}

/// Returns the bytes of each element in order, from a buffer in which the tensor starts at `MARGIN`.
fn gathered(buffer: &[u8], tensor: &TensorDescription) -> Vec<u8> {
    let (size, strides) = (dtype(tensor.data_type).size(), tensor.effective_strides());
    places(tensor, &strides).into_iter().flat_map(|at| buffer[MARGIN + at * size..][..size].to_vec()).collect()
}

fn places(tensor: &TensorDescription, strides: &[u64]) -> Vec<usize> {
    let mut places = vec![0];
    for (&size, &stride) in tensor.sizes.iter().zip(strides) {
        places = places.iter().flat_map(|at| (0..size as usize).map(move |i| at + i * stride as usize)).collect();
    }
    places
}

/// Gives every tensor strides that leave gaps and reverse the order of the dimensions in memory. The second input gets
/// stride 0 in its first dimension.
fn strided(description: &mut OperatorDescription) {
    let names: Vec<&'static str> = description.operator().tensors().map(|field| field.name.as_str()).collect();
    for (at, name) in names.into_iter().enumerate() {
        let output = description.operator().outputs().any(|field| field.name == name);
        let Some(FieldValue::Tensor(tensor)) = description.get_mut(name) else { continue };
        let mut stride = 1 + at as u32;
        let mut strides = Vec::new();
        for &size in &tensor.sizes {
            strides.push(stride);
            stride = stride * size + 1;
        }
        if at == 1 && !output {
            strides[0] = 0;
        }
        *tensor = TensorDescription::strided(tensor.data_type, tensor.sizes.clone(), strides);
    }
}

/// Runs the operator of a description. The error says what the device did wrong.
fn run(device: &dyn Device, description: &OperatorDescription, onnx: &str) -> Result<(), String> {
    let inputs: Vec<TensorDescription> = description.inputs().into_iter().flatten().cloned().collect();
    let output = description.outputs()[0].unwrap().clone();
    let logical = ["And", "Or", "Xor", "Not"].contains(&onnx);
    let whole = |tensor: &TensorDescription| tensor.total_size_in_bytes as usize + 2 * MARGIN;
    let mut buffers = Vec::new();
    let mut operands = Vec::new();
    for (n, tensor) in inputs.iter().enumerate() {
        let kind = dtype(tensor.data_type);
        let mut buffer = vec![GUARD; whole(tensor)];
        for (i, at) in places(tensor, &tensor.effective_strides()).into_iter().enumerate() {
            let value = match (logical, kind.is_float()) {
                (true, _) => [0.0, 1.0][(i + n) % 2],
                (_, true) => [0.5, -1.25, 2.0, -0.0, 1.0, 0.25, -3.0][(i * (n + 1) + n) % 7],
                _ => [1.0, 3.0, 2.0, 7.0, 5.0][(i + 2 * n) % 5],
            };
            let one = Tensor::from_f64s(kind, vec![1], &[value]).unwrap();
            let Data::Bytes(bytes) = one.data() else { unreachable!() };
            buffer[MARGIN + at * kind.size()..][..kind.size()].copy_from_slice(bytes);
        }
        let shape: Vec<usize> = tensor.sizes.iter().map(|&size| size as usize).collect();
        let bytes = gathered(&buffer, tensor);
        operands.push(match logical {
            true => {
                let truths = bytes.chunks(kind.size()).map(|element| u8::from(element.iter().any(|&byte| byte != 0)));
                Tensor::new(DType::Bool, shape, Data::Bytes(truths.collect())).unwrap()
            }
            false => Tensor::new(kind, shape, Data::Bytes(bytes.into())).unwrap(),
        });
        buffers.push(buffer);
    }
    buffers.push(vec![GUARD; whole(&output)]);
    let bind = |(buffer, tensor): (usize, &TensorDescription)| {
        Some(Binding { buffer, offset: MARGIN as u64, size_in_bytes: tensor.total_size_in_bytes })
    };
    let bound: Vec<_> = inputs.iter().enumerate().map(bind).collect();
    let before = buffers.clone();
    let done = device.dispatch(description, &mut buffers, &bound, &[bind((inputs.len(), &output))]);
    done.map_err(|error| error.to_string())?;
    let last = inputs.len();
    let end = MARGIN + output.total_size_in_bytes as usize;
    if buffers[..last] != before[..last]
        || buffers[last][..MARGIN] != before[last][..MARGIN]
        || buffers[last][end..] != before[last][end..]
    {
        return Err("the device writes outside of its output".to_owned());
    }
    let bytes = gathered(&buffers[last], &output);
    let kind = dtype(output.data_type);
    let truths =
        logical || onnx.starts_with("Is") || ["Equal", "Less", "Greater"].iter().any(|name| onnx.starts_with(name));
    let (kind, bytes) = match truths {
        true => (DType::Bool, bytes.chunks(kind.size()).map(|element| element[0]).collect()),
        false => (kind, bytes),
    };
    let shape: Vec<usize> = output.sizes.iter().map(|&size| size as usize).collect();
    let answer = Tensor::new(kind, shape, Data::Bytes(bytes.into())).map_err(|error| error.to_string())?;
    accepted(onnx, &operands, &answer)
}

/// Judges a result with the oracle. If ONNX's operator does not support the type, the oracle computes in float32 or
/// int64.
fn accepted(onnx: &str, operands: &[Tensor], answer: &Tensor) -> Result<(), String> {
    let model = untyped(onnx, 24, operands.len(), 1);
    let values: Vec<Value> = operands.iter().cloned().map(Value::from).collect();
    if let Ok(expected) = Oracle::default().answer(&model, &values) {
        let expected = expected[0].tensor().unwrap().clone();
        return match (0..expected.len()).find(|&i| expected.judge(answer, i) != Judged::Accepted) {
            Some(at) => Err(format!("element {at} is wrong: the answer is {answer:?} for {operands:?}")),
            None => Ok(()),
        };
    }
    let wide = |tensor: &Tensor| {
        let kind = if tensor.dtype().is_float() { DType::Float } else { DType::Int64 };
        let numbers: Vec<f64> = (0..tensor.len()).map(|at| tensor.f64_at(at)).collect();
        Value::from(Tensor::from_f64s(kind, tensor.shape().to_vec(), &numbers).unwrap())
    };
    let values: Vec<Value> = operands.iter().map(wide).collect();
    let answer_of_wide = Oracle::default().answer(&model, &values).map_err(|error| error.to_string())?;
    let expected = answer_of_wide.first().ok_or("the oracle gives no output")?.to_value();
    let Value::Tensor(expected) = expected else {
        return Err("the oracle gives a value that is not a tensor".to_owned());
    };
    // The distance between a float16 number and its neighbour is at most 2^-10 times the number, or 2^-24 for
    // subnormal numbers.
    let close = |at: usize| {
        let (found, wanted) = (answer.f64_at(at), expected.f64_at(at));
        let slack = if answer.dtype().is_float() { (wanted.abs() / 1024.0).max(1.0 / 16_777_216.0) } else { 0.0 };
        found == wanted || found.is_nan() && wanted.is_nan() || (found - wanted).abs() <= slack
    };
    match (0..answer.len()).find(|&at| !close(at)) {
        Some(at) => Err(format!("element {at} is wrong: the answer is {answer:?} for {operands:?}")),
        None => Ok(()),
    }
}

/// Returns the ONNX operator with its attributes, in ONNX's text syntax.
fn node(onnx: &str, known: &[(&str, &str, f32)]) -> String {
    let attributes: Vec<String> = known.iter().map(|(_, name, value)| format!("{name} = {value:?}")).collect();
    if attributes.is_empty() { onnx.to_owned() } else { format!("{onnx} <{}>", attributes.join(", ")) }
}

fn with_attributes(description: &mut OperatorDescription, known: &[(&str, &str, f32)]) {
    for (name, _, value) in known {
        *description.get_mut(name).unwrap() = FieldValue::Attribute(Attribute::Float(*value));
    }
}

fn blocks_of(name: &str) -> impl Iterator<Item = Block> {
    blocks().filter(move |entry| entry.operator.short_name() == name)
}

#[test]
fn every_cell_gives_the_right_answer_or_is_refused() {
    let (mut right, mut refused, mut not_in_onnx) = (0, 0, Vec::new());
    for (name, onnx, known) in SAME {
        for entry in blocks_of(name) {
            let device = SoftwareDevice::new(entry.level);
            for row in &entry.block.tensors {
                for data_type in TensorDataType::ALL {
                    for count in [row.dimension_counts.min, row.dimension_counts.max] {
                        if row.allows(data_type) != Some(true) {
                            let found =
                                entry.block.tensors[0].data_types.as_ref().and_then(|types| types.first()).unwrap();
                            let mut description =
                                entry.description(&entry.block.tensors[0].name, *found, count).unwrap();
                            let wrong = TensorDescription::packed(data_type, vec![2; count as usize]);
                            *description.get_mut(&row.name).unwrap() = FieldValue::Tensor(wrong);
                            let bound = |many: usize| vec![None; many];
                            let (inputs, outputs) = (bound(description.inputs().len()), bound(1));
                            let error = device.dispatch(&description, &mut [], &inputs, &outputs).unwrap_err();
                            let DeviceError::Invalid(found) = error else { panic!("{error}") };
                            assert!(found.iter().any(|found| found.field == row.name), "{found:?}");
                            refused += 1;
                            continue;
                        }
                        let Some(mut description) = entry.description(&row.name, data_type, count) else { continue };
                        with_attributes(&mut description, known);
                        for gaps in [false, true] {
                            if gaps {
                                strided(&mut description);
                            }
                            match run(&device, &description, &node(onnx, known)) {
                                Ok(()) => right += 1,
                                // ONNX's bitwise operators do not take floats. Those of DirectML do; `exercise` tests
                                // them with floats.
                                Err(said) if said.contains("does not take") => {
                                    not_in_onnx.push(format!("{name} {} {data_type}", row.name));
                                }
                                Err(said) => {
                                    panic!("{name} at {}: {} {data_type} {count}: {said}", entry.level, row.name)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    not_in_onnx.sort();
    not_in_onnx.dedup();
    println!("{right} answered correctly, {refused} rejected, not in ONNX: {not_in_onnx:?}");
    assert!(right > 2_000 && refused > 2_000, "only {right} answered correctly and {refused} rejected");
}

/// A device that writes one byte too many.
struct Overrunning(SoftwareDevice);

/// A device that treats every tensor as packed.
struct Unstrided(SoftwareDevice);

impl Device for Overrunning {
    fn feature_level(&self) -> FeatureLevel {
        self.0.feature_level()
    }

    fn dispatch(
        &self,
        description: &OperatorDescription,
        buffers: &mut [Vec<u8>],
        inputs: &[Option<Binding>],
        outputs: &[Option<Binding>],
    ) -> Result<(), DeviceError> {
        self.0.dispatch(description, buffers, inputs, outputs)?;
        let out = outputs[0].unwrap();
        buffers[out.buffer][(out.offset + out.size_in_bytes) as usize] ^= 1;
        Ok(())
    }
}

impl Device for Unstrided {
    fn feature_level(&self) -> FeatureLevel {
        self.0.feature_level()
    }

    fn dispatch(
        &self,
        description: &OperatorDescription,
        buffers: &mut [Vec<u8>],
        inputs: &[Option<Binding>],
        outputs: &[Option<Binding>],
    ) -> Result<(), DeviceError> {
        let mut packed = description.clone();
        for name in description.operator().tensors().map(|field| field.name.as_str()) {
            if let Some(FieldValue::Tensor(tensor)) = packed.get_mut(name) {
                tensor.strides = None;
            }
        }
        self.0.dispatch(&packed, buffers, inputs, outputs)
    }
}

/// Checks that the tests detect incorrect devices.
#[test]
fn wrong_devices_are_caught() {
    let entry = blocks_of("ELEMENT_WISE_SUBTRACT").find(|entry| entry.level == FeatureLevel::V3_0).unwrap();
    let mut description = entry.description("ATensor", TensorDataType::Float32, 3).unwrap();
    strided(&mut description);
    let device = SoftwareDevice::new(FeatureLevel::LAST);
    let run = |device: &dyn Device| run(device, &description, "Sub");
    assert_eq!(run(&device), Ok(()));
    assert_eq!(run(&Overrunning(device)), Err("the device writes outside of its output".to_owned()));
    assert!(run(&Unstrided(device)).is_err());
}

#[test]
fn a_missing_kernel_is_reported_as_not_there() {
    // The device cannot scale integers, because the documentation does not say in which type to compute the scaling.
    let entry = blocks_of("ELEMENT_WISE_ABS").last().unwrap();
    let entry = Block { level: FeatureLevel::LAST, ..entry };
    let mut description = entry.description("InputTensor", TensorDataType::Float32, 4).unwrap();
    for field in ["InputTensor", "OutputTensor"] {
        let tensor = TensorDescription::packed(TensorDataType::Int32, [2, 2, 2, 2]);
        *description.get_mut(field).unwrap() = FieldValue::Tensor(tensor);
    }
    let scaled = Attribute::ScaleBias(ScaleBias { scale: 2.0, bias: 0.0 });
    *description.get_mut("ScaleBias").unwrap() = FieldValue::Attribute(scaled);
    let bind = |tensor: Option<&TensorDescription>| {
        tensor.map(|tensor| Binding { buffer: 0, offset: 0, size_in_bytes: tensor.total_size_in_bytes })
    };
    let inputs: Vec<_> = description.inputs().into_iter().map(bind).collect();
    let outputs: Vec<_> = description.outputs().into_iter().map(bind).collect();
    let done = SoftwareDevice::new(FeatureLevel::LAST).dispatch(&description, &mut [vec![0; 64]], &inputs, &outputs);
    assert!(matches!(done, Err(DeviceError::NotThere(_))), "{done:?}");
}
