//! The readings of rules. Some rules leave open the shape of an output, or the values of several elements that depend
//! on each other. Such a rule has several readings, and each reading gives one whole answer. The oracle runs a model
//! once for each reading.

use std::cell::RefCell;

use plumbline_spec::OperatorId;

use super::NamedRule;
use super::operand::Operand;
use crate::Label;

/// A whole answer of a model that a rule allows besides the preferred one.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The rule.
    pub rule: NamedRule,
    /// One operand for each output of the model.
    pub outputs: Vec<Operand>,
}

/// The largest number of readings of a model, all rules together.
const MOST: usize = 16;

/// A rule with several readings that a node asked for: the operator version, the rule, and the number of its readings.
type Rule = (OperatorId, Label, usize);

/// The reading in which a model is run, by its index (0 is the preferred one). The rules that nodes ask for each have a
/// digit of the index, in the order in which they are first asked for, so that every combination of their readings has
/// an index.
#[derive(Debug, Default)]
pub struct Readings {
    current: usize,
    rules: RefCell<Vec<Rule>>,
}

impl Readings {
    /// Returns the reading with the index `current`; 0 is the preferred one.
    pub(super) fn numbered(current: usize) -> Readings {
        Readings { current, ..Readings::default() }
    }

    /// Returns the index of the reading that a node with `count` readings has to take.
    pub(super) fn take(&self, operator: &OperatorId, label: Label, count: usize) -> usize {
        let mut rules = self.rules.borrow_mut();
        let at = rules.iter().position(|(known, rule, _)| known == operator && *rule == label).unwrap_or(rules.len());
        if at == rules.len() {
            rules.push((operator.clone(), label, count));
        }
        rules[at].2 = rules[at].2.max(count);
        self.digit(&rules, at).min(count.saturating_sub(1))
    }

    /// Returns the digit of the rule at this position.
    fn digit(&self, rules: &[Rule], at: usize) -> usize {
        let before: usize = rules[..at].iter().map(|(.., count)| (*count).max(1)).product();
        self.current / before % rules[at].2.max(1)
    }

    /// Returns how many readings there are besides the preferred one. Some are left out if there are too many.
    pub(super) fn others(&self) -> usize {
        let all = self.rules.borrow().iter().map(|(.., count)| (*count).max(1)).fold(1, usize::saturating_mul);
        all.min(MOST) - 1
    }

    /// Returns the first rule that has another reading than the preferred one here.
    pub(super) fn rule(&self) -> Option<NamedRule> {
        let rules = self.rules.borrow();
        let at = (0..rules.len()).find(|&at| self.digit(&rules, at) > 0)?;
        Some(NamedRule::new(&rules[at].0, rules[at].1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumbline_spec::rule;

    #[test]
    fn every_combination_of_two_rules_is_a_reading() {
        let (one, other) = (OperatorId::new("ai.onnx", "A", 1), OperatorId::new("ai.onnx", "B", 1));
        let take =
            |readings: &Readings| [readings.take(&one, rule::CEIL_MODE, 2), readings.take(&other, rule::CEIL_MODE, 3)];
        let preferred = Readings::default();
        assert_eq!((take(&preferred), preferred.others(), preferred.rule()), ([0, 0], 5, None));
        let all: Vec<[usize; 2]> = (0..6).map(|number| take(&Readings::numbered(number))).collect();
        assert_eq!(all, [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [1, 2]]);
        let second = Readings::numbered(2);
        take(&second);
        assert_eq!(second.rule(), Some(NamedRule::new(&other, rule::CEIL_MODE)));
    }
}
