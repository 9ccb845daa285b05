//! A valid case that a backend does not support is a failure if the backend claims to support it, and only then.

use std::time::Duration;

use plumbline_backend::{Local, Profile, Runner};
use plumbline_conformance::{FailKind, PreparedCase, Selection, Subject, Verdict, examine_one, right};
use plumbline_generator::cells;
use plumbline_graph::Refusal;
use plumbline_oracle::Oracle;

use crate::twisted;
use crate::twisted::Twisted;

/// Judges a valid and an invalid case of `Add` on a backend that supports nothing, but claims to support `claims`.
fn judged(claims: Option<Selection>) -> [(Verdict, Option<FailKind>, Option<String>); 2] {
    let open = || {
        let twist = |_: &_| -> twisted::Twist { Box::new(|_, _| Err(Refusal::unsupported("Add of floats"))) };
        Ok(Box::new(Local::new(Twisted::boxed(Profile::default(), twist))) as Box<dyn Runner>)
    };
    let mut subject = Subject::start("twisted", Box::new(open)).unwrap();
    subject.claims = claims;
    let cell = cells().into_iter().find(|cell| cell.to_string() == "Add-14/T=float").unwrap();
    let rule = cell.negatives()[0];
    [None, Some(rule)].map(|violates| {
        let case = cell.case(violates, 0, 0).unwrap();
        let right = right(&Oracle::default(), &case).unwrap();
        let prepared = PreparedCase::new(case, Some(&right));
        let judgement = examine_one(&subject, &prepared, &right, Duration::from_secs(60)).judgement().clone();
        (judgement.verdict, judgement.kind, judgement.detail())
    })
}

#[test]
fn what_a_backend_claims_has_to_be_supported() {
    let select = |operators: &[&str], dtypes: &[&str]| Some(Selection::new(operators, dtypes).unwrap());
    for claims in [None, select(&["Mul", "Add-7"], &[]), select(&[], &["int32"])] {
        assert_eq!(judged(claims).map(|judged| judged.0), [Verdict::Unsupported; 2]);
    }
    for claims in [select(&[], &[]), select(&["Add"], &[]), select(&["Add-14"], &["float"])] {
        let [(verdict, kind, detail), (invalid, ..)] = judged(claims);
        assert_eq!((verdict, kind), (Verdict::Fail, Some(FailKind::RejectsValid)));
        assert!(detail.unwrap().starts_with("the backend claims Add-14: "));
        // A claim is only about valid cases.
        assert_eq!(invalid, Verdict::Unsupported);
    }
}
