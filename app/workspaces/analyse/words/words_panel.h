// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/spoken_words.h"
#include "app/workspaces/analyse/map/read_out.h"
#include "app/workspaces/analyse/words/word_measures.h"
#include "core/alignment/word_distance.h"
#include "widgets/look/colour_map.h"
#include "widgets/time_axis/time_axis.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QComboBox;

namespace headroom::widgets {
class TextMapView;
class TierLane;
class TimeLane;
} // namespace headroom::widgets

namespace headroom::app {

class MetricsNote;
class NBestList;
class PanelHeader;

/// What of a text is looked at.
struct WordsChoice {
    TextChoice text = TextChoice::Heard;
    int layer = 0; ///< of the decoder, from 1; 0: the last one
    int head = 0;  ///< from 1; 0: mean of the heads; of self-attention also kContributions
    std::string measure = {}; ///< of cross-attention: another measure of mixing than attention (core/analysis/mixing.h); then `head` is 0
    WordsBlock block = WordsBlock::Cross;
    bool operator==(const WordsChoice&) const = default;
};

/// A text over the sound: its words as tiers, by cross-attention and by CTC, their distance from the
/// alignment, the n-best list if it is chosen, and the map of its pieces. Data in, intentions out; window's thread.
class WordsPanel : public QWidget {
    Q_OBJECT

public:
    explicit WordsPanel(widgets::TimeAxis* axis, QWidget* parent = nullptr);

    /// `reference`: the words of the alignment; empty: there is none. `words` null: nothing to show, and
    /// `sentence` says why.
    void showWords(std::shared_ptr<const SpokenWords> words, const std::vector<Interval>& reference,
                   const QString& sentence);
    void setModelName(const QString& name);
    /// What the map shows, with `model` for the name of the model: "Cross-attention of decoder layer 6 of small".
    QString titleOf(const QString& model) const;
    void setGivenOffered(const QString& whyNot); ///< empty: there is a text as given
    /// `pieces`: labels of the encoder's tokens, of a text that is translated; empty for a recording, and until they are known.
    void setSource(bool isText, const QStringList& pieces);
    bool isText() const { return m_isText; }
    WordsChoice choice() const { return m_choice; }
    void setChoice(const WordsChoice& choice); ///< tells nobody
    void setColours(widgets::ColourMap::Name name, double gamma);

    /// As somebody chose it elsewhere; tells choiceChanged(). Head 0: the mean.
    void chooseHead(int layer, int head);
    void chooseMeasure(const std::string& name);
    /// The measure that the map shows instead of attention, of the block that is chosen; empty: none.
    std::string measureName() const;
    /// The map of that measure; without one, `sentence` says why.
    void setMeasured(const MeasuredWords& measured, const QString& sentence);
    int shownLayer() const; ///< of the decoder, from 1; 0: none
    std::shared_ptr<const SpokenWords> words() const { return m_words; } ///< of the text that is followed; null: there are none
    std::size_t followed() const { return m_followed; } ///< text of the n-best list, from 0; 0 also without a list
    std::shared_ptr<const MaxPyramid> shownMap() const;                  ///< of layer, head or measure; null: there is none
    WordReferences references() const;

    bool isSelf() const { return m_words && m_words->layers() > 0 && m_choice.block == WordsBlock::Self; }
    /// Of the word under the cursor, for the Read-out; over self-attention also of the token under the mouse there. Words without
    /// times: of the one that was last clicked or reached.
    QList<ReadOutLine> readOutAt(std::optional<Seconds> pointer) const;
    QList<ReadOutLine> translationReadOut(std::optional<Seconds> pointer) const; ///< of a text model's translation
    QString text() const { return m_words ? m_words->text : QString(); } ///< the text that is followed into the sound
    QList<widgets::TimeLane*> lanes() const; ///< from top to bottom, also those that are hidden
    widgets::TextMapView* map() const { return m_map; }
    widgets::TierLane* attentionTier() const { return m_attention; }
    widgets::TierLane* ctcTier() const { return m_ctc; }
    widgets::TierLane* differenceTier() const { return m_differences; }
    widgets::TierLane* inputTier() const { return m_inputs; } ///< over self-attention: what the decoder reads
    /// Cross-attention or the decoder's self-attention; what the other cannot show is left.
    void chooseBlock(WordsBlock block);
    QComboBox* blockField() const { return m_block; }
    QComboBox* textField() const { return m_text; }
    QComboBox* layerField() const { return m_layer; }
    QComboBox* headField() const { return m_head; }
    MetricsNote* note() const { return m_note; }
    QString figureNote() const { return m_figureNote; } ///< what the note says of that which is shown
    NBestList* nBest() const { return m_nBest; }

Q_SIGNALS:
    void choiceChanged(const headroom::app::WordsChoice& choice);
    void wordActivated(headroom::widgets::TimeSpan time); ///< to be heard
    void wordReached(headroom::widgets::TimeSpan time);   ///< by the keyboard
    void followedChanged(); ///< by a click in the n-best list
    void readOutChanged(); ///< without the shared axis: over self-attention

private:
    void makeHeader();
    void nameFirstText();
    void fillFields();
    void choose();
    void take(const WordsChoice& choice);
    std::optional<MixingMeasure> measure() const;
    QString valueName() const;
    QString whyNoMap() const; ///< of words that are here
    void showMap();
    void showTiers();
    void follow(std::size_t hypothesis);
    QString noteText(const WordDistance& attention, const WordDistance& ctc, bool ofFigure) const;
    void showColumns();
    void markQuery();
    int shownHead() const;
    widgets::TimeSpan heardSpan(const SpokenWords::Span& span) const;

    WordsChoice m_choice;
    std::shared_ptr<const SpokenWords> m_best, m_words; ///< as they came, and of the text that is followed
    std::size_t m_followed = 0;
    MeasuredWords m_measured; ///< of measureName()
    QString m_sentence, m_measuredSentence;
    std::vector<Interval> m_reference;
    QString m_modelName;
    bool m_isText = false;
    QStringList m_sourcePieces;
    widgets::TimeAxis* m_axis;       ///< borrowed
    widgets::TimeAxis m_inputAxis;   ///< of self-attention: a unit for each token that the decoder reads
    PanelHeader* m_header;
    QComboBox *m_text, *m_block, *m_layer, *m_head;
    widgets::TierLane *m_attention, *m_ctc, *m_differences, *m_inputs;
    widgets::TextMapView* m_map;
    NBestList* m_nBest;
    MetricsNote* m_note;
    QString m_figureNote;
    std::vector<int> m_attentionPlaces, m_ctcPlaces; ///< the word of each interval
};

} // namespace headroom::app
