use plumbline_spec::TypeStr;
use plumbline_tensor::ValueKind;

use crate::families::sequence::sequence_of;
use crate::prelude::*;

/// Returns an empty sequence of float tensors, unless `dtype` names another type that the output may have
/// (`dtype-allowed`).
///
/// The only version is 11.
pub fn sequence_empty(call: &Call) -> Answer {
    let code = call.optional_int("dtype").unwrap_or(1);
    let dtype = DType::from_code(code);
    let allowed = |dtype: &DType| {
        let type_ = TypeStr::Sequence(Box::new(TypeStr::Tensor(*dtype)));
        call.version().outputs.first().is_some_and(|o| call.version().types_of(o).contains(&type_))
    };
    let dtype = dtype.filter(allowed);
    let dtype = dtype.ok_or_else(|| {
        Refusal::violates(rule::DTYPE_ALLOWED, format!("`dtype` is {code}, which is not a type of the output"))
    })?;
    sequence_of(&ValueKind::Tensor(dtype), vec![])
}
