//! Draws few and many bins for short and long transforms, with edges from zero up to half of the sample rate.

use crate::families::window_function;
use crate::prelude::*;

fn mel(draw: &mut Draw, counts: [i64; 3], edges: [f64; 2]) {
    for (name, count) in ["num_mel_bins", "dft_length", "sample_rate"].into_iter().zip(counts) {
        draw.int_scalar(name, count);
    }
    for (name, edge) in ["lower_edge_hertz", "upper_edge_hertz"].into_iter().zip(edges) {
        let dtype = draw.input_dtype(name);
        draw.input(name, Tensor::from_f64s(dtype, vec![], &[edge]).expect("a tensor of one element has one value"));
    }
}

pub fn mel_weight_matrix(draw: &mut Draw) {
    window_function::datatype(draw, "T3");
    let mut extents = [draw.range(1..=10) as usize, draw.choose(&[16, 32, 7, 25, 2, 1])];
    draw.enlarge(&mut extents, 1);
    let [bins, length] = extents.map(|extent| extent as i64);
    let rate = draw.choose(&[8192, 16000, 44100, 100]);
    let half = rate as f64 / 2.0;
    let lower = draw.choose(&[0.0, 0.125, 0.5]) * half;
    let upper = draw.choose(&[1.0, 0.75]) * half;
    mel(draw, [bins, length, rate], [lower, upper]);
}

pub fn edges_in_order(draw: &mut Draw) {
    window_function::datatype(draw, "T3");
    let edges = draw.way_of(&[[-1.0, 4000.0], [1004.0, 1000.0], [-100.0, -50.0], [3000.0, 1000.0]]);
    mel(draw, [4, 16, 8000], edges);
}

pub fn output_datatype_allowed(draw: &mut Draw) {
    window_function::foreign_datatype(draw);
    mel(draw, [4, 16, 8000], [0.0, 4000.0]);
}
