//! Each deviation that is planted into a backend is found by the probes, and none is found without one.

use std::time::Duration;

use plumbline_backend::{Backend, Local, Overlay, Profile};
use plumbline_conformance::FailKind;
use plumbline_conformance::probing::{Deviation, FunctionError, Time, declared, probe, sweep};
use plumbline_oracle::Arithmetic;
use plumbline_spec::{Doubles, Products};
use plumbline_tensor::{DType, FloatFormat, Model, Tensor, Value};

use crate::common::run_on;
use crate::twisted::Twisted;

const TIME: Time = Time { model: Duration::from_secs(10), until: None };

/// Changes each element of the tensors of floats among some values. `f` gets the type, all elements and one of them.
fn changed(values: &[Value], f: impl Fn(DType, &[f64], f64) -> f64) -> Vec<Value> {
    let change = |value: &Value| match value {
        Value::Tensor(t) if t.dtype().is_float() => {
            let all = t.to_f64s();
            let elements: Vec<f64> = all.iter().map(|x| f(t.dtype(), &all, *x)).collect();
            Value::Tensor(Tensor::from_f64s(t.dtype(), t.shape().to_vec(), &elements).unwrap())
        }
        other => other.clone(),
    };
    values.iter().map(change).collect()
}

/// The operators of a model.
fn has(model: &Model, operators: &[&str]) -> bool {
    model.graph().node.iter().any(|node| operators.contains(&node.op_type.as_deref().unwrap_or("")))
}

fn rounded(format: &FloatFormat, x: f64) -> f64 {
    format.nearest(x)
}

/// The oracle with changed inputs and outputs.
fn twisted(
    input: impl Fn(&Model, DType, &[f64], f64) -> f64 + Clone + Send + Sync + 'static,
    output: impl Fn(&Model, DType, &[f64], f64) -> f64 + Clone + Send + Sync + 'static,
) -> Box<dyn Backend> {
    twisted_with(Profile::default(), input, output)
}

/// The same with a profile.
fn twisted_with(
    profile: Profile,
    input: impl Fn(&Model, DType, &[f64], f64) -> f64 + Clone + Send + Sync + 'static,
    output: impl Fn(&Model, DType, &[f64], f64) -> f64 + Clone + Send + Sync + 'static,
) -> Box<dyn Backend> {
    Twisted::boxed(profile, move |model| {
        let (model, input, output) = (model.clone(), input.clone(), output.clone());
        Box::new(move |inner, inputs| {
            let inputs = changed(inputs, |dtype, all, x| input(&model, dtype, all, x));
            Ok(changed(&inner.run(&inputs)?, |dtype, all, x| output(&model, dtype, all, x)))
        })
    })
}

fn found(backend: Box<dyn Backend>) -> Vec<Deviation> {
    let mut found: Vec<Deviation> =
        probe(&mut Local::new(backend), TIME, &mut |_| {}).iter().filter_map(|row| row.deviation).collect();
    found.dedup();
    found
}

fn same(_: &Model, _: DType, _: &[f64], x: f64) -> f64 {
    x
}

const PRODUCTS: [&str; 3] = ["MatMul", "Gemm", "Conv"];

fn products_in(format: &'static FloatFormat, profile: Profile) -> Box<dyn Backend> {
    let narrow = move |model: &Model, dtype: DType, _: &[f64], x: f64| match dtype {
        DType::Float if has(model, &PRODUCTS) => rounded(format, x),
        _ => x,
    };
    twisted_with(profile, narrow, same)
}

/// Double in float. Numbers beyond the range of float stay as they are: the profile excuses no NaN that a formula makes
/// of their overflow.
fn in_float(profile: Profile) -> Box<dyn Backend> {
    let narrow = |_: &Model, dtype: DType, _: &[f64], x: f64| match f64::from(x as f32) {
        y if dtype == DType::Double && (y.is_finite() || !x.is_finite()) => y,
        _ => x,
    };
    twisted_with(profile, narrow, narrow)
}

#[test]
fn a_backend_without_deviations_has_none() {
    assert_eq!(found(twisted(same, same)), []);
}

#[test]
fn planted_deviations_are_found_and_named() {
    let flushed = |_: &Model, dtype: DType, _: &[f64], x: f64| {
        if x.abs() < dtype.float_format().unwrap().min_normal() { 0.0 } else { x }
    };
    let [float, double, half] = [DType::Float, DType::Double, DType::Float16];
    let inputs = [float, double, half].map(Deviation::FlushesInputs);
    assert_eq!(found(twisted(flushed, same)), inputs);
    assert_eq!(found(twisted(same, flushed)), [float, double, half].map(Deviation::FlushesResults));

    for (format, arithmetic) in [
        (FloatFormat::tf32(), Arithmetic::ProductsInTf32),
        (FloatFormat::for_dtype(DType::Bfloat16).unwrap(), Arithmetic::ProductsInBfloat16),
        (FloatFormat::for_dtype(DType::Float16).unwrap(), Arithmetic::ProductsInFloat16),
    ] {
        let found = found(products_in(format, Profile::default()));
        assert!(found.contains(&Deviation::Products(arithmetic)), "{arithmetic:?}: {found:?}");
        assert_eq!(found.iter().filter(|d| matches!(d, Deviation::Products(_))).count(), 1, "{found:?}");
    }

    let quantized = |model: &Model, dtype: DType, all: &[f64], x: f64| {
        let scale = all.iter().fold(0f64, |most, x| most.max(x.abs())) / 127.0;
        if dtype == DType::Float && has(model, &PRODUCTS) && scale > 0.0 { (x / scale).round() * scale } else { x }
    };
    assert!(found(twisted(quantized, same)).contains(&Deviation::QuantizedProducts));

    // Small numbers of double are zeros in float, and that is no flushing of subnormal numbers.
    assert_eq!(found(in_float(Profile::default())), [Deviation::DoubleAsFloat]);
    let exp_in_float = |model: &Model, dtype: DType, _: &[f64], x: f64| {
        if dtype == DType::Double && has(model, &["Exp"]) { f64::from(x as f32) } else { x }
    };
    assert_eq!(found(twisted(same, exp_in_float)), [Deviation::SomeDoubleAsFloat]);

    let no_nan = |_: &Model, _: DType, _: &[f64], x: f64| if x.is_nan() { 0.0 } else { x };
    assert_eq!(found(twisted(same, no_nan)), [Deviation::Special]);
}

#[test]
fn sums_in_float16_are_found() {
    let sequential = |model: &Model| {
        let is_sum = has(model, &["ReduceSum", "MatMul"]);
        let half = FloatFormat::for_dtype(DType::Float16).unwrap();
        move |inputs: &[Value]| {
            let Some(Value::Tensor(x)) = inputs.first() else { return None };
            let sum = x.to_f64s().iter().fold(0.0, |sum, x| rounded(half, sum + x));
            let is_meant = is_sum && x.dtype() == DType::Float16;
            is_meant.then(|| vec![Value::Tensor(Tensor::from_f64s(DType::Float16, vec![1, 1], &[sum]).unwrap())])
        }
    };
    let backend = Twisted::boxed(Profile::default(), move |model| {
        let sum = sequential(model);
        Box::new(move |inner, inputs| sum(inputs).map_or_else(|| inner.run(inputs), Ok))
    });
    assert_eq!(found(backend), [Deviation::SumsInType]);
}

#[test]
fn answers_that_do_not_repeat_and_unchecked_indices_are_found() {
    use std::sync::atomic::{AtomicU64, Ordering};
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let backend = Twisted::boxed(Profile::default(), move |model| {
        let (is_sum, is_gather) = (has(model, &["ReduceSum"]), has(model, &["Gather", "GatherElements"]));
        Box::new(move |inner, inputs| {
            let factor = if is_sum { 1.0 + 1e-3 * (RUNS.fetch_add(1, Ordering::Relaxed) % 2) as f64 } else { 1.0 };
            let answer = inner.run(inputs);
            match answer {
                Err(_) if is_gather => {
                    Ok(vec![Value::Tensor(Tensor::from_f64s(DType::Float, vec![1], &[0.0]).unwrap())])
                }
                answer => Ok(changed(&answer?, |dtype, _, x| if dtype == DType::Float { x * factor } else { x })),
            }
        })
    });
    let found = found(backend);
    assert!(found.contains(&Deviation::Unrepeatable) && found.contains(&Deviation::UncheckedValues), "{found:?}");
}

#[test]
fn the_largest_error_of_a_function_and_its_place_are_found() {
    let off = |model: &Model, dtype: DType, _: &[f64], y: f64| {
        let format = dtype.float_format().unwrap();
        if has(model, &["Exp"]) && y > 5.0 && y < 8.0 { y + 9.0 * format.ulp(y) } else { y }
    };
    let mut runner = Local::new(twisted(same, off));
    let errors = sweep(&mut runner, TIME, 1 << 12, &mut |_| {});
    let of = |operator: &str, dtype: DType| {
        errors.iter().find(|e: &&FunctionError| e.operator == operator && e.dtype == dtype).unwrap()
    };
    let exp = of("Exp", DType::Float16);
    assert!((9.0..10.0).contains(&exp.ulp) && exp.at > 1.6 && exp.at < 2.1, "{exp:?}");
    assert!(of("Exp", DType::Float).ulp > 8.5 && of("Tanh", DType::Float16).ulp <= 0.5);
}

/// Returns the profile that declares what the probes find of a backend, written as TOML and read again.
fn profile_of(backend: Box<dyn Backend>) -> Profile {
    let identity = backend.identity();
    let mut runner = Local::new(backend);
    let rows = probe(&mut runner, TIME, &mut |_| {});
    let found = declared(&Profile::default(), &rows, &[]);
    let read = Overlay::parse(&found.to_toml(&identity, &rows)).unwrap().over(&Profile::default());
    assert_eq!(read, found.profile);
    read
}

/// Asserts that a backend fails without the profile that is measured, and conforms with it.
fn conforms_as_measured(
    operators: &[&str],
    backend: impl Fn(Profile) -> Box<dyn Backend> + Send + Sync + Copy + 'static,
) {
    let (before, results, _) = run_on(operators, move || backend(Profile::default()), &[]);
    let inaccurate = results.iter().filter(|r| r.kind == Some(FailKind::Inaccurate)).count();
    assert!(before.unexpected_count > 0 && inaccurate > 0, "{operators:?}: {inaccurate} inaccurate");
    let profile = profile_of(backend(Profile::default()));
    let (after, results, _) = run_on(operators, move || backend(profile.clone()), &[]);
    let bad: Vec<_> = results.iter().filter(|r| r.verdict.is_bad()).collect();
    assert_eq!((after.unexpected_count, after.cases), (0, before.cases), "{operators:?}: {bad:#?}");
}

#[test]
fn a_backend_conforms_by_the_profile_that_is_measured() {
    conforms_as_measured(&["MatMul"], |profile| products_in(FloatFormat::tf32(), profile));
    conforms_as_measured(&["MatMul"], |profile| products_in(FloatFormat::for_dtype(DType::Bfloat16).unwrap(), profile));
    conforms_as_measured(&["MatMul"], |profile| products_in(FloatFormat::for_dtype(DType::Float16).unwrap(), profile));
    conforms_as_measured(&["Softmax"], in_float);
}

/// An answer with its elements in another order.
#[test]
fn a_declared_arithmetic_excuses_no_other_element() {
    let rotated = |value: &Value| match value {
        Value::Tensor(t) if t.len() > 1 => {
            let bits: Vec<u64> = (0..t.len()).map(|index| t.bits_at((index + 1) % t.len())).collect();
            Value::Tensor(Tensor::from_bits(t.dtype(), t.shape().to_vec(), bits.into_iter()).unwrap())
        }
        other => other.clone(),
    };
    let profile = Profile { products: Products::Float16, double: Doubles::Float, ..Profile::default() };
    let backend = move || {
        Twisted::boxed(profile.clone(), move |_| {
            Box::new(move |inner, inputs| Ok(inner.run(inputs)?.iter().map(rotated).collect()))
        })
    };
    let (outcome, results, _) = run_on(&["MatMul", "Softmax"], backend, &[]);
    for dtype in ["MatMul-13/T=float/", "MatMul-13/T=double/", "Softmax-13/T=double/"] {
        let of_type: Vec<_> = results.iter().filter(|r| r.case.starts_with(dtype)).collect();
        let wrong = of_type.iter().filter(|r| r.kind == Some(FailKind::WrongValue)).count();
        assert!(wrong * 2 > of_type.len(), "{dtype}: {wrong} of {}", of_type.len());
    }
    assert!(outcome.unexpected_count > 0);
}
