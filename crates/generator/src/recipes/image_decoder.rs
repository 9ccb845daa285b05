//! Draws images in each format, grey or coloured, some with an orientation. WebP images are lossless, because the
//! encoder supports nothing else. The JPEG2000 and CMYK images are files in `generators/images`, which
//! `crates/generator/scripts/make_images.py` writes.

#![cfg(feature = "images")]

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, GrayImage, ImageEncoder, ImageFormat, RgbImage};
use plumbline_spec::embedded;

use crate::prelude::*;

/// Images in formats that the `image` crate cannot encode: the feature that each shows, and its file.
const IMAGE_FILES: [(&str, &str); 8] = [
    ("JPEG2000", "colours.jp2"),
    ("JPEG2000 codestream", "colours.j2k"),
    ("JPEG2000 without colours", "grey.jp2"),
    ("JPEG2000 in tiles", "tiles.jp2"),
    ("JPEG2000 with loss", "loss.jp2"),
    ("JPEG2000 with transparency", "transparent.jp2"),
    ("JPEG2000 of 16 bits", "deep.jp2"),
    ("CMYK", "cmyk.jpg"),
];

/// Returns Exif data with one entry: the orientation of the image (tag 0x112, one 16-bit number).
fn exif_with_orientation(orientation: u8) -> Vec<u8> {
    let start: [u8; 10] = *b"II*\0\x08\0\0\0\x01\0";
    let entry = [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0];
    [&start[..], &entry, &[0; 4]].concat()
}

fn stream(draw: &mut Draw, bytes: &[u8], shape: Vec<usize>) {
    let bits = bytes.iter().map(|&b| u64::from(b));
    draw.input(
        "encoded_stream",
        Tensor::from_bits(DType::Uint8, shape, bits).expect("there are as many bytes as the shape has elements"),
    );
}

/// Encodes a small image in this format. For lossy JPEG, the image is smooth.
fn encoded(draw: &mut Draw, format: ImageFormat) -> Vec<u8> {
    let (width, height) = (draw.range(1..=9) as usize, draw.range(1..=7) as u32);
    let width = if format == ImageFormat::Jpeg { width } else { draw.extent(width, 3 * height as usize) } as u32;
    let grey = draw.once_in(4);
    if grey {
        draw.feature("stream without colours");
    }
    let channels = if grey { 1 } else { 3 };
    let count = (width * height * channels) as usize;
    let pixels: Vec<u8> = if format == ImageFormat::Jpeg {
        let (slope, start) = (draw.range(0..=9) as usize, draw.range(0..=160) as usize);
        (0..count).map(|i| (start + slope * (i / channels as usize % width as usize)) as u8).collect()
    } else {
        draw.block(count, 256).into_iter().map(|x| x as u8).collect()
    };
    let image = match grey {
        true => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
        false => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
    };
    let image = image.expect("there is one byte for each channel of each pixel");
    let mut bytes = Cursor::new(Vec::new());
    let turnable = matches!(format, ImageFormat::Png | ImageFormat::Jpeg);
    if turnable && draw.once_in(4) {
        draw.feature("orientation");
        // Upside down or mirrored. No quarter turn is drawn, because the oracle has no answer if the shape depends on
        // the orientation.
        let exif = exif_with_orientation(draw.choose(&[3, 2, 4]));
        let written = match format {
            ImageFormat::Png => encode_with_exif(PngEncoder::new(&mut bytes), exif, &image),
            _ => encode_with_exif(JpegEncoder::new(&mut bytes), exif, &image),
        };
        written.expect("a small image can be encoded");
    } else {
        image.write_to(&mut bytes, format).expect("a small image can be encoded");
    }
    bytes.into_inner()
}

fn encode_with_exif(mut encoder: impl ImageEncoder, exif: Vec<u8>, image: &DynamicImage) -> image::ImageResult<()> {
    encoder.set_exif_metadata(exif).expect("the format can hold Exif data");
    image.write_with_encoder(encoder)
}

/// Encodes an image in one of the formats that the `image` crate can encode.
fn newly_encoded(draw: &mut Draw) -> Vec<u8> {
    let formats =
        [ImageFormat::Pnm, ImageFormat::Bmp, ImageFormat::Png, ImageFormat::Tiff, ImageFormat::WebP, ImageFormat::Jpeg];
    let format = draw.choose(&formats);
    match format {
        ImageFormat::Pnm => draw.feature("PNM"),
        ImageFormat::Bmp => draw.feature("BMP"),
        ImageFormat::Png => draw.feature("PNG"),
        ImageFormat::Tiff => draw.feature("TIFF"),
        ImageFormat::WebP => draw.feature("WebP"),
        _ => draw.feature("JPEG"),
    }
    encoded(draw, format)
}

pub fn image_decoder(draw: &mut Draw) {
    let bytes = if draw.once_in(3) {
        let (shows, file) = draw.choose(&IMAGE_FILES);
        draw.feature(shows);
        embedded::bytes(&plumbline_generator_data::FOLDER, &format!("images/{file}")).to_vec()
    } else {
        newly_encoded(draw)
    };
    stream(draw, &bytes, vec![bytes.len()]);
    if draw.give_attribute("pixel_format") {
        let pixels = draw.choose(&["RGB", "BGR", "Grayscale"]);
        draw.string_attribute("pixel_format", pixels);
    }
}

pub fn stream_rank_one(draw: &mut Draw) {
    let bytes = encoded(draw, ImageFormat::Pnm);
    stream(draw, &bytes, vec![1, bytes.len()]);
}

pub fn pixel_format_known(draw: &mut Draw) {
    let bytes = encoded(draw, ImageFormat::Pnm);
    stream(draw, &bytes, vec![bytes.len()]);
    let pixels = draw.way_of(&["RGBA", "rgb", "YUV"]);
    draw.string_attribute("pixel_format", pixels);
}
