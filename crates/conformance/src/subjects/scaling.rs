//! Whether a backend answers more models a second when more of its processes run at the same time.

use std::fmt;
use std::str::FromStr;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use plumbline_backend::{Job, Observation};
use plumbline_tensor::{Model, Tensor, Value};

use super::{Subject, parse};

/// How many processes of a backend run cases at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jobs {
    /// As many as make the backend faster (see [`Scaling`]).
    Auto,
    /// This number of processes.
    Count(usize),
}

impl FromStr for Jobs {
    type Err = String;

    fn from_str(text: &str) -> Result<Jobs, String> {
        match (text, text.parse()) {
            ("auto", _) => Ok(Jobs::Auto),
            (_, Ok(count)) => Ok(Jobs::Count(count)),
            _ => Err(format!("`{text}` is neither a number of processes nor auto")),
        }
    }
}

/// The share of the highest rate that is enough: a further process that adds less is not worth its memory.
const NEARLY: f64 = 0.9;

/// The largest number of processes for each core. A backend that waits for a device may profit from more than one.
const MOST_OF_CORE: usize = 4;

/// The opset of the models. It is old enough for most runtimes.
const OPSET: i64 = 13;

/// Small models of operators that nearly every runtime has.
const GRAPHS: [&str; 3] = [
    "g (float[3,4] x) => (float[3,4] y) { y = Relu (x) }",
    "g (float[3,4] x) => (float[3,4] y) { z = Sigmoid (x) y = Add (x, z) }",
    "g (float[3,4] x) => (float[3,3] y) { z = Transpose <perm = [1, 0]> (x) y = MatMul (x, z) }",
];

/// How many models a backend answers in a second, with different numbers of processes.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    /// Numbers of processes, ascending, each with the models a second that all of them together answered.
    pub rates: Vec<(usize, f64)>,
}

impl Scaling {
    /// Measures a backend that has not run any case yet: with one process, with two, with four, and so on while that
    /// makes it faster. Each number of processes runs for `time` at least, until each process has answered a model.
    /// Returns `None` if the backend does not answer the models.
    pub fn measured(subject: &Subject, deadline: Duration, time: Duration) -> Option<Scaling> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut scaling = Scaling { rates: Vec::new() };
        let numbers = std::iter::successors(Some(1), |count| Some(2 * count));
        for count in numbers.take_while(|&count| count <= MOST_OF_CORE * cores) {
            let before = scaling.highest();
            let rate = rate(subject, count, deadline, time);
            subject.forget_times();
            scaling.rates.push((count, rate?));
            if NEARLY * scaling.highest() < before {
                break;
            }
        }
        Some(scaling)
    }

    /// Returns the fewest processes that are nearly as fast as any number that was tried.
    pub fn jobs(&self) -> usize {
        let enough = NEARLY * self.highest();
        self.rates.iter().find(|(_, rate)| *rate >= enough).map_or(1, |(count, _)| *count)
    }

    fn highest(&self) -> f64 {
        self.rates.iter().map(|(_, rate)| *rate).fold(0.0, f64::max)
    }
}

impl fmt::Display for Scaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = |(count, rate): &(usize, f64)| match count {
            1 => format!("{rate:.0} models a second in one process"),
            _ => format!("{rate:.0} in {count}"),
        };
        let rates: Vec<String> = self.rates.iter().map(rate).collect();
        let used = match self.jobs() {
            1 => "one is used".to_owned(),
            jobs => format!("{jobs} are used"),
        };
        write!(f, "{}; {used}", rates.join(", "))
    }
}

/// Returns how many models a second `count` processes answer. `None` if one of them does not answer a model.
fn rate(subject: &Subject, count: usize, deadline: Duration, time: Duration) -> Option<f64> {
    let models: Vec<Model> = GRAPHS.iter().map(|graph| parse(OPSET, graph)).collect();
    let values: Vec<f32> = (0..12).map(|i| i as f32 / 4.0 - 1.0).collect();
    let inputs = [Value::Tensor(Tensor::from_f32s(vec![3, 4], &values).expect("the shape has twelve elements"))];
    let answers = |model: &Model| {
        let answers = subject.run(&[Job::new(model, &inputs)], deadline);
        matches!(answers.as_slice(), [Observation::Outputs { .. }])
    };
    let ready = Barrier::new(count);
    let process = || {
        // The first model waits until the process has started.
        let mut is_alive = models.iter().all(answers);
        ready.wait();
        let (start, mut answered) = (Instant::now(), 0.0);
        for model in models.iter().cycle() {
            if !is_alive || answered > 0.0 && start.elapsed() >= time {
                break;
            }
            is_alive = answers(model);
            answered += 1.0;
        }
        is_alive.then(|| answered / start.elapsed().as_secs_f64())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(process)).collect();
        threads.into_iter().map(|thread| thread.join().ok().flatten()).sum()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use plumbline_backend::{Identity, Profile, Runner};

    use super::*;
    use crate::subjects::Opener;

    /// A backend that takes ten milliseconds for a model, and holds a device meanwhile if it has one.
    struct Slow {
        identity: Identity,
        profile: Profile,
        device: Option<Arc<Mutex<()>>>,
        answers: bool,
    }

    impl Runner for Slow {
        fn identity(&self) -> &Identity {
            &self.identity
        }
        fn profile(&self) -> &Profile {
            &self.profile
        }
        fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
            jobs.iter().map(|job| self.run(job.model, job.inputs, deadline)).collect()
        }
        fn run(&mut self, _: &Model, _: &[Value], _: Duration) -> Observation {
            let _held = self.device.as_ref().map(|device| device.lock().unwrap());
            std::thread::sleep(Duration::from_millis(10));
            match self.answers {
                true => Observation::Outputs { values: vec![], seconds: 0.01 },
                false => Observation::NotRun { reason: String::new() },
            }
        }
    }

    fn measured(device: Option<Arc<Mutex<()>>>, answers: bool) -> Option<Scaling> {
        let open: Opener = Box::new(move || {
            let identity = Identity { name: "slow".to_owned(), version: "1".to_owned() };
            Ok(Box::new(Slow { identity, profile: Profile::default(), device: device.clone(), answers }))
        });
        let subject = Subject::start("slow", open).unwrap();
        Scaling::measured(&subject, Duration::from_secs(10), Duration::from_millis(200))
    }

    /// Processes that wait for one device are no faster together; processes that wait each for itself are.
    #[test]
    fn processes_pay_where_they_do_not_wait_for_each_other() {
        assert_eq!(measured(Some(Arc::default()), true).unwrap().jobs(), 1);
        assert!(measured(None, true).unwrap().jobs() > 1);
        assert_eq!(measured(None, false), None);
    }

    #[test]
    fn jobs_are_a_number_or_auto() {
        assert_eq!("auto".parse(), Ok(Jobs::Auto));
        assert_eq!("3".parse(), Ok(Jobs::Count(3)));
        assert!("many".parse::<Jobs>().is_err() && "-1".parse::<Jobs>().is_err());
    }

    #[test]
    fn a_process_that_adds_little_is_not_started() {
        let jobs = |rates: &[f64]| {
            let rates = rates.iter().enumerate().map(|(i, &rate)| (1 << i, rate)).collect();
            Scaling { rates }.jobs()
        };
        assert_eq!(jobs(&[9.0, 7.0]), 1);
        assert_eq!(jobs(&[100.0, 195.0, 200.0]), 2);
        assert_eq!(jobs(&[100.0, 105.0]), 1);
        assert_eq!(jobs(&[10.0, 20.0, 40.0]), 4);
    }
}
