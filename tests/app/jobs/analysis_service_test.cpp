// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/jobs/analysed_session.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::analysis_service_test {

using namespace headroom::app;

class AnalysisServiceTest : public QObject, AnalysedSession {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { closeAll(); }
    void aRecordingAndAModelGiveEveryLayer();
    void theNewestUtteranceWins();
    void goingBackIsImmediate();
    void attentionIsFetchedWhenItIsLookedAt();
    void aMeasureOfMixingIsComputedWhenItIsLookedAt();
    void wordsAreZeroedTogetherWhereThereIsAnAlignment();
    void otherTickedModelsFollow();
    void aPartIsAnalysedAtItsPlace();
    void cancelKeepsWhatIsReadyAndAgainFetchesTheRest();
    void onlyTheAnswerCanBeMissing();
    void nothingIsFetchedOfWhatWasDropped();
    void tickedModelsDoNotDropEachOther();
    void aModelThatIsNotTickedIsNotReadForWindows();
    void anotherContentIsAnalysedAnew();
    void whatWasCancelledIsFetchedOfAnotherPart();
    void aModelThatUndoBringsBackIsTranscribed();
    void closingEverythingEndsTheWork();
    void progressNamesTheLayer();
    void progressForSuggestedWindowsCountsTheUtterances();
};

void AnalysisServiceTest::aRecordingAndAModelGiveEveryLayer() {
    begin();
    QVERIFY(QTest::qWaitFor([&] { return !m_service->isBusy(); }, 60000));
    QCOMPARE(m_worker->state(), WorkerProcess::State::Stopped); // nothing is open: no worker
    QSignalSpy layers(m_service.get(), &AnalysisService::layerReady);
    open({m_workshop->wav("hello.wav", 0.5), m_workshop->model("m")});
    QVERIFY(settle());
    const AnalysisResult* result = m_service->current();
    QVERIFY(result);
    QCOMPARE(result->state, AnalysisResult::State::Ready);
    QCOMPARE(layers.count(), 6);
    QCOMPARE(result->frames.value(), 48);
    QCOMPARE(result->tokens.value(), 12);
    QCOMPARE(result->milliseconds, 12.5);
    QCOMPARE(result->text, QStringLiteral("so it says"));
    QVERIFY(!result->stale);
    for (int layer = 1; layer <= 6; ++layer) {
        QVERIFY(result->layer(layer)->isReady());
        QCOMPARE(result->layer(layer)->contributions->level(0)(0, 0), 1 - static_cast<float>(layer) / 100);
    }
    m_session->setCurrentLayer(4);
    QVERIFY(m_service->currentMap() == result->layer(4)->contributions.get());
    QCOMPARE(m_session->models()->at(0).name, QStringLiteral("m"));
    QCOMPARE(m_session->messages()->rowCount(), 0);
}

void AnalysisServiceTest::theNewestUtteranceWins() {
    begin({QStringLiteral("--delay"), QStringLiteral("60")});
    open({m_workshop->wav("a.wav", 0.5), m_workshop->wav("b.wav", 0.6), m_workshop->wav("c.wav", 0.7),
          m_workshop->model("m")});
    QTRY_VERIFY_WITH_TIMEOUT(m_service->current() && m_service->current()->readyLayers() >= 1, 60000);
    const UtteranceId a = m_session->utterances()->at(0).id, b = m_session->utterances()->at(1).id;
    m_session->setCurrentUtterance(b);
    QTRY_VERIFY_WITH_TIMEOUT(m_service->result(b, m_session->currentModelId()), 60000);
    m_session->setCurrentUtterance(m_session->utterances()->at(2).id);
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Ready);
    QCOMPARE(m_service->current()->tokens.value(), 17);
    const AnalysisResult* first = m_service->result(a, m_session->currentModelId());
    QVERIFY(first->readyLayers() >= 1 && first->readyLayers() < 6);
    QCOMPARE(first->state, AnalysisResult::State::Waiting);
    QVERIFY(asked(QStringLiteral("^cancel")) + asked(QStringLiteral("cancel ")) >= 2);
    // Coming back asks only for what is missing.
    m_session->setCurrentUtterance(a);
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Ready);
    QCOMPARE(m_service->current()->readyLayers(), 6);
    QVERIFY(log().filter(QStringLiteral("analyse ")).last().contains(QStringLiteral("\"layers\"")));
}

void AnalysisServiceTest::goingBackIsImmediate() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->wav("b.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    m_session->setCurrentUtterance(m_session->utterances()->at(1).id);
    QVERIFY(settle());
    const int before = asked(QStringLiteral("analyse "));
    m_session->setCurrentUtterance(m_session->utterances()->at(0).id);
    QVERIFY(m_service->currentMap());
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("analyse ")), before);
    // A bound that holds one result only lets the other go.
    m_service->setMemoryBound(1);
    QVERIFY(m_service->current());
    QVERIFY(!m_service->result(m_session->utterances()->at(1).id, m_session->currentModelId()));
}

void AnalysisServiceTest::attentionIsFetchedWhenItIsLookedAt() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("\"attention\":true")), 0);
    m_session->setCurrentLayer(3);
    m_session->setMapSource({MapSource::Kind::Head, 2});
    QVERIFY(!m_service->currentMap());
    QVERIFY(settle());
    QVERIFY(m_service->currentMap());
    QCOMPARE(m_service->currentMap()->level(0)(0, 5), 1.0F / 12);
    QVERIFY(!m_service->current()->layer(2)->attention);
    m_session->setMapSource({MapSource::Kind::HeadMean, 1});
    QCOMPARE(m_service->currentMap()->level(0)(0, 0), (1.0F + 1.0F / 12) / 2);
    m_session->setCurrentLayer(4);
    QVERIFY(settle());
    QVERIFY(m_service->currentMap());
    QCOMPARE(asked(QStringLiteral("\"attention\":true")), 2);
    QVERIFY(m_service->current()->layer(3)->attention);
}

void AnalysisServiceTest::aMeasureOfMixingIsComputedWhenItIsLookedAt() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    m_session->setCurrentLayer(3);
    QStringList said;
    connect(m_service.get(), &AnalysisService::progressChanged, this, [&] { said << m_service->progress().text; });
    m_session->setMapSource(MapSource::of({Mixing::Alti, false}));
    QVERIFY(!m_service->currentMap());
    QVERIFY(m_service->isBusy());
    QVERIFY(settle());
    QVERIFY(m_service->currentMap());
    QCOMPARE(m_service->currentMap()->level(0)(0, 5), 1.0F / 12);
    const LayerResult* layer = m_service->current()->layer(3);
    QVERIFY(layer->contributions && layer->mixingAsked.empty());
    QCOMPARE(layer->profileOf(m_session->mapSource())->size(), std::int64_t(12));
    QCOMPARE(asked(QStringLiteral("\"explain\":false")), 1);
    m_session->setMapSource({}); // going back asks for nothing
    m_session->setMapSource(MapSource::of({Mixing::Alti, false}));
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("\"mixing\":[")), 1);
    m_session->setMapSource(MapSource::of({Mixing::Attention, true})); // the fake one has no such map
    QVERIFY(settle());
    QVERIFY(!m_service->currentMap());
    const MixedMap* none = m_service->current()->layer(3)->mixed({Mixing::Attention, true});
    QVERIFY(none);
    QCOMPARE(none->reason, QStringLiteral("Its keys are shortened."));
    // As the maps are called in their list.
    QVERIFY2(said.contains(QStringLiteral("Computing ALTI, layer 3")), qPrintable(said.join(u'\n')));
    QVERIFY2(said.contains(QStringLiteral("Computing rollout of attention, layer 3")), qPrintable(said.join(u'\n')));
    m_service->disconnect(this);
}

void AnalysisServiceTest::wordsAreZeroedTogetherWhereThereIsAnAlignment() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    const MapSource words = MapSource::of({Mixing::ValueZeroing, false, MixingUnits::Words});
    m_session->setMapSource(words);
    QVERIFY(settle());
    const auto found = [&] { return m_service->current()->layer(m_session->currentLayer())->mixed(words.mixing); };
    QVERIFY(found() && found()->reason.contains(QStringLiteral("no alignment with words")));
    QCOMPARE(asked(QStringLiteral("\"units\"")), 0);

    open({m_workshop->grid("a.TextGrid", "yes")}); // the reason is gone with it
    QVERIFY(settle());
    QVERIFY(QTest::qWaitFor([&] { return asked(QStringLiteral("\"units\":[[0.0,0.5]]")) == 1; }, 60000));
    QVERIFY(settle());
    QVERIFY(found());
    QCOMPARE(found()->alignment, m_session->utterances()->at(0).alignment);
}

void AnalysisServiceTest::otherTickedModelsFollow() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->model("one"), m_workshop->model("two"),
          m_workshop->model("three")});
    m_session->setModelEnabled(m_session->models()->at(2).id, false);
    QVERIFY(settle());
    const UtteranceId a = m_session->currentUtteranceId();
    QCOMPARE(m_service->result(a, m_session->models()->at(1).id)->state, AnalysisResult::State::Ready);
    QVERIFY(!m_service->result(a, m_session->models()->at(2).id));
    m_session->setModelEnabled(m_session->models()->at(2).id, true);
    QVERIFY(settle());
    QVERIFY(m_service->result(a, m_session->models()->at(2).id));
}

void AnalysisServiceTest::aPartIsAnalysedAtItsPlace() {
    begin();
    open({m_workshop->wav("a.wav", 1.0), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(m_service->current()->clock.offset().value(), 0.0125);
    m_session->setPart(m_session->currentUtteranceId(), Part{Seconds(0.25), Seconds(0.75)});
    QVERIFY(settle());
    QCOMPARE(m_service->current()->frames.value(), 48);
    QCOMPARE(m_service->current()->clock.offset().value(), 0.2625);
    QVERIFY(log().filter(QStringLiteral("analyse ")).last().endsWith(QStringLiteral("samples 8000")));
    m_session->setPart(m_session->currentUtteranceId(), std::nullopt);
    QVERIFY(settle());
    QCOMPARE(m_service->current()->frames.value(), 98);
}

void AnalysisServiceTest::cancelKeepsWhatIsReadyAndAgainFetchesTheRest() {
    begin({QStringLiteral("--delay"), QStringLiteral("60")});
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QTRY_VERIFY_WITH_TIMEOUT(m_service->current() && m_service->current()->readyLayers() >= 2, 60000);
    m_service->cancel();
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Cancelled);
    const int ready = m_service->current()->readyLayers();
    QVERIFY(ready >= 2 && ready < 6);
    QVERIFY(m_service->progress().text.isEmpty());
    m_service->analyseAgain();
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Ready);
}

/// The last layer had come when something more urgent took its place: it was then asked for no layer, and the window crashed.
void AnalysisServiceTest::onlyTheAnswerCanBeMissing() {
    begin({QStringLiteral("--answer-delay"), QStringLiteral("600")});
    open({m_workshop->wav("a.wav", 1.2), m_workshop->wav("b.wav", 1.5), m_workshop->model("m")});
    const UtteranceId a = m_session->utterances()->at(0).id, b = m_session->utterances()->at(1).id;
    const auto resultOf = [&](UtteranceId id) { return m_service->result(id, m_session->currentModelId()); };
    const auto lacksItsAnswer = [&](UtteranceId id) {
        const AnalysisResult* result = resultOf(id);
        return result && result->readyLayers() == 6 && result->state == AnalysisResult::State::Working;
    };
    QTRY_VERIFY_WITH_TIMEOUT(lacksItsAnswer(a), 60000);
    m_service->cancel();
    QCOMPARE(resultOf(a)->state, AnalysisResult::State::Cancelled);
    m_service->analyseAgain();
    // The second one is read for the suggested windows, and gives way to a selection.
    QTRY_VERIFY_WITH_TIMEOUT(lacksItsAnswer(b), 60000);
    QCOMPARE(resultOf(a)->state, AnalysisResult::State::Ready);
    QCOMPARE(resultOf(a)->milliseconds, 12.5);
    m_session->setPart(a, Part{Seconds(0.1), Seconds(1.15)});
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Ready);
    QCOMPARE(resultOf(b)->state, AnalysisResult::State::Ready);
    QCOMPARE(resultOf(b)->milliseconds, 12.5);
    QVERIFY(m_service->profiles(b, m_session->currentModelId()));
}

/// It was asked for again and again: there was no layer to put it into.
void AnalysisServiceTest::nothingIsFetchedOfWhatWasDropped() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->wav("b.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    const UtteranceId a = m_session->currentUtteranceId();
    m_session->setCurrentUtterance(m_session->utterances()->at(1).id);
    QVERIFY(settle());
    m_service->requireAttention(a, m_session->currentModelId(), 2);
    m_service->setMemoryBound(1);
    QVERIFY(!m_service->result(a, m_session->currentModelId()));
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("\"attention\":true")), 0);
}

/// Each of two models that memory has no room for dropped the other's maps, which were read again, for ever.
void AnalysisServiceTest::tickedModelsDoNotDropEachOther() {
    begin();
    m_service->setMemoryBound(1);
    open({m_workshop->wav("a.wav"), m_workshop->model("m"), m_workshop->model("n")});
    QVERIFY(settle());
    for (int row = 0; row < 2; ++row) {
        const AnalysisResult* result = m_service->result(m_session->currentUtteranceId(), m_session->models()->at(row).id);
        QVERIFY(result && result->state == AnalysisResult::State::Ready);
    }
    QCOMPARE(asked(QStringLiteral("analyse ")), 2);
}

/// The map beside said that its model is not ticked, while the model was read for the suggested windows.
void AnalysisServiceTest::aModelThatIsNotTickedIsNotReadForWindows() {
    begin();
    open({m_workshop->wav("a.wav", 1.2), m_workshop->wav("b.wav", 1.2), m_workshop->model("m"), m_workshop->model("n")});
    const ModelId other = m_session->models()->at(1).id;
    m_session->setModelEnabled(other, false);
    m_service->alsoAnalyse({UtteranceId::None, other});
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("analyse ")), 2);
    for (int row = 0; row < 2; ++row)
        QVERIFY(!m_service->result(m_session->utterances()->at(row).id, other));
    m_session->setModelEnabled(other, true);
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("analyse ")), 4);
}

/// The layers of the old recording stayed under the name of the new one.
void AnalysisServiceTest::anotherContentIsAnalysedAnew() {
    begin();
    open({m_workshop->wav("a.wav", 1.2), m_workshop->wav("b.wav", 1.2), m_workshop->model("m")});
    QVERIFY(settle());
    const UtteranceId a = m_session->utterances()->at(0).id, b = m_session->utterances()->at(1).id;
    const auto readAgain = [&](UtteranceId id) {
        m_session->setFiles(id, m_session->utterances()->find(id)->file, {});
        QVERIFY(settle());
    };
    readAgain(a); // the same as before
    QCOMPARE(asked(QStringLiteral("analyse ")), 2);
    m_workshop->wav("a.wav", 1.8);
    readAgain(a);
    QCOMPARE(asked(QStringLiteral("analyse ")), 3);
    QVERIFY(m_service->current()->tokens.value() > 40);
    m_service->setMemoryBound(1); // of the other one only its profiles are kept
    QVERIFY(!m_service->result(b, m_session->currentModelId()) && m_service->profiles(b, m_session->currentModelId()));
    m_workshop->wav("b.wav", 1.8);
    readAgain(b);
    QCOMPARE(asked(QStringLiteral("analyse ")), 4);
}

/// The attention of another part was never asked for, so its map said that it was being loaded for ever.
void AnalysisServiceTest::whatWasCancelledIsFetchedOfAnotherPart() {
    begin();
    open({m_workshop->wav("a.wav", 1.0), m_workshop->model("m")});
    QVERIFY(settle());
    bool cancelled = false;
    connect(m_service.get(), &AnalysisService::resultChanged, this, [&] {
        if (const LayerResult* layer = m_service->current() ? m_service->current()->layer(1) : nullptr;
            !cancelled && layer && layer->attentionAsked) {
            cancelled = true;
            m_service->cancel();
        }
    });
    m_session->setMapSource({MapSource::Kind::Head, 2});
    QVERIFY(settle());
    QVERIFY(cancelled && !m_service->currentMap());
    QVERIFY(!m_service->current()->layer(1)->attentionAsked);
    m_session->setPart(m_session->currentUtteranceId(), Part{Seconds(0.25), Seconds(0.75)});
    QVERIFY(settle());
    QVERIFY(m_service->currentMap());
}

void AnalysisServiceTest::aModelThatUndoBringsBackIsTranscribed() {
    begin();
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(asked(QStringLiteral("transcribe")), 1);
    const auto closed = m_session->closedModel(m_session->currentModelId());
    m_session->closeModel(m_session->currentModelId());
    QVERIFY(settle());
    m_session->reopenModel(*closed);
    QVERIFY(settle());
    QCOMPARE(state(), AnalysisResult::State::Ready);
    QCOMPARE(asked(QStringLiteral("transcribe")), 2);
}

void AnalysisServiceTest::closingEverythingEndsTheWork() {
    begin({QStringLiteral("--delay"), QStringLiteral("200")});
    open({m_workshop->wav("a.wav"), m_workshop->model("m")});
    QTRY_VERIFY_WITH_TIMEOUT(m_service->current() && m_service->current()->readyLayers() >= 1, 60000);
    m_session->clear();
    QVERIFY(settle());
    QVERIFY(!m_service->current());
    QTRY_COMPARE_WITH_TIMEOUT(asked(QStringLiteral("closeModel")), 1, 60000);
}

void AnalysisServiceTest::progressNamesTheLayer() {
    begin({QStringLiteral("--delay"), QStringLiteral("20")});
    QStringList texts;
    connect(m_service.get(), &AnalysisService::progressChanged, this,
            [&] { texts << m_service->progress().text; });
    open({m_workshop->wav("a.wav"), m_workshop->model("m"), m_workshop->model("n")});
    QVERIFY(settle());
    QVERIFY(texts.contains(QStringLiteral("Opening m")));
    QVERIFY(texts.contains(QStringLiteral("Analysing n, layer 1 of 6"))); // beside m, which is shown
    QVERIFY(texts.contains(QStringLiteral("Analysing layer 1 of 6")));
    QVERIFY(texts.contains(QStringLiteral("Analysing layer 6 of 6")));
    QVERIFY(texts.last().isEmpty());
}

/// The bar was full after the layers of one utterance and empty again at the next.
void AnalysisServiceTest::progressForSuggestedWindowsCountsTheUtterances() {
    begin({QStringLiteral("--delay"), QStringLiteral("5")});
    QList<std::pair<int, int>> shown;
    connect(m_service.get(), &AnalysisService::progressChanged, this, [&] {
        const AnalysisService::Progress now = m_service->progress();
        if (now.text.contains(QStringLiteral("suggested windows")) && (shown.isEmpty() || shown.last() != std::pair(now.done, now.total)))
            shown << std::pair(now.done, now.total);
    });
    open({m_workshop->wav("a.wav", 1.2), m_workshop->wav("b.wav", 1.2), m_workshop->wav("c.wav", 1.2), m_workshop->wav("d.wav", 1.2),
          m_workshop->model("m")});
    QVERIFY(settle());
    QCOMPARE(shown, (QList<std::pair<int, int>>{{1, 4}, {2, 4}, {3, 4}}));
}

HEADROOM_TEST(AnalysisServiceTest)

} // namespace headroom::testing::analysis_service_test

#include "analysis_service_test.moc"
