//! `plumbline directml dispatch`: runs a model of DxDispatch on the software device, with that tool's options.

use std::path::{Path, PathBuf};

use anyhow::Context;
use plumbline_backend::RefusalKind;
use plumbline_directml::dxdispatch::{Ran, RunError, run_model};
use plumbline_directml::software::SoftwareDevice;
use plumbline_spec::directml::FeatureLevel;

use crate::exit::{Exit, Failure};

const EXAMPLES: &str = "\
Examples:
  plumbline directml dispatch model.json                      prints and writes what the model says
  plumbline directml dispatch model.json --feature-level 2_1  on a device of an older level
  python content/run.py --dxdispatch \"plumbline directml dispatch\"

The options with short names are those of DxDispatch. Files are written to the current folder.

Exit codes: 0 the model ran; 1 the device refused it; 2 it cannot be read; 3 there is no such adapter.";

/// The name of the only adapter.
const ADAPTER: &str = "Plumbline software device";

/// Arguments of `plumbline directml dispatch`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The model.
    file: Option<PathBuf>,
    /// A part of the adapter's name
    #[arg(short, long, value_name = "NAME", default_value = "", hide_default_value = true)]
    adapter: String,
    /// List the adapters
    #[arg(short, long, alias = "show_adapters")]
    show_adapters: bool,
    /// List the versions of what is used
    #[arg(short = 'S', long, alias = "show_dependencies")]
    show_dependencies: bool,
    /// The feature level of the device: 1_0 to 6_4.
    #[arg(long, value_name = "L", default_value_t = FeatureLevel::LAST)]
    feature_level: FeatureLevel,
}

/// Runs `plumbline directml dispatch`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let version = env!("CARGO_PKG_VERSION");
    if args.show_dependencies {
        println!("DirectML     : plumbline {version} at feature level {}", args.feature_level);
    }
    if args.show_adapters {
        println!("{ADAPTER}\n-Version: {version}\n-Hardware: false");
    }
    let Some(file) = args.file else {
        let said = args.show_adapters || args.show_dependencies;
        anyhow::ensure!(said, "name a model, or use --show-adapters or --show-dependencies");
        return Ok(Exit::Conforms);
    };
    if !ADAPTER.contains(&args.adapter) {
        let message = format!("No adapter found that contains the substring '{}'; there is {ADAPTER}", args.adapter);
        return Err(Failure::new(Exit::BackendStart, message).into());
    }
    println!("Running on '{ADAPTER}'");
    let shown = file.display();
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {shown}"))?;
    let model = serde_json::from_str(&text).with_context(|| format!("{shown} is not JSON"))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    match run_model(&model, folder, &SoftwareDevice::new(args.feature_level)) {
        Ok(ran) => {
            show(&ran)?;
            Ok(Exit::Conforms)
        }
        Err(error @ RunError::Model(_)) => Err(anyhow::anyhow!("{shown}: {error}")),
        Err(error) => {
            println!("Failed to execute the model: {}: {error}", result(&error));
            Ok(Exit::DoesNotConform)
        }
    }
}

/// Returns the `HRESULT` that stands for an error, in numbers and letters.
fn result(error: &RunError) -> &'static str {
    match error {
        RunError::Refused(refusal) => match refusal.kind {
            RefusalKind::Unsupported | RefusalKind::Limit => "0x887A0004 DXGI_ERROR_UNSUPPORTED",
            RefusalKind::DeviceLost => "0x887A0005 DXGI_ERROR_DEVICE_REMOVED",
            RefusalKind::Invalid => "0x80070057 E_INVALIDARG",
            RefusalKind::Failed
            | RefusalKind::Optimizer
            | RefusalKind::BreaksModel
            | RefusalKind::BreaksInterface
            | RefusalKind::NotInferred => "0x80004005 E_FAIL",
        },
        RunError::Invalid(_) | RunError::Model(_) => "0x80070057 E_INVALIDARG",
    }
}

fn show(ran: &Ran) -> anyhow::Result<()> {
    ran.dispatched.iter().for_each(|name| println!("Dispatch '{name}': 1 iterations"));
    ran.printed.iter().for_each(|(name, elements)| println!("Resource '{name}': {}", elements.join(", ")));
    for (target, content) in &ran.written {
        let shown = target.display();
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder of {shown}"))?;
        }
        std::fs::write(target, content).with_context(|| format!("cannot write {shown}"))?;
    }
    Ok(())
}
