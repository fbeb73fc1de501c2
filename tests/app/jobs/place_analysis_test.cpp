// SPDX-License-Identifier: GPL-3.0-or-later
// Thumbnails first: what is asked of a worker at a place.
#include "tests/app/jobs/analysed_session.h"
#include "tests/support/runner.h"

namespace headroom::testing::place_analysis_test {

using namespace headroom::app;

class PlaceAnalysisTest : public QObject, AnalysedSession {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { closeAll(); }

    void aPlaceSendsThumbnailsAndTheMapThatIsLookedAt() {
        begin();
        m_worker->setPlace(QStringLiteral("gpu-1"));
        open({m_workshop->wav("a.wav"), m_workshop->model("m")});
        m_session->setCurrentLayer(2);
        QVERIFY(settle());
        QCOMPARE(state(), AnalysisResult::State::Ready);
        QCOMPARE(asked(QStringLiteral("\"small\":[1,3,4,5,6]")), 1);
        QCOMPARE(asked(QStringLiteral("\"states\":false")), 1);
        QVERIFY(m_service->currentMap());
        const LayerResult* other = m_service->current()->layer(4);
        QVERIFY(other->isReady() && !other->contributions && !other->map({}) && other->thumbnail && other->picture({}) == other->thumbnail);
        QCOMPARE(other->thumbnail->level(0)(0, 1), 0.04F);
        QVERIFY(other->profileOf({}).has_value());

        m_session->setCurrentLayer(4);
        QVERIFY(!m_service->currentMap());
        QVERIFY(settle());
        QVERIFY(m_service->currentMap() && m_service->current()->layer(4)->contributions && !m_service->current()->layer(4)->thumbnail);
        QVERIFY(!m_service->current()->layer(4)->contributionsAsked);
        QCOMPARE(asked(QStringLiteral("analyse ")), 2);
        const QString second = log().filter(QStringLiteral("analyse ")).last();
        QVERIFY2(second.contains(QStringLiteral("\"layers\":[4]")) && !second.contains(QStringLiteral("\"small\"")), qPrintable(second));
        m_session->setCurrentLayer(2); // it is still here
        QVERIFY(settle());
        QVERIFY(m_service->currentMap());
        QCOMPARE(asked(QStringLiteral("analyse ")), 2);
        m_service->requireMap(m_session->currentUtteranceId(), m_session->currentModelId(), 6, {}); // of a layer beside it
        QVERIFY(settle());
        QVERIFY(m_service->current()->layer(6)->contributions && m_service->current()->layer(5)->thumbnail);
    }

    void theAttentionOfAPlaceComesWithoutContributionsThatAreHere() {
        begin();
        m_worker->setPlace(QStringLiteral("gpu-1"));
        open({m_workshop->wav("a.wav"), m_workshop->model("m")});
        QVERIFY(settle());
        m_session->setMapSource({MapSource::Kind::Head, 2});
        QVERIFY(settle());
        const QStringList requests = log().filter(QStringLiteral("\"attention\":true"));
        QCOMPARE(requests.size(), 1);
        QVERIFY2(requests.front().contains(QStringLiteral("\"small\":[1]")), qPrintable(requests.front()));
        QVERIFY(m_service->currentMap() && m_service->current()->layer(1)->contributions);
        m_session->setCurrentLayer(3); // of which only the thumbnail is here
        QVERIFY(settle());
        QVERIFY(m_service->currentMap() && m_service->current()->layer(3)->contributions);
    }

    void contributionsThatAreRefusedAreNotAskedForAgain() {
        begin({QStringLiteral("--delay"), QStringLiteral("50")});
        m_worker->setPlace(QStringLiteral("gpu-1"));
        open({m_workshop->wav("a.wav"), m_workshop->model("m")});
        QVERIFY(settle());
        m_session->setCurrentLayer(5);
        QTRY_VERIFY_WITH_TIMEOUT(m_service->current()->layer(5)->contributionsAsked, 60000);
        m_service->cancel();
        QVERIFY(!m_service->current()->layer(5)->contributionsAsked);
        QVERIFY(settle());
        QVERIFY(!m_service->currentMap() && m_service->current()->layer(5)->thumbnail);
        m_service->analyseAgain();
        QVERIFY(settle());
        QVERIFY(m_service->currentMap());
    }
};

HEADROOM_TEST(PlaceAnalysisTest)

} // namespace headroom::testing::place_analysis_test

#include "place_analysis_test.moc"
