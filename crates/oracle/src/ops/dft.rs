use crate::families::cosine_window::scalar;
use crate::families::fourier::{Complex, Factors, Transform, onesided};
use crate::prelude::*;

/// Computes the discrete Fourier transform along an axis, or its inverse.
///
/// `axis` is an attribute in version 17 and an input from version 20 on. The last dimension holds the real and
/// imaginary parts (`samples-real-or-complex`), and `axis` is another dimension (`axis-in-range`). With `onesided`, a
/// forward transform takes real samples and an inverse one takes complex samples (`onesided-samples-fit`). The length
/// is positive (`dft-length-positive`). `onesided` is 0 or 1 (`onesided-known`).
///
/// A negative axis in a text that gives no range: `negative-axis`. In releases before 1.21, a one-sided transform takes
/// real samples in either direction (`onesided-both-ways`).
///
/// Infinities and NaN: `nan-and-infinity`; the second half of a spectrum in a one-sided inverse: `onesided-inverse`; a
/// length that differs from the extent: `dft-length`.
///
/// Values of `inverse` other than 0 and 1: `other-flag-values`.
pub fn dft(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let rank = input.rank();
    let parts = input.shape().last().copied().unwrap_or(0);
    if rank < 2 || !(1..=2).contains(&parts) {
        return Err(Refusal::violates(
            rule::SAMPLES_REAL_OR_COMPLEX,
            format!(
                "the input has shape {:?}, expected rank 2 or more and a last extent of 1 (real) or 2 (complex)",
                input.shape()
            ),
        ));
    }
    let axis = match call.version().input("axis") {
        None => call.int("axis")?,
        Some(_) if call.given("axis") => scalar(call, "axis", rule::AXIS_IN_RANGE)?,
        Some(_) => -2,
    };
    if axis < 0 && call.follows(rule::NEGATIVE_AXIS) {
        call.leaves_open(rule::NEGATIVE_AXIS);
    }
    let axis = call.axis(axis, rank, rule::AXIS_IN_RANGE)?;
    if axis == rank - 1 {
        return Err(Refusal::violates(
            rule::AXIS_IN_RANGE,
            "the axis is the last one, which holds real and imaginary parts",
        ));
    }
    let (inverse, onesided) = (call.flag("inverse"), onesided(call)?);
    let back = inverse && onesided && !call.follows(rule::ONESIDED_BOTH_WAYS);
    if onesided && parts != if back { 2 } else { 1 } {
        return Err(Refusal::violates(
            rule::ONESIDED_SAMPLES_FIT,
            format!("an input of shape {:?} does not fit `onesided`", input.shape()),
        ));
    }
    let given = call.given("dft_length").then(|| scalar(call, "dft_length", rule::DFT_LENGTH_POSITIVE)).transpose()?;
    let extent = input.extent(axis) as i64;
    let length = given.unwrap_or(if back { 2 * (extent - 1) } else { extent });
    let length = usize::try_from(length).ok().filter(|&l| l > 0);
    let length = length
        .ok_or_else(|| Refusal::violates(rule::DFT_LENGTH_POSITIVE, "the length of the transform is not positive"))?;
    let outputs = if onesided && !back { length / 2 + 1 } else { length };
    let mut shape = input.shape().to_vec();
    (shape[axis], shape[rank - 1]) = (outputs, if back { 1 } else { 2 });
    let count = shape::affordable(&shape)?;
    let dtype = input.dtype();
    let factors = Factors::new(length, outputs, inverse, dtype)?;
    // A one-sided inverse does not use the elements behind the first half, or all but one of them (`onesided-inverse`).
    let half = length / 2 + 1;
    let more = usize::from(back && half < length.min(extent as usize) && call.reading(rule::ONESIDED_INVERSE, 2) == 1);
    let mut numbers = vec![Number::constant(0.0, dtype); count];
    let (outer, _, inner) = shape::around(input.shape(), axis);
    let inner = inner / parts;
    for lane in 0..if count == 0 { 0 } else { outer * inner } {
        let element = |i: usize, part: usize| {
            input.number(((lane / inner * extent as usize + i) * inner + lane % inner) * parts + part)
        };
        let taken = (extent as usize).min(length);
        let all: Vec<Number> = (0..taken * parts).map(|i| element(i / parts, i % parts)).collect();
        let transform = Transform {
            factors: &factors,
            parts,
            dtype,
            divisor: inverse.then_some(length),
            label: rule::NAN_AND_INFINITY,
        };
        let whole = |given: &[Complex]| if back { mirrored(given, length) } else { given.to_vec() };
        let counted = if back { all.len().min((half + more) * parts) } else { all.len() };
        for (k, result) in transform.transform(&all[..counted], outputs, whole).into_iter().enumerate() {
            let at = ((lane / inner * outputs + k) * inner + lane % inner) * shape[rank - 1];
            let count = shape[rank - 1];
            numbers[at..at + count].copy_from_slice(&result[..count]);
        }
    }
    call.answer(shape, numbers)
}

/// Completes the spectrum of a real signal from its first half, or from more elements; the others are complex conjugates.
/// The imaginary parts of the first element and of the middle one are ignored.
fn mirrored(given: &[Complex], length: usize) -> Vec<Complex> {
    let zero = (Real::constant(0.0, DType::Float), Real::constant(0.0, DType::Float));
    let at = |k: usize| given.get(k).copied().unwrap_or(zero);
    let element = |k: usize| match k {
        0 => (at(0).0, zero.1),
        _ if 2 * k == length => (at(k).0, zero.1),
        _ if 2 * k < length || k < given.len() => at(k),
        _ => (at(length - k).0, at(length - k).1.neg()),
    };
    (0..length).map(element).collect()
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{answer_of_refused, answers_by, floats, refusable_by, run};
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn dft_transforms_a_square_wave_and_back() {
        let x = floats(&[4, 1], &[1.0, 1.0, 0.0, 0.0]);
        let y = &run("DFT", 20, std::slice::from_ref(&x), 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[4, 2], &[2.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 1.0]));
        let half = &run("DFT <onesided = 1>", 20, std::slice::from_ref(&x), 1).expect("the node is valid")[0];
        assert_eq!(half.tensor, floats(&[3, 2], &[2.0, 0.0, 1.0, -1.0, 0.0, 0.0]));
        let back = &run("DFT <onesided = 1, inverse = 1>", 20, std::slice::from_ref(&half.tensor), 1)
            .expect("the node is valid")[0];
        assert_eq!(back.tensor, x);
    }

    /// The input holds five of the six elements of the spectrum. The first four count, so that the spectrum is
    /// [10, 2, 3, 4, 3, 2], or the fifth counts as well.
    #[test]
    fn elements_beyond_half_a_spectrum_are_ignored() {
        let spectrum = [10.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0, 9.0, f32::INFINITY];
        let length = Tensor::from_i128s(DType::Int64, vec![], &[6]).expect("the shape has one element");
        let inputs = [floats(&[5, 2], &spectrum), length];
        let y = &run("DFT <onesided = 1, inverse = 1>", 20, &inputs, 1).expect("the node is valid")[0];
        let judged = |sum: f32| y.judge_at(0, &floats(&[1], &[sum / 6.0]), 0);
        assert_eq!(judged(24.0), Judged::Accepted);
        assert!([28.0, 30.0, f32::NAN].iter().all(|&sum| judged(sum) == Judged::Wrong));
        let spectrum = [&spectrum[..9], &[0.0]].concat();
        let inputs = [floats(&[5, 2], &spectrum), Tensor::from_i128s(DType::Int64, vec![], &[6]).expect("one element")];
        let answers = answers_by("1.23.2", "DFT <onesided = 1, inverse = 1>", 20, &inputs);
        let firsts: Vec<f64> = answers.iter().map(|answer| (answer[0] * 6.0).round()).collect();
        assert_eq!(firsts, [24.0, 30.0]);
    }

    /// The sum is beyond the range of float, but an eighth of it is not.
    #[test]
    fn an_inverse_whose_sum_overflows_may_be_finite_or_not() {
        let big = 3e38f32;
        let mut spectrum = [0.0; 10];
        spectrum[5] = -big;
        let length = Tensor::from_i128s(DType::Int64, vec![], &[8]).expect("the shape has one element");
        let y = &run("DFT <onesided = 1, inverse = 1>", 20, &[floats(&[5, 2], &spectrum), length], 1)
            .expect("the node is valid")[0];
        let judged = |value: f32| y.judge_at(1, &floats(&[1], &[value]), 0);
        assert_eq!(judged(big / 4.0), Judged::Accepted);
        assert!(matches!(judged(f32::INFINITY), Judged::Latitude(_)));
        assert!([big / 8.0, big / 2.0, 3.4e38].iter().all(|&value| judged(value) == Judged::Wrong));
    }

    /// The imaginary part of the first sample does not count in a real result, so that an infinity may be left out. What
    /// is left may be computed by a fast algorithm.
    #[test]
    fn a_sum_without_an_infinite_sample_has_the_errors_of_a_transform() {
        let spectrum = [-7.3, f32::INFINITY, 9.9, -3.1, -9.7, 8.3, 4.1, 0.0];
        let y = &run("DFT <onesided = 1, inverse = 1>", 20, &[floats(&[4, 2], &spectrum)], 1)
            .expect("the node is valid")[0];
        let sum = |k: f64| {
            let part = |j: usize| {
                let angle = std::f64::consts::TAU * j as f64 * k / 6.0;
                let [real, imaginary] = [spectrum[2 * j], spectrum[2 * j + 1]].map(f64::from);
                if j == 0 { real } else { real * angle.cos() - imaginary * angle.sin() }
            };
            (part(0) + 2.0 * part(1) + 2.0 * part(2) + part(3)) / 6.0
        };
        for k in 0..6 {
            let nearest = sum(k as f64) as f32;
            let judged = |value: f32| {
                let mut answer = [0.0; 6];
                answer[k] = value;
                y.judge_at(k, &floats(&[6], &answer), k)
            };
            assert!([nearest, nearest.next_up(), nearest.next_down()].map(judged).iter().all(|j| *j != Judged::Wrong));
            assert_eq!(judged(nearest * 1.01), Judged::Wrong);
        }
    }

    #[test]
    fn the_first_text_of_version_17_gives_no_range_for_the_axis() {
        let x = [floats(&[1, 2, 1], &[1.0, 2.0])];
        let by = |release: &str, axis: i64| refusable_by(release, &format!("DFT <axis = {axis}>"), 17, &x, 1);
        assert!(by("1.14", -2).is_some_and(|rule| rule.contains("negative-axis")));
        assert_eq!((by("1.14", 1), by("1.15", -2)), (None, None));
    }

    #[test]
    fn older_texts_refuse_complex_samples_of_a_one_sided_inverse() {
        let spectrum = [floats(&[2, 2], &[1.0, 0.0, 1.0, 0.0])];
        let by = |release: &str| refusable_by(release, "DFT <onesided = 1, inverse = 1>", 20, &spectrum, 1);
        assert!(by("1.20").is_some() && by("1.21").is_none());
    }

    #[test]
    fn older_texts_take_real_samples_for_a_one_sided_inverse() {
        let x = [floats(&[2, 1], &[4.0, 2.0])];
        let by = |release: &str| answer_of_refused(release, "DFT <onesided = 1, inverse = 1>", 20, &x);
        assert_eq!((by("1.20"), by("1.21")), (Some(vec![3.0, 0.0, 1.0, 0.0]), None));
    }
}
