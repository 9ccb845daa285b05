//! Backends that are right for small shapes and wrong in the code for large ones: the large cases catch each of them,
//! and the usual cases of the same cell catch none.

use std::path::Path;
use std::time::Duration;

use plumbline_backend::{Backend, Profile};
use plumbline_conformance::{
    Budget, CaseResult, FailKind, Outcome, PreparedCase, Verdict, Work, examine_one, right, smaller, write_failure,
};
use plumbline_generator::{Cell, cells};
use plumbline_oracle::Oracle;
use plumbline_tensor::{DType, Model, Tensor, Value};

use crate::common::{elements, local, new_folder, run_work};
use crate::twisted::Twisted;

/// Changes the inputs and then the oracle's answer. The first argument is the model, the others are the inputs and
/// outputs.
type Wrong = fn(&Model, &[Value], Vec<Value>) -> Vec<Value>;
/// Changes the inputs before the oracle gets them.
type Misread = fn(&Model, &[Value]) -> Vec<Value>;

fn cell(name: &str) -> Cell {
    cells().into_iter().find(|cell| cell.to_string() == name).unwrap()
}

fn backend(wrong: Wrong, misread: Misread) -> Box<dyn Backend> {
    Twisted::boxed(Profile::default(), move |model| {
        let model = model.clone();
        Box::new(move |inner, inputs| {
            let seen = misread(&model, inputs);
            Ok(wrong(&model, inputs, inner.run(&seen)?))
        })
    })
}

fn run(work: Work, cases: u64, wrong: Wrong, misread: Misread) -> (Outcome, Vec<CaseResult>) {
    let (outcome, results, _) = run_work(vec![work], cases, move || backend(wrong, misread), &[]);
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    (outcome, results)
}

/// Asserts that the usual cases of a cell do not notice what is wrong, and that this many large cases do.
fn only_large_cases_catch(name: &str, cases: u64, wrong: Wrong, misread: Misread) -> Vec<CaseResult> {
    let (small, _) = run(Work::Cell(cell(name), None), 20, wrong, misread);
    assert_eq!(small.unexpected_count, 0, "{name}: a usual case fails: {:?}", small.unexpected);
    let (large, results) = run(Work::Large(cell(name)), cases, wrong, misread);
    assert!(large.unexpected_count > 0, "{name}: no large case fails");
    assert!(results.iter().all(|result| result.suite == "large" && result.case.starts_with("large/")));
    results
}

fn as_given(_: &Model, inputs: &[Value]) -> Vec<Value> {
    inputs.to_vec()
}

fn as_computed(_: &Model, _: &[Value], outputs: Vec<Value>) -> Vec<Value> {
    outputs
}

/// Returns the size of all files in a folder.
fn bytes_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { bytes_of(&path) } else { path.metadata().unwrap().len() }).sum()
}

#[test]
fn a_right_backend_passes_large_cases() {
    for name in ["MatMul-13/T=float16", "Conv-22/T=float", "ArgMax-13/T=float"] {
        let (outcome, results) = run(Work::Large(cell(name)), 3, as_computed, as_given);
        assert_eq!(outcome.unexpected_count, 0, "{:?}", outcome.unexpected);
        assert!(results.iter().all(|result| result.verdict == Verdict::Pass), "{results:?}");
    }
}

/// Zeroes the last row of an output if it is the only one in its tile.
fn without_last_row(_: &Model, _: &[Value], outputs: Vec<Value>) -> Vec<Value> {
    elements(outputs, |t, i| {
        let [.., rows, columns] = *t.shape() else { return t.bits_at(i) };
        let is_last = i / columns % rows == rows - 1;
        if rows > 64 && rows % 64 == 1 && is_last { 0 } else { t.bits_at(i) }
    })
}

#[test]
fn a_row_that_is_dropped_at_the_edge_of_a_tile_is_caught() {
    only_large_cases_catch("MatMul-13/T=float", 12, without_last_row, as_given);
}

#[test]
fn products_beyond_512_that_are_added_in_float16_are_caught() {
    let halves: Wrong = |_, inputs, outputs| {
        let tensors: Option<Vec<&Tensor>> = inputs.iter().map(Value::as_tensor).collect();
        let Some([a, b]) = tensors.as_deref() else { return outputs };
        let (&[_, k], &[_, n]) = (a.shape(), b.shape()) else { return outputs };
        let format = DType::Float16.float_format().unwrap();
        let half = |x: f64| format.nearest(x);
        // The first row is enough to see it.
        let of_column = |column: usize| {
            let product = |at: usize| a.f64_at(at) * b.f64_at(at * n + column);
            let rest = (512.min(k)..k).fold(0.0, |sum, at| half(sum + product(at)));
            (0..512.min(k)).map(product).sum::<f64>() + rest
        };
        elements(outputs, |t, i| {
            let is_changed = k > 512 && t.rank() == 2 && i < n;
            if is_changed { u64::from((of_column(i) as f32).to_bits()) } else { t.bits_at(i) }
        })
    };
    only_large_cases_catch("MatMul-13/T=float", 24, halves, as_given);
}

#[test]
fn channels_beyond_32_of_another_group_are_caught() {
    let of_another_group: Wrong = |model, _, outputs| {
        let grouped = model.graph().node.iter().flat_map(|node| &node.attribute).any(|attribute| {
            attribute.name.as_deref() == Some("group") && attribute.i.is_some_and(|groups| groups > 1)
        });
        elements(outputs, |t, i| {
            let [_, channels, ref places @ ..] = *t.shape() else { return t.bits_at(i) };
            let size: usize = places.iter().product();
            let is_wrong = grouped && channels > 32 && i / size % channels >= 32;
            t.bits_at(if is_wrong { i - 32 * size } else { i })
        })
    };
    only_large_cases_catch("Conv-22/T=float", 8, of_another_group, as_given);
}

#[test]
fn keys_beyond_512_that_are_ignored_are_caught() {
    let misread: Misread = |model, inputs| {
        let names = model.input_names();
        let change = |(name, value): (&&str, &Value)| match (*name, value) {
            ("V", Value::Tensor(t)) if t.rank() == 4 && t.shape()[2] > 512 => {
                let (keys, size) = (t.shape()[2], t.shape()[3]);
                let bits = (0..t.len()).map(|i| if i / size % keys >= 512 { 0 } else { t.bits_at(i) });
                Value::Tensor(Tensor::from_bits(t.dtype(), t.shape().to_vec(), bits).unwrap())
            }
            _ => value.clone(),
        };
        names.iter().zip(inputs).map(change).collect()
    };
    only_large_cases_catch("Attention-23/T1=float", 8, as_computed, misread);
}

#[test]
fn indices_of_16_bits_are_caught() {
    let wrapped: Wrong = |_, _, outputs| elements(outputs, |t, i| t.bits_at(i) & 0xffff);
    only_large_cases_catch("ArgMax-13/T=float", 6, wrapped, as_given);
}

#[test]
fn indices_of_16_bits_are_caught_along_any_axis() {
    let misread: Misread = |model, inputs| {
        let names = model.input_names();
        let wraps = |(name, value): (&&str, &Value)| match value {
            Value::Tensor(t) if *name == "indices" => {
                let wrapped = |i| if t.f64_at(i) < 0.0 { t.bits_at(i) } else { t.bits_at(i) & 0xffff };
                Value::Tensor(Tensor::from_bits(t.dtype(), t.shape().to_vec(), (0..t.len()).map(wrapped)).unwrap())
            }
            other => other.clone(),
        };
        names.iter().zip(inputs).map(wraps).collect()
    };
    let results = only_large_cases_catch("Gather-13/T=float", 40, as_computed, misread);
    let failed = results.iter().filter(|result| result.kind == Some(FailKind::WrongValue));
    let shapes: Vec<Vec<usize>> = failed.map(|result| data_shape(&result.case)).collect();
    let is_inside = |shape: &Vec<usize>| shape.last().is_some_and(|&last| last < 65_536);
    assert!(shapes.iter().any(is_inside), "the long axis is always the last one: {shapes:?}");
}

/// Returns the shape of the first input of a case.
fn data_shape(case: &str) -> Vec<usize> {
    plumbline_generator::case_of(case).unwrap().inputs[0].as_tensor().unwrap().shape().to_vec()
}

/// A failing large case becomes a small one within few runs, most of which are of small cases: here the smallest extents at
/// which a tile of 64 rows has a neighbour.
#[test]
fn a_large_case_is_minimized_within_few_runs() {
    let large = cell("MatMul-13/T=float");
    let case = (0..12).filter_map(|index| large.large_case(index, 0)).find(|case| {
        let tensor = case.inputs[0].as_tensor().unwrap();
        matches!(*tensor.shape(), [.., rows, _] if tensor.rank() > 1 && rows > 64 && rows % 64 == 1)
    });
    let case = case.expect("one of the cases has an extent beside a multiple of 64");
    let subject = local("twisted", || backend(without_last_row, as_given));
    let right = right(&Oracle::new(subject.policy.clone()), &case).unwrap();
    let deadline = Duration::from_secs(60);
    let found = examine_one(&subject, &PreparedCase::new(case, Some(&right)), &right, deadline).failure;
    assert_eq!(found.judgement.verdict, Verdict::Fail);
    let budget = Budget { runs: 80, time: Duration::from_secs(600) };
    let small = smaller(&subject, &found, deadline, budget, || false).expect("the case fails again");
    let shapes: Vec<&[usize]> = small.case.inputs.iter().map(|input| input.as_tensor().unwrap().shape()).collect();
    assert_eq!(shapes, [&[65, 1][..], &[1, 1][..]]);
    let folder = new_folder();
    write_failure(&folder, &subject, &small, "plumbline").unwrap();
    assert!(bytes_of(&folder) < 20_000, "{} bytes", bytes_of(&folder));
}

#[test]
fn loops_that_stop_early_are_caught() {
    let misread: Misread = |model, inputs| {
        let names = model.input_names();
        let stops = |(name, value): (&&str, &Value)| match value {
            Value::Tensor(t) if *name == "M" && t.to_i64s().is_ok_and(|trips| trips[0] > 64) => {
                Value::Tensor(Tensor::from_i64s(&[64]).reshaped(t.shape().to_vec()).unwrap())
            }
            other => other.clone(),
        };
        names.iter().zip(inputs).map(stops).collect()
    };
    only_large_cases_catch("Loop-21/V=float", 12, as_computed, misread);
}

/// The rounding of fast convolutions is found if it is more than what a sum may lose, and never passes unnoticed
/// because the accepted intervals grow with the number of channels.
#[test]
fn a_convolution_that_rounds_its_products_to_float16_is_caught() {
    let rounded: Misread = |_, inputs| {
        let format = DType::Float16.float_format().unwrap();
        let half = |t: &Tensor, i: usize| {
            let x = format.nearest(t.f64_at(i));
            u64::from((x as f32).to_bits())
        };
        elements(inputs.to_vec(), half)
    };
    let (_, results) = run(Work::Large(cell("Conv-22/T=float")), 12, as_computed, rounded);
    let kinds: Vec<_> = results.iter().filter_map(|result| result.kind).collect();
    assert!(!kinds.is_empty(), "no case notices the rounding");
    assert!(kinds.iter().all(|kind| [FailKind::Inaccurate, FailKind::WrongValue].contains(kind)), "{kinds:?}");
}
