// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_names.h"

#include "widgets/look/translate.h"

#include <QLocale>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace headroom::app {

using widgets::RunItem;

namespace {

QString keyOf(const RunItem& run) {
    return run.group.isEmpty() ? QString::fromStdU16String(run.folder.u16string()) : run.group;
}

/// "2026-11-21T10:31:05Z" → "2026-11-21 10:31:05".
QString whenOf(const RunItem& run) {
    QString when = QString::fromStdString(run.info.created).left(19);
    return when.replace(u'T', u' ');
}

/// What a run starts from. A model in a folder “model” is called as its document, or as its run without the time, as in the form.
QString startName(const std::string& startFrom) {
    const QString path = QString::fromStdString(startFrom), name = path.section(u'/', -1);
    if (name.section(u':', 0, 0) != QLatin1String("model") || path.count(u'/') < 2)
        return name;
    static const QRegularExpression time(QStringLiteral("^\\d{4}-\\d{2}-\\d{2}T\\d{2}-\\d{2}_"));
    return path.section(u'/', -2, -2).remove(time) + name.mid(5); // with what follows, “:encoder”
}

/// Two experiments alike may have begun in the same second, and a name that was given may be what another one became.
void numberSameNames(std::vector<RunItem>& runs) {
    QMap<QString, QMap<QString, std::vector<RunItem*>>> byName; // name → when and which experiment → its runs
    QMap<QString, QString> begun;
    for (const RunItem& run : runs)
        if (QString& first = begun[keyOf(run)]; first.isEmpty() || whenOf(run) < first)
            first = whenOf(run);
    for (RunItem& run : runs)
        byName[run.name][begun[keyOf(run)] + keyOf(run)].push_back(&run);
    for (const auto& experiments : byName) {
        int number = 0;
        for (const auto& seeds : experiments)
            if (++number > 1)
                for (RunItem* run : seeds)
                    run->name += QStringLiteral(" (%1)").arg(number);
    }
}

/// A seed that was run again is told by its number.
void countRepeats(std::vector<RunItem>& runs) {
    QMap<QString, std::vector<RunItem*>> same;
    for (RunItem& run : runs)
        same[keyOf(run) + QLatin1Char('\n') + QString::number(run.info.seed)].push_back(&run);
    for (auto& repeats : same) {
        std::sort(repeats.begin(), repeats.end(), [](const RunItem* left, const RunItem* right) {
            return left->info.created != right->info.created ? left->info.created < right->info.created
                                                             : left->folder < right->folder;
        });
        int number = 0;
        for (RunItem* run : repeats)
            run->repeat = ++number;
    }
}

} // namespace

void tellApart(std::vector<RunItem>& runs) {
    countRepeats(runs);
    QMap<QString, QString> given; // experiment → the name that the user gave it
    for (const RunItem& run : runs)
        if (!run.given.isEmpty() && !given.contains(keyOf(run)))
            given.insert(keyOf(run), run.given);
    for (RunItem& run : runs)
        if (const auto name = given.constFind(keyOf(run)); name != given.cend())
            run.name = *name;
    QMap<QString, QMap<QString, std::vector<RunItem*>>> byName; // name → experiment → its runs
    for (RunItem& run : runs)
        byName[run.name][keyOf(run)].push_back(&run);
    for (auto& experiments : byName) {
        if (experiments.size() < 2)
            continue;
        QSet<QString> recipes, corpora, starts;
        QSet<qint64> lengths;
        for (const auto& seeds : experiments) {
            const RunItem& one = *seeds.front();
            recipes << one.recipe;
            corpora << one.data;
            starts << QString::fromStdString(one.info.startFrom);
            lengths << one.info.maxUpdates;
        }
        QMap<QString, std::vector<std::vector<RunItem*>>> byWords;
        for (const auto& seeds : experiments) {
            const RunItem& one = *seeds.front();
            QStringList words;
            if (recipes.size() > 1)
                words << one.recipe;
            if (corpora.size() > 1)
                words << one.data;
            if (lengths.size() > 1)
                words << tr("%1 updates").arg(QLocale(QLocale::English).toString(qlonglong(one.info.maxUpdates)));
            if (starts.size() > 1)
                words << (one.info.startFrom.empty()
                              ? tr("random weights")
                              : tr("from %1").arg(startName(one.info.startFrom)));
            byWords[words.join(QLatin1String(", "))].push_back(seeds);
        }
        for (auto words = byWords.cbegin(); words != byWords.cend(); ++words)
            for (const auto& seeds : words.value()) {
                QString more = words.key();
                if (words.value().size() > 1) // alike in all of these
                    more += (more.isEmpty() ? QString() : QStringLiteral(", ")) + whenOf(*seeds.front());
                for (RunItem* run : seeds)
                    run->name += QStringLiteral(", ") + more;
            }
    }
    numberSameNames(runs);
}

} // namespace headroom::app
