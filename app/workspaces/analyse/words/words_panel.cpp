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
#include <array>
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

/// A piece that only separates words: SentencePiece's, the byte-level encoding's, that of characters.
bool isSeparator(const QString& piece) {
    return piece == QStringLiteral("\u2581") || piece == QStringLiteral("\u0120") ||
           piece == QStringLiteral("|");
}

std::optional<TimeSpan> timeSpan(const std::optional<SpokenWords::Span>& span) {
    return span ? std::optional(TimeSpan{span->start, span->end}) : std::nullopt;
}

} // namespace

WordsPanel::WordsPanel(widgets::TimeAxis* axis, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_header(new PanelHeader(tr("Words"), this))
    , m_text(wordsField(tr("Text"),
                        tr("The text that is followed into the sound: as the model writes it, as the "
                           "alignment has it, or the best texts of a search with %1 beams.").arg(kBestTexts),
                        this))
    , m_block(wordsField(tr("Attention"),
                         tr("Cross-attention over the encoder's tokens, or self-attention over the text itself."), this))
    , m_layer(wordsField(tr("Decoder layer"), tr("The decoder layer whose cross-attention is shown."), this))
    , m_head(wordsField(tr("Head"), tr("The cross-attention head that is shown."), this))
    , m_allHeads(new QToolButton(this))
    , m_heads(new QScrollArea(this))
    , m_headMaps(new widgets::HeadMaps(m_heads))
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
    // Short, so that the layer beside it is not cut.
    m_block->setMinimumWidth(qRound(7.5 * Sizes::unit()));
    m_layer->setMinimumWidth(qRound(12.5 * Sizes::unit()));
    const std::array<std::pair<QString, QString>, 4> blocks{{
        {tr("Cross A"), tr("Cross-attention: target × source.")},
        {tr("Self A"), tr("The decoder's self-attention: target × target.")},
        {tr("Cross C"), tr("Contributions of the source in the cross-attention block. The rest of a row is the residual.")},
        {tr("Self C"), tr("Contributions in the self-attention block.")}}};
    for (const auto& [name, tip] : blocks) {
        m_block->addItem(name);
        m_block->setItemData(m_block->count() - 1, tip, Qt::ToolTipRole);
    }
    for (QComboBox* chooser : {m_text, m_block, m_layer, m_head}) {
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
    const auto map = m_words->map(shownLayer(), m_head->currentIndex()); // of its attention, whatever is shown
    return wordLines(*m_words, word, map.get(),
                     word < 0 ? std::nullopt : m_map->words()[static_cast<std::size_t>(word)].reference, pointer);
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

void WordsPanel::setGivenOffered(bool offered) {
    auto* items = qobject_cast<QStandardItemModel*>(m_text->model());
    items->item(1)->setEnabled(offered);
    items->item(1)->setToolTip(offered ? QString()
                                       : isText()
                                           ? tr("Type a translation above to follow it.")
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
    setAvailable(m_block, layers > 0 ? QString() : noDecoder);
    setAvailable(m_head, heads > 0 ? QString() : noDecoder);
    m_layer->setCurrentIndex(std::max(shownLayer() - 1, 0));
    const bool explains = showsContributions();
    m_block->setCurrentIndex(static_cast<int>(m_choice.block) + (explains ? 2 : 0));
    auto* blocks = qobject_cast<QStandardItemModel*>(m_block->model());
    for (const WordsBlock block : {WordsBlock::Cross, WordsBlock::Self})
        blocks->item(static_cast<int>(block) + 2)->setEnabled(m_words && m_words->hasContributions(block));
    m_head->setCurrentIndex(m_choice.head <= heads ? m_choice.head : 0);
    if (explains)
        setAvailable(m_head, tr("Contributions are those of all heads together."));
}

bool WordsPanel::showsContributions() const {
    return m_choice.contributions && m_words && m_words->hasContributions(m_choice.block);
}

int WordsPanel::shownHead() const {
    return showsContributions() ? kContributions : m_head->currentIndex();
}

void WordsPanel::choose() {
    WordsChoice choice = m_choice;
    choice.text = static_cast<TextChoice>(std::max(m_text->currentIndex(), 0)); // the items stand in its order
    if (m_words && m_words->layers() > 0) {
        choice.layer = m_layer->currentIndex() + 1;
        choice.head = std::max(m_head->currentIndex(), 0);
        const int block = std::max(m_block->currentIndex(), 0);
        choice.block = static_cast<WordsBlock>(block % 2);
        choice.contributions = block >= 2;
    }
    if (choice == m_choice)
        return;
    m_choice = choice;
    fillFields();
    showTiers(); // the note says what the map is
    showMap();
    Q_EMIT choiceChanged(m_choice);
}

void WordsPanel::showHeads() {
    if (!m_words || m_words->layers() == 0)
        return;
    const bool isSelf = m_choice.block == WordsBlock::Self;
    m_headMaps->setMaps(isSelf ? m_words->self : m_words->cross);
    m_headMaps->setMarked(isSelf || isText() ? std::vector<std::pair<int, int>>() : m_words->alignmentHeads);
    m_headMaps->setCurrent(shownLayer(), std::max(shownHead(), 0));
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
    choice.contributions = false;
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
            words.push_back({word.label, word.first, word.end, timeSpan(m_words->timeOf(word)), {}});
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
    const bool attends = m_words && m_words->layers() > 0, explains = attends && shownHead() == kContributions;
    const bool isSelf = attends && m_choice.block == WordsBlock::Self;
    m_map->setValueName(explains ? tr("contribution") : attends ? tr("attention") : tr("probability"),
                        explains  ? QStringLiteral("C")
                        : attends ? QStringLiteral("A")
                                  : QStringLiteral("P"));
    const QString what = explains ? isSelf ? tr("Contributions to the self-attention of decoder layer %1 of %2")
                                           : tr("Contributions to the cross-attention of decoder layer %1 of %2")
                         : isSelf ? tr("Self-attention of decoder layer %1 of %2")
                                  : tr("Cross-attention of decoder layer %1 of %2");
    m_map->setTitle(attends ? what.arg(shownLayer()).arg(m_modelName) : tr("CTC probabilities of %1").arg(m_modelName));
    showColumns();
    m_map->setMap(m_words ? m_words->map(shownLayer(), shownHead(), isSelf ? WordsBlock::Self : WordsBlock::Cross) : nullptr,
                  isSelf ? TokenClock::affine(Seconds(0.5), Seconds(1)) : m_words ? m_words->clock : TokenClock());
    if (isSelf) // times are those of the encoder's tokens
        for (widgets::TextWord& word : words)
            word.time = word.reference = std::nullopt;
    m_map->setText(std::move(rows), std::move(words));
}

} // namespace headroom::app
