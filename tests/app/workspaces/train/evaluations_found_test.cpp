// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations that TRAIN finds in their folder: what is said of them, and that they stay chosen.
#include "app/parts/availability.h"
#include "app/workspaces/train/evaluate/error_browser.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QPushButton>
#include <QTest>

namespace headroom::testing::evaluations_found_test {

using namespace headroom::app;

class EvaluationsFoundTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Its evaluation was announced as "WER –, BLEU –", with errors to show.
    void thePerplexityIsSaid() {
        Desk desk("good");
        EvaluationInfo info;
        info.folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        info.request = {"/models/LM", "model", desk.shop.path() / "corpus", "test", "lm", 1, "auto"};
        std::filesystem::create_directories(info.folder);
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
        EvaluationInfo info;
        info.folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        info.request = {"/models/LM", "model", desk.shop.path() / "corpus", "test", "asr", 1, "auto"};
        info.state = EvaluationInfo::State::Failed;
        info.error = "The folder /models/LM does not exist.";
        std::filesystem::create_directories(info.folder);
        writeProgress(info);
        const QString sentence = QStringLiteral("Evaluate LM on test of corpus, asr: The folder /models/LM does not exist.");
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(sentence), qPrintable(desk.said()), 60000);
        desk.workspace->store()->lookNow(); // and not again
        QTest::qWait(300);
        QCOMPARE(desk.said().count(sentence), 1);
    }

    /// Without a run, the chosen evaluation was left at the next change of the folder.
    void anEvaluationStaysChosenWithoutRuns() {
        Desk desk("good");
        EvaluationInfo info;
        info.folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        info.request = {"/models/LM", "model", desk.shop.path() / "corpus", "test", "asr", 1, "auto"};
        info.state = EvaluationInfo::State::Stopped;
        std::filesystem::create_directories(info.folder);
        writeProgress(info);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(info.folder), 60000);
        desk.workspace->setCurrentRun(info.folder);
        auto other = info;
        other.folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_b";
        std::filesystem::create_directories(other.folder);
        writeProgress(other);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(other.folder), 60000);
        QCOMPARE(desk.workspace->currentRun(), info.folder);
    }
};

HEADROOM_TEST(EvaluationsFoundTest)

} // namespace headroom::testing::evaluations_found_test

#include "evaluations_found_test.moc"
