// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/words_panel.h"

#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/words/n_best_list.h"
#include "app/workspaces/analyse/words/word_read_out.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/sizes.h"
#include "widgets/text_map/head_maps.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/tiers/tier_lane.h"

#include <QAction>
#include <QComboBox>
#include <QScreen>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::Sizes;
using widgets::TierLane;
using widgets::TimeSpan;

namespace {

QComboBox* wordsField(const QString& name, const QString& toolTip, QWidget* parent) {
    auto* made = new QComboBox(parent);
    made->setProperty("small", true);
    made->setAccessibleName(name);
    made->setToolTip(toolTip);
    made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    made->setMinimumWidth(qRound(9 * Sizes::unit()));
    return made;
}

QString milliseconds(double seconds) {
    return QString::number(qRound(seconds * 1000)) + QStringLiteral("\u202fms");
}

/// A piece that only separates words: SentencePiece's, the byte-level encoding's, that of characters.
bool isSeparator(const QString& piece) {
    return piece == QStringLiteral("\u2581") || piece == QStringLiteral("\u0120") ||
           piece == QStringLiteral("|");
}

QString signedMilliseconds(Seconds difference) {
    const int value = qRound(difference.value() * 1000);
    return value > 0   ? QStringLiteral("+%1").arg(value)
           : value < 0 ? QStringLiteral("\u2212%1").arg(-value)
                       : QStringLiteral("0");
}

} // namespace

WordsPanel::WordsPanel(widgets::TimeAxis* axis, QWidget* parent)
    : QWidget(parent)
    , m_header(new PanelHeader(tr("Words"), this))
    , m_text(wordsField(tr("Text"),
                        tr("The text that is followed into the sound: as the model writes it, as the "
                           "alignment has it, or the best texts of a search with %1 beams.").arg(kBestTexts),
                        this))
    , m_layer(wordsField(tr("Decoder layer"), tr("The decoder layer whose cross-attention is shown."), this))
    , m_head(wordsField(tr("Head"), tr("The cross-attention head that is shown."), this))
    , m_allHeads(new QToolButton(this))
    , m_heads(new QScrollArea(this))
    , m_headMaps(new widgets::HeadMaps(m_heads))
    , m_attention(new TierLane(TierLane::Kind::Words, this))
    , m_ctc(new TierLane(TierLane::Kind::Words, this))
    , m_differences(new TierLane(TierLane::Kind::Phones, this))
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
    connect(m_nBest, &NBestList::wordActivated, this,
            [this](const SpokenWords::Span& span) { Q_EMIT wordActivated(heardSpan(span)); });
    connect(m_map, &widgets::TextMapView::wordActivated, this, [this, activate](int word) {
        if (m_words)
            activate(m_words->timeOf(m_words->words[static_cast<std::size_t>(word)]));
    });
    connect(m_map, &widgets::TextMapView::wordReached, this, [this](int word) {
        if (const auto time =
                m_words ? m_words->timeOf(m_words->words[static_cast<std::size_t>(word)]) : std::nullopt)
            Q_EMIT wordReached(heardSpan(*time));
    });
    showWords(nullptr, {}, tr("Open a model and an utterance."));
}

/// A word to which the path gave no token is heard for the length of one.
TimeSpan WordsPanel::heardSpan(const SpokenWords::Span& span) const {
    return {span.start, std::max(span.end, span.start + m_words->clock.step())};
}

void WordsPanel::makeHeader() {
    m_text->addItem(tr("As heard"));
    m_text->addItem(tr("As given"));
    m_text->addItem(tr("N-best"));
    for (QComboBox* chooser : {m_text, m_layer, m_head}) {
        m_header->addLeading(chooser);
        connect(chooser, &QComboBox::activated, this, &WordsPanel::choose);
    }
    m_allHeads->setText(tr("All heads…"));
    m_allHeads->setProperty("small", true);
    m_allHeads->setAccessibleName(tr("All heads"));
    m_allHeads->setToolTip(tr("Shows the cross-attention of every layer and head. Click one to look at it."));
    m_header->addLeading(m_allHeads);
    connect(m_allHeads, &QToolButton::clicked, this, &WordsPanel::showHeads);
    m_heads->setWindowFlag(Qt::Popup);
    m_heads->setWidget(m_headMaps);
    m_heads->setAccessibleName(tr("All heads"));
    connect(m_headMaps, &widgets::HeadMaps::headChosen, this, &WordsPanel::chooseHead);
    auto* look = new QAction(tr("Look at this head"), this);
    auto* mean = new QAction(tr("Look at the mean of this layer's heads"), this);
    connect(look, &QAction::triggered, this, [this] { chooseHead(m_headMaps->current().first, m_headMaps->current().second); });
    connect(mean, &QAction::triggered, this, [this] { chooseHead(m_headMaps->current().first, 0); });
    widgets::setContextMenu(m_headMaps, {look, mean});
}

QList<ReadOutLine> WordsPanel::readOutAt(std::optional<Seconds> pointer) const {
    if (!m_words)
        return wordLines({}, -1, nullptr, std::nullopt, pointer);
    const int word = m_map->currentWord();
    const auto map = m_words->map(shownLayer(), m_head->currentIndex());
    return wordLines(*m_words, word, map.get(),
                     word < 0 ? std::nullopt : m_map->words()[static_cast<std::size_t>(word)].reference, pointer);
}

QList<widgets::TimeLane*> WordsPanel::lanes() const {
    return {m_attention, m_ctc, m_differences, m_map};
}

void WordsPanel::setModelName(const QString& name) {
    m_modelName = name;
}

void WordsPanel::setGivenOffered(bool offered) {
    auto* items = qobject_cast<QStandardItemModel*>(m_text->model());
    items->item(1)->setEnabled(offered);
    items->item(1)->setToolTip(offered ? QString()
                                       : tr("The utterance has no alignment, so its text is not known."));
    if (!offered && m_choice.text == TextChoice::Given)
        m_choice.text = TextChoice::Heard;
    m_text->setCurrentIndex(static_cast<int>(m_choice.text));
}

void WordsPanel::setChoice(const WordsChoice& choice) {
    m_choice = choice;
    fillFields();
    showMap();
}

void WordsPanel::setColours(widgets::ColourMap::Name name, double gamma) {
    m_map->setColourMap(name);
    m_map->setGamma(gamma);
    m_headMaps->setColours(name, gamma);
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
    if (m_head->property("heads").toInt() != heads || m_head->count() == 0) {
        m_head->clear();
        m_head->addItem(heads == 1  ? tr("1 head")
                        : heads > 1 ? tr("Mean of heads")
                                    : tr("Heads"));
        for (int head = 1; head <= heads; ++head)
            m_head->addItem(tr("Head %1").arg(head));
        m_head->setProperty("heads", heads);
    }
    m_allHeads->setVisible(layers > 0 && layers * heads > 1);
    const QString noDecoder = m_words ? tr("This model has no decoder.") : tr("There is no text to follow yet.");
    setAvailable(m_layer, layers > 0 ? QString() : noDecoder);
    setAvailable(m_head, heads > 0 ? QString() : noDecoder);
    m_layer->setCurrentIndex(std::max(shownLayer() - 1, 0));
    m_head->setCurrentIndex(m_choice.head <= heads ? m_choice.head : 0);
}

void WordsPanel::choose() {
    WordsChoice choice = m_choice;
    choice.text = static_cast<TextChoice>(std::max(m_text->currentIndex(), 0)); // the items stand in its order
    if (m_words && m_words->layers() > 0) {
        choice.layer = m_layer->currentIndex() + 1;
        choice.head = std::max(m_head->currentIndex(), 0);
    }
    if (choice == m_choice)
        return;
    m_choice = choice;
    showMap();
    Q_EMIT choiceChanged(m_choice);
}

void WordsPanel::showHeads() {
    if (!m_words || m_words->layers() == 0)
        return;
    m_headMaps->setMaps(m_words->cross);
    m_headMaps->setMarked(m_words->alignmentHeads);
    m_headMaps->setCurrent(shownLayer(), m_head->currentIndex());
    const QSize room = screen()->availableSize() * 0.8;
    const int frame = 2 * m_heads->frameWidth();
    m_heads->resize((m_headMaps->sizeHint() + QSize(frame, frame)).boundedTo(room));
    m_heads->move(m_allHeads->mapToGlobal(QPoint(0, m_allHeads->height())));
    m_heads->show();
    m_headMaps->setFocus();
}

void WordsPanel::chooseHead(int layer, int head) {
    m_heads->hide();
    WordsChoice choice = m_choice;
    choice.layer = layer;
    choice.head = head;
    if (choice == m_choice)
        return;
    m_choice = choice;
    fillFields();
    showMap();
    Q_EMIT choiceChanged(m_choice);
}

void WordsPanel::showWords(std::shared_ptr<const SpokenWords> words, const std::vector<Interval>& reference,
                           const QString& sentence) {
    m_words = std::move(words);
    m_reference = reference;
    m_map->setEmptySentence(sentence);
    m_header->setDetail(m_words ? m_words->text : QString());
    m_nBest->setHypotheses(m_words ? m_words->hypotheses : std::vector<SpokenWords::Hypothesis>());
    fillFields();
    showTiers();
    showMap();
}

void WordsPanel::showMap() {
    std::vector<widgets::TextRow> rows;
    std::vector<widgets::TextWord> words;
    if (m_words) {
        for (const SpokenWords::Piece& piece : m_words->pieces)
            rows.push_back({piece.ends ? tr("end") : isSeparator(piece.text) ? tr("space") : piece.text});
        const auto tier =
            m_words->tier(m_words->layers() > 0 ? &SpokenWords::Word::attention : &SpokenWords::Word::ctc);
        const WordDistance distance = wordDistance(tier.intervals, m_reference);
        for (std::size_t place = 0; place < m_words->words.size(); ++place) {
            const SpokenWords::Word& word = m_words->words[place];
            const auto time = m_words->timeOf(word);
            words.push_back({word.label, word.first, word.end, time ? std::optional(heardSpan(*time)) : std::nullopt, {}});
            for (int row = word.first; row < word.end; ++row) {
                rows[static_cast<std::size_t>(row)].word = static_cast<int>(place);
                rows[static_cast<std::size_t>(row)].continues = row > word.first;
            }
        }
        for (const WordDifference& match : distance.words) {
            const Interval& known = m_reference[match.reference];
            words[static_cast<std::size_t>(tier.places[match.found])].reference =
                TimeSpan{known.start, known.end};
        }
    }
    const bool attends = m_words && m_words->layers() > 0;
    m_map->setValueName(attends ? tr("attention") : tr("probability"),
                        attends ? QStringLiteral("A") : QStringLiteral("P"));
    m_map->setTitle(attends
                        ? tr("Cross-attention of decoder layer %1 of %2").arg(shownLayer()).arg(m_modelName)
                        : tr("CTC probabilities of %1").arg(m_modelName));
    m_map->setMap(m_words ? m_words->map(shownLayer(), m_head->currentIndex()) : nullptr,
                  m_words ? m_words->clock : TokenClock());
    m_map->setText(std::move(rows), std::move(words));
}

void WordsPanel::showTiers() {
    using Word = SpokenWords::Word;
    const auto fill = [this](TierLane* lane, std::vector<int>& places,
                             std::optional<SpokenWords::Span> Word::*times, const QString& name,
                             const QString& whole, const QString& missing) {
        SpokenWords::Tier tier = m_words ? m_words->tier(times) : SpokenWords::Tier();
        WordDistance distance = wordDistance(tier.intervals, m_reference);
        lane->setName(name, whole);
        lane->setNote(std::isfinite(distance.mean) ? milliseconds(distance.mean) : QString(),
                      tr("Mean distance from the boundaries of the alignment."));
        places = tier.places;
        lane->setIntervals(tier.intervals, missing);
        lane->setVisible(!tier.intervals.empty());
        return std::pair(std::move(tier), std::move(distance));
    };
    const auto [attention, byAttention] =
        fill(m_attention, m_attentionPlaces, &Word::attention, tr("attention"),
             tr("Words by cross-attention"), m_words ? m_words->attentionReason : QString());
    const auto [ctc, byCtc] = fill(m_ctc, m_ctcPlaces, &Word::ctc, tr("CTC"), tr("Words by CTC"),
                                   m_words ? m_words->ctcReason : QString());
    const bool attends = !attention.intervals.empty();
    std::vector<Interval> differences;
    std::vector<TierLane::Mark> marks;
    for (const WordDifference& match : (attends ? byAttention : byCtc).words) {
        const Interval& found = (attends ? attention : ctc).intervals[match.found];
        differences.push_back({found.start, found.end, signedMilliseconds(match.start).toStdString()});
        constexpr Seconds kFar{0.1};
        if (match.start > kFar || match.start < Seconds(0) - kFar)
            marks.push_back({found.start, found.end, false, tr("More than 100 ms from the alignment.")});
    }
    m_differences->setName(tr("start, ms"),
                           tr("Distance of each word's start from the alignment, in milliseconds"));
    m_differences->setVisible(!differences.empty());
    m_differences->setIntervals(std::move(differences));
    m_differences->setMarks(std::move(marks));
    m_note->setSentence(m_words ? noteText(byAttention, byCtc) : QString());
    m_note->setVisible(m_words != nullptr);
}

QString WordsPanel::noteText(const WordDistance& attention, const WordDistance& ctc) const {
    QStringList said;
    const auto distance = [](const WordDistance& found) {
        if (!std::isfinite(found.mean))
            return QString();
        return found.words.size() == 1 ? tr(", %1 from the alignment (1 word)").arg(milliseconds(found.mean))
                                       : tr(", on average %1 from the alignment (%2 words)")
                                             .arg(milliseconds(found.mean))
                                             .arg(found.words.size());
    };
    if (m_words->attentionReason.isEmpty()) {
        const auto heads = m_words->alignmentHeads.size();
        const QString which = m_words->headsAreNamed
                                  ? tr("the alignment heads that the model names (%1)").arg(heads)
                                  : tr("the heads of the upper half of the decoder (%1)").arg(heads);
        said << tr("Words by attention: dynamic time warping of the mean of %1%2.")
                    .arg(which, distance(attention));
    } else {
        said << m_words->attentionReason;
    }
    QStringList without;
    for (const SpokenWords::Word& word : m_words->words)
        if (const auto time = m_words->timeOf(word); time && time->end <= time->start)
            without << word.label;
    if (!without.isEmpty())
        said << (without.size() == 1
                     ? tr("No token fell to the word “%1”; the box marks where it would stand.").arg(without.front())
                     : tr("No token fell to %1 words; their boxes mark where they would stand.").arg(without.size()));
    if (m_words->ctcReason.isEmpty())
        said << tr("Words by CTC: the best path of the text%1.").arg(distance(ctc));
    else if (m_words->layers() == 0)
        said << m_words->ctcReason;
    if (m_reference.empty())
        said << tr("The utterance has no alignment to compare with.");
    return said.join(QChar(u' '));
}

} // namespace headroom::app
