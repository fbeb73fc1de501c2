// SPDX-License-Identifier: GPL-3.0-or-later
// Filling the tab PAR, and what is behind its cells.
#include "app/alignments/alignment_store.h"
#include "app/workspaces/analyse/heads/head_tabs.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "app/workspaces/analyse/tabs/metrics_note.h"
#include "core/analysis/strongest_pairs.h"

#include <QAction>

namespace headroom::app {

using widgets::PhonePair;

namespace {

QString choiceText(const PhoneChoice& choice, int layers) {
    const auto [first, last] = choice.layers.in(layers);
    const QString where = first == last ? HeadTabs::tr("Layer %1").arg(first)
                                        : HeadTabs::tr("Layers %1 to %2").arg(first).arg(last);
    return choice.head > 0 ? HeadTabs::tr("%1, head %2").arg(where).arg(choice.head)
                           : HeadTabs::tr("%1, mean of the heads").arg(where);
}

} // namespace

PhoneContent HeadTabs::livePhones() const {
    PhoneContent content;
    const OpenModel* model = m_parts.session->currentModel();
    content.model = model->name;
    content.layers = model->layerCount();
    for (const Architecture::Layer& layer : model->info->architecture.encoder.layers)
        content.heads = std::max(content.heads, layer.headCount());
    for (int number = 1; number <= content.layers; ++number)
        content.metrics.push_back(m_live.layer(number));
    return content;
}

/// How the map was summed, over how many, and what else the study says of it.
QString HeadTabs::studyNote(const OpenStudy& study) const {
    QString note = (m_phoneContent.pooled
                        ? tr("Pooled over all pairs of tokens of %1 utterances%2; their number is by pair.")
                        : tr("Mean over the utterances, of %1%2, in which a pair is defined."))
                       .arg(m_phoneContent.utterances)
                       .arg(study.failedText());
    note += QLatin1Char(' ') + tr("Pairs from fewer than %1 at half opacity.").arg(widgets::kFewUtterances);
    for (const std::string& one : study.document.notes)
        note += QLatin1Char(' ') + QString::fromStdString(one);
    return note;
}

QString HeadTabs::alignmentText(const Utterance* utterance) {
    return utterance && utterance->alignment && !utterance->alignment->origin.empty()
               ? tr("Alignment: %1.").arg(QString::fromStdString(utterance->alignment->origin))
               : QString();
}

QString HeadTabs::liveNote() const {
    QString note = tr("Of this utterance alone: pairs that it does not hold are undefined.");
    if (m_parts.alignments)
        note += QLatin1Char(' ') + tr("Phones as the phone map %1 reads them.")
                                       .arg(QString::fromStdString(m_parts.alignments->map().title()));
    if (const QString origin = alignmentText(m_parts.session->currentUtterance()); !origin.isEmpty())
        note += QLatin1Char(' ') + origin;
    return note;
}

void HeadTabs::sayMissingPhones() {
    const Utterance* utterance = m_parts.session->currentUtterance();
    m_phones->setEmptySentence(tr("PAR needs to know which phone is said when, and %1 has no phones. Open "
                                  "its alignment (TextGrid, CTM, "
                                  "TSV) beside it.")
                                   .arg(utterance ? utterance->name : tr("this utterance")));
    m_phones->setWayOut(m_align);
}

void HeadTabs::refreshPhones() {
    const OpenStudyPtr study = m_parts.evidence->shown(StudyKind::Phones);
    const int number = study ? m_parts.evidence->model(*study) : 0;
    m_phones->setWayOut(nullptr);
    QString note;
    if (study) {
        if (study != m_phoneStudy || number != m_phoneStudyModel) {
            m_phoneContent = studyPhoneContent(study, number);
            m_phones->hidePlaces();
        }
        if (m_phoneContent.layers == 0)
            m_phones->setEmptySentence(tr("%1 holds no PAR.").arg(study->name()));
        note = studyNote(*study);
    } else {
        m_phoneContent = {};
        const QString why = whyNothing(tr("PAR"));
        if (!why.isEmpty())
            m_phones->setEmptySentence(why);
        else if (m_live.phones().empty())
            sayMissingPhones();
        else
            m_phoneContent = livePhones();
    }
    m_phoneStudy = study;
    m_phoneStudyModel = number;
    m_phones->setExtent(m_phoneContent.layers, m_phoneContent.heads);
    const PhoneChoice choice = m_phones->choice();
    const std::vector<int> missing = m_phoneContent.missing(choice);
    widgets::PhoneRelation map = m_phoneContent.map(choice);
    if (study && m_phoneContent.layers > 0 && map.par.empty())
        m_phones->setEmptySentence(tr("There is no PAR here: the head has no N × N map, or no pair of phones "
                                      "is defined in any utterance."));
    if (!study && m_phoneContent.layers > 0) {
        if (choice.layers.kind == LayerRange::Kind::One)
            m_live.require(choice.layers.layer);
        if (missing.size() == 1)
            m_phones->setEmptySentence(tr("Fetching the attention of layer %1.").arg(missing.front()));
        else if (!missing.empty())
            m_phones->setEmptySentence(
                tr("The mean needs the attention of %1 layers more.").arg(missing.size()));
        else if (map.par.empty())
            m_phones->setEmptySentence(tr(
                "This head attends over compressed keys: no key is one token, so there is no PAR. The large "
                "map shows the keys over the tokens that they were made of."));
        note = liveNote();
        const bool together = choice.layers.kind != LayerRange::Kind::One;
        showNote(m_phones->note(), together ? missing : std::vector<int>());
    } else {
        showNote(m_phones->note(), {});
    }
    m_phones->note()->setVisible(m_phoneContent.layers > 0);
    m_phones->note()->setSentence(note);
    const QString title = tr("Phone attention relation, %1 of %2")
                              .arg(choiceText(choice, m_phoneContent.layers).toLower(), m_phoneContent.model);
    m_phones->showMap(std::move(map), title, title + QStringLiteral(". ") + note);
}

void HeadTabs::showCell(PhonePair pair) {
    if (!m_phoneContent.isStudy())
        return showLiveCell(pair);
    const PhoneChoice choice = m_phones->choice();
    // The places of a study are those of single heads: the one in which the cell stands out most.
    const auto head = m_phoneContent.strongest(choice, pair);
    if (!head)
        return;
    PlacesQuery query;
    query.study = m_phoneStudy;
    query.model = m_phoneStudyModel;
    query.set = "cell";
    query.index = {head->first - 1, head->second - 1, pair.attending, pair.attended};
    query.title = tr("Layer %1, head %2: %3 ← %4")
                      .arg(head->first)
                      .arg(head->second)
                      .arg(widgets::phoneName(pair.attending), widgets::phoneName(pair.attended));
    query.valueTitle = tr("× uniform");
    query.layer = head->first;
    query.head = head->second;
    m_parts.evidence->requestPlaces(query);
}

void HeadTabs::showLiveCell(PhonePair pair) {
    const AnalysisResult* result = m_parts.analysis->current();
    const PhoneChoice choice = m_phones->choice();
    const auto head = m_phoneContent.strongest(choice, pair);
    // Of the mean the mean's pairs are listed, where it is of one layer; else of the head that stands out.
    const bool mean = choice.head == 0 && choice.layers.kind == LayerRange::Kind::One;
    const int layer = mean ? choice.layers.layer : head ? head->first : 0;
    const LayerResult* read = result ? result->layer(layer) : nullptr;
    const QString cell =
        QStringLiteral("%1 ← %2").arg(widgets::phoneName(pair.attending), widgets::phoneName(pair.attended));
    if (!head || !read)
        return m_phones->showPlaces(tr("%1: no such pair in this utterance").arg(cell), {});
    const MaxPyramid* map = read->map(mean ? MapSource{MapSource::Kind::HeadMean, 1, false}
                                           : MapSource{MapSource::Kind::Head, head->second, false});
    if (!map) { // it was given back when memory was short
        m_live.require(layer);
        m_parts.analysis->requireAttention(result->utterance, result->model, layer);
        return m_phones->showPlaces(tr("%1: the attention of layer %2 is fetched again").arg(cell).arg(layer),
                                    {});
    }
    const auto phones = m_live.phones();
    std::vector<PhonesPanel::Place> places;
    for (const TokenPair& found :
         strongestPairs(map->level(0), spokenTokens(phones), pair.attending, pair.attended))
        places.push_back({result->clock.centre(Tokens(found.query)), result->clock.centre(Tokens(found.key)),
                          found.ofUniform});
    const QString of = mean ? tr("layer %1, mean of the heads").arg(layer)
                            : tr("layer %1, head %2").arg(layer).arg(head->second);
    m_phones->showPlaces(tr("%1: strongest of %2").arg(cell, of), std::move(places));
}

} // namespace headroom::app
