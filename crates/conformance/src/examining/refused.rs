//! Checks the refusals of negative cases, and of valid cases that a rule lets backends refuse, by what the backend does
//! with their twins.

use plumbline_backend::Observation;
use plumbline_graph::{Refusal, RefusalKind};
use plumbline_judge::{FailKind, Judgement, Reason, ReasonKind, Verdict, message};

use crate::cases::twin::Twin;
use crate::results::CaseResult;

/// Returns whether a refusal did not count because the backend does not answer the case's twin.
pub(crate) fn is_unjudged(result: &CaseResult) -> bool {
    result.verdict == Verdict::Unsupported && result.reason == Some(ReasonKind::TwinNotAnswered)
}

/// Returns whether a negative case passes with this observation, unless its twin shows otherwise.
pub(crate) fn is_a_refusal(observation: &Observation) -> bool {
    matches!(observation, Observation::Refused { refusal, .. }
        if !matches!(refusal.kind, RefusalKind::Unsupported | RefusalKind::DeviceLost))
}

/// Returns the judgement of a refused valid case in view of its settled twin. `judgement` is latitude, because a rule
/// lists a refusal. The rule excuses the refusal only if the backend answers the twin. If the backend refuses the twin in
/// the same words, although no rule lets it, it did not refuse the case because of the rule. If it does not answer the
/// twin for another reason, nothing shows why it refused the case, which is unsupported then.
pub(crate) fn weigh_excuse(judgement: Judgement, refused: &Refusal, twin: &Twin, answer: &Observation) -> Judgement {
    match answer {
        _ if judgement.verdict != Verdict::Latitude => judgement,
        Observation::Outputs { .. } => judgement,
        Observation::Refused { refusal, .. } if message::is_alike(refused, refusal) => {
            let (text, change) = (refused.to_string(), twin.change.clone());
            let class = message::class(&text);
            let reason = Reason::NotExcused { change, found: Box::new(text.into()) };
            Judgement::fail(FailKind::from(refused.kind), class, reason, judgement.seconds)
        }
        _ => unanswered(judgement, twin, answer),
    }
}

/// Returns the judgement of a refused negative case in view of its twin. If the backend answered the twin, the refusal
/// is a pass, whatever the answer was: wrong values are the concern of positive cases. Otherwise the case is
/// unsupported, because nothing shows that the backend refused it for its violation.
pub(crate) fn weigh_refusal(judgement: Judgement, twin: &Twin, observation: &Observation) -> Judgement {
    match observation {
        _ if judgement.verdict != Verdict::Pass => judgement,
        Observation::Outputs { .. } => {
            judgement.because(|found| Reason::TwinAnswered { change: twin.change.clone(), found })
        }
        _ => unanswered(judgement, twin, observation),
    }
}

/// Returns the judgement of a refusal that does not count, because the backend does not answer the twin.
fn unanswered(judgement: Judgement, twin: &Twin, observation: &Observation) -> Judgement {
    let found = match observation {
        Observation::Outputs { .. } => return judgement,
        Observation::Refused { refusal, .. } => format!("is refused too: {refusal}"),
        Observation::Crash { detail } => format!("makes the backend crash: {detail}"),
        Observation::Timeout { after } => format!("has no answer within {} s", after.as_secs_f64()),
        Observation::Garbage { detail, .. } => format!("gets an unusable reply: {detail}"),
        Observation::NotRun { reason } => format!("was not run: {reason}"),
    };
    let reason = Reason::TwinNotAnswered { change: twin.change.clone(), found: Box::new(found.into()) };
    Judgement { verdict: Verdict::Unsupported, class: String::new(), reason, ..judgement }
}
