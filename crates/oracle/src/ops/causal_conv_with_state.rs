use crate::families::activation::{computed, exact_sigmoid, or_limit, sigmoid, sigmoid_below_zero};
use crate::families::convolution::{Channels, convolve_into};
use crate::families::sliding_window::{Axis, Windows};
use crate::prelude::*;

/// Computes a depthwise convolution along the last axis. Each element of the output depends on the element of the input
/// at the same place and on earlier ones. `past_state` holds the elements before the input; the last elements become
/// `present_state`.
///
/// The only version is 27. Constraints: the rank of the input (`rank-three`), the kernel (`weight-shape-fits`), the
/// bias (`bias-fits-channels`), the state (`past-state-fits`), and the activation (`activation-known`). Sums that
/// overflow: `intermediate-overflow`; SiLU of an infinite sum: `infinity-times-zero`.
pub fn causal_conv_with_state(call: &Call) -> Answer {
    let (x, w) = (call.tensor("input")?, call.tensor("weight")?);
    let &[batches, channels, length] = x.shape() else {
        return Err(Refusal::violates(
            rule::RANK_THREE,
            format!("the input has shape {:?}, expected rank 3", x.shape()),
        ));
    };
    let kernel = match *w.shape() {
        [c, 1, k] if c == channels && k > 0 => k,
        _ => {
            return Err(Refusal::violates(
                rule::WEIGHT_SHAPE_FITS,
                format!("the weight has shape {:?}, expected [{channels}, 1, k] with k above 0", w.shape()),
            ));
        }
    };
    let fits = |name: &str, shape: &[usize], label| match call.optional_tensor(name)? {
        Some(t) if t.shape() != shape => {
            Err(Refusal::violates(label, format!("`{name}` has shape {:?}, expected {shape:?}", t.shape())))
        }
        other => Ok(other),
    };
    let bias = fits("bias", &[channels], rule::BIAS_FITS_CHANNELS)?;
    let past = fits("past_state", &[batches, channels, kernel - 1], rule::PAST_STATE_FITS)?;
    let silu = match call.string("activation")?.as_str() {
        "none" => false,
        "silu" | "swish" => true,
        other => {
            return Err(Refusal::violates(
                rule::ACTIVATION_KNOWN,
                format!("`activation` is `{other}`, expected `none`, `silu` or `swish`"),
            ));
        }
    };
    // The past state, or zeros, followed by the input.
    let zero = Expected::zero(x.dtype(), rule::DEFAULT_PAST_STATE)?;
    let extent = length + kernel - 1;
    let shape = vec![batches, channels, extent];
    shape::affordable(&shape)?;
    let padded = Expected::assembled(shape, &[x, past.unwrap_or(&zero)], |i| {
        let (row, at) = (i / extent, i % extent);
        match at.checked_sub(kernel - 1) {
            Some(at) => (0, row * length + at),
            None => (1, if past.is_some() { row * (kernel - 1) + at } else { 0 }),
        }
    })?;
    let axis = Axis { extent, kernel, stride: 1, dilation: 1, pads: (0, 0), windows: length, removed: 0 };
    let windows = Windows { axes: vec![axis] };
    let mut output = Collected::new(x.dtype(), x.len());
    convolve_into(&mut output, &Channels::depthwise(batches, channels), (&padded, w), &windows, |dot| {
        let bias = bias.map(|b| b.number(dot.channel));
        if silu { dot.plus_inside(bias, x.dtype()).each_way(activated) } else { dot.plus(bias, x.dtype()) }
    })?;
    let output = output.into_expected(x.shape().to_vec())?;
    let kept = kernel - 1;
    let present = padded.rearranged(vec![batches, channels, kept], |i| i / kept * extent + length + i % kept)?;
    several([output, present])
}

/// Computes `y * sigmoid(y)`. What an infinity times 0 gives is left open.
fn activated(y: Number) -> Number {
    let sum = y.real();
    // The exact result is finite, but some order of the terms overflows to an infinity of either sign or to NaN.
    let strays = sum.mid.is_finite() && (sum.nan || sum.low.is_infinite() || sum.high.is_infinite());
    let end = |end: f64| if end.is_finite() { end } else { sum.mid };
    let settled = |x: Real| if strays { Real { low: end(x.low), high: end(x.high), nan: false, ..x } } else { x };
    let y = y.map_real(settled);
    let product = computed(
        y,
        |y| y * exact_sigmoid(y),
        &[&|y, _| y * sigmoid(y), &|y, _| y * sigmoid_below_zero(y), &|y, _| y / (y.like(1.0) + (-y).exp())],
    );
    if product.is_nan() {
        return or_limit(product, y, 0.0, rule::INFINITY_TIMES_ZERO);
    }
    if strays {
        let (up, down) = (sum.high == f64::INFINITY, sum.low == f64::NEG_INFINITY);
        let outcomes = [(up, f64::INFINITY), (down, 0.0), (down || sum.nan, f64::NAN)];
        return outcomes
            .into_iter()
            .filter(|(may_occur, _)| *may_occur)
            .fold(product, |product, (_, outcome)| product.or(y.like(outcome), rule::INTERMEDIATE_OVERFLOW));
    }
    // A sum that overflows to minus infinity may be multiplied by its sigmoid, which is 0. This gives NaN.
    if sum.low == f64::NEG_INFINITY { product.or(y.like(f64::NAN), rule::INFINITY_TIMES_ZERO) } else { product }
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::prelude::*;
    use crate::testing::{floats, run};

    const SILU: &str = r#"CausalConvWithState <activation = "silu">"#;

    /// The sum -64.75 is not a bfloat16 number. SiLU of -64.75 differs much from SiLU of the rounded sum -65.
    #[test]
    fn the_activation_takes_the_exact_or_the_rounded_sum() {
        let tensor = |v| Tensor::from_f64s(DType::Bfloat16, vec![1; 3], &[v]).expect("the shape has one element");
        let y = run(SILU, 27, &[tensor(-18.5), tensor(3.5)], 2).expect("the node is valid");
        let y = y[0].number(0).real();
        for sum in [-64.75f64, -65.0] {
            assert!((y.low..=y.high).contains(&(sum * sum.exp())), "{sum}");
        }
    }

    #[test]
    fn the_activation_of_a_sum_that_overflows_may_be_nan() {
        let y = |x: &[f32], w: &[f32]| {
            let (x, w) = (floats(&[1, 1, x.len()], x), floats(&[1, 1, w.len()], w));
            run(SILU, 27, &[x, w], 2).expect("the node is valid").remove(0)
        };
        let below = y(&[-1.5], &[3e38]);
        let judged = |found: f32| below.judge(&floats(&[1, 1, 1], &[found]), 0);
        assert_eq!(judged(-0.0), Judged::Accepted);
        assert!(matches!(judged(f32::NAN), Judged::Latitude(_)));
        assert_eq!(judged(1.0), Judged::Wrong);
        assert_eq!(judged(f32::INFINITY), Judged::Wrong);
        // Added term by term, the sum overflows to infinity, and ends as infinity or NaN.
        let both = y(&[2.5, 3e38], &[3.4e38, -5.375]);
        let judged = |found: f32| both.judge(&floats(&[1, 1, 2], &[0.0, found]), 1);
        assert_eq!(judged(-0.0), Judged::Accepted);
        assert!(matches!((judged(f32::NAN), judged(f32::INFINITY)), (Judged::Latitude(_), Judged::Latitude(_))));
    }

    #[test]
    fn the_past_state_precedes_the_input_and_the_last_elements_are_kept() {
        let x = floats(&[1, 1, 2], &[3.0, 4.0]);
        let (w, b) = (floats(&[1, 1, 4], &[1.0, 10.0, 100.0, 1000.0]), floats(&[1], &[0.5]));
        let past = floats(&[1, 1, 3], &[7.0, 8.0, 9.0]);
        let y = run("CausalConvWithState", 27, &[x, w, b, past], 2).expect("the node is valid");
        assert_eq!(y[0].tensor, floats(&[1, 1, 2], &[3987.5, 4398.5]));
        assert_eq!(y[1].tensor, floats(&[1, 1, 3], &[9.0, 3.0, 4.0]));
    }
}
