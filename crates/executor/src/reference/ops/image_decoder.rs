use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use crate::reference::prelude::*;
use crate::reference::Int;
use crate::reference::families::jpeg2000::{self, Trouble};

/// Pixels of the largest image that is decoded; an element takes the oracle much more than the byte it is.
const MOST_PIXELS: u32 = 1 << 20;

/// Bytes that a decoder may ask for.
const MOST_MEMORY: u64 = 1 << 26;

/// ImageDecoder-20: an encoded image (1-D: C1) as height, width and channels; formats of pixels: C2. What cannot be decoded is empty, in a shape that is open (B1).
/// Formats without loss are exact; JPEG (B2), WebP (B5) and JPEG2000 (B8) with loss go by the arithmetic of their decoders. Grey values of
/// colours: B3; other than 8 bits, and transparency: B4; CMYK: B6. An image that says how it is to be turned may be (B7).
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
    let Decoded { image, closeness, cmyk, orientation } = decoded(stream.tensor.bytes())?;
    let mut turned = image.clone();
    turned.apply_orientation(orientation);
    let stays = orientation == Orientation::NoTransforms;
    if !stays && (turned.width(), turned.height()) != (image.width(), image.height()) {
        return Err(Refusal::leaves_open(B7, "whether the image is turned, and so its shape"));
    }
    let shape = |channels| vec![image.height() as usize, image.width() as usize, channels];
    let shape = shape(if pixels == Pixels::Grey { 1 } else { 3 });
    let numbers = pixels.of(image, closeness);
    let other = pixels.of(turned, closeness);
    let either = |(number, other): (Number, Number)| match closeness {
        _ if cmyk => number.undecided(B6),
        _ if stays => number,
        Closeness::Exact => number.or(other, B7),
        _ => number.undecided(B7),
    };
    call.answer(shape, numbers.into_iter().zip(other).map(either).collect::<Vec<_>>())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pixels {
    Rgb,
    Bgr,
    Grey,
}

impl Pixels {
    /// The elements of an image.
    fn of(self, image: DynamicImage, closeness: Closeness) -> Vec<Number> {
        let deep = !matches!(image, DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_));
        let grey = matches!(image, DynamicImage::ImageLuma8(_));
        let slack = match closeness {
            Closeness::Exact | Closeness::Jpeg2000 => 0,
            Closeness::WebP => 1,
            Closeness::Jpeg if grey => 1,
            Closeness::Jpeg => 4,
        };
        let around = |mid: u8, slack: i128| {
            let mid = i128::from(mid);
            let (low, high) = ((mid - slack).max(0), (mid + slack).min(255));
            let number = Number { kind: Kind::Int(Int { low, mid, high, dtype: DType::Uint8 }), latitude: None };
            match closeness {
                _ if deep => number.undecided(B4),
                Closeness::WebP => number.undecided(B5),
                Closeness::Jpeg2000 => number.undecided(B8),
                _ => number,
            }
        };
        let rgb = image.into_rgb8().into_raw();
        match self {
            Pixels::Rgb => rgb.iter().map(|&x| around(x, slack)).collect(),
            Pixels::Bgr => rgb.chunks_exact(3).flat_map(|c| [c[2], c[1], c[0]]).map(|x| around(x, slack)).collect(),
            Pixels::Grey if grey => rgb.iter().step_by(3).map(|&x| around(x, slack)).collect(),
            // Luma of JPEG is within 1, and colours are rounded once more.
            Pixels::Grey => rgb.chunks_exact(3).map(|c| around(luma(c), slack.min(1) + 1).undecided(B3)).collect(),
        }
    }
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
    /// The standard has filters of real numbers, and lets decoders choose where in its step a coefficient lies (B8).
    Jpeg2000,
}

/// An image as it is stored.
struct Decoded {
    image: DynamicImage,
    closeness: Closeness,
    /// Whether its colours were those of ink.
    cmyk: bool,
    /// How it says that it is to be turned.
    orientation: Orientation,
}

/// The grey value of a colour, by the weights of ITU-R BT.601, which JPEG has. Others are open (B3).
fn luma(colour: &[u8]) -> u8 {
    let [red, green, blue] = [0, 1, 2].map(|i| f64::from(colour[i]));
    (0.299 * red + 0.587 * green + 0.114 * blue).round() as u8
}

/// The image of a stream; what is large, hostile or not, is refused before memory is asked for.
fn decoded(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let open = |e: ImageError| match e {
        ImageError::Limits(e) => Refusal::failed(format!("the image is more than the oracle takes: {e}")),
        e => Refusal::leaves_open(B1, format!("the stream cannot be decoded: {e}")),
    };
    if jpeg2000::is(bytes) {
        return of_jpeg2000(bytes);
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
    let mut decoder = reader.into_decoder().map_err(open)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > u64::from(MOST_PIXELS) {
        return Err(Refusal::failed(format!("an image of {width} by {height} pixels is more than the oracle takes")));
    }
    // A note about the image that cannot be read is none.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let ink = matches!(decoder.original_color_type(), ExtendedColorType::Cmyk8 | ExtendedColorType::Cmyk16);
    let cmyk = ink || closeness == Closeness::Jpeg && components_of_jpeg(bytes) == Some(4);
    Ok(Decoded { image: DynamicImage::from_decoder(decoder).map_err(open)?, closeness, cmyk, orientation })
}

fn of_jpeg2000(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let picture = jpeg2000::decoded(bytes).map_err(|trouble| match trouble {
        Trouble::Large(what) => Refusal::failed(format!("the image is more than the oracle takes: {what}")),
        Trouble::Broken(what) => Refusal::leaves_open(B1, format!("the stream cannot be decoded: {what}")),
        Trouble::Cmyk => Refusal::leaves_open(B6, "colours of ink in JPEG2000"),
    })?;
    // Its type says that it is deep; what becomes of that is open anyway.
    let image = if picture.deep { picture.image.into_rgb16().into() } else { picture.image };
    let closeness = if picture.exact { Closeness::Exact } else { Closeness::Jpeg2000 };
    Ok(Decoded { image, closeness, cmyk: false, orientation: Orientation::NoTransforms })
}

/// The number of components in the frame header of a JPEG (T.81, B.2.2): markers with lengths, up to a SOF.
fn components_of_jpeg(bytes: &[u8]) -> Option<u8> {
    let mut at = 2;
    loop {
        let (marker, length) = (*bytes.get(at + 1)?, [*bytes.get(at + 2)?, *bytes.get(at + 3)?]);
        match marker {
            // Bytes of filling.
            0xff => at += 1,
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => return bytes.get(at + 9).copied(),
            _ => at += 2 + usize::from(u16::from_be_bytes(length)),
        }
    }
}
