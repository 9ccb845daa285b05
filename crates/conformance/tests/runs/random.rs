//! Random number sources that are wrong on purpose: each must be caught. Correct sources must pass, whatever their seed
//! and generator.

use plumbline_backend::Observation;
use plumbline_conformance::{FailKind, Judgement, Right, Verdict, judge};
use plumbline_generator::{Case, case_of, cells};
use plumbline_oracle::Oracle;
use plumbline_tensor::{Tensor, Value};

/// A generator (xorshift) that is independent of the oracle's generator.
struct Other(u64);

impl Other {
    fn new(seed: u64) -> Other {
        let mut other = Other(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            other.unit();
        }
        other
    }

    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f64 / (1u64 << 24) as f64
    }

    fn normal(&mut self) -> f64 {
        // Box-Muller. The sum of twelve uniform numbers would be good enough only outside of the tails.
        let (u, v) = (self.unit(), self.unit());
        (-2.0 * (1.0 - u).ln()).sqrt() * (2.0 * std::f64::consts::PI * v).cos()
    }
}

/// Returns a case of the cell with a large sample.
fn large(cell: &str) -> Case {
    let size = |case: &Case| match Oracle::default().answer(&case.model, &case.inputs) {
        Ok(outputs) => outputs[0].tensor().unwrap().len(),
        Err(_) => 0,
    };
    (0..64).filter_map(|i| case_of(&format!("{cell}/{i}@0")).ok()).find(|case| size(case) >= 1000).unwrap()
}

fn judged(case: &Case, change: impl Fn(&[Value]) -> Vec<Value>) -> Judgement {
    let outputs = Oracle::default().answer(&case.model, &case.inputs).unwrap();
    let own: Vec<Value> = outputs.iter().map(|o| o.to_value()).collect();
    let observation = Observation::Outputs { values: change(&own), seconds: 0.0 };
    judge(&Right::from(outputs), &case.model.output_names(), &observation)
}

/// Replaces each element of the first output with what `f` returns, and keeps the other outputs.
fn filled(values: &[Value], mut f: impl FnMut(usize, f64) -> f64) -> Vec<Value> {
    let first = values[0].as_tensor().unwrap();
    let read = |i: usize| if first.dtype().is_float() { first.f64_at(i) } else { first.i128_at(i) as f64 };
    let elements: Vec<f64> = (0..first.len()).map(|i| f(i, read(i))).collect();
    let tensor = if first.dtype().is_float() {
        Tensor::from_f64s(first.dtype(), first.shape().to_vec(), &elements).unwrap()
    } else {
        let whole: Vec<i128> = elements.iter().map(|&x| x as i128).collect();
        Tensor::from_i128s(first.dtype(), first.shape().to_vec(), &whole).unwrap()
    };
    let mut changed = values.to_vec();
    changed[0] = tensor.into();
    changed
}

fn caught(case: &Case, class: &str, change: impl FnMut(usize, f64) -> f64 + Clone) {
    let judgement = judged(case, |own| filled(own, change.clone()));
    assert_eq!(
        (judgement.verdict, judgement.kind),
        (Verdict::Fail, Some(FailKind::WrongValue)),
        "{}: {class}",
        case.id
    );
    assert_eq!(judgement.class, class, "{}: {:?}", case.id, judgement.detail());
}

fn attribute(case: &Case, name: &str, default: f64) -> f64 {
    let node = &case.model.graph().node[0];
    node.attribute.iter().find(|a| a.name.as_deref() == Some(name)).and_then(|a| a.f).map_or(default, f64::from)
}

const TYPES: [&str; 4] = ["float", "double", "float16", "bfloat16"];

#[test]
fn wrong_normal_distributions_are_caught() {
    for type_ in TYPES {
        let case = large(&format!("RandomNormal-22/T={type_}"));
        let (mean, scale) = (attribute(&case, "mean", 0.0), attribute(&case, "scale", 1.0));
        caught(&case, "distribution", move |_, x| x + 0.5 * scale);
        caught(&case, "distribution", move |_, x| mean + 1.7 * (x - mean));
        caught(&case, "distribution", move |_, _| mean);
        caught(&case, "distribution", move |i, _| {
            mean + scale * (Other::new(i as u64).unit() - 0.5) * 12f64.sqrt() * 1.6
        });
        caught(&case, "range", move |i, x| if i == 17 { mean + 20.0 * scale } else { x });
        caught(&case, "range", move |i, x| if i == 17 { f64::NAN } else { x });
    }
}

#[test]
fn wrong_uniform_distributions_are_caught() {
    for type_ in TYPES {
        let case = large(&format!("RandomUniform-22/T={type_}"));
        let (low, high) = (attribute(&case, "low", 0.0), attribute(&case, "high", 1.0));
        caught(&case, "range", move |_, x| x + 0.3 * (high - low));
        caught(&case, "distribution", move |_, x| low + (x - low) * (x - low) / (high - low));
        caught(&case, "distribution", move |_, _| (low + high) / 2.0);
        // Values that rise evenly from `low` to `high` have the right distribution, but their order is not random.
        let outputs = Oracle::default().answer(&case.model, &case.inputs).unwrap();
        let n = outputs[0].tensor().unwrap().len() as f64;
        caught(&case, "neighbours", move |i, _| low + (high - low) * (i as f64 + 0.5) / n);
    }
    // The sample repeats the same few values.
    let case = large("RandomUniform-22/T=float");
    let (low, high) = (attribute(&case, "low", 0.0), attribute(&case, "high", 1.0));
    caught(&case, "repeats", move |i, _| low + (high - low) * Other::new(i as u64 % 100).unit());
}

#[test]
fn wrong_samples_of_bernoulli_and_multinomial_are_caught() {
    let case = large("Bernoulli-22/T2=uint8");
    caught(&case, "range", |i, x| if i == 3 { 2.0 } else { x });
    let multinomial = large("Multinomial-22/T1=float");
    caught(&multinomial, "range", |i, x| if i == 3 { 99.0 } else { x });
    let all = (0..64).filter_map(|i| case_of(&format!("Bernoulli-22/T1=float/{i}@0")).ok());
    let mut halves = 0;
    for case in all {
        let Some(input) = case.inputs.first().and_then(Value::as_tensor) else { continue };
        if input.len() >= 1000 && input.f64_at(0) == 0.5 && input.f64_at(1) == 0.5 {
            halves += 1;
            caught(&case, "frequency", |i, _| f64::from(u8::from(Other::new(i as u64).unit() < 0.65)));
            caught(&case, "neighbours", |i, _| (i % 2) as f64);
        }
    }
    assert!(halves > 0);
}

#[test]
fn wrong_dropouts_are_caught() {
    let training = |case: &Case| case.features.iter().any(|f| f == "training");
    let masked = |case: &Case| case.features.iter().any(|f| f == "with a mask");
    let cases = (0..200).filter_map(|i| case_of(&format!("Dropout-13/T=float/{i}@0")).ok());
    let random = cases.filter(|c| training(c) && !c.features.iter().any(|f| f == "nothing to drop"));
    let mut seen = [0; 2];
    for case in random.filter(|c| c.features.iter().any(|f| f == "a large sample")) {
        caught_dropout(&case, "neither kept nor dropped", |own| filled(own, |i, x| if i == 5 { x + 0.77 } else { x }));
        if masked(&case) {
            // The answer belongs to another mask than the one that is returned.
            caught_dropout(&case, "mask", |own| {
                let first = own[0].as_tensor().unwrap();
                filled(own, |i, _| first.f64_at((i + 4) % first.len()))
            });
            seen[0] += 1;
        } else {
            caught_dropout(&case, "frequency", |own| filled(own, |_, _| 0.0));
            seen[1] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

fn caught_dropout(case: &Case, class: &str, change: impl Fn(&[Value]) -> Vec<Value>) {
    let judgement = judged(case, change);
    assert_eq!(
        (judgement.verdict, judgement.class.as_str()),
        (Verdict::Fail, class),
        "{}: {:?}",
        case.id,
        judgement.detail()
    );
}

/// Samples of the oracle itself pass, for all versions of these operators.
#[test]
fn right_samples_pass() {
    let operators = [
        "RandomNormal",
        "RandomUniform",
        "RandomNormalLike",
        "RandomUniformLike",
        "Bernoulli",
        "Multinomial",
        "Dropout",
    ];
    let mut count = 0;
    for cell in cells().into_iter().filter(|c| operators.contains(&c.version.id.name.as_str())) {
        for index in 0..12 {
            let case = cell.case(None, index, 7).unwrap();
            let judgement = judged(&case, <[Value]>::to_vec);
            assert!(
                matches!(judgement.verdict, Verdict::Pass | Verdict::Latitude),
                "{}: {:?}",
                case.id,
                judgement.detail()
            );
            count += 1;
        }
    }
    assert!(count > 1000);
}

/// More than a thousand samples of another generator, which draws uniform numbers with 24 bits, cause no false alarm.
#[test]
fn samples_of_another_generator_pass() {
    for type_ in TYPES {
        let normal = large(&format!("RandomNormal-22/T={type_}"));
        let uniform = large(&format!("RandomUniform-22/T={type_}"));
        let (mean, scale) = (attribute(&normal, "mean", 0.0), attribute(&normal, "scale", 1.0));
        let (low, high) = (attribute(&uniform, "low", 0.0), attribute(&uniform, "high", 1.0));
        for seed in 0..150 {
            let drawn = judged(&normal, |own| {
                let mut other = Other::new(seed);
                filled(own, |_, _| mean + scale * other.normal())
            });
            assert_eq!(drawn.verdict, Verdict::Pass, "{}: {:?}", normal.id, drawn.detail());
            let drawn = judged(&uniform, |own| {
                let mut other = Other::new(seed);
                filled(own, |_, _| low + (high - low) * other.unit())
            });
            assert_eq!(drawn.verdict, Verdict::Pass, "{}: {:?}", uniform.id, drawn.detail());
        }
    }
}
