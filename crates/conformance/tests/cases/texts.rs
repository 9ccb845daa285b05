//! Cases that are invalid by the newest text of ONNX, and valid by the text of the release that a backend implements.

use plumbline_backend::Observation;
use plumbline_conformance::{FailKind, Right, Verdict, judge, right};
use plumbline_generator::cells;
use plumbline_graph::Refusal;
use plumbline_oracle::{Oracle, Policy};
use plumbline_spec::{Numerics, rule};
use plumbline_tensor::{Tensor, Value};

/// Before release 1.15, the `axis` of LayerNormalization-17 may be the rank.
#[test]
fn what_an_older_text_allows_may_be_answered_or_refused() {
    let numerics = Numerics { onnx: "1.14".parse().ok(), ..Numerics::default() };
    let reference = Oracle::new(Policy::new(&numerics).unwrap());
    let cell = cells().into_iter().find(|cell| cell.to_string() == "LayerNormalization-17/T=float").unwrap();
    let cases: Vec<_> = (0..24).filter_map(|index| cell.case(Some(rule::AXIS_IN_RANGE), index, 0)).collect();
    let mut allowed = 0;
    for case in &cases {
        let names = case.model.output_names();
        let wanted = right(&reference, case).unwrap();
        let judged = |observation: &Observation| judge(&wanted, &names, observation);
        let refused = Observation::Refused { refusal: Refusal::invalid("no"), seconds: 0.0 };
        assert_eq!(judged(&refused).verdict, Verdict::Pass);
        let answered = |values: Vec<Value>| judged(&Observation::Outputs { values, seconds: 0.0 });
        let nothing = answered(names.iter().map(|_| Value::Tensor(Tensor::from_i64(7))).collect());
        assert_eq!((nothing.verdict, nothing.kind), (Verdict::Fail, Some(FailKind::AcceptsInvalid)));
        let Right::ByRelease { right: older, .. } = &wanted else { continue };
        let Right::Outputs { operands, .. } = older.as_ref() else {
            panic!("{}: the older text gives no answer", case.id)
        };
        let judgement = answered(operands.iter().map(plumbline_oracle::Operand::to_value).collect());
        assert_eq!((judgement.verdict, judgement.class.as_str()), (Verdict::Latitude, "axis-behind-last"));
        assert!(matches!(right(&Oracle::default(), case), Ok(Right::Refusal(_))));
        allowed += 1;
    }
    assert!(allowed > 0 && allowed < cases.len(), "{allowed} of {} axes are the rank", cases.len());
}
