// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_names.h"

#include "app/documents/items/paths.h"
#include "app/studies/open_study.h"
#include "app/studies/study_settings.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QDateTime>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr int kNamedModels = 3;

/// studyFolderName(): time and kind, the models, and a number where that was taken.
QRegularExpressionMatch madeName(const QString& folder, StudyKind kind) {
    const QRegularExpression made(
        QStringLiteral("^(\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d(?:-\\d\\d)?)(_%1)(?:_.*?)?(_\\d+)?$").arg(QLatin1String(toText(kind))));
    return made.match(folder);
}

/// When a study that nobody named was started, by its folder's name, which has the local time. Empty: somebody named it.
QString startedText(const StudyItem& study) {
    const QRegularExpressionMatch made = madeName(toQString(study.folder.filename()), study.kind);
    if (!made.hasMatch())
        return {};
    const QString when = made.captured(1), seconds = QStringLiteral("yyyy-MM-ddThh-mm-ss");
    const auto local = QDateTime::fromString(when, seconds.left(when.size()));
    const QString utc = studyTime(local.toUTC().toString(Qt::ISODate));
    return utc.left(when.size());
}

QString modelsText(const QStringList& models) {
    if (models.size() <= kNamedModels)
        return modelList(models);
    return tr("%1 and %2 more").arg(modelList(models.mid(0, kNamedModels - 1))).arg(models.size() - kNamedModels + 1);
}

QString utterancesOf(const StudyItem& study) {
    return study.utterances == 1 ? tr("1 utterance") : tr("%1 utterances").arg(widgets::numberText(study.utterances, 0));
}

QString settingOf(const StudyItem& study, const QString& title) {
    for (const auto& setting : study.settings)
        if (setting.first == title)
            return settingText(setting);
    return {};
}

/// Adds, one by one, the settings that tell more studies apart than `said` already does: if the units differ, it adds nothing to
/// say how their values were found.
void sayOtherSettings(const std::vector<StudyItem*>& studies, QStringList& said) {
    QStringList titles;
    for (const StudyItem* one : studies)
        for (const auto& setting : one->settings)
            if (!titles.contains(setting.first))
                titles << setting.first;
    const auto count = [&](const QStringList& all) { // among studies whose settings are known
        QSet<QString> different;
        for (std::size_t i = 0; i < studies.size(); ++i)
            if (!studies[i]->settings.empty())
                different << all[qsizetype(i)];
        return different.size();
    };
    for (const QString& title : titles) {
        QStringList more;
        for (std::size_t i = 0; i < studies.size(); ++i) {
            QStringList words{said[qsizetype(i)], settingOf(*studies[i], title)};
            words.removeAll(QString());
            more << words.join(QStringLiteral(", "));
        }
        if (count(more) > count(said))
            said = more;
    }
}

/// What differs between studies of one name, for each of them; "" where nothing does.
QStringList differences(const std::vector<StudyItem*>& studies) {
    QSet<QString> corpora, splits;
    QSet<int> sizes;
    for (const StudyItem* one : studies) {
        if (one->state == StudyItem::State::Starting)
            continue; // it has said nothing of itself yet
        corpora << one->data;
        splits << one->split;
        if (one->utterances > 0) // drawn
            sizes << one->utterances;
    }
    QStringList said;
    for (const StudyItem* one : studies) {
        QStringList words;
        if (corpora.size() > 1 && one->state != StudyItem::State::Starting)
            words << (one->data.isEmpty() ? tr("recordings") : one->data);
        if (splits.size() > 1 && !one->split.isEmpty())
            words << one->split;
        if (sizes.size() > 1 && one->utterances > 0)
            words << utterancesOf(*one);
        said << words.join(QStringLiteral(", "));
    }
    sayOtherSettings(studies, said);
    return said;
}

} // namespace

QString citedStudy(const OpenStudy& study) {
    const QString name = study.name(), when = studyTime(QString::fromStdString(study.document.created));
    const bool isNamed = name == toQString(study.folder.filename());
    return isNamed || when.isEmpty() ? tr("“%1”").arg(name) : tr("“%1” of %2").arg(name, when);
}

QString whoseNumbers(const OpenStudy& study, int model) {
    return tr("Study %1, model %2.")
        .arg(citedStudy(study), QString::fromStdString(study.document.models.at(static_cast<std::size_t>(model) - 1).name));
}

QString finishedSentence(const StudyItem& study) {
    const bool isNamed = studyName(study.folder, study.kind, study.models) == toQString(study.folder.filename());
    if (study.kind != StudyKind::Latency || isNamed || study.models.isEmpty())
        return tr("The study “%1” has finished.").arg(study.name());
    if (study.models.size() == 1)
        return tr("The latency of “%1” was measured.").arg(study.models.first());
    QStringList quoted;
    for (const QString& model : study.models)
        quoted << tr("“%1”").arg(model);
    return tr("The latencies of %1 and %2 were measured.").arg(quoted.mid(0, quoted.size() - 1).join(QStringLiteral(", ")), quoted.last());
}

QString modelList(const QStringList& models) {
    const bool hold = std::any_of(models.begin(), models.end(), [](const QString& name) { return name.contains(u','); });
    return models.join(hold ? QStringLiteral("; ") : QStringLiteral(", "));
}

QString settingText(const std::pair<QString, QString>& setting) {
    const auto& [title, value] = setting;
    return value.isEmpty() ? title : tr("%1: %2").arg(title, value);
}

QString studyTime(const QString& utc) {
    return utc.left(19).replace(u'T', u' ');
}

QString studyName(const std::filesystem::path& folder, StudyKind kind, const QStringList& models) {
    const QString own = toQString(folder.filename());
    if (!madeName(own, kind).hasMatch())
        return own;
    return models.isEmpty() ? kindTitle(kind) : tr("%1 of %2").arg(kindTitle(kind), modelsText(models));
}

QString studyInFileName(const OpenStudy& study, bool ofOneModel) {
    const QString own = toQString(study.folder.filename());
    const QRegularExpressionMatch made = madeName(own, study.document.kind);
    if (!ofOneModel || !made.hasMatch())
        return own;
    // Without the other models' names a minute would not tell two studies apart.
    const auto begun = QDateTime::fromString(QString::fromStdString(study.document.created), Qt::ISODate).toLocalTime();
    const QString when = begun.isValid() ? begun.toString(QStringLiteral("yyyy-MM-ddThh-mm-ss")) : made.captured(1);
    return when + made.captured(2) + made.captured(3);
}

void tellApart(std::vector<StudyItem>& studies) {
    QMap<QString, std::vector<StudyItem*>> byName;
    for (StudyItem& study : studies) {
        study.apart.clear();
        byName[study.name()].push_back(&study);
    }
    for (const auto& same : byName) {
        if (same.size() < 2)
            continue;
        QSet<QString> places;
        for (const StudyItem* one : same)
            places << toQString(one->folder.filename());
        if (places.size() == 1) { // folders of one name lie in several places
            for (StudyItem* one : same)
                one->apart = tr(" in %1").arg(toQString(one->folder.parent_path()));
            continue;
        }
        const QStringList words = differences(same);
        for (std::size_t i = 0; i < same.size(); ++i) {
            QStringList apart{words[qsizetype(i)]};
            if (words.count(words[qsizetype(i)]) > 1) // alike in all of these
                apart << (same[i]->created.isEmpty() ? startedText(*same[i]) : studyTime(same[i]->created));
            apart.removeAll(QString());
            same[i]->apart = apart.isEmpty() ? QString() : QStringLiteral(", ") + apart.join(QStringLiteral(", "));
        }
    }
    QMap<QString, int> taken; // begun in one second
    for (StudyItem& study : studies)
        if (const int before = taken[study.name()]++; before > 0)
            study.apart += QStringLiteral(" (%1)").arg(before + 1);
}

} // namespace headroom::app
