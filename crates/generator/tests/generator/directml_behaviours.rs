//! Compares what DirectML's pages leave open with the suite `directml` and the oracle. Each behaviour that is not defined has
//! an entry here. If no case of it is drawn (`drawn = false`), the entry is a test of cases, which holds for none that the
//! profile `ci` draws. Otherwise it is a case of that situation with answers: the oracle accepts each listed outcome, and
//! no other answer. Some behaviours of which no case is drawn, or that are defined, are compared in this way as well.

mod accepted;
mod images;
mod normalization;
mod not_drawn;
mod positions;
mod quantized;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use plumbline_generator::Case;
use plumbline_generator::directml::DirectMlCell;
use plumbline_oracle::{Judged, Operand, Oracle};
use plumbline_spec::Status;
use plumbline_spec::directml::{DirectMl, TensorDataType};
use plumbline_tensor::{Tensor, Value, tensor_from_proto, tensor_to_proto};
use rayon::prelude::*;
use serde_json::Value as Json;

use crate::directml_suite::{CASES, text};

/// The number of cases of a cell among which one in a situation is looked for.
const MOST_CASES: u64 = 40 * CASES;

/// An operator, without `DML_OPERATOR_`, and the name of a behaviour.
type Name = (&'static str, &'static str);

/// The elements of an input in row-major order.
#[derive(Clone, Debug)]
struct Elements {
    sizes: Vec<usize>,
    data: Vec<f64>,
}

/// What a case computes: the fields of the description that are no tensors, and the elements of the inputs.
#[derive(Clone, Debug)]
struct Situation {
    /// The name of the operator, without `DML_OPERATOR_`.
    operator: String,
    desc: Json,
    inputs: BTreeMap<String, Elements>,
}

impl Situation {
    fn read(case: &Case) -> Situation {
        let description: Json = serde_json::from_str(text(case, "desc")).unwrap();
        let names = case.model.input_names();
        let inputs = names.iter().zip(&case.inputs).map(|(name, value)| {
            let (buffer, places) = (value.as_tensor().unwrap(), places(case, name));
            let data = places.iter().map(|&at| match buffer.dtype().is_float() {
                true => buffer.f64_at(at),
                false => buffer.i128_at(at) as f64,
            });
            let of_array = name.rsplit_once('_').and_then(|(field, at)| {
                Some(description["desc"].get(field)?.get(at.parse::<usize>().ok()?)?["Sizes"].clone())
            });
            let sizes = of_array.unwrap_or_else(|| description["desc"][*name]["Sizes"].clone());
            ((*name).to_owned(), Elements { sizes: numbers(&sizes), data: data.collect() })
        });
        let operator = description["type"].as_str().unwrap().trim_start_matches("DML_OPERATOR_").to_owned();
        Situation { operator, inputs: inputs.collect(), desc: description["desc"].clone() }
    }

    /// Returns the elements of an input, if it is given.
    fn elements(&self, name: &str) -> Option<&Elements> {
        self.inputs.get(name)
    }

    /// Returns all elements of an input; none if it is left out.
    fn data(&self, name: &str) -> &[f64] {
        self.elements(name).map_or(&[], |elements| &elements.data)
    }

    fn number(&self, field: &str) -> f64 {
        self.desc[field].as_f64().unwrap_or(0.0)
    }

    fn list(&self, field: &str) -> Vec<f64> {
        self.desc[field].as_array().map(|all| all.iter().filter_map(Json::as_f64).collect()).unwrap_or_default()
    }

    /// Returns whether the name of a value ends with this.
    fn is(&self, field: &str, value: &str) -> bool {
        self.desc[field].as_str().is_some_and(|name| name.ends_with(value))
    }

    fn sizes(&self, tensor: &str) -> Vec<usize> {
        numbers(&self.desc[tensor]["Sizes"])
    }

    fn type_of(&self, tensor: &str) -> Option<TensorDataType> {
        self.desc[tensor]["DataType"].as_str()?.trim_start_matches("DML_TENSOR_DATA_TYPE_").parse().ok()
    }
}

fn numbers(value: &Json) -> Vec<usize> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(Json::as_u64).map(|number| number as usize).collect()
}

/// Returns the places of the elements of an input in its buffer.
fn places(case: &Case, name: &str) -> Vec<usize> {
    let mut nodes = case.model.proto.functions[0].node.iter();
    let node = nodes.find(|node| node.output[0] == format!("{name}_places")).unwrap();
    let places = tensor_from_proto(node.attribute[0].t.as_ref().unwrap()).unwrap();
    (0..places.len()).map(|at| places.i128_at(at) as usize).collect()
}

/// Gives all elements of an input, by their numbers in row-major order.
fn with_elements(mut case: Case, name: &str, element: impl Fn(usize) -> f64) -> Case {
    let at = case.model.input_names().iter().position(|known| *known == name).unwrap();
    let (places, buffer) = (places(&case, name), case.inputs[at].as_tensor().unwrap().clone());
    let mut data: Vec<f64> = (0..buffer.len()).map(|_| 0.0).collect();
    places.iter().enumerate().for_each(|(number, &place)| data[place] = element(number));
    case.inputs[at] = Value::Tensor(of_numbers(&buffer, &data));
    case
}

/// Gives a field that is no tensor another number.
fn with_number(mut case: Case, field: &str, number: f64) -> Case {
    let mut nodes = case.model.proto.functions[0].node.iter_mut();
    let value = nodes.find(|node| node.output[0] == field).unwrap().attribute[0].t.as_mut().unwrap();
    let like = tensor_from_proto(value).unwrap();
    *value = tensor_to_proto(&of_numbers(&like, &vec![number; like.len()]), "");
    case
}

/// Returns a tensor of the same type and shape.
fn of_numbers(like: &Tensor, data: &[f64]) -> Tensor {
    match like.dtype().is_float() {
        true => Tensor::from_f64s(like.dtype(), like.shape().to_vec(), data).unwrap(),
        false => {
            let data: Vec<i128> = data.iter().map(|&number| number as i128).collect();
            Tensor::from_i128s(like.dtype(), like.shape().to_vec(), &data).unwrap()
        }
    }
}

/// Returns the first case of an operator that fits.
fn first(operator: &str, fits: impl Fn(&DirectMlCell, &Situation) -> bool) -> Case {
    let cells = DirectMlCell::all().into_iter().filter(|cell| cell.operator.short_name() == operator);
    let mut cases =
        cells.flat_map(|cell| (0..MOST_CASES).filter_map(move |index| Some((cell, cell.case(None, index, 0)?))));
    let found = cases.find(|(cell, case)| fits(cell, &Situation::read(case)));
    found.unwrap_or_else(|| panic!("no case of {operator} fits")).1
}

/// Returns which of these answers the oracle accepts for the first output of a case.
fn accepts(case: &Case, answers: &[Vec<f64>]) -> Vec<bool> {
    let outputs = Oracle::default().answer(&case.model, &case.inputs).unwrap();
    let Operand::Tensor(expected) = &outputs[0] else { panic!("{}: an output is no tensor", case.id) };
    let like = Tensor::from_bits(
        expected.dtype(),
        expected.shape().to_vec(),
        std::iter::repeat_n(0, expected.shape().iter().product()),
    );
    let like = like.unwrap();
    let is_accepted = |data: &Vec<f64>| {
        let data = if data.len() == 1 { vec![data[0]; like.len()] } else { data.clone() };
        let answer = of_numbers(&like, &data);
        (0..like.len()).all(|at| expected.judge(&answer, at) != Judged::Wrong)
    };
    answers.iter().map(is_accepted).collect()
}

/// Returns all behaviours, with their status and whether cases of them are drawn. They are read from the files, so that a
/// changed rule can be compared without compiling everything again.
fn behaviours() -> BTreeMap<(String, String), (Status, bool)> {
    let spec = DirectMl::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/directml")).unwrap();
    let rules = spec.operators().iter().filter_map(|operator| Some((operator, operator.rules.as_ref()?)));
    let all = rules.flat_map(|(operator, rules)| rules.behaviours.iter().map(move |behaviour| (operator, behaviour)));
    all.map(|(operator, behaviour)| {
        ((operator.short_name().to_owned(), behaviour.label.clone()), (behaviour.status, behaviour.drawn))
    })
    .collect()
}

fn not_drawn() -> Vec<&'static not_drawn::Entry> {
    [not_drawn::ALL, quantized::NOT_DRAWN, images::NOT_DRAWN, normalization::NOT_DRAWN].into_iter().flatten().collect()
}

fn accepted() -> Vec<&'static accepted::Entry> {
    [accepted::ALL, quantized::ACCEPTED, images::ACCEPTED, normalization::ACCEPTED].into_iter().flatten().collect()
}

#[test]
fn each_behaviour_is_compared() {
    let names = |names: Vec<Name>| -> BTreeSet<(String, String)> {
        names.into_iter().map(|(operator, name)| (operator.to_owned(), name.to_owned())).collect()
    };
    let behaviours = behaviours();
    let undecided = |drawn: bool| -> BTreeSet<(String, String)> {
        let is_in = |of: &(Status, bool)| of.0 != Status::Defined && of.1 == drawn;
        behaviours.iter().filter(|(_, of)| is_in(of)).map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(not_drawn().into_iter().flat_map(not_drawn::Entry::names).collect()), undecided(false));
    let accepted = names(accepted().into_iter().flat_map(accepted::Entry::names).collect());
    let missing: Vec<_> = undecided(true).into_iter().filter(|name| !accepted.contains(name)).collect();
    let unknown: Vec<_> = accepted.iter().filter(|name| !behaviours.contains_key(name)).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "not compared: {missing:?}\nunknown: {unknown:?}");
}

#[test]
fn what_is_left_open_is_not_drawn() {
    let wrong: Vec<String> = not_drawn()
        .into_par_iter()
        .flat_map_iter(|entry| entry.operators.iter().map(move |operator| (entry, *operator)))
        .filter_map(|(entry, operator)| {
            let cells = DirectMlCell::all().into_iter().filter(|cell| cell.operator.short_name() == operator);
            let cases: Vec<Case> =
                cells.flat_map(|cell| (0..CASES).filter_map(move |index| cell.case(None, index, 0))).collect();
            let situations: Vec<(String, Situation)> =
                cases.iter().map(|case| (case.id.clone(), Situation::read(case))).collect();
            // The test holds for a case that is changed into the situation, or it would be useless.
            let mut changed = situations.iter().map(|(_, situation)| situation.clone());
            let is_reached = changed.any(|mut situation| {
                (entry.change)(&mut situation);
                (entry.holds)(&situation)
            });
            let drawn: Vec<&str> = situations
                .iter()
                .filter(|(_, situation)| (entry.holds)(situation))
                .map(|(id, _)| id.as_str())
                .collect();
            match (is_reached, drawn.as_slice()) {
                (false, _) => Some(format!("{operator} {}: the test holds for no changed case", entry.name)),
                (true, [first, ..]) => Some(format!("{operator} {}: {} cases, {first}", entry.name, drawn.len())),
                _ => None,
            }
        })
        .collect();
    assert!(wrong.is_empty(), "{} behaviours\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn listed_outcomes_are_accepted_and_no_others() {
    let mut wrong = Vec::new();
    for entry in accepted() {
        for operator in entry.operators {
            let Ok(probes) = std::panic::catch_unwind(|| (entry.probes)(operator)) else {
                wrong.push(format!("{operator} {}: no case is in the situation", entry.name));
                continue;
            };
            for probe in probes {
                let [right, other] = [&probe.accepted, &probe.rejected].map(|answers| accepts(&probe.case, answers));
                if right.contains(&false) || other.contains(&true) || right.is_empty() || other.is_empty() {
                    wrong.push(format!(
                        "{operator} {}: {} accepts {right:?} of {:?}, and {other:?} of {:?}",
                        entry.name, probe.case.id, probe.accepted, probe.rejected
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} behaviours\n{}",
        wrong.len(),
        wrong.join("\n").chars().take(8000).collect::<String>()
    );
}
