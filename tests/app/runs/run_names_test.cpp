// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_names.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::run_names_test {

using widgets::RunItem;

namespace {

RunItem run(const char* name, const char* group, int seed, const char* recipe, std::int64_t updates,
            const char* created = "2026-11-21T10:31:05Z") {
    RunItem item;
    item.folder = std::string("/runs/") + group + std::to_string(seed);
    item.name = QString::fromLatin1(name);
    item.group = QString::fromLatin1(group);
    item.recipe = QString::fromLatin1(recipe);
    item.info.seed = static_cast<std::uint64_t>(seed);
    item.info.maxUpdates = updates;
    item.info.created = created;
    return item;
}

} // namespace

class RunNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesThatDifferStay() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100), run("demo", "a", 2, "short", 100),
                                  run("demo, layer 6: 29 → 19", "b", 1, "short", 100)};
        const auto before = runs;
        app::tellApart(runs);
        for (std::size_t i = 0; i < runs.size(); ++i)
            QCOMPARE(runs[i].name, before[i].name);
    }

    void whatDiffersFollowsTheName() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100), run("demo", "a", 2, "short", 100),
                                  run("demo", "b", 1, "short", 20000), run("demo", "c", 1, "aligner", 100)};
        app::tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo, short, 100 steps"));
        QCOMPARE(runs[1].name, runs[0].name); // the seeds of one experiment
        QCOMPARE(runs[2].name, QStringLiteral("demo, short, 20,000 steps"));
        QCOMPARE(runs[3].name, QStringLiteral("demo, aligner, 100 steps"));
    }

    void experimentsThatLookAlikeAreToldByTheirTime() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100),
                                  run("demo", "b", 1, "short", 100, "2026-11-22T08:00:00Z")};
        app::tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo, 2026-11-21 10:31:05"));
        QCOMPARE(runs[1].name, QStringLiteral("demo, 2026-11-22 08:00:00"));
    }
};

HEADROOM_TEST(RunNamesTest)

} // namespace headroom::testing::run_names_test

#include "run_names_test.moc"
