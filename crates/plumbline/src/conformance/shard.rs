//! `--shard`: the part of the work that a run does, as a number or from the environment of the job that runs it.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, bail};

/// What `--shard` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shard {
    /// The number of the part and the number of parts: `1/4`.
    Part(u64, u64),
    /// The part that the environment names: `auto`. The number of parts may be given: `auto/4`.
    Environment(Option<u64>),
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let error = || format!("`{text}` is neither a part such as 1/4, nor auto or auto/4");
        let (part, count) = match text.split_once('/') {
            Some((part, count)) => (part, Some(count.parse().ok().filter(|&count| count > 0).ok_or_else(error)?)),
            None => (text, None),
        };
        match (part, part.parse(), count) {
            ("auto", _, count) => Ok(Shard::Environment(count)),
            (_, Ok(part), Some(count)) if part >= 1 && part <= count => Ok(Shard::Part(part, count)),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shard::Part(part, count) => write!(f, "{part}/{count}"),
            Shard::Environment(None) => f.write_str("auto"),
            Shard::Environment(Some(count)) => write!(f, "auto/{count}"),
        }
    }
}

/// The names of the variables in which an engine such as Slurm says which of several jobs this is.
struct Engine {
    name: &'static str,
    /// The number of the job.
    number: &'static str,
    /// The number of the first job, or the variable that has it.
    first: Result<u64, &'static str>,
    /// The difference between the numbers of successive jobs, if it may differ from 1.
    step: Option<&'static str>,
    /// How many jobs there are, if the engine says so.
    count: Option<&'static str>,
}

const ENGINES: [Engine; 3] = [
    Engine {
        name: "Slurm",
        number: "SLURM_ARRAY_TASK_ID",
        first: Err("SLURM_ARRAY_TASK_MIN"),
        step: Some("SLURM_ARRAY_TASK_STEP"),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
    },
    Engine { name: "GitLab", number: "CI_NODE_INDEX", first: Ok(1), step: None, count: Some("CI_NODE_TOTAL") },
    Engine { name: "Kubernetes", number: "JOB_COMPLETION_INDEX", first: Ok(0), step: None, count: None },
];

/// The variable that a job of any other engine can set to its part, for example to `2/8`.
const OWN: &str = "PLUMBLINE_SHARD";

impl Shard {
    /// Returns the number of the part, counted from 1, and the number of parts. `variable` returns a variable of the
    /// environment.
    ///
    /// # Errors
    /// Fails if the environment lacks a variable, if a variable has an invalid value, if `auto/N` and the environment
    /// disagree about the number of parts, or if there is no such part.
    pub(crate) fn resolved(self, variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<(u64, u64)> {
        let asked = match self {
            Shard::Part(part, count) => return Ok((part, count)),
            Shard::Environment(asked) => asked,
        };
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let number = |name: &str| {
            let value = variable(name).with_context(|| format!("--shard {self}: the environment has no {name}"))?;
            value.parse::<u64>().ok().with_context(|| format!("--shard {self}: {name} is `{value}`, expected a number"))
        };
        let (part, count) = if let Some(own) = variable(OWN) {
            match own.parse() {
                Ok(Shard::Part(part, count)) => (part, Some(count)),
                _ => bail!("--shard {self}: {OWN} is `{own}`, expected a part such as 1/4"),
            }
        } else if let Some(engine) = ENGINES.iter().find(|engine| variable(engine.number).is_some()) {
            let first = engine.first.or_else(number)?;
            let step = engine.step.filter(|name| variable(name).is_some()).map_or(Ok(1), number)?.max(1);
            let this = number(engine.number)?;
            let places = this.checked_sub(first).filter(|distance| distance.is_multiple_of(step));
            let place = places.with_context(|| {
                format!("--shard {self}: {} is {this}, expected {first} plus a multiple of {step}", engine.number)
            })?;
            let count =
                engine.count.filter(|name| asked.is_none() || variable(name).is_some()).map(number).transpose()?;
            if count.or(asked).is_none() {
                bail!("--shard {self}: {} does not say how many parts there are: write auto/N", engine.name);
            }
            (place / step + 1, count)
        } else {
            let names: Vec<&str> = ENGINES.iter().map(|engine| engine.number).collect();
            bail!("--shard {self}: the environment has neither {OWN} nor {}", names.join(", "));
        };
        let count = match (asked, count) {
            (Some(asked), Some(count)) if asked != count => {
                bail!("--shard {self}: the environment says that there are {count} parts")
            }
            (asked, count) => asked.or(count).unwrap_or(0),
        };
        if part < 1 || part > count {
            bail!("--shard {self}: this is part {part}, and there are {count}");
        }
        Ok((part, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(shard: &str, variables: &[(&str, &str)]) -> Result<(u64, u64), String> {
        let variable = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        shard.parse::<Shard>()?.resolved(variable).map_err(|error| error.to_string())
    }

    #[test]
    fn engines_say_which_part_this_is() {
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "7"),
            ("SLURM_ARRAY_TASK_MIN", "1"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
        ];
        assert_eq!(resolved("auto", &slurm), Ok((4, 4)));
        assert_eq!(resolved("auto", &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "3")]), Ok((2, 3)));
        assert_eq!(resolved("auto/8", &[("JOB_COMPLETION_INDEX", "0")]), Ok((1, 8)));
        assert_eq!(resolved("auto", &[("PLUMBLINE_SHARD", "2/8"), ("CI_NODE_INDEX", "1")]), Ok((2, 8)));
        assert_eq!(resolved("3/4", &[("PLUMBLINE_SHARD", "2/8")]), Ok((3, 4)));
    }

    #[test]
    fn what_the_environment_lacks_is_an_error() {
        let error = |shard: &str, variables: &[(&str, &str)]| resolved(shard, variables).unwrap_err();
        assert!(error("auto", &[]).starts_with("--shard auto: the environment has neither PLUMBLINE_SHARD nor SLURM_"));
        let kubernetes = error("auto", &[("JOB_COMPLETION_INDEX", "0")]);
        assert!(kubernetes.ends_with("Kubernetes does not say how many parts there are: write auto/N"), "{kubernetes}");
        let others = error("auto/4", &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "3")]);
        assert!(others.ends_with("the environment says that there are 3 parts"), "{others}");
        assert!(error("auto/4", &[("JOB_COMPLETION_INDEX", "4")]).ends_with("this is part 5, and there are 4"));
        assert!(
            error("auto", &[("PLUMBLINE_SHARD", "2")]).ends_with("PLUMBLINE_SHARD is `2`, expected a part such as 1/4")
        );
        for wrong in ["0/4", "5/4", "4", "auto/0", "1/x"] {
            assert!(error(wrong, &[]).contains("is neither a part such as 1/4"), "{wrong}");
        }
    }
}
