//! Checks every recipe against the oracle: it answers valid cases and refuses negative ones with the constraint that
//! they violate. Also checks that each attribute, optional input and feature is reached. `PLUMBLINE_OP=Min` restricts
//! the tests to one operator.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use plumbline_generator::{Case, Cell, GOAL_CASES, recipes, wanted_features};
use plumbline_graph::RefusalKind;
use plumbline_oracle::{Allowed, Evaluation, Number, NumberKind, OpenRule, Operand, Oracle};
use plumbline_spec::Label;
use plumbline_spec::{OperatorId, Spec, rule};
use plumbline_tensor::{DType, ValueKind};
use rayon::prelude::*;

use crate::{goals, selected_cells};

/// What is found in the oracle's answers to the valid cases: refusals and answers of other types than the model
/// declares (`wrong`), the rules that leave something open, each with a case (`open`), and the special values that are
/// preferred or allowed for the elements that a rule leaves open (`special`).
#[derive(Default)]
pub struct Answers {
    wrong: Vec<String>,
    open: BTreeMap<(OperatorId, Label, bool), (OpenRule, String)>,
    special: BTreeMap<(OperatorId, Label), BTreeSet<Special>>,
    /// The goals that the cases of each cell meet in the profile `ci`.
    pub met: BTreeMap<String, BTreeSet<String>>,
}

/// A value that a listed outcome of a rule may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Special {
    Nan,
    Infinity,
    MinusInfinity,
    Zero,
    One,
}

impl Special {
    const ALL: [Special; 5] = [Special::Nan, Special::Infinity, Special::MinusInfinity, Special::Zero, Special::One];

    fn value(self) -> f64 {
        match self {
            Special::Nan => f64::NAN,
            Special::Infinity => f64::INFINITY,
            Special::MinusInfinity => f64::NEG_INFINITY,
            Special::Zero => 0.0,
            Special::One => 1.0,
        }
    }

    /// Returns the values of which an outcome names one. Outcomes that name none of them are not looked at.
    fn named(outcome: &str) -> Vec<Special> {
        let begins = |words: &[&str]| {
            words
                .iter()
                .any(|word| outcome.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(',')))
        };
        match () {
            () if begins(&["NaN"]) => vec![Special::Nan],
            () if begins(&["infinity", "an infinity"]) => vec![Special::Infinity, Special::MinusInfinity],
            () if begins(&["+Inf"]) => vec![Special::Infinity],
            () if begins(&["-Inf", "minus infinity"]) => vec![Special::MinusInfinity],
            () if begins(&["0"]) => vec![Special::Zero],
            () if begins(&["1"]) => vec![Special::One],
            () => vec![],
        }
    }

    /// Returns whether this value is accepted for a number.
    fn is_accepted(self, number: &Number) -> bool {
        let value = self.value();
        let preferred = match number.kind {
            NumberKind::Real(real) => real.accepts(value) || real.low <= value && value <= real.high,
            NumberKind::Int(int) => (int.low as f64..=int.high as f64).contains(&value),
        };
        preferred
            || number.latitude.is_some_and(|latitude| match latitude.allowed {
                Allowed::Anything => true,
                Allowed::Reals(reals) => reals.contains(value),
                Allowed::Ints(ints) => value.is_finite() && ints.contains(value as i128),
                Allowed::Among(set) => value == 0.0 && set & 1 == 1 || value == 1.0 && set & 2 == 2,
                _ => false,
            })
    }
}

/// Returns the rules that leave elements of the outputs open, and the special values that are accepted there.
fn special_values(outputs: &[Operand]) -> BTreeMap<Label, BTreeSet<Special>> {
    let mut found: BTreeMap<Label, BTreeSet<Special>> = BTreeMap::new();
    for expected in outputs.iter().filter_map(|output| output.tensor().ok()) {
        let is_number = expected.dtype().is_float() || expected.dtype().is_integer() || expected.dtype() == DType::Bool;
        for (at, latitude) in expected.latitude.iter().filter(|_| is_number) {
            let number = expected.number(*at);
            let accepted = Special::ALL.into_iter().filter(|special| special.is_accepted(&number));
            found.entry(latitude.label).or_default().extend(accepted);
        }
    }
    found
}

/// Answers each case once, for all tests that look at the answers.
pub static ANSWERS: LazyLock<Answers> = LazyLock::new(|| {
    let oracle = Oracle::default();
    let of_cell = |cell: &Cell| {
        let mut answers = Answers::default();
        let in_ci = cell.share_of(GOAL_CASES);
        let mut met: BTreeSet<String> = BTreeSet::new();
        for index in 0..in_ci.max(24) {
            let case = cell.case(None, index, 0).expect("every cell has a recipe");
            match oracle.evaluate(&case.model, &case.inputs) {
                Ok(evaluation) => {
                    if index < in_ci {
                        met.extend(goals::met(cell, &case, &evaluation));
                    }
                    let Evaluation { outputs, open, .. } = evaluation;
                    answers.wrong.extend(wrongly_declared(&case, &outputs));
                    for (label, special) in special_values(&outputs) {
                        answers.special.entry((cell.version.id.clone(), label)).or_default().extend(special);
                    }
                    for rule in open {
                        let key = (rule.operator.clone(), rule.label, rule.any_value);
                        answers.open.entry(key).or_insert_with(|| (rule, case.id.clone()));
                    }
                }
                Err(refusal) => answers.wrong.push(format!("{}: {refusal}", case.id)),
            }
        }
        answers.met.insert(cell.to_string(), met);
        answers
    };
    let joined = |mut all: Answers, answers: Answers| {
        all.wrong.extend(answers.wrong);
        all.met.extend(answers.met);
        answers.open.into_iter().for_each(|(key, found)| {
            all.open.entry(key).or_insert(found);
        });
        answers.special.into_iter().for_each(|(key, found)| all.special.entry(key).or_default().extend(found));
        all
    };
    selected_cells().par_iter().map(of_cell).reduce(Answers::default, joined)
});

fn wrongly_declared(case: &Case, outputs: &[Operand]) -> Vec<String> {
    let declared = case.model.graph().output.iter().map(|o| o.r#type.as_ref().and_then(ValueKind::from_proto));
    let wrong = outputs.iter().zip(declared).filter(|(output, declared)| Some(output.kind()) != *declared);
    let line = |(output, declared): (&Operand, Option<ValueKind>)| {
        format!("{}: the model declares {declared:?}, but the oracle gives {}", case.id, output.kind())
    };
    wrong.map(line).collect()
}

#[test]
fn valid_cases_are_answered() {
    let wrong = &ANSWERS.wrong;
    assert!(
        wrong.is_empty(),
        "{} cases are wrong, among them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

/// Checks the rules by which the oracle leaves answers open: each exists in the operator's version and has outcomes,
/// and the oracle accepts any value only if the rule says so.
#[test]
fn the_oracle_leaves_open_only_what_the_rules_list() {
    let objection = |(rule, case): &(OpenRule, String)| Some(format!("{} (as in {case})", rule.objection()?));
    let lines: Vec<String> = ANSWERS.open.values().filter_map(objection).collect();
    assert!(lines.is_empty(), "{} rules do not fit the cases:\n{}", lines.len(), lines.join("\n"));
}

/// A rule that lists the outcome `refused` or `any value` must leave a case open, or say that no case is drawn
/// (`drawn = false`). If no kernel produces such an outcome, listing it excuses nothing and misleads readers. The cases
/// are answered by the newest texts, so that rules of older ones are left out.
#[test]
fn broad_outcomes_of_rules_are_produced() {
    let wanted: BTreeSet<(&str, &str)> =
        selected_cells().iter().map(|cell| (cell.version.id.domain.as_str(), cell.version.id.name.as_str())).collect();
    let mut wrong = Vec::new();
    for operator in Spec::embedded().operators() {
        if !wanted.contains(&(operator.domain.as_str(), operator.name.as_str())) {
            continue;
        }
        let behaviours = operator.rules.iter().flat_map(|rules| &rules.behaviours);
        for behaviour in behaviours.filter(|behaviour| behaviour.releases.is_current()) {
            let raised = |any_value: bool| {
                let is = |rule: &OpenRule| rule.behaviour == Some(behaviour) && (!any_value || rule.any_value);
                ANSWERS.open.values().any(|(rule, _)| is(rule))
            };
            let never_refused = behaviour.lists_refusal() && !raised(false);
            let never_any = behaviour.lists_any_value() && !raised(true);
            let objection = match (never_refused, never_any, behaviour.drawn) {
                (true, _, true) => "lists `refused`, but leaves no case open",
                (_, true, true) => "lists `any value`, but the oracle never accepts any value",
                (false, false, false) => "says that no case is drawn, but one is",
                _ => continue,
            };
            let file = format!("specs/onnx/{}/{}.rules.toml:{}", operator.domain, operator.name, behaviour.line);
            wrong.push(format!("{file}: {} {objection}", behaviour.label));
        }
    }
    assert!(wrong.is_empty(), "{} rules do not fit the cases:\n{}", wrong.len(), wrong.join("\n"));
}

/// Rules that list special values to which no drawn case leads: the steps that give them overflow for few inputs only.
const NOT_MET: [(&str, &str); 4] = [
    ("LayerNormalization", "intermediate-overflow"),
    ("MeanVarianceNormalization", "intermediate-overflow"),
    ("NegativeLogLikelihoodLoss", "intermediate-overflow"),
    ("SoftmaxCrossEntropyLoss", "intermediate-overflow"),
];

/// A rule that lists NaN, an infinity, 0 or 1 as an outcome must accept it for some element that it leaves open. Rules
/// that leave no element of any case open, or only whole answers, are not looked at.
#[test]
fn special_values_that_rules_list_are_accepted() {
    let mut wrong = Vec::new();
    for operator in Spec::embedded().operators() {
        for behaviour in operator.rules.iter().flat_map(|rules| &rules.behaviours) {
            let of_rule = ANSWERS.special.iter().filter(|((id, label), _)| {
                (&id.domain, &id.name) == (&operator.domain, &operator.name)
                    && label.name() == behaviour.label
                    && behaviour.versions.contains(id.since)
            });
            let accepted: Vec<&BTreeSet<Special>> = of_rule.map(|(_, special)| special).collect();
            for outcome in behaviour.outcomes.iter().filter(|_| !accepted.is_empty()) {
                let named = Special::named(outcome);
                let met = !NOT_MET.contains(&(operator.name.as_str(), behaviour.label.as_str()));
                if met
                    && !named.is_empty()
                    && !named.iter().any(|special| accepted.iter().any(|all| all.contains(special)))
                {
                    let file =
                        format!("specs/onnx/{}/{}.rules.toml:{}", operator.domain, operator.name, behaviour.line);
                    wrong.push(format!("{file}: {} lists `{outcome}`, but no element accepts it", behaviour.label));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} outcomes are never accepted:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn negative_cases_are_refused_by_their_constraint() {
    let oracle = Oracle::default();
    let mut wrong = Vec::new();
    let mut violated: BTreeMap<String, bool> = BTreeMap::new();
    for cell in selected_cells() {
        for label in cell.negatives() {
            let some = violated.entry(format!("{} {label}", cell.version.id)).or_default();
            for index in 0..8 {
                let Some(case) = cell.case(Some(label), index, 0) else { continue };
                *some = true;
                match oracle.answer(&case.model, &case.inputs) {
                    Err(r) if r.kind == RefusalKind::Invalid && r.label == Some(label) => {}
                    Err(r) => wrong.push(format!(
                        "{}: the oracle refuses the case for another reason ({:?}): {r}",
                        case.id, r.kind
                    )),
                    Ok(_) => wrong.push(format!("{}: the oracle answers the case", case.id)),
                }
            }
        }
    }
    let never = violated.into_iter().filter(|(_, some)| !some);
    wrong.extend(never.map(|(rule, _)| format!("{rule}: the recipe gives no case in any cell")));
    assert!(
        wrong.is_empty(),
        "{} cases or recipes are wrong, among them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

/// The recipe of CategoryMapper drops duplicates among the integers that it draws, which could make its two lists
/// equally long. Duplicates are rare, so this test draws many cases.
#[test]
fn lists_of_different_lengths_stay_so_without_duplicates() {
    for cell in plumbline_generator::cells().iter().filter(|cell| cell.version.id.name == "CategoryMapper") {
        for case in (0..200).filter_map(|index| cell.case(Some(rule::LENGTHS_EQUAL), index, 0)) {
            let attributes = &case.model.graph().node[0].attribute;
            let lengths: Vec<usize> = attributes.iter().map(|a| a.ints.len() + a.strings.len()).collect();
            assert!(matches!(lengths[..], [ints, names] if ints != names), "{}: {lengths:?}", case.id);
        }
    }
}

/// Features of shared code that an operator cannot reach, because it lacks the versions, attributes or inputs that the
/// features need. Other operators of its family reach these features.
const OF_OTHERS: &[(&str, &[&str])] = &[
    ("BitShift", LEGACY_BROADCAST),
    ("BitwiseAnd", LEGACY_BROADCAST),
    ("BitwiseOr", LEGACY_BROADCAST),
    ("BitwiseXor", LEGACY_BROADCAST),
    ("GreaterOrEqual", LEGACY_BROADCAST),
    ("LessOrEqual", LEGACY_BROADCAST),
    ("Mod", LEGACY_BROADCAST),
    ("Col2Im", PADDED_WINDOWS),
    ("DeformConv", PADDED_WINDOWS),
    ("Conv", &["rounding up adds a window"]),
    ("ConvInteger", &["rounding up adds a window"]),
    ("QLinearConv", &["rounding up adds a window"]),
    ("Scatter", &["negative index", "added", "multiplied", "larger", "smaller"]),
    ("LinearRegressor", &["list"]),
    ("SVMClassifier", &["list"]),
    ("SVMRegressor", &["list"]),
    ("TreeEnsembleClassifier", &["a single target"]),
    ("TreeEnsembleRegressor", &["ids that go on"]),
];

/// Features of element-wise operators with two inputs: shapes that broadcast in versions up to 6.
const LEGACY_BROADCAST: &[&str] = &["one element", "suffix", "inner extents"];

/// Features of windows that `auto_pad` or `ceil_mode` places, or that lie on the padding.
const PADDED_WINDOWS: &[&str] = &[
    "wide padding",
    "SAME_UPPER",
    "SAME_LOWER",
    "VALID",
    "SAME with an odd padding",
    "SAME with windows apart",
    "SAME with dilations",
    "rounding up adds a window",
];

#[test]
fn every_attribute_optional_input_and_feature_is_reached() {
    let mut reached: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut by_recipe: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for cell in selected_cells() {
        let id = &cell.version.id;
        let wanted = wanted_features(cell.version);
        let recipe = recipes().iter().find(|recipe| recipe.domain == id.domain && recipe.name == id.name);
        let named = recipe.expect("every cell has a recipe").features;
        let of_version = reached.entry(id.to_string()).or_default();
        let of_recipe = by_recipe.entry((id.domain.clone(), id.name.clone())).or_default();
        for index in 0..60 {
            if wanted.iter().all(|f| of_version.contains(f)) && named.iter().all(|f| of_recipe.contains(*f)) {
                break;
            }
            let case = cell.case(None, index, 0).expect("every cell has a recipe");
            of_version.extend(case.features.iter().cloned());
            of_recipe.extend(case.features);
        }
    }
    let mut missing = Vec::new();
    let mut seen = BTreeSet::new();
    for cell in selected_cells() {
        let version = cell.version;
        if !seen.insert(version.id.to_string()) {
            continue;
        }
        let has = &reached[&version.id.to_string()];
        let lacking = wanted_features(version).into_iter().filter(|f| !has.contains(f));
        missing.extend(lacking.map(|f| format!("{}: {f}", version.id)));
    }
    for recipe in recipes() {
        let Some(has) = by_recipe.get(&(recipe.domain.to_owned(), recipe.name.to_owned())) else { continue };
        let (_, others) = OF_OTHERS.iter().find(|(name, _)| *name == recipe.name).unwrap_or(&("", &[]));
        let of_others = |feature: &&str| others.contains(feature);
        let named = recipe.features.iter().copied();
        missing.extend(
            named.filter(|f| !of_others(f) && !has.contains(*f)).map(|f| format!("{}: feature `{f}`", recipe.name)),
        );
        let wrong = others.iter().filter(|f| !recipe.features.contains(f) || has.contains(**f));
        missing.extend(wrong.map(|f| format!("{}: `{f}` needs no exception in OF_OTHERS", recipe.name)));
    }
    assert!(
        missing.is_empty(),
        "no case reaches these features, or OF_OTHERS lists them without need:\n{}",
        missing.join("\n")
    );
}
