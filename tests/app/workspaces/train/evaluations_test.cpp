// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations in TRAIN: asked for, followed in the queue, their scores in Runs, their errors one by one.
#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "app/parts/word_marks.h"
#include "app/workspaces/train/evaluate/error_browser.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/log_view.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/samples_view.h"
#include "widgets/study_table/study_table_view.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::evaluations_test {

using namespace headroom::app;
using widgets::QueueModel;
using widgets::RunTableModel;
namespace fs = std::filesystem;

namespace {

/// evaluation.json of three utterances with four errors.
std::string result(const fs::path& model, const fs::path& data) {
    nlohmann::json document{{"format", "headroom/evaluation"}, {"version", 1}, {"model", model.string()}, {"data", data.string()},
                            {"split", "all"}, {"task", "asr"}, {"nll", 1}, {"wer", 42.5}, {"bleu", 7}};
    document["decoding"]["beams"] = 5;
    const char* const rows[][3] = {{"u0", "The big man.", "the big man"}, {"u1", "a big house", "a pig house"}, {"u2", "big", "pig pig"}};
    for (const auto& row : rows)
        document["utterances"].push_back({{"id", row[0]}, {"reference", row[1]}, {"hypothesis", row[2]}});
    return document.dump();
}

QString cell(const QueueModel* queue, int row, QueueModel::Column column) {
    return queue->index(row, column).data().toString();
}

} // namespace

class TrainEvaluationsTest : public QObject {
    Q_OBJECT

    PlaceStore m_places;
    DeviceList m_devices;

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theDialogueWritesAJob() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1"), corpus = desk.shop.corpus();
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        desk.shop.text(RunPaths{run}.checkpoints() / "last.safetensors", "weights");
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace->store()->runs().empty() && desk.workspace->store()->runs().front().hasModel, 60000);
        EvaluateDialog* dialog = desk.workspace->askEvaluation(RunPaths{run}.model());
        dialog->show();
        dialog->chooseData(corpus);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending(), 60000);
        QCOMPARE(dialog->splitField()->currentText(), QStringLiteral("all"));
        QCOMPARE(dialog->checkpointField()->count(), 3);
        dialog->checkpointField()->setCurrentIndex(1);
        dialog->beamField()->setValue(5);
        QVERIFY2(dialog->sentence().contains(QStringLiteral("3 utterances")), qPrintable(dialog->sentence()));
        const auto wanted = dialog->request();
        QVERIFY(wanted.has_value());
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        dialog->startButton()->click();
        const auto jobs = waitingJobs(desk.shop.runs());
        QCOMPARE(jobs.size(), std::size_t(1));
        const Job job = readJob(jobs.front());
        QVERIFY(job.evaluation == wanted);
        QCOMPARE(job.evaluation->checkpoint, std::string("best"));
        QCOMPARE(job.run.parent_path(), evaluationsFolder(desk.shop.runs()));
        const QueueModel* queue = desk.workspace->queueView()->queue();
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowCount() > 0 && queue->kindAt(0) == QueueModel::Kind::Waiting, 60000);
        QCOMPARE(cell(queue, 0, QueueModel::Job), QStringLiteral("Evaluate smoke, seed 1, on all of corpus, asr, best checkpoint, beam 5"));
    }

    /// Progress in the queue, stopped by its button; then the scores in Runs.
    void anEvaluationIsFollowed() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        const QueueModel* queue = desk.workspace->queueView()->queue();
        EvaluationInfo info;
        info.folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        info.request = {RunPaths{run}.model(), "model", desk.shop.path() / "corpus", "all", "asr", 5, "auto"};
        info.done = 2;
        info.total = 8;
        info.seconds = 10;
        fs::create_directories(info.folder);
        auto lock = FileLock::tryTake(EvaluationPaths{info.folder}.lock(), "test");
        writeProgress(info);
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowCount() > 0 && queue->kindAt(0) == QueueModel::Kind::Running, 60000);
        QCOMPARE(cell(queue, 0, QueueModel::Step), QStringLiteral("2 of 8"));
        QVERIFY(cell(queue, 0, QueueModel::TimeLeft).contains(QStringLiteral("30")));
        QVERIFY(queue->buttonsAt(0) == QList{QueueModel::Button::Stop});
        Q_EMIT desk.workspace->queueView()->asked(QueueModel::Button::Stop, info.folder);
        QVERIFY(requestOf(info.folder) == RunRequest::Stop);
        QTRY_VERIFY_WITH_TIMEOUT(queue->kindAt(0) == QueueModel::Kind::Stopping, 60000);
        const auto* runs = desk.workspace->runTable()->runs();
        QCOMPARE(runs->index(0, RunTableModel::Test).data().toString(), QStringLiteral("–"));
        QVERIFY(desk.workspace->runTable()->isColumnHidden(RunTableModel::Test));
        // In the worker's order: whoever looks in between sees an evaluation that goes on.
        desk.shop.text(EvaluationPaths{info.folder}.result(), result(RunPaths{run}.model(), desk.shop.path()));
        fs::remove(EvaluationPaths{info.folder}.progress());
        lock.reset();
        const QString onAll = QStringLiteral("42.50\u202f% WER, all of ") + toQString(desk.shop.path().filename()); // not the run's corpus
        QTRY_COMPARE_WITH_TIMEOUT(runs->index(0, RunTableModel::Test).data().toString(), onAll, 60000);
        QVERIFY(!desk.workspace->runTable()->isColumnHidden(RunTableModel::Test));
        QTRY_VERIFY_WITH_TIMEOUT(queue->kindAt(0) == QueueModel::Kind::Finished, 60000);
        QVERIFY(cell(queue, 0, QueueModel::Score).startsWith(QStringLiteral("42.5")));
        QTRY_VERIFY_WITH_TIMEOUT(desk.said().contains(QStringLiteral("WER 42.50")), 60000);
    }

    /// Only evaluation.json had it: the number on the screen was taken for it.
    void theScoreAfterTheMappingRulesIsShownToo() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1"), folder = evaluationsFolder(desk.shop.runs()) / "a";
        auto document = nlohmann::json::parse(result(RunPaths{run}.model(), desk.shop.corpus()));
        document["glm"] = "/rules/map.glm";
        document["wer-sclite"] = {{"errors", 3}, {"percent", 40.75}};
        desk.shop.text(folder / "evaluation.json", document.dump());
        const QueueModel* queue = desk.workspace->queueView()->queue();
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowOf(folder) >= 0, 60000);
        const int row = queue->rowOf(folder);
        QCOMPARE(cell(queue, row, QueueModel::Score), QStringLiteral("42.5\u202f% WER, 40.8\u202f% with rules"));
        const QString tip = queue->index(row, QueueModel::Score).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("42.50")) && tip.contains(QStringLiteral("WER after the rules (sclite): 40.75")), qPrintable(tip));
        const auto* runs = desk.workspace->runTable()->runs();
        QTRY_VERIFY_WITH_TIMEOUT(
            runs->index(0, RunTableModel::Test).data().toString().startsWith(QStringLiteral("42.50\u202f% WER, 40.75\u202f% with rules")), 60000);
        const ErrorBrowser* browser = desk.workspace->showErrors(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        QVERIFY(std::ranges::any_of(browser->findChildren<QLabel*>(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("WER after the rules (sclite): 40.75"));
        }));
    }

    /// New rows at the top were out of sight: the queue stayed where the chosen run is.
    void theRowOfAJobThatIsAskedForIsChosen() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1"), other = desk.shop.run("2026-11-21T11-31_b_seed-1", RunState::Finished, 2);
        auto* view = desk.workspace->queueView();
        const auto isThere = [&](const fs::path& path) { return view->queue()->rowOf(path) >= 0; };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(run) && isThere(other), 60000);
        desk.workspace->setCurrentRun(other);
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        EvaluationRequest request{RunPaths{run}.model(), "model", "/corpora/demo", "all", "asr", 1, "auto"};
        const auto begins = [&](const fs::path& job) {
            EvaluationInfo info;
            info.folder = readJob(job).run;
            info.request = request;
            info.state = EvaluationInfo::State::Failed;
            fs::create_directories(info.folder);
            writeProgress(info);
            fs::remove(job);
            return info.folder;
        };
        (void)desk.workspace->queue()->evaluate(request);
        const fs::path job = waitingJobs(desk.shop.runs()).front();
        QTRY_COMPARE_WITH_TIMEOUT(view->currentPath(), job, 60000);
        QCOMPARE(desk.workspace->currentRun(), run);
        const fs::path evaluation = begins(job);
        QTRY_COMPARE_WITH_TIMEOUT(view->currentPath(), evaluation, 60000);
        QCOMPARE(desk.workspace->currentRun(), run);
        // Not against the user, who has chosen another row since.
        (void)desk.workspace->queue()->evaluate(request);
        const fs::path second = waitingJobs(desk.shop.runs()).front();
        QTRY_COMPARE_WITH_TIMEOUT(view->currentPath(), second, 60000);
        view->setCurrentPath(other);
        const fs::path later = begins(second);
        QTRY_VERIFY_WITH_TIMEOUT(isThere(later), 60000);
        QCOMPARE(view->currentPath(), other);
    }

    /// The queue highlighted an evaluation while log and status bar spoke of another run.
    void theRunOfAHighlightedEvaluationIsTheCurrentOne() {
        Desk desk("good");
        const fs::path evaluated = desk.shop.run("2026-11-21T10-31_a_seed-1"), other = desk.shop.run("2026-11-21T11-31_b_seed-1");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        desk.shop.text(EvaluationPaths{folder}.result(), result(RunPaths{evaluated}.model(), desk.shop.path()));
        auto* view = desk.workspace->queueView();
        const auto isThere = [&](const fs::path& path) { return view->queue()->rowOf(path) >= 0; };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(folder) && isThere(evaluated) && isThere(other), 60000);
        desk.workspace->setCurrentRun(other);
        QCOMPARE(view->currentPath(), other);
        view->setCurrentIndex(view->queue()->index(view->queue()->rowOf(folder), 0));
        QCOMPARE(desk.workspace->currentRun(), evaluated);
        QCOMPARE(view->currentPath(), folder);
        const QString title = cell(view->queue(), view->queue()->rowOf(folder), QueueModel::Job);
        QCOMPARE(desk.workspace->showErrors(folder)->windowTitle(), QStringLiteral("Errors: ") + title);
        desk.workspace->setCurrentRun(other);
        QCOMPARE(view->currentPath(), other);
        // One of a model without a run: no other run is highlighted with it, and nothing is asked of one.
        const fs::path foreign = evaluationsFolder(desk.shop.runs()) / "2026-11-23_b";
        desk.shop.text(EvaluationPaths{foreign}.result(), result("/models/demo", desk.shop.path()));
        QTRY_VERIFY_WITH_TIMEOUT(isThere(foreign), 60000);
        view->setCurrentIndex(view->queue()->index(view->queue()->rowOf(foreign), 0));
        QVERIFY(!desk.workspace->actions().branch->isEnabled());
        const auto examples = [&] { return desk.workspace->samples()->toPlainText(); };
        QVERIFY2(examples().contains(QStringLiteral("Show the errors")), qPrintable(examples())); // no validation is awaited
        const auto log = [&] { return desk.workspace->log()->placeholderText(); }; // “of the run that is chosen”, as if none were
        QVERIFY2(log().contains(QStringLiteral("evaluation")), qPrintable(log()));
        QVERIFY2(desk.workspace->statusText().startsWith(QStringLiteral("Evaluate ")), qPrintable(desk.workspace->statusText()));
        desk.shop.run("2026-11-21T12-31_c_seed-1"); // the next look changes nothing of that
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(3), 60000);
        QCOMPARE(view->currentPath(), foreign);
        QVERIFY(desk.workspace->runTable()->selectedKeys().isEmpty());
        desk.workspace->setCurrentRun(other);
        QVERIFY2(!log().contains(QStringLiteral("evaluation")), qPrintable(log()));
    }

    void errorsAreCountedAndOpened() {
        Desk desk("good");
        const fs::path corpus = desk.shop.corpus(), folder = evaluationsFolder(desk.shop.runs()) / "a";
        desk.shop.text(folder / "evaluation.json", result("/models/a", corpus));
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const EvaluationErrors& errors = browser->errors();
        QCOMPARE(errors.utterances.size(), std::size_t(3));
        QCOMPARE(errors.utterances.front().id, std::string("u2")); // two errors in one word
        QCOMPARE(errors.utterances.back().errors, 0);              // case and punctuation do not count
        QCOMPARE(errors.confusions.front().reference, std::string("big"));
        QCOMPARE(errors.confusions.front().utterances.size(), std::size_t(2));
        QCOMPARE(errors.insertions, 1);
        QCOMPARE(browser->utterances()->shownRows(), 3);
        browser->chooseGroup(0);
        QCOMPARE(browser->utterances()->shownRows(), 2);
        QVERIFY(browser->comparison().contains(QStringLiteral("<s ")) && browser->comparison().contains(QStringLiteral("<u ")));
        QSignalSpy opened(desk.workspace.get(), &TrainWorkspace::openUtteranceRequested);
        browser->utterances()->setCurrentRow(0);
        browser->openButton()->click();
        QCOMPARE(opened.count(), 1);
        const auto asked = opened.front().at(1).value<CorpusUtterance>();
        QCOMPARE(asked.audio.filename(), fs::path("u2.wav"));
        QCOMPARE(asked.id, QStringLiteral("u2"));
        QCOMPARE(asked.texts.transcript, QStringLiteral("big"));
        browser->chooseGroup(-1);
        QCOMPARE(browser->utterances()->shownRows(), 3);
        QVERIFY(browser->hypotheses()->text().isEmpty()); // the evaluation kept one text each
        QCOMPARE(browser->openButton()->text(), QStringLiteral("Open in Analyse"));
    }

    /// "and/or" was one word here and two beside it, in WER; "$" was none.
    void wordsAreThoseThatWerCounts() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        auto document = nlohmann::json::parse(result("/models/a", desk.shop.corpus()));
        document["utterances"] = {{{"id", "u0"}, {"reference", "And/or, it's $5."}, {"hypothesis", "and or it's 5"}}};
        desk.shop.text(folder / "evaluation.json", document.dump());
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        QCOMPARE(browser->errors().utterances.front().referenceWords, 5); // and or it's $ 5
        QCOMPARE(browser->errors().utterances.front().errors, 1);
        QCOMPARE(browser->errors().deletions, 1);
    }

    /// Analyse showed the texts of the exported model as if they were those with the errors.
    void errorsOfACheckpointSayThatAnalyseOpensAnotherModel() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        auto document = nlohmann::json::parse(result("/models/a", desk.shop.corpus()));
        document["checkpoint"] = "best";
        desk.shop.text(folder / "evaluation.json", document.dump());
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        QCOMPARE(browser->openButton()->text(), QStringLiteral("Open the exported model in Analyse"));
        bool says = false;
        for (const QLabel* label : browser->findChildren<QLabel*>())
            says = says || label->text().contains(QStringLiteral("The best checkpoint wrote these texts."));
        QVERIFY(says);
    }

    /// Long texts, and more rows than there is room for.
    void bothTextsShareTheRoomThatIsLeft() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        nlohmann::json document = nlohmann::json::parse(result("/models/a", desk.shop.corpus()));
        nlohmann::json one = document["utterances"][1];
        one["reference"] = "the big woman carries a book because the girls of the old house by the river are happy";
        one["hypothesis"] = "the women carry a bird because the girls of the old house by the river are happy";
        for (int i = 0; i < 60; ++i) {
            one["id"] = "v" + std::to_string(i);
            document["utterances"].push_back(one);
        }
        desk.shop.text(folder / "evaluation.json", document.dump());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const auto* table = browser->utterances();
        const auto* header = table->horizontalHeader();
        QCOMPARE(table->shownRows(), 63);
        QTRY_COMPARE_WITH_TIMEOUT(header->length(), table->viewport()->width(), 60000);
        QVERIFY(std::abs(header->sectionSize(header->count() - 1) - header->sectionSize(header->count() - 2)) <= 1);
    }

    void errorsAreCountedBySpeakerAndLength() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        nlohmann::json document = nlohmann::json::parse(result("/models/a", desk.shop.corpus()));
        const char* const speakers[] = {"ann", "bob", "ann"};
        for (std::size_t i = 0; i < 3; ++i)
            document["utterances"][i]["speaker"] = speakers[i];
        document["utterances"][0]["reference"] = "the big man in the old house";
        document["utterances"][0]["hypothesis"] = "the big man in the old house";
        desk.shop.text(folder / "evaluation.json", document.dump());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const auto& groups = browser->errors().speakers;
        QCOMPARE(groups.size(), std::size_t(2));
        QCOMPARE(groups[0].name, std::string("bob")); // one error in three words, ann two in eight
        QCOMPARE(groups[1].errors, 2);
        QCOMPARE(groups[1].referenceWords, 8);
        QCOMPARE(groups[1].rate(), 25.0);
        const auto& lengths = browser->errors().lengths;
        QCOMPARE(lengths.size(), std::size_t(2));
        QCOMPARE(lengths[0].name, std::string("0 to 5 words"));
        QCOMPARE(lengths[0].utterances.size(), std::size_t(2));
        QCOMPARE(lengths[1].name, std::string("6 to 10 words"));
        browser->groups()->setCurrentWidget(browser->speakers());
        browser->chooseGroup(1);
        QCOMPARE(browser->utterances()->shownRows(), 2);
        browser->groups()->setCurrentWidget(browser->lengths()); // another question: all utterances again
        QCOMPARE(browser->utterances()->shownRows(), 3);
        browser->chooseGroup(1);
        QCOMPARE(browser->utterances()->shownRows(), 1);
    }

    void withoutSpeakersTheirTabSaysWhy() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        desk.shop.text(folder / "evaluation.json", result("/models/a", "/nowhere"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const int tab = browser->groups()->indexOf(browser->speakers());
        QVERIFY(!browser->groups()->isTabEnabled(tab));
        QVERIFY(!browser->groups()->tabToolTip(tab).isEmpty());
    }

    void theNBestListIsShown() {
        Desk desk("good");
        const fs::path corpus = desk.shop.corpus(), folder = evaluationsFolder(desk.shop.runs()) / "a";
        nlohmann::json document = nlohmann::json::parse(result("/models/a", corpus));
        document["utterances"][1]["hypotheses"] = {{{"text", "a pig house"}, {"ids", {5, 2}}, {"score", -0.25}},
                                                   {{"text", "A big house"}, {"ids", {6, 2}}, {"score", -0.5}},
                                                   {{"text", "a <b> house"}, {"ids", {7, 2}}, {"score", nullptr}}};
        desk.shop.text(folder / "evaluation.json", document.dump());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const auto& rows = browser->errors().utterances;
        const auto listed = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.id == "u1"; });
        QCOMPARE(listed->hypotheses.size(), std::size_t(3));
        QCOMPARE(listed->hypotheses[0].errors, 1);
        QCOMPARE(listed->hypotheses[1].errors, 0);
        QVERIFY(std::isnan(listed->hypotheses[2].score));
        browser->utterances()->selectRow(0); // u2, the worst, has no list
        QVERIFY(browser->hypotheses()->text().isEmpty());
        browser->utterances()->selectRow(static_cast<int>(listed - rows.begin()));
        const QString text = browser->hypotheses()->text();
        QVERIFY2(text.contains(missingWordMark(QStringLiteral("big")) + QLatin1Char(' ') + addedWordMark(QStringLiteral("pig"))),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("a big house</td>")), qPrintable(text)); // the second is right
        QVERIFY2(text.contains(QStringLiteral("–&nbsp;</td>")), qPrintable(text));
        QSignalSpy opened(desk.workspace.get(), &TrainWorkspace::openUtteranceRequested);
        Q_EMIT browser->hypotheses()->linkActivated(QStringLiteral("analyse"));
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.front().at(1).value<CorpusUtterance>().audio.filename(), fs::path("u1.wav"));
    }
};

HEADROOM_TEST(TrainEvaluationsTest)

} // namespace headroom::testing::evaluations_test

#include "evaluations_test.moc"
