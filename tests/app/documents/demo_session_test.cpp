// SPDX-License-Identifier: GPL-3.0-or-later
// The demo session that the first start opens. HEADROOM_WRITE_DEMO=1 writes resources/demo/demo.headroom anew
// from demo.wav, demo.TextGrid and model/ with the program's own writer; without it the test checks that what
// is there opens.
#include "app/documents/drafts/drafts.h"
#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::demo_session_test {

using namespace headroom::app;

namespace {

const std::filesystem::path kDemo = std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources" / "demo";

/// What the worker says about the demo model, as far as a session keeps it.
ModelDescription described() {
    ModelDescription info;
    info.name = QStringLiteral("demo");
    info.architecture = readArchitecture(kDemo / "model" / "architecture.json");
    return info;
}

} // namespace

class DemoSessionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (qEnvironmentVariable("HEADROOM_WRITE_DEMO") != QLatin1String("1"))
            return;
        Session session;
        session.open({kDemo / "demo.wav", kDemo / "model"});
        QVERIFY(waitUntilRead(session));
        // The first look shows a drawn window: layers 4 to 8 as Algorithm 1 suggests them on this utterance.
        const ModelId model = session.currentModelId();
        session.setModelOpened(model, described());
        for (const auto& [layer, window] : {std::pair{4, 13}, {5, 21}, {6, 29}, {7, 21}, {8, 23}})
            session.drafts()->setWindow({model}, {layer, window});
        session.setCurrentLayer(6);
        session.setViewState({{"cursor", 1.4525}});
        session.saveAs(kDemo / "demo.headroom");
    }

    void theDemoOpensWithoutAMessage() {
        if (!std::filesystem::exists(kDemo / "demo.headroom" / kSessionFileName))
            QSKIP("resources/demo/demo.headroom is not there: HEADROOM_WRITE_DEMO=1 makes it");
        Session session;
        session.openCopy(kDemo / "demo.headroom", QStringLiteral("Demo session"));
        QVERIFY(waitUntilRead(session));
        for (int row = 0; row < session.messages()->rowCount(); ++row)
            qWarning().noquote() << session.messages()->at(row).sentence;
        QCOMPARE(session.messages()->rowCount(),
                 0); // nothing is missing, nothing has changed since it was written
        QCOMPARE(session.currentUtterance()->state, OpenState::Ready);
        QVERIFY(session.currentUtterance()->alignment &&
                !session.currentUtterance()->alignment->phones.empty());
        QCOMPARE(session.models()->count(), 1);
        QVERIFY(session.folder().empty());
    }
};

HEADROOM_TEST(DemoSessionTest)

} // namespace headroom::testing::demo_session_test

#include "demo_session_test.moc"
