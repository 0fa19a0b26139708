"""Subsets and adjusts the embedded fonts; called by packaging/fonts with the folder to write to."""

import pathlib
import sys

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

INTER = "/usr/share/fonts/opentype/inter/Inter-{}.otf"
MONO = "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf"
FONTS = [
    (INTER.format("Regular"), "Inter-Regular.ttf"),
    (INTER.format("Medium"), "Inter-Medium.ttf"),
    (INTER.format("SemiBold"), "Inter-SemiBold.ttf"),
    (MONO, "JetBrainsMono-Regular.ttf"),
]

RANGES = [
    (0x0020, 0x007E),  # Latin
    (0x00A0, 0x017F),  # Latin-1, Latin Extended-A
    (0x0386, 0x03CE),  # Greek
    (0x0400, 0x045F),  # Cyrillic
    (0x0490, 0x0491),
    (0x2000, 0x206F),  # spaces (the narrow one stands before units) and punctuation
    (0x2190, 0x2199),  # arrows
    (0x2500, 0x257F),  # boxes, for output of tools
]
SINGLE = [0x2070, 0x2074, 0x20AC, 0x2116, 0x2122, 0x2126, 0x21B5, 0x21E5, 0x21E7, 0x2206, 0x220F, 0x2211,
          0x2212, 0x2215, 0x2219, 0x221A, 0x221E, 0x2248, 0x2260, 0x2264, 0x2265, 0x2303, 0x2318, 0x2325,
          0x232B, 0x23CE, 0x25B2, 0x25BC, 0x25CF, 0x25CB, 0x25A0, 0x2588, 0x2713, 0x2715, 0xFFFD]
# What neither family may do to a source line, and what the program never asks for.
FEATURES = ["ccmp", "kern", "locl", "mark", "mkmk"]
BANNED = {"calt", "clig", "dlig", "hlig", "liga", "rclt"}


def freeze_tabular_digits(font):
    """Makes the digits' tabular glyphs the ones their characters name."""
    gsub = font["GSUB"].table
    lookups = {i for r in gsub.FeatureList.FeatureRecord if r.FeatureTag == "tnum" for i in r.Feature.LookupListIndex}
    swap = {}
    for index in lookups:
        for table in gsub.LookupList.Lookup[index].SubTable:
            swap.update(getattr(table, "ExtSubTable", table).mapping)
    for table in font["cmap"].tables:
        for digit in range(ord("0"), ord("9") + 1):
            if digit in table.cmap:
                table.cmap[digit] = swap.get(table.cmap[digit], table.cmap[digit])


def level_digits(font):
    """Gives all digits one advance; in some weights they differ by a rounding error."""
    cmap, metrics = font.getBestCmap(), font["hmtx"]
    names = [cmap[ord(digit)] for digit in "0123456789"]
    width = max(metrics[name][0] for name in names)
    for name in names:
        assert width - metrics[name][0] <= font["head"].unitsPerEm / 500, f"{name} is no tabular digit"
        metrics[name] = (width, metrics[name][1])


def add_spaces(font):
    """Lets the spaces that a monospaced family lacks be its plain one."""
    for table in font["cmap"].tables:
        for space in (0x2009, 0x202F):
            if 0x20 in table.cmap and table.isUnicode():
                table.cmap.setdefault(space, table.cmap[0x20])


def cubic_to_quadratic(font):
    """Turns CFF outlines into TrueType ones."""
    glyphs, order = font.getGlyphSet(), font.getGlyphOrder()
    outlines = {}
    for name in order:
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(Cu2QuPen(pen, font["head"].unitsPerEm / 1000, reverse_direction=True))
        outlines[name] = pen.glyph()
    font["loca"] = newTable("loca")
    font["glyf"] = glyf = newTable("glyf")
    glyf.glyphOrder, glyf.glyphs = order, outlines
    for name in order:
        outlines[name].recalcBounds(glyf)
        font["hmtx"][name] = (font["hmtx"][name][0], getattr(outlines[name], "xMin", 0))
    del font["CFF "]
    if "VORG" in font:
        del font["VORG"]
    maxp = font["maxp"]
    maxp.tableVersion = 0x00010000
    for field in ("maxZones",):
        setattr(maxp, field, 1)
    for field in ("maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements",
                  "maxSizeOfInstructions", "maxComponentElements", "maxPoints", "maxContours",
                  "maxCompositePoints", "maxCompositeContours", "maxComponentDepth"):
        setattr(maxp, field, 0)
    font["post"].formatType = 3.0
    font.sfntVersion = "\000\001\000\000"


def make(source, target):
    font = TTFont(source)
    if "tnum" in {r.FeatureTag for r in font["GSUB"].table.FeatureList.FeatureRecord}:
        freeze_tabular_digits(font)
    add_spaces(font)
    options = subset.Options(layout_features=FEATURES, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17],
                             notdef_outline=True, glyph_names=False, hinting=True, desubroutinize=True,
                             drop_tables=["DSIG"])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[c for low, high in RANGES for c in range(low, high + 1)] + SINGLE)
    subsetter.subset(font)
    if "CFF " in font:
        cubic_to_quadratic(font)
    level_digits(font)
    font.save(target)


def check(path):
    """Reads the file back and proves what the window relies on."""
    font = TTFont(path)
    cmap, advance = font.getBestCmap(), font["hmtx"]
    widths = {advance[cmap[ord(d)]][0] for d in "0123456789"}
    assert len(widths) == 1, f"{path}: digits differ in width: {widths}"
    if "GSUB" in font:
        features = {r.FeatureTag for r in font["GSUB"].table.FeatureList.FeatureRecord}
        assert not features & BANNED, f"{path}: still has {features & BANNED}"
    lacking = [f"U+{ord(c):04X}" for c in "≤≥±×÷−≈µσ…→←↑↓⌘\u202f\u2009éßŁπЖ" if ord(c) not in cmap]
    assert not lacking, f"{path}: lacks {lacking}"
    assert "glyf" in font
    return len(cmap)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for source, name in FONTS:
        target = folder / name
        make(source, target)
        characters = check(target)
        total += target.stat().st_size
        print(f"{target}: {target.stat().st_size} bytes, {characters} characters")
    assert total < 400_000, f"{total} bytes are more than the program should carry"


main()
