// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/phones/phones_controller.h"

#include "app/alignments/alignment_store.h"
#include "app/parts/view_values.h"
#include "app/studies/study_names.h"
#include "app/workspaces/analyse/common/caption_text.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "app/workspaces/analyse/heads/head_content.h"
#include "app/workspaces/analyse/heads/live_metrics.h"
#include "app/workspaces/analyse/heads/live_state.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "core/analysis/strongest_pairs.h"
#include "core/studies/notes.h"
#include "widgets/look/pair_text.h"

#include <QAction>
#include <QTabWidget>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace headroom::app {

using widgets::PhonePair;

namespace {

QString choiceText(const PhoneChoice& choice, int layers) {
    const auto [first, last] = choice.layers.in(layers);
    const QString where = first == last ? PhonesController::tr("Layer %1").arg(first)
                                        : PhonesController::tr("Layers %1 to %2").arg(first).arg(last);
    return choice.head > 0 ? PhonesController::tr("%1, head %2").arg(where).arg(choice.head)
                           : PhonesController::tr("%1, mean of the heads").arg(where);
}

QString cellText(PhonePair pair) {
    return widgets::pairText(widgets::phoneName(pair.attending), widgets::phoneName(pair.attended));
}

constexpr const char* kPhonesKey = "phones"; ///< of the view
/// Of LayerRange::Kind, in its order.
constexpr std::array<std::string_view, 4> kRangeNames{"one", "lower half", "upper half", "all"};

constexpr int kTab = 2; ///< behind CAD, as in the papers: layers, heads, phones

} // namespace

PhonesController::PhonesController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_panel(new PhonesPanel(
          new EvidenceField(parts.evidence, StudyKind::Phones, EvidenceField::Live::Offered), parts.tabs)) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &PhonesController::refresh);
    m_panel->setObjectName(QStringLiteral("parTab"));
    parts.tabs->setTabToolTip(parts.tabs->insertTab(kTab, m_panel, tr("PAR 37 × 37")),
                              tr("Which phones attend to which phones."));
    connectPanel();
    followChoice();
    Session* session = parts.session;
    for (auto signal : {&Session::currentUtteranceChanged, &Session::currentModelChanged,
                        &Session::currentLayerChanged, &Session::mapSourceChanged})
        connect(session, signal, this, &PhonesController::refreshSoon);
    connect(session, &Session::utteranceChanged, this, &PhonesController::refreshSoon);
    connect(session, &Session::utteranceRemoved, this, &PhonesController::refreshSoon);
    connect(session, &Session::modelChanged, this, &PhonesController::refreshSoon);
    connect(session, &Session::modelRemoved, this, &PhonesController::refreshSoon);
    connect(parts.analysis, &AnalysisService::resultChanged, this, &PhonesController::refreshSoon);
    connect(parts.analysis, &AnalysisService::layerReady, this, &PhonesController::refreshSoon);
    connect(parts.live, &LiveMetrics::changed, this, &PhonesController::refreshSoon);
    connect(parts.evidence, &StudyEvidence::shownChanged, this, &PhonesController::refreshSoon);
    connect(parts.tabs, &QTabWidget::currentChanged, this, &PhonesController::refreshSoon);
    refreshSoon();
}

void PhonesController::connectPanel() {
    connect(m_panel->note(), &MetricsNote::wanted, m_parts.live, &LiveMetrics::requireAll);
    connect(m_panel, &PhonesPanel::cellActivated, this, &PhonesController::showCell);
    connect(m_panel, &PhonesPanel::choiceChanged, this, [this](const PhoneChoice& choice) {
        m_panel->hidePlaces();
        m_keptChoice.reset();
        if (choice.layers.kind == LayerRange::Kind::One && !m_content.isStudy())
            m_parts.session->setCurrentLayer(choice.layers.layer);
        refresh(); // at once: the next head is one frame away
    });
    connect(m_panel, &PhonesPanel::placeChosen, this, [this](Seconds query, Seconds key) {
        m_parts.axis->setCursor(query);
        m_parts.axis->setPointer(key);
        m_parts.axis->reveal(query);
    });
    connect(m_parts.session, &Session::currentUtteranceChanged, m_panel, &PhonesPanel::hidePlaces);
    connect(m_parts.session, &Session::currentModelChanged, m_panel, &PhonesPanel::hidePlaces);
}

/// The choosers follow what is looked at, until a half or all layers are chosen.
void PhonesController::followChoice() {
    connect(m_parts.session, &Session::currentLayerChanged, this, [this] {
        PhoneChoice choice = m_panel->choice();
        if (choice.layers.kind != LayerRange::Kind::One ||
            choice.layers.layer == m_parts.session->currentLayer())
            return;
        choice.layers.layer = m_parts.session->currentLayer();
        m_panel->hidePlaces();
        m_panel->setChoice(choice);
    });
    connect(m_parts.session, &Session::mapSourceChanged, this, [this] {
        const MapSource source = m_parts.session->mapSource();
        if (source.kind != MapSource::Kind::Head)
            return;
        PhoneChoice choice = m_panel->choice();
        choice.head = source.head;
        m_panel->setChoice(choice);
    });
}

void PhonesController::setAlignAction(QAction* action) {
    m_align = action;
    refreshSoon();
}

void PhonesController::refreshSoon() {
    if (!m_soon.isActive())
        m_soon.start();
}

void PhonesController::saveView(nlohmann::json& view) const {
    const PhoneChoice choice = m_keptChoice.value_or(m_panel->choice());
    nlohmann::json kept = m_panel->look();
    kept["layers"] = kRangeNames.at(std::size_t(choice.layers.kind));
    kept["layer"] = choice.layers.layer;
    kept["head"] = choice.head;
    kept["ofStudy"] = m_keptChoice || m_parts.evidence->shown(StudyKind::Phones);
    view[kPhonesKey] = std::move(kept);
}

/// The layer of the open utterance is the session's; a study, which is read in the background, may show another.
void PhonesController::restoreView(const nlohmann::json& view) {
    const nlohmann::json kept = view.value(kPhonesKey, nlohmann::json());
    m_panel->setLook(kept);
    PhoneChoice choice;
    const auto range = std::ranges::find(kRangeNames, stringIn(kept, "layers").value_or(""));
    if (range != kRangeNames.end())
        choice.layers.kind = LayerRange::Kind(range - kRangeNames.begin());
    choice.layers.layer = std::max(wholeIn(kept, "layer", m_parts.session->currentLayer()), 1);
    const MapSource source = m_parts.session->mapSource();
    choice.head = std::max(wholeIn(kept, "head", source.kind == MapSource::Kind::Head ? source.head : 0), 0);
    m_keptChoice = truthIn(kept, "ofStudy", false) ? std::optional(choice) : std::nullopt;
    m_panel->hidePlaces();
    m_panel->setChoice(choice);
    refreshSoon();
}

PhoneContent PhonesController::liveContent() const {
    PhoneContent content;
    const OpenModel* model = m_parts.session->currentModel();
    content.model = model->shownName();
    content.layers = model->layerCount();
    for (const Architecture::Layer& layer : model->info->architecture.encoder.layers)
        content.heads = std::max(content.heads, layer.headCount());
    for (int number = 1; number <= content.layers; ++number)
        content.metrics.push_back(m_parts.live->layer(number));
    return content;
}

/// How the map was summed, over how many, and what else the study says of it.
QString PhonesController::studyNote(const OpenStudy& study, int number) const {
    const bool one = m_content.utterances == 1;
    QString note = m_content.pooled && one ? tr("Pooled over all token pairs of 1 utterance%1; the number varies by phone pair.")
                   : m_content.pooled      ? tr("Pooled over all token pairs of %1 utterances%2; the number varies by phone pair.")
                                                 .arg(m_content.utterances)
                   : one                   ? tr("Of 1 utterance%1.")
                                           : tr("Mean over those of the %1 utterances%2 that contain the pair.").arg(m_content.utterances);
    note = note.arg(study.failedText());
    note += QLatin1Char(' ') + tr("Pairs in fewer than %1 at half opacity.").arg(widgets::kFewUtterances);
    for (const std::string& more : notesAbout(study.document, {number - 1}))
        note += QLatin1Char(' ') + QString::fromStdString(more);
    return note;
}

QString PhonesController::mapNote() const {
    QString note = tr("Pairs that do not occur are undefined.");
    if (m_parts.alignments)
        note += QLatin1Char(' ') + tr("Phone map: %1.")
                                       .arg(QString::fromStdString(m_parts.alignments->map().title()));
    return note;
}

/// Below a figure, where it is not seen which utterance is open.
QString PhonesController::liveCaption() const {
    const AnalysisResult* result = m_parts.analysis->current();
    const QString recording = recordingText(std::as_const(*m_parts.session).currentUtterance()),
                  part = result ? partText(result->covered()) : QString();
    return recording + QLatin1Char(' ') + (part.isEmpty() ? QString() : tr("Analysed%1.").arg(part) + QLatin1Char(' ')) + mapNote();
}

QString PhonesController::modelWithHash() const {
    if (m_study) {
        const QString hash = weightsText(m_study->document.models[std::size_t(m_studyModel - 1)]);
        return hash.isEmpty() ? m_content.model : tr("%1 (%2)").arg(m_content.model, hash);
    }
    const OpenModel* model = m_parts.session->currentModel();
    return model ? modelText(*model, m_parts.analysis->current()) : m_content.model;
}

QString PhonesController::liveNote() const {
    QString note = tr("This utterance only.") + QLatin1Char(' ') + mapNote();
    if (const QString origin = alignmentText(m_parts.session->currentUtterance()); !origin.isEmpty())
        note += QLatin1Char(' ') + origin;
    return note;
}

void PhonesController::sayMissingPhones() {
    const OpenUtterance* utterance = m_parts.session->currentUtterance();
    if (utterance && utterance->isText)
        return m_panel->setEmptySentence(tr("PAR needs phones, and a text has none."));
    m_panel->setEmptySentence(tr("PAR needs phones, and %1 has none. Open its alignment (TextGrid, CTM, "
                                 "TSV).")
                                   .arg(utterance ? utterance->shownName() : tr("this utterance")));
    m_panel->setRemedy(m_align);
}

/// Asks for what is missing of the choice, and says so in the place of the map.
void PhonesController::sayMissing(const PhoneChoice& choice, const std::vector<int>& missing, bool isEmpty) {
    if (choice.layers.kind == LayerRange::Kind::One)
        m_parts.live->require(choice.layers.layer);
    if (missing.size() == 1)
        m_panel->setEmptySentence(tr("Loading the attention of layer %1…").arg(missing.front()));
    else if (!missing.empty())
        m_panel->setEmptySentence(tr("The mean needs the attention of %1 more layers.").arg(missing.size()));
    else if (isEmpty)
        m_panel->setEmptySentence(
            tr("This head attends to compressed keys, which are not single tokens, so there is no PAR. The "
               "large map shows each key over the tokens it was computed from."));
}

void PhonesController::refresh() {
    m_soon.stop();
    if (m_parts.tabs->currentWidget() != m_panel)
        return;
    const OpenStudyPtr study = m_parts.evidence->shown(StudyKind::Phones);
    const int number = study ? m_parts.evidence->model(*study) : 0;
    m_panel->setRemedy(nullptr);
    QString note;
    if (study) {
        if (study != m_study || number != m_studyModel) {
            m_content = studyPhoneContent(study, number);
            m_panel->hidePlaces();
        }
        if (m_content.layers == 0)
            m_panel->setEmptySentence(tr("%1 has no PAR results.").arg(study->name()));
        note = whoseNumbers(*study, number) + QLatin1Char(' ') + studyNote(*study, number);
    } else {
        m_content = {};
        const QString why = whyNothingLive(*m_parts.session, *m_parts.analysis, tr("PAR"));
        if (!why.isEmpty())
            m_panel->setEmptySentence(why);
        else if (m_parts.live->phones().empty())
            sayMissingPhones();
        else
            m_content = liveContent();
    }
    m_study = study;
    m_studyModel = number;
    m_panel->setExtent(m_content.layers, m_content.heads);
    if (study && m_keptChoice)
        m_panel->setChoice(*std::exchange(m_keptChoice, std::nullopt));
    PhoneChoice choice = m_panel->choice();
    if (!study && choice.layers.kind == LayerRange::Kind::One) { // a study may have had fewer layers
        choice.layers.layer = m_parts.session->currentLayer();
        m_panel->setChoice(choice);
        choice = m_panel->choice();
    }
    const std::vector<int> missing = m_content.missing(choice);
    widgets::PhoneRelation map = m_content.map(choice);
    if (study && m_content.layers > 0 && map.par.empty())
        m_panel->setEmptySentence(tr("No PAR: the head has no N × N map, or no pair of phones is defined "
                                     "in any utterance."));
    if (!study && m_content.layers > 0) {
        sayMissing(choice, missing, map.par.empty());
        note = liveNote();
    }
    const bool together = choice.layers.kind != LayerRange::Kind::One;
    showMissingLayers(m_panel->note(), *m_parts.live,
                      !study && m_content.layers > 0 && together ? missing : std::vector<int>());
    m_panel->note()->setVisible(m_content.layers > 0);
    m_panel->note()->setSentence(note);
    const QString relation = tr("Phone attention relation, %1 of %2"), chosen = choiceText(choice, m_content.layers).toLower();
    m_panel->showMap(std::move(map), relation.arg(chosen, m_content.model),
                     relation.arg(chosen, modelWithHash()) + QStringLiteral(". ") + (study ? note : liveCaption()));
}

void PhonesController::showCell(PhonePair pair) {
    if (!m_content.isStudy())
        return showLiveCell(pair);
    const PhoneChoice choice = m_panel->choice();
    // The places of a study are those of single heads: the one in which the cell stands out most.
    const auto head = m_content.strongest(choice, pair);
    PlacesQuery query;
    query.study = m_study;
    query.model = m_studyModel;
    query.set = "cell";
    if (!head) { // places of another cell would be taken for this one's
        query.index = {choice.layers.in(m_content.layers).first - 1, std::max(choice.head, 1) - 1, pair.attending, pair.attended};
        query.title = cellText(pair);
        query.whyNone = tr("PAR is undefined: no utterance has this pair of phones.");
        return m_parts.evidence->requestPlaces(query);
    }
    query.index = {head->first - 1, head->second - 1, pair.attending, pair.attended};
    // The field says "Mean of heads": then the head must be said to be the one that stands out.
    query.title = (choice.head == 0 ? tr("Layer %1, head %2 (the strongest): %3") : tr("Layer %1, head %2: %3"))
                      .arg(head->first)
                      .arg(head->second)
                      .arg(cellText(pair));
    query.valueTitle = tr("× uniform");
    query.layer = head->first;
    query.head = head->second;
    m_parts.evidence->requestPlaces(query);
}

void PhonesController::showLiveCell(PhonePair pair) {
    const AnalysisResult* result = m_parts.analysis->current();
    const PhoneChoice choice = m_panel->choice();
    const auto head = m_content.strongest(choice, pair);
    // Of the mean the mean's pairs are listed, where it is of one layer; else of the head that stands out.
    const bool mean = choice.head == 0 && choice.layers.kind == LayerRange::Kind::One;
    const int layer = mean ? choice.layers.layer : head ? head->first : 0;
    const LayerResult* read = result ? result->layer(layer) : nullptr;
    const QString cell = cellText(pair);
    if (!head || !read)
        return m_panel->showPlaces(tr("%1: no such pair in this utterance").arg(cell), {});
    const MaxPyramid* map = read->map(mean ? MapSource{MapSource::Kind::HeadMean, 1, false}
                                           : MapSource{MapSource::Kind::Head, head->second, false});
    if (!map) { // it was given back when memory was short
        m_parts.live->require(layer);
        m_parts.analysis->requireAttention(result->utterance, result->model, layer);
        return m_panel->showPlaces(tr("%1: loading the attention of layer %2 again…").arg(cell).arg(layer),
                                    {});
    }
    const auto phones = m_parts.live->phones();
    std::vector<PhonesPanel::Place> places;
    for (const TokenPair& found :
         strongestPairs(map->level(0), spokenTokens(phones), pair.attending, pair.attended))
        places.push_back({result->clock.cellCentre(Tokens(found.query)), result->clock.cellCentre(Tokens(found.key)),
                          found.ofUniform});
    const QString of = mean ? tr("layer %1, mean of the heads").arg(layer)
                            : tr("layer %1, head %2").arg(layer).arg(head->second);
    m_panel->showPlaces(tr("%1: strongest of %2").arg(cell, of), std::move(places));
}

} // namespace headroom::app
