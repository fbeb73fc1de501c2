// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/undefined.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace headroom::protocol {

// The messages between window and worker, each written once: `toJson` makes the parameters or the result, `from`
// reads them. Every `from` throws Error "protocol.badField", whose sentence names the field, for a field that is
// needed and missing, and for one of another type. Unknown fields are ignored: a newer version may say more.
// Values; thread-safe. Which arrays go with a message: README.md.

/// What the worker calls an open model. The window hands it back as it came.
using ModelHandle = nlohmann::json;

struct Initialize {
    static constexpr const char* kMethod = "initialize";
    int protocol = 0;
    std::string client; ///< "headroom 0.1.0"
    nlohmann::json toJson() const;
    static Initialize from(const nlohmann::json& params);
};
struct InitializeResult {
    struct Device {
        std::string name, description;
    };
    int protocol = 0;
    std::string version, build;
    std::vector<Device> devices;
    int threads = 0;
    std::int64_t memoryBytes = 0;
    nlohmann::json toJson() const;
    static InitializeResult from(const nlohmann::json& result); ///< needs `protocol`
};

struct OpenModel {
    static constexpr const char* kMethod = "openModel";
    std::string folder;
    nlohmann::json toJson() const;
    static OpenModel from(const nlohmann::json& params);
};
struct OpenModelResult {
    struct WrongShape {
        std::string name;
        std::vector<std::int64_t> expected, found;
    };
    struct Report {
        std::vector<std::string> loaded, missing, unexpected; ///< names of tensors
        std::vector<WrongShape> wrongShape;
        std::vector<std::string> assumed; ///< sentences
    };
    ModelHandle model;
    std::string name;
    nlohmann::json architecture;              ///< the document (core/architecture)
    double clockOffset = 0, clockStep = 0;    ///< seconds; {offset, step} in `clock`; step > 0
    std::int64_t clockBands = 1;              ///< `bands` in `clock`, which is left out if it is 1
    std::int64_t maxSourceFrames = 0, parameters = 0, tensors = 0;
    std::string storedAs, hash;
    Report report;
    nlohmann::json toJson() const;
    static OpenModelResult from(const nlohmann::json& result); ///< needs `model`, `architecture`, `clock`
};

struct CloseModel {
    static constexpr const char* kMethod = "closeModel";
    ModelHandle model;
    nlohmann::json toJson() const;
    static CloseModel from(const nlohmann::json& params);
};

struct Analyse {
    static constexpr const char* kMethod = "analyse";
    ModelHandle model;
    std::string tag;         ///< a newer request with the same tag replaces an older one; empty: none does
    std::vector<int> layers; ///< from 1; empty: all
    bool attention = false, transcribe = false;
    bool explain = true;             ///< false: no contributions, relevance and checks, for maps alone
    std::vector<std::string> mixing; ///< names of measures (core/analysis/mixing.h); empty: none
    /// Parts of the samples, [start, end) in seconds, that `mixing` looks at as one; empty: every token alone.
    std::vector<std::pair<double, double>> units;
    std::string source; ///< what a model that reads text analyses, in place of samples
    std::vector<int> small; ///< of `layers`, those whose contributions come as a thumbnail (core/matrix/thumbnail.h)
    bool states = true;     ///< false: without the arrays features and encoder_output
    nlohmann::json toJson() const;
    static Analyse from(const nlohmann::json& params);
    /// The tag alone, of parameters that may be wrong otherwise; what is not a text counts as its JSON.
    static std::string tagOf(const nlohmann::json& params);
};
struct AnalyseResult {
    std::int64_t frames = 0, tokens = 0;
    double milliseconds = kUndefined;
    bool hasText = false; ///< it was asked for and the model has a tokenizer
    std::string text;
    std::vector<std::string> sourcePieces; ///< of a model that reads text: the label of each token
    std::string warning; ///< what is doubtful in the source, one sentence; empty: nothing
    nlohmann::json toJson() const;
    static AnalyseResult from(const nlohmann::json& result); ///< needs no field
};

struct Transcribe {
    static constexpr const char* kMethod = "transcribe";
    ModelHandle model;
    std::string source; ///< of a model that reads text, in place of samples
    nlohmann::json toJson() const;
    static Transcribe from(const nlohmann::json& params);
};
struct TranscribeResult {
    std::string text;
    std::vector<int> ids;
    nlohmann::json toJson() const;
    static TranscribeResult from(const nlohmann::json& result); ///< needs `text`
};

struct Align {
    static constexpr const char* kMethod = "align";
    std::string text;
    nlohmann::json toJson() const;
    static Align from(const nlohmann::json& params);
};
struct AlignResult {
    struct Label {
        double start = 0, end = 0; ///< seconds
        std::string label;
    };
    struct Remark {
        std::string code, sentence;
    };
    std::vector<Label> words, phones;
    std::string origin;
    double confidence = kUndefined;
    std::vector<Remark> warnings;
    nlohmann::json toJson() const;
    static AlignResult from(const nlohmann::json& result); ///< needs all but `confidence`
};

/// Where in the sound the words of a text are (training/analysis/find_words.h).
struct Words {
    static constexpr const char* kMethod = "words";
    ModelHandle model;
    std::string text; ///< as given; empty: as heard, what the model writes
    int nBest = 1;    ///< above 1: the best of so many texts that a beam search finds; `text` is empty
    std::string source; ///< of a model that reads text, in place of samples
    bool explain = false; ///< also the contributions of the decoder's blocks
    nlohmann::json toJson() const;
    static Words from(const nlohmann::json& params);
};
struct WordsResult {
    struct Piece {
        int id = 0;
        std::string text;
        double logProbability = kUndefined; ///< ln P(piece | sound, pieces before it); of a decoder
        bool ends = false;                  ///< the end of the text
    };
    struct Span { ///< seconds from the start of the samples; undefined: not found
        double start = kUndefined, end = kUndefined;
    };
    struct Word {
        std::string label;
        std::int64_t first = 0, end = 0; ///< pieces [first, end)
        Span attention, ctc;
    };
    struct Hypothesis { ///< one of an n-best list
        struct TimedWord {
            std::string label;
            Span time; ///< by cross-attention, without a decoder by CTC
            std::int64_t first = 0, end = 0; ///< of its text's pieces [first, end); none: not known
        };
        std::string text;
        double score = kUndefined; ///< of the search: ln P by length, of CTC ln P
        std::vector<TimedWord> words;
        std::vector<Piece> pieces{}; ///< empty: not known, as of a text that is too long for the model
    };
    bool given = false;
    std::string text;
    std::int64_t tokens = 0;   ///< N, of the encoder
    std::int64_t firstRow = 0; ///< of the decoder's maps: the row that predicts piece 0; row firstRow + i predicts piece i
    std::vector<int> inputs;   ///< what the decoder was fed: the rows of its maps
    int layers = 0, heads = 0; ///< of the decoder; 0: none
    std::vector<Piece> pieces; ///< of a decoder with the end of the text
    std::vector<Word> words;
    std::vector<std::pair<int, int>> alignmentHeads; ///< layer and head, from 1, whose mean was warped
    bool headsAreNamed = false;                      ///< by the model
    std::string attentionReason, ctcReason;          ///< why there are no such times; empty: there are
    std::vector<Hypothesis> hypotheses;              ///< best first, no text twice; empty unless nBest was above 1
    nlohmann::json toJson() const;
    static WordsResult from(const nlohmann::json& result); ///< needs `text`, `pieces`, `words`
};

/// Measures of mixing of one block of a decoder layer, and the checks of that block. Arrays: cross.mixing.NAME f32 [T, N] or
/// self.mixing.NAME f32 [T, T], for each measure that the block has.
struct WordMixing {
    static constexpr const char* kMethod = "wordMixing";
    ModelHandle model;
    int layer = 0;                     ///< of the decoder, from 1
    bool self = false;                 ///< of the self-attention; else of the cross-attention
    bool checks = true;                ///< also the checks, which need the contributions
    std::vector<int> inputs;           ///< WordsResult::inputs
    std::vector<std::string> measures; ///< names of core/analysis/mixing.h
    std::string source;                ///< of a model that reads text, in place of samples
    nlohmann::json toJson() const;
    static WordMixing from(const nlohmann::json& params);
};
struct WordMixingResult {
    struct Measure {
        std::string name, reason;        ///< why the layer has no such map; empty: it has
        double milliseconds = kUndefined; ///< that it took; of a rollout, in all layers
    };
    std::vector<Measure> measures; ///< in the order of the request
    double rowSumError = kUndefined, rebuildError = kUndefined, gramError = kUndefined; ///< undefined: not checked
    std::string reason; ///< why the block has no contributions and cannot be checked; empty: it has
    nlohmann::json toJson() const;
    static WordMixingResult from(const nlohmann::json& result); ///< needs `measures`
};

struct Shutdown {
    static constexpr const char* kMethod = "shutdown"; ///< no parameters; the result is null
};
struct Exit {
    static constexpr const char* kMethod = "exit"; ///< a notification without parameters
};

/// A notification: a layer is ready; its arrays came before it.
struct LayerReady {
    static constexpr const char* kMethod = "layer";
    std::int64_t request = 0;
    int layer = 0; ///< from 1
    double d1 = kUndefined, ccd = kUndefined, rebuildError = kUndefined, gramError = kUndefined,
           rowSumError = kUndefined;
    std::string reason; ///< why the layer has no contributions; empty: it has
    std::map<std::string, std::string> mixing; ///< measures that were asked for, with why the layer has none
    nlohmann::json toJson() const;
    static LayerReady from(const nlohmann::json& params); ///< needs `layer`
};
/// A notification: how far a request is.
struct RequestProgress {
    static constexpr const char* kMethod = "progress";
    std::int64_t request = 0;
    std::string stage; ///< a code: "features", "encoder", "decoder"
    std::int64_t done = 0, total = 0;
    nlohmann::json toJson() const;
    static RequestProgress from(const nlohmann::json& params);
};
/// A notification to the worker: a request is not wanted any more.
struct Cancel {
    static constexpr const char* kMethod = "cancel";
    std::int64_t request = 0;
    nlohmann::json toJson() const;
    static Cancel from(const nlohmann::json& params);
};

} // namespace headroom::protocol
