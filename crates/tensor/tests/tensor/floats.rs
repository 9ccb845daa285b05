//! Compares `FloatFormat` with ml_dtypes and with exact arithmetic: on every pattern, around every tie, and on a
//! million random numbers. `scripts/make_float_data.py` makes the hashes in `data/floats.txt` from the same inputs.

use std::collections::HashMap;

use plumbline_tensor::{DType, FloatFormat, RoundMode, Saturation, Tensor};

struct Line {
    table: String,
    dtype: DType,
    what: String,
    chunk: usize,
    hashes: Vec<u64>,
}

fn lines() -> Vec<Line> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/floats.txt");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut words = line.split(' ');
            let mut word = || words.next().unwrap().to_owned();
            Line {
                table: word(),
                dtype: DType::from_name(&word()).unwrap(),
                what: word(),
                chunk: word().parse().unwrap(),
                hashes: words.map(|w| u64::from_str_radix(w, 16).unwrap()).collect(),
            }
        })
        .collect()
}

/// Returns the FNV-1a hash of little-endian elements of `size` bytes.
fn hash(elements: &[u64], size: usize) -> u64 {
    elements
        .iter()
        .flat_map(|e| e.to_le_bytes().into_iter().take(size))
        .fold(0xcbf29ce484222325, |state: u64, byte| (state ^ u64::from(byte)).wrapping_mul(0x100000001b3))
}

fn splitmix64(count: usize) -> impl Iterator<Item = u64> {
    (1..=count as u64).map(|i| {
        let mut z = i.wrapping_mul(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d049bb133111eb);
        z ^ z >> 31
    })
}

fn format(dtype: DType) -> &'static FloatFormat {
    dtype.float_format().unwrap()
}

/// Returns all values of a 16-bit type. Every NaN is replaced by the positive NaN.
fn every(dtype: DType) -> Vec<f64> {
    (0..1 << 16).map(|bits| format(dtype).decode(bits)).map(|x| if x.is_nan() { f64::NAN } else { x }).collect()
}

/// Returns all non-negative finite values, ascending.
fn magnitudes(dtype: DType) -> Vec<f64> {
    let patterns = 1u64 << dtype.bits().unwrap();
    (0..patterns).map(|bits| format(dtype).decode(bits)).filter(|x| x.is_finite() && x.is_sign_positive()).collect()
}

/// Returns every tie between neighbours and the tie above the largest value, each together with the float64 values next
/// to it, with both signs.
fn around_midpoints(dtype: DType) -> Vec<f64> {
    let values = magnitudes(dtype);
    let [.., before, last] = values[..] else { panic!("a format has at least two values") };
    let step = if dtype == DType::Float8e8m0 { last } else { last - before };
    let middles = values.windows(2).map(|w| (w[0] + w[1]) / 2.0).chain([last + step / 2.0]);
    middles.flat_map(|m| [m.next_down(), m, m.next_up()]).flat_map(|x| [x, -x]).collect()
}

/// Returns a million float64 numbers. Their exponents extend beyond both ends of the format.
fn random(dtype: DType) -> Vec<f64> {
    let exponent = |x: f64| (x.to_bits() >> 52) as i64 - 1023;
    let low = exponent(format(dtype).min_positive()) - 3;
    let span = (exponent(format(dtype).max_finite()) + 3 - low) as u64;
    splitmix64(1 << 20)
        .map(|r| {
            let biased = ((r >> 52 & 0x7ff) % span) as i64 + low + 1023;
            f64::from_bits(r & 0x800f_ffff_ffff_ffff | (biased as u64) << 52)
        })
        .collect()
}

fn e8m0_table(table: &str) -> Option<(RoundMode, Saturation)> {
    let (mode, saturation) = table.strip_prefix("e8m0-")?.split_once('-')?;
    let saturation = if saturation == "saturate" { Saturation::Saturate } else { Saturation::None };
    Some((RoundMode::from_name(mode)?, saturation))
}

#[test]
fn bit_patterns_and_values_equal_those_of_ml_dtypes() {
    let lines = lines();
    let specials: Vec<f64> =
        lines.iter().find(|l| l.table == "inputs").unwrap().hashes.iter().map(|&b| f64::from_bits(b)).collect();
    let mut compared: HashMap<&str, usize> = HashMap::new();
    for line in lines.iter().filter(|l| l.table != "inputs") {
        let dtype = line.dtype;
        let width = dtype.bits().unwrap();
        if dtype.is_integer() {
            let (numbers, size) = match line.table.as_str() {
                "decode" => (Tensor::from_bits(dtype, vec![1 << width], 0..1 << width).unwrap(), 8),
                _ => (Tensor::from_i128s(dtype, vec![600], &(-300..300).collect::<Vec<i128>>()).unwrap(), 8),
            };
            let numbers: Vec<u64> = numbers.to_i128s().into_iter().map(|n| n as i64 as u64).collect();
            check(line, &numbers, size);
            *compared.entry("integers").or_default() += numbers.len();
            continue;
        }
        if line.table == "decode" {
            let values = (0..1 << width).map(|bits| format(dtype).decode(bits));
            let values: Vec<u64> = values.map(|x| if x.is_nan() { f64::NAN } else { x }.to_bits()).collect();
            check(line, &values, 8);
            *compared.entry("decode").or_default() += values.len();
            continue;
        }
        let inputs = match line.what.as_str() {
            "midpoints" => around_midpoints(dtype),
            "random" => random(dtype),
            "specials" => specials.clone(),
            source => every(DType::from_name(source).unwrap()),
        };
        let encode = |x: f64| match (line.table.as_str(), e8m0_table(&line.table)) {
            ("encode", _) => format(dtype).encode(x, Saturation::None),
            ("saturate", _) => format(dtype).encode(x, Saturation::Saturate),
            (_, Some((mode, saturation))) => FloatFormat::encode_e8m0(x, mode, saturation),
            (table, None) => panic!("unknown table {table}"),
        };
        let patterns: Vec<u64> = inputs.iter().map(|&x| encode(x)).collect();
        check(line, &patterns, dtype.size());
        *compared.entry("encode").or_default() += patterns.len();
    }
    // The counts show that the file is complete: 2 formats of 16 bits, 5 of 8, 2 of 6, 1 of 4, and 4 integer types.
    assert_eq!(compared["decode"], 2 * 65536 + 5 * 256 + 2 * 64 + 16);
    assert_eq!(compared["integers"], 2 * 16 + 2 * 4 + 4 * 600);
    assert!(compared["encode"] > 13_000_000, "{compared:?}");
}

fn check(line: &Line, elements: &[u64], size: usize) {
    let chunks: Vec<&[u64]> = elements.chunks(line.chunk).collect();
    assert_eq!(chunks.len(), line.hashes.len(), "{} {} {}", line.table, line.dtype, line.what);
    for (index, (chunk, &wanted)) in chunks.iter().zip(&line.hashes).enumerate() {
        assert_eq!(
            hash(chunk, size),
            wanted,
            "{} {} from {}: elements {}.. differ; ours begin {:x?}",
            line.table,
            line.dtype,
            line.what,
            index * line.chunk,
            &chunk[..chunk.len().min(16)],
        );
    }
}

#[test]
fn encoding_undoes_decoding() {
    for dtype in DType::ALL.into_iter().filter(|d| d.is_float() && d.bits().is_some_and(|bits| bits <= 16)) {
        for bits in 0..1u64 << dtype.bits().unwrap() {
            let x = format(dtype).decode(bits);
            if !x.is_nan() {
                assert_eq!(format(dtype).encode(x, Saturation::None), bits, "{dtype} {x}");
            } else {
                assert!(format(dtype).decode(format(dtype).encode(x, Saturation::None)).is_nan(), "{dtype} {bits:#x}");
            }
        }
    }
}

/// Compares the value nearest to a number with its pattern: for each value of a type, the middles of neighbours, the
/// numbers beside these, what lies beyond the largest value, and random numbers.
#[test]
fn the_nearest_value_is_that_of_the_encoded_pattern() {
    for dtype in DType::ALL.into_iter().filter(|d| d.is_float()) {
        let format = format(dtype);
        let mut numbers: Vec<f64> = splitmix64(1 << 18).map(f64::from_bits).collect();
        let ends = [0.0, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), format.max_finite() * 1.125];
        numbers.extend(ends);
        if dtype.bits().is_some_and(|bits| bits <= 16) {
            let mut values: Vec<f64> = (0..1u64 << 16).map(|bits| format.decode(bits)).collect();
            values.sort_by(f64::total_cmp);
            numbers.extend(values.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).chain(values.iter().copied()));
        }
        for number in numbers {
            for x in [number, number.next_up(), number.next_down(), -number] {
                let (found, wanted) = (format.nearest(x), format.decode(format.encode(x, Saturation::None)));
                let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
                assert!(same, "{dtype} {x:e}: {found:e} instead of {wanted:e}");
            }
        }
    }
}

#[test]
fn encoding_float_and_double_equals_rust_casts() {
    for r in splitmix64(1 << 20) {
        let x = f64::from_bits(r);
        let y = f64::from(f32::from_bits(r as u32));
        for x in [x, y, y.next_up(), y.next_down()] {
            if x.is_nan() {
                continue;
            }
            assert_eq!(format(DType::Float).encode(x, Saturation::None), u64::from((x as f32).to_bits()), "{x}");
            assert_eq!(format(DType::Double).encode(x, Saturation::None), x.to_bits());
            let finite = (x as f32).clamp(f32::MIN, f32::MAX);
            assert_eq!(format(DType::Float).encode(x, Saturation::Saturate), u64::from(finite.to_bits()), "{x}");
        }
    }
    assert_eq!(format(DType::Float).encode(-f64::NAN, Saturation::None), 0x7fc0_0000);
    assert_eq!(format(DType::Double).encode(-f64::NAN, Saturation::None), 0x7ff8_0000_0000_0000);
}

#[test]
fn infinities_saturate_by_the_given_mode() {
    use Saturation::*;
    let inf = f64::INFINITY;
    // For types without infinity and negative zero, Cast-19 to Cast-23 turn an infinity into NaN, and saturate finite
    // values.
    for (dtype, finite) in [(DType::Float8e4m3fnuz, 0x7f), (DType::Float8e5m2fnuz, 0x7f)] {
        assert_eq!(format(dtype).encode(inf, SaturateFinite), 0x80);
        assert_eq!(format(dtype).encode(-inf, SaturateFinite), 0x80);
        assert_eq!(format(dtype).encode(1e300, SaturateFinite), finite);
        assert_eq!(format(dtype).encode(-1e300, SaturateFinite), finite | 0x80);
        assert_eq!(format(dtype).encode(inf, Saturate), finite);
    }
    assert_eq!(format(DType::Float8e5m2).encode(inf, SaturateFinite), 0x7c);
    assert_eq!(format(DType::Float8e5m2).encode(inf, Saturate), 0x7b);
    assert_eq!(format(DType::Float8e4m3fn).encode(-inf, None), 0xff);
    assert_eq!(format(DType::Float8e4m3fn).encode(-inf, Saturate), 0xfe);
    assert_eq!(format(DType::Double).encode(-inf, Saturate), f64::MIN.to_bits());
    assert_eq!(format(DType::Float8e8m0).encode(inf, SaturateFinite), 0xff);
    assert_eq!(format(DType::Float8e8m0).encode(1e300, SaturateFinite), 0xfe);
}

#[test]
fn ranges_and_spacings_of_formats_are_correct() {
    for dtype in DType::ALL.into_iter().filter(|d| d.is_float() && d.bits().is_some_and(|bits| bits <= 16)) {
        let values = magnitudes(dtype);
        let format = format(dtype);
        assert_eq!(format.max_finite(), values[values.len() - 1], "{dtype}");
        assert_eq!(format.min_positive(), values.iter().copied().find(|&x| x > 0.0).unwrap(), "{dtype}");
        for pair in values.windows(2) {
            assert_eq!(format.ulp(pair[0]), pair[1] - pair[0], "{dtype} {}", pair[0]);
        }
    }
    assert_eq!(format(DType::Float).max_finite(), f64::from(f32::MAX));
    assert_eq!(format(DType::Double).min_positive(), f64::from_bits(1));
    assert_eq!(format(DType::Double).ulp(1.0), f64::EPSILON);
}
