//! Wraps ONNX Runtime's C API in safe types: sessions and values. All unsafe code of this crate is in this file
//! and in the modules `table`, `provider`, `selection`, `tensorrt`, `nvidia`, `owned` and `status`.
//!
//! The `ort` crate owns the environment and reads statuses. Sessions and values use the C API directly, because `ort`
//! takes the elements of a tensor as values of a Rust type, and ONNX has element types that Rust does not have.
// Over 400 lines: the unsafe calls for sessions and values are in one file, so that they can be reviewed together.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use std::ffi::{CString, c_void};
use std::path::Path;
use std::ptr::{self, NonNull};

use ort::AsPointer;
use ort::environment::Environment;
use ort::sys::{
    ExecutionMode, GraphOptimizationLevel, ONNXTensorElementDataType, ONNXType, OrtAllocator, OrtSession,
    OrtSessionOptions, OrtSparseFormat, OrtSparseIndicesFormat, OrtTensorTypeAndShapeInfo, OrtValue,
};

use super::elements::{byte_length, dtype_of};
use super::owned::Owned;
use super::provider::Provider;
use super::selection::{Found, check_nodes, one_line};
use super::settings::{self, Settings};
use super::status::{Error, check};
use super::table;

fn nul(_: std::ffi::NulError) -> Error {
    Error::new_with_code(ort::ErrorCode::InvalidArgument, "a name has a zero byte")
}

/// A loaded library, with its only environment.
pub struct Runtime {
    /// The options of sessions on the selected provider, or on the CPU provider if none was selected.
    options: Owned<OrtSessionOptions>,
    /// The options of sessions that only check whether the library reads a model. They are on the CPU provider. `None`
    /// if no provider was selected.
    reading: Option<Owned<OrtSessionOptions>>,
    /// The options of sessions without graph optimizations, on the same provider. `None` if sessions have none anyway.
    plain: Option<Owned<OrtSessionOptions>>,
    /// The provider that was selected and found.
    pub found: Option<Found>,
    environment: Environment,
}

// SAFETY: the API documents environments and sessions as usable from any thread; nothing changes the options after
// `load` has created them. The device of a provider belongs to the environment and does not change.
unsafe impl Send for Runtime {}
// SAFETY: as above.
unsafe impl Sync for Runtime {}

impl Runtime {
    /// Loads a library. A process can load one only. The error is one line.
    pub fn load(library: &Path, provider: &Provider, settings: &Settings) -> Result<Runtime, String> {
        let optimization = settings.optimization;
        let loaded = table::load(library)?;
        let is_selected = matches!(provider, Provider::Selected(_) | Provider::TensorRt(_));
        if is_selected && !loaded.is_complete {
            return Err(format!(
                "ONNX Runtime {} is too old for execution providers that are selected with `ep=`: \
                 version 1.24 is the first that can list which provider runs which node",
                loaded.version
            ));
        }
        let builder = ort::init().with_name("plumbline").with_telemetry(false);
        let environment = builder.build().map_err(|e| one_line(&e))?;
        environment.set_log_level(ort::logging::LogLevel::Fatal);
        let found = provider.find(&environment)?;
        let options = |provider: &Provider, optimizations| {
            let options = session_options(optimizations, settings).map_err(|e| one_line(&e))?;
            provider.add_to(found.as_ref(), &environment, options.as_ptr()).map_err(|e| one_line(&e))?;
            Ok::<_, String>(options)
        };
        const NONE: GraphOptimizationLevel = GraphOptimizationLevel::ORT_DISABLE_ALL;
        let cpu = || options(&Provider::Cpu, Provider::Cpu.optimizations(optimization));
        let reading = is_selected.then(cpu).transpose()?;
        let optimizations = provider.optimizations(optimization);
        let plain = (optimizations != NONE).then(|| options(provider, NONE)).transpose()?;
        Ok(Runtime { options: options(provider, optimizations)?, reading, plain, found, environment })
    }

    /// Loads a model. If a provider was selected and does not run every node of the model, this is an error.
    pub fn session(&self, model: &[u8]) -> Result<Session, Error> {
        self.checked_session(&self.options, model)
    }

    /// Loads a model without graph optimizations. Returns `None` if sessions have none anyway.
    pub fn plain(&self, model: &[u8]) -> Option<Result<Session, Error>> {
        self.plain.as_ref().map(|options| self.checked_session(options, model))
    }

    fn checked_session(&self, options: &Owned<OrtSessionOptions>, model: &[u8]) -> Result<Session, Error> {
        let session = self.session_with(options, model)?;
        if let Some(found) = &self.found {
            check_nodes(session.0.as_ptr(), &found.provider)?;
        }
        Ok(session)
    }

    /// Checks that the library reads a model, even if the selected provider does not support the model.
    pub fn reads(&self, model: &[u8]) -> Result<(), Error> {
        self.session_with(self.reading.as_ref().unwrap_or(&self.options), model).map(|_| ())
    }

    fn session_with(&self, options: &Owned<OrtSessionOptions>, model: &[u8]) -> Result<Session, Error> {
        let api = ort::api();
        let mut session: *mut OrtSession = ptr::null_mut();
        // SAFETY: environment and options are alive; the model is read during the call only, within its length.
        check(unsafe {
            (api.CreateSessionFromArray)(
                self.environment.ptr(),
                model.as_ptr().cast(),
                model.len(),
                options.as_ptr(),
                &mut session,
            )
        })?;
        Ok(Session(Owned::new(session, api.ReleaseSession)?))
    }
}

/// Returns the options of a session: one thread for each node, a log of fatal errors only, no arena, these optimizations
/// without those that are disabled, and the plan of memory and the order of nodes that the settings choose.
fn session_options(
    optimizations: GraphOptimizationLevel,
    settings: &Settings,
) -> Result<Owned<OrtSessionOptions>, Error> {
    /// The value of `ORT_LOGGING_LEVEL_FATAL`.
    const FATAL: i32 = 4;
    let api = ort::api();
    let mut options: *mut OrtSessionOptions = ptr::null_mut();
    // SAFETY: the API writes the pointer to a new object.
    check(unsafe { (api.CreateSessionOptions)(&mut options) })?;
    let options = Owned::new(options, api.ReleaseSessionOptions)?;
    let pointer = options.as_ptr();
    let (mode, threads) = match settings.execution_mode {
        settings::ExecutionMode::Sequential => (ExecutionMode::ORT_SEQUENTIAL, 1),
        settings::ExecutionMode::Parallel => (ExecutionMode::ORT_PARALLEL, settings.inter_op_threads.unwrap_or(2)),
    };
    let pattern = if settings.has_memory_pattern { api.EnableMemPattern } else { api.DisableMemPattern };
    // SAFETY: the options are alive and not yet used by anything else.
    unsafe {
        check((api.SetSessionGraphOptimizationLevel)(pointer, optimizations))?;
        check((api.SetSessionExecutionMode)(pointer, mode))?;
        check((api.SetIntraOpNumThreads)(pointer, 1))?;
        check((api.SetInterOpNumThreads)(pointer, threads))?;
        check((api.SetSessionLogSeverityLevel)(pointer, FATAL))?;
        check(pattern(pointer))?;
        check((api.DisableCpuMemArena)(pointer))?;
    }
    if !settings.disabled.is_empty() {
        let names = CString::new(settings.disabled.join(";")).map_err(|_| Error::new("a name has a zero byte"))?;
        let key = c"optimization.disable_specified_optimizers";
        // SAFETY: the options are alive and not yet used by anything else; the strings end with a zero.
        check(unsafe { (api.AddSessionConfigEntry)(pointer, key.as_ptr(), names.as_ptr()) })?;
    }
    Ok(options)
}

/// A loaded model.
pub struct Session(Owned<OrtSession>);

// SAFETY: the API documents that `Run` may be called from several threads on one session, and nothing else is called
// through a shared reference.
unsafe impl Sync for Session {}

impl Session {
    /// Runs the model on named inputs and returns the named outputs.
    pub fn run(&self, inputs: &[(CString, OwnedValue)], outputs: &[CString]) -> Result<Vec<OwnedValue>, Error> {
        let api = ort::api();
        let input_names: Vec<_> = inputs.iter().map(|(name, _)| name.as_ptr()).collect();
        let input_values: Vec<*const OrtValue> =
            inputs.iter().map(|(_, value)| value.0.as_ptr().cast_const()).collect();
        let output_names: Vec<_> = outputs.iter().map(|name| name.as_ptr()).collect();
        let mut values: Vec<*mut OrtValue> = vec![ptr::null_mut(); outputs.len()];
        // SAFETY: session, names and inputs live beyond the call; each array has the length that is passed with it;
        // outputs that are null are created by the call.
        let status = unsafe {
            (api.Run)(
                self.0.as_ptr(),
                ptr::null(),
                input_names.as_ptr(),
                input_values.as_ptr(),
                inputs.len(),
                output_names.as_ptr(),
                outputs.len(),
                values.as_mut_ptr(),
            )
        };
        // The outputs are owned before the status is checked, so that the outputs of a failed run are released too.
        let values: Vec<_> = values.into_iter().map(|value| Owned::new(value, api.ReleaseValue)).collect();
        check(status)?;
        values.into_iter().map(|value| value.map(OwnedValue)).collect()
    }
}

/// The values and indices of a sparse tensor of numbers, in ONNX Runtime's memory layout.
pub struct Coordinates {
    /// The element type of the values (ONNX Runtime's number).
    pub element: i32,
    /// The values.
    pub values: Vec<u8>,
    /// The indices, as int64.
    pub indices: Vec<u8>,
    /// The extents of the indices, which have rank 1 or 2.
    pub indices_shape: Vec<i64>,
}

/// Reads element type (ONNX Runtime's number) and extents from an info that a function of the API has just created.
fn read_info(info: *mut OrtTensorTypeAndShapeInfo) -> Result<(i32, Vec<i64>), Error> {
    let api = ort::api();
    let info = Owned::new(info, api.ReleaseTensorTypeAndShapeInfo)?;
    let (mut element, mut rank) = (0i32, 0);
    // SAFETY: the info is alive; the enum is an int in C, and is read as an int because a newer library may have more
    // values.
    check(unsafe { (api.GetTensorElementType)(info.as_ptr(), (&raw mut element).cast()) })?;
    // SAFETY: the info is alive.
    check(unsafe { (api.GetDimensionsCount)(info.as_ptr(), &mut rank) })?;
    let mut shape = vec![0; rank];
    // SAFETY: the info is alive; the array has the length passed.
    check(unsafe { (api.GetDimensions)(info.as_ptr(), shape.as_mut_ptr(), rank) })?;
    Ok((element, shape))
}

/// Copies bytes that the library owns.
///
/// # Safety
/// `length` bytes must be readable at `data`, unless `length` is zero or `data` is null.
unsafe fn copied(data: *const u8, length: usize) -> Vec<u8> {
    if length == 0 || data.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller guarantees that the bytes are readable.
    unsafe { std::slice::from_raw_parts(data, length) }.to_vec()
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrtValueKind {
    Tensor,
    Sequence,
    Map,
    Sparse,
    Other(i32),
}

/// A value of ONNX Runtime, which is released when it is dropped.
pub struct OwnedValue(Owned<OrtValue>);

fn allocator() -> Result<*mut OrtAllocator, Error> {
    let mut allocator: *mut OrtAllocator = ptr::null_mut();
    // SAFETY: the API writes a pointer to an allocator that lives as long as the library and must not be released.
    check(unsafe { (ort::api().GetAllocatorWithDefaultOptions)(&mut allocator) })?;
    Ok(allocator)
}

impl OwnedValue {
    fn new_tensor(element: ONNXTensorElementDataType, shape: &[i64]) -> Result<OwnedValue, Error> {
        let api = ort::api();
        let mut value: *mut OrtValue = ptr::null_mut();
        // SAFETY: the allocator is the library's own, the shape has the length that is passed with it.
        check(unsafe { (api.CreateTensorAsOrtValue)(allocator()?, shape.as_ptr(), shape.len(), element, &mut value) })?;
        Ok(OwnedValue(Owned::new(value, api.ReleaseValue)?))
    }

    /// Creates a tensor of numbers in ONNX Runtime's memory layout: types below a byte are packed, with the first
    /// element in the low bits. `bytes` must have exactly the size that the shape needs.
    pub fn tensor(element: ONNXTensorElementDataType, shape: &[i64], bytes: &[u8]) -> Result<OwnedValue, Error> {
        let length = dtype_of(element as i32).and_then(|dtype| byte_length(dtype, shape));
        if length != Some(bytes.len()) {
            return Err(Error::new(format!("{} bytes do not fit a tensor of shape {shape:?}", bytes.len())));
        }
        let value = OwnedValue::new_tensor(element, shape)?;
        if !bytes.is_empty() {
            let data = value.data()?;
            // SAFETY: `bytes` has the length of the tensor, as was checked above. The tensor was created just now, so
            // nothing overlaps.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), data.as_ptr(), bytes.len()) };
        }
        Ok(value)
    }

    /// Creates a tensor of strings, which may contain zero bytes.
    pub fn strings(shape: &[i64], strings: &[Vec<u8>]) -> Result<OwnedValue, Error> {
        let api = ort::api();
        let value = OwnedValue::new_tensor(ONNXTensorElementDataType::ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, shape)?;
        for (index, string) in strings.iter().enumerate() {
            let mut buffer = ptr::null_mut();
            // SAFETY: the value is a tensor of strings; the API checks the index.
            check(unsafe {
                (api.GetResizedStringTensorElementBuffer)(value.0.as_ptr(), index, string.len(), &mut buffer)
            })?;
            if !string.is_empty() && !buffer.is_null() {
                // SAFETY: the API has just made room for `string.len()` bytes at `buffer`.
                unsafe { ptr::copy_nonoverlapping(string.as_ptr(), buffer.cast::<u8>(), string.len()) };
            }
        }
        Ok(value)
    }

    /// Creates a sequence of these values. ONNX Runtime's function cannot create an empty sequence.
    pub fn sequence(items: &[OwnedValue]) -> Result<OwnedValue, Error> {
        OwnedValue::compound(items, ONNXType::ONNX_TYPE_SEQUENCE)
    }

    /// Creates a map from a tensor of keys and a tensor of values.
    pub fn map(keys_and_values: &[OwnedValue; 2]) -> Result<OwnedValue, Error> {
        OwnedValue::compound(keys_and_values, ONNXType::ONNX_TYPE_MAP)
    }

    fn compound(items: &[OwnedValue], kind: ONNXType) -> Result<OwnedValue, Error> {
        let api = ort::api();
        let pointers: Vec<*const OrtValue> = items.iter().map(|item| item.0.as_ptr().cast_const()).collect();
        let mut value: *mut OrtValue = ptr::null_mut();
        // SAFETY: the items outlive the call, which copies or shares them; the array has the length that is passed.
        check(unsafe { (api.CreateValue)(pointers.as_ptr(), pointers.len(), kind, &mut value) })?;
        Ok(OwnedValue(Owned::new(value, api.ReleaseValue)?))
    }

    /// Returns the kind of the value.
    pub fn kind(&self) -> Result<OrtValueKind, Error> {
        let mut code = 0i32;
        // SAFETY: the value is alive; the enum is an int in C, and is read as an int because a newer library may have
        // more values.
        check(unsafe { (ort::api().GetValueType)(self.0.as_ptr(), (&raw mut code).cast()) })?;
        Ok(match code {
            code if code == ONNXType::ONNX_TYPE_TENSOR as i32 => OrtValueKind::Tensor,
            code if code == ONNXType::ONNX_TYPE_SEQUENCE as i32 => OrtValueKind::Sequence,
            code if code == ONNXType::ONNX_TYPE_MAP as i32 => OrtValueKind::Map,
            code if code == ONNXType::ONNX_TYPE_SPARSETENSOR as i32 => OrtValueKind::Sparse,
            code => OrtValueKind::Other(code),
        })
    }

    /// Returns whether the value is not even of a kind: no kernel has set it. An empty optional is such a value, too.
    pub fn is_undefined(&self) -> bool {
        matches!(self.kind(), Ok(OrtValueKind::Other(code)) if code == ONNXType::ONNX_TYPE_UNKNOWN as i32)
    }

    /// Returns whether there is a value: an optional may be empty.
    pub fn is_some(&self) -> Result<bool, Error> {
        let mut is_some = 0;
        // SAFETY: the value is alive.
        check(unsafe { (ort::api().HasValue)(self.0.as_ptr(), &mut is_some) })?;
        Ok(is_some != 0)
    }

    /// Returns element type (ONNX Runtime's number) and extents of a dense or sparse tensor.
    pub fn tensor_info(&self) -> Result<(i32, Vec<i64>), Error> {
        let api = ort::api();
        let mut info: *mut OrtTensorTypeAndShapeInfo = ptr::null_mut();
        // SAFETY: the value is alive; the API checks that it is a tensor, and writes the pointer to a new object.
        check(unsafe { (api.GetTensorTypeAndShape)(self.0.as_ptr(), &mut info) })?;
        read_info(info)
    }

    /// Returns values and indices of a sparse tensor of numbers in coordinate form.
    pub fn coordinates(&self) -> Result<Coordinates, Error> {
        let api = ort::api();
        let mut format = 0i32;
        // SAFETY: the value is alive, the API checks that it is a sparse tensor; the enum is an int in C.
        check(unsafe { (api.GetSparseTensorFormat)(self.0.as_ptr(), (&raw mut format).cast()) })?;
        if format != OrtSparseFormat::ORT_SPARSE_COO as i32 {
            return Err(Error::new(format!("a sparse tensor has format {format}, expected coordinates (COO)")));
        }
        let coordinates = OrtSparseIndicesFormat::ORT_SPARSE_COO_INDICES;
        let (mut values_info, mut indices_info) = (ptr::null_mut(), ptr::null_mut());
        let (mut values, mut indices, mut index_count) = (ptr::null(), ptr::null(), 0);
        // SAFETY: as above; each call writes to a different place.
        let (element, values_shape, indices_shape) = unsafe {
            check((api.GetSparseTensorValuesTypeAndShape)(self.0.as_ptr(), &mut values_info))?;
            let (element, values_shape) = read_info(values_info)?;
            check((api.GetSparseTensorIndicesTypeShape)(self.0.as_ptr(), coordinates, &mut indices_info))?;
            let (_, indices_shape) = read_info(indices_info)?;
            check((api.GetSparseTensorValues)(self.0.as_ptr(), &mut values))?;
            check((api.GetSparseTensorIndices)(self.0.as_ptr(), coordinates, &mut index_count, &mut indices))?;
            (element, values_shape, indices_shape)
        };
        let length = dtype_of(element).and_then(|dtype| byte_length(dtype, &values_shape));
        let length = length.ok_or_else(|| {
            Error::new(format!(
                "the values of a sparse tensor, of type number {element} and shape {values_shape:?}, have no known size"
            ))
        })?;
        Ok(Coordinates {
            element,
            // SAFETY: `length` was computed from the type and shape of the values themselves.
            values: unsafe { copied(values.cast(), length) },
            // SAFETY: the API gives the number of indices; in this format they are int64.
            indices: unsafe { copied(indices.cast::<u8>(), index_count * size_of::<i64>()) },
            indices_shape,
        })
    }

    fn data(&self) -> Result<NonNull<u8>, Error> {
        let mut data: *mut c_void = ptr::null_mut();
        // SAFETY: the value is alive; the API checks that it is a tensor of numbers.
        check(unsafe { (ort::api().GetTensorMutableData)(self.0.as_ptr(), &mut data) })?;
        NonNull::new(data.cast()).ok_or_else(|| Error::new("a tensor has elements, but no memory"))
    }

    /// Returns the elements of a tensor of numbers, in ONNX Runtime's memory layout.
    pub fn bytes(&self) -> Result<Vec<u8>, Error> {
        let (element, shape) = self.tensor_info()?;
        let length = dtype_of(element).and_then(|dtype| byte_length(dtype, &shape));
        let length = length.ok_or_else(|| {
            Error::new(format!("a tensor of type number {element} and shape {shape:?} has no known size"))
        })?;
        if length == 0 {
            return Ok(Vec::new());
        }
        let data = self.data()?;
        // SAFETY: `length` was computed from the type and shape of the tensor itself; the tensor is alive, and nothing
        // writes to it.
        Ok(unsafe { copied(data.as_ptr(), length) })
    }

    /// Returns the elements of a tensor of `count` strings.
    pub fn string_elements(&self, count: usize) -> Result<Vec<Vec<u8>>, Error> {
        let api = ort::api();
        let element = |index| {
            let mut length = 0;
            // SAFETY: the value is alive; the API checks the index, and checks that the value is a tensor of strings.
            check(unsafe { (api.GetStringTensorElementLength)(self.0.as_ptr(), index, &mut length) })?;
            let mut bytes = vec![0u8; length];
            // SAFETY: as above; the buffer has the length passed.
            check(unsafe { (api.GetStringTensorElement)(self.0.as_ptr(), length, index, bytes.as_mut_ptr().cast()) })?;
            Ok(bytes)
        };
        (0..count).map(element).collect()
    }

    /// Returns the parts of the value: the elements of a sequence, or keys and values of a map.
    pub fn items(&self) -> Result<Vec<OwnedValue>, Error> {
        let api = ort::api();
        let mut count = 0;
        // SAFETY: the value is alive; the API checks that it has parts.
        check(unsafe { (api.GetValueCount)(self.0.as_ptr(), &mut count) })?;
        let part = |index| {
            let mut value: *mut OrtValue = ptr::null_mut();
            // SAFETY: as above; the API checks the index, and writes the pointer to a new object.
            check(unsafe { (api.GetValue)(self.0.as_ptr(), index, allocator()?, &mut value) })?;
            Ok(OwnedValue(Owned::new(value, api.ReleaseValue)?))
        };
        (0..i32::try_from(count).unwrap_or(i32::MAX)).map(part).collect()
    }
}

/// Converts a name for the C API.
pub fn name(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(nul)
}
