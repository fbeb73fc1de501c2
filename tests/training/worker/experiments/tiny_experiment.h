// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::testing {

// Of its own file, because moc cannot read it.
/// Recognise; take its encoder; look where it looks; train with these windows; average; decode; compare.
inline constexpr const char* kTiny = R"({
  "format": "headroom/experiment", "version": 1, "name": "tiny", "paper": "Nobody 2026", "table": "Table 9",
  "title": "Errors of two tiny models", "needs": ["tones"], "notes": ["A test."], "seeds": 2,
  "vary": [ { "variable": "model", "values": [ { "id": "full", "heads": "2 full", "wer": "50.0" },
                                               { "id": "narrow", "heads": "2 local 3", "wer": "55.5" } ] } ],
  "corpora": [ { "name": "tones", "train": ["train-all", "train"], "validation": ["dev"] } ],
  "steps": [
    { "name": "first", "kind": "train", "once": true, "corpus": "tones", "task": "asr", "architecture": "architecture.json", "recipe": "recipe.json" },
    { "name": "windows", "kind": "study", "once": true, "study": "windows", "models": ["first"], "corpus": "tones", "task": "asr", "split": ["dev"], "utterances": 3 },
    { "name": "windowed", "kind": "train", "once": true, "corpus": "tones", "task": "asr", "architecture": "architecture.json", "recipe": "recipe.json",
      "windows": { "of": "windows", "firstLayer": 2, "lastLayer": 2 } },
    { "name": "train-{model}", "kind": "train", "corpus": "tones", "task": "asr", "architecture": "architecture.json", "recipe": "recipe.json",
      "startFrom": "first:encoder", "heads": { "1-2": "{model.heads}" }, "set": { "length.maxUpdates": 10 } },
    { "name": "mean-{model}", "kind": "average", "run": "train-{model}", "checkpoints": 2, "around": "best" },
    { "name": "wer-{model}", "kind": "decode", "model": "mean-{model}", "corpus": "tones", "task": "asr", "split": ["test", "dev"], "beam": 2, "maxTokens": 8 } ],
  "labels": ["model"],
  "columns": [ { "key": "wer", "title": "WER", "decimals": 1 }, { "key": "delta", "title": "Δ", "decimals": 1 }, { "key": "window", "title": "w", "decimals": 0 } ],
  "rows": [
    { "name": "full", "labels": ["full"], "cells": { "wer": { "printed": "50.0", "std": "0.1", "step": "wer-full", "value": "wer" },
      "window": { "step": "windows", "value": "window", "where": { "layer": 2 } } } },
    { "name": "narrow", "labels": ["narrow"], "cells": { "wer": { "printed": "55.5", "step": "wer-narrow", "value": "wer", "against": "wer-full" },
      "delta": { "column": "wer", "minus": "full" } } } ]
})";

/// One step of each kind.
inline constexpr const char* kEachKind = R"({
  "format": "headroom/experiment", "version": 1, "name": "each", "paper": "Nobody 2026", "table": "Table 7", "title": "Errors of a tiny model",
  "needs": [], "notes": [], "seeds": 1,
  "corpora": [ { "name": "tones", "train": ["train"], "validation": ["dev"] } ],
  "steps": [
    { "name": "first", "kind": "train", "corpus": "tones", "task": "asr", "architecture": "architecture.json", "recipe": "recipe.json" },
    { "name": "mean", "kind": "average", "run": "first", "checkpoints": 3, "around": "best" },
    { "name": "windows", "kind": "study", "study": "windows", "models": ["mean"], "corpus": "tones", "task": "asr", "split": ["dev"], "utterances": 2 },
    { "name": "wer", "kind": "decode", "model": "mean", "corpus": "tones", "task": "asr", "split": ["dev"], "beam": 1, "maxTokens": 4 } ],
  "labels": ["model"], "columns": [ { "key": "wer", "title": "WER", "decimals": 1 }, { "key": "window", "title": "w", "decimals": 0 } ],
  "rows": [ { "labels": ["tiny"], "cells": { "wer": { "step": "wer", "value": "wer" },
              "window": { "step": "windows", "value": "window", "where": { "layer": 2 } } } } ]
})";

/// One training, and its size.
inline constexpr const char* kOneStep = R"({
  "format": "headroom/experiment", "version": 1, "name": "one", "paper": "Nobody 2026", "table": "Table 8", "title": "The size of a tiny model",
  "needs": [], "notes": [], "seeds": 1,
  "corpora": [ { "name": "tones", "train": ["train"], "validation": ["dev"] } ],
  "steps": [ { "name": "first", "kind": "train", "corpus": "tones", "task": "asr", "architecture": "architecture.json", "recipe": "recipe.json" } ],
  "labels": ["model"], "columns": [ { "key": "size", "title": "size, M", "decimals": 4 } ],
  "rows": [ { "labels": ["tiny"], "cells": { "size": { "step": "first", "value": "parameters" } } } ]
})";

} // namespace headroom::testing
