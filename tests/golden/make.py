#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the golden results in tests/data with the field's Python libraries.

    python3 -m venv VENV && VENV/bin/pip install -r tests/golden/requirements.txt
    VENV/bin/python tests/golden/make.py               rewrites tests/data/parity and tests/data/formats
    VENV/bin/python tests/golden/make.py --check       compares with what is committed; exit status 1 on a difference

Inputs: resources/demo (one recording with its alignment and a tokenizer) and numbers drawn from fixed seeds.
The output is the same byte for byte on one kind of machine; another processor changes last digits.
"""

import argparse
import filecmp
import pathlib
import shutil
import sys
import tempfile

import arrow
import ast_encoder
import attention_kinds
import audio_formats
import conformer_encoders
import contributions
import encoders
import espnet_encoders
import features
import losses
import malformed
import model_outputs
import parquet
import pitch
import scoring
import small_model
import text_grids
import text_model
import tokens
import whisper_encoder

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DATA = REPOSITORY / "tests" / "data"
MADE = ("parity", "formats")
LIMIT = 4 << 20  # bytes


def make(out):
    parity, formats = out / "parity", out / "formats"
    features.make(parity / "fbank", REPOSITORY)
    pitch.make(parity / "pitch", parity / "fbank")
    model = small_model.make(parity / "s2t-tiny")
    malformed.make(parity / "s2t-tiny")
    model_outputs.make(parity, model)
    contributions.make(parity, model)
    conformer_encoders.make(parity / "encoders", REPOSITORY)
    attention_kinds.make(parity / "attention_kinds")
    losses.make(parity / "losses")
    encoders.make(parity / "encoders", REPOSITORY)
    ast_encoder.make(parity / "encoders", REPOSITORY)
    whisper_encoder.make(parity / "encoders", REPOSITORY)
    espnet_encoders.make(parity / "encoders", REPOSITORY)
    scoring.make(parity / "scoring")
    tokens.make(parity / "tokens", REPOSITORY)
    parquet.make(parity / "parquet", REPOSITORY)
    arrow.make(parity / "arrow")
    text_model.make(parity / "decoding" / "text")
    rows = audio_formats.make(formats, REPOSITORY) + text_grids.make(formats, REPOSITORY)
    audio_formats.write_tables(formats, rows)


def files_of(folder):
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def differences(made, committed):
    for part in MADE:
        a, b = files_of(made / part), files_of(committed / part)
        yield from (f"missing: {part}/{path}" for path in sorted(a - b))
        yield from (f"no longer made: {part}/{path}" for path in sorted(b - a))
        yield from (f"differs: {part}/{path}" for path in sorted(a & b)
                    if not filecmp.cmp(made / part / path, committed / part / path, shallow=False))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with tests/data and write nothing there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(temporary)
        make(out)
        size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
        print(f"{len(list(out.rglob('*')))} entries, {size / 1e6:.2f} MB")
        if size > LIMIT:
            sys.exit(f"more than {LIMIT >> 20} MB")
        if arguments.check:
            found = list(differences(out, DATA))
            print("\n".join(found) or "the same as committed")
            sys.exit(bool(found))
        for part in MADE:
            shutil.rmtree(DATA / part, ignore_errors=True)
            shutil.copytree(out / part, DATA / part)


if __name__ == "__main__":
    main()
