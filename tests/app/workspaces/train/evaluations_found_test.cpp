// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations that Train finds in their folder: what is said of them, and that they stay chosen.
#include "app/parts/availability.h"
#include "app/workspaces/train/evaluate/error_browser.h"
#include "tests/app/workspaces/train/evaluation_result.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::evaluations_found_test {

using namespace headroom::app;

namespace {

/// An evaluation of this name on the test split, of a model that is not there.
EvaluationInfo evaluation(const Desk& desk, const char* name, const char* task, EvaluationInfo::State state = EvaluationInfo::State::Running) {
    EvaluationInfo info;
    info.folder = evaluationsFolder(desk.shop.runs()) / name;
    info.request = {"/models/LM", "model", desk.shop.path() / "corpus", "test", task, 1, "auto"};
    info.state = state;
    std::filesystem::create_directories(info.folder);
    return info;
}

} // namespace

class EvaluationsFoundTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Its evaluation was announced as "WER –, BLEU –", with errors to show.
    void thePerplexityIsSaid() {
        Desk desk("good");
        const EvaluationInfo info = evaluation(desk, "2026-11-23_a", "lm");
        auto lock = FileLock::tryTake(EvaluationPaths{info.folder}.lock(), "test");
        writeProgress(info);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(info.folder), 60000);
        desk.shop.text(EvaluationPaths{info.folder}.result(),
                       R"({"model": "/models/LM", "split": "test", "task": "lm", "sentences": 65, "nll": 5.1, "perplexity": 35.2})");
        std::filesystem::remove(EvaluationPaths{info.folder}.progress());
        lock.reset();
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(QStringLiteral("Evaluate LM on test, lm: perplexity 35.20.")), qPrintable(desk.said()), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(info.folder);
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        QCOMPARE(reasonOf(browser->openButton()),
                 QStringLiteral("A language model writes no text, so there are no errors. Its perplexity on test is 35.20."));
    }

    /// Nothing said it: it was never seen running.
    void anEvaluationThatFailsAtOnceIsAnnounced() {
        Desk desk("good");
        const QSignalSpy ended(desk.workspace->store(), &RunStore::evaluationEnded);
        EvaluationInfo info = evaluation(desk, "2026-11-23_a", "asr", EvaluationInfo::State::Failed);
        info.error = "The folder /models/LM does not exist.";
        writeProgress(info);
        const QString sentence = QStringLiteral("Evaluate LM on test of corpus, asr: The folder /models/LM does not exist.");
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(sentence), qPrintable(desk.said()), 60000);
        EvaluationInfo later = evaluation(desk, "2026-11-23_b", "asr", EvaluationInfo::State::Failed);
        later.error = "The disk is full.";
        writeProgress(later);
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(QStringLiteral("The disk is full.")), qPrintable(desk.said()), 60000);
        QCOMPARE(desk.said().count(sentence), 1);
        QCOMPARE(ended.count(), 2); // each once, which messages would not show: they hold a sentence once
    }

    /// Of a model that is quick nobody was told: its evaluation was never seen running.
    void anEvaluationThatFinishesAtOnceIsAnnounced() {
        Desk desk("good");
        const std::filesystem::path folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        desk.shop.text(EvaluationPaths{folder}.result(), result("/models/LM", desk.shop.path() / "corpus"));
        const QString sentence = QStringLiteral("Evaluate LM on all of corpus, asr, beam 5: WER 42.50\u202f%, BLEU 7.00.");
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(sentence), qPrintable(desk.said()), 60000);
        // One that was copied here is older.
        const std::filesystem::path old = evaluationsFolder(desk.shop.runs()) / "2026-11-22_b";
        desk.shop.text(desk.shop.path() / "old.json", result("/models/Old", desk.shop.path() / "corpus"));
        std::filesystem::last_write_time(desk.shop.path() / "old.json", std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
        std::filesystem::create_directories(old);
        std::filesystem::rename(desk.shop.path() / "old.json", EvaluationPaths{old}.result());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(old), 60000);
        QVERIFY2(!desk.said().contains(QStringLiteral("Old")), qPrintable(desk.said()));
    }

    /// Without a run, the chosen evaluation was left at the next change of the folder.
    void anEvaluationStaysChosenWithoutRuns() {
        Desk desk("good");
        const EvaluationInfo info = evaluation(desk, "2026-11-23_a", "asr", EvaluationInfo::State::Stopped);
        writeProgress(info);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(info.folder), 60000);
        desk.workspace->setCurrentRun(info.folder);
        const EvaluationInfo other = evaluation(desk, "2026-11-23_b", "asr", EvaluationInfo::State::Stopped);
        writeProgress(other);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(other.folder), 60000);
        QCOMPARE(desk.workspace->currentRun(), info.folder);
    }
};

HEADROOM_TEST(EvaluationsFoundTest)

} // namespace headroom::testing::evaluations_found_test

#include "evaluations_found_test.moc"
