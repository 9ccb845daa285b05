//! WebGPU without a GPU: the plug-in onnxruntime-ep-webgpu on SwiftShader, which computes on the CPU. Chromium brings
//! SwiftShader, and the loader through which Vulkan's drivers are found.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::settings::{Device, DeviceType, Settings, Source};

/// The plug-in.
const PACKAGE: &str = "onnxruntime-ep-webgpu";
/// The variable by which the plug-in also offers the CPU as a device, if there is no GPU. Its version 0.4.0 is the first
/// that reads the variable.
const ALLOW: &str = "ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER";
/// The variables that name Vulkan's drivers.
const DRIVERS: [&str; 2] = ["VK_ICD_FILENAMES", "VK_DRIVER_FILES"];
/// The file that describes SwiftShader to Vulkan's loader, and the loader.
const SWIFTSHADER: &str = "vk_swiftshader_icd.json";
const LOADER: &str = "libvulkan.so.1";
/// The names of Chromium in `PATH`.
const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Where packages of distributions put Chromium, if the program in `PATH` is a script.
const FOLDERS: [&str; 4] =
    ["/usr/lib/chromium", "/usr/lib/chromium-browser", "/usr/lib64/chromium-browser", "/opt/google/chrome"];

/// Returns whether these settings ask for WebGPU on the CPU: `ep=webgpu,device=cpu`.
pub fn is_wanted(settings: &Settings) -> bool {
    matches!(&settings.source, Some(Source::Package(plugin)) if plugin.package == PACKAGE)
        && settings.device == Device::Type(DeviceType::Cpu)
}

/// Returns the variables with which a process finds SwiftShader. If the user's environment names drivers of Vulkan, these
/// are used. The error is one line.
pub fn environment() -> Result<Vec<(OsString, OsString)>, String> {
    let mut variables = vec![(ALLOW.into(), "1".into())];
    if DRIVERS.iter().any(|name| std::env::var_os(name).is_some()) {
        return Ok(variables);
    }
    let browser = std::env::var_os("PLUMBLINE_CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = std::env::split_paths(&path).flat_map(|folder| PROGRAMS.map(|name| folder.join(name)));
    let programs = browser.into_iter().chain(programs).filter_map(|program| program.canonicalize().ok());
    let beside = programs.filter_map(|program| program.parent().map(Path::to_owned));
    let folder = beside.chain(FOLDERS.map(PathBuf::from)).find(|folder| is_complete(folder)).ok_or_else(|| {
        format!(
            "SwiftShader, on which WebGPU computes without a GPU, is not on this machine: no folder of a Chromium has \
             {SWIFTSHADER} and {LOADER} ({} and the environment were looked at)",
            FOLDERS.join(", ")
        )
    })?;
    let mut search = vec![folder.clone()];
    search.extend(std::env::split_paths(&std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default()));
    let search = std::env::join_paths(search).map_err(|error| format!("{}: {error}", folder.display()))?;
    variables.push((DRIVERS[0].into(), folder.join(SWIFTSHADER).into()));
    variables.push(("LD_LIBRARY_PATH".into(), search));
    Ok(variables)
}

fn is_complete(folder: &Path) -> bool {
    [SWIFTSHADER, LOADER].iter().all(|name| folder.join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn software_is_asked_for_by_the_device() {
        let is_wanted = |text| is_wanted(&Settings::parse(Some(text)).unwrap());
        assert!(is_wanted("ep=webgpu,device=cpu"));
        assert!(!is_wanted("ep=webgpu") && !is_wanted("ep=ggml,device=cpu"));
    }
}
