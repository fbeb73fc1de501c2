// SPDX-License-Identifier: GPL-3.0-or-later
// A branch is called after the run of whose checkpoint it is, in the words of Runs.
#include "app/runs/run_names.h"
#include "tests/support/runner.h"
#include "widgets/run_monitor/fitted_titles.h"
#include "widgets/run_monitor/run_words.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QTest>

namespace headroom::testing::branch_names_test {

using namespace headroom::app;
using widgets::RunItem;

namespace {

RunItem made(const char* name, const char* group, int seed, const std::string& startFrom = {}) {
    RunItem item;
    item.folder = std::string("/runs/") + group + "_seed-" + std::to_string(seed);
    item.name = QString::fromLatin1(name);
    item.group = QString::fromLatin1(group);
    item.recipe = QStringLiteral("smoke");
    item.info.seed = static_cast<std::uint64_t>(seed);
    item.info.startFrom = startFrom;
    item.info.created = "2026-11-21T10:31:05Z";
    return item;
}

} // namespace

class BranchNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "demo, from update 30 of demo_seed-1" was said of branches of several runs, none of which was called demo any more.
    void itIsCalledAsItsRunIs() {
        std::vector<RunItem> runs{made("demo", "twice", 1, "/runs/branch_seed-2/branches/stop-000020"), // the newest first
                                  made("narrow", "other", 1, "/runs/first_seed-2/branches/step-001060"),
                                  made("demo", "encoder", 1, "/runs/first_seed-2/branches/step-001060:encoder"),
                                  made("demo", "branch", 2, "/runs/first_seed-1/branches/step-000030"),
                                  made("demo", "first", 1), made("demo", "first", 2), made("demo", "plain", 1)};
        runs[4].given = QStringLiteral("window 13");
        tellApart(runs);
        QStringList names;
        for (const RunItem& run : runs)
            names << run.name;
        QCOMPARE(names, (QStringList{"window 13, from update 30 of seed 1, from update 20 of seed 2", "narrow, from window 13, update 1,060 of seed 2",
                                     "demo, from the encoder of window 13, update 1,060 of seed 2", "window 13, from update 30 of seed 1",
                                     "window 13", "window 13", "demo"}));
    }

    void aRunFromAModelNamesTheRunOfIt() {
        std::vector<RunItem> runs{made("demo", "tuned", 1, "/runs/first_seed-1/model"), made("demo", "first", 1)};
        runs[1].called = QStringLiteral("demo, plain");
        tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo")); // it is no branch
        runs[1].called = QStringLiteral("demo");
        runs[0].name = runs[1].name = QStringLiteral("demo");
        tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo, from demo, seed 1"));
        QCOMPARE(runs[1].name, QStringLiteral("demo"));
    }

    /// A branch of a renamed run had the name that the run had had before.
    void itSaysThatItIsOneFromItsStart() {
        std::vector<RunItem> runs{made("demo", "first", 1)};
        runs[0].given = QStringLiteral("window 13");
        tellApart(runs);
        RunItem at30 = made("demo", "at30", 1, "/runs/first_seed-1/branches/step-000030");
        QCOMPARE(nameAtStart(at30, runs), QStringLiteral("window 13, from update 30 of seed 1"));
        QCOMPARE(nameAtStart(made("demo", "at20", 1, "/runs/first_seed-1/branches/step-000020"), runs),
                 QStringLiteral("window 13, from update 20 of seed 1"));
        at30.called = nameAtStart(at30, runs);
        runs.push_back(at30);
        runs[0].name = QStringLiteral("demo");
        tellApart(runs);
        // What has another start is told apart by it, and needs no more words.
        RunItem longer = made("demo", "longer", 1);
        longer.recipe = QStringLiteral("long");
        QCOMPARE(nameAtStart(longer, runs), QStringLiteral("demo"));
        longer.info.startFrom = at30.folder.string() + "/branches/step-000010";
        QCOMPARE(nameAtStart(longer, runs), QStringLiteral("window 13, from update 30 of seed 1, from update 10 of seed 1"));
        longer.info.startFrom = at30.info.startFrom;
        QCOMPARE(nameAtStart(longer, runs), QStringLiteral("window 13, from update 30 of seed 1, long"));
    }

    /// Two branches of one long name were both "demo, layers 1–8: full → full r…8-full-full-relaxed-0-01_seed-1".
    void branchesOfTwoUpdatesStayApartWhereNamesAreCut() {
        const char* name = "demo, layers 1-8: full -> full relaxed 0.01, demo, 30 updates";
        const char* group = "2026-11-30T03-37_demo-layers-1-8-full-full-relaxed-0-01";
        const std::string branches = std::string("/runs/") + group + "_seed-1/branches/step-0000";
        std::vector<RunItem> runs{made(name, group, 1), made(name, "at30", 1, branches + "30"), made(name, "at20", 1, branches + "20")};
        tellApart(runs);
        const QFontMetrics metrics(QGuiApplication::font());
        const QString whole = widgets::runTitle(runs[1]);
        const int width = metrics.horizontalAdvance(whole) / 2;
        const QString cut = widgets::fittedTitle(whole, metrics, width);
        QVERIFY2(cut.contains(QChar(0x2026)), qPrintable(cut));
        QVERIFY2(cut != widgets::fittedTitle(widgets::runTitle(runs[2]), metrics, width), qPrintable(cut));
        QVERIFY(metrics.elidedText(runs[1].name, Qt::ElideMiddle, width) != metrics.elidedText(runs[2].name, Qt::ElideMiddle, width));
    }

    /// Documents that were edited by hand may name each other.
    void aCircleOfStartsEnds() {
        std::vector<RunItem> runs{made("demo", "one", 1, "/runs/two_seed-1/branches/step-000030"),
                                  made("demo", "two", 1, "/runs/one_seed-1/branches/step-000030")};
        tellApart(runs);
        QVERIFY2(runs[0].name.contains(QStringLiteral("from update 30")) && runs[0].name != runs[1].name, qPrintable(runs[0].name + runs[1].name));
    }
};

HEADROOM_TEST(BranchNamesTest)

} // namespace headroom::testing::branch_names_test

#include "branch_names_test.moc"
