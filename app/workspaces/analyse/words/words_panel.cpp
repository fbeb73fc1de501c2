// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/words_panel.h"

#include "app/documents/items/map_names.h"
#include "app/parts/availability.h"
#include "app/parts/choice_focus.h"
#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/words/n_best_list.h"
#include "app/workspaces/analyse/words/word_read_out.h"
#include "widgets/look/fitted_combo.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/tiers/tier_lane.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::ShortNamesCombo;
using widgets::TierLane;
using widgets::TimeSpan;

namespace {

QComboBox* wordsField(const QString& name, const QString& toolTip, QWidget* parent) {
    auto* made = new ShortNamesCombo(parent);
    made->setProperty("small", true);
    made->setAccessibleName(name);
    made->setToolTip(toolTip);
    made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return made;
}

/// Self-attention has the contributions in place of a head, cross-attention as one of its measures.
WordsChoice ofItsBlock(WordsChoice choice) {
    const std::string contributions = nameOf(MixingMeasure{Mixing::Contributions, false});
    if (choice.block == WordsBlock::Cross) {
        if (choice.head == kContributions)
            choice.measure = contributions;
    } else if (!choice.measure.empty()) {
        choice.head = choice.measure == contributions ? kContributions : 0;
        choice.measure.clear();
    }
    if (!choice.measure.empty())
        choice.head = 0;
    return choice;
}

} // namespace

WordsPanel::WordsPanel(widgets::TimeAxis* axis, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_header(new PanelHeader(tr("Words"), this))
    , m_text(wordsField(tr("Text"),
                        tr("The text to find in the sound: the model's own, the alignment's, or the best texts of a "
                           "search with %1 beams.").arg(kBestTexts),
                        this))
    , m_block(wordsField(tr("Attention"),
                         tr("Cross-attention over the encoder's tokens, or self-attention over the text itself."), this))
    , m_layer(wordsField(tr("Decoder layer"), tr("The decoder layer whose attention is shown."), this))
    , m_head(wordsField(tr("Head"), tr("The head that is shown, the mean of all, or a measure of mixing."), this))
    , m_attention(new TierLane(TierLane::Kind::Words, this))
    , m_ctc(new TierLane(TierLane::Kind::Words, this))
    , m_differences(new TierLane(TierLane::Kind::Phones, this))
    , m_inputs(new TierLane(TierLane::Kind::Words, this))
    , m_map(new widgets::TextMapView(this))
    , m_nBest(new NBestList(this))
    , m_note(new MetricsNote(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    makeHeader();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    for (TierLane* lane : {m_attention, m_ctc, m_differences}) {
        lane->setAxis(axis);
        layout->addWidget(lane);
    }
    layout->addWidget(m_nBest);
    m_inputs->setAxis(&m_inputAxis);
    m_inputs->setName(tr("inputs"), tr("What the decoder reads"));
    m_inputs->hide();
    layout->addWidget(m_inputs);
    m_map->setAxis(axis);
    layout->addWidget(m_map, 1);
    layout->addWidget(m_note);
    const auto placeOf = [this](const std::vector<int>& places, int interval) {
        return m_words ? &m_words->words[static_cast<std::size_t>(places[static_cast<std::size_t>(interval)])]
                       : nullptr;
    };
    const auto activate = [this](const std::optional<SpokenWords::Span>& span) {
        if (span)
            Q_EMIT wordActivated(heardSpan(*span));
    };
    connect(m_attention, &TierLane::intervalActivated, this, [this, placeOf, activate](int interval) {
        if (const auto* word = placeOf(m_attentionPlaces, interval))
            activate(word->attention);
    });
    connect(m_ctc, &TierLane::intervalActivated, this, [this, placeOf, activate](int interval) {
        if (const auto* word = placeOf(m_ctcPlaces, interval))
            activate(word->ctc);
    });
    connect(m_nBest, &NBestList::wordActivated, this, [this, activate](std::size_t hypothesis, const std::optional<SpokenWords::Span>& span) {
        follow(hypothesis);
        activate(span);
    });
    connect(m_map, &widgets::TextMapView::wordActivated, this, [this, activate](int word) {
        if (m_words)
            activate(m_words->timeOf(m_words->words[static_cast<std::size_t>(word)]));
    });
    connect(m_map, &widgets::TextMapView::wordReached, this, [this](int word) {
        if (const auto time =
                m_words ? m_words->timeOf(m_words->words[static_cast<std::size_t>(word)]) : std::nullopt)
            Q_EMIT wordReached(heardSpan(*time));
    });
    connect(&m_inputAxis, &widgets::TimeAxis::pointerChanged, this, &WordsPanel::readOutChanged);
    for (auto signal : {&widgets::TextMapView::wordActivated, &widgets::TextMapView::wordReached})
        connect(m_map, signal, this, [this] {
            markQuery();
            Q_EMIT readOutChanged();
        }, Qt::QueuedConnection); // when the map has marked it
    for (auto signal : {&widgets::TimeAxis::cursorChanged, &widgets::TimeAxis::selectionChanged})
        connect(m_axis, signal, this, &WordsPanel::markQuery);
    showWords(nullptr, {}, tr("Open a model and an utterance."));
}

/// A word to which the path gave no token is heard for the length of one. A word of the first token alone may be shorter:
/// half of that token lies before the sound.
TimeSpan WordsPanel::heardSpan(const SpokenWords::Span& span) const {
    return {span.start, span.end > span.start ? span.end : span.start + m_words->clock.step()};
}

void WordsPanel::makeHeader() {
    m_text->addItem({});
    m_text->addItem(tr("As given"));
    m_text->addItem(tr("N-best"));
    nameFirstText();
    m_block->addItems({tr("Cross"), tr("Self")}); // short, so that the layer beside it is not cut
    m_block->setItemData(0, tr("Cross-attention: target × source."), Qt::ToolTipRole);
    m_block->setItemData(1, tr("The decoder's self-attention: target × target."), Qt::ToolTipRole);
    for (QComboBox* chooser : {m_text, m_block, m_layer, m_head}) {
        m_header->addLeading(chooser);
        connect(chooser, &QComboBox::activated, this, &WordsPanel::choose);
        passFocusOn(chooser, m_map);
    }
}

QList<ReadOutLine> WordsPanel::readOutAt(std::optional<Seconds> pointer) const {
    if (!m_words)
        return wordLines({}, -1, nullptr, std::nullopt, pointer);
    const int word = m_map->currentWord();
    const auto map = shownMap();
    if (isSelf())
        return selfLines(*m_words, word, map.get(), m_words->inputLabels(), m_inputAxis.pointer(), valueName());
    return wordLines(*m_words, word, map.get(),
                     word < 0 ? std::nullopt : m_map->words()[static_cast<std::size_t>(word)].reference, pointer,
                     valueName());
}

std::optional<MixingMeasure> WordsPanel::measure() const {
    return m_choice.measure.empty() || !m_words || m_words->layers() == 0 ? std::nullopt
                                                                         : std::optional(mixingMeasure(m_choice.measure));
}

std::string WordsPanel::measureName() const {
    if (isSelf())
        return shownHead() == kContributions ? nameOf(MixingMeasure{Mixing::Contributions, false}) : std::string();
    return measure() ? m_choice.measure : std::string();
}

std::shared_ptr<const MaxPyramid> WordsPanel::shownMap() const {
    if (!measureName().empty())
        return m_measured.map;
    return m_words ? m_words->map(shownLayer(), shownHead(), m_choice.block) : nullptr;
}

QString WordsPanel::valueName() const {
    if (const auto chosen = measure())
        return mapValueName(MapSource::of(*chosen));
    return m_words && m_words->layers() == 0 ? tr("probability")
           : shownHead() == kContributions   ? tr("contribution")
                                             : tr("attention");
}

QList<ReadOutLine> WordsPanel::translationReadOut(std::optional<Seconds> pointer) const {
    return translationLines(m_words.get(), m_sourcePieces, pointer);
}

QList<widgets::TimeLane*> WordsPanel::lanes() const {
    return {m_attention, m_ctc, m_differences, m_inputs, m_map};
}

void WordsPanel::setModelName(const QString& name) {
    m_modelName = name;
}

void WordsPanel::setGivenOffered(const QString& whyNot) {
    setAvailable(m_text, static_cast<int>(TextChoice::Given), whyNot);
    if (!whyNot.isEmpty() && m_choice.text == TextChoice::Given)
        m_choice.text = TextChoice::Heard;
    m_text->setCurrentIndex(static_cast<int>(m_choice.text));
}

void WordsPanel::setChoice(const WordsChoice& choice) {
    m_choice = ofItsBlock(choice);
    fillFields();
    showMap();
}

void WordsPanel::setColours(widgets::ColourMap::Name name, double gamma) {
    m_map->setColourMap(name);
    m_map->setGamma(gamma);
}

int WordsPanel::shownLayer() const {
    const int layers = m_words ? m_words->layers() : 0;
    return m_choice.layer >= 1 && m_choice.layer <= layers ? m_choice.layer : layers;
}

void WordsPanel::fillFields() {
    const int layers = m_words ? m_words->layers() : 0, heads = m_words ? m_words->heads() : 0;
    m_text->setCurrentIndex(static_cast<int>(m_choice.text));
    if (m_layer->property("layers").toInt() != layers || m_layer->count() == 0) {
        m_layer->clear();
        for (int layer = 1; layer <= std::max(layers, 1); ++layer)
            m_layer->addItem(tr("Decoder %1").arg(layer));
        m_layer->setProperty("layers", layers);
    }
    if (layers == 0)
        m_layer->setItemText(0, m_words && m_words->ctc ? tr("CTC output") : tr("Decoder"));
    m_block->setCurrentIndex(static_cast<int>(m_choice.block));
    const QVariantList offered{heads, isSelf()};
    if (m_head->property("offered").toList() != offered) {
        m_head->clear();
        m_head->addItem(heads == 1  ? tr("1 head")
                        : heads > 1 ? tr("Mean of heads")
                                    : tr("Heads"));
        if (heads > 1)
            m_head->setItemData(0, tr("Mean", "of heads, in little room"), ShortNamesCombo::kShortNameRole);
        for (int head = 1; head <= heads; ++head)
            m_head->addItem(tr("Head %1").arg(head));
        if (isSelf())
            m_head->addItem(tr("Contributions"));
        for (const MixingMeasure& one : wordMeasures()) // of all heads; attention is the mean of the heads
            if (heads > 0 && !isSelf() && (one.rollout || one.kind != Mixing::Attention)) {
                m_head->addItem(wordMeasureTitle(one), QString::fromStdString(nameOf(one)));
                m_head->setItemData(m_head->count() - 1, wordMeasureToolTip(one), Qt::ToolTipRole);
            }
        m_head->setProperty("offered", offered);
    }
    const QString noDecoder = m_words ? tr("This model has no decoder.") : tr("There is no text yet.");
    setAvailable(m_layer, layers > 0 ? QString() : noDecoder);
    setAvailable(m_block, layers > 0 ? QString() : noDecoder);
    setAvailable(m_head, heads > 0 ? QString() : noDecoder);
    m_layer->setCurrentIndex(std::max(shownLayer() - 1, 0));
    const int item = m_choice.measure.empty() ? -1 : m_head->findData(QString::fromStdString(m_choice.measure));
    m_head->setCurrentIndex(item >= 0                                                ? item
                            : m_choice.head == kContributions && isSelf()              ? heads + 1
                            : m_choice.head > 0 && m_choice.head <= heads              ? m_choice.head
                                                                                       : 0);
}

int WordsPanel::shownHead() const {
    const int item = std::max(m_head->currentIndex(), 0);
    return m_words && item <= m_words->heads() ? item : isSelf() ? kContributions : 0;
}

void WordsPanel::choose() {
    WordsChoice choice = m_choice;
    choice.text = static_cast<TextChoice>(std::max(m_text->currentIndex(), 0)); // the items stand in its order
    if (m_words && m_words->layers() > 0) {
        choice.layer = m_layer->currentIndex() + 1;
        choice.measure = m_head->currentData().toString().toStdString();
        choice.head = shownHead(); // the fields still are those of the block before
        choice.block = static_cast<WordsBlock>(std::max(m_block->currentIndex(), 0));
        choice = ofItsBlock(choice);
    }
    take(choice);
}

void WordsPanel::chooseBlock(WordsBlock block) {
    WordsChoice choice = m_choice;
    choice.block = block;
    take(ofItsBlock(choice));
}

void WordsPanel::chooseHead(int layer, int head) {
    take({m_choice.text, layer, head, {}, m_choice.block});
}

void WordsPanel::chooseMeasure(const std::string& name) {
    const bool mean = name == nameOf(MixingMeasure{Mixing::Attention, false});
    take({m_choice.text, shownLayer(), 0, mean ? std::string() : name, WordsBlock::Cross});
}

void WordsPanel::take(const WordsChoice& choice) {
    if (choice == m_choice)
        return;
    m_choice = choice;
    m_measured = {}; // it was of another layer, text or measure
    fillFields();
    showTiers(); // the note says what the map is
    showMap();
    Q_EMIT choiceChanged(m_choice);
}

void WordsPanel::setMeasured(const MeasuredWords& measured, const QString& sentence) {
    if (measureName().empty() || (measured.map == m_measured.map && sentence == m_measuredSentence))
        return;
    m_measured = measured;
    m_measuredSentence = sentence;
    showMap();
}

void WordsPanel::showWords(std::shared_ptr<const SpokenWords> words, const std::vector<Interval>& reference,
                           const QString& sentence) {
    if (m_best != words) {
        m_measured = {};
        m_followed = 0;
        m_best = m_words = std::move(words);
        m_nBest->setHypotheses(m_words ? m_words->hypotheses : std::vector<SpokenWords::Hypothesis>());
    }
    m_reference = reference;
    m_sentence = sentence;
    m_header->setDetail(m_words ? m_words->text : QString());
    m_nBest->setFollowed(m_followed);
    fillFields();
    showTiers();
    showMap();
}

QString WordsPanel::titleOf(const QString& model) const {
    const auto chosen = measure();
    const QString what = chosen                           ? tr("%1 of the cross-attention").arg(wordMeasureTitle(*chosen))
                         : shownHead() == kContributions ? tr("Contributions to the self-attention")
                         : isSelf()                       ? tr("Self-attention")
                                                          : tr("Cross-attention");
    return m_words && m_words->layers() > 0 ? tr("%1 of decoder layer %2 of %3").arg(what).arg(shownLayer()).arg(model)
           : m_words && m_words->ctc        ? tr("CTC probabilities of %1").arg(model)
           : model.isEmpty()                ? tr("Words")
                                            : tr("Words of %1").arg(model);
}

void WordsPanel::showMap() {
    std::vector<widgets::TextRow> rows;
    std::vector<widgets::TextWord> words;
    if (m_words) {
        for (const SpokenWords::Piece& piece : m_words->pieces)
            rows.push_back({piece.ends ? tr("end") : pieceLabel(piece.text)});
        const WordReferences known = references();
        for (std::size_t place = 0; place < m_words->words.size(); ++place) {
            const SpokenWords::Word& word = m_words->words[place];
            const auto time = m_words->timeOf(word);
            words.push_back({word.label, word.first, word.end, time ? std::optional(heardSpan(*time)) : std::nullopt,
                             known[place]});
            for (int row = word.first; row < word.end; ++row) {
                rows[static_cast<std::size_t>(row)].word = static_cast<int>(place);
                rows[static_cast<std::size_t>(row)].continues = row > word.first;
            }
        }
    }
    const bool attends = m_words && m_words->layers() > 0, explains = attends && shownHead() == kContributions;
    const auto chosen = measure();
    m_map->setValueName(valueName(), chosen     ? mapSymbol(MapSource::of(*chosen))
                                     : explains ? QStringLiteral("C")
                                     : attends  ? QStringLiteral("A")
                                                : QStringLiteral("P"));
    m_map->setTitle(titleOf(m_modelName));
    m_map->setEmptySentence(!measureName().empty() ? m_measuredSentence : m_words ? whyNoMap() : m_sentence);
    showColumns();
    m_map->setMap(shownMap(), isSelf()   ? TokenClock::affine(Seconds(0.5), Seconds(1))
                              : m_words ? m_words->clock
                                        : TokenClock());
    if (isSelf()) // bounds of sound, which are none of its columns
        for (widgets::TextWord& word : words)
            word.reference = std::nullopt;
    m_map->setText(std::move(rows), std::move(words));
    markQuery();
}

} // namespace headroom::app
