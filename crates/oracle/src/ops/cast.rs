use plumbline_spec::TypeStr;
use plumbline_tensor::RoundMode;

use crate::families::cast as conversion;
use crate::prelude::*;

/// Every Cast: `to` is one of the types of the version (`to-type-allowed`), by name in Cast-1, by number from 6 on; for float8e8m0 `round_mode` is
/// one of three (`round-mode-known`). 9 adds strings, 13 says what becomes of what does not fit, 19 adds 8-bit floats, 24 float8e8m0 and changes the
/// table of saturation. Behaviours: see the conversions.
pub fn cast(call: &Call) -> Answer {
    let name = match call.since() {
        1 => DType::ALL.into_iter().find(|d| Some(d.name().to_uppercase()) == call.optional_string("to")),
        _ => DType::from_code(call.int("to")?),
    };
    let allowed = call.version().types.get("T2");
    let to = name.filter(|&to| allowed.is_some_and(|types| types.contains(&TypeStr::Tensor(to))));
    let to = to.ok_or_else(|| Refusal::violates(rule::TO_TYPE_ALLOWED, "`to` is no type this version converts to"))?;
    one(conversion::cast(call.tensor("input")?, settings(call, to, rule::ROUND_MODE_KNOWN)?)?)
}

/// What the attributes ask for; `label` is the constraint on `round_mode`, which counts for float8e8m0 only.
pub fn settings(call: &Call, to: DType, label: Label) -> Result<conversion::Cast, Refusal> {
    let name = call.optional_string("round_mode").filter(|_| to == DType::Float8e8m0);
    let round_mode = match &name {
        Some(name) => {
            RoundMode::from_name(name).ok_or_else(|| Refusal::violates(label, format!("`round_mode` is `{name}`")))?
        }
        None => RoundMode::Up,
    };
    Ok(conversion::Cast { since: call.since(), to, saturate: call.optional_int("saturate") != Some(0), round_mode })
}
