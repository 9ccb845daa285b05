//! Starts the backends of a run.

use std::time::Duration;

use anyhow::bail;
use plumbline_conformance::{Jobs, Role, Scaling, Settings, Subject};
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
            let jobs = limits.jobs.or(args.jobs.filter(|jobs| *jobs == Jobs::Auto));
            Chosen { limits: Limits { jobs, ..limits }, pack, ..chosen }
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

/// How long the processes of a backend run for one measurement.
const MEASURED: Duration = Duration::from_secs(1);

/// In a run with a time limit, one measurement takes at most this part of the time.
const PARTS: u32 = 100;

/// Measures how many processes of each backend pay, where that is asked for. The run has as many threads as the backend
/// with the most of them needs, but not fewer than there are cores, unless their number was given.
pub(super) fn settle_jobs(subjects: &mut [Subject], settings: &mut Settings) {
    let time = settings.time.map_or(MEASURED, |time| MEASURED.min(time / PARTS));
    let is_measured = |subject: &&mut Subject| subject.jobs == Some(Jobs::Auto) && subject.role != Role::Oracle;
    let mut most = 0;
    for subject in subjects.iter_mut().filter(is_measured) {
        let identity = &subject.identity;
        match Scaling::measured(subject, settings.deadline, time) {
            Some(scaling) => {
                println!("{identity}: {scaling}");
                most = most.max(scaling.jobs());
                subject.jobs = Some(Jobs::Count(scaling.jobs()));
            }
            None => println!("{identity}: a process for each thread, because it does not answer simple models"),
        }
    }
    if settings.jobs == 0 {
        settings.jobs = most.max(settings.threads());
    }
}
