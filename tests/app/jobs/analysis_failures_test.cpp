// SPDX-License-Identifier: GPL-3.0-or-later
// Analyses that fail or are cancelled: what is said, and what is tried again.
#include "app/documents/drafts/drafts.h"
#include "tests/app/jobs/analysed_session.h"
#include "tests/support/runner.h"

#include <QTest>

#include <csignal>

namespace headroom::testing::analysis_failures_test {

using namespace headroom::app;

class AnalysisFailuresTest : public QObject, AnalysedSession {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { closeAll(); }
    void aRecordingThatIsTooLongIsRefusedWithBothNumbers();
    void aModelThatDoesNotOpenSaysWhy();
    void aTooShortRecordingSaysWhy();
    void aFailureIsSaidOnceAndAnalysedAgainWhereItIs();
    void afterACrashTheAnalysisIsRepeated();
    void anAnalysisThatKillsTheWorkerTwiceIsGivenUp();
    void aModelThatKillsTheWorkerIsGivenUp();
    void anOpenModelThatKillsTheWorkerIsGivenUp();
    void aModelIsNotGivenUpForAnotherOne();
    void aMissingLayerIsSaid();
    void whatFailedInTheBackgroundIsNotReadAgain();
    void withoutAWorkerModelsSayWhy();
    void whatIsCancelledBeforeItIsReadIsNotAnalysed();
};

void AnalysisFailuresTest::aRecordingThatIsTooLongIsRefusedWithBothNumbers() {
    begin();
    open({m_workshop->wav("long.wav", 7.0), m_workshop->model("m")}); // its models read 600 frames
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Failed);
    QCOMPARE(m_service->current()->code, QStringLiteral("model.tooLong"));
    QVERIFY(m_service->current()->sentence.contains(QStringLiteral("698 frames")));
    QVERIFY(m_service->current()->sentence.contains(QStringLiteral("600 frames")));
    QVERIFY(m_service->current()->sentence.startsWith(QStringLiteral("long is 7.00\u202Fs long")));
    m_session->setPart(m_session->currentUtteranceId(), Part{Seconds(0.5), Seconds(6.75)});
    QVERIFY(settle());
    QVERIFY2(m_service->current()->sentence.startsWith(QStringLiteral("The selected part of long is 6.25\u202Fs long (623 frames).")) &&
                 m_service->current()->sentence.contains(QStringLiteral("Select a shorter part")),
             qPrintable(m_service->current()->sentence));
    QCOMPARE(asked(QStringLiteral("analyse ")), 0);
    m_session->setPart(m_session->currentUtteranceId(), Part{Seconds(1), Seconds(3)});
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Ready);
}

void AnalysisFailuresTest::aModelThatDoesNotOpenSaysWhy() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->model("broken")});
    QVERIFY(settle());
    QCOMPARE(m_session->models()->at(0).state, OpenState::Failed);
    QVERIFY(m_session->models()->at(0).sentence.contains(QStringLiteral("broken/model.safetensors")));
    QVERIFY(!m_service->current());
    m_session->retryModel(m_session->models()->at(0).id);
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("openModel")), 2);
}

void AnalysisFailuresTest::aTooShortRecordingSaysWhy() {
    begin();
    open({m_workshop->wav("click.wav", 0.01), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Failed);
    QCOMPARE(m_service->current()->code, QStringLiteral("features.tooShort"));
    QCOMPARE(m_session->messages()->count(Severity::Error), 1);
}

/// It was said once per model, without the recording, and *Analyse again* took whichever recording was shown.
void AnalysisFailuresTest::aFailureIsSaidOnceAndAnalysedAgainWhereItIs() {
    begin();
    open({m_workshop->wav("click.wav", 0.01), m_workshop->wav("a.wav"), m_workshop->model("m"), m_workshop->model("n")});
    m_session->models()->setData(m_session->models()->index(1), Qt::Checked, Qt::CheckStateRole);
    QVERIFY(settle());
    const UtteranceId click = m_session->utterances()->at(0).id, other = m_session->utterances()->at(1).id;
    m_session->setCurrentUtterance(click);
    QVERIFY(settle());
    const ModelId m = m_session->models()->at(0).id, n = m_session->models()->at(1).id;
    QCOMPARE(m_service->result(click, m)->state, AnalysisResult::State::Failed);
    QCOMPARE(m_service->result(click, n)->state, AnalysisResult::State::Failed);
    const auto sentence = [&] { return m_session->messages()->rowCount() > 0 ? m_session->messages()->at(0).sentence : QString(); };
    QCOMPARE(m_session->messages()->count(Severity::Error), 1);
    QCOMPARE(sentence(), QStringLiteral("click: ") + m_service->result(click, m)->sentence);

    m_session->setCurrentUtterance(other);
    QVERIFY(settle());
    const int asked = this->asked(QStringLiteral("analyse "));
    m_session->messages()->trigger(0);
    QCOMPARE(m_session->currentUtteranceId(), click);
    QVERIFY(settle());
    QCOMPARE(this->asked(QStringLiteral("analyse ")), asked + 2); // with both models, and nothing else
    QCOMPARE(m_session->messages()->count(Severity::Error), 1);

    m_session->closeModel(m); // the other one still says so
    QVERIFY(settle());
    QVERIFY2(sentence().startsWith(QStringLiteral("click: ")), qPrintable(sentence()));
    m_session->closeModel(n);
    QVERIFY(settle());
    QCOMPARE(m_session->messages()->count(Severity::Error), 0);
}

void AnalysisFailuresTest::afterACrashTheAnalysisIsRepeated() {
    begin({QStringLiteral("--crash-after"), QStringLiteral("3"), QStringLiteral("--delay"),
           QStringLiteral("30")});
    bool sawOldLayers = false;
    connect(m_service.get(), &AnalysisService::resultChanged, this, [&] {
        const AnalysisResult* result = m_service->current();
        sawOldLayers = sawOldLayers || (result && result->stale && result->layer(1)->isReady());
    });
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    m_session->drafts()->setWindow({m_session->currentModelId()}, {1, 17});
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Ready);
    QCOMPARE(m_service->current()->readyLayers(), 6);
    QVERIFY(!m_service->current()->stale);
    QVERIFY(sawOldLayers);
    QCOMPARE(asked(QStringLiteral("openModel")), 2); // opened again in the new worker
    QCOMPARE(asked(QStringLiteral("analyse ")), 2);
    QCOMPARE(m_session->messages()->count(Severity::Error), 1);
    const QString sentence = m_session->messages()->at(0).sentence;
    QVERIFY2(sentence.contains(QStringLiteral("while analysing layer")), qPrintable(sentence));
    QVERIFY2(sentence.endsWith(QStringLiteral(" It was restarted. Your session is safe.")), qPrintable(sentence));
}

/// "It is restarting" came after what was given up, and stayed when it was wrong.
void AnalysisFailuresTest::anAnalysisThatKillsTheWorkerTwiceIsGivenUp() {
    begin({QStringLiteral("--crash-after"), QStringLiteral("2"), QStringLiteral("always")});
    QStringList said;
    connect(m_session->messages(), &Messages::posted, this, [&](const Message& message) {
        for (const char* part : {"It is restarting.", "It was restarted.", "will not retry"})
            if (message.sentence.contains(QLatin1String(part)))
                said << QLatin1String(part);
    });
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Failed);
    QCOMPARE(m_service->current()->code, QStringLiteral("worker.stopped"));
    QCOMPARE(asked(QStringLiteral("analyse ")), 2);
    QCOMPARE(m_worker->state(), WorkerProcess::State::Ready); // and is there for the next recording
    QCOMPARE(m_session->models()->at(0).state, OpenState::Ready);
    QCOMPARE(said, (QStringList{"It is restarting.", "It was restarted.", "It is restarting.", "will not retry", "It was restarted."}));
    for (int row = 0; row < m_session->messages()->rowCount(); ++row)
        QVERIFY(!m_session->messages()->at(row).sentence.contains(QStringLiteral("It is restarting.")));
}

void AnalysisFailuresTest::aModelThatKillsTheWorkerIsGivenUp() {
    begin({QStringLiteral("--crash-opening")});
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(m_session->models()->at(0).state, OpenState::Failed);
    QCOMPARE(asked(QStringLiteral("openModel")), 2);
    QVERIFY(m_session->models()->at(0).sentence.contains(QStringLiteral("while opening m")));
}

/// All that waited to be opened were given up, and the sentence named the last of them.
void AnalysisFailuresTest::aModelIsNotGivenUpForAnotherOne() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->model("deadly"), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(m_session->models()->at(0).state, OpenState::Failed);
    QVERIFY2(m_session->models()->at(0).sentence.contains(QStringLiteral("while opening deadly")), qPrintable(m_session->models()->at(0).sentence));
    QCOMPARE(m_session->models()->at(1).state, OpenState::Ready);
}

/// If each life of the worker was longer than 20 s, it was started again without end.
void AnalysisFailuresTest::anOpenModelThatKillsTheWorkerIsGivenUp() {
    begin({QStringLiteral("--crash-reopening")});
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(m_session->models()->at(0).state, OpenState::Ready);
    const qint64 before = m_worker->processId();
    ::kill(static_cast<pid_t>(before), SIGKILL);
    QVERIFY(QTest::qWaitFor([&] { return m_session->models()->at(0).state == OpenState::Failed; }, 60000));
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("openModel")), 3);
    QVERIFY(QTest::qWaitFor([&] { return m_worker->state() == WorkerProcess::State::Ready; }, 60000)); // for other models
    QVERIFY2(m_session->models()->at(0).sentence.endsWith(QStringLiteral("It failed twice on this model and will not retry automatically.")),
             qPrintable(m_session->models()->at(0).sentence));
    int row = 0;
    while (m_session->messages()->at(row).sentence != m_session->models()->at(0).sentence)
        QVERIFY(++row < m_session->messages()->rowCount());
    QCOMPARE(m_session->messages()->at(row).actionText, QStringLiteral("Open again"));
    m_session->messages()->trigger(row);
    QVERIFY(QTest::qWaitFor([&] { return asked(QStringLiteral("openModel")) > 3; }, 60000));
}

void AnalysisFailuresTest::aMissingLayerIsSaid() {
    begin({QStringLiteral("--skip-layer"), QStringLiteral("4")});
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Failed);
    QVERIFY2(m_service->current()->sentence.contains(QStringLiteral("5 of 6")),
             qPrintable(m_service->current()->sentence));
    QVERIFY(m_service->current()->layer(5)->isReady());
}

/// Its result was dropped where memory was short, and so it was read again and again.
void AnalysisFailuresTest::whatFailedInTheBackgroundIsNotReadAgain() {
    begin({QStringLiteral("--skip-layer"), QStringLiteral("3")});
    m_service->setMemoryBound(1);
    open({m_workshop->wav("a.wav", 1.2), m_workshop->wav("b.wav", 1.5), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("analyse ")), 2);
    const AnalysisResult* other = m_service->result(m_session->utterances()->at(1).id, m_session->currentModelId());
    QVERIFY(other && other->state == AnalysisResult::State::Failed && other->layers.empty());
    m_session->setCurrentUtterance(other->utterance);
    m_service->analyseAgain();
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("analyse ")), 4); // both
    QCOMPARE(state(), AnalysisResult::State::Failed);
}

void AnalysisFailuresTest::withoutAWorkerModelsSayWhy() {
    begin();
    WorkerProcess::Options options;
    options.program = QStringLiteral("/nowhere/headroom-worker");
    m_service.reset();
    m_worker = std::make_unique<WorkerProcess>(options);
    m_service = std::make_unique<AnalysisService>(m_session.get(), m_worker.get());
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(m_session->utterances()->at(0).state, OpenState::Ready); // everything else works
    QCOMPARE(m_session->models()->at(0).state, OpenState::Failed);
    QVERIFY(m_session->models()->at(0).sentence.contains(QStringLiteral("/nowhere/headroom-worker")));
}

/// The analysis began when the recording was read.
void AnalysisFailuresTest::whatIsCancelledBeforeItIsReadIsNotAnalysed() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    m_session->saveAs(m_workshop->path() / "work");
    m_session->openSession(m_session->folder());
    QCOMPARE(m_session->utterances()->at(0).state, OpenState::Reading);
    m_service->cancel();
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Cancelled);
    QCOMPARE(asked(QStringLiteral("analyse ")), 1); // before it was saved
}

HEADROOM_TEST(AnalysisFailuresTest)

} // namespace headroom::testing::analysis_failures_test

#include "analysis_failures_test.moc"
