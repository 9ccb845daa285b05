//! The part of an adapter's name after the colon.

/// How the part of a backend's name after the colon becomes arguments of the adapter's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settings {
    /// `device=GPU,option.KEY=VALUE` becomes `--device GPU --option KEY=VALUE`.
    DeviceAndOptions,
    /// `ep=NAME`, with one of these names, becomes `--ep NAME`.
    Provider(&'static [&'static str]),
}

impl Settings {
    /// Returns the arguments of the program. The error is one line.
    pub(super) fn arguments(self, text: Option<&str>) -> Result<Vec<String>, String> {
        match self {
            Settings::DeviceAndOptions => {
                let settings = text.into_iter().flat_map(|text| text.split(','));
                Ok(settings.map(device_or_option).collect::<Result<Vec<_>, _>>()?.concat())
            }
            Settings::Provider(known) => text.map_or(Ok(Vec::new()), |text| provider(text, known)),
        }
    }
}

/// Returns the arguments for one setting.
fn device_or_option(setting: &str) -> Result<Vec<String>, String> {
    match setting.split_once('=') {
        Some(("device", device)) if !device.is_empty() => Ok(vec!["--device".to_owned(), device.to_owned()]),
        Some((key, value)) => match key.strip_prefix("option.") {
            Some(key) if !key.is_empty() => Ok(vec!["--option".to_owned(), format!("{key}={value}")]),
            _ => Err(format!("`{key}` is not a setting: write device=NAME or option.KEY=VALUE")),
        },
        None => Err(format!("`{setting}` is not a setting: write device=NAME or option.KEY=VALUE")),
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
    fn settings_become_arguments() {
        let arguments = |text| Settings::DeviceAndOptions.arguments(text);
        assert_eq!(arguments(None), Ok(Vec::new()));
        let expected = ["--device", "GPU.1", "--option", "INFERENCE_NUM_THREADS=1"].map(str::to_owned);
        assert_eq!(arguments(Some("device=GPU.1,option.INFERENCE_NUM_THREADS=1")), Ok(expected.to_vec()));
        for wrong in ["", "GPU", "device=", "threads=1", "option.=1"] {
            let error = arguments(Some(wrong)).unwrap_err();
            assert!(error.contains("is not a setting: write device=NAME"), "{error}");
        }
    }

    #[test]
    fn an_execution_provider_is_one_of_a_list() {
        let arguments = |text| Settings::Provider(&["wasm", "webgpu"]).arguments(text);
        assert_eq!(arguments(None), Ok(Vec::new()));
        assert_eq!(arguments(Some("ep=webgpu")), Ok(vec!["--ep".to_owned(), "webgpu".to_owned()]));
        assert_eq!(
            arguments(Some("ep=cuda")).unwrap_err(),
            "`cuda` is not an execution provider: write ep=wasm or ep=webgpu"
        );
        for wrong in ["", "webgpu", "ep=wasm,ep=webgpu", "device=gpu"] {
            assert!(arguments(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
