//! Reads what the name of a backend says about ONNX Runtime's session: `ep=ggml,device=cpu` in
//! `onnxruntime:ep=ggml,device=cpu`.

use std::path::PathBuf;

use super::nvidia::Nvidia;
use super::plugin::{Plugin, PluginError};

/// The settings that a name may have, for messages.
const KEYS: &str =
    "ep, provider, device, optimization, disable, memory_pattern, execution_mode, inter_op_threads, option.KEY";

/// The settings that do not need an execution provider.
const OF_EACH_SESSION: [&str; 5] = ["optimization", "disable", "memory_pattern", "execution_mode", "inter_op_threads"];

/// The largest number of threads that a name may ask for.
const MOST_THREADS: i32 = 64;

/// The settings whose plan or executor differs from the simplest one. A failure that goes away without one of them comes
/// from it.
pub const SWITCHES: [&str; 2] = ["memory_pattern=on", "execution_mode=parallel"];

/// Where an execution provider comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A plug-in in a pip package: `ep=ggml`, `ep=onnxruntime-ggml@0.2.0`.
    Package(Plugin),
    /// A provider of NVIDIA, with the ONNX Runtime of the package onnxruntime-gpu: `ep=cuda`, `ep=tensorrt`.
    Nvidia(Nvidia),
    /// A plug-in library at this path: `ep=/path/libfoo.so`.
    Library(PathBuf),
    /// A provider that ONNX Runtime's own library has: `ep=DmlExecutionProvider`.
    Inside(String),
}

/// The device that a provider computes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    #[default]
    /// The first device that the provider finds.
    First,
    /// The first device of this type.
    Type(DeviceType),
    /// The device at this place, counted from 0, in the provider's list of devices.
    Number(usize),
}

/// The types of devices that ONNX Runtime distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceType {
    /// A processor.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// A processor for neural networks.
    Npu,
}

impl DeviceType {
    /// All types, in the order of ONNX Runtime's numbers.
    pub const ALL: [DeviceType; 3] = [DeviceType::Cpu, DeviceType::Gpu, DeviceType::Npu];

    /// Returns the word for the type in the name of a backend: `cpu`.
    pub fn name(self) -> &'static str {
        match self {
            DeviceType::Cpu => "cpu",
            DeviceType::Gpu => "gpu",
            DeviceType::Npu => "npu",
        }
    }
}

/// How far ONNX Runtime changes a graph before it runs the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimization {
    /// Not at all.
    None,
    /// Redundant nodes are removed.
    Basic,
    /// Nodes are fused, too.
    Extended,
    /// Values are laid out as kernels like them, too. ONNX Runtime 1.23 is the first that has this level.
    Layout,
    /// Everything that a user gets by default.
    All,
}

impl Optimization {
    const ALL: [Optimization; 5] =
        [Optimization::None, Optimization::Basic, Optimization::Extended, Optimization::Layout, Optimization::All];

    fn name(self) -> &'static str {
        match self {
            Optimization::None => "none",
            Optimization::Basic => "basic",
            Optimization::Extended => "extended",
            Optimization::Layout => "layout",
            Optimization::All => "all",
        }
    }
}

/// The order in which a session runs its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExecutionMode {
    /// One after the other.
    #[default]
    Sequential,
    /// Nodes that do not need each other's values at the same time.
    Parallel,
}

/// What a name says about the session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The execution provider that runs the operators; the CPU provider if there is none.
    pub source: Option<Source>,
    /// The name of the provider, if a plug-in library has several: `provider=FooExecutionProvider`.
    pub provider: Option<String>,
    /// The device that the provider computes on: `device=gpu`, `device=1`.
    pub device: Device,
    /// The graph optimizations: `optimization=none`.
    pub optimization: Option<Optimization>,
    /// Graph optimizations that sessions leave out, by ONNX Runtime's own names: `disable=ConstantFolding+GeluFusionL1`.
    pub disabled: Vec<String>,
    /// Whether a session plans the memory of its later runs from the first one: `memory_pattern=on`.
    pub has_memory_pattern: bool,
    /// The order of the nodes: `execution_mode=parallel`.
    pub execution_mode: ExecutionMode,
    /// The number of threads that run nodes at the same time in the parallel mode: `inter_op_threads=4`.
    pub inter_op_threads: Option<i32>,
    /// The options that are passed to the provider, in the order in which they are written: `option.threads=2`.
    pub options: Vec<(String, String)>,
    /// All settings but `ep`, as the version of the backend shows them. They are as the user wrote them, except for a
    /// comma inside a setting: the user writes two commas, and this text has one.
    pub text: String,
}

impl Settings {
    /// Reads the settings that follow the colon of a name. The error says what is wrong, in one line.
    pub fn parse(argument: Option<&str>) -> Result<Settings, String> {
        let mut settings = Settings::default();
        let Some(argument) = argument else { return Ok(settings) };
        let mut seen: Vec<String> = Vec::new();
        let mut written = Vec::new();
        for setting in split(argument) {
            let (key, value) = setting
                .split_once('=')
                .filter(|(key, value)| !key.is_empty() && !value.is_empty())
                .ok_or_else(|| format!("`{setting}` is not a setting: write KEY=VALUE; the keys are {KEYS}"))?;
            if seen.iter().any(|other| other == key) {
                return Err(format!("`{key}` is set twice"));
            }
            seen.push(key.to_owned());
            match key {
                "ep" => settings.source = Some(source(value)?),
                "provider" => settings.provider = Some(value.to_owned()),
                "device" => settings.device = device(value)?,
                "optimization" => settings.optimization = Some(optimization(value)?),
                "disable" => settings.disabled = passes(value)?,
                "memory_pattern" => settings.has_memory_pattern = is_on(value)?,
                "execution_mode" => settings.execution_mode = execution_mode(value)?,
                "inter_op_threads" => settings.inter_op_threads = Some(threads(value)?),
                _ => match key.strip_prefix("option.").filter(|key| !key.is_empty()) {
                    Some(key) => settings.options.push((key.to_owned(), value.to_owned())),
                    None => return Err(format!("`{key}` is not a setting; the settings are {KEYS}")),
                },
            }
            if key != "ep" {
                written.push(setting);
            }
        }
        if settings.source.is_none()
            && let Some(key) = seen.iter().find(|key| !OF_EACH_SESSION.contains(&key.as_str()))
        {
            return Err(format!("`{key}` is for an execution provider, and none is named: add ep=NAME"));
        }
        if settings.source.is_some() && !settings.disabled.is_empty() {
            return Err("`disable` is for the CPU provider: leave out ep=".to_owned());
        }
        if settings.inter_op_threads.is_some() && settings.execution_mode == ExecutionMode::Sequential {
            return Err("`inter_op_threads` is for the parallel mode: add execution_mode=parallel".to_owned());
        }
        if settings.source == Some(Source::Nvidia(Nvidia::TensorRt)) && settings.device != Device::First {
            return Err("the device of TensorRT is an option: write option.device_id=NUMBER".to_owned());
        }
        settings.text = written.join(",");
        Ok(settings)
    }
}

/// Splits settings at single commas. Two commas in a row stand for a comma inside a setting.
fn split(argument: &str) -> Vec<String> {
    let whole = argument.replace(",,", "\0");
    whole.split(',').map(|setting| setting.replace('\0', ",")).collect()
}

fn source(value: &str) -> Result<Source, String> {
    let is_path = value.contains(['/', '\\']) || [".so", ".dll", ".dylib"].iter().any(|ending| value.ends_with(ending));
    if is_path {
        return Ok(Source::Library(value.into()));
    }
    if value == "CPUExecutionProvider" {
        return Err("CPUExecutionProvider is the default: leave out ep=".to_owned());
    }
    if value.ends_with("ExecutionProvider") {
        return Ok(Source::Inside(value.to_owned()));
    }
    if let Some(provider) = Nvidia::ALL.into_iter().find(|provider| provider.name() == value) {
        return Ok(Source::Nvidia(provider));
    }
    if let Some(name) = Nvidia::ALL.map(Nvidia::name).into_iter().find(|name| value.starts_with(&format!("{name}@"))) {
        return Err(format!("{name} has the version of ONNX Runtime: write onnxruntime@VERSION:ep={name}"));
    }
    match Plugin::parse(value) {
        Ok(plugin) => Ok(Source::Package(plugin)),
        Err(PluginError::NoVersion) => Err(format!("no version of `{value}` is known: write ep={value}@VERSION")),
        Err(PluginError::NotAVersion(version)) => Err(format!("`{version}` is not a version of a package")),
        Err(PluginError::NotAPackage) => Err(format!(
            "`{value}` is not an execution provider: write {}, {}, a pip package such as onnxruntime-foo@1.0, the path of a plug-in \
             library, or the full name of a provider in ONNX Runtime's own library, such as DmlExecutionProvider",
            Plugin::known().join(", "),
            Nvidia::ALL.map(Nvidia::name).join(", ")
        )),
    }
}

fn device(value: &str) -> Result<Device, String> {
    if let Some(found) = DeviceType::ALL.into_iter().find(|device| device.name() == value) {
        return Ok(Device::Type(found));
    }
    let number =
        value.parse().map_err(|_| format!("`{value}` is not a device: write cpu, gpu, npu or a number from 0"))?;
    Ok(Device::Number(number))
}

/// Splits the names of graph optimizations.
fn passes(value: &str) -> Result<Vec<String>, String> {
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match value.split('+').find(|name| !is_name(name)) {
        Some(name) => Err(format!("`{name}` is not the name of a graph optimization: write disable=NAME+NAME")),
        None => Ok(value.split('+').map(str::to_owned).collect()),
    }
}

fn optimization(value: &str) -> Result<Optimization, String> {
    let found = Optimization::ALL.into_iter().find(|optimization| optimization.name() == value);
    found.ok_or_else(|| {
        let known = Optimization::ALL.map(Optimization::name).join(", ");
        format!("`{value}` is not an optimization level; the levels are {known}")
    })
}

fn is_on(value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("`{value}` is neither on nor off")),
    }
}

fn execution_mode(value: &str) -> Result<ExecutionMode, String> {
    match value {
        "sequential" => Ok(ExecutionMode::Sequential),
        "parallel" => Ok(ExecutionMode::Parallel),
        _ => Err(format!("`{value}` is not an execution mode; the modes are sequential, parallel")),
    }
}

fn threads(value: &str) -> Result<i32, String> {
    let number = value.parse().ok().filter(|number| (1..=MOST_THREADS).contains(number));
    number.ok_or_else(|| format!("`{value}` is not a number of threads: write a number from 1 to {MOST_THREADS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Settings {
        Settings::parse(Some(text)).unwrap()
    }

    fn error(text: &str) -> String {
        Settings::parse(Some(text)).unwrap_err()
    }

    #[test]
    fn without_settings_the_cpu_provider_runs() {
        let settings = Settings::parse(None).unwrap();
        assert_eq!((settings.source, settings.text.as_str()), (None, ""));
        assert_eq!(parse("optimization=none").optimization, Some(Optimization::None));
    }

    #[test]
    fn a_provider_is_a_package_a_path_or_a_full_name() {
        let package = |text: &str| match parse(text).source {
            Some(Source::Package(plugin)) => (plugin.package, plugin.version),
            other => panic!("{other:?}"),
        };
        assert_eq!(package("ep=ggml"), ("onnxruntime-ggml".to_owned(), "0.2.0".to_owned()));
        assert_eq!(package("ep=onnxruntime-ggml@0.1.0"), ("onnxruntime-ggml".to_owned(), "0.1.0".to_owned()));
        assert_eq!(package("ep=onnxruntime-ep-foo@2.0rc1"), ("onnxruntime-ep-foo".to_owned(), "2.0rc1".to_owned()));
        assert_eq!(parse("ep=cuda,device=1").source, Some(Source::Nvidia(Nvidia::Cuda)));
        for path in ["/opt/libfoo.so", "./foo", "C:\\foo.dll", "libfoo.dylib"] {
            assert_eq!(parse(&format!("ep={path}")).source, Some(Source::Library(path.into())));
        }
        assert_eq!(parse("ep=CUDAExecutionProvider").source, Some(Source::Inside("CUDAExecutionProvider".to_owned())));
    }

    #[test]
    fn disabled_optimizations_are_names_joined_by_plus() {
        assert_eq!(parse("disable=ConstantFolding+GeluFusionL1").disabled, ["ConstantFolding", "GeluFusionL1"]);
        let error = |text: &str| Settings::parse(Some(text)).unwrap_err();
        assert!(error("disable=a+").contains("`` is not the name of a graph optimization"));
        assert!(error("ep=ggml,disable=a").contains("leave out ep="));
    }

    #[test]
    fn the_plan_and_the_executor_are_chosen_without_a_provider() {
        let settings = parse("memory_pattern=on,execution_mode=parallel,inter_op_threads=4");
        assert!(settings.has_memory_pattern);
        assert_eq!((settings.execution_mode, settings.inter_op_threads), (ExecutionMode::Parallel, Some(4)));
        assert!(!parse("memory_pattern=off").has_memory_pattern);
        assert_eq!(error("memory_pattern=yes"), "`yes` is neither on nor off");
        assert!(error("execution_mode=both").starts_with("`both` is not an execution mode"));
        assert!(error("inter_op_threads=2").ends_with("add execution_mode=parallel"));
        assert!(error("execution_mode=parallel,inter_op_threads=0").starts_with("`0` is not a number of threads"));
        assert!(SWITCHES.into_iter().all(|switch| parse(switch) != Settings::default()));
    }

    #[test]
    fn the_device_the_options_and_the_optimization_are_read() {
        let settings = parse("ep=ggml,device=gpu,option.threads=2,option.layout=a,,b=c,optimization=all,provider=x");
        assert_eq!(settings.device, Device::Type(DeviceType::Gpu));
        let option = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(settings.options, [option("threads", "2"), option("layout", "a,b=c")]);
        assert_eq!((settings.optimization, settings.provider.as_deref()), (Some(Optimization::All), Some("x")));
        assert_eq!(settings.text, "device=gpu,option.threads=2,option.layout=a,b=c,optimization=all,provider=x");
        assert_eq!(parse("ep=ggml,device=1").device, Device::Number(1));
    }

    #[test]
    fn wrong_settings_are_named() {
        assert!(error("").starts_with("`` is not a setting: write KEY=VALUE; the keys are ep, "));
        assert!(error("ggml").starts_with("`ggml` is not a setting"));
        assert!(error("ep=").starts_with("`ep=` is not a setting"));
        assert!(
            error("ep=gglm").starts_with(
                "`gglm` is not an execution provider: write ggml, openvino, qnn, webgpu, cuda, tensorrt, "
            )
        );
        assert_eq!(
            error("ep=onnxruntime-foo"),
            "no version of `onnxruntime-foo` is known: write ep=onnxruntime-foo@VERSION"
        );
        assert_eq!(error("ep=cuda@1.30.0"), "cuda has the version of ONNX Runtime: write onnxruntime@VERSION:ep=cuda");
        assert_eq!(error("ep=tensorrt,device=1"), "the device of TensorRT is an option: write option.device_id=NUMBER");
        assert_eq!(error("ep=CPUExecutionProvider"), "CPUExecutionProvider is the default: leave out ep=");
        assert_eq!(error("ep=ggml@1;2"), "`1;2` is not a version of a package");
        assert_eq!(error("ep=ggml,device=tpu"), "`tpu` is not a device: write cpu, gpu, npu or a number from 0");
        assert_eq!(
            error("ep=ggml,optimization=O3"),
            "`O3` is not an optimization level; the levels are none, basic, extended, layout, all"
        );
        assert_eq!(
            error("ep=ggml,threads=2"),
            "`threads` is not a setting; the settings are ep, provider, device, optimization, disable, memory_pattern, \
             execution_mode, inter_op_threads, option.KEY"
        );
        assert_eq!(error("ep=ggml,device=cpu,device=gpu"), "`device` is set twice");
        assert_eq!(error("device=gpu"), "`device` is for an execution provider, and none is named: add ep=NAME");
    }
}
