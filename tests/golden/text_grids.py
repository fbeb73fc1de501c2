# SPDX-License-Identifier: GPL-3.0-or-later
"""TextGrids of every kind that aligners and people write, whole and damaged.

`expect` in formats.tsv: parse, reject, or parse-or-reject. ref.TextGrid is the alignment of derived/ref.wav.
"""

import re

from audio_formats import CUT
from files import RATE

DURATION = CUT / RATE


def demo_tiers(repository):
    """[(tier, [(start, end, label)])] of the demo's alignment up to the cut."""
    text = (repository / "resources/demo/demo.TextGrid").read_text(encoding="utf-8")
    tiers = []
    for tier in text.split("item [")[2:]:
        name = re.search(r'name = "(\w+)"', tier).group(1)
        found = re.findall(r'intervals \[\d+\]:\s+xmin = (\S+)\s+xmax = (\S+)\s+text = "(.*)"', tier)
        intervals = [(float(a), min(float(b), DURATION), label) for a, b, label in found if float(a) < DURATION - 0.001]
        tiers.append((name, intervals))
    return tiers


def number(value):
    return f"{value:.6f}".rstrip("0").rstrip(".") if value else "0"


def long_text(tiers, duration=DURATION, indent="    "):
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0", f"xmax = {number(duration)}",
             "tiers? <exists>", f"size = {len(tiers)}", "item []:"]
    for t, (name, intervals) in enumerate(tiers, 1):
        points = bool(intervals) and len(intervals[0]) == 2
        lines += [f"{indent}item [{t}]:", f'{indent * 2}class = "{"TextTier" if points else "IntervalTier"}"',
                  f'{indent * 2}name = "{name}"', f"{indent * 2}xmin = 0", f"{indent * 2}xmax = {number(duration)}",
                  f'{indent * 2}{"points" if points else "intervals"}: size = {len(intervals)}']
        for i, entry in enumerate(intervals, 1):
            label = entry[-1].replace('"', '""')
            if points:
                lines += [f"{indent * 2}points [{i}]:", f"{indent * 3}number = {number(entry[0])}",
                          f'{indent * 3}mark = "{label}"']
            else:
                lines += [f"{indent * 2}intervals [{i}]:", f"{indent * 3}xmin = {number(entry[0])}",
                          f"{indent * 3}xmax = {number(entry[1])}", f'{indent * 3}text = "{label}"']
    return "\n".join(lines) + "\n"


def short_text(tiers, duration=DURATION, zero="0"):
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", zero, number(duration), "<exists>", str(len(tiers))]
    for name, intervals in tiers:
        lines += ['"IntervalTier"', f'"{name}"', zero, number(duration), str(len(intervals))]
        for start, end, label in intervals:
            lines += [number(start) if start else zero, number(end), f'"{label}"']
    return "\n".join(lines) + "\n"


def whole(tiers):
    """Grids that must be read."""
    (_, words), (_, phones) = tiers
    with_word = [("words", [(words[0][0], words[0][1], "café")] + words[1:]), ("phones", phones)]
    accented = long_text(with_word)
    yield "ref", long_text(tiers).encode(), "parse", "the alignment of ref.wav"
    yield "short", short_text(tiers).encode(), "parse", "Praat's short format"
    yield "short_negative_zero", short_text(tiers, zero="-0").encode(), "parse", "times that begin at -0"
    yield "utf8_bom", b"\xef\xbb\xbf" + accented.encode(), "parse", ""
    yield "utf16be_bom", b"\xfe\xff" + accented.encode("utf-16-be"), "parse", "as Praat saves what is not ASCII"
    yield "utf16le_bom", b"\xff\xfe" + accented.encode("utf-16-le"), "parse", ""
    yield "crlf", accented.replace("\n", "\r\n").encode(), "parse", ""
    yield "speaker_prefix", long_text([(f"spk1 - {name}", entries) for name, entries in tiers]).encode(), "parse", "MFA's tier names"
    yield "two_speakers", long_text([(f"{who} - {name}", entries) for who in ("anna", "ben") for name, entries in tiers]).encode(), "parse", ""
    yield "longer_than_audio", long_text([(name, [(a * 1.25, b * 1.25, label) for a, b, label in entries])
                                          for name, entries in tiers], DURATION * 1.25).encode(), "parse", "all times x 1.25"
    yield "no_phones_tier", long_text([tiers[0], ("Mary - notes", phones)]).encode(), "parse", "no tier of phones"
    yield "quotes", long_text([tiers[0], ("phones", [(*phones[0][:2], 'a "quoted" label')] + phones[1:])]).encode(), "parse", "doubled quotes"
    lines = [(a, b, f"{label}\nNoun") for a, b, label in words]
    yield "newlines", long_text([("words", lines)]).encode(), "parse", "labels of two lines"
    yield "newlines_short", short_text([("words", lines)]).encode(), "parse", "labels of two lines, short format"
    elan = long_text([('""words""', words)], indent="  ").replace("item [1]:", "item[1]:")
    yield "elan", re.sub(r"intervals (\[\d+\]):", r"intervals \1", elan).replace("\n", " \n").encode(), "parse", "as ELAN exports"
    yield "same_names", long_text([("words", words)] * 3).encode(), "parse", "three tiers of one name"
    yield "points", long_text([("phones", phones), ("tones", [(0.05, "H*"), (0.4, "L-L%")])]).encode(), "parse", "a tier of points"
    yield "short_intervals", long_text([("words", [(0, 0.0001, "a"), (0.0001, 0.0002, ""), (0.0002, DURATION, "b")])]).encode(), "parse", ""
    shifted = [(max(a - 0.0004, 0), b - 0.0004 if b < DURATION else b, label) for a, b, label in phones]
    yield "misaligned", long_text([tiers[0], ("phones", shifted)]).encode(), "parse", "tiers whose boundaries almost agree"
    strange = [(*phones[0][:2], "PT")] + phones[1:]
    yield "unknown_phone", long_text([tiers[0], ("phones", strange)]).encode(), "parse", "a label that is not ARPAbet"
    ipa = dict(DH="ð", AH="ə", B="b", IH="ɪ", G="ɡ", M="m", AE="œ", N="n")
    yield "ipa", short_text([("phone", [(a, b, ipa[label]) for a, b, label in phones]), ("word", words)]).encode(), "parse", "IPA; œ is not English"


def damaged(tiers):
    (_, words), (_, phones) = tiers
    text = long_text(tiers)
    last = f"xmax = {number(DURATION)}"

    def with_phone(index, start=None, end=None, label=None):
        entry = phones[index]
        changed = (entry[0] if start is None else start, entry[1] if end is None else end, label or entry[2])
        return long_text([tiers[0], ("phones", phones[:index] + [changed] + phones[index + 1:])])

    yield "cr_only", text.replace("\n", "\r").encode(), "parse-or-reject", "old Mac line ends"
    yield "truncated", text.encode()[:int(len(text) * 0.6)], "parse-or-reject", "cut in the phones"
    yield "comma_decimal", text.replace(last, last.replace(".", ",")).encode(), "reject", "decimal commas"
    yield "non_numeric", text.replace(last, "xmax = abc" + number(DURATION)).encode(), "reject", ""
    yield "reversed_interval", with_phone(3, end=0.000001).encode(), "reject", "ends before it begins"
    yield "overlap", with_phone(2, end=0.4).encode(), "parse-or-reject", "overlapping intervals"
    yield "huge_size", text.replace("size = 3\n", "size = 4000000000\n").encode(), "reject", "claims 4e9 intervals"
    yield "negative_size", text.replace("size = 3\n", "size = -1\n").encode(), "reject", ""
    yield "nan_inf", text.replace("xmin = 0\n" + last, f"xmin = nan\nxmax = inf", 1).encode(), "reject", ""
    yield "unclosed_quote", text.replace('text = "DH"', 'text = "DH').encode(), "parse-or-reject", ""
    yield "latin1", with_phone(0, label="café").encode("latin-1"), "parse-or-reject", "not UTF-8"
    yield "nul_bytes", text.replace('"big"', '"b\0\0\0g"').encode(), "parse-or-reject", "NUL bytes"
    yield "empty", b"", "reject", "no bytes"


def make(folder, repository):
    """Writes textgrid/; returns the rows of formats.tsv."""
    (folder / "textgrid").mkdir(parents=True)
    tiers = demo_tiers(repository)
    rows = []
    for part in (whole, damaged):
        for name, data, expect, note in part(tiers):
            (folder / "textgrid" / f"{name}.TextGrid").write_bytes(data)
            rows.append((f"textgrid/{name}.TextGrid", len(data), expect, "", note))
    return rows
