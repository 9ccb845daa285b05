//! Runs each target on the inputs that once failed, on its seeds, and on changed seeds.
#![allow(clippy::unwrap_used, reason = "a test program")]

use std::path::Path;

use plumbline_fuzz::{Target, seeds};

/// How many changed seeds each target reads.
const CHANGED: usize = 3000;

/// Changes an input at random: replaces, inserts and removes bytes, repeats a part, or cuts the end off.
fn changed(seed: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.usize(1..6) {
        let at = random.usize(..=bytes.len());
        let end = random.usize(at..=bytes.len().min(at + 16));
        match random.u8(..6) {
            0 => bytes.insert(at, random.u8(..)),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.truncate(at.max(bytes.len() / 2)),
            3 => {
                let part = bytes[at..end].to_vec();
                let to = random.usize(..=bytes.len());
                bytes.splice(to..to, part);
            }
            _ if at < bytes.len() => {
                let any = random.u8(..);
                bytes[at] = *random.choice(&[0, 1, 0x7f, 0x80, 0xff, b'"', bytes[at] ^ 1, any]).unwrap();
            }
            _ => {}
        }
    }
    bytes
}

fn run(name: &str, target: Target) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("kept").join(name);
    let kept = kept.read_dir().into_iter().flatten().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    kept.for_each(|input| target(&input));
    let seeds = seeds(name);
    assert!(!seeds.is_empty());
    seeds.iter().for_each(|seed| target(seed));
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..CHANGED {
        target(&changed(random.choice(&seeds).unwrap(), &mut random));
    }
}

macro_rules! tests {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name), plumbline_fuzz::$name);
        })*

        #[test]
        fn each_target_has_a_test() {
            assert_eq!(plumbline_fuzz::TARGETS.map(|(name, _)| name), [$(stringify!($name)),*]);
        }
    };
}

tests!(wire, text, frames, results, rules, oracle);
