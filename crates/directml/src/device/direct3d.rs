//! Direct3D 12: adapters, the device, buffers, and command lists that run to completion.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use std::ffi::c_void;
use std::mem::ManuallyDrop;

use windows::Win32::Foundation::{CloseHandle, HANDLE, WAIT_OBJECT_0};
use windows::Win32::Graphics::Direct3D::D3D_FEATURE_LEVEL_11_0;
use windows::Win32::Graphics::Direct3D12::*;
use windows::Win32::Graphics::Dxgi::Common::{DXGI_FORMAT_UNKNOWN, DXGI_SAMPLE_DESC};
use windows::Win32::Graphics::Dxgi::{
    DXGI_ADAPTER_FLAG_SOFTWARE, DXGI_CREATE_FACTORY_FLAGS, IDXGIAdapter1, IDXGIDevice, IDXGIFactory4,
};
use windows::Win32::System::Threading::{CreateEventW, WaitForSingleObject};
use windows::core::{GUID, HRESULT, Interface, PCWSTR};

use super::library::{Library, dotted};
use crate::device::{Adapter, DeviceError, Settings};

const SYSTEM: &str = "it is a part of Windows 10 and later";

/// The type of `D3D12CreateDevice`.
type CreateDevice = unsafe extern "system" fn(*mut c_void, i32, *const GUID, *mut *mut c_void) -> HRESULT;
/// The type of `D3D12GetDebugInterface`.
type GetDebugInterface = unsafe extern "system" fn(*const GUID, *mut *mut c_void) -> HRESULT;
/// The type of `CreateDXGIFactory2`.
type CreateFactory = unsafe extern "system" fn(u32, *const GUID, *mut *mut c_void) -> HRESULT;

/// Returns a function that reports a Windows error as a failure to open the device.
pub fn start(step: &'static str) -> impl Fn(windows::core::Error) -> DeviceError {
    move |error| DeviceError::Start { step, reason: error.to_string() }
}

/// Returns a function that reports a Windows error as a failed step. `Machine::run` then checks whether the device was
/// lost.
fn failed(step: &'static str) -> impl Fn(windows::core::Error) -> DeviceError {
    move |error| DeviceError::Failed { step, reason: error.to_string() }
}

fn factory() -> Result<IDXGIFactory4, DeviceError> {
    let function = Library::load("dxgi.dll", None, SYSTEM)?.function(c"CreateDXGIFactory2")?;
    // SAFETY: this is the function's declaration in dxgi1_3.h.
    let create: CreateFactory = unsafe { std::mem::transmute(function) };
    let mut found = std::ptr::null_mut();
    // SAFETY: the identifier belongs to the interface, and `found` is a variable of this function.
    unsafe { create(DXGI_CREATE_FACTORY_FLAGS(0).0, &IDXGIFactory4::IID, &mut found) }.ok().map_err(start("DXGI"))?;
    // SAFETY: the call succeeded, so this is an IDXGIFactory4 that we own and release.
    Ok(unsafe { IDXGIFactory4::from_raw(found) })
}

/// An adapter, its name, the version of its driver, and whether it computes on the CPU.
struct Found {
    adapter: IDXGIAdapter1,
    name: String,
    driver: String,
    software: bool,
}

impl Found {
    fn from_adapter(adapter: IDXGIAdapter1) -> Result<Found, DeviceError> {
        // SAFETY: the call takes no pointers of ours.
        let desc = unsafe { adapter.GetDesc1() }.map_err(start("an adapter's description"))?;
        // The text ends at the first NUL; what follows is undefined.
        let end = desc.Description.iter().position(|unit| *unit == 0).unwrap_or(desc.Description.len());
        let name = String::from_utf16_lossy(&desc.Description[..end]);
        let software = desc.Flags & DXGI_ADAPTER_FLAG_SOFTWARE.0 as u32 != 0;
        // The documented way to the version of a driver. It fails for an adapter without a driver of its own.
        // SAFETY: the identifier belongs to the interface, and outlives the call.
        let version = unsafe { adapter.CheckInterfaceSupport(&IDXGIDevice::IID) };
        let driver = version.map(|version| dotted(version as u64)).unwrap_or_default();
        Ok(Found { adapter, name, driver, software })
    }
}

fn all(factory: &IDXGIFactory4) -> Result<Vec<Found>, DeviceError> {
    // SAFETY: the call takes no pointers of ours; it fails for the index after the last adapter, which ends the list.
    (0..).map_while(|index| unsafe { factory.EnumAdapters1(index) }.ok()).map(Found::from_adapter).collect()
}

/// Returns the names of all adapters.
pub fn adapters() -> Result<Vec<String>, DeviceError> {
    Ok(all(&factory()?)?.into_iter().map(|found| found.name).collect())
}

/// A Direct3D 12 device with one queue.
pub struct Direct3d {
    /// The Direct3D device.
    pub device: ID3D12Device,
    /// The adapter's name.
    pub adapter: String,
    /// The version of the adapter's driver; empty if Windows does not tell it.
    pub driver: String,
    /// Whether the adapter computes on the CPU.
    pub software: bool,
    /// Whether the debug layer is on.
    pub debug: bool,
    queue: ID3D12CommandQueue,
    fence: ID3D12Fence,
    fence_value: u64,
    event: HANDLE,
}

impl Drop for Direct3d {
    fn drop(&mut self) {
        // SAFETY: we own the handle, and nothing uses it afterwards.
        let _ = unsafe { CloseHandle(self.event) };
    }
}

impl Direct3d {
    /// Opens a device on the adapter that the settings name.
    pub fn start(settings: &Settings) -> Result<Direct3d, DeviceError> {
        let library = Library::load("d3d12.dll", None, SYSTEM)?;
        let function = library.function(c"D3D12CreateDevice")?;
        // SAFETY: this is the function's declaration in d3d12.h.
        let create: CreateDevice = unsafe { std::mem::transmute(function) };
        let debug = settings.debug && enable_debug_layer(&library);
        let factory = factory()?;
        let mut names = Vec::new();
        let candidates = match &settings.adapter {
            // SAFETY: the call takes no pointers of ours.
            Adapter::Warp => match unsafe { factory.EnumWarpAdapter::<IDXGIAdapter1>() } {
                Ok(adapter) => vec![Found::from_adapter(adapter)?],
                Err(_) => Vec::new(),
            },
            _ => all(&factory)?,
        };
        for (index, found) in (0u32..).zip(candidates) {
            names.push(found.name.clone());
            let fits = match &settings.adapter {
                Adapter::First | Adapter::Warp => true,
                Adapter::Index(wanted) => *wanted == index,
                Adapter::Name(wanted) => found.name.to_lowercase().contains(&wanted.to_lowercase()),
            };
            if !fits {
                continue;
            }
            let mut device = std::ptr::null_mut();
            let level = D3D_FEATURE_LEVEL_11_0.0;
            // SAFETY: the adapter is alive, the identifier belongs to the interface, and `device` is a variable of
            // ours.
            let created = unsafe { create(found.adapter.as_raw(), level, &ID3D12Device::IID, &mut device) };
            if created.is_ok() && !device.is_null() {
                // SAFETY: the call succeeded, so this is an ID3D12Device that we own and release.
                let device = unsafe { ID3D12Device::from_raw(device) };
                return Direct3d::with_device(device, found, debug);
            }
        }
        let available = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        Err(DeviceError::Adapter { wanted: settings.adapter.to_string(), available })
    }

    fn with_device(device: ID3D12Device, found: Found, debug: bool) -> Result<Direct3d, DeviceError> {
        let desc = D3D12_COMMAND_QUEUE_DESC { Type: D3D12_COMMAND_LIST_TYPE_DIRECT, ..Default::default() };
        // SAFETY: the description outlives the call.
        let queue = unsafe { device.CreateCommandQueue(&desc) }.map_err(start("a command queue"))?;
        // SAFETY: the call takes no pointers of ours.
        let fence = unsafe { device.CreateFence(0, D3D12_FENCE_FLAG_NONE) }.map_err(start("a fence"))?;
        // SAFETY: the call takes no pointers of ours: neither attributes nor a name.
        let event = unsafe { CreateEventW(None, false, false, PCWSTR::null()) }.map_err(start("an event"))?;
        let Found { name: adapter, driver, software, .. } = found;
        Ok(Direct3d { device, adapter, driver, software, debug, queue, fence, fence_value: 0, event })
    }

    /// Returns why the device was removed; `None` if it is still there. After a removal every other call fails as well,
    /// so this is the error to report.
    pub fn removed(&self) -> Option<DeviceError> {
        // SAFETY: the call takes no pointers of ours.
        let reason = unsafe { self.device.GetDeviceRemovedReason() }.err();
        reason.map(|reason| DeviceError::Removed { reason: reason.to_string() })
    }

    /// Creates a buffer of at least this many bytes.
    pub fn buffer(&self, bytes: u64, kind: D3D12_HEAP_TYPE) -> Result<ID3D12Resource, DeviceError> {
        let heap = D3D12_HEAP_PROPERTIES { Type: kind, CreationNodeMask: 1, VisibleNodeMask: 1, ..Default::default() };
        let is_default = kind == D3D12_HEAP_TYPE_DEFAULT;
        let desc = D3D12_RESOURCE_DESC {
            Dimension: D3D12_RESOURCE_DIMENSION_BUFFER,
            Alignment: 0,
            Width: bytes.max(4).next_multiple_of(4),
            Height: 1,
            DepthOrArraySize: 1,
            MipLevels: 1,
            Format: DXGI_FORMAT_UNKNOWN,
            SampleDesc: DXGI_SAMPLE_DESC { Count: 1, Quality: 0 },
            Layout: D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
            Flags: if is_default { D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS } else { D3D12_RESOURCE_FLAG_NONE },
        };
        let state = match kind {
            D3D12_HEAP_TYPE_UPLOAD => D3D12_RESOURCE_STATE_GENERIC_READ,
            D3D12_HEAP_TYPE_READBACK => D3D12_RESOURCE_STATE_COPY_DEST,
            _ => D3D12_RESOURCE_STATE_COMMON,
        };
        let mut buffer: Option<ID3D12Resource> = None;
        // SAFETY: the descriptions and the out-pointer are variables of this function.
        unsafe { self.device.CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, None, &mut buffer) }
            .map_err(failed("getting memory"))
            .map_err(|error| self.removed().unwrap_or(error))?;
        buffer.ok_or_else(|| DeviceError::Failed {
            step: "getting memory",
            reason: "the call succeeded without an object".to_owned(),
        })
    }

    /// Records commands, runs them, and waits until they are done.
    pub fn execute(
        &mut self,
        deadline_seconds: u64,
        record: impl FnOnce(&ID3D12GraphicsCommandList),
    ) -> Result<(), DeviceError> {
        let run = self.execute_unchecked(deadline_seconds, record);
        // A removed device signals its fence too, so only this check tells whether the commands ran.
        match self.removed() {
            Some(removed) => Err(removed),
            None => run,
        }
    }

    fn execute_unchecked(
        &mut self,
        deadline_seconds: u64,
        record: impl FnOnce(&ID3D12GraphicsCommandList),
    ) -> Result<(), DeviceError> {
        let failed = failed("a command list");
        let kind = D3D12_COMMAND_LIST_TYPE_DIRECT;
        // SAFETY: all objects live to the end of this function. The caller keeps the recorded objects alive until this
        // function returns. It returns once the queue is done, or with an error after which nobody uses the device
        // again.
        unsafe {
            let allocator: ID3D12CommandAllocator = self.device.CreateCommandAllocator(kind).map_err(&failed)?;
            let list: ID3D12GraphicsCommandList =
                self.device.CreateCommandList(0, kind, &allocator, None).map_err(&failed)?;
            record(&list);
            list.Close().map_err(&failed)?;
            self.queue.ExecuteCommandLists(&[Some(list.cast().map_err(&failed)?)]);
            self.fence_value += 1;
            self.queue.Signal(&self.fence, self.fence_value).map_err(&failed)?;
            self.fence.SetEventOnCompletion(self.fence_value, self.event).map_err(&failed)?;
            let milliseconds = u32::try_from(deadline_seconds.saturating_mul(1000)).unwrap_or(u32::MAX - 1);
            if WaitForSingleObject(self.event, milliseconds) != WAIT_OBJECT_0 {
                // The device may still use the allocator and the list, so both are leaked.
                std::mem::forget((allocator, list));
                return Err(DeviceError::Timeout { seconds: deadline_seconds });
            }
        }
        Ok(())
    }
}

/// Turns on Direct3D's debug layer, if it is installed.
fn enable_debug_layer(library: &Library) -> bool {
    let Ok(function) = library.function(c"D3D12GetDebugInterface") else { return false };
    // SAFETY: this is the function's declaration in d3d12.h.
    let get: GetDebugInterface = unsafe { std::mem::transmute(function) };
    let mut found = std::ptr::null_mut();
    // SAFETY: the identifier belongs to the interface, and `found` is a variable of this function.
    if unsafe { get(&ID3D12Debug::IID, &mut found) }.is_err() || found.is_null() {
        return false;
    }
    // SAFETY: the call succeeded, so this is an ID3D12Debug that we own and release.
    unsafe { ID3D12Debug::from_raw(found).EnableDebugLayer() };
    true
}

/// Writes bytes into a buffer of the upload heap, from its start.
pub fn write(buffer: &ID3D12Resource, bytes: &[u8]) -> Result<(), DeviceError> {
    let mut data = std::ptr::null_mut();
    // SAFETY: the caller made the buffer for at least these bytes, and it stays mapped during the copy.
    unsafe {
        buffer.Map(0, Some(&D3D12_RANGE::default()), Some(&mut data)).map_err(failed("mapping an upload"))?;
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), bytes.len());
        buffer.Unmap(0, None);
    }
    Ok(())
}

/// Returns the first `length` bytes of a buffer of the readback heap.
pub fn read(buffer: &ID3D12Resource, length: usize) -> Result<Vec<u8>, DeviceError> {
    let mut data = std::ptr::null_mut();
    let mut bytes = vec![0; length];
    // SAFETY: the caller made the buffer for at least this length, and it stays mapped during the copy.
    unsafe {
        buffer.Map(0, None, Some(&mut data)).map_err(failed("mapping a readback"))?;
        std::ptr::copy_nonoverlapping(data.cast(), bytes.as_mut_ptr(), length);
        buffer.Unmap(0, Some(&D3D12_RANGE::default()));
    }
    Ok(bytes)
}

/// Records a barrier that changes the state of a buffer.
pub fn transition(
    list: &ID3D12GraphicsCommandList,
    buffer: &ID3D12Resource,
    before: D3D12_RESOURCE_STATES,
    after: D3D12_RESOURCE_STATES,
) {
    let mut barrier = D3D12_RESOURCE_BARRIER {
        Type: D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
        Flags: D3D12_RESOURCE_BARRIER_FLAG_NONE,
        Anonymous: D3D12_RESOURCE_BARRIER_0 {
            Transition: ManuallyDrop::new(D3D12_RESOURCE_TRANSITION_BARRIER {
                pResource: ManuallyDrop::new(Some(buffer.clone())),
                Subresource: D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES,
                StateBefore: before,
                StateAfter: after,
            }),
        },
    };
    // SAFETY: the barrier outlives the call. `Transition` is the field of the union that was set; it is dropped with
    // the resource that it holds.
    unsafe {
        list.ResourceBarrier(std::slice::from_ref(&barrier));
        ManuallyDrop::drop(&mut (*barrier.Anonymous.Transition).pResource);
    }
}
