#![cfg(feature = "images")]

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use crate::families::jpeg2000::{self, Trouble};
use crate::prelude::*;
use crate::{Int, Ints};

/// The most pixels that an image may have. The oracle needs far more memory than one byte per element.
const MOST_PIXELS: u32 = 1 << 20;

/// The most memory in bytes that a decoder may request.
const MOST_MEMORY: u64 = 1 << 26;

/// Decodes an image to a tensor of height, width and channels.
///
/// The only version is 20. Constraints: the encoded stream has rank 1 (`stream-rank-one`), and the pixel format is
/// known (`pixel-format-known`). A stream that cannot be decoded gives an empty tensor, whose shape is left open
/// (`invalid-stream`).
///
/// Lossless formats are exact. Lossy JPEG (`jpeg`), WebP (`lossy-webp`) and JPEG2000 (`lossy-jpeg2000`) depend on the
/// arithmetic of the decoder. Grey values of colours: `grayscale-conversion`; other depths than 8 bits, and
/// transparency: `alpha-and-bit-depth`; CMYK: `cmyk`. An image whose metadata asks for a rotation may be rotated or not
/// (`orientation`).
pub fn image_decoder(call: &Call) -> Answer {
    let stream = call.tensor("encoded_stream")?;
    if stream.rank() != 1 {
        return Err(Refusal::violates(
            rule::STREAM_RANK_ONE,
            format!("`encoded_stream` has shape {:?}, expected rank 1", stream.shape()),
        ));
    }
    let pixels = match call.string("pixel_format")?.as_str() {
        "RGB" => Pixels::Rgb,
        "BGR" => Pixels::Bgr,
        "Grayscale" => Pixels::Grey,
        name => {
            return Err(Refusal::violates(
                rule::PIXEL_FORMAT_KNOWN,
                format!("`pixel_format` is `{name}`, expected `RGB`, `BGR` or `Grayscale`"),
            ));
        }
    };
    if !stream.is_certain() {
        return Err(Refusal::unsupported("the oracle accepts more than one value for bytes of the stream"));
    }
    let Decoded { image, closeness, cmyk, orientation } = decoded(stream.tensor.bytes())?;
    let mut turned = image.clone();
    turned.apply_orientation(orientation);
    let stays = orientation == Orientation::NoTransforms;
    if !stays && (turned.width(), turned.height()) != (image.width(), image.height()) {
        return Err(Refusal::leaves_open(
            rule::ORIENTATION,
            "the specification does not say whether the orientation in the stream applies, which decides the shape",
        ));
    }
    let shape = |channels| vec![image.height() as usize, image.width() as usize, channels];
    let shape = shape(if pixels == Pixels::Grey { 1 } else { 3 });
    let numbers = pixels.numbers(image, closeness);
    let other = pixels.numbers(turned, closeness);
    let either = |(number, other): (Number, Number)| match closeness {
        _ if cmyk => number.undecided(rule::CMYK),
        _ if stays => number,
        _ => number.or(other, rule::ORIENTATION),
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
    /// Returns the elements of an image in this pixel format.
    fn numbers(self, image: DynamicImage, closeness: Closeness) -> Vec<Number> {
        let grey = matches!(image, DynamicImage::ImageLuma8(_));
        let colours = colours(&image, closeness);
        match self {
            Pixels::Rgb => colours.into_iter().flatten().collect(),
            Pixels::Bgr => colours.into_iter().flat_map(|[red, green, blue]| [blue, green, red]).collect(),
            Pixels::Grey if grey => colours.into_iter().map(|[red, ..]| red).collect(),
            // The weighted sum is rounded. In JPEG and lossy WebP, the sum itself is only accurate within 1.
            Pixels::Grey => {
                let slack = if matches!(closeness, Closeness::Jpeg | Closeness::WebP) { 2 } else { 1 };
                colours.into_iter().map(|colour| grey_of(colour, slack)).collect()
            }
        }
    }
}

/// Returns a component that may differ from `mid` by up to `slack`.
fn around(mid: i128, slack: i128) -> Number {
    let (low, high) = ((mid - slack).max(0), (mid + slack).min(255));
    Number { kind: NumberKind::Int(Int { low, mid, high, dtype: DType::Uint8 }), latitude: None }
}

/// Accepts the components from `low` to `high` as well.
fn or_between(number: Number, low: f64, high: f64, label: Label) -> Number {
    let (low, high) = (low.floor().max(0.0) as i128, high.ceil().min(255.0) as i128);
    number.or(Allowed::Ints(Ints::default().with(low, high)), label)
}

/// Returns the grey value of a colour, by the weights of ITU-R BT.601, which JPEG uses. With other weights, any value
/// between the smallest and the largest component is possible (`grayscale-conversion`).
fn grey_of(colour: [Number; 3], slack: i128) -> Number {
    let [red, green, blue] = colour.map(|component| component.mid());
    let luma = (0.299 * red + 0.587 * green + 0.114 * blue).round() as i128;
    let all = colour.map(|component| component.widest()).into_iter().reduce(|a, b| a.hull(b));
    let (low, high) = all.map_or((0.0, 255.0), |all| (all.low, all.high));
    or_between(around(luma, slack), low - 1.0, high + 1.0, rule::GRAYSCALE_CONVERSION)
}

/// Returns the colours of the pixels, with the tolerance of the format and the values that rules leave open.
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
            // A decoder may drop transparency, or draw the colour on any background. It may truncate 16 bits to 8, or
            // round them (`alpha-and-bit-depth`).
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
                // A component of fewer than 8 bits may stay unscaled.
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

/// The largest difference between two reconstructions of lossy JPEG2000, in component values.
const STEPS: f64 = 32.0;

/// Returns the range of each component of a colour if its chroma may be that of any pixel nearby (`lossy-webp`).
fn near_chroma(image: &image::RgbImage, x: u32, y: u32) -> [(f64, f64); 3] {
    /// Chroma has half the resolution of the image, so this reach covers the nearest sample and those around it.
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
    // Values beyond 0 and 255 are clipped, so the original chroma is not known.
    let slack = if clipped { 48.0 } else { 8.0 };
    bounds.map(|(low, high)| (low - slack, high + slack))
}

/// How closely decoders of a format agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closeness {
    /// The format is lossless, so there is one answer.
    Exact,
    /// The inverse cosine transforms of two decoders may differ by 1 in each component, and upsampling adds half a unit
    /// in chroma. A colour is luma plus at most 1.772 times chroma, and both decoders round it: the difference
    /// 1 + 1.5 * 1.772 + 1 is below 5.
    Jpeg,
    /// Components are exact; colours are rounded, and the chroma between samples is left open (`lossy-webp`).
    WebP,
    /// JPEG2000 with another depth than 8 bits, or with loss. With loss, the filters compute with real numbers, and a
    /// decoder chooses where in its quantization step a coefficient lies (`lossy-jpeg2000`).
    Jpeg2000 {
        /// Whether the image is lossless.
        exact: bool,
    },
}

/// An image as the stream stores it.
struct Decoded {
    image: DynamicImage,
    closeness: Closeness,
    /// Whether the stored colours are CMYK.
    cmyk: bool,
    /// The rotation that the image asks for.
    orientation: Orientation,
}

/// Decodes a stream. Images that are too large are rejected before memory is requested for them.
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
        other => {
            return Err(Refusal::leaves_open(
                rule::INVALID_STREAM,
                format!("the stream has the format {other:?}, which the operator does not have"),
            ));
        }
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
    // An orientation that cannot be read is ignored.
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
        Trouble::Cmyk => Refusal::leaves_open(rule::CMYK, "the JPEG2000 stream has CMYK colours"),
    })?;
    // `colours` leaves the values of an image of 16 bits open, so an image whose stream has another depth than 8 bits
    // is converted to 16 bits.
    let image = if picture.deep { picture.image.into_rgb16().into() } else { picture.image };
    let exact = picture.exact;
    let closeness = if exact && !picture.deep { Closeness::Exact } else { Closeness::Jpeg2000 { exact } };
    Ok(Decoded { image, closeness, cmyk: false, orientation: Orientation::NoTransforms })
}

/// Returns the number of components from the frame header of a JPEG (T.81, B.2.2). Skips segments until it finds a
/// start of frame.
fn components_of_jpeg(bytes: &[u8]) -> Option<u8> {
    let mut at = 2;
    loop {
        let (marker, length) = (*bytes.get(at + 1)?, [*bytes.get(at + 2)?, *bytes.get(at + 3)?]);
        match marker {
            // Fill bytes precede the marker.
            0xff => at += 1,
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => return bytes.get(at + 9).copied(),
            _ => at += 2 + usize::from(u16::from_be_bytes(length)),
        }
    }
}
