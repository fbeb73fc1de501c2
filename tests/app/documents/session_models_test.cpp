// SPDX-License-Identifier: GPL-3.0-or-later
// The models of a session: how they are named, coloured, opened again and closed.
#include "app/documents/assign_maps.h"
#include "app/documents/removals.h"
#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>

#include <vector>

namespace headroom::testing::session_models_test {

using namespace headroom::app;
using headroom::testing::Workshop;

class SessionModelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Until it is open, and for ever if it fails, a snapshot had the name of its hash.
    void aModelOfTheCacheHasItsName() {
        Workshop workshop;
        Session session;
        const auto repository = workshop.path() / "models--MIT--ast-finetuned";
        std::filesystem::create_directories(repository / "snapshots" / "0123456789abcdef");
        const ModelId id = session.openModel(repository); // as one sees it in a file dialogue
        QCOMPARE(session.models()->find(id)->name, QStringLiteral("ast-finetuned"));
        QCOMPARE(session.models()->find(id)->folder.filename(), std::filesystem::path("0123456789abcdef"));
        QCOMPARE(session.openModel(repository / "snapshots" / "0123456789abcdef"), id);
        session.open({repository});
        QCOMPARE(session.models()->count(), 1);
    }

    void theLayerStaysWithinTheModel() {
        Workshop workshop;
        Session session;
        const ModelId small = session.openModel(workshop.model("small")),
                      large = session.openModel(workshop.model("large"));
        session.setModelOpened(small, Workshop::info(3));
        session.setModelOpened(large, Workshop::info(12));
        session.setCurrentModel(large);
        session.setCurrentLayer(40);
        QCOMPARE(session.currentLayer(), 12);
        session.setCurrentModel(small);
        QCOMPARE(session.currentLayer(), 3);
        session.setCurrentLayer(-1);
        QCOMPARE(session.currentLayer(), 1);
        QVERIFY(session.models()->at(0).colour != session.models()->at(1).colour);
        QCOMPARE(session.models()->at(0).summary(), QStringLiteral("3 layers × 4 heads, width 256"));
    }

    /// The end of every run whose model was open counted as a warning, and the path of its folder filled the list.
    void whatItsRunExportsAnewIsNoWarning() {
        Workshop workshop;
        Session session;
        const auto folder = workshop.model("run/model"), other = workshop.model("other/model");
        for (const char* run : {"run", "other"})
            workshop.text(std::string(run) + "/model/provenance.json",
                          R"({"sourceKind": "headroom-worker train", "sha256": {"stop-000014.safetensors": "a1"}})");
        const ModelId id = session.openModel(folder);
        session.setModelOpened(id, Workshop::info(3));
        QVERIFY(waitUntilRead(session));
        const auto writtenAnew = [&](const std::string& weights) {
            workshop.text("run/model/model.safetensors", weights);
            session.setModelFolder(id, folder);
            return waitUntilRead(session);
        };
        QVERIFY(writtenAnew("of the end"));
        QCOMPARE(session.models()->at(0).warnings, QStringList());
        QCOMPARE(session.messages()->count(Severity::Warning), 0);
        QCOMPARE(session.messages()->at(0).sentence, QStringLiteral("The run of “small” has exported a new model, which was loaded."));
        QCOMPARE(session.models()->index(0).data(Qt::ToolTipRole).toString(), toQString(folder) + QStringLiteral("\nweights: update 14"));
        session.setModelFolder(id, other); // no run brings it there
        QVERIFY(waitUntilRead(session));
        QCOMPARE(session.models()->at(0).warnings.size(), 1);
        session.setModelFolder(id, folder);
        std::filesystem::remove(folder / "provenance.json"); // nor does it replace what another program wrote
        QVERIFY(waitUntilRead(session) && writtenAnew("of nobody"));
        QCOMPARE(session.models()->at(0).warnings,
                 QStringList(QStringLiteral("model.safetensors of “small” has changed since this session last read it. The new version was loaded.")));
        QCOMPARE(session.messages()->count(Severity::Warning), 1);
        QCOMPARE(session.models()->index(0).data(Qt::ToolTipRole).toString(), toQString(folder));
    }

    /// "Head 3 before relaxation" stayed chosen for a model without it, whose map was empty.
    void theMapIsOneThatTheModelHas() {
        Workshop workshop;
        Session session;
        const ModelId relaxed = session.openModel(workshop.model("relaxed")), plain = session.openModel(workshop.model("plain")),
                      few = session.openModel(workshop.model("few"));
        const auto info = [](const char* first) {
            ModelDescription made = Workshop::info(2);
            made.architecture.encoder.layers = {{parseHeads(first)}, {parseHeads("2 full")}};
            return made;
        };
        session.setModelOpened(relaxed, info("4 full relaxed 0.1 matched"));
        session.setModelOpened(plain, info("4 full relaxed 0.1"));
        session.setModelOpened(few, info("2 full"));
        session.setCurrentModel(relaxed);
        const MapSource before{MapSource::Kind::Head, 3, true};
        session.setMapSource(before);
        session.setCurrentLayer(2); // other layers may lack it
        QCOMPARE(session.mapSource(), before);
        QSignalSpy changed(&session, &Session::mapSourceChanged);
        session.setCurrentModel(plain);
        QCOMPARE(session.mapSource(), (MapSource{MapSource::Kind::Head, 3}));
        session.setCurrentModel(relaxed);
        QCOMPARE(changed.size(), 1);
        session.setCurrentModel(few);
        QCOMPARE(session.mapSource(), MapSource());
        QCOMPARE(changed.size(), 2);
    }

    void aFailedModelCanBeOpenedAgain() {
        Workshop workshop;
        Session session;
        const ModelId id = session.openModel(workshop.model("m"));
        session.setModelFailed(id, QStringLiteral("model.safetensors is cut short."));
        QCOMPARE(session.models()->at(0).state, OpenState::Failed);
        QSignalSpy retried(&session, &Session::modelRetried);
        session.messages()->trigger(0);
        QCOMPARE(retried.count(), 1);
        QCOMPARE(session.models()->at(0).state, OpenState::Reading);
    }

    void damagedModelsSayHowMuchIsMissing() {
        Workshop workshop;
        Session session;
        const ModelId id = session.openModel(workshop.model("m"));
        ModelDescription info = Workshop::info(2);
        info.missing = QStringList{QStringLiteral("decoder.layers.5.fc1.weight")};
        session.setModelOpened(id, info);
        QVERIFY(session.models()->at(0).warnings.value(0).contains(QStringLiteral("1 of 11")));
    }

    /// Pressing *Remove* in the row of a model that could not be opened makes it current first.
    void closingAModelGoesBackToTheOneBefore() {
        Workshop workshop;
        Session session;
        std::vector<ModelId> ids;
        for (const char* name : {"a", "b", "c"})
            ids.push_back(session.openModel(workshop.model(name)));
        for (const ModelId id : ids)
            session.setModelOpened(id, Workshop::info(2));
        session.setCurrentModel(ids[0]);
        session.setCurrentModel(ids[1]);
        session.closeModel(ids[1]);
        QCOMPARE(session.currentModelId(), ids[0]); // not c, which took its row
        session.closeModel(ids[0]);
        QCOMPARE(session.currentModelId(), ids[2]);
        QVERIFY(waitUntilRead(session));
    }

    /// Models and Layers said "model" for as long as it was read.
    void theModelOfARunIsNotCalledAsItsFolder() {
        Workshop workshop;
        Session session;
        std::filesystem::create_directories(workshop.path() / "demo");
        session.openModel(workshop.model("demo/model"));
        session.openModel(workshop.model("small"));
        QCOMPARE(session.models()->at(0).name, QStringLiteral("demo"));
        QCOMPARE(session.models()->at(1).name, QStringLiteral("small"));
        QVERIFY(waitUntilRead(session));
    }

    /// Blue in a figure of yesterday is blue today, also where the model before it was closed.
    void coloursOfModelsAreKept() {
        Workshop workshop;
        Session session;
        for (const char* name : {"a", "b", "c"})
            session.setModelOpened(session.openModel(workshop.model(name)), Workshop::info(2));
        session.closeModel(session.models()->at(0).id);
        const int second = session.models()->at(0).colour, third = session.models()->at(1).colour;
        QCOMPARE(second, 1);
        session.saveAs(workshop.path() / "kept");
        Session again;
        again.openSession(session.folder());
        QCOMPARE(again.models()->at(0).colour, second);
        QCOMPARE(again.models()->at(1).colour, third);
        again.openModel(workshop.model("d")); // takes the colour that is free
        QCOMPARE(again.models()->at(2).colour, 0);
        QVERIFY(waitUntilRead(session) && waitUntilRead(again));
    }

    /// They had the number that the recording had before it was closed, and belonged to none.
    void mapsThatComeBackAfterTheirRecordingAreStillAssigned() {
        Workshop workshop;
        Session session;
        const UtteranceId x = session.openUtterance(workshop.wav("x.wav"));
        const ModelId maps = session.openModel(workshop.model("maps"));
        QVERIFY(waitUntilRead(session));
        session.assignMaps(maps, x);
        removeModel(&session, maps);
        removeUtterances(&session, {x});
        session.undoStack()->undo();
        session.undoStack()->undo();
        QVERIFY(session.models()->find(maps)->mapsOf != x);
        QCOMPARE(session.models()->find(maps)->mapsOf, session.utterances()->at(0).id);
        QVERIFY(waitUntilRead(session));
    }

    /// The step named the recording that was closed, and vanished without effect.
    void aRecordingThatIsBackGetsItsMapsWithUndo() {
        Workshop workshop;
        Session session;
        const UtteranceId x = session.openUtterance(workshop.wav("x.wav")), y = session.openUtterance(workshop.wav("y.wav"));
        const ModelId maps = session.openModel(workshop.model("maps"));
        QVERIFY(waitUntilRead(session));
        session.assignMaps(maps, x);
        session.assignMaps(maps, y);
        const auto isOf = [&](UtteranceId id) { return dynamic_cast<const AssignMaps&>(*session.undoStack()->command(1)).isOf(id); };
        QVERIFY(isOf(x) && isOf(y) && !isOf(UtteranceId::None));
        removeUtterances(&session, {x});
        session.undoStack()->undo();
        session.undoStack()->undo();
        const UtteranceId back = session.utterances()->at(0).id;
        QCOMPARE(session.models()->find(maps)->mapsOf, back);
        QVERIFY(isOf(back) && isOf(y));
        session.undoStack()->undo();
        QCOMPARE(session.models()->find(maps)->mapsOf, UtteranceId::None);
        QCOMPARE(session.undoStack()->count(), 3);
        QVERIFY(waitUntilRead(session));
    }
};

HEADROOM_TEST(SessionModelsTest)

} // namespace headroom::testing::session_models_test

#include "session_models_test.moc"
