//! How long a backend takes for a session, and how many cases it is therefore given in one.

use std::collections::VecDeque;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// How many cases a backend may be given in one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pack {
    /// Each case is a model of its own.
    #[default]
    Off,
    /// As many as the time that the backend takes for a session suggests.
    Auto,
    /// This many, at least 2.
    Cases(usize),
}

/// The largest number of cases in a pack.
pub(crate) const MOST: usize = 256;

impl FromStr for Pack {
    type Err = String;

    fn from_str(text: &str) -> Result<Pack, String> {
        match (text, text.parse()) {
            ("off", _) => Ok(Pack::Off),
            ("auto", _) => Ok(Pack::Auto),
            (_, Ok(cases)) if (2..=MOST).contains(&cases) => Ok(Pack::Cases(cases)),
            _ => Err(format!("`{text}` is neither a number of cases from 2 to {MOST} nor auto nor off")),
        }
    }
}

/// A session that takes less than this, in seconds, is not worth sharing.
const SHORT: f64 = 0.005;

/// The number of cases in the first packs of [`Pack::Auto`], before it is known what a further case in a pack costs.
const FIRST: usize = 16;

/// The largest number of cases in a pack of [`Pack::Auto`]. More save little, and a pack that fails has to be halved.
const ENOUGH: usize = 64;

/// How many times are kept of sessions, and of packs: the latest ones, because the load of the machine changes.
const KEPT: usize = 64;

/// The times that a backend took, in seconds.
#[derive(Default)]
pub(crate) struct Pace(Mutex<Times>);

#[derive(Default)]
struct Times {
    /// Of sessions with a single case.
    sessions: VecDeque<f64>,
    /// Of each further case in a pack.
    further: VecDeque<f64>,
}

impl Pace {
    /// Notes the time of a session that answered a single case.
    pub fn session(&self, seconds: f64) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keep(&mut times.sessions, seconds);
    }

    /// Notes the time of a session that answered a pack.
    pub fn pack(&self, cases: usize, seconds: f64) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(session) = median(&times.sessions) else { return };
        if cases > 1 {
            keep(&mut times.further, ((seconds - session) / (cases - 1) as f64).max(0.0));
        }
    }

    /// Returns the number of cases that are worth putting into one session: 1 if packs are not worthwhile.
    ///
    /// A session of `n` cases takes about `a + n b`, where `b` is the time of a case and `a` the time of a session
    /// without any. With `2 a / b` cases, the sessions take a third of the time.
    pub fn cases(&self) -> usize {
        let times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(session) = median(&times.sessions).filter(|session| *session >= SHORT) else { return 1 };
        let Some(case) = median(&times.further) else { return FIRST };
        let wanted = 2.0 * (session - case) / case.max(session / ENOUGH as f64);
        (wanted.max(1.0) as usize).min(ENOUGH)
    }

    /// Forgets the times of all sessions and packs.
    pub fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Times::default();
    }

    /// Returns the usual time of a session with a single case, in seconds.
    pub fn usual(&self) -> Option<f64> {
        median(&self.0.lock().unwrap_or_else(PoisonError::into_inner).sessions)
    }
}

fn keep(times: &mut VecDeque<f64>, seconds: f64) {
    if times.len() >= KEPT {
        times.pop_front();
    }
    times.push_back(seconds);
}

fn median(times: &VecDeque<f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = times.iter().copied().collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_a_number_auto_or_off() {
        assert_eq!("off".parse(), Ok(Pack::Off));
        assert_eq!("auto".parse(), Ok(Pack::Auto));
        assert_eq!("16".parse(), Ok(Pack::Cases(16)));
        for wrong in ["1", "0", "-4", "1000", "many", ""] {
            assert!(wrong.parse::<Pack>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn packs_are_as_large_as_sessions_are_slow() {
        let cases = |session: f64, further: Option<f64>| {
            let pace = Pace::default();
            (0..9).for_each(|_| pace.session(session));
            further.into_iter().for_each(|case| pace.pack(10, session + 9.0 * case));
            pace.cases()
        };
        assert_eq!(Pace::default().cases(), 1, "nothing is known");
        assert_eq!(cases(0.001, None), 1, "a fast backend");
        assert_eq!(cases(0.03, None), FIRST);
        assert_eq!(cases(0.03, Some(0.003)), 18);
        assert_eq!(cases(0.03, Some(0.00001)), ENOUGH);
        assert_eq!(cases(0.03, Some(0.03)), 1, "a case costs as much in a pack");
        assert_eq!(cases(0.03, Some(0.02)), 1, "a pack of one case is none");
    }
}
