# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrow files as pyarrow writes them: the table of parquet.py as a stream and as files, and a data set in the layout of save_to_disk,
with pieces of the demo recording, and one that names its recordings."""

import pyarrow
import pyarrow.ipc
import pyarrow.parquet
from parquet import SCHEMA, row

ROWS = 24


def make(out):
    """`out`: tests/data/parity/arrow, beside what parquet.py made. The rows are those of its rows.json."""
    out.mkdir(parents=True, exist_ok=True)
    table = pyarrow.Table.from_pylist([row(i) for i in range(ROWS)], schema=SCHEMA)
    with pyarrow.ipc.new_stream(out / "stream.arrow", table.schema) as stream:
        stream.write_table(table, max_chunksize=10)
    # Other forms of the same values: a dictionary, 64-bit offsets, views, packed.
    other = table.set_column(1, "text", table["text"].dictionary_encode())
    other = other.set_column(7, "needed", other["needed"].cast(pyarrow.large_string()))
    write_file(out / "file-zstd.arrow", other, "zstd")
    write_file(out / "views.arrow", table.set_column(7, "needed", table["needed"].cast(pyarrow.string_view())), None)
    write_file(out / "lz4.arrow", table.select(["small"]), "lz4")
    for packed in sorted((out.parent / "parquet" / "data-set" / "data").glob("*.parquet")):
        split, number = packed.stem.split("-", 1)
        path = out / "data-set" / split / f"data-{number}.arrow"
        path.parent.mkdir(parents=True, exist_ok=True)
        shard = pyarrow.parquet.read_table(packed)
        with pyarrow.ipc.new_stream(path, shard.schema) as stream:
            stream.write_table(shard)
    # A data set whose recordings stayed files, with the paths of the machine that made it.
    path = out / "paths" / "train" / "data-00000-of-00001.arrow"
    path.parent.mkdir(parents=True, exist_ok=True)
    audio = pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])
    rows = [{"audio": {"bytes": None, "path": f"/home/somebody/cv/clips/{name}.wav"}, "text": name} for name in ("one", "two")]
    table = pyarrow.Table.from_pylist(rows, schema=pyarrow.schema([("audio", audio), ("text", pyarrow.string())]))
    with pyarrow.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table)


def write_file(path, table, packing):
    options = pyarrow.ipc.IpcWriteOptions(compression=packing)
    with pyarrow.ipc.new_file(path, table.schema, options=options) as file:
        file.write_table(table)
