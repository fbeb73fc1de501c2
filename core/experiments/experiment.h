// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

/// One step of an experiment. Which members hold a value depends on `kind`; README.md has the keys. Steps that are not
/// `once` are repeated for every seed.
struct ExperimentStep {
    enum class Kind {
        Train,   ///< headroom-worker train; its result is a model
        Average, ///< the mean of checkpoints of a training; its result is a model
        Study,   ///< headroom-worker study
        Decode,  ///< headroom-worker evaluate
    };
    Kind kind = Kind::Train;
    std::string name; ///< unique; letters, digits, '-' and '_'
    bool once = false;
    /// task: "asr", "st", "mt" (parallel text), "lm" (a language model of the corpus's texts: transcripts, or the target side)
    /// or "lm_text" (of the sentences in SPLIT_lm.txt of the corpus); empty where a step needs no data.
    std::string corpus, task;
    bool isLanguageModel() const { return task.starts_with("lm"); }

    // Train
    std::string architecture, recipe; ///< names in resources, or files beside the document ("x.json")
    std::vector<std::string> set;     ///< "dotted.key=JSON"
    std::string startFrom;            ///< a step whose result is a model; empty: random weights
    bool encoderOnly = false;
    std::vector<std::pair<std::string, std::string>> heads; ///< layers "4" or "4-12" → heads "4 local 17"
    std::string crossAttention;                             ///< heads of the decoder; empty: the document's
    std::optional<int> features;                            ///< replaces frontEnd.features
    std::optional<double> attentionDropout;                 ///< replaces that of the architecture
    std::string windowsOf;                                  ///< a study of windows; its windows are set …
    int firstLayer = 1, lastLayer = 1;                      ///< … in these layers

    // Average
    std::string run; ///< a Train step
    int checkpoints = 1;
    bool aroundBest = false; ///< the best one and its neighbours; else the last ones

    // Study
    std::string study;                              ///< a kind of study
    std::vector<std::string> models, architectures; ///< steps; documents (latency only)
    int utterances = 400;
    nlohmann::json settings = nlohmann::json::object();

    // Study and Decode
    std::vector<std::string> splits; ///< the paper's split first, then those that may stand in for it

    // Decode
    std::string model;                                        ///< a step whose result is a model
    std::vector<std::pair<std::string, std::string>> options; ///< of `evaluate`: "--beam" → "5"
    std::string languageModel; ///< a Train step, or a model folder in the data folder; empty: none
    /// Decode steps of a development split, one for each weight of the language model. The weight of the best one by this
    /// metric is taken. Empty: the weight is an option.
    std::vector<std::string> tuning;
    std::string tunedBy;
};

/// Where a number of the table comes from, and what the paper prints. At most one source is set; README.md.
struct ExperimentCell {
    std::string printed, printedDeviation; ///< the digits of the paper; empty: not printed

    std::string step, value;                        ///< Decode: a metric; Study: a column; Train: "hours", "parameters"
    nlohmann::json where = nlohmann::json::object(); ///< of a study: the row in which these columns have these values
    std::string against;                            ///< a Decode step: the baseline of a paired test

    std::string recipe, key;         ///< a value of a recipe
    std::string architecture, of;    ///< "parameters", "heads"
    int layer = 0;                   ///< of "heads"
    std::string phones;              ///< the class of these phones (core/alignment), separated by blanks
    std::string column, minus;       ///< this row's column minus that of the row with this name
    bool percent = false;            ///< as a share of the latter
    std::vector<std::string> meanOf; ///< the mean of these columns of this row

    bool hasSource() const {
        return !step.empty() || !recipe.empty() || !architecture.empty() || !phones.empty() || !column.empty() ||
               !meanOf.empty();
    }
};

struct ExperimentColumn {
    std::string key, title;
    int decimals = 2;
};

struct ExperimentRow {
    std::string name;                ///< for `minus`; may be empty
    std::vector<std::string> labels; ///< as many as Experiment::labels
    std::vector<std::pair<std::string, ExperimentCell>> cells; ///< by column; others are empty
};

/// How much the training split of a corpus holds according to its publishers, for predictions without the data.
struct PublishedSize {
    std::int64_t utterances = 0;
    std::optional<double> seconds;                    ///< of speech
    std::optional<double> sourceTokens, targetTokens; ///< with </s>, in the pieces of the paper
    std::optional<std::int64_t> sentences;            ///< of the task lm_text, with …
    std::optional<double> sentenceTokens;             ///< … so many tokens
    std::string source;                               ///< who publishes it, one sentence
};

struct ExperimentCorpus {
    std::string name;   ///< D/NAME, or D itself
    std::string target; ///< language of the translation; empty: speech recognition only
    bool isText = false; ///< parallel text
    std::vector<std::string> training, validation; ///< the paper's split first, then those that may stand in
    std::optional<PublishedSize> size;
};

/// A table of a paper as runs that depend on each other. A value.
struct Experiment {
    std::string name, paper, table, title;
    std::vector<std::string> needs, notes; ///< one sentence each
    int seeds = 1;
    std::vector<ExperimentCorpus> corpora;
    std::vector<ExperimentStep> steps; ///< each after those it needs
    std::vector<std::string> labels;   ///< titles of the columns of names
    std::vector<ExperimentColumn> columns;
    std::vector<ExperimentRow> rows;
    nlohmann::json document; ///< as written, to notice changes

    /// Null where there is none.
    const ExperimentStep* find(std::string_view step) const;
    const ExperimentCorpus* corpus(std::string_view name) const;
};

/// Reads and checks a document; variables are expanded first (variables.h). Unknown, missing and repeated keys, wrong types,
/// unknown steps, columns and variables throw Error "experiment.…", which names `name`, the place and the nearest correct text.
Experiment parseExperiment(std::string_view text, const std::string& name);
Experiment readExperiment(const std::filesystem::path& file);

/// The first and last layer of "4" or "4-12"; `nullopt` for another text.
std::optional<std::pair<int, int>> layersOf(std::string_view text);

} // namespace headroom
