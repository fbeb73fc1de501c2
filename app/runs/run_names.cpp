// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_names.h"

#include "app/documents/items/paths.h"
#include "core/runs/checkpoint_name.h"
#include "core/runs/evaluations.h"
#include "core/runs/start_from.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"
#include "widgets/run_monitor/recipe_words.h"
#include "widgets/run_monitor/run_words.h"

#include <QLocale>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <map>
#include <utility>

namespace headroom::app {

using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

QString keyOf(const RunItem& run) {
    return run.group.isEmpty() ? QString::fromStdU16String(run.folder.u16string()) : run.group;
}

QString whenOf(const RunItem& run) {
    return timeInName(run.info.created);
}

/// "2026-11-21T10-31_demo_seed-1" → "demo_seed-1".
QString withoutTime(QString folder) {
    static const QRegularExpression time(QStringLiteral("^\\d{4}-\\d{2}-\\d{2}T\\d{2}-\\d{2}_"));
    return folder.remove(time);
}

using ByFolder = std::map<fs::path, const RunItem*>;

ByFolder byFolder(const std::vector<RunItem>& runs) {
    ByFolder found;
    for (const RunItem& run : runs)
        found.emplace(run.folder.lexically_normal(), &run);
    return found;
}

/// What has its weights from a run: from what it exported, or a branch from one of its checkpoints, RUN/branches/step-000060.
struct Origin {
    fs::path run;
    std::optional<qint64> update; ///< of the checkpoint
    bool encoderOnly = false;
};

std::optional<Origin> originOf(const std::string& startFrom) {
    if (startFrom.empty())
        return std::nullopt;
    const StartFrom start = StartFrom::parse(startFrom);
    const fs::path model = start.model.lexically_normal();
    if (const auto update = updateOfCheckpoint(model.filename().string()); update && model.parent_path().filename() == "branches")
        return Origin{model.parent_path().parent_path(), update, start.encoderOnly};
    if (model.filename() == "model")
        return Origin{model.parent_path(), std::nullopt, start.encoderOnly};
    return std::nullopt;
}

bool isBranch(const RunItem& run) {
    const auto origin = originOf(run.info.startFrom);
    return origin && origin->update;
}

/// A run in the words of the window: its experiment, and "seed 2, run 3" of it; of one that is not listed, as its folder says.
struct RunWords {
    QString name, seed;
    QString title() const { return seed.isEmpty() ? name : name + QStringLiteral(", ") + seed; }
};

RunWords wordsOfRun(const fs::path& folder, const ByFolder& runs) {
    if (const auto found = runs.find(folder); found != runs.end()) {
        const RunItem& run = *found->second;
        const QString seed = tr("seed %1").arg(run.info.seed);
        return {run.name, run.repeat > 1 ? tr("%1, run %2").arg(seed).arg(run.repeat) : seed};
    }
    const QString name = withoutTime(toQString(folder.filename()));
    static const QRegularExpression seed(QStringLiteral("_seed-(\\d+)(?:_\\d+)?$"));
    const auto found = seed.match(name);
    return found.hasMatch() ? RunWords{name.left(found.capturedStart()), tr("seed %1").arg(found.captured(1))} : RunWords{name, {}};
}

/// "update 60 of seed 2": at the end of a name, where it stays when the middle is elided.
QString checkpointWords(qint64 update, const RunWords& run) {
    return tr("update %1 of %2").arg(QLocale(QLocale::English).toString(update), run.seed);
}

/// What a run starts from. A run is called as in Runs, another model in a folder “model” as its document.
QString startWords(const std::string& startFrom, const ByFolder& runs) {
    if (startFrom.empty())
        return tr("random weights");
    const StartFrom start = StartFrom::parse(startFrom);
    QString name = toQString(start.model.filename());
    if (const auto origin = originOf(startFrom)) {
        const RunWords run = wordsOfRun(origin->run, runs);
        name = !origin->update      ? run.title()
               : run.seed.isEmpty() ? checkpointWords(*origin->update, {{}, run.name})
                                    : run.name + QStringLiteral(", ") + checkpointWords(*origin->update, run);
    }
    return (start.encoderOnly ? tr("from the encoder of %1") : tr("from %1")).arg(name);
}

/// A branch always says that it is one, and of what: "window 13, from update 30 of seed 1", or with an architecture of another name
/// "narrow, from window 13, update 30 of seed 1". Any other run has the name of its architecture.
QString nameByOrigin(const RunItem& run, const QString& architecture, const ByFolder& runs) {
    const auto origin = originOf(run.info.startFrom);
    if (!origin || !origin->update)
        return architecture;
    const auto known = runs.find(origin->run);
    if (known != runs.end() && known->second->designed == architecture && !origin->encoderOnly)
        return tr("%1, from %2").arg(known->second->name, checkpointWords(*origin->update, wordsOfRun(origin->run, runs)));
    return architecture + QStringLiteral(", ") + startWords(run.info.startFrom, runs);
}

/// In what experiments with one name differ, and the words for each of them.
class Differences {
public:
    explicit Differences(const ByFolder& runs) : m_runs(runs) {}
    void add(const RunItem& one) {
        if (!one.heads.isEmpty())
            m_heads << one.heads;
        m_recipes << one.recipe;
        m_tasks << one.task;
        m_corpora << one.data;
        m_starts << QString::fromStdString(one.info.startFrom);
        m_lengths << one.info.maxUpdates;
    }
    /// "smoke, st_de, 300 updates, from demo"; empty: they differ in nothing that has words.
    QString wordsFor(const RunItem& one) const {
        QStringList words;
        if (m_heads.size() > 1 && !one.heads.isEmpty()) // two architectures that are called alike
            words << one.heads;
        if (m_recipes.size() > 1)
            words << one.recipe;
        if (m_tasks.size() > 1)
            words << one.task;
        if (m_corpora.size() > 1)
            words << one.data;
        if (m_lengths.size() > 1)
            words << widgets::counted(one.info.maxUpdates, tr("1 update"), tr("%1 updates"));
        if (m_starts.size() > 1)
            words << startWords(one.info.startFrom, m_runs);
        return words.join(QLatin1String(", "));
    }

private:
    const ByFolder& m_runs; ///< of which one may be a start
    QSet<QString> m_heads, m_recipes, m_tasks, m_corpora, m_starts;
    QSet<qint64> m_lengths;
};

/// The values of their recipes in which experiments differ that have all other words in common.
std::vector<const RecipeField*> valuesApart(const std::vector<const RunItem*>& alike) {
    std::vector<const Recipe*> recipes;
    for (const RunItem* one : alike)
        recipes.push_back(one->values.get());
    return widgets::differingValues(recipes);
}

QString valueWordsOf(const RunItem& one, const std::vector<const RecipeField*>& values) {
    constexpr int kMostInName = 3;
    return widgets::recipeWords(one.values.get(), values, kMostInName);
}

QString withWords(const QString& name, const QString& words) {
    return name.isEmpty() || words.isEmpty() ? name + words : name + QLatin1String(", ") + words;
}

using Experiments = QMap<QString, std::vector<RunItem*>>; // the runs of each

/// When the first seed was created, as Created says.
QString begunOf(const std::vector<RunItem*>& seeds) {
    return whenOf(**std::ranges::min_element(seeds, {}, [](const RunItem* run) { return whenOf(*run); }));
}

/// Two experiments alike may have begun in the same second, and a name that was given may be what another one became.
void numberSameNames(std::vector<RunItem>& runs) {
    Experiments all;
    for (RunItem& run : runs)
        all[keyOf(run)].push_back(&run);
    QMap<QString, Experiments> byName; // those of a name, the one that began first in front
    for (auto one = all.cbegin(); one != all.cend(); ++one) {
        const QString place = begunOf(one.value()) + one.key();
        for (RunItem* run : one.value())
            byName[run->name][place].push_back(run);
    }
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

/// All runs of an experiment have the name of the first one that has any.
void shareWithSeeds(std::vector<RunItem>& runs, QString RunItem::*name) {
    QMap<QString, QString> first; // experiment → name
    for (const RunItem& run : runs)
        if (QString& one = first[keyOf(run)]; one.isEmpty())
            one = run.*name;
    for (RunItem& run : runs)
        run.*name = first.value(keyOf(run));
}

/// Nobody gave it a name, and none was kept: it gets one that says what it is.
bool isUnnamed(const RunItem& run) {
    return run.given.isEmpty() && run.called.isEmpty();
}

/// What differs of experiments with one name follows it, in those that are `fresh`; the others have their names.
void addDifferences(const Experiments& experiments, const QSet<QString>& fresh, const ByFolder& runs) {
    if (experiments.size() < 2)
        return;
    Differences differences(runs);
    for (const auto& seeds : experiments)
        differences.add(*seeds.front());
    QMap<QString, std::vector<std::vector<RunItem*>>> byWords;
    for (const auto& seeds : experiments)
        byWords[differences.wordsFor(*seeds.front())].push_back(seeds);
    for (auto words = byWords.cbegin(); words != byWords.cend(); ++words) {
        std::vector<const RunItem*> alike; // in all of these
        for (const auto& seeds : words.value())
            alike.push_back(seeds.front());
        const auto apart = valuesApart(alike);
        QMap<QString, int> count; // how many have the same values
        for (const RunItem* one : alike)
            ++count[valueWordsOf(*one, apart)];
        for (const auto& seeds : words.value()) {
            const RunItem& one = *seeds.front();
            if (!fresh.contains(keyOf(one)) || (one.given.isEmpty() && !one.called.isEmpty()))
                continue; // the name under which it was started stays
            const QString values = valueWordsOf(one, apart);
            QString more = withWords(words.key(), values);
            if (count.value(values) > 1)
                more = withWords(more, begunOf(seeds));
            for (RunItem* run : seeds)
                run->name = withWords(run->name, more);
        }
    }
}

/// Runs by how many others have to get their names before: one is called after what it starts from.
std::vector<std::vector<RunItem*>> byGeneration(std::vector<RunItem>& runs, const ByFolder& known) {
    std::vector<std::vector<RunItem*>> generations;
    for (RunItem& run : runs) {
        std::size_t before = 0;
        for (const RunItem* one = &run; isUnnamed(*one) && before < runs.size(); ++before) { // documents may name each other
            const auto origin = originOf(one->info.startFrom);
            const auto from = origin ? known.find(origin->run) : known.end();
            if (from == known.end())
                break;
            one = from->second;
        }
        generations.resize(std::max(generations.size(), before + 1));
        generations[before].push_back(&run);
    }
    return generations;
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
    const ByFolder known = byFolder(runs);
    QMap<QString, Experiments> byName; // as it is before what differs follows it
    for (const auto& generation : byGeneration(runs, known)) {
        QMap<QString, QSet<QString>> fresh; // name → experiments
        for (RunItem* run : generation) {
            if (isUnnamed(*run))
                run->name = nameByOrigin(*run, run->designed, known);
            byName[run->name][keyOf(*run)].push_back(run);
            fresh[run->name] << keyOf(*run);
        }
        for (auto name = fresh.cbegin(); name != fresh.cend(); ++name)
            addDifferences(byName[name.key()], name.value(), known);
    }
    numberSameNames(runs);
    for (RunItem& run : runs)
        run.start = startWords(run.info.startFrom, known);
}

QString nameAtStart(const RunItem& fresh, const std::vector<RunItem>& known) {
    const ByFolder runs = byFolder(known);
    const QString own = nameByOrigin(fresh, fresh.name, runs);
    QSet<QString> taken;
    Differences differences(runs);
    differences.add(fresh);
    std::vector<const RunItem*> similar;
    for (const RunItem& run : known) {
        if (keyOf(run) == keyOf(fresh))
            return !run.called.isEmpty() || !run.given.isEmpty() ? run.called : run.name;
        taken << run.name;
        const bool mayBeAlike = run.info.startFrom == fresh.info.startFrom || !(isBranch(run) || isBranch(fresh));
        const bool isSameDesign = run.designed == fresh.name || run.given == fresh.name; // the draft of its model is called as it is
        if (isSameDesign && mayBeAlike && (run.name == own || run.name.startsWith(own + QLatin1String(", ")))) {
            differences.add(run);
            similar.push_back(&run);
        }
    }
    const QString words = similar.empty() ? QString() : differences.wordsFor(fresh);
    std::erase_if(similar, [&](const RunItem* run) { return differences.wordsFor(*run) != words; });
    similar.push_back(&fresh);
    QString name = withWords(withWords(own, words), valueWordsOf(fresh, valuesApart(similar)));
    if (taken.contains(name))
        name = withWords(name, whenOf(fresh));
    for (int number = 2; taken.contains(name); ++number)
        name = withWords(own, whenOf(fresh)) + QStringLiteral(" (%1)").arg(number);
    return name;
}

std::vector<RunItem> branchesRenamed(const std::vector<RunItem>& runs, std::size_t begun, const std::vector<fs::path>& renamed,
                                     const QString& given) {
    std::vector<RunItem> after = runs;
    for (RunItem& run : after)
        if (std::ranges::find(renamed, run.folder) != renamed.end())
            run.given = given;
    const ByFolder known = byFolder(runs), now = byFolder(after);
    std::vector<std::size_t> changed, before;
    do { // until no branch of a branch changes; documents may name each other
        before = std::exchange(changed, {});
        for (RunItem& run : after)
            run.name = run.designed;
        tellApart(after, begun);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const QString& called = runs[i].called;
            const QString was = nameByOrigin(runs[i], runs[i].designed, known), is = nameByOrigin(after[i], after[i].designed, now);
            if (!isBranch(runs[i]) || was == is || !called.startsWith(was))
                continue;
            after[i].called = is + called.mid(was.size());
            changed.push_back(i);
        }
    } while (changed.size() > before.size());
    std::vector<RunItem> branches;
    for (const std::size_t one : changed)
        branches.push_back(std::move(after[one]));
    return branches;
}

QString timeInName(const std::string& utc) {
    return QString::fromStdString(utc).left(19).replace(u'T', u' ');
}

QString nameOfModel(const fs::path& model, const std::vector<RunItem>& runs) {
    const auto run = std::ranges::find_if(runs, [&](const RunItem& one) { return one.folder / "model" == model || one.folder == model; });
    return run != runs.end() ? widgets::runTitle(*run) : wordsOfRun(runFolderOf(model), {}).title(); // it was deleted
}

} // namespace headroom::app
