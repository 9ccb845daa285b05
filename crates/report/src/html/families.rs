//! Groups operators into families. The matrix folds the rows of a family, and failures in different families count as
//! different causes.

use plumbline_spec::{Domain, Operator};

/// The family of graphs of several operators, and of operators that name no family in a domain that has some.
pub(super) const OTHERS: &str = "others";

/// Returns the family of an operator, which its rules name. A domain without families is one.
pub(super) fn family(domain: &str, operator: Option<&Operator>) -> String {
    let named = operator.and_then(|operator| operator.rules.as_ref()?.family.clone());
    let has_families = Domain::find(domain).is_some_and(|domain| !domain.families.is_empty());
    named.unwrap_or_else(|| if has_families || domain == "graphs" { OTHERS } else { domain }.to_owned())
}

/// Returns the position of a family on the page.
pub(super) fn order(family: &str) -> (usize, &str) {
    let mut known = Domain::all().iter().flat_map(|domain| &domain.families);
    let unknown = if family == OTHERS { usize::MAX } else { usize::MAX - 1 };
    (known.position(|name| name == family).unwrap_or(unknown), family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_of_the_specification_have_families() {
        let spec = plumbline_spec::Spec::embedded();
        let named = |domain: &str, name: &str| family(domain, spec.operator(domain, name));
        assert_eq!(named("ai.onnx", "ConstantOfShape"), "constants and random numbers");
        assert_eq!(named("ai.onnx", "ConvInteger"), "convolution");
        assert_eq!(named("ai.onnx.ml", "Scaler"), "ai.onnx.ml");
        assert_eq!((named("", "model"), named("ai.onnx", "NoSuch")), (OTHERS.to_owned(), OTHERS.to_owned()));
        assert!(order("arithmetic") < order("ai.onnx.ml") && order("ai.onnx.ml") < order(OTHERS));
        assert!(order("arithmetic") < order("activations"));
    }
}
