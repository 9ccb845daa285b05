//! Laws of operators on images and signals.

use std::io::Cursor;
use std::sync::Arc;

use crate::common::untyped;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, RgbImage};
use plumbline_oracle::{Expected, Judged, Operand, Oracle};
use plumbline_tensor::{DType, Tensor, Value};
use proptest::prelude::*;

fn run_at(node: &str, opset: i64, inputs: &[&Tensor]) -> Arc<Expected> {
    let model = untyped(node, opset, inputs.len(), 1);
    let values: Vec<Value> = inputs.iter().map(|&t| t.clone().into()).collect();
    match Oracle::default().answer(&model, &values).unwrap().remove(0) {
        Operand::Tensor(tensor) => tensor,
        other => panic!("{node} returned {}, expected a tensor", other.kind()),
    }
}

fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), values).unwrap()
}

fn accepted(expected: &Expected, answer: &Tensor) -> bool {
    expected.shape() == answer.shape() && (0..expected.len()).all(|i| expected.judge(answer, i) == Judged::Accepted)
}

const TRANSFORMS: [&str; 6] =
    ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric", "tf_crop_and_resize"];

/// Returns a Resize with these modes. The lowest bit of `flags` is `antialias`, and the next one is `exclude_outside`.
fn resize(mode: &str, transform: &str, flags: i64) -> String {
    let (antialias, exclude) = (flags & 1, flags >> 1);
    format!(
        r#"Resize <mode = "{mode}", coordinate_transformation_mode = "{transform}", antialias = {antialias},
            exclude_outside = {exclude}>"#
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Law: Resize
    #[test]
    fn resizing_by_one_is_identity(
        values in prop::collection::vec(-1e3f32..1e3, 24), mode in prop::sample::select(vec!["nearest", "linear", "cubic"]),
        transform in prop::sample::select(TRANSFORMS.to_vec()), flags in 0i64..4, by_sizes in any::<bool>(),
    ) {
        let x = floats(&[2, 3, 4], &values);
        let node = resize(mode, transform, flags);
        let roi = floats(&[6], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let y = match by_sizes {
            true => run_at(&node, 19, &[&x, &roi, &floats(&[0], &[]), &Tensor::from_i64s(&[2, 3, 4])]),
            false => run_at(&node, 19, &[&x, &roi, &floats(&[3], &[1.0; 3])]),
        };
        prop_assert_eq!(&y.tensor, &x);
        prop_assert!(y.is_certain());
    }

    /// Law: Upsample, Resize
    #[test]
    fn upsampling_is_resizing_without_offset(values in prop::collection::vec(-9f32..9.0, 6), scales in prop::collection::vec(4i32..12, 2), linear in any::<bool>()) {
        let x = floats(&[2, 3], &values);
        let scales = floats(&[2], &[scales[0] as f32 / 4.0, scales[1] as f32 / 4.0]);
        let mode = if linear { "linear" } else { "nearest" };
        let upsampled = run_at(&format!(r#"Upsample <mode = "{mode}">"#), 9, &[&x, &scales]);
        let node = format!(r#"Resize <mode = "{mode}", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor">"#);
        let resized = run_at(&node, 13, &[&x, &floats(&[0], &[]), &scales]);
        prop_assert_eq!(&upsampled.tensor, &resized.tensor);
    }

    /// The weights of an interpolation add up to 1, so that a constant stays constant.
    /// Law: Resize
    #[test]
    fn averages_of_a_constant_are_the_constant(
        value in -9f32..9.0, sizes in prop::collection::vec(1i64..9, 2), transform in prop::sample::select(TRANSFORMS[..5].to_vec()),
        cubic in any::<bool>(), flags in 0i64..4,
    ) {
        let x = floats(&[3, 5], &[value; 15]);
        let node = resize(if cubic { "cubic" } else { "linear" }, transform, flags);
        let empty = floats(&[0], &[]);
        let y = run_at(&node, 19, &[&x, &empty, &empty, &Tensor::from_i64s(&sizes)]);
        prop_assume!(y.latitude.is_empty());
        let same = vec![value; y.len()];
        prop_assert!(accepted(&y, &floats(&[sizes[0] as usize, sizes[1] as usize], &same)));
        // Values that are off by a little are not accepted.
        let off = vec![value * (1.0 + 5e-4) + 1e-5; y.len()];
        prop_assert!(!accepted(&y, &floats(&[sizes[0] as usize, sizes[1] as usize], &off)));
    }

    /// The oracle accepts a result that is computed in float, step by step.
    /// Law: Resize
    #[test]
    fn linear_resizing_accepts_results_in_float(values in prop::collection::vec(-9f32..9.0, 7), size in 1usize..20) {
        let x = floats(&[7], &values);
        let empty = floats(&[0], &[]);
        let y = run_at(r#"Resize <mode = "linear">"#, 13, &[&x, &empty, &empty, &Tensor::from_i64s(&[size as i64])]);
        let scale = size as f32 / 7.0;
        let at = |i: usize| ((i as f32 + 0.5) / scale - 0.5).clamp(0.0, 6.0);
        let mix = |p: f32| {
            let (left, right) = (p.floor() as usize, (p.floor() as usize + 1).min(6));
            let weight = p - p.floor();
            values[left] * (1.0 - weight) + values[right] * weight
        };
        let answer: Vec<f32> = (0..size).map(|i| mix(at(i))).collect();
        prop_assert!(accepted(&y, &floats(&[size], &answer)));
    }

    /// Law: DFT
    #[test]
    fn an_inverse_transform_restores_the_signal(values in prop::collection::vec(-9f32..9.0, 24), axis in 0i64..2) {
        let (x, none, axis) = (floats(&[3, 4, 2], &values), Tensor::from_i64(if axis == 0 { 3 } else { 4 }), Tensor::from_i64(axis));
        let there = run_at("DFT", 20, &[&x, &none, &axis]);
        let back = run_at("DFT <inverse = 1>", 20, &[&there.tensor, &none, &axis]);
        for (i, &value) in values.iter().enumerate() {
            prop_assert!((back.tensor.f64_at(i) - f64::from(value)).abs() < 1e-5);
            // The accepted interval is narrow.
            prop_assert!(back.number(i).real().high - back.number(i).real().low < 1e-3);
        }
        // Parseval's theorem: the energy of the transform is the energy of the samples, times their number.
        let energy = |t: &Tensor| t.to_f64s().iter().map(|v| v * v).sum::<f64>();
        let count = none.to_i64s().unwrap()[0] as f64;
        prop_assert!((energy(&there.tensor) - count * energy(&x)).abs() < 1e-4 * (1.0 + energy(&there.tensor)));
    }

    /// Law: DFT
    #[test]
    fn transforms_are_linear(a in prop::collection::vec(-9i8..9, 10), b in prop::collection::vec(-9i8..9, 10), length in 1i64..8) {
        let (a, b): (Vec<f32>, Vec<f32>) = (a.into_iter().map(f32::from).collect(), b.into_iter().map(f32::from).collect());
        let sum: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + 2.0 * b).collect();
        let length = Tensor::from_i64(length);
        let of = |x: &[f32]| run_at("DFT", 20, &[&floats(&[5, 2], x), &length]);
        let (a, b, sum) = (of(&a).tensor.to_f64s(), of(&b).tensor.to_f64s(), of(&sum));
        for i in 0..sum.len() {
            prop_assert!((sum.tensor.f64_at(i) - a[i] - 2.0 * b[i]).abs() < 1e-4);
        }
    }

    /// Law: DFT, STFT
    #[test]
    fn half_of_a_spectrum_determines_all_of_it(values in prop::collection::vec(-9f32..9.0, 1..12)) {
        let n = values.len();
        let x = floats(&[n, 1], &values);
        let (whole, half) = (run_at("DFT", 20, &[&x]), run_at("DFT <onesided = 1>", 20, &[&x]));
        prop_assert_eq!(half.shape(), &[n / 2 + 1, 2]);
        prop_assert_eq!(&whole.tensor.to_f64s()[..n / 2 * 2 + 2], &half.tensor.to_f64s()[..]);
        let back = run_at("DFT <onesided = 1, inverse = 1>", 20, &[&half.tensor, &Tensor::from_i64(n as i64)]);
        for (i, &value) in values.iter().enumerate() {
            prop_assert!((back.tensor.f64_at(i) - f64::from(value)).abs() < 1e-5);
        }
        // STFT with one frame and without a window is DFT.
        let frame = run_at("STFT", 17, &[&floats(&[1, n, 1], &values), &Tensor::from_i64(1)]);
        prop_assert_eq!(frame.tensor.to_f64s(), half.tensor.to_f64s());
    }

    /// Law: HannWindow, HammingWindow, BlackmanWindow
    #[test]
    fn windows_are_symmetric(op in prop::sample::select(vec!["HannWindow", "HammingWindow", "BlackmanWindow"]), size in 2i64..30) {
        let of = |periodic, size| run_at(&format!("{op} <periodic = {periodic}>"), 17, &[&Tensor::from_i64(size)]);
        let window = of(0, size);
        let n = window.len();
        for i in 0..n {
            prop_assert!(window.number(i).accepts(&window.number(n - 1 - i)));
            // Without its last element, a symmetric window is the periodic window of the remaining size.
            prop_assert!(of(1, size - 1).len() == n - 1 && (i == n - 1 || of(1, size - 1).number(i).accepts(&window.number(i))));
        }
    }

    /// Law: CenterCropPad
    #[test]
    fn cropping_twice_is_cropping_once(shape in prop::collection::vec(0i64..8, 2)) {
        let values: Vec<i64> = (0..20).collect();
        let x = Tensor::from_i64s(&values).reshaped(vec![4, 5]).unwrap();
        let wanted = Tensor::from_i64s(&shape);
        let once = run_at("CenterCropPad", 18, &[&x, &wanted]);
        let twice = run_at("CenterCropPad", 18, &[&once.tensor, &wanted]);
        prop_assert_eq!(&once.tensor, &twice.tensor);
        // Cropping to the original shape removes padding that is the same on both sides.
        if shape.iter().zip([4, 5]).all(|(&to, from)| to >= from && (to - from) % 2 == 0) {
            let back = run_at("CenterCropPad", 18, &[&once.tensor, &Tensor::from_i64s(&[4, 5])]);
            prop_assert_eq!(&back.tensor, &x);
        }
    }

    /// Law: AffineGrid, GridSample
    #[test]
    fn sampling_on_an_identity_grid_is_identity(
        values in prop::collection::vec(-9f32..9.0, 12), aligned in 0i64..2, mode in prop::sample::select(vec!["linear", "nearest", "cubic"]),
        padding in prop::sample::select(vec!["zeros", "border", "reflection"]),
    ) {
        let x = floats(&[1, 1, 3, 4], &values);
        let identity = floats(&[1, 2, 3], &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let grid = run_at(&format!("AffineGrid <align_corners = {aligned}>"), 20, &[&identity, &Tensor::from_i64s(&[1, 1, 3, 4])]);
        let node = format!(r#"GridSample <align_corners = {aligned}, mode = "{mode}", padding_mode = "{padding}">"#);
        let y = run_at(&node, 20, &[&x, &grid.tensor]);
        for (i, &value) in values.iter().enumerate() {
            prop_assert!((y.tensor.f64_at(i) - f64::from(value)).abs() < 1e-4, "{} {:?}", i, y.number(i));
        }
    }

    /// A threshold of 1 suppresses nothing, so that only the order of the scores decides.
    /// Law: NonMaxSuppression
    #[test]
    fn boxes_are_selected_by_score(order in Just((0i64..7).collect::<Vec<_>>()).prop_shuffle(), most in 1i64..9) {
        let boxes: Vec<f32> = (0..7).flat_map(|i| [0.0, 0.0, 1.0 + i as f32, 2.0]).collect();
        let scores: Vec<f32> = order.iter().map(|&s| s as f32).collect();
        let inputs = [floats(&[1, 7, 4], &boxes), floats(&[1, 1, 7], &scores), Tensor::from_i64(most), floats(&[], &[1.0])];
        let rows = run_at("NonMaxSuppression", 11, &inputs.each_ref()).tensor.to_i64s().unwrap();
        let picked: Vec<i64> = rows.chunks(3).map(|row| order[row[2] as usize]).collect();
        prop_assert_eq!(picked, (0..7).rev().take(most as usize).collect::<Vec<i64>>());
    }
}

/// The image formats that the oracle reads and these tests can encode. Only the last one, JPEG, loses information.
const FORMATS: [ImageFormat; 6] =
    [ImageFormat::Pnm, ImageFormat::Bmp, ImageFormat::Png, ImageFormat::Tiff, ImageFormat::WebP, ImageFormat::Jpeg];

fn bytes(shape: Vec<usize>, values: &[u8]) -> Tensor {
    Tensor::from_bits(DType::Uint8, shape, values.iter().map(|&b| u64::from(b))).unwrap()
}

fn encoded(width: u32, height: u32, pixels: &[u8], format: ImageFormat) -> Vec<u8> {
    let mut stream = Cursor::new(Vec::new());
    let image = DynamicImage::from(RgbImage::from_raw(width, height, pixels.to_vec()).unwrap());
    image.write_to(&mut stream, format).unwrap();
    stream.into_inner()
}

fn decoded(stream: &[u8], pixels: &str) -> Arc<Expected> {
    run_at(&format!(r#"ImageDecoder <pixel_format = "{pixels}">"#), 20, &[&bytes(vec![stream.len()], stream)])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Law: ImageDecoder
    #[test]
    fn decoding_undoes_encoding_without_loss(pixels in prop::collection::vec(any::<u8>(), 5 * 3 * 3)) {
        let rgb = bytes(vec![3, 5, 3], &pixels);
        let reversed: Vec<u8> = pixels.chunks_exact(3).flat_map(|c| [c[2], c[1], c[0]]).collect();
        for format in &FORMATS[..5] {
            let stream = encoded(5, 3, &pixels, *format);
            prop_assert!(decoded(&stream, "RGB").is_certain());
            prop_assert!(accepted(&decoded(&stream, "RGB"), &rgb), "{format:?}");
            prop_assert!(accepted(&decoded(&stream, "BGR"), &bytes(vec![3, 5, 3], &reversed)), "{format:?}");
        }
    }

    /// Law: ImageDecoder
    #[test]
    fn one_colour_survives_jpeg(colour in any::<[u8; 3]>()) {
        let pixels = colour.repeat(17 * 9);
        let stream = encoded(17, 9, &pixels, ImageFormat::Jpeg);
        let answer = decoded(&stream, "RGB");
        prop_assert_eq!(answer.shape(), &[9, 17, 3]);
        for (i, &is) in pixels.iter().enumerate() {
            prop_assert!((answer.number(i).mid() - f64::from(is)).abs() <= 12.0, "{colour:?}");
        }
    }

    #[test]
    fn broken_streams_are_answered_or_refused(
        pixels in prop::collection::vec(any::<u8>(), 7 * 6 * 3), format in prop::sample::select(FORMATS.to_vec()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), cut in any::<prop::sample::Index>(), cuts in any::<bool>(),
    ) {
        let mut stream = encoded(7, 6, &pixels, format);
        for (at, byte) in changes {
            let at = at.index(stream.len().min(160));
            stream[at] = byte;
        }
        if cuts {
            stream.truncate(cut.index(stream.len()));
        }
        let model = untyped("ImageDecoder", 20, 1, 1);
        let _ = Oracle::default().answer(&model, &[bytes(vec![stream.len()], &stream).into()]);
    }
}

#[test]
fn large_images_are_refused_before_they_are_decoded() {
    let model = untyped("ImageDecoder", 20, 1, 1);
    for stream in ["P6\n1000000 1000000\n255\n", "P6\n4000 4000\n255\n"] {
        let refusal =
            Oracle::default().answer(&model, &[bytes(vec![stream.len()], stream.as_bytes()).into()]).unwrap_err();
        assert!(refusal.to_string().contains("more than the oracle takes"), "{refusal}");
    }
}

/// Reads a stored image that none of the encoders used here can make (`crates/generator/scripts/make_images.py` makes
/// it).
fn kept(name: &str) -> Vec<u8> {
    std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generators/images").join(name)).unwrap()
}

const JPEG_2000: [&str; 7] =
    ["colours.jp2", "colours.j2k", "grey.jp2", "tiles.jp2", "loss.jp2", "transparent.jp2", "deep.jp2"];

#[test]
fn jpeg2000_without_loss_is_exact() {
    for (name, shape) in
        [("colours.jp2", [3, 5, 3]), ("colours.j2k", [5, 7, 3]), ("grey.jp2", [7, 3, 1]), ("tiles.jp2", [7, 9, 3])]
    {
        let samples: Vec<u8> = (0..shape.iter().product::<usize>()).map(|i| ((37 * i + 11) % 256) as u8).collect();
        let answer = decoded(&kept(name), if shape[2] == 1 { "Grayscale" } else { "RGB" });
        assert!(answer.is_certain(), "{name}");
        assert_eq!(answer.tensor, bytes(shape.to_vec(), &samples), "{name}");
    }
    for name in ["loss.jp2", "transparent.jp2", "deep.jp2"] {
        assert!(!decoded(&kept(name), "RGB").is_certain(), "{name}");
    }
}

#[test]
fn cmyk_and_rotated_images_have_latitude() {
    let mut stream = Cursor::new(Vec::new());
    let mut encoder = PngEncoder::new(&mut stream);
    // Exif data with one entry: the orientation (0x112, a short) is 3, upside down.
    let exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x03\0\0\0\0\0\0\0";
    encoder.set_exif_metadata(exif.to_vec()).unwrap();
    encoder.write_image(&[1, 2, 3, 4, 5, 6], 2, 1, ExtendedColorType::Rgb8).unwrap();
    let turned = decoded(&stream.into_inner(), "RGB");
    assert_eq!(turned.tensor, bytes(vec![1, 2, 3], &[1, 2, 3, 4, 5, 6]));
    assert!(matches!(turned.judge(&bytes(vec![1, 2, 3], &[4, 5, 6, 1, 2, 3]), 0), Judged::Latitude(_)));
    let cmyk = decoded(&kept("cmyk.jpg"), "RGB");
    assert_eq!(cmyk.latitude.len(), cmyk.len());
    assert!(!cmyk.is_empty() && cmyk.latitude.iter().all(|(_, l)| l.label == plumbline_spec::rule::CMYK));
}

fn answered(stream: &[u8]) {
    let model = untyped("ImageDecoder", 20, 1, 1);
    let _ = Oracle::default().answer(&model, &[bytes(vec![stream.len()], stream).into()]);
}

#[test]
fn every_cut_jpeg2000_is_answered_or_refused() {
    for name in JPEG_2000 {
        let stream = kept(name);
        (0..stream.len()).for_each(|length| answered(&stream[..length]));
    }
}

#[test]
fn extreme_sizes_in_jpeg2000_are_answered_or_refused() {
    let stream = kept("colours.j2k");
    // The header has the fields Xsiz (at byte 8), Ysiz (12), XTsiz (24) and YTsiz (28).
    for (at, size) in [(8, 1u32 << 31), (8, 1 << 17), (12, u32::MAX), (24, 0)] {
        let mut large = stream.clone();
        large[at..at + 4].copy_from_slice(&size.to_be_bytes());
        answered(&large);
    }
    let mut tiny_tiles = stream;
    for (at, size) in [(8, 200u32), (12, 200), (24, 1), (28, 1)] {
        tiny_tiles[at..at + 4].copy_from_slice(&size.to_be_bytes());
    }
    let model = untyped("ImageDecoder", 20, 1, 1);
    let refusal = Oracle::default().answer(&model, &[bytes(vec![tiny_tiles.len()], &tiny_tiles).into()]).unwrap_err();
    assert!(refusal.to_string().contains("more than the oracle takes"), "{refusal}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn broken_jpeg2000_is_answered_or_refused(
        name in prop::sample::select(JPEG_2000.to_vec()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut stream = kept(name);
        for (at, byte) in changes {
            let at = at.index(stream.len());
            stream[at] = byte;
        }
        answered(&stream);
    }
}
