use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use crate::reference::prelude::*;
use crate::reference::Int;

/// Pixels of the largest image that is decoded; an element takes the oracle much more than the byte it is.
const MOST_PIXELS: u32 = 1 << 20;

/// Bytes that a decoder may ask for.
const MOST_MEMORY: u64 = 1 << 26;

/// How files and bare streams of JPEG2000 start.
const JPEG_2000: [&[u8]; 2] = [b"\0\0\0\x0cjP  \r\n", &[0xff, 0x4f, 0xff, 0x51]];

/// ImageDecoder-20: an encoded image (1-D: C1) as height, width and channels; formats of pixels: C2. What cannot be decoded is empty, in a shape that is open (B1).
/// Formats without loss are exact; JPEG (B2) and WebP (B5) go by the arithmetic of their decoders. Grey values of colours: B3; more than 8 bits, and transparency: B4.
pub fn image_decoder(call: &Call) -> Answer {
    let stream = call.tensor("encoded_stream")?;
    if stream.rank() != 1 {
        return Err(Refusal::violates(C1, format!("the stream has shape {:?}", stream.shape())));
    }
    let pixels = match call.string("pixel_format")?.as_str() {
        "RGB" => Pixels::Rgb,
        "BGR" => Pixels::Bgr,
        "Grayscale" => Pixels::Grey,
        name => return Err(Refusal::violates(C2, format!("`{name}` is no format of pixels"))),
    };
    if !stream.is_certain() {
        return Err(Refusal::unsupported("the stream is not certain"));
    }
    let (image, closeness) = decoded(stream.tensor.bytes())?;
    let [width, height] = [image.width(), image.height()].map(|x| x as usize);
    let deep = !matches!(image, DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_));
    let grey = matches!(image, DynamicImage::ImageLuma8(_));
    let slack = match closeness {
        Closeness::Exact => 0,
        Closeness::WebP => 1,
        Closeness::Jpeg if grey => 1,
        Closeness::Jpeg => 4,
    };
    let rgb = image.into_rgb8().into_raw();
    let around = |mid: u8, slack: i128| {
        let mid = i128::from(mid);
        let kind = Kind::Int(Int { low: (mid - slack).max(0), mid, high: (mid + slack).min(255), dtype: DType::Uint8 });
        let number = Number { kind, latitude: None };
        match closeness {
            _ if deep => number.undecided(B4),
            Closeness::WebP => number.undecided(B5),
            _ => number,
        }
    };
    let numbers: Vec<Number> = match pixels {
        Pixels::Rgb => rgb.iter().map(|&x| around(x, slack)).collect(),
        Pixels::Bgr => rgb.chunks_exact(3).flat_map(|c| [c[2], c[1], c[0]]).map(|x| around(x, slack)).collect(),
        Pixels::Grey if grey => rgb.iter().step_by(3).map(|&x| around(x, slack)).collect(),
        // Luma of JPEG is within 1, and colours are rounded once more.
        Pixels::Grey => rgb.chunks_exact(3).map(|c| around(luma(c), slack.min(1) + 1).undecided(B3)).collect(),
    };
    let channels = if pixels == Pixels::Grey { 1 } else { 3 };
    call.answer(vec![height, width, channels], numbers)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pixels {
    Rgb,
    Bgr,
    Grey,
}

/// How near decoders of a format come to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closeness {
    /// No loss: one answer.
    Exact,
    /// Components within 1 by the inverse cosine transform, chroma within a half more by upsampling; 1.772 times chroma goes into a colour,
    /// and both sides round: 1 + 1.5 * 1.772 + 1 is below 5.
    Jpeg,
    /// Components are exact; colours are rounded, chroma between samples is open (B5).
    WebP,
}

/// The grey value of a colour, by the weights of ITU-R BT.601, which JPEG has. Others are open (B3).
fn luma(colour: &[u8]) -> u8 {
    let [red, green, blue] = [0, 1, 2].map(|i| f64::from(colour[i]));
    (0.299 * red + 0.587 * green + 0.114 * blue).round() as u8
}

/// The image of a stream; what is large, hostile or not, is refused before memory is asked for.
fn decoded(bytes: &[u8]) -> Result<(DynamicImage, Closeness), Refusal> {
    let open = |e: ImageError| match e {
        ImageError::Limits(e) => Refusal::failed(format!("the image is more than the oracle takes: {e}")),
        e => Refusal::leaves_open(B1, format!("the stream cannot be decoded: {e}")),
    };
    if JPEG_2000.iter().any(|start| bytes.starts_with(start)) {
        return Err(Refusal::unsupported("the oracle does not read JPEG2000"));
    }
    let closeness = match image::guess_format(bytes).map_err(open)? {
        ImageFormat::Jpeg => Closeness::Jpeg,
        ImageFormat::WebP if bytes.get(12..16) != Some(b"VP8L") => Closeness::WebP,
        ImageFormat::Bmp | ImageFormat::Png | ImageFormat::Pnm | ImageFormat::Tiff | ImageFormat::WebP => Closeness::Exact,
        other => return Err(Refusal::leaves_open(B1, format!("{other:?} is not among the formats"))),
    };
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| open(e.into()))?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_PIXELS);
    limits.max_image_height = Some(MOST_PIXELS);
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(open)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > u64::from(MOST_PIXELS) {
        return Err(Refusal::failed(format!("an image of {width} by {height} pixels is more than the oracle takes")));
    }
    Ok((DynamicImage::from_decoder(decoder).map_err(open)?, closeness))
}
