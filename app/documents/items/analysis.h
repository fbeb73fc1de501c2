// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"
#include "app/documents/items/open_utterance.h"
#include "app/documents/items/spoken_words.h"
#include "core/analysis/mixing.h"
#include "core/matrix/diagonal_profile.h"
#include "core/matrix/max_pyramid.h"
#include "core/time/clocks.h"

#include <QString>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom::app {

/// What a measure of mixing looks at as one.
enum class MixingUnits { Tokens, Words, Phones };

/// A measure of mixing, and its units: value zeroing may zero the values of a word or phone together.
struct MixingChoice : MixingMeasure {
    MixingUnits units = MixingUnits::Tokens;
    MixingChoice() = default;
    MixingChoice(const MixingMeasure& measure, MixingUnits of = MixingUnits::Tokens) // NOLINT: every measure is a choice
        : MixingMeasure(measure)
        , units(of) {}
    MixingChoice(Mixing measured, bool throughLayers, MixingUnits of = MixingUnits::Tokens)
        : MixingMeasure{measured, throughLayers}
        , units(of) {}
    bool operator==(const MixingChoice&) const = default;
};
/// "alti", "value-zeroing of words": the name in sessions, and the key of what was computed.
std::string nameOf(const MixingChoice& choice);
/// The choice of that name. Throws as mixingMeasure() does.
MixingChoice mixingChoice(const std::string& name);

/// Which map of a layer is looked at.
struct MapSource {
    enum class Kind { Contributions, Head, HeadMean, Mixing };
    Kind kind = Kind::Contributions;
    int head = 1;     ///< from 1; meaningful for Kind::Head only
    bool raw = false; ///< Kind::Head: before relaxation
    MixingChoice mixing = {}; ///< Kind::Mixing: another measure, or a rollout
    static MapSource of(const MixingChoice& measure) { return {Kind::Mixing, 1, false, measure}; }
    bool isContributions() const { return kind == Kind::Contributions; }
    bool isMixing() const { return kind == Kind::Mixing; }
    bool needsAttention() const { return kind == Kind::Head || kind == Kind::HeadMean; }
    bool operator==(const MapSource&) const = default;
};

/// As session files have it: "contributions", "mean", "head 3", "head 3 raw", "mixing MEASURE".
std::string sourceText(const MapSource& source);
/// The source of that text; nothing for another text, or a measure that this version does not know.
std::optional<MapSource> mapSourceOf(const std::string& text);

/// The attention of one layer, fetched when somebody first looks at it.
struct AttentionMaps {
    std::vector<MaxPyramid> heads; ///< [H] of [N, N], as applied; compressed keys drawn on the tokens' axis
    std::vector<MaxPyramid> raw;   ///< the same before relaxation; empty ones for heads that are not relaxed
    std::vector<Matrix<float>>
        compressed;  ///< [N, N′] as received, for heads over compressed keys; else empty
    MaxPyramid mean; ///< mean over the heads
};

/// The measures of mixing that are offered beside contributions and heads, in their order.
const std::vector<MixingChoice>& offeredMixing();

/// The map of one measure of mixing, fetched when somebody first looks at it.
struct MixedMap {
    std::shared_ptr<const MaxPyramid> map; ///< [N, N]; null where the layer has none
    DiagonalProfile profile;
    QString reason; ///< why there is none
    std::shared_ptr<const Alignment> alignment = nullptr; ///< whose words or phones are the units; null: tokens, or none
};

/// One layer of one analysis. The numbers are the worker's; the pyramid is made here, off the window's
/// thread.
struct LayerResult {
    int layer = 0;           ///< from 1
    std::int64_t tokens = 0; ///< N; 0 until ready
    QString reason; ///< why the layer has no contributions, the worker's sentence; empty where it has
    std::shared_ptr<const MaxPyramid>
        contributions;                      ///< [N, N], rows sum to 1; null until ready, with a reason, and with a thumbnail
    /// [N, N]: a picture of the contributions whose numbers are maxima of blocks, while they are at a place (core/matrix/thumbnail.h).
    std::shared_ptr<const MaxPyramid> thumbnail;
    bool contributionsAsked = false;        ///< on their way, in place of the thumbnail
    std::shared_ptr<const MaxPyramid> mean; ///< maps from elsewhere: mean over the heads, known before them
    bool foreign = false;                   ///< maps from elsewhere: nothing that needs weights
    DiagonalProfile profile; ///< of the contributions; foreign maps without them: of the mean of the heads
    std::vector<DiagonalProfile>
        attentionProfiles;       ///< per head; empty profile for a head without an N × N map
    Matrix<float> headRelevance; ///< [N, H], rows sum to 1
    double d1 = NAN, ccd = NAN;
    double rebuildError = NAN, gramError = NAN, rowSumError = NAN; ///< models/contributions/README.md
    std::shared_ptr<const AttentionMaps>
        attention;               ///< null until AnalysisService::requireAttention() delivered
    bool attentionAsked = false; ///< on its way
    std::map<std::string, MixedMap> mixing; ///< by nameOf(choice); those that requireMap() delivered
    std::set<std::string> mixingAsked;      ///< on their way
    bool stale = false;          ///< from before the worker stopped; the new one is on its way

    /// Null until it was delivered.
    const MixedMap* mixed(const MixingChoice& choice) const;
    bool isReady() const { return contributions || thumbnail || !reason.isEmpty(); }
    /// The map for a source; null where it is not here (yet). Valid as long as this result or a copy of it
    /// lives.
    const MaxPyramid* map(MapSource source) const;
    /// The same, kept alive by who holds it.
    std::shared_ptr<const MaxPyramid> sharedMap(MapSource source) const;
    /// What a small picture of it is drawn from: the map, or the thumbnail of the contributions.
    std::shared_ptr<const MaxPyramid> picture(MapSource source) const;
    /// Its diagonal profile, known before the attention itself is fetched; nothing where a head has no N × N
    /// map.
    std::optional<DiagonalProfile> profileOf(MapSource source) const;
};

/// One utterance seen by one model. A value of shared parts.
struct AnalysisResult {
    enum class State {
        Waiting,   ///< in the queue
        Working,   ///< layers arrive
        Ready,     ///< all there
        Failed,    ///< `sentence`
        Cancelled, ///< by the user
    };
    UtteranceId utterance = UtteranceId::None;
    ModelId model = ModelId::None;
    std::optional<Part> part; ///< what was to be analysed; nothing: all of it
    /// Maps from a file say themselves which part of the recording they are of, whatever is selected.
    struct Imported {
        QString file;             ///< its name
        std::optional<Part> part; ///< nothing: the whole recording
        std::int64_t late = 0;    ///< tokens after the end of the recording, which are not on the screen
    };
    std::optional<Imported> imported;
    /// Which part of the recording the maps are of; nothing: all of it.
    const std::optional<Part>& covered() const { return imported ? imported->part : part; }
    QString source;           ///< of a text: what was analysed
    std::shared_ptr<const Recording> recording; ///< what was analysed; null for a text
    QStringList sourcePieces; ///< of a text: the label of each token; empty until Ready
    State state = State::Waiting;
    QString sentence;   ///< Failed: why, for the banner
    QString code;       ///< Failed: stable code, "model.tooLong" …
    bool stale = false; ///< at least one layer is from before the worker stopped

    Frames frames{0};                ///< of what was analysed
    Tokens tokens{0};                ///< N; 0 until the first layer is here
    /// In the recording's time, also where a part was analysed. Of a text, token t lasts from t to t + 1.
    TokenClock clock;
    std::vector<LayerResult> layers; ///< one per layer of the model, ready or not
    QString text;                    ///< what the model transcribes; empty where it was not asked
    WordsState heard, given, best;   ///< the texts that AnalysisService::requireWords() delivered
    double milliseconds = 0;         ///< the worker's own time

    const WordsState& wordsOf(TextChoice choice) const {
        return choice == TextChoice::Heard ? heard : choice == TextChoice::Given ? given : best;
    }
    WordsState& wordsOf(TextChoice choice) {
        return const_cast<WordsState&>(std::as_const(*this).wordsOf(choice));
    }
    /// Of a text: its tokens as intervals on the axis, empty until Ready.
    std::vector<Interval> sourceIntervals() const;
    int readyLayers() const;
    const LayerResult* layer(int number) const; ///< from 1; null outside
    std::size_t bytes() const;                  ///< what it holds, for the cache's bound
};

} // namespace headroom::app
