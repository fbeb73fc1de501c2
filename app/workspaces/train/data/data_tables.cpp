// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/data_tables.h"

#include "app/parts/number_text.h"
#include "core/runs/task_kind.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

constexpr double kSecondsPerHour = 3600, kSecondsPerMinute = 60;

StudyColumn durationColumn(double longest) {
    return longest >= kSecondsPerHour ? StudyColumn{"hours", tr("Hours").toStdString(), "", 1, false}
                            : StudyColumn{"minutes", tr("Minutes").toStdString(), "", 1, false};
}

double inUnit(double seconds, double longest) {
    return seconds / (longest >= kSecondsPerHour ? kSecondsPerHour : kSecondsPerMinute);
}

StudyColumn countColumn(const char* key, const QString& title) {
    return {key, title.toStdString(), "", 0, false};
}

StudyColumn textColumn(const char* key, const QString& title) {
    return {key, title.toStdString(), "", 0, true};
}

QString kindText(DefectKind kind) {
    return kind == DefectKind::Unusable     ? tr("unusable")
           : kind == DefectKind::Suspicious ? tr("suspicious")
                                            : tr("to know");
}

/// "en 2.71"; the value alone where the only language is not known.
template <typename Texts>
QString inLanguage(const Texts& texts, std::size_t at, const QString& value) {
    const QString name = textName(texts[at].language, at, texts.size());
    return name.isEmpty() ? value : name + u' ' + value;
}

double asDouble(std::int64_t count) {
    return static_cast<double>(count);
}

} // namespace

QString hoursText(double seconds) {
    const bool hours = seconds >= kSecondsPerHour;
    return widgets::timeText(seconds / (hours ? kSecondsPerHour : kSecondsPerMinute), 1) + widgets::kNarrowSpace +
           (hours ? QStringLiteral("h") : QStringLiteral("min"));
}

StudyTable splitsTable(const CorpusSummary& summary) {
    StudyTable table;
    table.name = "splits";
    table.title = tr("Splits").toStdString();
    table.columns = {textColumn("split", tr("Split")), durationColumn(summary.seconds()),
                     countColumn("utterances", tr("Utterances")), countColumn("speakers", tr("Speakers"))};
    for (const auto& split : summary.splits)
        table.rows.push_back(
            {split.name, inUnit(split.seconds, summary.seconds()), asDouble(split.utterances),
             split.speakers.empty() ? StudyCell() : StudyCell(double(split.speakers.size()))});
    if (readsText(summary.task)) {
        table.columns.erase(table.columns.begin() + 1);
        for (auto& row : table.rows)
            row.erase(row.begin() + 1);
    }
    return table;
}

StudyTable defectsTable(const CorpusSummary& summary) {
    double longest = 0;
    for (const auto& defect : summary.defects)
        longest = std::max(longest, defect.seconds);
    StudyTable table;
    table.name = "defects";
    table.title = tr("Defects").toStdString();
    table.columns = {textColumn("defect", tr("Defect")), textColumn("kind", tr("Means")),
                     countColumn("utterances", tr("Utterances")), durationColumn(longest)};
    for (const auto& defect : summary.defects)
        table.rows.push_back({defectTitle(defect.code), kindText(defect.kind).toStdString(),
                              double(defect.utterances.size()),
                              defect.seconds > 0 ? StudyCell(inUnit(defect.seconds, longest)) : StudyCell()});
    return table;
}

StudyTable defectiveTable(const CorpusDefect& defect, const Corpus& corpus, const std::string& task) {
    StudyTable table;
    table.name = "defective";
    table.title = defectTitle(defect.code);
    table.columns = {textColumn("play", QString()),    textColumn("id", tr("Utterance")),
                     textColumn("split", tr("Split")), {"seconds", tr("Length").toStdString(), "s", 2, false},
                     textColumn("text", tr("Text")),   textColumn("problem", tr("Problem"))};
    for (std::size_t i = 0; i < defect.utterances.size() && i < kMostShown; ++i) {
        const auto& one = defect.utterances[i];
        std::vector<StudyCell> row{std::string(), one.id,        one.split,
                                   StudyCell(),   std::string(), one.sentence};
        if (one.index >= 0) {
            const auto& utterance = corpus.utterances(one.split, task)[static_cast<std::size_t>(one.index)];
            row[4] = utterance.text;
            if (one.seconds > 0)
                row[3] = one.seconds;
            else if (utterance.frames)
                row[3] = secondsOfFrames(utterance.frames->value());
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

QString splitName(const std::string& split) {
    const QString name = QString::fromStdString(split);
    return split == "all" ? QStringLiteral("“%1”").arg(name) : name;
}

QString leftOutText(const LeftOutFacts& left) {
    const auto list = [](std::int64_t tooShort, std::int64_t tooLong) {
        QStringList parts;
        if (tooShort > 0)
            parts << tr("%1 too short").arg(thousands(tooShort));
        if (tooLong > 0)
            parts << tr("%1 too long").arg(thousands(tooLong));
        return parts.join(QStringLiteral(", "));
    };
    QStringList parts{list(left.tooShort.utterances - left.tooShort.unusable, left.tooLong.utterances - left.tooLong.unusable)};
    if (!parts.first().isEmpty())
        parts.first() += QStringLiteral(", ") + hoursText(left.tooShort.seconds + left.tooLong.seconds);
    if (const std::int64_t unusable = left.tooShort.unusable + left.tooLong.unusable; unusable > 0) // whose length nobody knows
        parts << (unusable == 1 ? tr("%1 by the table (unusable recording)") : tr("%1 by the table (unusable recordings)"))
                     .arg(list(left.tooShort.unusable, left.tooLong.unusable));
    parts.removeAll(QString());
    return parts.isEmpty() ? QString() : tr("left out: %1").arg(parts.join(QStringLiteral("; ")));
}

QString speakersText(const CorpusSummary& summary, const SplitFacts& split) {
    if (split.speakers.empty())
        return tr("none named");
    const QString text = tr("%1 in %2").arg(thousands(std::int64_t(split.speakers.size())), splitName(split.name));
    if (summary.splits.size() < 2)
        return text;
    const auto shared = std::ranges::count_if(
        split.speakers, [&](const SpeakerFacts& speaker) { return summary.sharedSpeakers.contains(speaker.name); });
    return shared == 0 ? tr("%1, none in another split").arg(text)
                       : tr("%1, %2 also in other splits").arg(text, thousands(shared));
}

QString languageName(const std::string& language) {
    // "text": see TextFacts; "und": undetermined; the last two: see CorpusTask
    const bool isKnown = language != "text" && language != "und" && language != "source" && language != "target";
    return isKnown ? QString::fromStdString(language) : QString();
}

QString textName(const std::string& language, std::size_t at, std::size_t count) {
    const QString name = languageName(language);
    return !name.isEmpty() || count < 2 ? name : at == 0 ? tr("source") : tr("target");
}

QString languagesText(const CorpusSummary& summary) {
    QStringList names;
    bool known = false;
    for (const auto& one : summary.vocabularies) {
        const QString name = languageName(one.language);
        known = known || !name.isEmpty();
        names << (name.isEmpty() ? tr("not stated") : name);
    }
    return known ? names.join(QStringLiteral(" → ")) : tr("not stated");
}

QString ratesText(const SplitFacts& split) {
    QStringList parts;
    for (std::size_t at = 0; at < split.texts.size(); ++at)
        if (const double rate = split.texts[at].meanRate(); std::isfinite(rate))
            parts << inLanguage(split.texts, at, widgets::numberText(rate, 2));
    return parts.isEmpty() ? tr("no text") : parts.join(QStringLiteral(", ")) + tr(" per second");
}

namespace {

/// What is counted is said if `whole`: the number is of different words, the shares are of running ones.
QString vocabulary(const CorpusSummary& summary, const SplitFacts& shown, bool whole) {
    QStringList counts;
    for (std::size_t at = 0; at < shown.texts.size(); ++at)
        counts << inLanguage(shown.texts, at, thousands(shown.texts[at].vocabulary.different));
    const bool isTraining = summary.trainingSplits.contains(shown.name);
    QStringList unknown;
    for (const SplitFacts& split : summary.splits)
        for (std::size_t at = 0; at < summary.vocabularies.size(); ++at)
            if (const auto share = summary.vocabularies[at].unknown.find(split.name);
                share != summary.vocabularies[at].unknown.end() && (isTraining || split.name == shown.name)) {
                QString percent = widgets::numberText(100 * share->second, 1) + widgets::kNarrowSpace + u'%';
                if (summary.vocabularies.size() > 1) // else said of the count already
                    percent = inLanguage(summary.vocabularies, at, percent);
                unknown << (isTraining ? splitName(split.name) + u' ' + percent : percent);
            }
    const QString text =
        (whole ? tr("%1 different words in %2") : tr("%1 in %2")).arg(counts.join(QStringLiteral(", ")), splitName(shown.name));
    return unknown.isEmpty() ? text
                             : (whole ? tr("%1; not in training, of all words: %2") : tr("%1; not in training: %2"))
                                   .arg(text, unknown.join(QStringLiteral(", ")));
}

} // namespace

QString vocabularyShares(const CorpusSummary& summary, const SplitFacts& shown) {
    return vocabulary(summary, shown, false);
}

QString vocabularyText(const CorpusSummary& summary, const SplitFacts& shown) {
    return tr("%1; counted as in WER (lower case, without tokens of punctuation alone)").arg(vocabulary(summary, shown, true));
}

QString splitText(const SplitFacts& split) {
    const QString size = widgets::counted(split.utterances, tr("1 utterance"), tr("%1 utterances"));
    return QString::fromStdString(split.name) + QStringLiteral(": ") + (split.seconds > 0 ? size + QStringLiteral(", ") + hoursText(split.seconds) : size) + u'.';
}

QString tokenLimitsText() {
    return tr("The recipe limits tokens of text, not seconds.");
}

QString statusText(const SplitFacts& split, const LengthLimits& limits, bool changed) {
    const auto left = leftOutBy(split, limits);
    QString text = splitText(split);
    QStringList reasons;
    std::int64_t all = 0;
    const auto add = [&](const LeftOutFacts::Part& part, const QString& why) {
        all += part.utterances;
        if (part.utterances > 0)
            reasons << why.arg(thousands(part.utterances));
    };
    add(left.tooLong, tr("%1 too long"));
    add(left.tooShort, tr("%1 too short"));
    add(left.withoutText, tr("%1 without text"));
    text += u' ';
    if (left.stopping > 0) // training does not leave it out
        text += (left.stopping == 1 ? tr("%1 recording would stop a run. ") : tr("%1 recordings would stop a run. ")).arg(thousands(left.stopping));
    if (all == 0)
        return text + (changed ? tr("The changed limits leave nothing out.") : tr("The recipe leaves nothing out."));
    if (reasons.size() == 1)
        return text + (changed ? tr("The changed limits leave out: %1.") : tr("The recipe leaves out: %1.")).arg(reasons.first());
    return text + (changed ? tr("The changed limits leave out %1: %2.") : tr("The recipe leaves out %1: %2."))
                      .arg(thousands(all), reasons.join(QStringLiteral(", ")));
}

} // namespace headroom::app
