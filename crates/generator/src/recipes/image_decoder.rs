//! ImageDecoder. WebP comes without loss: the encoder knows no other.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageFormat, RgbImage};
use plumbline_tensor::{DType, Tensor};

use crate::draw::Draw;

fn stream(draw: &mut Draw, bytes: &[u8], shape: Vec<usize>) {
    let bits = bytes.iter().map(|&b| u64::from(b));
    draw.input("encoded_stream", Tensor::from_bits(DType::Uint8, shape, bits).expect("as many bytes"));
}

/// A small image in some format; what lossy formats store is smooth.
fn encoded(draw: &mut Draw, format: ImageFormat) -> Vec<u8> {
    let (width, height) = (draw.range(1..=9) as u32, draw.range(1..=7) as u32);
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
    let mut bytes = Cursor::new(Vec::new());
    image.expect("as many pixels").write_to(&mut bytes, format).expect("a small image");
    bytes.into_inner()
}

pub fn image_decoder(draw: &mut Draw) {
    let formats = [
        ImageFormat::Pnm,
        ImageFormat::Bmp,
        ImageFormat::Png,
        ImageFormat::Tiff,
        ImageFormat::WebP,
        ImageFormat::Jpeg,
    ];
    let format = draw.choose(&formats);
    match format {
        ImageFormat::Pnm => draw.feature("PNM"),
        ImageFormat::Bmp => draw.feature("BMP"),
        ImageFormat::Png => draw.feature("PNG"),
        ImageFormat::Tiff => draw.feature("TIFF"),
        ImageFormat::WebP => draw.feature("WebP"),
        _ => draw.feature("JPEG"),
    }
    let bytes = encoded(draw, format);
    stream(draw, &bytes, vec![bytes.len()]);
    if draw.give_attribute("pixel_format") {
        let pixels = draw.choose(&["RGB", "BGR", "Grayscale"]);
        draw.string_attribute("pixel_format", pixels);
    }
}

pub fn image_decoder_c1(draw: &mut Draw) {
    let bytes = encoded(draw, ImageFormat::Pnm);
    stream(draw, &bytes, vec![1, bytes.len()]);
}

pub fn image_decoder_c2(draw: &mut Draw) {
    let bytes = encoded(draw, ImageFormat::Pnm);
    stream(draw, &bytes, vec![bytes.len()]);
    let pixels = draw.choose(&["RGBA", "rgb", "YUV"]);
    draw.string_attribute("pixel_format", pixels);
}
