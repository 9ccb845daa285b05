//! Pseudo-random numbers (SplitMix64, by Steele, Lea and Flood).

use std::f64::consts::TAU;
use std::sync::atomic::{AtomicU64, Ordering};

/// The seed of the next generator for which the caller gives no seed. Each such generator increases the seed, so that
/// the next generator differs.
static UNSEEDED: AtomicU64 = AtomicU64::new(1 << 32);

/// A generator of pseudo-random numbers.
pub struct Random(u64);

impl Random {
    /// Creates a generator. The same seed gives the same numbers.
    pub fn new(seed: Option<f32>) -> Random {
        Random(seed.map_or_else(|| UNSEEDED.fetch_add(1, Ordering::Relaxed), |seed| u64::from(seed.to_bits())))
    }

    /// Draws from the uniform distribution on [0, 1).
    pub fn even(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws from the standard normal distribution, by the method of Box and Muller.
    pub fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.even()).ln()).sqrt() * (TAU * self.even()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_the_expected_moments_and_repeat_by_seed() {
        let mut random = Random::new(Some(7.0));
        let even: Vec<f64> = (0..10_000).map(|_| random.even()).collect();
        assert!(even.iter().all(|x| (0.0..1.0).contains(x)));
        assert!((even.iter().sum::<f64>() / 1e4 - 0.5).abs() < 0.02);
        let squares: f64 = (0..10_000).map(|_| random.normal().powi(2)).sum();
        assert!((squares / 1e4 - 1.0).abs() < 0.1);
        assert_eq!(Random::new(Some(7.0)).even(), even[0]);
        assert_ne!(Random::new(None).even(), Random::new(None).even());
    }
}
