// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phone_map.h"
#include "core/alignment/phones.h"
#include "core/analysis/attention_statistics.h"
#include "core/analysis/windows.h"
#include "core/studies/settings.h"

#include <stdexcept>

namespace headroom {

namespace {

using Field = StudySettingField;
using Kind = StudySettingField::Kind;
using Fields = std::vector<StudySettingField>;
using Names = std::vector<std::string_view>;

Field numberField(std::string_view key, double unset, double least, double most, std::string_view meaning) {
    return {key, Kind::Number, nlohmann::json(unset), least, most, {}, meaning};
}
Field wholeField(std::string_view key, std::int64_t unset, double least, double most,
                 std::string_view meaning) {
    return {key, Kind::Whole, nlohmann::json(unset), least, most, {}, meaning};
}
Field wordField(std::string_view key, std::string_view unset, Names words, std::string_view meaning) {
    return {key, Kind::Word, nlohmann::json(unset), 0, 0, std::move(words), meaning};
}
Field textField(std::string_view key, std::string_view unset, Names words, std::string_view meaning) {
    return {key, Kind::Text, nlohmann::json(unset), 0, 0, std::move(words), meaning};
}
Field flagField(std::string_view key, bool unset, std::string_view meaning, Field::When trueWhen = {}) {
    return {key, Kind::Flag, nlohmann::json(unset), 0, 0, {}, meaning, trueWhen};
}

void addFields(Fields& fields, Fields&& more) {
    for (Field& field : more)
        fields.push_back(std::move(field));
}

/// Of the kinds that measure diagonal profiles.
Fields profileFields() {
    return {wordField("source", "auto", {"auto", "contributions", "attention"},
                      "which maps are measured; auto: contributions where the model or the maps have them"),
            textField("example", "", {},
                      "id of the utterance whose maps are kept for figures; empty: one of median length")};
}

/// Of the kinds that read phones.
Fields phoneFields() {
    Names names{"auto"};
    for (const std::string& name : PhoneMap::names())
        names.push_back(name); // names() lives as long as the program
    return {textField("phoneMap", "auto", std::move(names),
                      "phone map: an included map, or the path of a file; auto: the corpus's own phones.tsv, "
                      "or else the map that covers the most labels"),
            textField("phoneMapFingerprint", "", {},
                      "hash of the map, written by the study; a resumed study must read the same map")};
}

Fields windowsFields() {
    const WindowSearchSettings search;
    Fields fields{wordField("statistic", "table-compatible", {"table-compatible", "as-printed"},
                            "number recorded per utterance, 2·i or 2·i + 1 (Alastruey et al. 2022, "
                            "Algorithm 1); only the first gives the published windows"),
                  numberField("threshold", search.threshold, 0, 1,
                              "t: a diagonal counts while its mean is strictly above t"),
                  numberField("patience", search.patienceShare, 0, 1,
                              "share of the N tokens: the search stops after this many failed diagonals"),
                  numberField("shortest", 0, 0, 3600,
                              "seconds: shorter recordings are left out, because Algorithm 1 returns nearly the whole map of few "
                              "tokens; 0: all recordings count"),
                  wholeField("fewestWords", 0, 0, 1000, "texts of fewer words are left out; 0: all texts count")};
    addFields(fields, profileFields());
    return fields;
}

Fields headsFields() {
    Fields fields{
        numberField("split", kPhoneticBelow, 0, 1,
                    "heads with a smaller CAD are called phonetic, the others linguistic (Shim et al. "
                    "2022, §4)"),
        wordField("relevance", "pooled", {"pooled", "notebook"},
                  "pooled: median of L2 over all tokens; notebook: L1, median of the utterances' medians "
                  "(Sant et al. 2022, Eq. 4)"),
        flagField("augment", false, "whether SpecAugment is applied to the features, as in the released code",
                  {"relevance", "notebook"}),
        wordField("silence", "auto", {"auto", "remove", "keep"},
                  "whether CAD is of the maps without silence; auto: removed where all phones are known")};
    addFields(fields, phoneFields());
    return fields;
}

Fields phonesFields() {
    Fields fields{wordField("mode", "mean", {"mean", "pooled"},
                            "how PAR is averaged: mean of the utterances, or pooled over all tokens")};
    addFields(fields, phoneFields());
    addFields(fields, {textField("reference", "", {},
                                 "what coverage is measured against: “model 2” of this study, or the folder "
                                 "of a finished study of phones; empty: no coverage (Shim et al. 2022, Eq. 6)"),
                       wholeField("referenceModel", 1, 1, 99, "number of the model in the reference study"),
                       wholeField("referenceLayers", 0, 0, 999,
                                  "lowest layers of the reference that are averaged; 0: its lower half"),
                       flagField("allowSame", false, "a model may be its own reference (it always covers itself)"),
                       wholeField("largest", 10, 1, static_cast<double>(kPhoneClasses.size()),
                                  "cells of each row that count for coverage: the largest of the reference"),
                       wholeField("places", 8, 0, 50, "places kept behind every cell, the strongest first")});
    return fields;
}

Fields probeFields() {
    Fields fields{
        wholeField("seeds", 3, 1, 100, "training runs of the probe per layer"),
        wholeField("places", 8, 0, 50, "places kept behind every confusion, most confident first"),
        numberField("testShare", 0.25, 0.01, 0.99, "share of the tokens held out for testing, split by speaker"),
        wordField("normalise", "standard", {"none", "token", "standard"},
                  "normalisation of the states before the probe: none, each token by itself, or each dimension by the training tokens")};
    addFields(fields, phoneFields());
    addFields(fields, {wholeField("epochs", 15, 1, 10'000, "passes over the training tokens"),
                       numberField("rate", 0.1, 1e-6, 100, "learning rate of SGD"),
                       numberField("momentum", 0.9, 0, 0.9999, "momentum of SGD"),
                       numberField("decay", 1e-3, 0, 10, "L2 penalty, of the bias too"),
                       wholeField("stepEpochs", 3, 1, 10'000, "epochs between steps of the learning rate"),
                       numberField("stepFactor", 0.1, 0, 1, "factor of each step of the learning rate"),
                       wholeField("batch", 256, 1, 1'000'000, "tokens per update")});
    return fields;
}

Fields mixingFields() {
    return {textField("measures", "quick", {"quick", "all"},
                      "measures of mixing, separated by commas (headroom-worker analyse --help lists them); quick: "
                      "all but value zeroing, which computes a layer for every unit; all: with it"),
            wordField("units", "tokens", {"tokens", "phones", "words"},
                      "the unit of all measures; phones and words need alignments"),
            wordField("pooling", "mean", {"mean", "maximum"}, "how a unit's value follows from its tokens"),
            wholeField("window", 17, 1, 99'999, "window of CL, in units")};
}

Fields similarityFields() {
    Field places = wordField("places", "tokens", {"tokens", "phones", "words"},
                             "where states are compared: at tokens, or at phones or words (mean of their tokens), which "
                             "need alignments and fit models with different tokens");
    places.earlier = "frames";
    return {std::move(places), wholeField("perUtterance", 50, 1, 100'000,
                                          "tokens of each utterance, evenly spread; only with places=tokens")};
}

Fields latencyFields() {
    return {{"lengths",
             Kind::Wholes,
             nlohmann::json(std::vector<std::int64_t>{96, 128, 192, 256, 384, 512, 768}),
             1,
             100'000,
             {},
             "lengths that are timed, in tokens, each once and the shortest first"},
            wholeField("warmUp", 2, 0, 100, "untimed passes before the timed ones"),
            wholeField("repeats", 15, 3, 1000, "timed passes per length"),
            wholeField("threads", 1, 1, 256, "threads of one pass")};
}

} // namespace

const std::vector<StudySettingField>& studySettingFields(StudyKind kind) {
    static const Fields windows = windowsFields(), diagonality = profileFields(), heads = headsFields(),
                        phones = phonesFields(), probe = probeFields(), latency = latencyFields(),
                        mixing = mixingFields(), similarity = similarityFields();
    switch (kind) {
    case StudyKind::Windows:
        return windows;
    case StudyKind::Diagonality:
        return diagonality;
    case StudyKind::Heads:
        return heads;
    case StudyKind::Phones:
        return phones;
    case StudyKind::Probe:
        return probe;
    case StudyKind::Latency:
        return latency;
    case StudyKind::Mixing:
        return mixing;
    case StudyKind::Similarity:
        return similarity;
    }
    throw std::logic_error("a kind of study without settings");
}

} // namespace headroom
