// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen beside the current map.
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/time_axis/time_axis.h"

#include <QAction>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::comparison_test {

using namespace headroom::app;

namespace {

/// A session of models that were opened as far as the window knows; no worker reads them.
struct Desk {
    Session session;
    Comparison comparison{&session};
    ModelId open(const char* name, int layers = 8) {
        const ModelId id = session.openModel(std::filesystem::path("/models") / name);
        ModelDescription info;
        info.name = QString::fromLatin1(name);
        info.architecture.encoder.layers.resize(static_cast<std::size_t>(layers));
        for (auto& layer : info.architecture.encoder.layers)
            layer.heads = parseHeads("4 full");
        session.setModelOpened(id, info);
        return id;
    }
    Comparison::Side side() { return comparison.side().value_or(Comparison::Side{ModelId::None, -1}); }
};

} // namespace

class ComparisonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void nothingIsBesideUntilItIsAskedFor() {
        Desk desk;
        QVERIFY(!desk.comparison.side());
        desk.comparison.setOn(true);
        QVERIFY(!desk.comparison.side()); // no model
        desk.open("a");
        QVERIFY(desk.comparison.side());
        desk.comparison.setOn(false);
        QVERIFY(!desk.comparison.side());
    }

    void aModelAloneIsSeenBesideItsOwnNextLayer() {
        Desk desk;
        const ModelId a = desk.open("a");
        desk.session.setCurrentModel(a);
        desk.session.setCurrentLayer(5);
        desk.comparison.setOn(true);
        QVERIFY(desk.side() == (Comparison::Side{a, 4}));
        desk.session.setCurrentLayer(1);
        QVERIFY(desk.side() == (Comparison::Side{a, 2}));
    }

    void twoModelsShowTheSameLayerAndChangePlaces() {
        Desk desk;
        const ModelId a = desk.open("a"), b = desk.open("b");
        desk.session.setCurrentModel(b);
        desk.session.setCurrentLayer(3);
        desk.session.setModelEnabled(a, false);
        desk.comparison.compareModel(a);
        QVERIFY(desk.side() == (Comparison::Side{a, 3}));
        QVERIFY(desk.session.models()->find(a)->enabled); // so that it is read
        desk.session.setCurrentLayer(6);
        QVERIFY(desk.side() == (Comparison::Side{a, 6}));
        QSignalSpy changed(&desk.comparison, &Comparison::changed);
        desk.session.setCurrentModel(a);
        QVERIFY(desk.side() == (Comparison::Side{b, 6}));
        QVERIFY(!changed.isEmpty());
    }

    /// It could be chosen as *B:*, where nothing came of it.
    void aModelThatCouldNotBeOpenedIsNotOffered() {
        Desk desk;
        const ModelId bad = desk.open("bad"), a = desk.open("a"), b = desk.open("b");
        desk.session.setModelFailed(bad, QStringLiteral("no weights"));
        desk.session.setCurrentModel(a);
        const auto offered = [&] {
            std::vector<ModelId> ids;
            for (const OpenModel* model : desk.comparison.offered())
                ids.push_back(model->id);
            return ids;
        };
        desk.comparison.setOn(true);
        QVERIFY(desk.side() == (Comparison::Side{b, 1})); // not the first in the list
        QVERIFY(offered() == (std::vector<ModelId>{a, b}));
        desk.comparison.compareModel(bad); // of a session that was saved before it failed: the field says what is beside
        QVERIFY(offered() == (std::vector<ModelId>{bad, a, b}));
    }

    void aChosenLayerStays() {
        Desk desk;
        const ModelId a = desk.open("a");
        desk.session.setCurrentModel(a);
        desk.comparison.compareLayer(a, 2);
        desk.session.setCurrentLayer(7);
        QVERIFY(desk.side() == (Comparison::Side{a, 2}));
        QCOMPARE(desk.comparison.fixedLayer(), 2);
    }

    void aClosedModelIsForgotten() {
        Desk desk;
        const ModelId a = desk.open("a"), b = desk.open("b"), c = desk.open("c");
        desk.session.setCurrentModel(a);
        desk.comparison.compareLayer(b, 4);
        desk.session.closeModel(b);
        QVERIFY(desk.side() == (Comparison::Side{c, desk.session.currentLayer()}));
        desk.session.closeModel(c);
        desk.session.closeModel(a);
        QVERIFY(!desk.comparison.side());
    }

    void anotherHeadOfTheSameLayerStandsBesideItself() {
        Desk desk;
        const ModelId a = desk.open("a"), b = desk.open("b");
        desk.session.setCurrentModel(a);
        desk.session.setCurrentLayer(3);
        const MapSource second{MapSource::Kind::Head, 2};
        desk.comparison.compareMap(second);
        QVERIFY(desk.side() == (Comparison::Side{a, 3, second}));
        desk.session.setCurrentLayer(5);
        QVERIFY(desk.side() == (Comparison::Side{a, 5, second}));
        desk.session.setCurrentModel(b); // still the same layer of whichever is current
        QVERIFY(desk.side() == (Comparison::Side{b, 5, second}));
        desk.comparison.compareModel(a); // or of another model
        QVERIFY(desk.side() == (Comparison::Side{a, 5, second}));
        desk.comparison.compareLayer(b, 0);
        desk.comparison.compareMap(std::nullopt);
        QVERIFY(desk.side() == (Comparison::Side{b, 4})); // a map is not seen beside itself
    }

    /// Another open model was silently in its place, named by a field that was too narrow for what tells the two apart.
    void theCurrentModelBesideItselfIsItsNextLayer() {
        Desk desk;
        const ModelId a = desk.open("a"), b = desk.open("b"), c = desk.open("c");
        desk.session.setCurrentModel(a);
        desk.session.setCurrentModel(b);
        desk.session.setCurrentLayer(3);
        desk.comparison.setOn(true);
        QVERIFY(desk.side() == (Comparison::Side{a, 3}));
        desk.comparison.compareLayer(b, desk.comparison.fixedLayer()); // as the field does
        QVERIFY(desk.side() == (Comparison::Side{b, 2}));
        QCOMPARE(desk.comparison.fixedLayer(), 0);
        desk.session.setCurrentLayer(1);
        QVERIFY(desk.side() == (Comparison::Side{b, 2}));
        desk.session.setCurrentLayer(6);
        QVERIFY(desk.side() == (Comparison::Side{b, 5}));
        desk.session.setCurrentModel(c); // what was chosen stays
        QVERIFY(desk.side() == (Comparison::Side{b, 6}));
        desk.session.setCurrentModel(b);
        QVERIFY(desk.side() == (Comparison::Side{c, 6}));
    }

    void anotherRecordingChangesPlacesWithTheCurrentOne() {
        Desk desk;
        const ModelId a = desk.open("a");
        const UtteranceId one = desk.session.openUtterance("/sound/one.wav"),
                          two = desk.session.openUtterance("/sound/two.wav");
        desk.session.setCurrentModel(a);
        desk.session.setCurrentUtterance(one);
        desk.comparison.compareUtterance(two);
        QVERIFY(desk.side() == (Comparison::Side{a, 1, {}, two}));
        desk.session.setCurrentUtterance(two);
        QVERIFY(desk.side() == (Comparison::Side{a, 1, {}, one}));
        desk.session.closeUtterance(one);
        QVERIFY(desk.side().utterance == UtteranceId::None);
    }

    /// B showed the reason for good, and called it the recording of A.
    void aRecordingThatCannotBeReadDoesNotChangePlaces() {
        Desk desk;
        desk.session.setCurrentModel(desk.open("a"));
        const UtteranceId broken = desk.session.openUtterance("/sound/one.wav"), two = desk.session.openUtterance("/sound/two.wav");
        const auto* utterances = std::as_const(desk.session).utterances();
        QVERIFY(QTest::qWaitFor([&] { return utterances->find(broken)->state == OpenState::Failed; }, 60000));
        desk.session.setCurrentUtterance(broken);
        desk.comparison.compareUtterance(two);
        desk.session.setCurrentUtterance(two);
        QVERIFY(desk.side().utterance == UtteranceId::None);
    }

    void aSessionFindsItAgainAndAStrangersIsHarmless() {
        Desk desk;
        const ModelId a = desk.open("a"), b = desk.open("b");
        desk.session.setCurrentModel(a);
        desk.comparison.compareLayer(b, 4);
        const auto state = desk.comparison.state();
        desk.comparison.setOn(false);
        desk.comparison.restore(state);
        QVERIFY(desk.side() == (Comparison::Side{b, 4}));
        desk.comparison.compareMap(MapSource{MapSource::Kind::Head, 3, true});
        const auto withHead = desk.comparison.state();
        desk.comparison.setOn(false);
        QVERIFY(!desk.comparison.fixedSource());
        desk.comparison.restore(withHead);
        QVERIFY(desk.comparison.fixedSource() == (MapSource{MapSource::Kind::Head, 3, true}));
        QCOMPARE(withHead.at("map").get<std::string>(), std::string("head 3 raw")); // as in the rest of the session
        nlohmann::json earlier = withHead;
        earlier["map"] = {{"kind", "head"}, {"head", 3}, {"raw", true}};
        desk.comparison.restore(earlier);
        QVERIFY(desk.comparison.fixedSource() == (MapSource{MapSource::Kind::Head, 3, true}));
        for (const char* text : {R"({"on": true, "map": {"kind": "head", "head": -2}, "utterance": 77})", R"({"on": true, "map": "head 0"})",
                                 R"({"on": true, "map": 5})", "null", "[]", "7", R"({"on": 1, "model": "b"})",
                                 R"({"on": true, "model": 99, "layer": -3})"}) {
            desk.comparison.restore(nlohmann::json::parse(text));
            if (const auto side = desk.comparison.side())
                QVERIFY(desk.session.models()->find(side->model) && side->layer >= 1);
        }
        desk.comparison.restore(nlohmann::json());
        QVERIFY(!desk.comparison.isOn());
    }

    /// The words took the place of the maps, and what was chosen for B was lost.
    void whatIsSetAsideComesBackAsItWas() {
        Desk desk;
        const ModelId a = desk.open("a"), b = desk.open("b"), c = desk.open("c");
        desk.session.setCurrentModel(a);
        Comparison& comparison = desk.comparison;
        comparison.setAside(true); // off before, off afterwards
        comparison.setAside(false);
        QVERIFY(!comparison.isOn());
        comparison.compareLayer(b, 4);
        QSignalSpy changed(&comparison, &Comparison::changed);
        comparison.setAside(true);
        QVERIFY(!comparison.isOn() && !comparison.side());
        QCOMPARE(changed.count(), 1);
        const auto state = comparison.state();
        comparison.setAside(false);
        QVERIFY(desk.side() == (Comparison::Side{b, 4}));
        QCOMPARE(changed.count(), 2);
        comparison.setOn(false); // by hand it is forgotten
        comparison.setAside(true);
        comparison.setAside(false);
        QVERIFY(!comparison.isOn());
        comparison.restore(state); // of a session that was saved meanwhile
        QVERIFY(!comparison.isOn());
        comparison.setAside(true);
        comparison.compareModel(c); // which ends it
        comparison.setAside(false);
        QVERIFY(desk.side() == (Comparison::Side{c, 1}));
        comparison.restore(state);
        comparison.setAside(true);
        comparison.setAside(false);
        QVERIFY(desk.side() == (Comparison::Side{b, 4}));
    }

    /// B is the model that was current before, of a session that was saved too.
    void aSessionKnowsWhichModelWasCurrentBefore() {
        nlohmann::json state;
        for (const bool again : {false, true}) {
            Desk desk;
            desk.open("a");
            const ModelId b = desk.open("b"), c = desk.open("c");
            if (again) {
                desk.session.setCurrentModel(c);
                desk.comparison.restore(state);
            } else {
                desk.session.setCurrentModel(b);
                desk.session.setCurrentModel(c);
                desk.comparison.setOn(true);
                state = desk.comparison.state();
            }
            QVERIFY(desk.side().model == b);
        }
    }

    /// “Layer as A” stands there only while map B follows map A.
    void theLayerFieldNamesALayerThatIsNotTheCurrentOne() {
        widgets::TimeAxis axis;
        QAction compare;
        ComparedMap map(&axis, &compare);
        map.setLayer(5, 12, false);
        QCOMPARE(map.layerField()->currentText(), QStringLiteral("Layer as A"));
        map.setLayer(4, 12, true);
        QCOMPARE(map.layerField()->currentText(), QStringLiteral("Layer 4"));
        map.setLayer(5, 12, false);
        QCOMPARE(map.layerField()->currentText(), QStringLiteral("Layer as A"));
    }

    /// The other fields say of what they are as A, so that three of them do not read alike.
    void everyFieldSaysOfWhatItIsAsA() {
        widgets::TimeAxis axis;
        QAction compare;
        ComparedMap map(&axis, &compare);
        map.setMaps({{MapSource{}, QStringLiteral("Contributions")}}, std::nullopt);
        map.setLayer(1, 2, false);
        map.setRecordings({{UtteranceId(7), QStringLiteral("other.wav")}}, UtteranceId::None, false);
        QCOMPARE(map.mapField()->currentText(), QStringLiteral("Map as A"));
        QCOMPARE(map.layerField()->currentText(), QStringLiteral("Layer as A"));
        QCOMPARE(map.recordingField()->currentText(), QStringLiteral("Recording as A"));
    }
};

HEADROOM_TEST(ComparisonTest)

} // namespace headroom::testing::comparison_test

#include "comparison_test.moc"
