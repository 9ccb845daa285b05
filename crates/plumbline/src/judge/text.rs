//! A judgement as text for people.

use std::fmt::Write;

use plumbline_conformance::model::{
    Incomplete, ModelJudgement, NodeJudgement, NodeOutcome, OutputJudgement, Parting, Traced,
};
use plumbline_conformance::{FailKind, Reason, Scalar, Verdict, inaccuracy};

use crate::colour::{Colour, Paint};

/// The largest number of elements that are shown for an output of a node, if the node depends on a wrong node.
const MOST_LATER: usize = 3;

/// Returns the judgement of an answer.
pub fn judgement(judgement: &ModelJudgement) -> String {
    let mut text = String::new();
    answer(&mut text, judgement);
    shown(&text)
}

/// Returns the judgement of a backend that ran the model.
pub fn traced(traced: &Traced) -> String {
    let mut text = format!("backend  {}\n", traced.backend);
    answer(&mut text, &traced.judgement);
    if traced.runs > 0 {
        let (runs, s) = (traced.runs, plural(traced.runs));
        let _ = writeln!(
            text,
            "note     the model ran {runs} more time{s} with intermediate values as outputs, which changes what a \
             runtime may fuse; the verdict on the outputs comes from the run of the unchanged model",
        );
    }
    if !traced.answered && !traced.values.is_empty() {
        text.push_str(
            "note     the backend did not answer the model as it is, but only with intermediate values as outputs\n",
        );
    }
    if !traced.changed_outputs.is_empty() {
        let names = traced.changed_outputs.join(", ");
        let _ = writeln!(text, "note     with intermediate values as outputs, these outputs have other bits: {names}");
    }
    // Many values may be missing for one reason.
    for omitted in traced.omitted.chunk_by(|(_, reason), (_, next)| reason == next) {
        let names: Vec<&str> = omitted.iter().map(|(name, _)| name.as_str()).collect();
        let _ = writeln!(text, "omitted  {}: {}", names.join(", "), omitted[0].1);
    }
    shown(&text)
}

/// Returns where the values of two backends first differ.
pub fn parting(first: &Traced, second: &Traced, parting: Option<&Parting>) -> String {
    let mut text = String::new();
    let Some(parting) = parting else {
        let both = first.values.keys().filter(|name| second.values.contains_key(*name)).count();
        let _ = writeln!(text, "parting  none: the {both} values that both backends gave have the same bits");
        return text;
    };
    let _ = writeln!(text, "parting  {}", parting.node);
    let place = match &parting.index {
        Some(index) => format!("{}{index:?}", parting.value),
        None => parting.value.clone(),
    };
    let width = first.backend.len().max(second.backend.len());
    let _ = writeln!(text, "  {:width$}  {place} is {}", first.backend, parting.first);
    let _ = writeln!(text, "  {:width$}  {place} is {}", second.backend, parting.second);
    if parting.index.is_some() {
        let most = parting.max_ulp.map(|ulp| format!(", by up to {ulp} ULP")).unwrap_or_default();
        let _ = writeln!(text, "  {} of {} elements differ{most}", parting.differing, parting.elements);
    }
    for traced in [first, second] {
        let node = traced.judgement.nodes.get(parting.node.index);
        let verdict = match node.map(|node| (&node.outcome, node.verdict())) {
            Some((_, Some(Verdict::Pass | Verdict::Latitude))) => "accepted there",
            Some((_, Some(_))) => "wrong there",
            _ => "not judged there",
        };
        let _ = writeln!(text, "  {} is {verdict}", traced.backend);
    }
    shown(&text)
}

fn answer(text: &mut String, judgement: &ModelJudgement) {
    let _ = writeln!(text, "judged   by the accuracy table {}", judgement.accuracy);
    if let Some(reason) = &judgement.by_nodes {
        let _ = writeln!(text, "note     each output is judged only by the node that computes it: {reason}");
    }
    for output in &judgement.outputs {
        text.push_str("output   ");
        value(text, output, usize::MAX);
    }
    if !judgement.nodes.is_empty() {
        nodes(text, judgement);
    }
    if !judgement.unknown_values.is_empty() {
        let names = judgement.unknown_values.join(", ");
        let _ = writeln!(text, "ignored  values that the model does not have: {names}");
    }
    if let Some(Incomplete { judged, nodes }) = judgement.incomplete {
        let _ = writeln!(text, "note     not complete: {judged} of {nodes} nodes were judged before the work ended");
    }
    let _ = writeln!(text, "verdict  {}", verdict(judgement.verdict, judgement.kind));
    if let Some(detail) = &judgement.detail {
        let _ = writeln!(text, "because  {detail}");
    }
}

/// Writes a line for a value. Below it, describes at most `most` of its elements.
fn value(text: &mut String, output: &OutputJudgement, most: usize) {
    let judgement = &output.judgement;
    let kind = match (&output.shape, output.kind.dtype()) {
        (Some(shape), Some(dtype)) => format!("{dtype}{shape:?}"),
        _ => output.kind.to_string(),
    };
    let _ = write!(text, "{} {kind}: {}", output.name, verdict(judgement.verdict, judgement.kind));
    if output.wrong > 0 {
        let _ = write!(text, ", {} wrong element{}", output.wrong, plural(output.wrong));
        if let Reason::Inaccurate { by, error, .. } = &judgement.reason {
            let _ = write!(text, "; {}", inaccuracy(*by, *error));
        }
    } else if judgement.verdict == Verdict::Fail {
        let _ = write!(text, ", {}", judgement.detail().as_deref().unwrap_or("wrong"));
    }
    if let (Some(distance), Some(width)) = (judgement.max_ulp, judgement.width_ulp.filter(|width| *width > 0.0)) {
        let (distance, width) = (ulp(distance), ulp(width));
        let _ =
            write!(text, "; up to {distance} from the exact answer, and the widest accepted interval is {width} wide");
    }
    if let Some(note) = judgement.note_on_accuracy() {
        let _ = write!(text, "; {note}");
    }
    text.push('\n');
    for element in output.elements.iter().take(most) {
        let items: String = element.item.iter().map(|at| format!("[{at}]")).collect();
        let found = scalar(&element.found);
        let _ = write!(text, "  {}{items}{:?} is {found}, {}", output.name, element.index, element.accepted);
        match (element.rule, element.ulp) {
            (Some(rule), _) => {
                let _ = writeln!(text, " (rule {rule})");
            }
            (None, Some(distance)) if distance > 0.0 => {
                let _ = writeln!(text, "; {} away", ulp(distance));
            }
            _ => text.push('\n'),
        }
    }
    let listed = output.elements.iter().take(most).filter(|element| !element.is_latitude).count();
    if output.wrong > listed {
        let more = output.wrong - listed;
        let _ = writeln!(text, "  and {more} more wrong element{}", plural(more));
    }
}

/// Writes how many nodes were judged, and a line for each node except constants and nodes that simply pass.
fn nodes(text: &mut String, judgement: &ModelJudgement) {
    let count = |wanted: &dyn Fn(&NodeJudgement) -> bool| judgement.nodes.iter().filter(|node| wanted(node)).count();
    let judged = count(&|node| node.verdict().is_some());
    let inaccurate = count(&NodeJudgement::is_inaccurate);
    let wrong = count(&NodeJudgement::is_wrong) - inaccurate;
    let _ = write!(text, "nodes    {}: {judged} judged, {wrong} wrong", judgement.nodes.len());
    text.push_str(&if inaccurate > 0 { format!(", {inaccurate} inaccurate\n") } else { "\n".to_owned() });
    let first = judgement.first_at_fault().map(|node| node.node.index);
    if first.is_none() && judgement.verdict == Verdict::Fail && judged > 0 {
        text.push_str("note     no judged node is wrong on its own inputs, so the intermediate values do not explain the wrong outputs\n");
    }
    for node in &judgement.nodes {
        let place = &node.node;
        let earlier: Vec<String> = node.after_wrong.iter().map(ToString::to_string).collect();
        let is_inaccurate = |at: &usize| judgement.nodes.get(*at).is_some_and(NodeJudgement::is_inaccurate);
        let how = if node.after_wrong.iter().all(is_inaccurate) { "inaccurate" } else { "wrong" };
        let earlier = format!("{how} node{} {}", plural(earlier.len()), earlier.join(", "));
        match &node.outcome {
            NodeOutcome::NotJudged { reason, is_late: false } if reason != "a constant" => {
                let _ = writeln!(text, "{place}: not judged, {reason}");
            }
            NodeOutcome::NotJudged { .. } => {}
            NodeOutcome::Judged { verdict: found, kind, outputs, .. } => {
                let fault = if node.is_inaccurate() { "inaccurate" } else { "wrong" };
                let is_noted = |output: &OutputJudgement| output.judgement.note_on_accuracy().is_some();
                let is_accurate = !outputs.iter().any(is_noted);
                let is_plain = *found == Verdict::Pass && node.after_wrong.is_empty() && is_accurate;
                if is_plain && node.together_with.is_empty() {
                    continue;
                }
                let said = match (node.is_wrong(), Some(place.index) == first) {
                    (true, true) if node.is_inaccurate() => ", the first that is inaccurate".to_owned(),
                    (true, true) => ", the first to go wrong".to_owned(),
                    (true, false) if node.after_wrong.is_empty() => format!(", {fault} by itself"),
                    (true, false) => format!(", {fault} by itself, and its inputs also depend on {earlier}"),
                    (false, _) if node.after_wrong.is_empty() => String::new(),
                    (false, _) => format!(" on its own inputs, which depend on {earlier}"),
                };
                let _ = writeln!(text, "{place}: {}{said}", verdict(*found, *kind));
                if !node.together_with.is_empty() {
                    let names: Vec<String> = node.together_with.iter().map(|n| n.index.to_string()).collect();
                    let (s, names) = (plural(names.len()), names.join(", "));
                    let _ = writeln!(text, "  together with node{s} {names}, whose values are not given");
                }
                let is_shown = |o: &&OutputJudgement| o.judgement.verdict != Verdict::Pass || is_noted(o);
                for output in outputs.iter().filter(is_shown) {
                    text.push_str("  ");
                    value(text, output, if node.after_wrong.is_empty() { usize::MAX } else { MOST_LATER });
                }
            }
        }
    }
}

/// Returns a verdict in words. An answer that is inaccurate, and not wrong, is told apart.
fn verdict(verdict: Verdict, kind: Option<FailKind>) -> String {
    match kind {
        Some(kind @ FailKind::Inaccurate) => format!("{verdict} ({})", kind.name()),
        _ => verdict.to_string(),
    }
}

/// Returns a distance in ULP, rounded for people.
fn ulp(distance: f64) -> String {
    let rounded = (distance * 100.0).round() / 100.0;
    match distance {
        d if d > 0.0 && d < 0.01 => "less than 0.01 ULP".to_owned(),
        d if d < 1e15 => format!("{rounded} ULP"),
        _ => format!("{distance:.3e} ULP"),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn scalar(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Float(x) => format!("{x:?}"),
        Scalar::Int(x) => x.to_string(),
        Scalar::Complex(real, imaginary) => format!("({real:?}, {imaginary:?})"),
        Scalar::Text(text) => format!("{text:?}"),
    }
}

/// Returns the text for the terminal. Control characters are escaped, because the names in the text come from the model
/// and could move the cursor. Lines about a failure or a crash are red.
fn shown(text: &str) -> String {
    let paint = Paint::stdout();
    let line = |line: &str| {
        let plain: String =
            line.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect();
        let is_wrong = [": fail", "verdict  fail", "verdict  crash"].iter().any(|sign| plain.contains(sign));
        (if is_wrong { paint.paint(Colour::Red, &plain) } else { plain }) + "\n"
    };
    text.lines().map(line).collect()
}
