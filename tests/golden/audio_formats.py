# SPDX-License-Identifier: GPL-3.0-or-later
"""Audio files of every kind that a person may drop on the window, whole and damaged, from one short recording.

formats.tsv lists them: file, bytes, expect, libsndfile, note. `expect`:
  decode              well-formed: loads with the stated rate, channels and length
  decode-partial      cut short: loads with a warning, or is refused
  decode-or-reject    either; never a crash or silent nonsense
  reject, reject-or-empty   an error
`libsndfile` is what that library says: format/subtype/channels/rate/frames, or ERR.
"""

import io
import struct

import numpy as np
import soundfile
import soxr

from files import RATE, demo_samples

CUT = 7360  # samples: "The big ma", inside the vowel; a tenth of a second less for each of 25 files is 0.1 MB


def encoded(samples, rate=RATE, format="WAV", subtype="PCM_16", endian="FILE"):
    out = io.BytesIO()
    soundfile.write(out, samples, rate, format=format, subtype=subtype, endian=endian)
    return without_time(out.getvalue())


def without_time(data):
    """libsndfile writes the time of writing into the PEAK chunk of float WAV files (name, size, version, time): sets it to 0."""
    at = data.find(b"PEAK", 0, 200)
    return data if at < 0 else data[:at + 12] + bytes(4) + data[at + 16:]


def chunk(name, data, size=None):
    return name + struct.pack("<I", len(data) if size is None else size) + data + b"\0" * (len(data) % 2)


def fmt(channels=1, rate=RATE, bits=16, tag=1, align=2):
    return chunk(b"fmt ", struct.pack("<HHIIHH", tag, channels, rate, (rate * 2) & 0xFFFFFFFF, align, bits))


def wav(*chunks, size=None):
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body) if size is None else size) + body


def ogg_checksum(page):
    value = 0
    for byte in page:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1) ^ (0x04C11DB7 if value & 0x80000000 else 0)
    return value & 0xFFFFFFFF


def with_fixed_serial(data):
    """An Ogg stream's serial number is random: sets it to 1 and renews the checksums of the pages."""
    pages, at = [], 0
    while at < len(data):
        count = data[at + 26]
        end = at + 27 + count + sum(data[at + 27:at + 27 + count])
        page = bytearray(data[at:end])
        page[14:18] = struct.pack("<I", 1)
        page[22:26] = bytes(4)
        page[22:26] = struct.pack("<I", ogg_checksum(page))
        pages.append(bytes(page))
        at = end
    return b"".join(pages)


def containers(pcm, real):
    """Well-formed files with the same samples, lossless first."""
    for name, format, subtype in (
            ("ref.wav", "WAV", "PCM_16"), ("s24.wav", "WAVEX", "PCM_24"), ("s32.wav", "WAVEX", "PCM_32"),
            ("f32.wav", "WAV", "FLOAT"), ("f64.wav", "WAV", "DOUBLE"), ("s16.aiff", "AIFF", "PCM_16"),
            ("s24.aiff", "AIFF", "PCM_24"), ("s16.au", "AU", "PCM_16"), ("s16.w64", "W64", "PCM_16"),
            ("s16.caf", "CAF", "PCM_16"), ("s16.flac", "FLAC", "PCM_16"), ("s24.flac", "FLAC", "PCM_24"),
            ("rf64.wav", "RF64", "PCM_16"), ("s16.sph", "NIST", "PCM_16"), ("u8.wav", "WAV", "PCM_U8"),
            ("ulaw.wav", "WAV", "ULAW"), ("alaw.wav", "WAV", "ALAW"), ("imaadpcm.wav", "WAV", "IMA_ADPCM"),
            ("msadpcm.wav", "WAV", "MS_ADPCM"), ("mp3.mp3", "MP3", "MPEG_LAYER_III")):
        values = real if subtype in ("FLOAT", "DOUBLE") else pcm
        yield name, encoded(values, format=format, subtype=subtype), "decode-or-reject" if format == "NIST" else "decode", ""
    yield "rifx.wav", encoded(pcm, endian="BIG"), "decode", "RIFX, big-endian"
    yield "q5.ogg", with_fixed_serial(encoded(real, format="OGG", subtype="VORBIS")), "decode", "Ogg Vorbis"
    yield "opus.opus", with_fixed_serial(encoded(real, format="OGG", subtype="OPUS")), "decode", "Ogg Opus"
    for name in ("no_extension", "wav_named.flac"):
        yield name, encoded(pcm), "decode-or-reject", "WAV content under another name"
    yield "flac_named.wav", encoded(pcm, format="FLAC"), "decode-or-reject", "FLAC content under another name"
    yield "Prénom 录音 (1).WAV", encoded(pcm), "decode", "not ASCII, blanks, capital extension"


def rates_and_channels(pcm, real):
    short = real[:1200]
    for rate in (8000, 11025, 22050, 44100, 48000):
        yield f"rate{rate}.wav", encoded(soxr.resample(short, RATE, rate), rate), "decode", f"{rate} Hz"
    shifted = np.roll(pcm, 800)
    yield "stereo_lr.wav", encoded(np.stack([pcm, shifted], 1)[:1200]), "decode", "right channel rotated by 50 ms"
    yield "stereo_antiphase.wav", encoded(np.stack([pcm, -pcm], 1)[:1200]), "decode", "right = -left: their mean is silence"
    six = np.zeros((400, 6), np.int16)
    six[:, 0] = six[:, 5] = pcm[:400]
    yield "six_channels.wav", encoded(six), "decode", "speech in channels 1 and 6"
    yield "six_channels.aiff", encoded(six, 12000, "AIFF"), "decode", "AIFF, 6 channels, 12 kHz"
    yield "stereo.mp3", encoded(np.stack([short, short], 1), 8000, "MP3", "MPEG_LAYER_III"), "decode", "MP3, stereo, 8 kHz"
    yield "three_channels_24.wav", encoded(np.zeros((5, 3)), 8000, subtype="PCM_24"), "decode", "5 samples of 3 channels"
    yield "float_be.wav", encoded(np.stack([short, short], 1)[:441], 44100, subtype="FLOAT", endian="BIG"), "decode", "RIFX, float"
    yield "float64_wavex.wav", encoded(np.stack([short, short], 1)[:480], 48000, "WAVEX", "DOUBLE"), "decode", ""
    for count in (0, 1, 2, 159, 160, 399, 400, 401, 560, 561):
        yield f"len{count}.wav", encoded(pcm[:count]), "decode", f"{count} samples"


def odd_samples(pcm, real):
    short = real[:800].copy()
    broken = short.copy()
    broken[500] = np.nan
    yield "nan.wav", encoded(broken, subtype="FLOAT"), "decode-or-reject", "one NaN"
    broken = short.copy()
    broken[500:502] = np.inf, -np.inf
    yield "inf.wav", encoded(broken, subtype="FLOAT"), "decode-or-reject", "+Inf and -Inf"
    yield "over_full_scale.wav", encoded(short * 8, subtype="FLOAT"), "decode", "float samples beyond 1"
    yield "silence.wav", encoded(np.zeros(1600, np.int16)), "decode", "digital zero"
    yield "clipped_dc.wav", encoded(np.clip(short * 8 + 0.2, -1, 1)), "decode", "clipped, with a DC offset"


def damaged(pcm, real):
    whole = encoded(pcm)
    data = pcm[:800].tobytes()
    samples = chunk(b"data", data)
    yield "trunc_data.wav", whole[:44 + 2 * 3700 + 1], "decode-partial", "cut in the data chunk, at an odd byte"
    yield "trunc_header.wav", whole[:30], "reject-or-empty", "cut in the header"
    yield "empty.wav", b"", "reject", "no bytes"
    yield "riff_only.wav", wav(), "reject", "no chunks"
    yield "no_data_chunk.wav", wav(fmt()), "reject", "ends before any data chunk"
    yield "size_ffffffff.wav", wav(fmt(), chunk(b"data", data, 0xFFFFFFFF), size=0xFFFFFFFF), "decode", "streaming sizes"
    yield "size_zero.wav", wav(fmt(), chunk(b"data", data, 0)), "decode-or-reject", "size 0, yet samples follow"
    yield "size_huge.wav", wav(fmt(), chunk(b"data", data, 1 << 31)), "decode-or-reject", "data chunk claims 2 GiB"
    for name, values in (("channels_0", {"channels": 0}), ("channels_65535", {"channels": 65535}), ("rate_0", {"rate": 0}),
                         ("rate_4294967295", {"rate": 0xFFFFFFFF}), ("bits_0", {"bits": 0}), ("format_1234", {"tag": 1234})):
        yield f"{name}.wav", wav(fmt(**values), samples), "reject", "impossible field of fmt"
    yield "blockalign_7.wav", wav(fmt(align=7), samples), "decode-or-reject", "block align does not fit"
    yield "data_before_fmt.wav", wav(samples, fmt()), "decode-or-reject", ""
    yield "two_fmt.wav", wav(fmt(), fmt(channels=2, align=4), samples), "decode-or-reject", "two fmt chunks that contradict"
    yield "odd_chunk_nopad.wav", wav(b"note\x03\0\0\0abc", fmt(), samples), "decode-or-reject", "odd chunk without its pad byte"
    full = chunk(b"data", pcm.tobytes())
    yield "list_first.wav", wav(chunk(b"LIST", b"INFOISFT" + struct.pack("<I", 6) + b"tests\0"), fmt(), full), "decode", ""
    yield "odd_chunk.wav", wav(chunk(b"note", b"abc"), fmt(), full), "decode", "odd chunk with its pad byte"
    yield "trailing_garbage.wav", whole + bytes(range(256)) * 4, "decode", "garbage after the data chunk"
    yield "text.wav", b"This is not audio.\n", "reject", ""
    noise = np.random.default_rng(13).bytes(1000)
    yield "random.wav", b"RIFF\xe8\x03\0\0WAVE" + noise, "reject", "random bytes after the magic"
    yield "flac_magic_only.flac", b"fLaC", "reject", ""
    flac = encoded(pcm, format="FLAC")
    yield "trunc.flac", flac[:len(flac) * 3 // 4], "decode-partial", "cut in the second frame"
    yield "corrupt_frame.flac", flac[:6000] + noise[:40] + flac[6040:], "decode-or-reject", "40 random bytes in a frame"
    ogg = with_fixed_serial(encoded(np.tile(real, 5), format="OGG", subtype="VORBIS"))
    yield "trunc.ogg", ogg[:int(len(ogg) * 0.7)], "decode-partial", "cut in a page"
    middle = int(len(ogg) * 0.75)
    yield "corrupt_page.ogg", ogg[:middle] + bytes(4) + ogg[middle + 4:], "decode-or-reject", "four bytes zeroed"
    yield "m4a.m4a", b"\0\0\0\x20ftypM4A \0\0\2\0M4A mp42isom\0\0\0\0" + b"\0\0\x03\xf0mdat" + noise, "decode-or-reject", "MPEG-4 header"


def stated(data):
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            return f"{file.format}/{file.subtype}/{file.channels}ch/{file.samplerate}/{len(file.read())}"
    except (soundfile.LibsndfileError, TypeError, ValueError, MemoryError):
        return "ERR"


def make(folder, repository):
    """Writes derived/; returns the rows of formats.tsv."""
    pcm = demo_samples(repository)[:CUT]
    real = pcm / 32768
    (folder / "derived").mkdir(parents=True)
    rows = []
    for part in (containers, rates_and_channels, odd_samples, damaged):
        for name, data, expect, note in part(pcm, real):
            (folder / "derived" / name).write_bytes(data)
            rows.append((f"derived/{name}", len(data), expect, stated(data), note))
    return rows


def write_tables(folder, rows):
    """formats.tsv of everything; manifest.tsv of what decodes, as a corpus."""
    lines = ["file\tbytes\texpect\tlibsndfile\tnote"] + ["\t".join(map(str, row)) for row in rows]
    (folder / "formats.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    manifest = ["id\taudio\tn_samples\tsample_rate\ttext\ttranslation\talignment\tspeaker\tlicence"]
    for name, _, expect, said, _ in rows:
        if expect == "decode" and said != "ERR":
            rate, count = said.split("/")[3:]
            manifest.append(f"{name}\t{name}\t{count}\t{rate}\t\t\t\t\tCC-BY-4.0")
    (folder / "manifest.tsv").write_text("\n".join(manifest) + "\n", encoding="utf-8")
