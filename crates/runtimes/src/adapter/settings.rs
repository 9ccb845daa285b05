//! The part of an adapter's name after the colon.

/// How the part of a backend's name after the colon becomes arguments of the adapter's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settings {
    /// `device=GPU,option.KEY=VALUE` becomes `--device GPU --option KEY=VALUE`.
    DeviceAndOptions,
}

impl Settings {
    /// Returns the arguments of the program. The error is one line.
    pub(super) fn arguments(self, text: Option<&str>) -> Result<Vec<String>, String> {
        match self {
            Settings::DeviceAndOptions => {
                let settings = text.into_iter().flat_map(|text| text.split(','));
                Ok(settings.map(device_or_option).collect::<Result<Vec<_>, _>>()?.concat())
            }
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
}
