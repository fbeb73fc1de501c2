// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_values.h"

#include "app/documents/items/paths.h"
#include "app/parts/number_text.h"
#include "app/studies/study_settings.h"
#include "core/errors/error.h"
#include "core/studies/least_length.h"
#include "core/studies/settings.h"
#include "core/text/text_words.h"
#include "widgets/look/translate.h"

#include <algorithm>

namespace headroom::app {

namespace {

const QString kDataField = QStringLiteral("data"), kCountField = QStringLiteral("count"), kNameField = QStringLiteral("name");

/// Whether the kind compares numbers token by token, which tokens of different front ends forbid.
bool comparesTokens(const StudyValues& values) {
    if (values.kind != StudyKind::Similarity)
        return values.kind != StudyKind::Latency;
    const auto places = values.settings.value("places", nlohmann::json()); // only what is not the default
    return places != "phones" && places != "words";
}

/// The worker takes one set of imported maps in place of models.
QString whyNotMaps(const StudyValues& values, const QStringList& names) {
    for (const StudyValues::Model& model : values.models) {
        if (!model.maps || model.state == OpenState::Failed)
            continue;
        if (names.size() > 1)
            return tr("Imported maps are measured in a study of their own. Tick %1 alone, or untick it.").arg(model.name);
        if (values.kind == StudyKind::Latency)
            return tr("A study of latency needs a model, and %1 is imported maps.").arg(model.name);
        if (!values.place.empty())
            return tr("Imported maps are measured on this machine. Choose it in Where.");
    }
    return {};
}

/// The models that are measured; a sentence where they cannot be.
QString takeModels(const StudyValues& values, StudyReport& report) {
    StudyRequest& request = report.request;
    bool opening = false;
    QString mixed;
    const StudyValues::Model* first = nullptr;
    for (const StudyValues::Model& model : values.models) {
        opening = opening || model.state == OpenState::Reading;
        if (model.state == OpenState::Failed)
            continue;
        request.models.push_back(model.folder);
        request.modelNames << model.name;
        report.takesTexts = report.takesTexts || model.readsText;
        if (model.frontEnd.isEmpty() || !comparesTokens(values))
            continue;
        if (!first)
            first = &model;
        else if (model.frontEnd != first->frontEnd && mixed.isEmpty())
            mixed = tr("The front ends differ: %1 reads %2; %3 reads %4. %5")
                        .arg(first->name, first->frontEnd, model.name, model.frontEnd,
                             values.kind == StudyKind::Similarity
                                 ? tr("Choose phones or words in Places, or tick only models with the same front end.")
                                 : tr("Tick only models with the same front end."));
    }
    if (request.models.size() > 1)
        report.notes[QStringLiteral("models")] = values.kind == StudyKind::Latency
                                                      ? tr("All models are timed in turn, at the same lengths.")
                                                      : tr("All models are measured on the same utterances.");
    if (opening)
        return tr("A model is being opened.");
    if (request.models.empty())
        return tr("Tick at least one model in Models.");
    const QString maps = whyNotMaps(values, request.modelNames);
    return maps.isEmpty() ? mixed : maps;
}

QString countText(const StudyData::Counts& counts) {
    if (counts.areTexts)
        return counts.utterances == 1 ? tr("1 text") : tr("%1 texts").arg(thousands(counts.utterances));
    QString text =
        counts.utterances == 1 ? tr("1 utterance") : tr("%1 utterances").arg(thousands(counts.utterances));
    if (counts.speakers > 0)
        text +=
            counts.speakers == 1 ? tr(", 1 speaker") : tr(", %1 speakers").arg(thousands(counts.speakers));
    return text + tr(", %1 with an alignment").arg(thousands(counts.aligned));
}

/// Whether a kind that usually measures tokens is to measure phones or words.
bool measuresUnits(const StudyValues& values) {
    const char* key = values.kind == StudyKind::Mixing       ? "units"
                      : values.kind == StudyKind::Similarity ? "places"
                                                             : "";
    const auto where = values.settings.find(key);
    return where != values.settings.end() && *where != "tokens";
}

bool removesSilence(const StudyValues& values) {
    const auto silence = values.settings.find("silence");
    return values.kind == StudyKind::Heads && silence != values.settings.end() && *silence == "remove";
}

/// Why recordings lack the alignments that are asked for. Empty: they do not, or none are.
QString whyNotAligned(const StudyValues& values, int aligned) {
    const int least = leastAligned(values.kind);
    if (aligned == 0 && least > 0)
        return tr("A study of %1 needs alignments, but none of these recordings has a TextGrid with phones.").arg(kindTitle(values.kind).toLower());
    if (aligned == 0 && measuresUnits(values))
        return tr("Phones and words need alignments, but none of these recordings has one. Choose tokens.");
    if (aligned == 0 && removesSilence(values))
        return tr("Removing silence needs alignments, but none of these recordings has one. Choose “kept” in Silence.");
    return aligned < least ? tr("A probe needs at least two utterances with phones: one to train on and one to test on.") : QString();
}

/// An utterance is left out of all models where one cannot read it. Empty: it is not known that all would be left out.
QString whyTooLong(const StudyValues& values, const StudyData::Counts& counts) {
    const StudyValues::Model* strictest = nullptr;
    qsizetype many = 0;
    for (const StudyValues::Model& model : values.models) {
        many += model.state != OpenState::Failed;
        if (model.state != OpenState::Failed && model.longest > Seconds(0) && (!strictest || model.longest < strictest->longest))
            strictest = &model;
    }
    const bool ofAligned = leastAligned(values.kind) > 0 || measuresUnits(values) || removesSilence(values);
    if (!strictest || (ofAligned ? counts.shortestAligned : counts.shortest) <= strictest->longest)
        return {};
    return (ofAligned ? tr("%1 accepts recordings of at most %2, but none of those with an alignment is that short. %3")
                      : tr("%1 accepts recordings of at most %2, but none of these is that short. %3"))
        .arg(strictest->name, secondsInList(strictest->longest),
             many > 1 ? tr("Untick it in Models, or choose shorter recordings.") : tr("Choose shorter recordings."));
}

/// Why texts cannot be measured: what is asked for needs alignments. Empty: they can.
QString whyNotTexts(const StudyValues& values, StudyReport& report) {
    if (leastAligned(values.kind) > 0)
        return report.mistakes[kDataField] = tr("A study of %1 needs alignments, and texts have none.")
                                                 .arg(kindTitle(values.kind).toLower());
    return measuresUnits(values) ? tr("Phones and words need alignments, and texts have none. Choose tokens.") : QString();
}

/// Says below the least length how many recordings or texts a study leaves out for it; a sentence where that is all. The lengths
/// in a table are rounded, a folder has none, and the worker draws the sample: the study itself says how many it left out.
QString noteTooShort(const StudyValues& values, const StudyData::Counts& counts, StudyReport& report) {
    const double least = leastLengthIn(values.settings, counts.areTexts);
    if (least <= 0)
        return {};
    const auto surely = std::ranges::count_if(counts.lengths, [&](double length) { return length < least && length + counts.beyond <= least; });
    const auto perhaps = std::ranges::count_if(counts.lengths, [&](double length) { return length < least; });
    const QString field = counts.areTexts ? QStringLiteral("fewestWords") : QStringLiteral("shortest");
    if (surely == counts.utterances)
        return report.mistakes[field] =
                   (values.data.empty() ? tr("All of these are shorter than %1. Choose a lower limit, or open longer ones.")
                                        : tr("All of these are shorter than %1. Choose a lower limit, or other data."))
                       .arg(QString::fromStdString(leastLength(values.settings, counts.areTexts)));
    const bool isKnown = surely == perhaps && std::ssize(counts.lengths) == counts.utterances;
    if (surely == 0) {
        if (!isKnown)
            report.notes[field] = tr("The study will say how many are left out.");
        return {};
    }
    const QString count = (isKnown ? tr("%1 of %2") : tr("At least %1 of %2")).arg(thousands(surely), thousands(counts.utterances));
    const bool isSample = report.hasCount && values.utterances < counts.utterances;
    report.notes[field] = (isSample ? (surely == 1 ? tr("%1 is shorter and is left out if it is sampled.")
                                                   : tr("%1 are shorter and are left out if they are sampled."))
                                    : (surely == 1 ? tr("%1 is shorter and is left out.") : tr("%1 are shorter and are left out.")))
                              .arg(count);
    return {};
}

/// Whether the models read what a corpus holds; a sentence where one does not.
QString whyNotRead(const StudyValues& values, bool areTexts) {
    for (const StudyValues::Model& model : values.models)
        if (!model.frontEnd.isEmpty() && model.readsText != areTexts)
            return areTexts ? tr("%1 reads speech, but this data is parallel text. Choose recordings.").arg(model.name)
                            : tr("%1 reads text, but this data is recordings. Choose a corpus of parallel text.").arg(model.name);
    return {};
}

/// The recordings or texts that are measured; a sentence where they cannot be.
QString takeData(const StudyValues& values, StudyReport& report) {
    report.hasData = values.kind != StudyKind::Latency;
    report.hasCount = report.hasData && !values.data.empty();
    if (!report.hasData)
        return {};
    StudyData::Counts counts;
    int parts = 0;
    if (values.data.empty() && report.takesTexts) {
        report.request.texts = values.texts;
        counts.areTexts = true;
        for (const std::string& text : values.texts)
            counts.addText(wordCount(text));
    } else if (values.data.empty()) {
        for (const StudyValues::Recording& recording : values.recordings) {
            counts.add(recording.length, recording.aligned);
            parts += recording.isPart;
            report.request.recordings.push_back(recording);
        }
    } else if (!values.facts || values.facts->folder != values.data) {
        report.notes[kDataField] = tr("loading…");
        return tr("Loading the data…");
    } else if (!values.facts->mistake.isEmpty()) {
        return report.mistakes[kDataField] = values.facts->mistake;
    } else {
        const StudyData& facts = *values.facts;
        const auto split = static_cast<std::size_t>(std::max(0, values.split));
        if (split < facts.counts.size())
            counts = facts.counts[split];
        report.hasSplits = facts.splits.size() > 1;
        report.request.data = values.data;
        report.request.split = report.hasSplits ? facts.splits.value(static_cast<qsizetype>(split)) : QString();
    }
    report.notes[kDataField] = countText(counts);
    if (parts > 0)
        report.notes[kDataField] += tr(". Of %1, only the selection is analysed here; a study measures whole recordings.")
                                        .arg(parts == 1 ? tr("one") : thousands(parts));
    if (counts.utterances == 0)
        return !values.data.empty() ? tr("This data has no readable utterance.")
               : report.takesTexts  ? tr("Open texts, or choose a corpus of parallel text.")
                                    : tr("Open recordings, or choose a folder of them.");
    if (!values.data.empty())
        if (const QString why = whyNotRead(values, counts.areTexts); !why.isEmpty())
            return report.mistakes[kDataField] = why;
    if (counts.areTexts) {
        const QString why = whyNotTexts(values, report);
        return why.isEmpty() ? noteTooShort(values, counts, report) : why;
    }
    for (const QString& why : {whyNotAligned(values, counts.aligned), whyTooLong(values, counts)})
        if (!why.isEmpty())
            return report.mistakes[kDataField] = why;
    if (report.hasCount && values.utterances < leastAligned(values.kind))
        return report.mistakes[kCountField] = tr("A probe needs at least two utterances.");
    return noteTooShort(values, counts, report);
}

/// Settings that the worker would refuse: out of range, or longer than a model accepts. A mistake of the setting's key.
QString refuseSettings(const StudyValues& values, StudyReport& report) {
    nlohmann::json settings;
    try {
        settings = readStudySettings(values.kind, values.settings);
    } catch (const Error& mistake) {
        const auto key = QString::fromStdString(mistake.values().value("key", std::string()));
        return report.mistakes[key] = QString::fromUtf8(mistake.what());
    }
    if (values.kind != StudyKind::Latency)
        return {};
    const auto lengths = settings.at("lengths").get<std::vector<std::int64_t>>();
    const std::int64_t longest = *std::max_element(lengths.begin(), lengths.end());
    for (const StudyValues::Model& model : values.models)
        if (model.longestTokens > 0 && longest > model.longestTokens)
            return report.mistakes[QStringLiteral("lengths")] =
                       tr("%1 accepts at most %2 tokens. Set shorter Lengths.").arg(model.name, thousands(model.longestTokens));
    return {};
}

/// The session's phone map, by the name of an included one or as a file. A corpus has its own unless this one is chosen.
void takePhoneMap(const StudyValues& values, StudyReport& report) {
    constexpr const char* kKey = "phoneMap";
    StudyRequest& request = report.request;
    const bool isChosen = values.settings.value(kKey, std::string()) == kSessionPhoneMap;
    if (isChosen)
        request.settings.erase(kKey);
    const bool isMeant = isChosen || (values.data.empty() && !report.takesTexts && !values.settings.contains(kKey));
    if (!isMeant || !values.phoneMap || !findStudySetting(values.kind, kKey))
        return;
    for (const std::string& name : PhoneMap::names())
        if (PhoneMap::named(name) == *values.phoneMap) {
            request.settings[kKey] = name;
            return;
        }
    request.settings[kKey] = phoneMapFile(values.studies, *values.phoneMap).string();
    request.phoneMap = values.phoneMap->text();
}

/// A suggested name moves aside by itself; the user's own must be free.
void takeName(const StudyValues& values, StudyReport& report) {
    const bool isOwn = !values.name.isEmpty();
    const QString wanted =
        isOwn ? values.name
              : studyFolderName(values.when, values.kind, report.request.modelNames.join(QLatin1Char('-')));
    report.name = wanted;
    for (int n = 2; !isOwn && values.taken.contains(report.name); ++n)
        report.name = wanted + QStringLiteral("_%1").arg(n);
    if (wanted.isEmpty() || wanted.contains(u'/') || wanted.startsWith(u'.'))
        report.mistakes[kNameField] = tr("A name must not contain “/” or start with a full stop.");
    else if (isOwn && values.taken.contains(wanted))
        report.mistakes[kNameField] = tr("A study of this name already exists. Choose another name.");
    report.request.folder = values.studies / toPath(report.name);
}

} // namespace

StudyReport validate(const StudyValues& values) {
    StudyReport report;
    StudyRequest& request = report.request;
    request.kind = values.kind;
    request.utterances = values.utterances;
    request.seed = values.seed;
    request.settings = values.settings;
    request.figures = values.figures;
    request.place = values.place;
    request.device = values.device;
    report.notes[QStringLiteral("kind")] = kindSentence(values.kind);
    const QString models = takeModels(values, report), data = takeData(values, report), settings = refuseSettings(values, report);
    takePhoneMap(values, report);
    takeName(values, report);
    const auto name = report.mistakes.find(kNameField);
    report.reason = !models.isEmpty()                ? models
                    : !data.isEmpty()                ? data
                    : !settings.isEmpty()            ? settings
                    : name != report.mistakes.end() ? name->second
                                                     : QString();
    report.sentence = !report.reason.isEmpty() ? report.reason
                      : values.place.empty()   ? tr("It continues when this window is closed.")
                                               : tr("It is computed at %1. Models and recordings that are not there are copied first.")
                                                     .arg(QString::fromStdString(values.place));
    return report;
}

} // namespace headroom::app
