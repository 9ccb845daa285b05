//! JPEG2000 (ITU-T T.800), decoded by the crate `hayro-jpeg2000`, with checks of a stream before and after it is
//! decoded.

#![cfg(feature = "images")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_jpeg2000::{ColorSpace, DecodeSettings, DecoderContext, Image};
use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};

/// The first bytes of a JP2 file, which wraps a codestream in boxes.
const FILE: &[u8] = b"\0\0\0\x0cjP  \r\n";

/// The first bytes of a bare codestream: the markers SOC and SIZ.
const CODESTREAM: &[u8] = &[0xff, 0x4f, 0xff, 0x51];

/// The largest number of pixels that is decoded. A decoder keeps a few hundred bytes for each precinct, and a precinct
/// may be as small as a pixel.
const MOST_PIXELS: u64 = 1 << 16;

/// The largest number of tiles that is decoded. Each tile has a table of its own.
const MOST_TILES: u64 = 1 << 10;

/// A decoded image, and what is certain about it.
pub struct Picture {
    /// The pixels, with 8 bits a channel.
    pub image: DynamicImage,
    /// Whether the standard determines each sample: the transforms are reversible, and the colours are RGB or grey.
    pub exact: bool,
    /// Whether a channel has a depth other than 8 bits.
    pub deep: bool,
}

/// The reason why a stream gives no image.
pub enum Trouble {
    /// The image is larger than the oracle takes.
    Large(String),
    /// The stream cannot be decoded, or the image does not have one or three colours.
    Broken(String),
    /// The colours of the image are cyan, magenta, yellow and black.
    Cmyk,
}

/// Returns whether a stream is JPEG2000.
pub fn is(stream: &[u8]) -> bool {
    [FILE, CODESTREAM].iter().any(|start| stream.starts_with(start))
}

/// Decodes a stream. The size that the header declares is checked before anything is decoded. A panic of the decoder
/// counts as a refusal of the stream.
///
/// # Errors
/// Returns a [`Trouble`] that says why there is no image.
pub fn decoded(stream: &[u8]) -> Result<Picture, Trouble> {
    let broken = || Trouble::Broken("its boxes or its header cannot be read".to_owned());
    let (codestream, plain) = match stream.starts_with(CODESTREAM) {
        true => (stream, true),
        false => unpacked(stream).ok_or_else(broken)?,
    };
    let header = Header::read(codestream).ok_or_else(broken)?;
    if header.pixels > MOST_PIXELS || header.tiles > MOST_TILES {
        return Err(Trouble::Large(format!("it has {} pixels in {} tiles", header.pixels, header.tiles)));
    }
    let decode = || {
        let settings = DecodeSettings { strict: true, ..DecodeSettings::default() };
        let image = Image::new(stream, &settings)?;
        let mut context = DecoderContext::default();
        let decoded = image.decode(&mut context)?;
        let deep = decoded.components().iter().any(|c| c.bit_depth() != 8);
        let space = (image.color_space().num_channels(), matches!(image.color_space(), ColorSpace::CMYK));
        Ok((image.width(), image.height(), space, image.has_alpha(), deep, decoded.data_u8()))
    };
    let (width, height, (colours, cmyk), opacity, deep, samples) = catch_unwind(AssertUnwindSafe(decode))
        .map_err(|_| Trouble::Broken("the decoder failed".to_owned()))?
        .map_err(|e: hayro_jpeg2000::DecodeError| Trouble::Broken(e.to_string()))?;
    let image = match (colours, opacity) {
        (1, false) => GrayImage::from_raw(width, height, samples).map(DynamicImage::from),
        (1, true) => GrayAlphaImage::from_raw(width, height, samples).map(DynamicImage::from),
        (3, false) => RgbImage::from_raw(width, height, samples).map(DynamicImage::from),
        (3, true) => RgbaImage::from_raw(width, height, samples).map(DynamicImage::from),
        _ if cmyk => return Err(Trouble::Cmyk),
        _ => None,
    };
    let image = image.ok_or_else(|| Trouble::Broken(format!("it has {colours} colour channels, expected 1 or 3")))?;
    Ok(Picture { image, exact: plain && header.reversible, deep })
}

/// Returns the boxes of a file or of a box, as pairs of kind and contents (annex I.4).
fn boxes(mut bytes: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (length, kind) = (u32_at(bytes, 0)?, bytes.get(4..8)?);
        let (start, end) = match length {
            0 => (8, bytes.len()),
            1 => (16, usize::try_from(u64::from(u32_at(bytes, 8)?) << 32 | u64::from(u32_at(bytes, 12)?)).ok()?),
            _ => (8, length as usize),
        };
        found.push((kind, bytes.get(start..end)?));
        bytes = &bytes[end..];
    }
    Some(found)
}

/// Returns the codestream of a file that has exactly one, and whether its channels are colours without a conversion:
/// sRGB or grey, without a palette.
fn unpacked(file: &[u8]) -> Option<(&[u8], bool)> {
    let all = boxes(file)?;
    let mut streams = all.iter().filter(|(kind, _)| *kind == b"jp2c");
    let (stream, None) = (streams.next()?.1, streams.next()) else { return None };
    let header = boxes(all.iter().find(|(kind, _)| *kind == b"jp2h")?.1)?;
    let plain = |(kind, contents): &(&[u8], &[u8])| match *kind {
        // The enumerated colour spaces: 16 is sRGB, 17 is grey.
        b"colr" => contents.first() == Some(&1) && matches!(u32_at(contents, 3), Some(16 | 17)),
        b"pclr" | b"cmap" | b"cdef" => false,
        _ => true,
    };
    Some((stream, header.iter().all(plain)))
}

/// The main header of a codestream (annex A).
struct Header {
    pixels: u64,
    tiles: u64,
    /// Whether the 5-3 filter and the reversible transform of components are used, and no component has fewer samples
    /// than the image.
    reversible: bool,
}

impl Header {
    fn read(stream: &[u8]) -> Option<Header> {
        let long = |at| u32_at(stream, at).map(u64::from);
        // The markers SOC and SIZ. SIZ holds: length, capabilities, Xsiz, Ysiz, XOsiz, YOsiz, XTsiz, YTsiz, XTOsiz,
        // YTOsiz, Csiz, and 3 bytes for each component.
        stream.starts_with(CODESTREAM).then_some(())?;
        let (width, height) = (long(8)?.checked_sub(long(16)?)?, long(12)?.checked_sub(long(20)?)?);
        let across = long(8)?.checked_sub(long(32)?)?.div_ceil(long(24)?.max(1));
        let down = long(12)?.checked_sub(long(36)?)?.div_ceil(long(28)?.max(1));
        let components = usize::from(u16_at(stream, 40)?);
        let sizes = stream.get(42..42 + 3 * components)?;
        if components > 5 {
            return None;
        }
        let mut reversible = sizes.chunks_exact(3).all(|c| c[1] == 1 && c[2] == 1);
        let mut at = 4 + usize::from(u16_at(stream, 4)?);
        // The header ends at the first tile-part (SOT). COD and COC name the transform; 1 is the 5-3 filter.
        loop {
            let filter = match u16_at(stream, at)? {
                0xff90 => break,
                0xff52 => Some(13),
                0xff53 => Some(10),
                0xff00.. => None,
                _ => return None,
            };
            if let Some(filter) = filter {
                reversible &= *stream.get(at + filter)? == 1;
            }
            at += 2 + usize::from(u16_at(stream, at + 2)?);
        }
        Some(Header { pixels: width * height, tiles: across * down, reversible })
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
