// SPDX-License-Identifier: GPL-3.0-or-later
// Runs says of which utterances a dev score is, and keeps a result for each split.
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/train_pages.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/runs/evaluations.h"
#include "tests/app/workspaces/train/evaluation_result.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/run_monitor/run_table.h"

#include <QLabel>
#include <QTest>

namespace headroom::testing::dev_and_test_scores_test {

using app::CurvesPanel;
using widgets::RunTableModel;

namespace {

/// A finished evaluation of the exported model of a run, with a WER.
void evaluated(const Desk& desk, const std::filesystem::path& run, const char* when, const char* split, double wer) {
    auto document = nlohmann::json::parse(result(RunPaths{run}.model(), "/corpora/demo"));
    document["split"] = split;
    document["task"] = readRecipe(RunPaths{run}.recipe()).task;
    document["wer"] = wer;
    desk.shop.text(evaluationsFolder(desk.shop.runs()) / when / "evaluation.json", document.dump());
}

} // namespace

class DevAndTestScoresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The result on test went when dev was evaluated.
    void aSecondSplitKeepsTheFirst() {
        Desk desk("train");
        const auto run = desk.shop.run("a");
        evaluated(desk, run, "2026-11-30T03-40_1", "test", 40);
        evaluated(desk, run, "2026-11-30T03-41_2", "test", 6.5);
        const Recipe recipe = TrainWorkshop::smoke();
        evaluated(desk, run, "2026-11-30T03-42_3", recipe.data.validationSplit.c_str(), 6.875);
        evaluated(desk, run, "2026-11-30T03-43_4", recipe.data.trainSplit.c_str(), 1);
        const auto* store = desk.workspace->store();
        QTRY_VERIFY_WITH_TIMEOUT(!store->runs().empty() && store->runs().front().evaluated.size() == 3, 60000);
        const auto& scores = store->runs().front().evaluated;
        QCOMPARE(scores[0].split, QStringLiteral("test"));
        QCOMPARE(scores[0].wer, 6.5); // the newest one
        QCOMPARE(scores[1].split, QString::fromStdString(recipe.data.validationSplit));
        QCOMPARE(scores[1].wer, 6.875);
        QCOMPARE(scores[2].split, QString::fromStdString(recipe.data.trainSplit)); // what it has learnt says least
    }

    /// "WER on dev" of 40 of 63 utterances stood in tables and figures as that of dev.
    void theNoteBelowRunsSaysOfWhichUtterancesTheScoresAre() {
        Desk desk("train");
        const auto* note = desk.workspace->findChild<QLabel*>(QStringLiteral("runsNote"));
        QVERIFY(note && !note->text().contains(QStringLiteral("WER and BLEU")));
        const auto decoded = [&](const char* id, std::int64_t count) {
            const auto folder = desk.shop.run(id, RunState::Finished, 1, count == 4 ? 2 : 3);
            RunInfo info = readRun(folder);
            info.data = std::string("/corpora/") + id; // another experiment
            info.best["decoded"] = count;
            info.best["validated"] = 63;
            writeRun(folder, info);
        };
        decoded("a", 40);
        QTRY_VERIFY_WITH_TIMEOUT(note->text().contains(QStringLiteral("WER and BLEU on dev are of the first 40 of 63 utterances.")), 60000);
        decoded("b", 63);
        QTRY_VERIFY_WITH_TIMEOUT(note->text().contains(QStringLiteral("In some rows WER and BLEU on dev are of the first utterances only")), 60000);
    }

    /// “Per task and dev set”, and two losses of one task and dev set were bold.
    void theNoteSaysOfBoldOnlyWhatIsTrue() {
        std::vector<widgets::RunItem> runs;
        for (const char* name : {"a", "b", "c", "d"}) {
            runs.push_back(sampleRun(QString::fromLatin1(name), 1, RunState::Finished, 1.0 + double(runs.size())));
            runs.back().lossMeasure = runs.size() > 2 ? QStringLiteral("smoothed 0.2") : QStringLiteral("smoothed 0.1");
        }
        RunTableModel model;
        model.setGroups(widgets::groupRuns(runs));
        int bold = 0;
        for (int row = 0; row < 4; ++row)
            bold += model.index(row, RunTableModel::Loss).data(Qt::FontRole).isValid() ? 1 : 0;
        QCOMPARE(bold, 2);
        const QString note = app::noteOnRuns(model);
        QVERIFY2(!note.contains(QStringLiteral("per task and dev set")) && note.contains(QStringLiteral("runs that can be compared")), qPrintable(note));
        QVERIFY(model.headerData(RunTableModel::Loss, Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("label smoothing")));
    }

    void theCaptionOfTheFigureSaysSoToo() {
        CurvesPanel panel;
        std::vector<CurvesPanel::Compared> runs(2);
        for (int i = 0; i < 2; ++i) {
            runs[std::size_t(i)].curves = {i == 0 ? QStringLiteral("demo") : QStringLiteral("full"), i, {sampleCurves(40, i)}, {}};
            runs[std::size_t(i)].task = QStringLiteral("asr");
            runs[std::size_t(i)].decoded = QStringLiteral("the first 40 of 63 utterances");
        }
        panel.setRuns(runs);
        const auto says = [&](const char* text) { return panel.exported().figure.caption.contains(QLatin1String(text)); };
        QVERIFY2(says("WER and BLEU on dev are of the first 40 of 63 utterances."), qPrintable(panel.exported().figure.caption));
        panel.setScore(QStringLiteral("validation.loss"));
        QVERIFY(!says("utterances")); // the loss is of all
        panel.setScore(QStringLiteral("validation.wer"));
        runs[1].decoded.clear();
        panel.setRuns(runs);
        QVERIFY2(says("of the first 40 of 63 utterances (demo), all utterances (full)."), qPrintable(panel.exported().figure.caption));
        runs[0].decoded.clear();
        panel.setRuns(runs);
        QVERIFY(!says("utterances"));
    }
};

HEADROOM_TEST(DevAndTestScoresTest)

} // namespace headroom::testing::dev_and_test_scores_test

#include "dev_and_test_scores_test.moc"
