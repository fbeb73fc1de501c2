// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/words_controller.h"

#include "app/parts/actions.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/common/view_values.h"
#include "app/workspaces/analyse/heads/live_state.h"
#include "app/workspaces/analyse/map/map_controller.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "widgets/look/context_menu.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/tiers/tier_lane.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace headroom::app {

namespace {

/// The values of TextChoice in a session.
constexpr std::array<const char*, 3> kTextNames{"heard", "given", "best"};

} // namespace

WordsController::WordsController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_panel(new WordsPanel(parts.axis)) {
    m_panel->setObjectName(QStringLiteral("wordsPanel"));
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
    connect(m_panel, &WordsPanel::choiceChanged, this, &WordsController::refreshSoon);
    connect(m_panel, &WordsPanel::wordReached, this, &WordsController::select);
    connect(m_panel, &WordsPanel::wordActivated, this, [this](widgets::TimeSpan time) {
        select(time);
        m_parts.transport->play();
    });
    for (auto signal : {&widgets::TimeAxis::cursorChanged, &widgets::TimeAxis::pointerChanged,
                        &widgets::TimeAxis::selectionChanged})
        connect(parts.axis, signal, this, &WordsController::refreshReadOut);
    const auto showColours = [this] { m_panel->setColours(m_parts.map->colourMap(), m_parts.map->gamma()); };
    connect(parts.map, &MapController::coloursChanged, this, showColours);
    showColours();
    connectActions();
}

/// Two maps need two columns, so the text excludes a comparison.
void WordsController::connectActions() {
    const Actions& a = *m_parts.actions;
    auto* copy = new QAction(tr("Copy the text"), this);
    connect(copy, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(m_panel->text()); });
    widgets::setContextMenu(m_panel->map(), {a.play, a.loop, nullptr, a.fitSelection, a.fit, nullptr, a.analyseSelection, nullptr,
                                             copy, a.exportFigure});
    QAction *words = m_parts.actions->words, *compare = m_parts.actions->compare;
    connect(words, &QAction::toggled, this, [this, compare](bool shown) {
        if (shown)
            compare->setChecked(false);
        setShown(shown);
    });
    connect(compare, &QAction::toggled, this, [words](bool on) {
        if (on)
            words->setChecked(false);
    });
}

void WordsController::setShown(bool shown) {
    m_shown = shown;
    Q_EMIT shownChanged(shown);
    if (shown) {
        m_readOut = m_parts.map->lendReadOut();
        refreshReadOut();
        focusMap();
    } else {
        m_readOut = nullptr;
        m_parts.map->takeReadOutBack();
        m_parts.map->focusMap();
    }
    refreshSoon();
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
    const Utterance* utterance = std::as_const(*m_parts.session).currentUtterance();
    const TextChoice choice = m_panel->choice().text;
    const QString text = choice == TextChoice::Given  ? tr("the text as given")
                         : choice == TextChoice::Best ? tr("the best text of a search")
                                                      : tr("the text as heard");
    return tr("%1 in %2, %3, %4. %5")
        .arg(title(), utterance ? utterance->name : QString(), m_panel->headField()->currentText().toLower(),
             text, m_panel->note()->sentence());
}

void WordsController::refreshSoon() {
    if (m_shown)
        m_soon.start();
}

void WordsController::select(widgets::TimeSpan time) {
    m_parts.axis->setSelection(time);
    m_parts.axis->setCursor(time.start);
    m_parts.axis->reveal(time.end);
    m_parts.axis->reveal(time.start);
}

void WordsController::refreshReadOut() {
    if (m_readOut && m_parts.axis->countsTokens())
        m_readOut->setLines(m_panel->translationReadOut(m_parts.axis->pointer()),
                            tr("The translation: log-probability is the sum over its pieces of ln P, given the source and the "
                               "text before each. The pointer is the source token under the mouse."));
    else if (m_readOut)
        m_readOut->setLines(
            m_panel->readOutAt(m_parts.axis->pointer()),
            tr("The word under the cursor. Log-probability: the sum over its pieces of ln P, given the sound and the text "
               "before each. Difference: start and end, found minus reference. Inside the word: the share of the rows' "
               "attention at tokens within the time that was found. Entropy: −Σ A log₂ A. Several pieces: the mean over "
               "their rows."));
}

void WordsController::refresh() {
    if (!m_shown)
        return;
    const Session& session = *m_parts.session;
    const Utterance* utterance = session.currentUtterance();
    const OpenModel* model = session.currentModel();
    m_panel->setModelName(model ? model->name : QString());
    const AnalysisResult* analysed = m_parts.analysis->current();
    m_panel->setSourcePieces(analysed && utterance && utterance->isText ? analysed->sourcePieces : QStringList());
    m_panel->setGivenOffered(utterance && !utterance->transcript().isEmpty());
    const std::vector<Interval> reference =
        utterance && utterance->alignment ? utterance->alignment->words : std::vector<Interval>();
    const TextChoice text = m_panel->choice().text;
    const QString why = whyNothingLive(session, *m_parts.analysis, tr("Words"));
    if (!why.isEmpty()) {
        m_panel->showWords(nullptr, reference, why);
        return refreshReadOut();
    }
    const AnalysisResult* result = m_parts.analysis->current();
    m_parts.analysis->requireWords(result->utterance, result->model, text);
    const WordsState& state = result->wordsOf(text);
    m_panel->showWords(state.words, reference,
                       state.sentence.isEmpty() ? tr("Finding the words…") : state.sentence);
    refreshReadOut();
}

void WordsController::saveView(nlohmann::json& view) const {
    const WordsChoice choice = m_panel->choice();
    view["words"] = {{"text", kTextNames[static_cast<std::size_t>(choice.text)]},
                     {"layer", choice.layer},
                     {"head", choice.head},
                     {"block", choice.block == WordsBlock::Self ? "self" : "cross"},
                     {"contributions", choice.contributions}};
    view["wordsShown"] = m_shown;
}

void WordsController::restoreView(const nlohmann::json& view) {
    restoreChoice(view);
    m_parts.actions->words->setChecked(truthIn(view, "wordsShown", false));
}

void WordsController::restoreChoice(const nlohmann::json& view) {
    const auto found = view.find("words");
    if (found == view.end() || !found->is_object())
        return;
    WordsChoice choice;
    const auto name = std::ranges::find(kTextNames, found->value("text", nlohmann::json()));
    choice.text = name == kTextNames.end() ? TextChoice::Heard : static_cast<TextChoice>(name - kTextNames.begin());
    choice.layer = static_cast<int>(std::clamp(numberIn(*found, "layer", 0), 0.0, 1000.0));
    choice.head = static_cast<int>(std::clamp(numberIn(*found, "head", 0), 0.0, 1000.0));
    choice.contributions = found->value("contributions", nlohmann::json()) == true;
    choice.block = found->value("block", nlohmann::json()) == "self" ? WordsBlock::Self : WordsBlock::Cross;
    m_panel->setChoice(choice);
    refreshSoon();
}

} // namespace headroom::app
