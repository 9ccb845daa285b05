//! `plumbline directml ...`: the commands about DirectML.

mod cells;
mod check;
mod compatibility;
mod dispatch;
mod lower;

use crate::exit::{Exit, Failure};
use clap::Subcommand;
use plumbline_directml::device::{Device, DeviceError, Facts, Session, Settings};
use plumbline_directml::self_check;
use plumbline_spec::directml::{FeatureLevel, TensorDataType};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  plumbline directml check model.json            what DirectML would reject in a model of DxDispatch
  plumbline directml dispatch model.json         runs such a model on the software device
  plumbline directml cells plumbline-results     the cells that DirectML supports but did not run
  plumbline directml compatibility --op Min      from which feature level DirectML serves each type of Min
  plumbline directml lower Min-13/T=float16/17@0 the graph that a case becomes

Examples, on Windows:
  plumbline directml device                      the first adapter that works, and what its results depend on
  plumbline directml device --adapter warp       the CPU, on a machine without a GPU
  plumbline directml device --library D:/dml     the DirectML.dll of a folder

Exit codes of device: 0 it answers correctly; 1 it does not; 3 it could not start.";

/// Arguments of `plumbline directml`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compares the support tables with the cells that DirectML ran and did not run.
    Cells(cells::Args),
    /// Checks the operators and bindings of a model in the JSON of DirectML's tool DxDispatch.
    Check(check::Args),
    /// Runs a model of DxDispatch on the software device, and writes the files that it names.
    Dispatch(dispatch::Args),
    /// Opens the real device (on Windows), prints its properties, and lets it copy and add.
    Device(DeviceArgs),
    /// Shows the graph of DirectML's operators that a case of ONNX is lowered to, or why there is none.
    Lower(lower::Args),
    /// Shows from which feature level and through which of its operators DirectML serves an operator of ONNX, or what
    /// prevents it.
    Compatibility(compatibility::Args),
}

#[derive(clap::Args)]
struct DeviceArgs {
    /// The adapter: its number, a part of its name, or warp [default: the first that works]
    #[arg(long, value_name = "ADAPTER", default_value = "", hide_default_value = true)]
    adapter: String,
    /// DirectML.dll, under any name that ends with .dll, or its folder [default: the one of Windows]
    #[arg(long, value_name = "PATH")]
    library: Option<PathBuf>,
    /// Turn on the debug layers, if they are installed
    #[arg(long)]
    debug: bool,
    /// DML_EXECUTION_FLAGS: 1 allows half precision, 2 disables meta commands
    #[arg(long, value_name = "FLAGS", default_value_t = 0)]
    execution_flags: u32,
}

/// Runs `plumbline directml`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    match args.command {
        Command::Cells(args) => cells::run(args),
        Command::Check(args) => check::run(args),
        Command::Device(args) => device(args),
        Command::Dispatch(args) => dispatch::run(args),
        Command::Lower(args) => lower::run(args),
        Command::Compatibility(args) => compatibility::run(args),
    }
}

fn device(args: DeviceArgs) -> anyhow::Result<Exit> {
    let settings = Settings {
        adapter: args.adapter.parse()?,
        library: args.library,
        debug: args.debug,
        execution_flags: args.execution_flags,
    };
    let not_started = |error: DeviceError| Failure::new(Exit::BackendStart, error.to_string());
    for (index, name) in Device::adapters().map_err(not_started)?.iter().enumerate() {
        println!("adapter {index}: {name}");
    }
    let mut session = Session::start(settings).map_err(not_started)?;
    if let Some(device) = session.device() {
        show(device.facts());
    }
    match self_check::run(&mut session) {
        Ok(()) => {
            println!("the device copies and adds correctly");
            Ok(Exit::Conforms)
        }
        Err(wrong) => {
            println!("the device does not work correctly: {wrong}");
            Ok(Exit::DoesNotConform)
        }
    }
}

fn show(facts: &Facts) {
    let level = FeatureLevel::from_value(facts.feature_level);
    let level = level.map_or_else(|| format!("{:#x}", facts.feature_level), |level| level.to_string());
    let types = TensorDataType::ALL.into_iter().filter(|data_type| facts.supports(data_type.value()));
    let types: Vec<String> = types.map(|data_type| data_type.to_string()).collect();
    println!("adapter           {}{}", facts.adapter, if facts.software { " (on the CPU)" } else { "" });
    println!("driver            {}", facts.driver);
    println!("DirectML          {} {}", facts.version, facts.library.display());
    println!("SHA-256           {}", facts.sha256);
    println!("feature level     {level}");
    println!("element types     {}", types.join(" "));
    println!("execution flags   {}", facts.execution_flags);
    println!("debug layers      Direct3D {}, DirectML {}", facts.direct3d_debug, facts.directml_debug);
}
