// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/studies/study_json.h"
#include "tests/fuzz/fuzz_target.h"

#include <string_view>

using namespace headroom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const Study study = parseStudy(text, "fuzz/study.json");
        const auto once = studyText(study);
        require(studyText(parseStudy(once, "again/study.json")) == once,
                "a study that was read is written as it is read again");
        for (const StudyTable& table : study.tables) {
            for (const auto& row : table.rows)
                require(row.size() == table.columns.size(), "a row has as many cells as there are columns");
            require(!latexText(table).empty() && !csvText(table).empty() && !tsvText(table).empty(),
                    "every table can be written");
        }
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with("study.") && std::string_view(error.what()).size() > 10,
                "what is wrong with a study is study.… and a sentence");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    return {
        R"({ "format": "headroom/study", "version": 1, "id": "a", "kind": "windows", "state": "finished",
  "error": "", "created": "2026-11-21T10:00:00Z", "ended": "", "headroom": "0.1.0", "data": "/d", "split": "test",
  "task": "asr", "population": 12, "seed": 1, "settings": { "threshold": 0.01, "statistic": "as-printed" },
  "models": [ { "name": "m", "folder": "/m", "weightsHash": "ab", "architecture": "1 layer", "layers": 1, "heads": 2,
                "maps": false, "clockOffset": 0.0125, "clockStep": 0.04 } ],
  "utterances": [ { "id": "u", "audio": "/u.wav", "hash": "cd", "alignment": "", "speaker": "s", "seconds": 1.5,
                    "tokens": 37, "error": "" } ],
  "tables": [ { "name": "t", "title": "T", "caption": "μ ± σ & 5 %", "columns": [
    { "key": "a", "title": "A", "unit": "", "decimals": 0, "text": true },
    { "key": "b", "title": "B", "unit": "ms", "decimals": 3, "text": false } ],
    "rows": [ ["x", 0.5], ["“y”", null] ] } ],
  "notes": ["one"] })",
        R"({"format": "headroom/study", "version": 1, "kind": "phones", "state": "running"})"};
}
