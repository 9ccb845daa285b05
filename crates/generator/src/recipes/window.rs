//! Recipes for HannWindow, HammingWindow, BlackmanWindow and MelWeightMatrix.

use plumbline_tensor::Tensor;

use plumbline_tensor::DType;

use crate::draw::Draw;

/// Gives `output_datatype` with the type of the output. It may be left out if that is float.
fn datatype(draw: &mut Draw, variable: &str) {
    let float = draw.bind(variable, plumbline_tensor::DType::Float);
    if !float || draw.give_attribute("output_datatype") {
        let dtype = draw.output_dtype("output");
        draw.int_attribute("output_datatype", i64::from(dtype.code()));
    }
}

/// Gives a type that the output does not allow, or a number that stands for no type.
fn foreign(draw: &mut Draw) {
    let code = draw.foreign_code_or_zero(&[DType::String, DType::Bool, DType::Complex64]);
    draw.int_attribute("output_datatype", code);
    draw.declare(code);
}

fn window(draw: &mut Draw) {
    datatype(draw, "T2");
    let size = match draw.below(8) {
        0 => 1,
        1 => 2,
        7 => draw.range(20..=60),
        _ => draw.range(3..=16),
    };
    let size = draw.extent(size as usize, 1) as i64;
    if draw.give_attribute("periodic") {
        let periodic = draw.flag();
        draw.feature(if periodic { "periodic" } else { "symmetric" });
        draw.int_attribute("periodic", i64::from(periodic));
    }
    draw.int_scalar("size", size);
}

fn bad_size(draw: &mut Draw) {
    draw.bind("T2", plumbline_tensor::DType::Float);
    datatype(draw, "T2");
    if draw.way(2) == 1 {
        return draw.ints("size", &[4, 5]);
    }
    let size = draw.way_of(&[0, -1]);
    draw.int_scalar("size", size);
}

fn bad_type(draw: &mut Draw) {
    foreign(draw);
    draw.int_scalar("size", 4);
}

pub fn hann_window(draw: &mut Draw) {
    window(draw);
}

pub fn hann_window_size_positive(draw: &mut Draw) {
    bad_size(draw);
}

pub fn hann_window_output_datatype_allowed(draw: &mut Draw) {
    bad_type(draw);
}

pub fn hamming_window(draw: &mut Draw) {
    window(draw);
}

pub fn hamming_window_size_positive(draw: &mut Draw) {
    bad_size(draw);
}

pub fn hamming_window_output_datatype_allowed(draw: &mut Draw) {
    bad_type(draw);
}

pub fn blackman_window(draw: &mut Draw) {
    window(draw);
}

pub fn blackman_window_size_positive(draw: &mut Draw) {
    bad_size(draw);
}

pub fn blackman_window_output_datatype_allowed(draw: &mut Draw) {
    bad_type(draw);
}

fn mel(draw: &mut Draw, counts: [i64; 3], edges: [f64; 2]) {
    for (name, count) in ["num_mel_bins", "dft_length", "sample_rate"].into_iter().zip(counts) {
        draw.int_scalar(name, count);
    }
    for (name, edge) in ["lower_edge_hertz", "upper_edge_hertz"].into_iter().zip(edges) {
        let dtype = draw.input_dtype(name);
        draw.input(name, Tensor::from_f64s(dtype, vec![], &[edge]).expect("one value"));
    }
}

pub fn mel_weight_matrix(draw: &mut Draw) {
    datatype(draw, "T3");
    let mut extents = [draw.range(1..=10) as usize, draw.choose(&[16, 32, 7, 25, 2, 1])];
    draw.enlarge(&mut extents, 1);
    let [bins, length] = extents.map(|extent| extent as i64);
    let rate = draw.choose(&[8192, 16000, 44100, 100]);
    let half = rate as f64 / 2.0;
    let lower = draw.choose(&[0.0, 0.125, 0.5]) * half;
    let upper = draw.choose(&[1.0, 0.75]) * half;
    mel(draw, [bins, length, rate], [lower, upper]);
}

pub fn mel_weight_matrix_edges_in_order(draw: &mut Draw) {
    datatype(draw, "T3");
    let edges = draw.way_of(&[[-1.0, 4000.0], [1004.0, 1000.0], [-100.0, -50.0], [3000.0, 1000.0]]);
    mel(draw, [4, 16, 8000], edges);
}

pub fn mel_weight_matrix_output_datatype_allowed(draw: &mut Draw) {
    foreign(draw);
    mel(draw, [4, 16, 8000], [0.0, 4000.0]);
}
