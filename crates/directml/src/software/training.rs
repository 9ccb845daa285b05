//! ADAM_OPTIMIZER and RANDOM_GENERATOR.

use super::call::{Call, Run, Written, wrong};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Run)] = &[("ADAM_OPTIMIZER", adam_optimizer), ("RANDOM_GENERATOR", random_generator)];

/// Adam (Kingma and Ba 2014), with the bias corrections of both moments combined in the step size.
fn adam_optimizer(call: &Call) -> Written {
    let (x, gradient) = (call.numbers("InputParametersTensor")?, call.numbers("GradientTensor")?);
    let (first, second) = (call.numbers("InputFirstMomentTensor")?, call.numbers("InputSecondMomentTensor")?);
    let step = call.numbers("TrainingStepTensor")?;
    let [&step] = step.data.iter().collect::<Vec<_>>()[..] else {
        return wrong("TrainingStepTensor", "must have 1 element");
    };
    let (rate, epsilon) = (call.float("LearningRate")?, call.float("Epsilon")?);
    let (beta1, beta2) = (call.float("Beta1")?, call.float("Beta2")?);
    let moment = |m: &[f64], beta: f64, f: fn(f64) -> f64| -> Vec<f64> {
        m.iter().zip(&gradient.data).map(|(m, &g)| beta * m + (1.0 - beta) * f(g)).collect()
    };
    let (first, second) = (moment(&first.data, beta1, |g| g), moment(&second.data, beta2, |g| g * g));
    let alpha = (1.0 - beta2.powf(step)).sqrt() / (1.0 - beta1.powf(step));
    let moved = |(x, (m, v)): (&f64, (&f64, &f64))| x - rate * alpha * m / (v.sqrt() + epsilon);
    let found: Vec<f64> = x.data.iter().zip(first.iter().zip(&second)).map(moved).collect();
    Ok(vec![
        call.put("OutputParametersTensor", &found)?,
        call.put("OutputFirstMomentTensor", &first)?,
        call.put("OutputSecondMomentTensor", &second)?,
    ])
}

/// Returns four numbers of Philox 4x32-10 (Salmon et al. 2011).
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    let product = |a: u32, b: u32| {
        let wide = u64::from(a) * u64::from(b);
        ((wide >> 32) as u32, wide as u32)
    };
    for _ in 0..10 {
        let (high0, low0) = product(0xd251_1f53, counter[0]);
        let (high1, low1) = product(0xcd9e_8d57, counter[2]);
        counter = [high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0];
        key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
    }
    counter
}

/// Generates random bits. The state is a 128-bit counter, low word first, and a key of two words. The counter increases
/// by one for every block of up to four numbers.
fn random_generator(call: &Call) -> Written {
    if call.uint("Type")? != 0 {
        return Err(Refusal::unsupported("no kernel implements this Type").into());
    }
    let state: Vec<u32> = call.integers("InputStateTensor")?.into_iter().map(|word| word as u32).collect();
    let &[a, b, c, d, first, second] = state.as_slice() else {
        return wrong("InputStateTensor", "must have 6 elements");
    };
    let counter = [a, b, c, d].iter().rev().fold(0u128, |counter, &word| counter << 32 | u128::from(word));
    let words = |counter: u128| [0, 32, 64, 96].map(|shift| (counter >> shift) as u32);
    let count = call.sizes("OutputTensor")?.iter().product::<usize>();
    let blocks = count.div_ceil(4) as u128;
    let numbers = (0..blocks).flat_map(|at| philox(words(counter.wrapping_add(at)), [first, second]));
    let found: Vec<u32> = numbers.take(count).collect();
    let mut written = vec![call.put_elements("OutputTensor", &found)?];
    if call.has("OutputStateTensor") {
        let after = [&words(counter.wrapping_add(blocks))[..], &[first, second]].concat();
        written.push(call.put_elements("OutputStateTensor", &after)?);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::philox;

    /// Checks two of the known answers that the authors publish with Random123.
    #[test]
    fn philox_gives_the_published_answers() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox([u32::MAX; 4], [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    }
}
