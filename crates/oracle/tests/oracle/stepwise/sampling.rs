//! Positions and interpolation, and quantization.

use fastrand::Rng;
use plumbline_tensor::{DType, Tensor};

use super::draw::{FLOATS, Kind, draws, tensor};
use super::machine::Machine;
use super::report::{Case, Formula, Report, single};

/// Keys' kernel with the coefficient -0.75, for a distance of at most 1 and for one of at most 2.
fn keys(m: &Machine, distance: f64, near: bool) -> f64 {
    let a = -0.75;
    if near {
        let inner = m.mul(m.multiply_add(a + 2.0, distance, -(a + 3.0)), distance);
        return m.multiply_add(inner, distance, 1.0);
    }
    let inner = m.multiply_add(m.multiply_add(a, distance, -5.0 * a), distance, 8.0 * a);
    m.multiply_add(inner, distance, -4.0 * a)
}

/// Returns the neighbours of a position with their weights. Positions and weights are numbers of float at least.
fn taps(m: &Machine, at: f64, cubic: bool) -> Vec<(i64, f64)> {
    let first = at.floor();
    let (near, far) = (m.sub(at, first), m.sub(1.0, m.sub(at, first)));
    let first = first as i64;
    if !cubic {
        return vec![(first, far), (first + 1, near)];
    }
    vec![
        (first - 1, keys(m, m.add(near, 1.0), false)),
        (first, keys(m, near, true)),
        (first + 1, keys(m, far, true)),
        (first + 2, keys(m, m.add(far, 1.0), false)),
    ]
}

/// Returns a coordinate of a grid as a position in elements.
fn position(m: &Machine, x: f64, extent: usize, aligned: bool, at_once: bool) -> f64 {
    let n = extent as f64;
    match (aligned, at_once) {
        (true, false) => m.mul(m.add(x, 1.0), (n - 1.0) / 2.0),
        (true, true) => m.multiply_add(x, (n - 1.0) / 2.0, (n - 1.0) / 2.0),
        (false, false) => m.mul(m.multiply_add(m.add(x, 1.0), n, -1.0), 0.5),
        (false, true) => m.multiply_add(x, n / 2.0, (n - 1.0) / 2.0),
    }
}

#[test]
fn grid_sample_is_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(15);
    for round in 0..draws() {
        for kind in [Kind::Ordinary, Kind::Coarse, Kind::Graded, Kind::Offset] {
            for dtype in FLOATS {
                for (mode, cubic) in [("linear", false), ("cubic", true)] {
                    let (aligned, border) = (rng.bool(), rng.bool());
                    let [height, width] = [0; 2].map(|_| 2 + rng.usize(..5));
                    let x = tensor(&mut rng, dtype, kind, &[1, 1, height, width]);
                    let spread = if round % 2 == 0 { 1.0 } else { 1.5 };
                    let grid: Vec<f64> = (0..12).map(|_| spread * (2.0 * rng.f64() - 1.0)).collect();
                    let grid = Tensor::from_f64s(dtype, vec![1, 2, 3, 2], &grid).unwrap();
                    let mut formulas: Vec<Formula> = vec![];
                    for (at_once, by_axis) in [(false, false), (true, false), (false, true), (true, true)] {
                        formulas.push(single(
                            if by_axis { "one axis after the other" } else { "all at once" },
                            move |m, x| {
                                let wide = m.in_float_at_least();
                                let along =
                                    |x, extent| taps(&wide, position(&wide, x, extent, aligned, at_once), cubic);
                                let element = |i: i64, j: i64| {
                                    let inside = |i: i64, extent: usize| (0..extent as i64).contains(&i);
                                    match border {
                                        false if !inside(i, height) || !inside(j, width) => 0.0,
                                        _ => {
                                            let [i, j] =
                                                [(i, height), (j, width)].map(|(i, n)| i.clamp(0, n as i64 - 1));
                                            x[0][i as usize * width + j as usize]
                                        }
                                    }
                                };
                                let point = |at: &[f64]| {
                                    let (columns, rows) = (along(at[0], width), along(at[1], height));
                                    let weights: Vec<f64> = columns.iter().map(|c| c.1).collect();
                                    let row =
                                        |i: i64| columns.iter().map(|&(j, _)| element(i, j)).collect::<Vec<f64>>();
                                    if by_axis {
                                        let of_rows: Vec<f64> =
                                            rows.iter().map(|r| wide.dot(&weights, &row(r.0))).collect();
                                        return wide.dot(&rows.iter().map(|r| r.1).collect::<Vec<f64>>(), &of_rows);
                                    }
                                    let all = rows.iter().flat_map(|r| weights.iter().map(|&w| wide.mul(r.1, w)));
                                    wide.dot(
                                        &all.collect::<Vec<f64>>(),
                                        &rows.iter().flat_map(|r| row(r.0)).collect::<Vec<f64>>(),
                                    )
                                };
                                x[1].chunks(2).map(point).collect()
                            },
                        ));
                    }
                    let padding = if border { "border" } else { "zeros" };
                    let node = format!(
                        r#"GridSample <mode = "{mode}", padding_mode = "{padding}", align_corners = {}>"#,
                        i64::from(aligned)
                    );
                    report.check(&Case::new(&node, 22, vec![x, grid], true), dtype, &formulas);
                }
            }
        }
    }
    report.finish();
}

#[test]
fn resize_is_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(16);
    for _ in 0..draws() {
        for kind in [Kind::Ordinary, Kind::Coarse, Kind::Graded, Kind::Offset] {
            for dtype in FLOATS {
                for (mode, cubic) in [("linear", false), ("cubic", true)] {
                    let transform = ["half_pixel", "asymmetric", "align_corners"][rng.usize(..3)];
                    let (from, to) = (2 + rng.usize(..6), 2 + rng.usize(..9));
                    let x = tensor(&mut rng, dtype, kind, &[2, from]);
                    let formula = |name, reciprocal: bool| {
                        single(name, move |m, x| {
                            let wide = m.in_float_at_least();
                            let unscaled = |x: f64| match reciprocal {
                                true => wide.mul(x, wide.div(from as f64, to as f64)),
                                false => wide.div(x, wide.div(to as f64, from as f64)),
                            };
                            let at = |i: usize| match transform {
                                "half_pixel" => wide.sub(unscaled(i as f64 + 0.5), 0.5),
                                "asymmetric" => unscaled(i as f64),
                                _ if reciprocal => wide.mul(i as f64, wide.div(from as f64 - 1.0, to as f64 - 1.0)),
                                _ => wide.div(i as f64 * (from as f64 - 1.0), to as f64 - 1.0),
                            };
                            let row = |row: &[f64]| {
                                let element = |i: usize| {
                                    let taps = taps(&wide, at(i), cubic);
                                    let inside = |i: i64| row[i.clamp(0, from as i64 - 1) as usize];
                                    let (values, weights): (Vec<f64>, Vec<f64>) =
                                        taps.into_iter().map(|(i, weight)| (inside(i), weight)).unzip();
                                    wide.dot(&weights, &values)
                                };
                                (0..to).map(element).collect::<Vec<f64>>()
                            };
                            x[0].chunks(from).flat_map(row).collect()
                        })
                    };
                    let formulas =
                        [formula("divided by the scale", false), formula("multiplied by the reciprocal", true)];
                    let sizes = Tensor::from_i64s(&[2, to as i64]);
                    let inputs = vec![x.clone(), x.clone(), x, sizes];
                    let node = format!(r#"Resize <mode = "{mode}", coordinate_transformation_mode = "{transform}">"#);
                    let case = Case { absent: vec![1, 2], ..Case::new(&node, 19, inputs, true) };
                    report.check(&case, dtype, &formulas);
                }
            }
        }
    }
    report.finish();
}

#[test]
fn affine_grid_is_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(17);
    type Place = fn(&Machine, f64, f64, f64) -> f64;
    // `first` is the distance of the first position from -1, in gaps.
    let places: [(&str, Place); 3] = [
        ("start and steps", |m, i, gaps, first| {
            let step = m.div(2.0, gaps);
            m.multiply_add(i, step, m.multiply_add(step, first, -1.0))
        }),
        ("one division", |m, i, gaps, first| m.sub(m.div(2.0 * (i + first), gaps), 1.0)),
        ("from the centre", |m, i, gaps, first| m.div(2.0 * (i + first) - gaps, gaps)),
    ];
    for _ in 0..draws() {
        for kind in [Kind::Ordinary, Kind::Coarse, Kind::Graded, Kind::Offset] {
            for dtype in FLOATS {
                let aligned = rng.bool();
                let [height, width] = [0; 2].map(|_| 2 + rng.usize(..6));
                let theta = tensor(&mut rng, dtype, kind, &[1, 2, 3]);
                let formulas = places.map(|(name, place)| {
                    single(name, move |m, x| {
                        let along = |i: usize, extent: usize| {
                            let (gaps, first) = if aligned { (extent as f64 - 1.0, 0.0) } else { (extent as f64, 0.5) };
                            place(m, i as f64, gaps, first)
                        };
                        let each = |i: usize| {
                            let at = [along(i / 2 % width, width), along(i / 2 / width, height)];
                            let row = &x[0][i % 2 * 3..][..3];
                            m.round(m.kept_dot(row[2], &row[..2], &at))
                        };
                        (0..height * width * 2).map(each).collect()
                    })
                });
                let size = Tensor::from_i64s(&[1, 1, height as i64, width as i64]);
                let node = format!("AffineGrid <align_corners = {}>", i64::from(aligned));
                report.check(&Case::new(&node, 20, vec![theta, size], true), dtype, &formulas);
            }
        }
    }
    report.finish();
}

/// Returns `x * (1 / scale)` or `x / scale`, rounded to an integer and moved by the zero point.
fn quantized(m: &Machine, x: f64, scale: f64, zero: f64) -> f64 {
    (m.div(x, scale).round_ties_even() + zero).clamp(0.0, 255.0)
}

#[test]
fn quantization_is_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(18);
    for _ in 0..draws() {
        for kind in [Kind::Ordinary, Kind::Coarse, Kind::Graded, Kind::Offset, Kind::Any] {
            for dtype in [DType::Float, DType::Float16, DType::Bfloat16] {
                let count = 24;
                let x = tensor(&mut rng, dtype, kind, &[count]);
                let scale = Tensor::from_f64s(dtype, vec![], &[0.001 + rng.f64()]).unwrap();
                let zero = Tensor::from_f64s(DType::Uint8, vec![], &[f64::from(rng.u8(..))]).unwrap();
                let formula = single("x / scale", |m, x| {
                    x[0].iter().map(|&element| quantized(m, element, x[1][0], x[2][0])).collect()
                });
                let inputs = vec![x, scale.clone(), zero.clone()];
                report.check(&Case::new("QuantizeLinear", 23, inputs, false), dtype, &[formula]);
                let bytes: Vec<f64> = (0..count).map(|_| f64::from(rng.u8(..))).collect();
                let x = Tensor::from_f64s(DType::Uint8, vec![count], &bytes).unwrap();
                type Difference = fn(&Machine, f64, f64) -> f64;
                let differences: [(&str, Difference); 2] = [
                    ("difference of integers", |m, x, zero| m.round(x - zero)),
                    ("difference of floats", |m, x, zero| m.sub(m.round(x), m.round(zero))),
                ];
                let formulas = differences.map(|(name, difference)| {
                    single(name, move |m, x| {
                        x[0].iter().map(|&byte| m.mul(difference(m, byte, x[2][0]), x[1][0])).collect()
                    })
                });
                report.check(&Case::new("DequantizeLinear", 23, vec![x, scale, zero], false), dtype, &formulas);
            }
        }
    }
    report.finish();
}
