// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/words_controller.h"

#include "app/documents/items/analysed_words.h"
#include "app/documents/items/why_no_map.h"
#include "app/parts/actions.h"
#include "app/parts/checks_panel.h"
#include "app/parts/dock.h"
#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/common/caption_text.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "app/workspaces/analyse/heads/live_state.h"
#include "app/workspaces/analyse/map/checks.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "app/workspaces/analyse/words/cross_heads_panel.h"
#include "app/workspaces/analyse/words/word_checks.h"
#include "app/workspaces/analyse/words/word_mixing_panel.h"
#include "widgets/look/context_menu.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/tiers/tier_lane.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QMainWindow>
#include <QTabWidget>

#include <algorithm>

namespace headroom::app {

namespace {

/// Why there is no text as given; empty: there is one.
QString whyNotGiven(const OpenUtterance* utterance) {
    if (utterance && !analysedTranscript(*utterance).isEmpty())
        return {};
    if (utterance && utterance->isText)
        return WordsController::tr("Type a translation above to follow it.");
    if (utterance && !utterance->givenText().isEmpty())
        return utterance->alignment ? WordsController::tr("The analysed part contains no words of the alignment.")
                                    : WordsController::tr("Without an alignment, only the text of the whole utterance is known.");
    return utterance && utterance->alignment ? WordsController::tr("The alignment has no words.")
                                             : WordsController::tr("The utterance has no alignment, so its text is not known.");
}

} // namespace

WordsController::WordsController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_panel(new WordsPanel(parts.axis))
    , m_mixing(new WordMixingPanel(parts.tabs))
    , m_heads(new CrossHeadsPanel)
    , m_headsDock(new Dock(QStringLiteral("crossAttention"), tr("Cross-attention"), m_heads, parts.window)) {
    m_panel->setObjectName(QStringLiteral("wordsPanel"));
    m_mixing->hide(); // until the words are shown
    m_headsDock->addHideButton(tr("Hide the heads"));
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &WordsController::refresh);
    Session* session = parts.session;
    for (auto signal : {&Session::currentUtteranceChanged, &Session::currentModelChanged})
        connect(session, signal, this, &WordsController::refreshSoon);
    for (auto signal : {&Session::utteranceChanged, &Session::utteranceRemoved})
        connect(session, signal, this, &WordsController::refreshSoon);
    for (auto signal : {&Session::modelChanged, &Session::modelRemoved})
        connect(session, signal, this, &WordsController::refreshSoon);
    connect(parts.analysis, &AnalysisService::resultChanged, this, &WordsController::refreshSoon);
    connect(parts.analysis, &AnalysisService::layerReady, this, &WordsController::refreshSoon);
    for (auto signal : {&WordsPanel::followedChanged, &WordsPanel::readOutChanged})
        connect(m_panel, signal, this, &WordsController::refreshReadOut);
    connect(m_panel, &WordsPanel::followedChanged, this, &WordsController::refreshSoon);
    connect(m_panel, &WordsPanel::choiceChanged, this, &WordsController::refreshSoon);
    connect(m_panel, &WordsPanel::wordReached, this, &WordsController::select);
    connect(m_panel, &WordsPanel::wordActivated, this, [this](widgets::TimeSpan time) {
        select(time);
        m_parts.transport->play();
    });
    for (auto signal : {&widgets::TimeAxis::cursorChanged, &widgets::TimeAxis::pointerChanged, &widgets::TimeAxis::selectionChanged})
        connect(parts.axis, signal, this, &WordsController::refreshReadOut);
    const auto showColours = [this] {
        m_panel->setColours(m_parts.map->colourMap(), m_parts.map->gamma());
        m_mixing->setColours(m_parts.map->colourMap(), m_parts.map->gamma());
        m_heads->setColours(m_parts.map->colourMap(), m_parts.map->gamma());
    };
    connect(parts.map, &MapController::coloursChanged, this, showColours);
    showColours();
    connectActions();
    connectMixing();
}

void WordsController::connectMixing() {
    connect(m_heads, &CrossHeadsPanel::headChosen, m_panel, &WordsPanel::chooseHead);
    connect(m_mixing, &WordMixingPanel::shown, this, &WordsController::refreshSoon);
    connect(m_mixing, &WordMixingPanel::cancelled, m_parts.analysis, &AnalysisService::cancelWordMixing);
    connect(m_mixing, &WordMixingPanel::measureChosen, this, [this](const std::string& name) {
        if (const AnalysisResult* result = m_parts.analysis->current())
            m_parts.analysis->requireWordMixing(result->utterance, result->model, m_panel->choice().text, WordsBlock::Cross,
                                                m_panel->shownLayer(), {name}, true);
        m_panel->chooseMeasure(name);
    });
    for (auto signal : {&widgets::TimeAxis::cursorChanged, &widgets::TimeAxis::selectionChanged})
        connect(m_parts.axis, signal, this, [this] { // while the sound plays, at every step of the cursor
            if (m_mixing->isVisible() && m_panel->map()->currentWord() != m_markedWord)
                refreshSoon();
            if (m_shown && statusText() != m_said)
                Q_EMIT refreshed();
        });
    connect(this, &WordsController::refreshed, this, [this] { m_said = statusText(); });
}

/// Two maps need two columns, so the text excludes a comparison; the workspace sets it aside (shownChanged).
void WordsController::connectActions() {
    const Actions& a = *m_parts.actions;
    auto* copy = new QAction(tr("Copy the text"), this);
    connect(copy, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(m_panel->text()); });
    widgets::setContextMenu(m_panel->map(), {a.play, a.loop, nullptr, a.fitSelection, a.fit, nullptr, a.analyseSelection, nullptr,
                                             copy, a.exportFigure});
    // The switch Encoder | Words | Decoder: the last two are this panel with the one or the other block.
    // Either goes off again by its own key.
    auto* views = new QActionGroup(this);
    views->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    for (QAction* one : {a.words, a.decoderView}) {
        views->addAction(one);
        connect(one, &QAction::toggled, this, &WordsController::followSwitch);
    }
    const auto close = [words = a.words, decoder = a.decoderView] {
        words->setChecked(false);
        decoder->setChecked(false);
    };
    connect(a.encoderView, &QAction::triggered, this, [close, encoder = a.encoderView] {
        close();
        encoder->setChecked(true); // a second time, too
    });
    connect(a.compare, &QAction::toggled, this, [close](bool on) {
        if (on)
            close();
    });
    connect(m_panel, &WordsPanel::choiceChanged, this, [this](const WordsChoice& choice) {
        if (m_shown)
            (choice.block == WordsBlock::Self ? m_parts.actions->decoderView : m_parts.actions->words)
                ->setChecked(true);
    });
}

void WordsController::followSwitch() {
    const Actions& a = *m_parts.actions;
    const bool shown = a.words->isChecked() || a.decoderView->isChecked();
    a.encoderView->setChecked(!shown);
    if (shown)
        m_panel->chooseBlock(a.decoderView->isChecked() ? WordsBlock::Self : WordsBlock::Cross);
    if (shown != m_shown)
        setShown(shown);
}

void WordsController::setShown(bool shown) {
    m_shown = shown;
    Q_EMIT shownChanged(shown);
    QTabWidget* tabs = m_parts.tabs;
    if (shown) {
        m_lent = m_parts.map->lend();
        refreshReadOut();
        focusMap();
        tabs->insertTab(0, m_mixing, tr("Mixing"));
        tabs->setTabToolTip(0, tr("The cross-attention of this decoder layer by several measures of mixing."));
        rememberFront();
        m_headsDock->show();
        m_headsDock->raise();
    } else {
        m_lent = {};
        m_parts.map->takeBack();
        m_parts.map->focusMap();
        tabs->removeTab(tabs->indexOf(m_mixing));
        m_headsDock->hide();
        for (QDockWidget* dock : m_inFront)
            if (dock && dock->isVisible())
                dock->raise();
        // They are kept with the result as long as there is room; here they would be kept longer.
        m_panel->showWords(nullptr, {}, {});
        m_heads->show(nullptr, 0, 0, m_panel->choice().block, m_panel->isText());
        m_mixing->show({});
    }
    refreshSoon();
}

/// The panels beside the heads that are not behind a tab: they come back when the heads go.
void WordsController::rememberFront() {
    m_inFront.clear();
    const auto* window = qobject_cast<QMainWindow*>(m_headsDock->parentWidget());
    if (!window)
        return;
    for (QDockWidget* dock : window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        if (dock->isVisible() && !dock->isFloating() && window->rect().intersects(dock->geometry()) &&
            window->dockWidgetArea(dock) == window->dockWidgetArea(m_headsDock))
            m_inFront << dock;
}

void WordsController::focusMap() {
    m_panel->map()->setFocus(Qt::OtherFocusReason);
}

QList<widgets::TimeLane*> WordsController::lanes() const {
    QList<widgets::TimeLane*> shown;
    for (widgets::TimeLane* lane : m_panel->lanes())
        if (!lane->isHidden())
            shown << lane;
    return shown;
}

QString WordsController::title() const {
    return m_panel->map()->accessibleName();
}

QString WordsController::caption() const {
    const OpenUtterance* utterance = std::as_const(*m_parts.session).currentUtterance();
    const TextChoice choice = m_panel->choice().text;
    const QString text = choice == TextChoice::Given  ? tr("the text as given")
                         : m_panel->followed() > 0    ? tr("text %1 of a search").arg(m_panel->followed() + 1)
                         : choice == TextChoice::Best ? tr("the best text of a search")
                         : m_panel->isText()          ? tr("the text as written")
                                                      : tr("the text as heard");
    const QString field = m_panel->headField()->currentText(), head = field.size() > 1 && field.at(1).isUpper() ? field : field.toLower(); // "ALTI"
    const bool attends = m_panel->words() && m_panel->words()->layers() > 0;
    const OpenModel* model = m_parts.session->currentModel();
    const AnalysisResult* result = m_parts.analysis->current();
    QStringList parts{tr("%1, %2.").arg(model ? m_panel->titleOf(modelText(*model, result)) : title(), attends ? tr("%1, %2").arg(head, text) : text)};
    const widgets::TextMapView* map = m_panel->map();
    if (map->hasMap()) {
        const auto [first, end] = map->figureRows();
        const int pieces = static_cast<int>(map->rows().size());
        parts << (first > 0 || end < pieces ? tr("Pieces %1 to %2 of %3").arg(first + 1).arg(end).arg(pieces) : pieces == 1 ? tr("1 piece") : tr("%1 pieces").arg(pieces)) +
                     (result && !m_panel->isSelf() ? (result->tokens.value() == 1 ? tr(", N = %1 token%2.") : tr(", N = %1 tokens%2."))
                                                         .arg(result->tokens.value())
                                                         .arg(partText(result->covered()))
                                                   : QStringLiteral("."));
        parts << tr("Colours: 0 to %1%2.").arg(decimals(map->range().high, 3), gammaText(m_parts.map->gamma()));
    }
    parts << recordingText(utterance) << m_panel->figureNote();
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

void WordsController::refreshSoon() {
    if (m_shown)
        m_soon.start();
}

QString WordsController::statusText() const {
    const widgets::TextMapView* map = m_panel->map();
    if (!map->hasMap())
        return title() + QLatin1Char('.');
    const QString what = tr("%1, %2.").arg(title(), map->rows().size() == 1 ? tr("1 piece") : tr("%1 pieces").arg(map->rows().size()));
    const int place = map->currentWord();
    const widgets::TextWord* word = place < 0 ? nullptr : &map->words()[static_cast<std::size_t>(place)];
    if (!word || !word->time)
        return what;
    const auto words = m_panel->words();
    if (const auto time = words ? words->timeOf(words->words[static_cast<std::size_t>(place)]) : std::nullopt; time && time->end <= time->start)
        return tr("“%1”: no token was assigned to it. %2").arg(word->label, what);
    const auto selection = m_parts.axis->selection(); // which Space plays; without one, it plays from the cursor on
    const bool isSelected = selection && selection->start == word->time->start && selection->end == std::min(word->time->end, m_parts.axis->extent());
    return (isSelected ? tr("“%1”: %2 to %3. Space plays it. %4") : tr("“%1”: %2 to %3. %4"))
        .arg(word->label, secondsBare(word->time->start), secondsText(word->time->end), what);
}

void WordsController::select(widgets::TimeSpan time) {
    m_parts.axis->setSelection(time);
    m_parts.axis->setCursor(time.start);
    m_parts.axis->reveal(time.end);
    m_parts.axis->reveal(time.start);
    QTimer::singleShot(0, this, &WordsController::refreshed); // when the map has marked it
}

void WordsController::refreshReadOut() {
    if (!m_lent.readOut)
        return;
    if (m_panel->isSelf())
        m_lent.readOut->setLines(m_panel->readOutAt({}),
                                 tr("The word that was last clicked or reached with the arrow keys. Log-probability: the sum over its "
                                    "pieces of ln P, given the source and the text before each. The pointer is the token of the text under "
                                    "the mouse. Several pieces: the mean over their rows."));
    else if (m_parts.axis->countsTokens())
        m_lent.readOut->setLines(m_panel->translationReadOut(m_parts.axis->pointer()),
                                 tr("The translation: log-probability is the sum over its pieces of ln P, given the source and "
                                    "the text before each. The pointer is the source token under the mouse."));
    else
        m_lent.readOut->setLines(
            m_panel->readOutAt(m_parts.axis->pointer()),
            tr("The word under the cursor. Log-probability: the sum over its pieces of ln P, given the sound "
               "and the text before each. Difference: start and end, found minus reference. Inside the word: "
               "the share of the rows' attention at tokens within the time that was found. Entropy: −Σ A ln A, "
               "in nats. Both are given only for rows that sum to 1. Several pieces: the mean over their rows."));
}

void WordsController::refresh() {
    if (!m_shown)
        return;
    const Session& session = *m_parts.session;
    const OpenUtterance* utterance = session.currentUtterance();
    const OpenModel* model = session.currentModel();
    m_panel->setModelName(model ? model->shownName() : QString());
    const AnalysisResult* result = m_parts.analysis->current();
    const bool isText = utterance && utterance->isText;
    m_panel->setSource(isText, result && isText ? result->sourcePieces : QStringList());
    m_panel->setGivenOffered(whyNotGiven(utterance));
    const std::vector<Interval> reference = utterance ? analysedWords(*utterance) : std::vector<Interval>();
    const QString never = model ? whyNoWords(*model) : QString(); // whatever else is the matter
    const QString why = never.isEmpty() ? whyNothingLive(session, *m_parts.analysis, tr("Words")) : never;
    if (!why.isEmpty()) {
        m_panel->showWords(nullptr, reference, why);
        return refreshBeside(nullptr, why);
    }
    const TextChoice text = m_panel->choice().text;
    m_parts.analysis->requireWords(result->utterance, result->model, text);
    const WordsState& state = result->wordsOf(text);
    const QString sentence = state.sentence.isEmpty() ? tr("Finding the words…") : state.sentence;
    m_panel->showWords(state.words, reference, sentence);
    requireMeasures(*result);
    const std::string chosen = m_panel->measureName();
    const WordsBlock block = m_panel->choice().block;
    const int layer = m_panel->shownLayer();
    if (const MeasuredWords* measured = state.measured(layer, block, chosen))
        m_panel->setMeasured(*measured, measured->reason);
    else if (const DecoderLayerState* of = state.layer(layer, block); of && of->stopped.contains(chosen))
        m_panel->setMeasured({}, m_panel->isSelf() ? tr("Cancelled. Choose Analyse again to compute it.")
                                                   : tr("Cancelled. Click the measure in Mixing to compute it."));
    else
        m_panel->setMeasured({}, tr("Computing…"));
    refreshBeside(&state, sentence);
}

/// Of the block that is shown, and of the cross-attention while its measures are beside it. The checks come with the
/// measures, so each block is asked for one of them at least: of self-attention the contributions, which its checks need.
void WordsController::requireMeasures(const AnalysisResult& result) {
    const auto require = [&](WordsBlock block, const std::vector<std::string>& measures) {
        m_parts.analysis->requireWordMixing(result.utterance, result.model, m_panel->choice().text, block,
                                            m_panel->shownLayer(), measures);
    };
    const bool isSelf = m_panel->isSelf();
    if (isSelf)
        require(WordsBlock::Self, {nameOf(MixingMeasure{Mixing::Contributions, false})});
    if (m_mixing->isVisible())
        require(WordsBlock::Cross, quickWordMeasures());
    else if (!isSelf)
        require(WordsBlock::Cross, {quickWordMeasures().front()});
    if (const std::string& chosen = m_panel->choice().measure; !isSelf && !chosen.empty()) // by itself: it may be slow, and
        require(WordsBlock::Cross, {chosen});                                               // it may be cancelled
}

/// What stands around the words: heads, tab, checks, read-out. `state` null: there are none, and the sentence says why.
void WordsController::refreshBeside(const WordsState* state, const QString& sentence) {
    const WordsChoice& choice = m_panel->choice();
    const auto words = state ? m_panel->words() : nullptr;
    const int layer = m_panel->shownLayer();
    const auto of = [&](WordsBlock block) { return state ? state->layer(layer, block) : nullptr; };
    const OpenModel* model = m_parts.session->currentModel();
    m_heads->show(words, layer, std::max(choice.head, 0), choice.block, m_panel->isText(), model ? whyNoCrossAttention(*model) : QString());
    const QString title = choice.block == WordsBlock::Self ? tr("Self-attention") : tr("Cross-attention");
    m_headsDock->setWindowTitle(title);
    m_headsDock->header()->setTitle(title);
    m_headsDock->header()->setDetail(m_heads->detail());
    m_markedWord = m_panel->map()->currentWord();
    const bool isOfOneHead = choice.head != 0 && (!words || choice.head <= words->heads()); // else the mean of fewer heads is shown
    const OpenUtterance* utterance = std::as_const(*m_parts.session).currentUtterance();
    m_mixing->show({words, sentence, of(WordsBlock::Cross), layer, m_panel->references(), m_markedWord,
                    isOfOneHead || choice.block == WordsBlock::Self ? std::string("none") : choice.measure, m_panel->isText(),
                    utterance && utterance->alignment});
    const auto length = analysedLength(utterance, m_parts.analysis->current());
    if (m_lent.checks) {
        m_lent.checks->setChecks(wordChecks(words.get(), choice.block, of(choice.block), m_parts.session->currentModel(), choice.text, length));
        m_lent.checksHeader->setDetail(layer > 0 ? (choice.block == WordsBlock::Self ? tr("decoder %1, self") : tr("decoder %1, cross")).arg(layer) : QString());
    }
    refreshReadOut();
    Q_EMIT refreshed();
}

} // namespace headroom::app
