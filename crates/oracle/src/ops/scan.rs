use crate::families::iteration::Gathered;
use crate::families::sequence::{stacked, taken};
use crate::prelude::*;

/// Runs a graph once per step along its scanned inputs. States pass from one step to the next; all other outputs are
/// collected.
///
/// In version 8, states and scanned inputs begin with a batch dimension, and the second dimension of scanned inputs is
/// the sequence. From version 9 on, there is no batch, and any axis may be scanned; from version 11 on, axes may be
/// negative. Versions 16, 19, 21, 23, 24 and 25 add types. The body can read the values of the graphs around it
/// (`scope`). The last `num_scan_inputs` inputs are scanned (`num-scan-inputs-fits`), and the scanned extents are equal
/// (`scan-lengths-equal`).
pub fn scan(call: &Call) -> Answer {
    let first = if call.since() < 9 { 1 } else { 0 };
    let given = call.operands().iter().skip(first);
    let inputs = given.map(|i| i.as_ref().ok_or_else(|| Refusal::invalid("an input is missing"))?.tensor());
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let m = call.int("num_scan_inputs")?;
    let m = usize::try_from(m).ok().filter(|m| (1..=inputs.len()).contains(m));
    let m = m.ok_or_else(|| {
        Refusal::violates(
            rule::NUM_SCAN_INPUTS_FITS,
            format!("`num_scan_inputs` is not between 1 and {}, the number of inputs", inputs.len()),
        )
    })?;
    let n = inputs.len() - m;
    let body = call.graph("body")?;
    // The body has as many inputs and outputs as the node, `sequence_lens` not counted (`body-fits-node`).
    if body.input.len() != n + m || body.output.len() < n || body.output.len() != call.output_count() {
        let message = format!(
            "the body has {} inputs and {} outputs, which do not fit the node with {n} state variables",
            body.input.len(),
            body.output.len()
        );
        return Err(Refusal::violates(rule::BODY_FITS_NODE, message));
    }
    let (states, scanned) = inputs.split_at(n);
    if call.since() < 9 { batches(call, states, scanned) } else { single(call, states, scanned) }
}

/// The result of one run over a sequence.
struct Run {
    states: Vec<Operand>,
    gathered: Vec<Gathered>,
}

/// Runs the body for `length` steps. `part` returns the part of a scanned input at a step. States and collected values
/// keep their shapes (`iteration-shapes-equal`).
fn steps(
    call: &Call,
    mut states: Vec<Operand>,
    scanned: usize,
    length: usize,
    part: impl Fn(usize, usize) -> Result<Expected, Refusal>,
) -> Result<Run, Refusal> {
    let n = states.len();
    let mut gathered = vec![Gathered::default(); call.graph("body")?.output.len() - n];
    for step in 0..length {
        let mut inputs = states.clone();
        for which in 0..scanned {
            inputs.push(part(which, step)?.into());
        }
        let mut outputs = call.run_graph("body", &inputs)?.into_iter();
        states = outputs.by_ref().take(n).collect();
        for (before, after) in inputs.iter().zip(&states) {
            let same = before.kind() == after.kind() && before.tensor()?.shape() == after.tensor()?.shape();
            if !same {
                return Err(Refusal::violates(
                    rule::ITERATION_SHAPES_EQUAL,
                    "a state variable changes its type or shape",
                ));
            }
        }
        for (gathered, value) in gathered.iter_mut().zip(outputs) {
            gathered.push(&value, rule::ITERATION_SHAPES_EQUAL)?;
        }
    }
    Ok(Run { states, gathered })
}

/// Reads a list of flags, 0 or 1 (`directions-known`), one per scanned input or collected output
/// (`lists-fit-scan-inputs`). All flags default to 0.
fn directions(call: &Call, name: &str, count: usize) -> Result<Vec<bool>, Refusal> {
    let flags = list(call, name, count)?;
    match flags.iter().find(|f| !matches!(f, 0 | 1)) {
        Some(other) => {
            Err(Refusal::violates(rule::DIRECTIONS_KNOWN, format!("`{name}` contains {other}, expected 0 or 1")))
        }
        None => Ok(flags.iter().map(|&f| f == 1).collect()),
    }
}

fn list(call: &Call, name: &str, count: usize) -> Result<Vec<i64>, Refusal> {
    let values = call.optional_int_list(name).unwrap_or_else(|| vec![0; count]);
    if values.len() != count {
        return Err(Refusal::violates(
            rule::LISTS_FIT_SCAN_INPUTS,
            format!("`{name}` has {} values, expected {count}", values.len()),
        ));
    }
    Ok(values)
}

/// Checks an axis (`axes-in-range`). From version 11 on, it may count from the end.
fn axis(call: &Call, axis: i64, rank: usize) -> Result<usize, Refusal> {
    Ok(shape::axes_within(&[axis], rank, call.since() >= 11, rule::AXES_IN_RANGE)?[0])
}

fn single(call: &Call, states: &[&Expected], scanned: &[&Expected]) -> Answer {
    let axes = list(call, "scan_input_axes", scanned.len())?;
    let axes = axes.iter().zip(scanned).map(|(&a, x)| axis(call, a, x.rank())).collect::<Result<Vec<_>, _>>()?;
    let length = equal("lengths of the scan inputs", scanned.iter().zip(&axes).map(|(x, &axis)| x.extent(axis)))?;
    let backwards = directions(call, "scan_input_directions", scanned.len())?;
    let initial = states.iter().map(|&s| s.clone().into()).collect();
    let outputs = call.graph("body")?.output.len() - states.len();
    let (output_axes, prepends) =
        (list(call, "scan_output_axes", outputs)?, directions(call, "scan_output_directions", outputs)?);
    let run = steps(call, initial, scanned.len(), length, |which, step| {
        taken(scanned[which], axes[which], if backwards[which] { length - 1 - step } else { step })
    })?;
    let mut answer = run.states;
    for (k, gathered) in run.gathered.iter().enumerate() {
        let declared = call.graph("body")?.output.get(states.len() + k);
        let declared_rank = declared.and_then(crate::families::iteration::static_type).map(|(_, s)| s.len());
        // With zero steps, the output has the type and rank that the body declares (`no-iterations`).
        let rank = gathered.rank().or(declared_rank);
        let rank = rank.ok_or_else(|| {
            Refusal::leaves_open(
                rule::NO_ITERATIONS,
                "there is no iteration, and the body does not declare the shape of an output",
            )
        })?;
        let axis = axis(call, output_axes[k], rank + 1)?;
        answer.push(gathered.output(axis, prepends[k], declared, rule::NO_ITERATIONS)?.into());
    }
    Ok(answer)
}

/// Checks that all extents are equal (`scan-lengths-equal`), and returns their value. `what` names the extents in the
/// message.
fn equal(what: &str, mut extents: impl Iterator<Item = usize>) -> Result<usize, Refusal> {
    let first = extents.next().unwrap_or(0);
    match extents.find(|&extent| extent != first) {
        Some(other) => {
            Err(Refusal::violates(rule::SCAN_LENGTHS_EQUAL, format!("the {what} differ: {first} and {other}")))
        }
        None => Ok(first),
    }
}

fn batches(call: &Call, states: &[&Expected], scanned: &[&Expected]) -> Answer {
    // All scanned inputs and states have the same batch extent, and all scanned inputs the same sequence extent
    // (`scan-lengths-equal`).
    if scanned.iter().any(|x| x.rank() < 2) || states.iter().any(|x| x.rank() < 1) {
        return Err(Refusal::violates(
            rule::SCAN_LENGTHS_EQUAL,
            "an input has no axis for the batch or for the sequence",
        ));
    }
    let batch = equal("batch sizes of the inputs", scanned.iter().chain(states).map(|x| x.extent(0)))?;
    let longest = equal("lengths of the scan inputs", scanned.iter().map(|x| x.extent(1)))?;
    let backwards = directions(call, "directions", scanned.len())?;
    let lengths = match call.optional_ints("sequence_lens")? {
        None => vec![longest; batch],
        Some(lengths) => {
            let shape = call.tensor("sequence_lens")?.shape();
            if shape != [batch] {
                return Err(Refusal::violates(
                    rule::SEQUENCE_LENS_SHAPE_FITS,
                    format!("`sequence_lens` has shape {shape:?}, expected [{batch}]"),
                ));
            }
            let within = |&l: &i64| usize::try_from(l).ok().filter(|&l| l <= longest);
            lengths.iter().map(within).collect::<Option<Vec<_>>>().ok_or_else(|| {
                Refusal::violates(
                    rule::SEQUENCE_LENS_IN_RANGE,
                    format!("`sequence_lens` is {lengths:?}, expected lengths in [0, {longest}]"),
                )
            })?
        }
    };
    if longest > 0 && lengths.contains(&0) {
        call.leaves_open(rule::EMPTY_SEQUENCE);
    }
    if backwards.contains(&true) && lengths.iter().any(|&l| l < longest) {
        return Err(Refusal::leaves_open(
            rule::BACKWARD_SHORT_SEQUENCE,
            "the specification does not say where a shorter sequence starts when it is scanned backwards",
        ));
    }
    let mut runs = Vec::new();
    for (at, &length) in lengths.iter().enumerate() {
        let initial = states.iter().map(|s| Ok(taken(s, 0, at)?.into())).collect::<Result<_, Refusal>>()?;
        runs.push(steps(call, initial, scanned.len(), length, |which, step| {
            let step = if backwards[which] { length - 1 - step } else { step };
            taken(&taken(scanned[which], 0, at)?, 0, step)
        })?);
    }
    let mut answer = Vec::new();
    for (state, &initial) in states.iter().enumerate() {
        let last = runs.iter().map(|run| run.states[state].tensor()).collect::<Result<Vec<_>, _>>()?;
        let empty = || one(initial.clone());
        answer.extend(if last.is_empty() { empty()? } else { one(stacked(&last, 0)?)? });
    }
    let outputs = call.graph("body")?.output.len() - states.len();
    for k in 0..outputs {
        let declared = call.graph("body")?.output.get(states.len() + k);
        let parts =
            runs.iter().map(|run| padded(&run.gathered[k], longest, declared)).collect::<Result<Vec<_>, _>>()?;
        if parts.is_empty() {
            return Err(Refusal::leaves_open(rule::NO_ITERATIONS, "the batch is empty, so that there is no iteration"));
        }
        if parts.iter().any(|part| part.shape() != parts[0].shape()) {
            return Err(Refusal::violates(
                rule::ITERATION_SHAPES_EQUAL,
                "the sequences of the batch give values of different shapes",
            ));
        }
        answer.push(stacked(&parts.iter().collect::<Vec<_>>(), 0)?.into());
    }
    Ok(answer)
}

/// Pads the collected values of a sequence to the extent of the sequence dimension. The padding is left open
/// (`beyond-sequence-length`).
fn padded(
    gathered: &Gathered,
    longest: usize,
    declared: Option<&plumbline_tensor::onnx::ValueInfoProto>,
) -> Result<Expected, Refusal> {
    let values = gathered.output(0, false, declared, rule::NO_ITERATIONS)?;
    let mut shape = values.shape().to_vec();
    shape[0] = longest;
    let known = values.len();
    let fill = Expected::from(Tensor::zeros(values.dtype(), vec![])?);
    shape::affordable(&shape)?;
    let padded = Expected::assembled(shape, &[&values, &fill], |i| if i < known { (0, i) } else { (1, 0) })?;
    Ok(if gathered.len() < longest {
        padded.undecided_where(rule::BEYOND_SEQUENCE_LENGTH, |i| i >= known)
    } else {
        padded
    })
}
