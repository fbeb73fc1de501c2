# SPDX-License-Identifier: GPL-3.0-or-later
"""Parquet files as pyarrow writes them: one small table in every form that is read and in two that are refused, and a data set in
the layout of Hugging Face's library datasets, with pieces of the demo recording inside."""

import io
import json

import pyarrow
import pyarrow.parquet
import soundfile
from files import RATE, demo_samples, write_json

ROWS = 24
FORMS = {
    "snappy": {},
    "gzip-version-2": {"compression": "gzip", "data_page_version": "2.0"},
    "zstd-plain": {"compression": "zstd", "use_dictionary": False},
    "small-pages": {"compression": "none", "data_page_size": 100, "row_group_size": 10, "dictionary_pagesize_limit": 60},
    "brotli": {"compression": "brotli"},
    "delta": {"use_dictionary": False, "column_encoding": {"whole": "DELTA_BINARY_PACKED"}},
}
SCHEMA = pyarrow.schema([
    ("inner", pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])),
    ("text", pyarrow.string()),
    ("whole", pyarrow.int64()),
    ("small", pyarrow.int32()),
    ("real", pyarrow.float64()),
    ("single", pyarrow.float32()),
    ("truth", pyarrow.bool_()),
    pyarrow.field("needed", pyarrow.string(), nullable=False),
    ("list", pyarrow.list_(pyarrow.string())),
])


def row(i):
    inner = {"bytes": f"bytes {i * i}".encode() * (i % 7) if i % 5 else None, "path": f"a{i}.wav" if i % 3 else None}
    return {
        "inner": inner if i % 11 else None,
        "text": None if i % 4 == 1 else ["yes", "nein", f"ünique {i}"][i % 3],
        "whole": i**5 - 7,
        "small": -i,
        "real": i / 8 - 2,
        "single": i / 4,
        "truth": None if i % 6 == 2 else i % 2 == 0,
        "needed": "same" if i < 18 else f"row {i}",
        "list": ["a"] * (i % 3),
    }


def make(out, repository):
    """`out`: tests/data/parity/parquet."""
    out.mkdir(parents=True, exist_ok=True)
    rows = [row(i) for i in range(ROWS)]
    table = pyarrow.Table.from_pylist(rows, schema=SCHEMA)
    for name, settings in FORMS.items():
        pyarrow.parquet.write_table(table, out / f"{name}.parquet", store_schema=False, write_statistics=False, **settings)
    names = ["inner.bytes", "inner.path", "text", "whole", "small", "real", "single", "truth", "needed"]
    write_json(out / "rows.json", {"columns": names, "rows": [[cell(each, name) for name in names] for each in rows]})
    make_data_set(out / "data-set", demo_samples(repository))


def cell(values, name):
    for key in name.split("."):
        values = values and values[key]
    if isinstance(values, bytes):
        return values.decode()
    return values


def make_data_set(out, samples):
    columns = ["audio", "text", "speaker_id", "id"]
    features = {"audio": {"sampling_rate": RATE, "_type": "Audio"}}
    schema = pyarrow.schema([
        ("audio", pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])),
        ("text", pyarrow.string()),
        ("speaker_id", pyarrow.int64()),
        ("id", pyarrow.string()),
    ]).with_metadata({"huggingface": json.dumps({"info": {"features": features}})})

    def recording(first, count, kind):
        packed = io.BytesIO()
        soundfile.write(packed, samples[first:first + count], RATE, format=kind, subtype="PCM_16")
        return packed.getvalue()

    shards = {
        "data/train-00000-of-00002": [({"bytes": recording(8000, 800, "FLAC"), "path": "84-1-0000.flac"}, "THE BIG", 84, "84-1-0000"),
                                      ({"bytes": recording(12800, 800, "WAV"), "path": None}, "MAN", 84, "84-1-0001")],
        "data/train-00001-of-00002": [({"bytes": recording(16000, 700, "FLAC"), "path": "elsewhere/84-1-0000.flac"}, "LOOKS", 85,
                                       "85-1-0000")],
        "data/test-00000-of-00001": [({"bytes": recording(20000, 600, "WAV"), "path": "t.flac"}, "FOR", 86, "86-1-0000"),
                                     (None, "no recording", 86, "86-1-0001"),
                                     ({"bytes": b"not a sound", "path": "u.flac"}, "broken", 86, "86-1-0002")],
    }
    for name, rows in shards.items():
        path = out / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        table = pyarrow.Table.from_pylist([dict(zip(columns, each)) for each in rows], schema=schema)
        pyarrow.parquet.write_table(table, path, store_schema=False, write_statistics=False)
