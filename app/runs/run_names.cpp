// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_names.h"

#include "app/documents/paths.h"
#include "core/runs/start_from.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"
#include "widgets/run_monitor/run_words.h"

#include <QLocale>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace headroom::app {

using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

QString keyOf(const RunItem& run) {
    return run.group.isEmpty() ? QString::fromStdU16String(run.folder.u16string()) : run.group;
}

/// "2026-11-21T10:31:05Z" → "2026-11-21 10:31:05".
QString whenOf(const RunItem& run) {
    QString when = QString::fromStdString(run.info.created).left(19);
    return when.replace(u'T', u' ');
}

/// "2026-11-21T10-31_demo_seed-1" → "demo_seed-1".
QString withoutTime(QString folder) {
    static const QRegularExpression time(QStringLiteral("^\\d{4}-\\d{2}-\\d{2}T\\d{2}-\\d{2}_"));
    return folder.remove(time);
}

/// A checkpoint that a run branches from is a model of its own: "update 60 of demo_seed-2". Empty: it is none.
QString checkpointWords(const fs::path& model) {
    static const QRegularExpression update(QStringLiteral("^(?:step|stop)-0*(\\d+)$"));
    const auto found = update.match(toQString(model.filename()));
    if (!found.hasMatch() || model.parent_path().filename() != "branches")
        return {};
    return tr("update %1 of %2").arg(QLocale(QLocale::English).toString(found.captured(1).toLongLong()),
                                     withoutTime(toQString(model.parent_path().parent_path().filename())));
}

/// What a run starts from. A model in a folder “model” is called as its document, or as its run without the time, as in the form.
QString startWords(const std::string& startFrom) {
    if (startFrom.empty())
        return tr("random weights");
    const StartFrom start = StartFrom::parse(startFrom);
    const QString path = toQString(start.model), last = path.section(u'/', -1);
    const QString checkpoint = checkpointWords(start.model);
    const QString name = !checkpoint.isEmpty() ? checkpoint : last == QLatin1String("model") && path.count(u'/') >= 2 ? withoutTime(path.section(u'/', -2, -2)) : last;
    return (start.encoderOnly ? tr("from the encoder of %1") : tr("from %1")).arg(name);
}

/// In what experiments with one name differ, and the words for each of them.
class Differences {
public:
    void add(const RunItem& one) {
        m_recipes << one.recipe;
        m_tasks << one.task;
        m_corpora << one.data;
        m_starts << QString::fromStdString(one.info.startFrom);
        m_lengths << one.info.maxUpdates;
    }
    /// "smoke, st_de, 300 updates, from demo"; empty: they differ in nothing that has words.
    QString wordsFor(const RunItem& one) const {
        QStringList words;
        if (m_recipes.size() > 1)
            words << one.recipe;
        if (m_tasks.size() > 1)
            words << one.task;
        if (m_corpora.size() > 1)
            words << one.data;
        if (m_lengths.size() > 1)
            words << tr("%1 updates").arg(QLocale(QLocale::English).toString(qlonglong(one.info.maxUpdates)));
        if (m_starts.size() > 1)
            words << startWords(one.info.startFrom);
        return words.join(QLatin1String(", "));
    }

private:
    QSet<QString> m_recipes, m_tasks, m_corpora, m_starts;
    QSet<qint64> m_lengths;
};

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

/// A seed that was run again is told by its number. A job waits longer than it will have run: what has begun is counted before it.
void countRepeats(std::vector<RunItem>& runs, std::size_t begun) {
    QMap<QString, std::vector<RunItem*>> same;
    for (RunItem& run : runs)
        same[keyOf(run) + QLatin1Char('\n') + QString::number(run.info.seed)].push_back(&run);
    for (auto& repeats : same) {
        const auto job = std::stable_partition(repeats.begin(), repeats.end(), [&](const RunItem* run) { return run < runs.data() + begun; });
        std::sort(repeats.begin(), job, [](const RunItem* left, const RunItem* right) {
            return left->info.created != right->info.created ? left->info.created < right->info.created
                                                             : left->folder < right->folder;
        });
        int number = 0;
        for (RunItem* run : repeats)
            run->repeat = ++number;
    }
}

/// The run whose model this is; null: none of these.
const RunItem* runOfModel(const fs::path& model, const std::vector<RunItem>& runs) {
    const auto found = std::ranges::find_if(runs, [&](const RunItem& run) { return run.folder / "model" == model || run.folder == model; });
    return found == runs.end() ? nullptr : &*found;
}

/// model/ of a run is called as the run; its time is left out, the queue has its own order.
QString nameOfModel(const fs::path& model, const std::vector<RunItem>& runs) {
    if (const RunItem* run = runOfModel(model, runs))
        return widgets::runTitle(*run);
    static const QRegularExpression seed(QStringLiteral("_seed-(\\d+)$")); // of a run that was deleted
    return withoutTime(toQString(runFolderOf(model).filename())).replace(seed, QStringLiteral(", seed \\1"));
}

/// All runs of an experiment have the name of the first one that has any.
void shareWithSeeds(std::vector<RunItem>& runs, QString RunItem::*name) {
    QMap<QString, QString> first; // experiment → name
    for (const RunItem& run : runs)
        if (QString& one = first[keyOf(run)]; one.isEmpty())
            one = run.*name;
    for (RunItem& run : runs)
        run.*name = first.value(keyOf(run));
}

} // namespace

void tellApart(std::vector<RunItem>& runs, std::optional<std::size_t> begun) {
    countRepeats(runs, begun.value_or(runs.size()));
    shareWithSeeds(runs, &RunItem::given);
    shareWithSeeds(runs, &RunItem::called);
    for (RunItem& run : runs) {
        run.designed = run.name;
        run.name = !run.given.isEmpty() ? run.given : !run.called.isEmpty() ? run.called : run.name;
    }
    QMap<QString, QMap<QString, std::vector<RunItem*>>> byName; // name → experiment → its runs
    for (RunItem& run : runs)
        byName[run.name][keyOf(run)].push_back(&run);
    for (auto& experiments : byName) {
        if (experiments.size() < 2)
            continue;
        Differences differences;
        for (const auto& seeds : experiments)
            differences.add(*seeds.front());
        QMap<QString, std::vector<std::vector<RunItem*>>> byWords;
        for (const auto& seeds : experiments)
            byWords[differences.wordsFor(*seeds.front())].push_back(seeds);
        for (auto words = byWords.cbegin(); words != byWords.cend(); ++words)
            for (const auto& seeds : words.value()) {
                if (const RunItem& one = *seeds.front(); one.given.isEmpty() && !one.called.isEmpty())
                    continue; // the name under which it was started stays
                QString more = words.key();
                if (words.value().size() > 1) // alike in all of these
                    more += (more.isEmpty() ? QString() : QStringLiteral(", ")) + whenOf(*seeds.front());
                for (RunItem* run : seeds)
                    run->name += QStringLiteral(", ") + more;
            }
    }
    numberSameNames(runs);
}

QString nameAtStart(const RunItem& fresh, const std::vector<RunItem>& known) {
    QSet<QString> taken;
    Differences differences;
    differences.add(fresh);
    bool isAlone = true;
    for (const RunItem& run : known) {
        if (keyOf(run) == keyOf(fresh))
            return !run.called.isEmpty() || !run.given.isEmpty() ? run.called : run.name;
        taken << run.name;
        if (run.designed == fresh.name && (run.name == fresh.name || run.name.startsWith(fresh.name + QLatin1String(", ")))) {
            differences.add(run);
            isAlone = false;
        }
    }
    const auto with = [](const QString& name, const QString& words) { return words.isEmpty() ? name : name + QLatin1String(", ") + words; };
    QString name = isAlone ? fresh.name : with(fresh.name, differences.wordsFor(fresh));
    if (taken.contains(name))
        name = with(name, whenOf(fresh));
    for (int number = 2; taken.contains(name); ++number)
        name = with(fresh.name, whenOf(fresh)) + QStringLiteral(" (%1)").arg(number);
    return name;
}

QString decodingText(const EvaluationRequest& request, const std::vector<RunItem>& runs) {
    QStringList parts;
    if (request.beam > 1)
        parts << tr("beam %1").arg(request.beam);
    if (request.ctcBeam > 0)
        parts << tr("CTC beam %1").arg(request.ctcBeam);
    if (parts.isEmpty())
        parts << tr("greedy");
    const EvaluationRequest usual;
    const auto add = [&](const QString& words, double value, double otherwise) {
        if (value != otherwise)
            parts << words.arg(widgets::shortNumberText(value));
    };
    add(tr("CTC weight %1"), request.ctcWeight, usual.ctcWeight);
    if (!request.languageModel.empty())
        parts << tr("language model %1 at %2").arg(nameOfModel(request.languageModel, runs), widgets::shortNumberText(request.languageModelWeight));
    add(tr("length penalty %1"), request.lengthPenalty, usual.lengthPenalty);
    add(tr("coverage weight %1"), request.coverageWeight, usual.coverageWeight);
    add(tr("windows of %1 s"), request.window, usual.window);
    if (!request.glm.empty())
        parts << tr("rules %1").arg(toQString(request.glm.filename()));
    return parts.join(QLatin1String(", "));
}

QString evaluatedText(const EvaluationRequest& request, const RunItem* run) {
    QString what = QString::fromStdString(request.split);
    if (const QString corpus = toQString(request.data.filename()); !corpus.isEmpty() && (!run || corpus != run->data))
        what += tr(" of %1").arg(corpus);
    const QString task = QString::fromStdString(request.task);
    return task.isEmpty() || (run && task == run->task) ? what : what + QStringLiteral(", ") + task;
}

QString evaluationTitle(const EvaluationRequest& request, const std::vector<RunItem>& runs) {
    const QString name = nameOfModel(request.model, runs);
    const QString pattern = name.contains(QLatin1String(", ")) ? tr("Evaluate %1, on %2") : tr("Evaluate %1 on %2"); // "local-17, seed 1,"
    QString what = pattern.arg(name, evaluatedText(request, nullptr));
    if (request.checkpoint != EvaluationRequest().checkpoint)
        what += tr(", %1 checkpoint").arg(QString::fromStdString(request.checkpoint));
    const QString decoding = decodingText(request, runs);
    return decoding == decodingText({}) ? what : what + QStringLiteral(", ") + decoding; // greedy is the usual one
}

} // namespace headroom::app
