"""Writes generators/images: encoded images in formats and forms that the crate `image` has no encoder for.

Needs Pillow with OpenJPEG: `pip install pillow==13.0.0`. Sample i of a picture, channels innermost, is (37 * i + 11) mod 256, so that tests know
what streams without loss hold.
"""

import pathlib

from PIL import Image

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "generators" / "images"


def picture(mode, width, height):
    channels = len(Image.new(mode, (1, 1)).getbands())
    samples = bytes((37 * i + 11) % 256 for i in range(width * height * channels))
    return Image.frombytes(mode, (width, height), samples)


def write(name, image, **options):
    path = FOLDER / name
    image.save(path, **options)
    print(f"{path.name}: {path.stat().st_size} bytes")


def main():
    FOLDER.mkdir(exist_ok=True)
    small = {"num_resolutions": 2, "codeblock_size": (4, 4)}
    write("colours.jp2", picture("RGB", 5, 3), num_resolutions=1)
    write("colours.j2k", picture("RGB", 7, 5), no_jp2=True, mct=1, **small)
    write("grey.jp2", picture("L", 3, 7), **small)
    write("tiles.jp2", picture("RGB", 9, 7), tile_size=(4, 4), num_resolutions=1, progression="RPCL")
    write("loss.jp2", picture("RGB", 8, 5), irreversible=True, quality_layers=[4], **small)
    write("transparent.jp2", picture("RGBA", 4, 3), num_resolutions=1)
    write("deep.jp2", Image.frombytes("I;16", (3, 2), bytes((37 * i + 11) % 256 for i in range(12))), num_resolutions=1)
    write("cmyk.jpg", picture("CMYK", 3, 2), quality=60)


if __name__ == "__main__":
    main()
