//! Derives mutants from the facts about an operator version.

use plumbline_generator::Case;
use plumbline_spec::{AttributeKind, Determinism, Formal, FormalOption, OperatorVersion, Spec};
use plumbline_tensor::DType;
use plumbline_tensor::onnx::AttributeProto;

use super::change::Change;
use super::edit::{Back, Edit, To};
use super::{Mutant, MutantKind};

/// Operators that round to nearest: no correct implementation of them rounds toward zero.
const ROUNDED_TO_NEAREST: &str = " Add Sub Mul PRelu LeakyRelu Mean Sum ";

/// Operators that round to integers, with ties to even.
const TIES_TO_EVEN: &str = " Round QuantizeLinear DynamicQuantizeLinear ";

/// Attributes and inputs that scale an answer or are added to a variance. A value of them that is one percent off changes
/// most answers by a little.
const SMALL_CHANGES: &str = " scale epsilon alpha beta gamma lambd momentum bias y_scale x_scale ";

/// The largest number of values from other cases that are kept as replacements for an attribute.
const MOST_DONORS: usize = 8;

/// Returns the mutants of an operator version. `cases` are the cases on which they will run.
pub(super) fn derived(version: &'static OperatorVersion, cases: &[Case]) -> Vec<Mutant> {
    let mut mutants = Mutants(vec![]);
    mutants.attributes(version, cases);
    mutants.inputs(version);
    mutants.versions(version);
    mutants.rounding(version);
    mutants.precision(version);
    mutants.almost_right(version);
    mutants.ties(version);
    mutants.order(version);
    mutants.add(MutantKind::Wrecked, "outputs-constant", outputs(Change::WreckedConstant));
    mutants.add(MutantKind::Wrecked, "outputs-affine", outputs(Change::WreckedAffine));
    mutants.0
}

struct Mutants(Vec<Mutant>);

fn outputs(change: Change) -> Vec<Edit> {
    vec![Edit::Output { name: None, change }]
}

/// Returns whether a formal input or output may be a tensor of a wanted element type.
fn may_be(version: &OperatorVersion, formal: &Formal, wanted: impl Fn(DType) -> bool) -> bool {
    version.types_of(formal).iter().filter_map(|t| t.tensor_dtype()).any(wanted)
}

impl Mutants {
    fn add(&mut self, kind: MutantKind, name: impl Into<String>, edits: Vec<Edit>) {
        self.0.push(Mutant { name: name.into(), kind, edits, place: None });
    }

    /// Adds mutants that ignore an attribute: they leave it out or, if it is required or called `value`, take another
    /// value, usually from another case. Also adds mutants that change one element of an attribute.
    fn attributes(&mut self, version: &OperatorVersion, cases: &[Case]) {
        for attribute in &version.attributes {
            let name = attribute.name.clone();
            let given = |case: &Case| -> Option<AttributeProto> {
                let node = case.model.graph().node.last()?;
                node.attribute.iter().find(|a| a.name.as_deref() == Some(&name)).cloned()
            };
            let mut donors: Vec<AttributeProto> = Vec::new();
            for donor in cases.iter().filter_map(given) {
                if donors.len() < MOST_DONORS && !donors.contains(&donor) {
                    donors.push(donor);
                }
            }
            let edit = if attribute.required || name == "value" {
                Edit::AnotherAttribute { name: name.clone(), donors }
            } else {
                Edit::Attribute { name: name.clone(), from: None, to: To::Nothing }
            };
            self.add(MutantKind::Attribute, format!("attribute-{name}-ignored"), vec![edit]);
            // A single string is not changed: it usually names a mode, and the changed string is rarely a valid mode.
            // Changes do not apply to graphs, types and sparse tensors.
            use AttributeKind::{Float, Floats, Int, Ints, Strings, Tensor};
            if matches!(attribute.kind, Float | Floats | Int | Ints | Strings | Tensor) {
                let to = To::Changed(Change::OnePerturbed);
                let edit = Edit::Attribute { name: name.clone(), from: None, to };
                self.add(MutantKind::Attribute, format!("attribute-{name}-perturbed"), vec![edit]);
            }
        }
    }

    /// Adds mutants that ignore an optional input, and mutants that change one element of an input.
    fn inputs(&mut self, version: &OperatorVersion) {
        for (place, formal) in version.inputs.iter().enumerate() {
            let name = &formal.name;
            if formal.option == FormalOption::Optional {
                let edit = Edit::Input { name: name.clone(), to: To::Nothing };
                self.add(MutantKind::Input, format!("input-{name}-ignored"), vec![edit]);
            }
            let perturbed = |place: String| Edit::Input { name: place, to: To::Changed(Change::OnePerturbed) };
            self.add(MutantKind::Element, format!("input-{name}-perturbed"), vec![perturbed(place.to_string())]);
            if formal.option == FormalOption::Variadic {
                let next = perturbed((place + 1).to_string());
                self.add(MutantKind::Element, format!("input-{name}-second-perturbed"), vec![next]);
            }
        }
    }

    /// Adds mutants that run the node as the previous and the next version.
    fn versions(&mut self, version: &OperatorVersion) {
        let Some(operator) = Spec::embedded().operator(&version.id.domain, &version.id.name) else { return };
        let callable: Vec<u32> = operator.versions.iter().filter(|v| v.is_callable()).map(|v| v.since()).collect();
        let before = callable.iter().rev().find(|&&since| since < version.since());
        let after = callable.iter().find(|&&since| since > version.since());
        for since in before.into_iter().chain(after) {
            self.add(MutantKind::Version, format!("as-version-{since}"), vec![Edit::Version(*since)]);
        }
    }

    fn rounding(&mut self, version: &OperatorVersion) {
        let name = format!(" {} ", version.id.name);
        let kind = MutantKind::Rounding;
        let first_may_be =
            |wanted: fn(DType) -> bool| version.inputs.first().is_some_and(|formal| may_be(version, formal, wanted));
        let has_subnormals = |d: DType| d.is_float() && d.size() > 1;
        if first_may_be(|d| matches!(d, DType::Float | DType::Double | DType::Float16)) {
            let narrow = Change::Through(DType::Bfloat16);
            self.add(kind, "inputs-in-16-bits", vec![Edit::Inputs(narrow)]);
            self.add(kind, "input-subnormals-flushed", vec![Edit::Inputs(Change::Flushed)]);
        }
        if first_may_be(|d| d == DType::Double) {
            let single = Edit::Computed { dtype: DType::Float, back: Back::Saturated };
            self.add(kind, "double-as-float", vec![single]);
            if ROUNDED_TO_NEAREST.contains(&name) {
                let double = Edit::Computed { dtype: DType::Double, back: Back::Truncated };
                self.add(kind, "rounded-toward-zero", vec![double]);
            }
        }
        if first_may_be(|d| d == DType::Int64) && first_may_be(|d| d.is_integer() && d.size() < 8) {
            for (name, back) in [("integers-saturated", Back::Saturated), ("integers-wrapped", Back::Wrapped)] {
                self.add(kind, name, vec![Edit::Computed { dtype: DType::Int64, back }]);
            }
        }
        for formal in &version.outputs {
            if may_be(version, formal, |d| d.is_float()) {
                let off = Edit::Output { name: Some(formal.name.clone()), change: Change::Steps(3) };
                self.add(kind, format!("output-{}-3-ulp-off", formal.name), vec![off]);
            }
        }
        if version.outputs.iter().any(|formal| may_be(version, formal, has_subnormals)) {
            self.add(kind, "output-subnormals-flushed", outputs(Change::Flushed));
            self.add(kind, "outputs-in-16-bits", outputs(Change::Through(DType::Bfloat16)));
        }
    }

    /// Adds mutants that answer with the precision of a narrower type: double computed in float, and float computed in
    /// float16. Random outputs have no precision.
    fn precision(&mut self, version: &OperatorVersion) {
        if version.deterministic == Determinism::NonDeterministic {
            return;
        }
        for (of, to) in [(DType::Double, DType::Float), (DType::Float, DType::Float16)] {
            if version.outputs.iter().any(|formal| may_be(version, formal, |dtype| dtype == of)) {
                let name = format!("{of}-computed-in-{to}");
                self.add(MutantKind::Precision, name, vec![Edit::Narrowed { of, to }]);
            }
        }
    }

    /// Adds mutants for which a factor or a constant is one percent off. Random outputs need more samples than a case
    /// has to show this.
    fn almost_right(&mut self, version: &OperatorVersion) {
        if version.deterministic == Determinism::NonDeterministic {
            return;
        }
        let off = || To::Changed(Change::Times(1.01));
        let counts = |name: &str| SMALL_CHANGES.contains(&format!(" {name} "));
        for attribute in version.attributes.iter().filter(|a| a.kind == AttributeKind::Float && counts(&a.name)) {
            let edit = Edit::Attribute { name: attribute.name.clone(), from: None, to: off() };
            self.add(MutantKind::Attribute, format!("attribute-{}-1-percent-off", attribute.name), vec![edit]);
        }
        let real = |formal: &&Formal| may_be(version, formal, |dtype| dtype.is_float());
        for formal in version.inputs.iter().filter(real).filter(|formal| counts(&formal.name)) {
            let edit = Edit::Input { name: formal.name.clone(), to: off() };
            self.add(MutantKind::Element, format!("input-{}-1-percent-off", formal.name), vec![edit]);
        }
    }

    /// Adds mutants that break ties in the other direction.
    fn ties(&mut self, version: &OperatorVersion) {
        let (name, kind) = (version.id.name.as_str(), MutantKind::Rounding);
        let input = |to| Edit::Input { name: "0".to_owned(), to };
        if TIES_TO_EVEN.contains(&format!(" {name} ")) {
            // The input moves one step away from zero: a tie becomes slightly more than a half, and almost all other
            // values stay on the same side of the tie.
            self.add(kind, "ties-away-from-zero", vec![input(To::Changed(Change::Steps(1)))]);
        }
        match name {
            "ArgMax" | "ArgMin" => {
                let last = "select_last_index".to_owned();
                let edits = match version.attribute(&last) {
                    Some(_) => {
                        vec![Edit::Attribute { name: last, from: None, to: To::Changed(Change::Inverted) }]
                    }
                    None => vec![
                        Edit::Version(13),
                        Edit::Attribute {
                            name: last,
                            from: None,
                            to: To::Value(plumbline_tensor::Tensor::from_i64(1)),
                        },
                    ],
                };
                self.add(kind, "ties-to-the-other-end", edits);
            }
            "TopK" | "Hardmax" => {
                let output = |name: &str| version.output(name).map(|o| o.name.clone());
                let (indices, back) = (output("Indices"), output("output"));
                let input = version.inputs.first().map(|i| i.name.clone()).unwrap_or_default();
                self.add(kind, "ties-to-the-other-end", vec![Edit::Mirrored { input, indices, back }]);
            }
            _ => {}
        }
    }

    /// Adds mutants that exchange outputs, and mutants that reorder the elements of each output.
    fn order(&mut self, version: &OperatorVersion) {
        for pair in version.outputs.windows(2) {
            let (a, b) = (&pair[0].name, &pair[1].name);
            let swap = Edit::Swap(a.clone(), b.clone());
            self.add(MutantKind::Order, format!("outputs-{a}-and-{b}-swapped"), vec![swap]);
        }
        for (name, change) in
            [("transposed", Change::Transposed), ("shifted", Change::Shifted), ("reversed", Change::Reversed)]
        {
            self.add(MutantKind::Order, format!("outputs-{name}"), outputs(change));
        }
    }
}
