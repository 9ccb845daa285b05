//! Starts the backends of a run.

use anyhow::bail;
use plumbline_conformance::Subject;
use plumbline_executor::{Available, ORACLE};
use plumbline_report::{BackendMeta, BackendStatus};

use super::{Args, finish};
use crate::backends;
use crate::config::{Chosen, Config, Limits};
use crate::exit::{Exit, Failure};

/// Starts the backends that were asked for, or else all default backends that are available. Prints a line for each
/// backend that started, and for each default backend that is not available.
pub(super) fn start(args: &Args, config: &Config, published: bool) -> anyhow::Result<(Vec<Subject>, Vec<BackendMeta>)> {
    // The limits of the command line and `--pack` apply to every backend, and win over those in `plumbline.toml`.
    let given = Limits { deadline_ms: args.deadline_ms, memory: args.memory, ..Limits::default() };
    let chosen = |named: &[String]| -> anyhow::Result<Vec<Chosen>> {
        let chosen = config.chosen(named)?.into_iter();
        let with_given = |chosen: Chosen| {
            let (limits, pack) = (given.or(&chosen.limits), args.pack.or(chosen.pack));
            Chosen { limits, pack, ..chosen }
        };
        Ok(chosen.map(with_given).collect())
    };
    let open = |chosen: &Chosen| backends::start_chosen(chosen, args.feature_level);
    let registry = backends::registry(backends::options());
    let named: Vec<String> = args.backend.iter().flat_map(|name| registry.each(name)).collect();
    let asked_for = chosen(&named)?;
    asked_for.iter().try_for_each(|chosen| registry.knows(&chosen.selector))?;
    let (mut subjects, mut absent) = (Vec::new(), Vec::new());
    if asked_for.is_empty() {
        let is_default = |a: &Available| a.is_default && (a.name != ORACLE || published);
        for available in registry.available().into_iter().filter(is_default).map(|available| available.name) {
            // Starting a backend fetches it first, if it is not installed and can be fetched.
            let opened = chosen(std::slice::from_ref(&available))?.iter().map(open).collect::<Result<Vec<_>, _>>();
            match opened {
                Ok(opened) => subjects.extend(opened),
                Err(reason) => {
                    println!("backend {available} is not available: {reason}");
                    absent.push(BackendMeta {
                        name: available,
                        status: BackendStatus::Absent,
                        why: Some(reason),
                        ..BackendMeta::default()
                    });
                }
            }
        }
    }
    for chosen in &asked_for {
        if chosen.selector == ORACLE && !published {
            bail!(
                "--backend reference is the oracle itself, which only published suites (--suite onnx:VERSION) can test"
            );
        }
        subjects.push(open(chosen).map_err(|reason| Failure::new(Exit::BackendStart, reason))?);
    }
    for subject in &subjects {
        println!("backend {}", subject.identity);
        let notes = finish::notes(&subject.profile);
        if !notes.is_empty() {
            println!("  its profile declares: {}", notes.join("; "));
        }
    }
    Ok((subjects, absent))
}
