// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/matrix/max_pyramid.h"
#include "core/time/clocks.h"

#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headroom::app {

/// Which text is followed into the sound.
enum class TextChoice {
    Heard, ///< what the model writes
    Given, ///< the utterance's text as given (OpenUtterance::givenText)
    Best,  ///< the best texts of a beam search
};

/// The attention of a decoder layer that is looked at: over the encoder's tokens, or over the text itself.
enum class WordsBlock { Cross, Self };

/// In place of a head: the contributions of the block.
inline constexpr int kContributions = -1;

/// Texts of the n-best list that are asked for.
inline constexpr int kBestTexts = 5;

/// A text in a recording, as one model sees it: its pieces, its words with their times, and the maps of its
/// pieces over the encoder's tokens. Immutable once made; shared.
struct SpokenWords {
    struct Piece {
        int id = 0;
        QString text;
        double logProbability = NAN; ///< ln P(piece | sound, pieces before it); NaN without a decoder
        bool ends = false;           ///< the end of the text
    };
    struct Span {
        Seconds start, end;
    };
    struct Word {
        QString label;
        int first = 0, end = 0;             ///< pieces [first, end); none: they are not among those of the maps
        std::optional<Span> attention, ctc; ///< in the recording's time
        int ownFirst = 0, ownEnd = 0;       ///< of `ownPieces`
    };
    /// A text of an n-best list.
    struct Hypothesis {
        struct TimedWord {
            QString label;
            std::optional<Span> time;
            int first = 0, end = 0; ///< of its text's pieces [first, end); none: not known
        };
        double score = NAN;
        std::vector<TimedWord> words;
        std::vector<Piece> pieces{}; ///< empty: not known
    };
    QString text;
    std::vector<Piece> pieces; ///< the rows of every map
    std::optional<std::vector<Piece>> ownPieces; ///< of another text than that of the maps, which is followed; empty: not known
    std::vector<int> inputs;   ///< what the decoder was fed: the rows of its own maps
    std::int64_t firstRow = 0; ///< of these, the one that predicts piece 0
    std::vector<Word> words;
    TokenClock clock; ///< of the maps' columns, in the recording's time
    /// [layer][head] of [pieces, tokens], both from 0: cross-attention. Empty without a decoder.
    std::vector<std::vector<std::shared_ptr<const MaxPyramid>>> cross;
    std::vector<std::shared_ptr<const MaxPyramid>> means; ///< of each layer's heads
    /// The same of [pieces, inputLabels()]: self-attention.
    std::vector<std::vector<std::shared_ptr<const MaxPyramid>>> self;
    std::vector<std::shared_ptr<const MaxPyramid>> selfMeans;
    QStringList prompt; ///< what the decoder reads before the first piece: "<|startoftranscript|>" … of Whisper
    /// [CTC pieces, tokens]: P(piece | token). Null without a CTC output.
    std::shared_ptr<const MaxPyramid> ctc;
    std::vector<std::pair<int, int>> alignmentHeads; ///< layer and head from 1 that tell the times
    bool headsAreNamed = false;                      ///< by the model
    QString attentionReason, ctcReason;              ///< why there are no such times; empty: there are
    std::vector<Hypothesis> hypotheses;              ///< of TextChoice::Best, best first: the first one is `text`

    int layers() const { return static_cast<int>(cross.size()); }
    int heads() const { return cross.empty() ? 0 : static_cast<int>(cross.front().size()); }
    /// The map of a decoder layer and head, both from 1 (head 0: the mean); the CTC output's without a decoder. Null if
    /// there is none. Contributions are measures (DecoderLayerState).
    std::shared_ptr<const MaxPyramid> map(int layer, int head, WordsBlock block = WordsBlock::Cross) const;
    /// What the decoder reads, the columns of self-attention: the prompt, and the pieces without the last.
    QStringList inputLabels() const;
    /// Times of a word: by cross-attention, without a decoder by CTC.
    std::optional<Span> timeOf(const Word& word) const { return layers() > 0 ? word.attention : word.ctc; }
    /// The words with times as a tier; `places[i]`: the word of interval i.
    struct Tier {
        std::vector<Interval> intervals;
        std::vector<int> places;
    };
    Tier tier(std::optional<Span> Word::*times) const;
    /// The same with the words and the own pieces of a text of the n-best list. Maps and their rows stay those of the best text: a word has
    /// its pieces there as long as both texts have been the same.
    SpokenWords following(std::size_t hypothesis) const;
    /// What the text that is followed consists of.
    const std::vector<Piece>& followedPieces() const { return ownPieces ? *ownPieces : pieces; }
    /// A word's pieces [first, end) of these; none: not known.
    std::pair<int, int> followedPieces(const Word& word) const {
        return ownPieces ? std::pair(word.ownFirst, word.ownEnd) : std::pair(word.first, word.end);
    }
    std::size_t bytes() const;
};

/// What a piece is called where it stands alone: "space" for one that only separates words, which is a line or a bar.
QString pieceLabel(const QString& piece);

/// One measure of mixing of a block of a decoder layer.
struct MeasuredWords {
    std::shared_ptr<const MaxPyramid> map; ///< [pieces, tokens], of self-attention [pieces, inputs]; null: there is none
    QString reason;                        ///< why
    double milliseconds = NAN;             ///< that it took; of a rollout, in all layers
};

/// What is known of one block of a decoder layer beside its maps. The errors are those of the whole block.
struct DecoderLayerState {
    std::map<std::string, MeasuredWords> measures; ///< by nameOf(measure)
    std::set<std::string> asked;                   ///< on their way
    std::set<std::string> stopped;                 ///< cancelled; computed when somebody asks again
    std::set<std::string> failed;                  ///< with a reason in `measures`; likewise
    double rowSumError = NAN, rebuildError = NAN, gramError = NAN;
    QString reason;       ///< why it cannot be rebuilt; empty: it can
    bool checked = false; ///< the errors are known

    void takeChecks(const DecoderLayerState& from); ///< the errors and the reason
};

/// What is known of one text of a pair of utterance and model.
struct WordsState {
    std::shared_ptr<const SpokenWords> words; ///< null until delivered
    QString text;                             ///< of which they are: the transcript; empty: as heard
    bool asked = false;                       ///< on its way
    QString sentence;                         ///< why they cannot be had
    /// By block and layer of the decoder, from 1; those that requireWordMixing() delivered.
    std::map<std::pair<WordsBlock, int>, DecoderLayerState> layers;

    const DecoderLayerState* layer(int number, WordsBlock block) const; ///< null: never asked for
    const MeasuredWords* measured(int layer, WordsBlock block, const std::string& name) const; ///< null: not here
};

} // namespace headroom::app
