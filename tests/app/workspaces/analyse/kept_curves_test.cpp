// SPDX-License-Identifier: GPL-3.0-or-later
// Curves that K keeps in the plot of Windows stay what they were: in the session, and beside another part of the recording.
#include "tests/app/workspaces/analyse/windows_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <nlohmann/json.hpp>

#include <QAction>

namespace headroom::testing::kept_curves_test {

using namespace headroom::app;

namespace {

struct Desk : WindowsDesk {
    QStringList names() { // the current curve's first
        QStringList names;
        for (const auto& entry : panel()->diagonality()->keyEntries())
            if (entry.name != QStringLiteral("other layers"))
                names << entry.name;
        return names;
    }
    std::vector<double> shares() { return panel()->diagonality()->comparedHere(); }
    void keep() { actions.keepCurve->trigger(); }
    QString said() {
        return session.messages()->index(0, Messages::Sentence).data().toString() +
               session.messages()->index(session.messages()->rowCount() - 1, Messages::Sentence).data().toString();
    }
    nlohmann::json view() {
        nlohmann::json view = nlohmann::json::object();
        windows.saveView(view);
        return view;
    }
};

} // namespace

class KeptCurvesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theSessionKeepsThem() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.setCurrentLayer(4);
        desk.keep();
        QVERIFY(desk.session.isModified());
        desk.session.setPart(desk.session.currentUtteranceId(), Part{Seconds(0.5), Seconds(2)});
        QVERIFY(desk.settle());
        desk.session.setMapSource({MapSource::Kind::Head, 2});
        desk.keep();
        desk.session.setMapSource({});
        desk.session.setCurrentLayer(2);
        QVERIFY(desk.settle());
        const QStringList names = desk.names();
        const std::vector<double> shares = desk.shares();
        QCOMPARE(shares.size(), std::size_t(2));
        desk.session.setViewState(desk.view());
        const auto folder = desk.workshop.path() / "kept.headroom";
        desk.session.saveAs(folder);

        Desk again;
        again.session.openSession(folder);
        again.windows.restoreView(again.session.viewState());
        QVERIFY(again.settle());
        QTRY_COMPARE(again.names(), names);
        QCOMPARE(again.shares(), shares);
        QVERIFY(again.view() == desk.view());
        again.windows.restoreView(nlohmann::json::object()); // of a session in which none was kept
        QTRY_VERIFY(again.shares().empty());
        QVERIFY(again.view() == nlohmann::json::object());
    }

    /// Whatever was kept was computed anew from the selection, under its old name.
    void aKeptCurveStaysBesideThatOfASelection() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.setCurrentLayer(4);
        desk.keep();
        const DiagonalProfile whole = desk.analysis.current()->layer(4)->profile;
        const UtteranceId here = desk.session.currentUtteranceId();
        desk.session.setPart(here, Part{Seconds(0.5), Seconds(2)});
        QVERIFY(desk.settle());
        const DiagonalProfile part = desk.analysis.current()->layer(4)->profile;
        QVERIFY(part.size() < whole.size());
        QTRY_COMPARE(desk.names(), (QStringList{QStringLiteral("from 0.50 to 2.00 s"), QStringLiteral("whole recording")}));
        const auto curvesHere = [&] { return comparedCurves(desk.session, desk.analysis, std::nullopt, keptIn(desk.view()["keptCurves"], desk.session)); };
        QCOMPARE(curvesHere().curves.at(0).profile.sums(), whole.sums());

        desk.keep();
        QVERIFY2(desk.said().contains(QStringLiteral(", a from 0.50 to 2.00 s)")), qPrintable(desk.said()));
        desk.session.setPart(here, std::nullopt);
        QVERIFY(desk.settle());
        QTRY_COMPARE(desk.names(), (QStringList{QStringLiteral("whole recording"), QStringLiteral("from 0.50 to 2.00 s")}));
        QCOMPARE(curvesHere().curves.at(0).profile.sums(), part.sums());
        desk.session.setCurrentLayer(2); // now both are of another layer
        QVERIFY(desk.settle());
        QTRY_COMPARE(desk.names(), (QStringList{QStringLiteral("layer 2, whole recording"), QStringLiteral("layer 4, whole recording"),
                                                QStringLiteral("layer 4, from 0.50 to 2.00 s")}));
        // Its name in the key leads to what it is of.
        Q_EMIT desk.panel()->diagonality()->comparedChosen(1);
        QCOMPARE(desk.session.currentUtterance()->part, std::optional(Part{Seconds(0.5), Seconds(2)}));
        QCOMPARE(desk.session.currentLayer(), 4);
        QVERIFY(desk.settle());
        QCOMPARE(desk.actions.keepCurve->text(), QStringLiteral("Remove this kept D(w) curve"));
    }

    void aCurveThatIsKeptBeforeItIsReadIsOfWhatWasChosen() {
        Desk desk;
        desk.keep(); // nothing is read yet
        QVERIFY(desk.settle());
        QTRY_VERIFY(!desk.view()["keptCurves"].at(0).value("profile", nlohmann::json::array()).empty());
        QCOMPARE(desk.view()["keptCurves"].at(0)["profile"].get<std::vector<double>>(), desk.analysis.current()->layer(1)->profile.sums());
    }

    /// The name said nothing of it.
    void aCurveOfATextThatWasEditedSaysWhichItWas() {
        Desk desk;
        QVERIFY(desk.settle());
        const ModelId model = desk.session.currentModelId();
        const UtteranceId text = desk.session.addText(QStringLiteral("Guten Morgen, liebe Sorgen, seid ihr auch schon alle da?"));
        KeptCurve curve{{model, 1, {}, text, {}, QStringLiteral("Guten Morgen, liebe Sorgen, seid ihr auch schon alle da?")},
                        DiagonalProfile(std::vector<double>{0.5, 2, 0.5})};
        const auto name = [&] { return comparedCurves(desk.session, desk.analysis, std::nullopt, {curve}).curves.at(0).name; };
        desk.session.setCurrentLayer(3);
        QCOMPARE(name(), QStringLiteral("layer 1"));
        desk.session.setText(text, QStringLiteral("Gute Nacht"), {});
        QCOMPARE(name(), QStringLiteral("layer 1, “Guten Morgen, liebe Sorgen, seid ihr…”"));
    }

    /// Files come from strangers.
    void whatDoesNotFitIsLeftOut() {
        Desk desk;
        const nlohmann::json good{{"model", 0}, {"utterance", 0}, {"layer", 2}, {"source", "head 3"}, {"profile", {0.25, 1, 0.25}}};
        const auto read = [&](const char* key, const nlohmann::json& value) {
            nlohmann::json changed = good;
            changed[key] = value;
            return keptIn(nlohmann::json::array({changed}), desk.session);
        };
        QCOMPARE(keptIn(nlohmann::json::array({good}), desk.session).at(0).profile.size(), std::int64_t(2));
        for (const auto& [key, value] : std::initializer_list<std::pair<const char*, nlohmann::json>>{
                 {"model", 1}, {"model", -1}, {"model", "m"}, {"utterance", 7}, {"layer", 0}, {"source", "mixing nothing"}, {"source", 3}})
            QVERIFY2(read(key, value).empty(), key);
        for (const nlohmann::json& sums : {nlohmann::json("x"), nlohmann::json{1, 2}, nlohmann::json{1, "x", 2}, nlohmann::json::array()})
            QVERIFY(read("profile", sums).at(0).profile.empty());
        QVERIFY(!read("part", {2}).at(0).of.part);
        QVERIFY(keptIn(nlohmann::json("x"), desk.session).empty());
        QVERIFY(keptIn(nlohmann::json::array({3}), desk.session).empty());
    }
};

HEADROOM_TEST(KeptCurvesTest)

} // namespace headroom::testing::kept_curves_test

#include "kept_curves_test.moc"
