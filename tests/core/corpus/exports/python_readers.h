// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::testing {

// Of their own file, because moc cannot read them. Their argument is the folder of an export.

/// Lhotse's validators check every recording and every supervision against the sounds. Prints [[id, start, duration, text, speaker], …].
inline constexpr const char* kReadWithLhotse = R"(
import glob, json, sys
from lhotse import RecordingSet, SupervisionSet, validate, validate_recordings_and_supervisions
rows = []
for name in sorted(glob.glob(sys.argv[1] + "/recordings_*.jsonl*")):
    recordings = RecordingSet.from_file(name)
    supervisions = SupervisionSet.from_file(name.replace("recordings_", "supervisions_"))
    validate(recordings, read_data=True)
    validate(supervisions)
    validate_recordings_and_supervisions(recordings=recordings, supervisions=supervisions)
    for one in supervisions:
        assert one.recording_id in recordings
        rows.append([one.id, round(one.start, 6), round(one.duration, 6), one.text, one.speaker])
print(json.dumps(sorted(rows)))
)";

/// The keys that NeMo's readers of manifests need, and the types of those that they know. Prints the number of lines.
inline constexpr const char* kReadAsNemo = R"(
import glob, json, os, sys
types = {"audio_filepath": str, "duration": float, "offset": float, "text": str, "speaker": str, "lang": str, "source_lang": str,
         "target_lang": str, "taskname": str, "pnc": str, "id": str, "answer": str}
lines = 0
for name in sorted(glob.glob(sys.argv[1] + "/*.json")):
    for line in open(name, encoding="utf-8"):
        item = json.loads(line)
        for key in ("audio_filepath", "duration", "text"):
            assert key in item, key
        for key, value in item.items():
            if key in types:
                assert type(value) is types[key] or (types[key] is float and type(value) is int), (key, value)
        assert os.path.isfile(item["audio_filepath"]) and item["duration"] > 0 and item.get("offset", 0) >= 0
        lines += 1
print(lines)
)";

} // namespace headroom::testing
