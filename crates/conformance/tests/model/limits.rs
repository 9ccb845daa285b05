//! Judges models that exceed a limit of the oracle as a whole, and not node by node.

use plumbline_conformance::Verdict;
use plumbline_conformance::model::{ModelJudgement, Values, judge_with_values};
use plumbline_oracle::Oracle;
use plumbline_tensor::{Model, Value};

use crate::{graph, ints, run};

#[test]
fn the_limits_of_the_oracle_apply_to_each_node_alone() {
    let model = graph("g (int64[1] n) => (float[m] y) { a = ConstantOfShape (n)  b = Neg (a)  y = Abs (b) }");
    let small = Oracle::default().with_most_elements(70);
    let inputs = [ints(&[40])];
    let values = run(&model, &inputs, |_, value| value).unwrap();
    let outputs = [values["y"].clone()];
    let judgement = judge_with_values(&small, &model, &inputs, &outputs, &Values::from(values)).unwrap();
    assert_eq!(judgement.verdict, Verdict::Pass);
    assert!(judgement.by_nodes.unwrap().contains("needed at the same time"));
}

/// Returns how many steps each node takes.
fn steps(model: &Model, inputs: &[Value]) -> Vec<u64> {
    Oracle::default().evaluate(model, inputs).unwrap().steps
}

#[test]
fn nodes_that_take_too_many_steps_are_not_computed_again_from_the_inputs() {
    let model = graph(
        r#"g (int64[1] n) => (float[m] y) {
            k = Neg (n)
            a = ConstantOfShape (k)
            b = Neg (a)
            y = Abs (b)
        }"#,
    );
    let judged = |most: u64, k: i64| -> ModelJudgement {
        let inputs = [ints(&[-40])];
        let change = |name: &str, value: Value| if name == "k" { ints(&[k]) } else { value };
        let values = run(&model, &inputs, change).unwrap();
        let (outputs, oracle) = ([values["y"].clone()], Oracle::default().with_most_steps(most));
        judge_with_values(&oracle, &model, &inputs, &outputs, &Values::from(values)).unwrap()
    };
    let few = steps(&model, &[ints(&[-40])]);
    let right = judged(few.iter().sum(), 40);
    assert_eq!((right.verdict, right.by_nodes), (Verdict::Pass, None));
    let right = judged(few.iter().sum::<u64>() - 1, 40);
    assert_eq!(right.verdict, Verdict::Pass);
    assert!(right.by_nodes.is_some_and(|why| why.contains("at node 3 (Abs-13)") && why.contains("the steps")));
    // From the inputs on, the oracle would take few steps; with the wrong extent the last node takes too many.
    let many = steps(&model, &[ints(&[-4000])]);
    let wrong = judged(many.iter().sum::<u64>() - 1, 4000);
    assert_eq!(wrong.first_wrong().map(|node| node.node.index), Some(0));
    assert!(wrong.by_nodes.is_some_and(|why| why.contains("at node 3 (Abs-13)")));
}
