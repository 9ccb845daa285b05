//! A run of two backends whose results are compared.

use std::path::PathBuf;

use anyhow::bail;
use plumbline_conformance::{Subject, quoted};

use super::annotations::Annotations;
use super::{Args, run_on_backends};
use crate::places::program;

/// All options of a run except `--backend`. If `plumbline compare` reads the results of earlier runs, these options make
/// no sense. `--backend` does: it chooses the results of one backend in a folder.
pub(crate) const OPTIONS: [&str; 30] = [
    "feature_level",
    "op",
    "dtype",
    "only",
    "list",
    "form",
    "suite",
    "model",
    "constants",
    "subgraphs",
    "inputs",
    "profile",
    "cases",
    "time",
    "minimize",
    "resume",
    "deadline_ms",
    "memory",
    "seed",
    "shard",
    "expectations",
    "base_run",
    "accept",
    "gate",
    "floor",
    "out",
    "coverage",
    "jobs",
    "pack",
    "annotations",
];

/// The results of two backends.
pub(crate) struct Pair {
    /// The folder of the results.
    pub folder: PathBuf,
    /// The name and version of the base backend.
    pub base: String,
    /// The name and version of the new backend.
    pub new: String,
}

/// Runs the same cases on two backends. Whether they conform does not matter here.
pub(crate) fn run_pair(args: Args, base: &str, new: &str) -> anyhow::Result<Pair> {
    let decides = args.gate || !args.accept.is_empty() || args.base_run.is_some() || args.floor.is_some();
    let is_for_one = args.resume.is_some() || decides || args.coverage || args.list;
    if is_for_one {
        bail!(
            "--resume, --accept, --base, --gate, --coverage, --list and --floor are for `{} conformance`: run that first, \
             and then compare its results",
            program()
        );
    }
    let words = run_command(std::env::args().skip(1), base, new);
    let backend = vec![base.to_owned(), new.to_owned()];
    let ended =
        run_on_backends(Args { backend, words: Some(words), is_pair: true, annotations: Annotations::None, ..args })?;
    let [base, new] = ended.backends.try_into().map_err(|_| anyhow::anyhow!("a comparison needs two backends"))?;
    Ok(Pair { folder: ended.out, base, new })
}

/// Checks that the results of the backends can be told apart.
pub(super) fn check(subjects: &[Subject]) -> anyhow::Result<()> {
    let [base, new] = subjects else { bail!("a comparison needs two backends") };
    if base.identity == new.identity {
        bail!(
            "--backend {} and --against {} both are {}, so their results cannot be told apart; run each into a folder \
             of its own, and compare the folders",
            quoted(&base.name),
            quoted(&new.name),
            base.identity
        );
    }
    Ok(())
}

/// Turns the words of a comparison's command into those of the command that runs both backends without comparing them.
fn run_command(given: impl Iterator<Item = String>, base: &str, new: &str) -> Vec<String> {
    let mut words = vec!["conformance".to_owned()];
    words.extend(["--backend", base, "--backend", new].map(str::to_owned));
    let mut given = given.skip_while(|word| word != "compare").skip(1);
    while let Some(word) = given.next() {
        let name = word.split('=').next().unwrap_or_default();
        if !["--backend", "--against", "--format"].contains(&name) {
            words.push(word);
        } else if name == word {
            given.next();
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args as _;

    #[test]
    fn every_option_of_a_run_is_known() {
        let command = Args::augment_args(clap::Command::new("conformance"));
        let ids: Vec<&str> = command.get_arguments().map(|argument| argument.get_id().as_str()).collect();
        let mut options = vec!["backend"];
        options.extend(OPTIONS);
        assert_eq!(ids.len(), options.len());
        assert!(ids.iter().all(|id| options.contains(id)), "{ids:?}");
    }

    #[test]
    fn the_command_of_a_comparison_becomes_that_of_a_run() {
        let given = "compare --backend a@1 --op Min --against=a@2 --format=json --out results --format html --jobs 2";
        let given = given.split(' ').map(str::to_owned);
        let expected = "conformance --backend a@1 --backend a@2 --op Min --out results --jobs 2";
        assert_eq!(run_command(given, "a@1", "a@2").join(" "), expected);
    }
}
