//! Reads the part of a backend's name after the colon, for adapters.

/// How the part of a backend's name after the colon becomes arguments of the adapter's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settings {
    /// The adapter has no settings: a name with such a part is an error.
    None,
    /// `device=GPU,option.KEY=VALUE` becomes `--device GPU --option KEY=VALUE`.
    DeviceAndOptions,
    /// `package.module,device=CUDA` becomes `package.module --device CUDA`.
    ModuleAndDevice,
    /// `ep=NAME`, with one of these names, becomes `--ep NAME`.
    Provider(&'static [&'static str]),
    /// `check=on`, with these keys, becomes `--check on`.
    Keys(&'static [&'static str]),
    /// `pass=NAME,disable=A+B`, with these keys, becomes `onnxoptimizer --pass NAME --disable A+B`. The first argument is
    /// the name of the adapter without `rewriter:`.
    Rewriter(&'static [&'static str]),
}

impl Settings {
    /// Reads the part after the colon, and returns the arguments of the adapter's program. The error is one line.
    pub(super) fn arguments(self, adapter: &str, text: Option<&str>) -> Result<Vec<String>, String> {
        let mut parts = text.into_iter().flat_map(|text| text.split(','));
        match self {
            Settings::None => match text {
                Some(text) => Err(format!("`{text}` is not a setting: {adapter} has none")),
                None => Ok(Vec::new()),
            },
            Settings::DeviceAndOptions => Ok(parts.map(device_or_option).collect::<Result<Vec<_>, _>>()?.concat()),
            Settings::ModuleAndDevice => {
                let is_name = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_') && !part.is_empty();
                match parts.next() {
                    Some(module) if module.split('.').all(is_name) => {
                        let devices = parts.map(device).collect::<Result<Vec<_>, _>>()?;
                        Ok([vec![module.to_owned()], devices.concat()].concat())
                    }
                    Some(module) => Err(format!("`{module}` is not the name of a Python module")),
                    None => {
                        Err(format!("it has to name a module: {adapter}:MODULE, such as {adapter}:onnxruntime.backend"))
                    }
                }
            }
            Settings::Keys(keys) => {
                let settings = parts.map(|part| key_and_value(adapter, part, keys)).collect::<Result<Vec<_>, _>>()?;
                Ok(settings.concat())
            }
            Settings::Rewriter(keys) => {
                let tool = adapter.rsplit(':').take(1).map(str::to_owned);
                Ok(tool.chain(Settings::Keys(keys).arguments(adapter, text)?).collect())
            }
            Settings::Provider(known) => text.map_or(Ok(Vec::new()), |text| provider(text, known)),
        }
    }
}

/// Returns the arguments for a device.
fn device(setting: &str) -> Result<Vec<String>, String> {
    match setting.split_once('=') {
        Some(("device", device)) if !device.is_empty() => Ok(vec!["--device".to_owned(), device.to_owned()]),
        _ => Err(format!("`{setting}` is not a setting: write device=NAME")),
    }
}

/// Returns the arguments for a device or an option.
fn device_or_option(setting: &str) -> Result<Vec<String>, String> {
    match setting.strip_prefix("option.") {
        Some(option) if option.split_once('=').is_some_and(|(key, _)| !key.is_empty()) => {
            Ok(vec!["--option".to_owned(), option.to_owned()])
        }
        _ => device(setting).map_err(|error| format!("{error} or option.KEY=VALUE")),
    }
}

/// Returns the arguments for a setting with one of these keys.
fn key_and_value(adapter: &str, setting: &str, keys: &[&str]) -> Result<Vec<String>, String> {
    match setting.split_once('=') {
        Some((key, value)) if keys.contains(&key) && !value.is_empty() => {
            Ok(vec![format!("--{key}"), value.to_owned()])
        }
        _ if keys.is_empty() => Err(format!("`{setting}` is not a setting: {adapter} has none")),
        _ => Err(format!("`{setting}` is not a setting: write {}=VALUE", keys.join("=VALUE or "))),
    }
}

/// Returns the arguments for an execution provider.
fn provider(setting: &str, known: &[&str]) -> Result<Vec<String>, String> {
    let names = known.join(" or ep=");
    match setting.split_once('=') {
        Some(("ep", name)) if known.contains(&name) => Ok(vec!["--ep".to_owned(), name.to_owned()]),
        Some(("ep", name)) => Err(format!("`{name}` is not an execution provider: write ep={names}")),
        _ => Err(format!("`{setting}` is not a setting: write ep={names}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_options_become_arguments() {
        let arguments = |text| Settings::DeviceAndOptions.arguments("openvino", text);
        assert_eq!(arguments(None), Ok(Vec::new()));
        let expected = ["--device", "GPU.1", "--option", "INFERENCE_NUM_THREADS=1"].map(str::to_owned);
        assert_eq!(arguments(Some("device=GPU.1,option.INFERENCE_NUM_THREADS=1")), Ok(expected.to_vec()));
        for wrong in ["", "GPU", "device=", "threads=1", "option.=1", "option.a"] {
            let error = arguments(Some(wrong)).unwrap_err();
            assert_eq!(error, format!("`{wrong}` is not a setting: write device=NAME or option.KEY=VALUE"));
        }
    }

    #[test]
    fn a_module_and_its_device_become_arguments() {
        let arguments = |text| Settings::ModuleAndDevice.arguments("onnx-backend", text);
        assert_eq!(arguments(Some("a.b_1.Backend")), Ok(vec!["a.b_1.Backend".to_owned()]));
        let expected = ["a", "--device", "CUDA:1"].map(str::to_owned);
        assert_eq!(arguments(Some("a,device=CUDA:1")), Ok(expected.to_vec()));
        assert!(arguments(None).unwrap_err().starts_with("it has to name a module: onnx-backend:MODULE"));
        for (wrong, error) in [
            ("", "`` is not the name of a Python module"),
            ("a..b", "`a..b` is not the name of a Python module"),
            ("a.py b", "`a.py b` is not the name of a Python module"),
            ("--device", "`--device` is not the name of a Python module"),
            ("a,b", "`b` is not a setting: write device=NAME"),
        ] {
            assert_eq!(arguments(Some(wrong)), Err(error.to_owned()));
        }
    }

    #[test]
    fn a_setting_of_an_adapter_without_settings_is_an_error() {
        assert_eq!(Settings::None.arguments("tract-python", None), Ok(Vec::new()));
        let error = Settings::None.arguments("tract-python", Some("device=CPU")).unwrap_err();
        assert_eq!(error, "`device=CPU` is not a setting: tract-python has none");
    }

    #[test]
    fn an_execution_provider_is_one_of_a_list() {
        let arguments = |text| Settings::Provider(&["wasm", "webgpu"]).arguments("onnxruntime-web", text);
        assert_eq!(arguments(None), Ok(Vec::new()));
        assert_eq!(arguments(Some("ep=webgpu")), Ok(vec!["--ep".to_owned(), "webgpu".to_owned()]));
        assert_eq!(
            arguments(Some("ep=cuda")).unwrap_err(),
            "`cuda` is not an execution provider: write ep=wasm or ep=webgpu"
        );
        for wrong in ["", "webgpu", "device=gpu"] {
            let error = arguments(Some(wrong)).unwrap_err();
            assert_eq!(error, format!("`{wrong}` is not a setting: write ep=wasm or ep=webgpu"));
        }
    }
}
