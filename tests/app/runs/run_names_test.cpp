// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/session.h"
#include "app/runs/run_names.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/support/runner.h"

#include <QSet>
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
        QCOMPARE(runs[0].name, QStringLiteral("demo, short, 100 updates"));
        QCOMPARE(runs[1].name, runs[0].name); // the seeds of one experiment
        QCOMPARE(runs[2].name, QStringLiteral("demo, short, 20,000 updates"));
        QCOMPARE(runs[3].name, QStringLiteral("demo, aligner, 100 updates"));
    }

    /// What differs of two evaluations is in their names.
    void evaluationsAreToldApart() {
        RunItem one = run("smoke", "a", 1, "smoke", 100), language = run("words", "b", 2, "lm", 100);
        one.data = QStringLiteral("corpus");
        one.task = QStringLiteral("asr");
        const std::vector<RunItem> runs{one, language};
        EvaluationRequest request{one.folder / "model", "model", "/corpora/corpus", "test", "asr", 3, "auto"};
        QCOMPARE(app::evaluationTitle(request, runs), QStringLiteral("Evaluate smoke, seed 1 on test, beam 3"));
        EvaluationRequest other = request;
        other.beam = 1;
        QCOMPARE(app::evaluationTitle(other, runs), QStringLiteral("Evaluate smoke, seed 1 on test"));
        QCOMPARE(app::decodingText(other), QStringLiteral("greedy"));
        other.ctcBeam = 3;
        QCOMPARE(app::evaluationTitle(other, runs), QStringLiteral("Evaluate smoke, seed 1 on test, CTC beam 3"));
        other = request;
        other.ctcWeight = 0.3;
        other.languageModel = language.folder / "model";
        other.languageModelWeight = 0.25;
        other.glm = "/rules/en.glm";
        QCOMPARE(app::decodingText(other, runs), QStringLiteral("beam 3, CTC weight 0.3, language model words, seed 2 at 0.25, rules en.glm"));
        other = request;
        other.data = "/corpora/other";
        other.task = "st_de";
        QCOMPARE(app::evaluationTitle(other, runs), QStringLiteral("Evaluate smoke, seed 1 on test of other, st_de, beam 3"));
        other.model = "/models/2026-11-21T10-31_x/model"; // no run of this list: nothing is known of its own
        QCOMPARE(app::evaluationTitle(other, runs), QStringLiteral("Evaluate x on test of other, st_de, beam 3"));
        EvaluationRequest elsewhere = other;
        elsewhere.data = "/corpora/corpus";
        QCOMPARE(app::evaluationTitle(elsewhere, runs), QStringLiteral("Evaluate x on test of corpus, st_de, beam 3"));
    }

    /// Every trained model lies in a folder “model”.
    void aStartIsCalledByItsModel() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100), run("demo", "b", 1, "short", 100), run("demo", "c", 1, "short", 100),
                                  run("demo", "d", 1, "short", 100)};
        runs[0].info.startFrom = "/share/demo/model";
        runs[1].info.startFrom = "/runs/2026-11-28T21-03_small_seed-1/model:encoder";
        runs[2].info.startFrom = "/models/s2t";
        app::tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo, from demo"));
        QCOMPARE(runs[1].name, QStringLiteral("demo, from small_seed-1:encoder"));
        QCOMPARE(runs[2].name, QStringLiteral("demo, from s2t"));
        QCOMPARE(runs[3].name, QStringLiteral("demo, random weights"));
    }

    /// One name in TRAIN, in ANALYSE and in studies.
    void theResultOfARunIsCalledAsTheRunWasNamed() {
        const TrainWorkshop shop;
        const auto run = shop.run("2026-11-21T10-31_a");
        shop.text("runs/2026-11-21T10-31_a/model/config.json", "{}");
        app::Session session;
        const auto open = [&] {
            const app::ModelId id = session.openModel(run / "model");
            app::ModelDescription info;
            info.name = QStringLiteral("2026-11-21T10-31_a");
            info.architecture = TrainWorkshop::tiny();
            session.setModelOpened(id, info);
            const QString name = session.models()->find(id)->name;
            session.closeModel(id);
            return name;
        };
        QCOMPARE(open(), QString::fromStdString(TrainWorkshop::tiny().name) + QStringLiteral(", seed 1"));
        shop.text("runs/2026-11-21T10-31_a/name.txt", "my first run\n");
        QCOMPARE(open(), QStringLiteral("my first run, seed 1"));
    }

    void noTwoRowsHaveOneName() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100), run("demo", "b", 1, "short", 100),
                                  run("mine", "c", 1, "short", 100), run("mine", "d", 1, "short", 200)};
        runs[2].given = runs[3].given = QStringLiteral("demo, 2026-11-21 10:31:05");
        runs[2].info.created = runs[3].info.created = "2026-11-23T10:31:05Z";
        RunItem again = runs[1];
        again.folder = "/runs/again";
        again.info.created = "2026-11-22T10:31:05Z";
        runs.push_back(again);
        app::tellApart(runs);
        QSet<QString> titles, names;
        for (const RunItem& one : runs) {
            titles << widgets::runTitle(one);
            names << one.name;
        }
        QCOMPARE(titles.size(), 5);
        QCOMPARE(names.size(), 4); // one for each experiment
        QVERIFY2(widgets::runTitle(runs[4]).endsWith(QStringLiteral("seed 1, run 2")), qPrintable(widgets::runTitle(runs[4])));
        QVERIFY(!widgets::runTitle(runs[0]).contains(QStringLiteral("run ")));
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
