"""The icons of the installed pages as PNGs, drawn like static/icon.svg: `python -m tools.icons`."""

from pathlib import Path

from PIL import Image, ImageDraw

from tools import ROOT

FOLDER = ROOT / "src" / "perfectplay" / "web" / "static"
ICONS = {"icon-192.png": (192, 1.0), "icon-512.png": (512, 1.0), "icon-maskable.png": (512, 0.72)}
"""The size of each icon in pixels, and which part of it the pieces take up: a mask may cut off the rest."""
FINE = 4
GROUND, ONE, TWO = "#e8dcc6", "#bb3d0a", "#0d5c76"


def icon(size: int, part: float) -> Image.Image:
    """A round and a square piece on a square; its corners are rounded unless something masks them."""
    whole = size * FINE
    image = Image.new("RGBA", (whole, whole), "#0000")
    draw = ImageDraw.Draw(image)
    unit, middle = whole / 32, whole / 2
    draw.rounded_rectangle((0, 0, whole - 1, whole - 1), 8 * unit if part == 1.0 else 0, GROUND)

    def box(left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
        left, top, right, bottom = (middle + (each - 16) * unit * part for each in (left, top, right, bottom))
        return left, top, right, bottom

    draw.ellipse(box(4.3, 9.8, 16.7, 22.2), ONE)
    draw.rounded_rectangle(box(17.6, 10, 29.6, 22), 2.6 * unit * part, TWO)
    return image.reduce(FINE)


def write(folder: Path = FOLDER) -> None:
    """Write all icons."""
    for name, (size, part) in ICONS.items():
        icon(size, part).save(folder / name)


if __name__ == "__main__":
    write()
