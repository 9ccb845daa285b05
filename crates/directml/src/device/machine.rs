//! DirectML on a device: compiles, initializes and dispatches operators.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use std::ffi::c_void;
use std::mem::ManuallyDrop;

use windows::Win32::AI::MachineLearning::DirectML::{
    DML_BINDING_DESC, DML_BINDING_TABLE_DESC, DML_BINDING_TYPE_BUFFER, DML_BINDING_TYPE_NONE, DML_BUFFER_BINDING,
    DML_EXECUTION_FLAGS, DML_FEATURE, DML_FEATURE_FEATURE_LEVELS, DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT,
    DML_OPERATOR_DESC, DML_OPERATOR_TYPE, IDMLBindingTable, IDMLCommandRecorder, IDMLCompiledOperator, IDMLDevice,
    IDMLDispatchable, IDMLOperator, IDMLOperatorInitializer,
};
use windows::Win32::Foundation::E_INVALIDARG;
use windows::Win32::Graphics::Direct3D12::*;
use windows::Win32::Graphics::Dxgi::DXGI_ERROR_UNSUPPORTED;
use windows::core::{GUID, HRESULT, Interface};

pub use super::direct3d::adapters;
use super::direct3d::{Direct3d, read, start, transition, write};
use super::library::{Library, sha256, version};
use crate::abi;
use crate::device::{DeviceError, Dispatch, Facts, Settings};

/// The type of `DMLCreateDevice1`.
type CreateDevice = unsafe extern "system" fn(*mut c_void, u32, u32, *const GUID, *mut *mut c_void) -> HRESULT;

/// `DML_CREATE_DEVICE_FLAG_DEBUG`.
const DEBUG: u32 = 1;
/// The sizes of DirectML's temporary and persistent resources are rounded up to a multiple of this many bytes.
const ALIGNMENT: u64 = 256;

/// An open Direct3D device with an open DirectML device.
pub struct Machine {
    // This field comes before `direct3d`, so that Rust drops it first.
    directml: IDMLDevice,
    recorder: IDMLCommandRecorder,
    direct3d: Direct3d,
    facts: Facts,
}

/// Queries a feature of the device; returns `None` if DirectML does not know the feature.
fn feature<Q, A: Default>(device: &IDMLDevice, feature: DML_FEATURE, query: &Q) -> Option<A> {
    let mut answer = A::default();
    let (asked, said) = (std::ptr::from_ref(query).cast(), std::ptr::from_mut(&mut answer).cast());
    // SAFETY: both sizes are the sizes of the values that the pointers point to, and both values outlive the call.
    let result =
        unsafe { device.CheckFeatureSupport(feature, size_of::<Q>() as u32, Some(asked), size_of::<A>() as u32, said) };
    result.ok().map(|()| answer)
}

fn feature_level(device: &IDMLDevice) -> Option<u32> {
    // DirectML before 1.15 may not know the newest levels and then refuses the whole list, so ask again with fewer.
    (1..=abi::FEATURE_LEVELS.len()).rev().find_map(|count| {
        let query = abi::DML_FEATURE_QUERY_FEATURE_LEVELS {
            RequestedFeatureLevelCount: count as u32,
            RequestedFeatureLevels: abi::FEATURE_LEVELS.as_ptr(),
        };
        feature::<_, u32>(device, DML_FEATURE_FEATURE_LEVELS, &query)
    })
}

/// Returns a function that sorts DirectML's errors into unsupported, invalid and failed.
fn refused(step: &'static str) -> impl Fn(windows::core::Error) -> DeviceError {
    move |error| {
        let reason = error.to_string();
        match error.code() {
            DXGI_ERROR_UNSUPPORTED => DeviceError::Unsupported { reason },
            E_INVALIDARG => DeviceError::Invalid { step, reason },
            _ => DeviceError::Failed { step, reason },
        }
    }
}

/// Returns the object that a call left in its out-parameter; an error if there is none.
fn there<T>(found: Option<T>, step: &'static str) -> Result<T, DeviceError> {
    found.ok_or_else(|| DeviceError::Failed { step, reason: "the call succeeded without an object".to_owned() })
}

/// A binding of the first bytes of a buffer. It holds its own reference to the buffer.
struct Bound {
    binding: DML_BUFFER_BINDING,
}

impl Bound {
    fn new(buffer: &ID3D12Resource, bytes: u64) -> Bound {
        let buffer = ManuallyDrop::new(Some(buffer.clone()));
        Bound { binding: DML_BUFFER_BINDING { Buffer: buffer, Offset: 0, SizeInBytes: bytes } }
    }

    /// Returns the description of a binding, which points into `bound`.
    fn desc(bound: Option<&Bound>) -> DML_BINDING_DESC {
        match bound {
            Some(bound) => {
                DML_BINDING_DESC { Type: DML_BINDING_TYPE_BUFFER, Desc: std::ptr::from_ref(&bound.binding).cast() }
            }
            None => DML_BINDING_DESC { Type: DML_BINDING_TYPE_NONE, Desc: std::ptr::null() },
        }
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        // SAFETY: the buffer is not used afterwards.
        unsafe { ManuallyDrop::drop(&mut self.binding.Buffer) }
    }
}

/// A buffer on the device, for a tensor or for DirectML's own use, and its size.
struct Placed {
    buffer: ID3D12Resource,
    bytes: u64,
}

// SAFETY: any thread may use Direct3D's and DirectML's objects. Only one thread at a time may use the recorder and the
// fence's value, and `&mut` ensures that.
unsafe impl Send for Machine {}

impl Machine {
    /// Opens Direct3D and DirectML.
    pub fn start(settings: &Settings) -> Result<Machine, DeviceError> {
        let direct3d = Direct3d::start(settings)?;
        let advice =
            "Windows 10 1903 and later include it; on Windows, `--library` can name another file or its folder";
        let library = Library::load("DirectML.dll", settings.library.as_deref(), advice)?;
        let function = library.function(c"DMLCreateDevice1")?;
        // SAFETY: this is the function's declaration in DirectML.h.
        let create: CreateDevice = unsafe { std::mem::transmute(function) };
        let level = abi::FEATURE_LEVELS[0];
        let open = |flags: u32| {
            let mut found = std::ptr::null_mut();
            // SAFETY: the device is alive, the identifier belongs to the interface, and `found` is a variable of ours.
            let created = unsafe { create(direct3d.device.as_raw(), flags, level, &IDMLDevice::IID, &mut found) };
            // SAFETY: the call succeeded, so this is an IDMLDevice that we own and release.
            created.ok().map(|()| unsafe { IDMLDevice::from_raw(found) })
        };
        // The debug layer is a separate library, which is seldom installed.
        let with_debug = if settings.debug { open(DEBUG).ok() } else { None };
        let directml_debug = with_debug.is_some();
        let directml = match with_debug {
            Some(device) => device,
            None => open(0).map_err(start("DirectML"))?,
        };
        // SAFETY: the call takes no pointers of ours.
        let recorder = unsafe { directml.CreateCommandRecorder() }.map_err(start("a command recorder"))?;
        let supported = |data_type: &u32| {
            let query = abi::DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT { DataType: *data_type };
            feature::<_, i32>(&directml, DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT, &query).is_some_and(|is| is != 0)
        };
        let file = library.file();
        let facts = Facts {
            adapter: direct3d.adapter.clone(),
            driver: direct3d.driver.clone(),
            software: direct3d.software,
            version: version(&file),
            sha256: sha256(&file),
            library: file,
            feature_level: feature_level(&directml).unwrap_or(level),
            data_types: (1..14).filter(supported).map(|data_type| 1 << data_type).sum(),
            execution_flags: settings.execution_flags,
            direct3d_debug: direct3d.debug,
            directml_debug,
        };
        Ok(Machine { directml, recorder, direct3d, facts })
    }

    /// Returns the facts that results depend on.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Compiles, initializes and runs an operator once.
    pub fn run(&mut self, dispatch: &Dispatch<'_>) -> Result<Vec<Vec<u8>>, DeviceError> {
        let result = self.run_unchecked(dispatch);
        // Binding calls return no error: after a wrong binding, DirectML removes its device and the output bytes mean
        // nothing.
        match self.removed() {
            Some(removed) if !result.as_ref().is_err_and(DeviceError::is_device_lost) => Err(removed),
            _ => result,
        }
    }

    /// Returns why Direct3D's or DirectML's device was removed; `None` if both are still there.
    fn removed(&self) -> Option<DeviceError> {
        // SAFETY: the call takes no pointers of ours.
        let reason = unsafe { self.directml.GetDeviceRemovedReason() }.err();
        let of_directml = reason.map(|reason| DeviceError::Removed { reason: reason.to_string() });
        of_directml.or_else(|| self.direct3d.removed())
    }

    fn compiled(&self, dispatch: &Dispatch<'_>) -> Result<IDMLCompiledOperator, DeviceError> {
        let desc = dispatch.operator.desc();
        let desc = DML_OPERATOR_DESC { Type: DML_OPERATOR_TYPE(desc.Type as i32), Desc: desc.Desc };
        let mut operator: Option<IDMLOperator> = None;
        // SAFETY: the description points into `dispatch.operator`, which outlives the call; a test checks that the
        // description's layout is the one of DirectML.h.
        unsafe { self.directml.CreateOperator(&desc, &mut operator) }.map_err(refused("CreateOperator"))?;
        let operator = there(operator, "CreateOperator")?;
        let flags = DML_EXECUTION_FLAGS(self.facts.execution_flags as i32);
        let mut compiled: Option<IDMLCompiledOperator> = None;
        // SAFETY: the operator is alive, and `compiled` is a variable of this function.
        unsafe { self.directml.CompileOperator(&operator, flags, &mut compiled) }
            .map_err(refused("CompileOperator"))?;
        there(compiled, "CompileOperator")
    }

    /// Creates a buffer for DirectML's own use; returns `None` for a size of 0.
    fn scratch(&self, bytes: u64) -> Result<Option<Placed>, DeviceError> {
        if bytes == 0 {
            return Ok(None);
        }
        let bytes = bytes.next_multiple_of(ALIGNMENT);
        Ok(Some(Placed { buffer: self.direct3d.buffer(bytes, D3D12_HEAP_TYPE_DEFAULT)?, bytes }))
    }

    fn table(
        &self,
        dispatchable: &IDMLDispatchable,
        heap: &ID3D12DescriptorHeap,
        descriptors: u32,
    ) -> Result<IDMLBindingTable, DeviceError> {
        // SAFETY: the calls take no pointers of ours; the heap is alive, and the description outlives the call.
        unsafe {
            let mut desc = DML_BINDING_TABLE_DESC {
                Dispatchable: ManuallyDrop::new(Some(dispatchable.clone())),
                CPUDescriptorHandle: heap.GetCPUDescriptorHandleForHeapStart(),
                GPUDescriptorHandle: heap.GetGPUDescriptorHandleForHeapStart(),
                SizeInDescriptors: descriptors,
            };
            let table = self.directml.CreateBindingTable(Some(&desc)).map_err(refused("CreateBindingTable"));
            ManuallyDrop::drop(&mut desc.Dispatchable);
            table
        }
    }

    fn heap(&self, descriptors: u32) -> Result<ID3D12DescriptorHeap, DeviceError> {
        let desc = D3D12_DESCRIPTOR_HEAP_DESC {
            Type: D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
            NumDescriptors: descriptors,
            Flags: D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE,
            NodeMask: 0,
        };
        // SAFETY: the description outlives the call.
        unsafe { self.direct3d.device.CreateDescriptorHeap(&desc) }.map_err(refused("CreateDescriptorHeap"))
    }

    /// Creates a buffer for each tensor that is not left out.
    fn place(&self, tensors: &[Option<&[u8]>]) -> Result<Vec<Option<Placed>>, DeviceError> {
        let place = |bytes: &[u8]| {
            let bytes = (bytes.len() as u64).max(4).next_multiple_of(4);
            Ok(Placed { buffer: self.direct3d.buffer(bytes, D3D12_HEAP_TYPE_DEFAULT)?, bytes })
        };
        tensors.iter().map(|tensor| tensor.map(place).transpose()).collect()
    }

    fn run_unchecked(&mut self, dispatch: &Dispatch<'_>) -> Result<Vec<Vec<u8>>, DeviceError> {
        let compiled = self.compiled(dispatch)?;
        // SAFETY: the objects are alive, and all pointers of ours point to variables of this function.
        let initializer: IDMLOperatorInitializer =
            unsafe { self.directml.CreateOperatorInitializer(Some(&[Some(compiled.clone())])) }
                .map_err(refused("CreateOperatorInitializer"))?;
        // SAFETY: the same as above.
        let (before, during) = unsafe { (initializer.GetBindingProperties(), compiled.GetBindingProperties()) };
        let persistent = self.scratch(during.PersistentResourceSize)?;
        let persistent_bound = persistent.as_ref().map(|placed| Bound::new(&placed.buffer, placed.bytes));

        // Initialization, which writes the persistent resource. No input is owned by DirectML.
        let descriptors = before.RequiredDescriptorCount.max(1);
        let heap = self.heap(descriptors)?;
        let dispatchable: IDMLDispatchable = initializer.cast().map_err(refused("IDMLDispatchable"))?;
        let table = self.table(&dispatchable, &heap, descriptors)?;
        let temporary = self.scratch(before.TemporaryResourceSize)?;
        let temporary_bound = temporary.as_ref().map(|placed| Bound::new(&placed.buffer, placed.bytes));
        bind_scratch(&table, temporary_bound.as_ref(), None);
        if persistent_bound.is_some() {
            // SAFETY: the description points to a binding that outlives the call.
            unsafe { table.BindOutputs(Some(&[Bound::desc(persistent_bound.as_ref())])) };
        }
        let recorder = self.recorder.clone();
        let deadline = dispatch.deadline_seconds;
        self.direct3d.execute(deadline, |list| record(&recorder, list, &heap, &dispatchable, &table))?;
        drop((temporary_bound, temporary));

        // Execution.
        let inputs = self.place(dispatch.inputs)?;
        let outputs = self.place(dispatch.outputs)?;
        let tensors = || dispatch.inputs.iter().zip(&inputs).chain(dispatch.outputs.iter().zip(&outputs));
        let mut uploads = Vec::new();
        for (bytes, placed) in tensors() {
            if let (Some(bytes), Some(placed)) = (bytes, placed) {
                let upload = self.direct3d.buffer(placed.bytes, D3D12_HEAP_TYPE_UPLOAD)?;
                write(&upload, bytes)?;
                uploads.push((upload, placed));
            }
        }
        let downloads: Vec<Option<(ID3D12Resource, &Placed)>> = outputs
            .iter()
            .map(|placed| {
                let placed = placed.as_ref();
                placed.map(|p| Ok((self.direct3d.buffer(p.bytes, D3D12_HEAP_TYPE_READBACK)?, p))).transpose()
            })
            .collect::<Result<_, DeviceError>>()?;

        let descriptors = during.RequiredDescriptorCount.max(1);
        let heap = self.heap(descriptors)?;
        let dispatchable: IDMLDispatchable = compiled.cast().map_err(refused("IDMLDispatchable"))?;
        let table = self.table(&dispatchable, &heap, descriptors)?;
        let temporary = self.scratch(during.TemporaryResourceSize)?;
        let temporary_bound = temporary.as_ref().map(|placed| Bound::new(&placed.buffer, placed.bytes));
        bind_scratch(&table, temporary_bound.as_ref(), persistent_bound.as_ref());
        let bound = |placed: &Option<Placed>| placed.as_ref().map(|p| Bound::new(&p.buffer, p.bytes));
        let inputs_bound: Vec<Option<Bound>> = inputs.iter().map(bound).collect();
        let outputs_bound: Vec<Option<Bound>> = outputs.iter().map(bound).collect();
        let descs = |bound: &[Option<Bound>]| bound.iter().map(|b| Bound::desc(b.as_ref())).collect::<Vec<_>>();
        // SAFETY: the descriptions point to `inputs_bound` and `outputs_bound`, which live to the end of this function.
        unsafe {
            table.BindInputs(Some(&descs(&inputs_bound)));
            table.BindOutputs(Some(&descs(&outputs_bound)));
        }
        let (unordered, copied) = (D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
        self.direct3d.execute(deadline, |list| {
            for (upload, placed) in &uploads {
                // SAFETY: both buffers are alive and have at least this many bytes.
                unsafe { list.CopyBufferRegion(&placed.buffer, 0, upload, 0, placed.bytes) };
                transition(list, &placed.buffer, D3D12_RESOURCE_STATE_COPY_DEST, unordered);
            }
            record(&recorder, list, &heap, &dispatchable, &table);
            for (download, placed) in downloads.iter().flatten() {
                // This barrier also waits until the operator has written the output.
                transition(list, &placed.buffer, unordered, copied);
                // SAFETY: both buffers are alive and have at least this many bytes.
                unsafe { list.CopyBufferRegion(download, 0, &placed.buffer, 0, placed.bytes) };
            }
        })?;
        let answers = dispatch.outputs.iter().zip(&downloads);
        answers
            .map(|(bytes, download)| match (bytes, download) {
                (Some(bytes), Some((download, _))) => read(download, bytes.len()),
                _ => Ok(Vec::new()),
            })
            .collect()
    }
}

/// Binds the temporary and the persistent resource, where there are any.
fn bind_scratch(table: &IDMLBindingTable, temporary: Option<&Bound>, persistent: Option<&Bound>) {
    let (temporary_desc, persistent_desc) = (Bound::desc(temporary), Bound::desc(persistent));
    // SAFETY: the descriptions are variables of this function and point to bindings that the caller holds.
    unsafe {
        if temporary.is_some() {
            table.BindTemporaryResource(Some(&temporary_desc));
        }
        if persistent.is_some() {
            table.BindPersistentResource(Some(&persistent_desc));
        }
    }
}

/// Records the dispatch of an operator or an initializer.
fn record(
    recorder: &IDMLCommandRecorder,
    list: &ID3D12GraphicsCommandList,
    heap: &ID3D12DescriptorHeap,
    dispatchable: &IDMLDispatchable,
    table: &IDMLBindingTable,
) {
    // SAFETY: all objects are alive, and the caller keeps them until the queue is done.
    unsafe {
        list.SetDescriptorHeaps(&[Some(heap.clone())]);
        recorder.RecordDispatch(list, dispatchable, table);
    }
}
