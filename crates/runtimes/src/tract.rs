//! The [tract](https://docs.rs/tract-onnx) crate: another runtime in Rust. It is behind the feature `tract`, because it
//! has many dependencies.
//!
//! Models are loaded from their ONNX bytes and optimized, as tract's users do it, unless the optimizer is switched off.
//! If tract can make a plan for the extents that the model declares, this plan serves all runs. Otherwise each run gives
//! tract the types and shapes of its inputs, as a user of tract would, and tract makes a new plan whenever these types or
//! shapes change.

use std::sync::Arc;

use plumbline_tensor::{DType, Data, Model, Tensor, Value, ValueKind};
use tract_onnx::prelude::{
    DatumType, Framework, InferenceFact, InferenceModelExt, IntoRunnable, IntoTValue, TValue, TVec, TractError,
    TypedRunnableModel, tract_ndarray,
};
use tract_onnx::tract_hir::infer::InferenceModel;

use crate::{Backend, Identity, Prepared, Profile, Refusal, at_once};

/// The version of the tract crates that this crate is built with.
const VERSION: &str = "0.23.9";

/// Inputs that tract needs as constants when it infers a model's types. Each line names an operator and some of its
/// inputs.
const CONSTANT_INPUTS: &str = plumbline_python_data::TRACT_CONSTANT_INPUTS.1;

/// The tract crate as a backend.
pub struct Tract {
    is_optimized: bool,
    profile: Profile,
}

impl Tract {
    /// Returns tract with all its operators, with or without its graph optimizer.
    pub fn new(is_optimized: bool) -> Tract {
        let lines = CONSTANT_INPUTS.lines().filter(|line| !line.starts_with('#'));
        let constant = |line: &str| {
            let mut names = line.split_whitespace().map(str::to_owned);
            Some((names.next()?, names.collect()))
        };
        let constant_inputs = lines.filter_map(constant).collect();
        let profile = Profile { needs_worker: true, concurrent_runs: true, constant_inputs, ..Profile::of_cpu() };
        Tract { is_optimized, profile }
    }
}

impl Default for Tract {
    fn default() -> Tract {
        Tract::new(true)
    }
}

impl Backend for Tract {
    fn identity(&self) -> Identity {
        crate::identity("tract", VERSION, self.is_optimized)
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let bytes = model.to_bytes();
        let loaded = tract_onnx::onnx().model_for_read(&mut bytes.as_slice()).map_err(|error| refusal(&error))?;
        let kind_of = |o: &plumbline_tensor::onnx::ValueInfoProto| ValueKind::from_proto(o.r#type.as_ref()?);
        let kinds = model.graph().output.iter().map(kind_of).collect();
        let declared = plan(loaded.clone(), self.is_optimized).ok();
        let is_optimized = self.is_optimized;
        Ok(Box::new(TractPrepared { model: loaded, is_optimized, kinds, declared, last: None }))
    }
}

struct TractPrepared {
    model: InferenceModel,
    is_optimized: bool,
    /// The types that the model declares for its outputs.
    kinds: Vec<Option<ValueKind>>,
    /// The plan for the extents that the model declares, if tract can make one.
    declared: Option<Arc<TypedRunnableModel>>,
    /// The plan of the last run, with the types and shapes of the inputs that it was made for.
    last: Option<(Facts, Arc<TypedRunnableModel>)>,
}

type Facts = Vec<(DatumType, Vec<usize>)>;

fn plan(model: InferenceModel, is_optimized: bool) -> Result<Arc<TypedRunnableModel>, TractError> {
    let typed = if is_optimized { model.into_optimized() } else { model.into_typed() };
    typed?.into_runnable()
}

impl TractPrepared {
    /// Returns the plan for inputs of these types and shapes.
    fn plan_for(&mut self, facts: Facts) -> Result<Arc<TypedRunnableModel>, TractError> {
        if let Some(declared) = &self.declared {
            return Ok(declared.clone());
        }
        if let Some((same, last)) = &self.last
            && *same == facts
        {
            return Ok(last.clone());
        }
        let mut model = self.model.clone();
        for (at, (datum_type, shape)) in facts.iter().enumerate() {
            model.set_input_fact(at, InferenceFact::dt_shape(*datum_type, shape))?;
        }
        let plan = plan(model, self.is_optimized)?;
        self.last = Some((facts, plan.clone()));
        Ok(plan)
    }
}

impl Prepared for TractPrepared {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        let given = inputs.iter().map(to_tract).collect::<Result<Vec<_>, _>>()?;
        let facts = given.iter().map(|tensor| (tensor.datum_type(), tensor.shape().to_vec())).collect();
        let given: TVec<TValue> = given.into_iter().map(IntoTValue::into_tvalue).collect();
        let outputs = self.plan_for(facts).and_then(|plan| plan.run(given)).map_err(|error| refusal(&error))?;
        outputs.iter().zip(&self.kinds).map(|(value, kind)| from_tract(value, kind.as_ref())).collect()
    }

    fn run_at_once(&mut self, inputs: [&[Value]; 2]) -> Result<[Vec<Value>; 2], Refusal> {
        let (Some(plan), kinds) = (&self.declared, &self.kinds) else {
            return Err(Refusal::unsupported("tract has no plan that serves both runs"));
        };
        at_once(inputs, |inputs| {
            let given = inputs.iter().map(to_tract).collect::<Result<Vec<_>, _>>()?;
            let given: TVec<TValue> = given.into_iter().map(IntoTValue::into_tvalue).collect();
            let outputs = plan.run(given).map_err(|error| refusal(&error))?;
            outputs.iter().zip(kinds).map(|(value, kind)| from_tract(value, kind.as_ref())).collect()
        })
    }
}

/// Returns how tract stores an element type.
fn datum_type(dtype: DType) -> Result<DatumType, Refusal> {
    Ok(match dtype {
        DType::Bool => DatumType::Bool,
        DType::Uint8 => DatumType::U8,
        DType::Uint16 => DatumType::U16,
        DType::Uint32 => DatumType::U32,
        DType::Uint64 => DatumType::U64,
        DType::Int8 => DatumType::I8,
        DType::Int16 => DatumType::I16,
        DType::Int32 => DatumType::I32,
        DType::Int64 => DatumType::I64,
        DType::Float16 => DatumType::F16,
        DType::Float => DatumType::F32,
        DType::Double => DatumType::F64,
        _ => return Err(Refusal::unsupported(format!("tract has no storage for tensor({dtype})"))),
    })
}

fn to_tract(value: &Value) -> Result<tract_onnx::prelude::Tensor, Refusal> {
    let unsupported = || Refusal::unsupported(format!("tract has no storage for {}", value.kind()));
    let Value::Tensor(tensor) = value else { return Err(unsupported()) };
    let bytes = match tensor.data() {
        Data::Bytes(bytes) => bytes,
        Data::Strings(strings) => return strings_to_tract(tensor.shape(), strings),
    };
    let mut made = tract_onnx::prelude::Tensor::zero_dt(datum_type(tensor.dtype())?, tensor.shape())
        .map_err(|error| refusal(&error))?;
    if made.as_bytes().len() != bytes.len() {
        return Err(Refusal::failed(format!(
            "a tensor has {} bytes, but tract's tensor of this type and shape has {}",
            bytes.len(),
            made.as_bytes().len()
        )));
    }
    made.as_bytes_mut().copy_from_slice(bytes);
    Ok(made)
}

fn strings_to_tract(shape: &[usize], strings: &[Vec<u8>]) -> Result<tract_onnx::prelude::Tensor, Refusal> {
    let utf8 = strings.iter().map(|bytes| String::from_utf8(bytes.clone())).collect::<Result<Vec<_>, _>>();
    let utf8 = utf8.map_err(|_| Refusal::unsupported("tract has only UTF-8 strings, and a string is not UTF-8"))?;
    let array = tract_ndarray::ArrayD::from_shape_vec(shape, utf8);
    array.map(Into::into).map_err(|error| Refusal::failed(error.to_string()))
}

/// Converts a tensor of tract. Elements of tract's type for extents (`TDim`) become int64. `kind`, the declared type,
/// is only used in messages.
fn from_tract(value: &TValue, kind: Option<&ValueKind>) -> Result<Value, Refusal> {
    let tensor = match value.datum_type() {
        DatumType::TDim => value.cast_to::<i64>().map_err(|error| refusal(&error))?,
        _ => std::borrow::Cow::Borrowed(&**value),
    };
    let dtype = match tensor.datum_type() {
        DatumType::Bool => DType::Bool,
        DatumType::U8 | DatumType::QU8(_) => DType::Uint8,
        DatumType::U16 => DType::Uint16,
        DatumType::U32 => DType::Uint32,
        DatumType::U64 => DType::Uint64,
        DatumType::I8 | DatumType::QI8(_) => DType::Int8,
        DatumType::I16 => DType::Int16,
        DatumType::I32 | DatumType::QI32(_) => DType::Int32,
        DatumType::I64 => DType::Int64,
        DatumType::F16 => DType::Float16,
        DatumType::F32 => DType::Float,
        DatumType::F64 => DType::Double,
        DatumType::String => return strings_from_tract(&tensor),
        other => {
            return Err(Refusal::unsupported(format!("tract returned {other:?}, but the model declares {kind:?}")));
        }
    };
    let made = Tensor::new(dtype, tensor.shape().to_vec(), Data::Bytes(tensor.as_bytes().to_vec().into()));
    Ok(Value::Tensor(made.map_err(|error| Refusal::failed(error.to_string()))?))
}

fn strings_from_tract(tensor: &tract_onnx::prelude::Tensor) -> Result<Value, Refusal> {
    let view = tensor.to_plain_array_view::<String>().map_err(|error| refusal(&error))?;
    let strings = view.iter().map(|string| string.clone().into_bytes()).collect();
    let made = Tensor::new(DType::String, tensor.shape().to_vec(), Data::Strings(strings));
    Ok(Value::Tensor(made.map_err(|error| Refusal::failed(error.to_string()))?))
}

/// Parts, in lower case, of the messages that say that tract does not have an operator, a version or an element type.
/// `refusal` looks for these parts because tract's errors have no codes. tract's other messages about missing support
/// say that it does not accept an attribute, or that an input must be a constant or a shape must be known when it reads
/// the model. The specification demands none of this, so these refusals are failures.
const UNSUPPORTED: [&str; 15] = [
    "unimplemented(",
    "unsupported operator set for ",
    "unknown datumtype",
    "unsupported datum type",
    "unsupported output datum type",
    "unsupported input datum type",
    "not implemented for type",
    // The operator has no kernel for a type.
    " does not support ",
    "unsupported type ",
    "expects a plain number or boolean input, got ",
    "is not a number",
    "doesn't implement num_traits",
    // The element type exists in ONNX, but not in tract.
    "unknown onnx tensorproto.datatype",
    // A graph input has no type that tract reads, or has an element type that tract does not have.
    "has no type value",
    "translating to fact",
];

fn refusal(error: &TractError) -> Refusal {
    let text = format!("{error:#}");
    let words = text.to_lowercase();
    let is_unsupported = UNSUPPORTED.iter().any(|unsupported| words.contains(unsupported));
    if is_unsupported { Refusal::unsupported(text) } else { Refusal::failed(text) }
}
