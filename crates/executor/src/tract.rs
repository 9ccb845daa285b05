//! The [tract](https://docs.rs/tract-onnx) crate: another runtime in Rust, behind the feature `tract`, because it brings many crates.
//!
//! Models are loaded from their ONNX bytes, typed by the shapes of the inputs they run on, and run without optimization: what is judged is
//! the operators.

use plumbline_tensor::{DType, Data, Model, Tensor, Value, ValueKind};
use tract_onnx::prelude::{
    DatumType, Framework, InferenceFact, InferenceModelExt, IntoRunnable, IntoTValue, TValue, TVec, TractError,
};
use tract_onnx::tract_hir::infer::InferenceModel;

use crate::{Backend, Identity, Prepared, Profile, Refusal};

/// Version of the tract crates this is built with.
const VERSION: &str = "0.23.9";

/// The tract crate as a backend.
pub struct Tract {
    profile: Profile,
}

impl Tract {
    /// tract with all its operators.
    pub fn new() -> Tract {
        Tract { profile: Profile { needs_worker: true, ..Profile::default() } }
    }
}

impl Default for Tract {
    fn default() -> Tract {
        Tract::new()
    }
}

impl Backend for Tract {
    fn identity(&self) -> Identity {
        Identity { name: "tract".to_owned(), version: VERSION.to_owned() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let bytes = model.to_bytes();
        let loaded = tract_onnx::onnx().model_for_read(&mut bytes.as_slice()).map_err(|error| refusal(&error))?;
        let kind_of = |o: &plumbline_tensor::onnx::ValueInfoProto| ValueKind::from_proto(o.r#type.as_ref()?);
        let kinds = model.graph().output.iter().map(kind_of).collect();
        Ok(Box::new(TractPrepared { model: loaded, kinds }))
    }
}

struct TractPrepared {
    model: InferenceModel,
    /// What the model says its outputs are.
    kinds: Vec<Option<ValueKind>>,
}

impl Prepared for TractPrepared {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        let refused = |error: TractError| refusal(&error);
        let mut model = self.model.clone();
        let mut given: TVec<TValue> = TVec::new();
        for (at, value) in inputs.iter().enumerate() {
            let tensor = to_tract(value)?;
            let fact = InferenceFact::dt_shape(tensor.datum_type(), tensor.shape());
            model.set_input_fact(at, fact).map_err(refused)?;
            given.push(tensor.into_tvalue());
        }
        let runnable = model.into_typed().and_then(|model| model.into_runnable()).map_err(refused)?;
        let outputs = runnable.run(given).map_err(refused)?;
        outputs.iter().zip(&self.kinds).map(|(value, kind)| from_tract(value, kind.as_ref())).collect()
    }
}

/// How tract stores an element type.
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
    let no = || Refusal::unsupported(format!("tract has no storage for {}", value.kind()));
    let Value::Tensor(tensor) = value else { return Err(no()) };
    let Data::Bytes(bytes) = tensor.data() else { return Err(no()) };
    let mut made = tract_onnx::prelude::Tensor::zero_dt(datum_type(tensor.dtype())?, tensor.shape())
        .map_err(|error| refusal(&error))?;
    if made.as_bytes().len() != bytes.len() {
        return Err(Refusal::failed(format!("{} bytes where tract has {}", bytes.len(), made.as_bytes().len())));
    }
    made.as_bytes_mut().copy_from_slice(bytes);
    Ok(made)
}

/// A tensor of tract, as what the model declares; extents (`TDim`) are int64.
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
        other => return Err(Refusal::unsupported(format!("tract answers with {other:?}, declared {kind:?}"))),
    };
    let made = Tensor::new(dtype, tensor.shape().to_vec(), Data::Bytes(tensor.as_bytes().to_vec()));
    Ok(Value::Tensor(made.map_err(|error| Refusal::failed(error.to_string()))?))
}

/// What tract says of an operator, a version or an element type that it has not: its errors are words only. In lower
/// case. Other messages that speak of support refuse an attribute, or want a constant or a shape that is known when
/// the model is read: what the specification allows, and tract does not take.
const UNSUPPORTED: [&str; 13] = [
    "unimplemented(",
    "unsupported operator set for ",
    "unknown datumtype",
    "unsupported datum type",
    "unsupported output datum type",
    "unsupported input datum type",
    "not implemented for type",
    // An operator without a kernel for a type.
    " does not support ",
    "is not a number",
    "doesn't implement num_traits",
    // A type of element that the model's format has and tract's does not.
    "unknown onnx tensorproto.datatype",
    // A graph input that is no tensor, or one of another element type.
    "has no type value",
    "translating to fact",
];

fn refusal(error: &TractError) -> Refusal {
    let text = format!("{error:#}");
    let words = text.to_lowercase();
    let is_unsupported = UNSUPPORTED.iter().any(|unsupported| words.contains(unsupported));
    if is_unsupported { Refusal::unsupported(text) } else { Refusal::failed(text) }
}
