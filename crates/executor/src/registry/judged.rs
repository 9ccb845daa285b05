//! What the answers of a backend are judged by, where that is not only its own profile: the built-in profile of the
//! provider that it runs on, and the settings of its name.

use std::time::Duration;

use plumbline_backend::{Overlay, Profile};
use plumbline_oracle::Policy;
use plumbline_tensor::{Model, Value};

use super::name::PROFILE;
use super::{BackendName, MOCK, PROCESS};
use crate::{Identity, Job, Observation, Runner};

/// The settings of a name, read and checked.
#[derive(Default)]
pub(super) struct Settings {
    overlay: Overlay,
    /// The settings as the version of the backend shows them. A file has a number that changes with its contents.
    text: String,
}

impl Settings {
    /// Reads the settings, and the file that they may name. A setting wins over the file. The error is one line.
    pub(super) fn read(name: &BackendName) -> Result<Settings, String> {
        let (mut file, mut settings, mut written) = (Overlay::default(), Overlay::default(), Vec::new());
        for (at, (key, value)) in name.judged_by.iter().enumerate() {
            if name.judged_by[..at].iter().any(|(other, _)| other == key) {
                return Err(format!("`{key}` is set twice"));
            }
            if key == PROFILE {
                let text = std::fs::read_to_string(value).map_err(|error| format!("cannot read {value}: {error}"))?;
                file = Overlay::parse(&text).map_err(|error| format!("{value}: {error}"))?;
                check(&file).map_err(|error| format!("{value}: {error}"))?;
                let stem = std::path::Path::new(value).file_stem().unwrap_or_default().to_string_lossy();
                written.push(format!("{key}={stem}-{:08x}", number_of(&text)));
            } else if let Some(setting) = Overlay::setting(key, value) {
                settings.extend(setting.map_err(|error| error.to_string())?);
                written.push(format!("{key}={value}"));
            }
        }
        file.extend(settings);
        check(&file)?;
        Ok(Settings { overlay: file, text: written.join(",") })
    }

    /// Returns the runner as it was started or, if anything replaces parts of its profile, with another profile. The
    /// settings are added to the version, so that results with other settings are told apart.
    pub(super) fn judge(self, name: &BackendName, runner: Box<dyn Runner>) -> Box<dyn Runner> {
        let mut overlay = of_provider(name, runner.identity()).unwrap_or_default();
        overlay.extend(self.overlay);
        if overlay.is_empty() {
            return runner;
        }
        let profile = overlay.over(runner.profile());
        let Identity { name, version } = runner.identity().clone();
        let parts = [version, self.text].into_iter().filter(|part| !part.is_empty());
        let identity = Identity { name, version: parts.collect::<Vec<_>>().join(",") };
        Box::new(Judged { runner, identity, profile })
    }
}

/// Checks the names of the table and of functions, and their numbers.
fn check(overlay: &Overlay) -> Result<(), String> {
    Policy::new(&overlay.over(&Profile::default()).numerics()).map(drop).map_err(|error| error.to_string())
}

/// Returns the built-in keys for the provider that a backend runs on. What `process:CMD` calls itself says nothing.
fn of_provider(name: &BackendName, identity: &Identity) -> Option<Overlay> {
    let provider = match (name.base.as_str(), name.argument.as_deref()) {
        (PROCESS | MOCK, _) => return None,
        ("onnxruntime-web", Some("ep=webgpu")) => "webgpu",
        ("directml", _) => "directml",
        _ => identity.name.strip_prefix("onnxruntime-")?,
    };
    // ONNX Runtime calls its provider DmlExecutionProvider.
    Overlay::of_provider(if provider == "dml" { "directml" } else { provider })
}

/// Returns a number that is the same for the same text (FNV-1a).
fn number_of(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A runner with another profile than its own.
struct Judged {
    runner: Box<dyn Runner>,
    identity: Identity,
    profile: Profile,
}

impl Runner for Judged {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
        self.runner.run(model, inputs, deadline)
    }

    fn runs_again(&self) -> bool {
        self.runner.runs_again()
    }

    fn is_over(&self) -> bool {
        self.runner.is_over()
    }

    fn resident_bytes(&mut self) -> Option<u64> {
        self.runner.resident_bytes()
    }

    fn kill(&mut self) -> bool {
        self.runner.kill()
    }

    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.runner.run_batch(jobs, deadline)
    }

    fn run_batch_once(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.runner.run_batch_once(jobs, deadline)
    }
}

#[cfg(test)]
mod tests {
    use plumbline_spec::Unchecked;

    use super::*;
    use crate::Local;
    use crate::mock::Simple;

    fn judged(text: &str, identity: &str) -> Box<dyn Runner> {
        let name = BackendName::parse(text);
        let identity = Identity { name: identity.to_owned(), version: "1.0".to_owned() };
        let runner = Box::new(Local::new(Box::new(Simple::default())));
        let started = Box::new(Judged { profile: runner.profile().clone(), runner, identity });
        Settings::read(&name).unwrap().judge(&name, started)
    }

    /// A runner that answers jobs only if nothing of them is to be repeated.
    struct Once(Local);

    impl Runner for Once {
        fn identity(&self) -> &Identity {
            self.0.identity()
        }
        fn profile(&self) -> &Profile {
            self.0.profile()
        }
        fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
            self.0.run(model, inputs, deadline)
        }
        fn run_batch(&mut self, _: &[Job<'_>], _: Duration) -> Vec<Observation> {
            vec![]
        }
        fn run_batch_once(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
            self.0.run_batch(jobs, deadline)
        }
    }

    #[test]
    fn jobs_that_are_not_to_be_repeated_stay_so() {
        let runner = Box::new(Once(Local::new(Box::new(Simple::default()))));
        let (identity, profile) = (runner.identity().clone(), runner.profile().clone());
        let mut judged = Judged { runner, identity, profile };
        let model = Model::default();
        let jobs = [Job::new(&model, &[])];
        assert_eq!(judged.run_batch(&jobs, Duration::from_secs(1)).len(), 0);
        assert_eq!(judged.run_batch_once(&jobs, Duration::from_secs(1)).len(), 1);
    }

    #[test]
    fn a_provider_has_its_built_in_profile() {
        for (name, identity) in [
            ("onnxruntime:ep=./libonnxruntime_providers_cuda.so", "onnxruntime-cuda"),
            ("onnxruntime:ep=CUDAExecutionProvider", "onnxruntime-cuda"),
        ] {
            let runner = judged(name, identity);
            assert_eq!(runner.profile().accuracy, "cuda");
            assert!(runner.profile().unchecked.contains(&Unchecked::Values));
            assert_eq!(runner.identity().version, "1.0");
        }
        assert!(judged("onnxruntime:ep=webgpu", "onnxruntime-webgpu").profile().flush_subnormals);
        assert!(judged("onnxruntime-web:ep=webgpu", "onnxruntime-web").profile().ulp.contains_key("sin"));
        assert!(judged("onnxruntime:ep=DmlExecutionProvider", "onnxruntime-dml").profile().flush_subnormals);
        for (name, identity) in [("process:./mine", "onnxruntime-cuda"), ("onnxruntime-web", "onnxruntime-web")] {
            assert_eq!(*judged(name, identity).profile(), *Local::new(Box::new(Simple::default())).profile());
        }
    }

    #[test]
    fn settings_win_over_the_provider_and_are_part_of_the_version() {
        let runner = judged("onnxruntime:ep=webgpu,flush=false,ulp.sin.float=2,unchecked=none", "onnxruntime-webgpu");
        let profile = runner.profile();
        assert!(!profile.flush_subnormals && profile.unchecked.is_empty() && profile.accuracy == "webgpu");
        assert_eq!((profile.ulp["sin"].float, profile.ulp["sin"].half), (Some(2.0), Some(16.0)));
        assert_eq!(runner.identity().version, "1.0,flush=false,ulp.sin.float=2,unchecked=none");
    }

    #[test]
    fn a_file_has_a_number_in_the_version_and_loses_to_settings() {
        let path = std::env::temp_dir().join(format!("plumbline-profile-{}.toml", std::process::id()));
        std::fs::write(&path, "accuracy = \"cuda\"\nflush_subnormals = true\n").unwrap();
        let runner = judged(&format!("rten:profile={},accuracy=ieee-754", path.display()), "rten");
        assert!(runner.profile().flush_subnormals && runner.profile().accuracy == "ieee-754");
        let version = &runner.identity().version;
        assert!(version.starts_with("1.0,profile=plumbline-profile-") && version.ends_with(",accuracy=ieee-754"));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| Settings::read(&BackendName::parse(text)).err().unwrap();
        assert!(error("cpu:accuracy=vulcan").contains("`vulcan`; specs/functions.toml has cuda, ieee-754"));
        assert!(error("cpu:ulp.Expo=4").contains("`ulp` has `expo`, which is not a function"));
        assert!(error("cpu:ulp.exp=-1").contains("`ulp` has -1 ULP for `exp`"));
        assert!(error("cpu:ulp.exp=NaN").contains("`ulp` has NaN ULP for `exp`"));
        assert_eq!(error("cpu:flush=1"), "`flush=1`: write true or false");
        assert_eq!(error("cpu:flush=true,flush=false"), "`flush` is set twice");
        assert!(error("cpu:profile=no-such-file.toml").starts_with("cannot read no-such-file.toml: "));
        let path = std::env::temp_dir().join(format!("plumbline-wrong-profile-{}.toml", std::process::id()));
        for (text, message) in [
            ("flush = true\n", ": line 1: unknown field `flush`"),
            ("ulp = { expo = { float = 1 } }\n", ": the profile's `ulp` has `expo`, which is not a function"),
            ("accuracy = \"x\"\n", ": the profile's `accuracy` is `x`"),
        ] {
            std::fs::write(&path, text).unwrap();
            let found = error(&format!("cpu:profile={}", path.display()));
            assert!(found.contains(message) && found.contains("plumbline-wrong-profile"), "{found}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
