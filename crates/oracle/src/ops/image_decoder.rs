use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use crate::families::jpeg2000::{self, Trouble};
use crate::prelude::*;
use crate::{Int, Ints};

/// Pixels of the largest image that is decoded; an element takes the oracle much more than the byte it is.
const MOST_PIXELS: u32 = 1 << 20;

/// Bytes that a decoder may ask for.
const MOST_MEMORY: u64 = 1 << 26;

/// ImageDecoder-20: an encoded image (1-D: `stream-rank-one`) as height, width and channels; formats of pixels: `pixel-format-known`. What cannot be
/// decoded is empty, in a shape that is open (`invalid-stream`). Formats without loss are exact; JPEG (`jpeg`), WebP (`lossy-webp`) and JPEG2000
/// (`lossy-jpeg2000`) with loss go by the arithmetic of their decoders. Grey values of colours: `grayscale-conversion`; other than 8 bits, and
/// transparency: `alpha-and-bit-depth`; CMYK: `cmyk`. An image that says how it is to be turned may be (`orientation`).
pub fn image_decoder(call: &Call) -> Answer {
    let stream = call.tensor("encoded_stream")?;
    if stream.rank() != 1 {
        return Err(Refusal::violates(rule::STREAM_RANK_ONE, format!("the stream has shape {:?}", stream.shape())));
    }
    let pixels = match call.string("pixel_format")?.as_str() {
        "RGB" => Pixels::Rgb,
        "BGR" => Pixels::Bgr,
        "Grayscale" => Pixels::Grey,
        name => return Err(Refusal::violates(rule::PIXEL_FORMAT_KNOWN, format!("`{name}` is no format of pixels"))),
    };
    if !stream.is_certain() {
        return Err(Refusal::unsupported("the stream is not certain"));
    }
    let Decoded { image, closeness, cmyk, orientation } = decoded(stream.tensor.bytes())?;
    let mut turned = image.clone();
    turned.apply_orientation(orientation);
    let stays = orientation == Orientation::NoTransforms;
    if !stays && (turned.width(), turned.height()) != (image.width(), image.height()) {
        return Err(Refusal::leaves_open(rule::ORIENTATION, "whether the image is turned, and so its shape"));
    }
    let shape = |channels| vec![image.height() as usize, image.width() as usize, channels];
    let shape = shape(if pixels == Pixels::Grey { 1 } else { 3 });
    let numbers = pixels.of(image, closeness);
    let other = pixels.of(turned, closeness);
    let either = |(number, other): (Number, Number)| match closeness {
        _ if cmyk => number.undecided(rule::CMYK),
        _ if stays => number,
        _ => number.or_other(other, rule::ORIENTATION),
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
        let grey = matches!(image, DynamicImage::ImageLuma8(_));
        let colours = colours(&image, closeness);
        match self {
            Pixels::Rgb => colours.into_iter().flatten().collect(),
            Pixels::Bgr => colours.into_iter().flat_map(|[red, green, blue]| [blue, green, red]).collect(),
            Pixels::Grey if grey => colours.into_iter().map(|[red, ..]| red).collect(),
            // Luma of JPEG is within 1, and colours are rounded once more.
            Pixels::Grey => {
                let slack = if closeness == Closeness::Jpeg { 2 } else { 1 };
                colours.into_iter().map(|colour| grey_of(colour, slack)).collect()
            }
        }
    }
}

/// A component, within so much.
fn around(mid: i128, slack: i128) -> Number {
    let (low, high) = ((mid - slack).max(0), (mid + slack).min(255));
    Number { kind: Kind::Int(Int { low, mid, high, dtype: DType::Uint8 }), latitude: None }
}

/// The components from `low` to `high` too.
fn or_between(number: Number, low: f64, high: f64, label: Label) -> Number {
    let (low, high) = (low.floor().max(0.0) as i128, high.ceil().min(255.0) as i128);
    number.allowing(Allowed::Ints(Ints::default().with(low, high)), label)
}

/// The grey value of a colour, by the weights of ITU-R BT.601, which JPEG has, or others (`grayscale-conversion`): none is below all components, or
/// above them.
fn grey_of(colour: [Number; 3], slack: i128) -> Number {
    let [red, green, blue] = colour.map(|component| component.mid());
    let luma = (0.299 * red + 0.587 * green + 0.114 * blue).round() as i128;
    let all = colour.map(|component| component.widest()).into_iter().reduce(|a, b| a.hull(b));
    let (low, high) = all.map_or((0.0, 255.0), |all| (all.low, all.high));
    or_between(around(luma, slack), low - 1.0, high + 1.0, rule::GRAYSCALE_CONVERSION)
}

/// The colours of an image, pixel by pixel: as near as the format says, and what else is open.
fn colours(image: &DynamicImage, closeness: Closeness) -> Vec<[Number; 3]> {
    let deep = !matches!(image, DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_));
    let slack = match closeness {
        Closeness::Exact | Closeness::Jpeg2000 { .. } => 0,
        Closeness::WebP => 1,
        Closeness::Jpeg if matches!(image, DynamicImage::ImageLuma8(_)) => 1,
        Closeness::Jpeg => 4,
    };
    let plain = image.to_rgb8();
    let alphas: Vec<f64> = image.to_rgba32f().pixels().map(|pixel| f64::from(pixel.0[3])).collect();
    let of_pixel = |(at, (x, y, pixel)): (usize, (u32, u32, &image::Rgb<u8>))| {
        let chroma = (closeness == Closeness::WebP).then(|| near_chroma(&plain, x, y));
        let component = |i: usize| {
            let mid = f64::from(pixel.0[i]);
            let number = around(i128::from(pixel.0[i]), slack);
            // Transparency is dropped, or the colour lies on any background; 16 bits are cut off or rounded (`alpha-and-bit-depth`).
            let number = if deep {
                or_between(
                    number,
                    mid * alphas[at] - 1.0,
                    255.0 - (255.0 - mid) * alphas[at] + 1.0,
                    rule::ALPHA_AND_BIT_DEPTH,
                )
            } else {
                number
            };
            match (&chroma, closeness) {
                (Some(bounds), _) => or_between(number, bounds[i].0, bounds[i].1, rule::LOSSY_WEBP),
                // Of fewer bits a component may stay as small as it is.
                (_, Closeness::Jpeg2000 { exact: true }) => or_between(number, 0.0, mid, rule::ALPHA_AND_BIT_DEPTH),
                (_, Closeness::Jpeg2000 { exact: false }) => {
                    or_between(number, mid - STEPS, mid + STEPS, rule::LOSSY_JPEG2000)
                }
                _ => number,
            }
        };
        [component(0), component(1), component(2)]
    };
    plain.enumerate_pixels().enumerate().map(of_pixel).collect()
}

/// How far reconstructions of JPEG2000 with loss are apart at most.
const STEPS: f64 = 32.0;

/// What a colour may be, component by component, where its chroma is that of any pixel near it (`lossy-webp`).
fn near_chroma(image: &image::RgbImage, x: u32, y: u32) -> [(f64, f64); 3] {
    /// Chroma has half the resolution: the nearest sample and those around it.
    const REACH: u32 = 2;
    let luma = |colour: [f64; 3]| 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2];
    let colour = |x: u32, y: u32| image.get_pixel(x, y).0.map(f64::from);
    let own = luma(colour(x, y));
    let mut bounds = [(f64::INFINITY, f64::NEG_INFINITY); 3];
    let mut clipped = false;
    for row in y.saturating_sub(REACH)..=(y + REACH).min(image.height() - 1) {
        for column in x.saturating_sub(REACH)..=(x + REACH).min(image.width() - 1) {
            let other = colour(column, row);
            clipped |= other.iter().any(|&c| c == 0.0 || c == 255.0);
            for (bound, component) in bounds.iter_mut().zip(other) {
                let moved = component - luma(other) + own;
                *bound = (bound.0.min(moved), bound.1.max(moved));
            }
        }
    }
    // What is cut off at 0 and 255 is lost.
    let slack = if clipped { 48.0 } else { 8.0 };
    bounds.map(|(low, high)| (low - slack, high + slack))
}

/// How near decoders of a format come to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closeness {
    /// No loss: one answer.
    Exact,
    /// Components within 1 by the inverse cosine transform, chroma within a half more by upsampling; 1.772 times chroma goes into a colour,
    /// and both sides round: 1 + 1.5 * 1.772 + 1 is below 5.
    Jpeg,
    /// Components are exact; colours are rounded, chroma between samples is open (`lossy-webp`).
    WebP,
    /// JPEG2000 of another depth than 8 bits, or with loss: the standard has filters of real numbers, and lets decoders choose where in its step a
    /// coefficient lies (`lossy-jpeg2000`).
    Jpeg2000 {
        /// Without loss.
        exact: bool,
    },
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

/// The image of a stream; what is large, hostile or not, is refused before memory is asked for.
fn decoded(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let open = |e: ImageError| match e {
        ImageError::Limits(e) => Refusal::failed(format!("the image is more than the oracle takes: {e}")),
        e => Refusal::leaves_open(rule::INVALID_STREAM, format!("the stream cannot be decoded: {e}")),
    };
    if jpeg2000::is(bytes) {
        return of_jpeg2000(bytes);
    }
    let closeness = match image::guess_format(bytes).map_err(open)? {
        ImageFormat::Jpeg => Closeness::Jpeg,
        ImageFormat::WebP if bytes.get(12..16) != Some(b"VP8L") => Closeness::WebP,
        ImageFormat::Bmp | ImageFormat::Png | ImageFormat::Pnm | ImageFormat::Tiff | ImageFormat::WebP => {
            Closeness::Exact
        }
        other => return Err(Refusal::leaves_open(rule::INVALID_STREAM, format!("{other:?} is not among the formats"))),
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
        Trouble::Broken(what) => {
            Refusal::leaves_open(rule::INVALID_STREAM, format!("the stream cannot be decoded: {what}"))
        }
        Trouble::Cmyk => Refusal::leaves_open(rule::CMYK, "colours of ink in JPEG2000"),
    })?;
    // Its type says that it is deep; what becomes of that is open anyway.
    let image = if picture.deep { picture.image.into_rgb16().into() } else { picture.image };
    let exact = picture.exact;
    let closeness = if exact && !picture.deep { Closeness::Exact } else { Closeness::Jpeg2000 { exact } };
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
