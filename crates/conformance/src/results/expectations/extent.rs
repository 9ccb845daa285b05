//! How many of the judged results an entry may describe: a second fault of an operator must not hide behind the entry of
//! the first.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of standard deviations by which a run may exceed the share: other seeds draw other cases.
const DEVIATIONS: f64 = 3.0;

/// The largest share of the judged results that an entry describes, and what a run has counted.
#[derive(Debug)]
pub struct Extent {
    share: f64,
    judged: AtomicU64,
    described: AtomicU64,
}

impl Extent {
    /// Returns an extent that has counted nothing. Returns `None` if the share is not between 0 and 1.
    pub fn new(share: f64) -> Option<Extent> {
        (0.0..=1.0).contains(&share).then(|| Extent { share, judged: AtomicU64::new(0), described: AtomicU64::new(0) })
    }

    /// Counts a judged result to which the entry applies.
    pub fn count(&self, is_described: bool) {
        self.judged.fetch_add(1, Ordering::Relaxed);
        self.described.fetch_add(u64::from(is_described), Ordering::Relaxed);
    }

    /// Says by how much the results exceed the share, if they do by more than another draw of the cases explains.
    pub fn excess(&self) -> Option<String> {
        let [judged, described] = [&self.judged, &self.described].map(|count| count.load(Ordering::Relaxed));
        let (n, allowed) = (judged as f64, judged as f64 * self.share);
        let spread = DEVIATIONS * (n * self.share * (1.0 - self.share)).sqrt();
        (described as f64 > allowed + spread + 1.0).then(|| {
            let share = (100.0 * self.share).round();
            format!("this entry describes {described} of {judged} judged results, and may describe {share} %")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excess(share: f64, described: usize, judged: usize) -> Option<String> {
        let extent = Extent::new(share).unwrap();
        (0..judged).for_each(|at| extent.count(at < described));
        extent.excess()
    }

    #[test]
    fn a_share_may_vary_as_other_cases_are_drawn_and_not_more() {
        assert_eq!(excess(0.1, 10, 100), None);
        assert_eq!(excess(0.1, 19, 100), None);
        assert_eq!(
            excess(0.1, 30, 100).unwrap(),
            "this entry describes 30 of 100 judged results, and may describe 10 %"
        );
        assert_eq!((excess(0.0, 1, 3), excess(1.0, 3, 3), excess(0.5, 0, 0)), (None, None, None));
        assert!(Extent::new(1.1).is_none() && Extent::new(f64::NAN).is_none());
    }
}
