use plumbline_spec::TypeStr;
use plumbline_tensor::RoundMode;

use crate::families::cast as conversion;
use crate::prelude::*;

/// Converts each element to the type that `to` names.
///
/// `to` is the name of a type in version 1, and the number of a type in later versions. The version must be able to
/// convert to this type (`to-type-allowed`). Version 9 adds strings, version 13 defines what happens to integers that
/// do not fit, version 19 adds 8-bit floats, and version 24 adds float8e8m0 and changes the saturation table. For
/// float8e8m0, `round_mode` is one of three (`round-mode-known`); other types do not use it (`unused-round-mode`). The
/// behaviours of the conversions are named in [`families::cast`](crate::families::cast).
///
/// Values of `saturate` other than 0 and 1: `other-flag-values`.
pub fn cast(call: &Call) -> Answer {
    let name = match call.since() {
        1 => DType::ALL.into_iter().find(|d| Some(d.name().to_uppercase()) == call.optional_string("to")),
        _ => DType::from_code(call.int("to")?),
    };
    let allowed = call.version().types.get("T2");
    let to = name.filter(|&to| allowed.is_some_and(|types| types.contains(&TypeStr::Tensor(to))));
    let to =
        to.ok_or_else(|| Refusal::violates(rule::TO_TYPE_ALLOWED, "`to` is not a type that this version converts to"))?;
    one(conversion::cast(call.tensor("input")?, settings(call, to, rule::ROUND_MODE_KNOWN)?)?)
}

/// Reads the settings of a conversion from the attributes. `label` is the constraint on `round_mode`, which only
/// matters for float8e8m0.
pub fn settings(call: &Call, to: DType, label: Label) -> Result<conversion::Cast, Refusal> {
    let name = call.optional_string("round_mode");
    if to != DType::Float8e8m0 && name.as_ref().is_some_and(|name| RoundMode::from_name(name).is_none()) {
        call.leaves_open(rule::UNUSED_ROUND_MODE);
    }
    let name = name.filter(|_| to == DType::Float8e8m0);
    let round_mode = match &name {
        Some(name) => RoundMode::from_name(name).ok_or_else(|| {
            Refusal::violates(label, format!("`round_mode` is `{name}`, expected `up`, `down` or `nearest`"))
        })?,
        None => RoundMode::Up,
    };
    Ok(conversion::Cast { since: call.since(), to, saturate: call.flag_or_set("saturate"), round_mode })
}
