// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headroom::testing {

// Of their own file, because moc cannot read them.

/// Two models, one measured in two ways.
inline constexpr const char* kSmallExperiment = R"({
  "format": "headroom/experiment", "version": 1, "name": "small", "paper": "Nobody 2026", "table": "Table 1", "title": "A title",
  "needs": [], "notes": [], "seeds": 3,
  "vary": [ { "variable": "pair", "values": [ { "id": "de", "label": "German", "number": 7 }, { "id": "es", "label": "Spanish", "number": 9 } ] } ],
  "corpora": [ { "name": "{pair}", "target": "{pair}", "train": ["train"], "validation": ["dev"] } ],
  "steps": [
    { "name": "asr-{pair}", "kind": "train", "once": true, "corpus": "{pair}", "task": "asr", "architecture": "s2t-small", "recipe": "locality-2022" },
    { "name": "st-{pair}", "kind": "train", "corpus": "{pair}", "task": "st", "architecture": "s2t-small", "recipe": "locality-2022",
      "startFrom": "asr-{pair}:encoder", "heads": { "2-3": "4 local {pair.number}" }, "set": { "optimiser.learningRate": 0.001 } },
    { "name": "bleu-{pair}", "kind": "decode", "model": "st-{pair}", "corpus": "{pair}", "task": "st", "split": ["test"], "beam": 5 } ],
  "labels": ["pair"], "columns": [ { "key": "bleu", "title": "BLEU", "decimals": 2 } ],
  "rows": [ { "labels": ["{pair.label}"], "cells": { "bleu": { "printed": "22.53", "std": "0.15", "step": "bleu-{pair}", "value": "bleu" } } } ] })";

/// A change of it, and what is said about the result.
struct MistakenExperiment {
    const char *from, *to, *code, *sentence;
};
inline const std::vector<MistakenExperiment>& mistakenExperiments() {
    static const std::vector<MistakenExperiment> all{
        {R"("seeds": 3)", R"("seed": 3)", "experiment.unknownKey", "seed"},
        {R"("seeds": 3)", R"("seeds": 0)", "experiment.value", "seeds"},
        {R"("seeds": 3,)", R"("seeds": 3, "seeds": 3,)", "experiment.badJson", "seeds"},
        {R"("version": 1)", R"("version": 2)", "experiment.format", "version 1"},
        {R"("headroom/experiment")", R"("headroom/recipe")", "experiment.format", "headroom/experiment"},
        {R"("kind": "decode")", R"("kind": "decod")", "experiment.value", "nearest is “decode”"},
        {R"({pair.label})", R"({pair.lable})", "experiment.variable", "nearest is “label”"},
        {R"("startFrom": "asr-{pair}:encoder")", R"("startFrom": "asr-{pear}:encoder")", "experiment.variable",
         "there is no variable “pear”"},
        {R"("startFrom": "asr-{pair}:encoder")", R"("startFrom": "asr-{pair}:decoder")", "experiment.value", "STEP:encoder"},
        {R"("model": "st-{pair}")", R"("model": "sd-{pair}")", "experiment.reference", "nearest is “st-de”"},
        {R"("model": "st-{pair}")", R"("model": "bleu-{pair}")", "experiment.reference", "there is no step before this one"},
        {R"("step": "bleu-{pair}")", R"("step": "blue-{pair}")", "experiment.reference", "nearest is “bleu-de”"},
        {R"("cells": { "bleu")", R"("cells": { "belu")", "experiment.reference", "there is no column “belu”"},
        {R"("corpus": "{pair}", "task": "st", "split")", R"("corpus": "fr", "task": "st", "split")", "experiment.reference",
         "there is no corpus “fr”"},
        {R"("labels": ["{pair.label}"])", R"("labels": [])", "experiment.value", "1, not 0"},
        {R"("name": "bleu-{pair}")", R"("name": "../{pair}")", "experiment.value", "is not a valid name"},
        {R"("name": "st-{pair}")", R"("name": "asr-{pair}")", "experiment.value", "occurs twice"},
        {R"("2-3")", R"("3-2")", "experiment.value", "“3-2” names no layers"},
        {R"("heads": { "2-3": "4 local {pair.number}" })", R"("windows": { "of": 1 })", "experiment.type",
         "windows.of: this must be a string"},
        {R"("beam": 5)", R"("beam": "5")", "experiment.type", "this must be a number"},
        {R"("value": "bleu")", R"("where": {})", "experiment.missingKey", "value"},
    };
    return all;
}

} // namespace headroom::testing
