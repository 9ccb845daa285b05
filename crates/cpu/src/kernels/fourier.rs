//! Discrete Fourier transforms of any length, in float64.

use std::f64::consts::TAU;

/// A complex number: its real and imaginary part.
pub type Complex = [f64; 2];

/// The transform of a certain length, which is split into its prime factors.
pub struct Fourier {
    /// The powers of a primitive root of unity, one for each sample.
    roots: Vec<Complex>,
}

impl Fourier {
    /// Prepares the transform of `count` samples. The inverse transform is not divided by `count`.
    pub fn new(count: usize, inverse: bool) -> Fourier {
        let turn = if inverse { TAU } else { -TAU };
        let root = |k: usize| {
            let (sin, cos) = (turn * k as f64 / count as f64).sin_cos();
            [cos, sin]
        };
        Fourier { roots: (0..count).map(root).collect() }
    }

    /// Transforms the samples, of which there must be `count`.
    pub fn transform(&self, samples: &[Complex]) -> Vec<Complex> {
        self.part(samples, 0, 1)
    }

    /// Transforms every `step`th sample from `first` on.
    fn part(&self, samples: &[Complex], first: usize, step: usize) -> Vec<Complex> {
        let count = self.roots.len() / step;
        if count == 1 {
            return vec![samples[first]];
        }
        let factor = (2..).take_while(|f| f * f <= count).find(|f| count.is_multiple_of(*f)).unwrap_or(count);
        let parts: Vec<Vec<Complex>> =
            (0..factor).map(|r| self.part(samples, first + r * step, step * factor)).collect();
        let sum = |k: usize| {
            parts.iter().enumerate().fold([0.0, 0.0], |sum, (r, part)| {
                let ([re, im], [cos, sin]) = (part[k % part.len()], self.roots[r * k * step % self.roots.len()]);
                [sum[0] + re * cos - im * sin, sum[1] + re * sin + im * cos]
            })
        };
        (0..count).map(sum).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_transform_restores_samples_of_every_length() {
        for count in 1..40 {
            let samples: Vec<Complex> = (0..count).map(|i| [(i * i % 7) as f64, (i % 5) as f64 - 2.0]).collect();
            let spectrum = Fourier::new(count, false).transform(&samples);
            let sum: f64 = samples.iter().map(|x| x[0]).sum();
            assert!((spectrum[0][0] - sum).abs() < 1e-9);
            let back = Fourier::new(count, true).transform(&spectrum);
            for (x, y) in samples.iter().zip(&back) {
                assert!((0..2).all(|part| (x[part] - y[part] / count as f64).abs() < 1e-12), "{count}: {x:?} {y:?}");
            }
        }
    }

    #[test]
    fn a_cosine_has_one_frequency() {
        let wave: Vec<Complex> = (0..12).map(|i| [(TAU * 5.0 * f64::from(i) / 12.0).cos(), 0.0]).collect();
        for (k, [re, im]) in Fourier::new(12, false).transform(&wave).into_iter().enumerate() {
            let line = if k == 5 || k == 7 { 6.0 } else { 0.0 };
            assert!((re - line).abs() < 1e-12 && im.abs() < 1e-12, "{k}: {re} {im}");
        }
    }
}
