// SPDX-License-Identifier: GPL-3.0-or-later
// What a figure of the maps says below it, and the title of its file.
#include "app/documents/drafts/drafts.h"
#include "app/workspaces/analyse/common/caption_text.h"
#include "app/workspaces/analyse/export/figure_caption.h"
#include "tests/app/workspaces/analyse/windows_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/matrix_view.h"

#include <QTest>

namespace headroom::testing::figure_caption_test {

using namespace headroom::app;

class FigureCaptionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// “CL of head 1 before relaxation – in this recording.”
    void aLossThatIsNotKnownIsNotMentioned() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        widgets::WindowBand* band = desk.map.band();
        const DrawnMap map{{MapSource::Kind::Head, 1, true}, desk.session.currentModel(), 2, desk.session.currentUtteranceId(),
                           desk.analysis.current(), &desk.map.drawnMap()};
        const auto said = [&] { return figureCaption(desk.session, {map}); };
        for (const QString& over : {QString(), QStringLiteral("over 7 open utterances")}) {
            band->setMeasured(QStringLiteral("head 1 before relaxation"));
            band->setProfile({});
            band->setSuggestedOver(over);
            band->setSuggestedWindow(33);
            band->setWindow(21);
            QVERIFY2(said().contains(QStringLiteral(" Lines: window w = 21. ")) && !said().contains(QStringLiteral("CL")), qPrintable(said()));
            band->setWindow(0);
            const QString dashed = QStringLiteral(" Dashed lines: suggested window w = 33%1. ").arg(over.isEmpty() ? over : QLatin1Char(' ') + over);
            QVERIFY2(said().contains(dashed) && !said().contains(QStringLiteral("CL")), qPrintable(said()));
        }
    }

    /// “The draft, not this map, has local 5 + full here.” stood under lines of which it said nothing.
    void theLinesOfALayerOfSeveralWindowsAreSaidToBeOfSomeHeads() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        const ModelId model = desk.session.currentModelId();
        const DrawnMap map{{}, desk.session.currentModel(), 2, desk.session.currentUtteranceId(), desk.analysis.current(), &desk.map.drawnMap()};
        const auto said = [&](const char* heads) {
            desk.session.setCurrentLayer(2);
            desk.session.drafts()->write({model, 0}, {{2, 1, 4, QString::fromLatin1(heads)}});
            return desk.settle() ? figureCaption(desk.session, {map}) : QString();
        };
        const QString one = said("3 local 5 + 1 full"), several = said("1 local 1 + 2 local 5 + 1 conv 5/2"), none = said("3 full + 1 conv 5/2");
        QVERIFY2(one.contains(QStringLiteral(" The draft, not this map, has local 5 + full here. Lines: w = 5, the window of the local heads. ")), qPrintable(one));
        QVERIFY2(several.contains(QStringLiteral(" Lines: w = 5, the widest window of the local heads. ")), qPrintable(several));
        QVERIFY2(!none.contains(QStringLiteral("Lines: w")), qPrintable(none));
    }

    /// “Text: one. Text: two.” did not say which is whose, and the title had “text 2”.
    void textsAreNamedByTheirWords() {
        Session session;
        const UtteranceId id = session.addText(QStringLiteral("we see the house"));
        const OpenUtterance& text = *session.utterances()->find(id);
        QCOMPARE(recordingText(text), QStringLiteral("Text: “we see the house”."));
        QCOMPARE(recordingText(text, QStringLiteral("B")), QStringLiteral("Text of B: “we see the house”."));
        QCOMPARE(figureTitle(session, {{{}, nullptr, 1, id, nullptr, nullptr}}), QStringLiteral("“we see the house”"));
    }

    /// “Left, A: … layer 1 of whisper-80 … Right, B: … layer 1 of whisper-80”, where A was another model.
    void aMapThatIsBlinkedIsNamedB() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        widgets::LayerMatrixView view;
        const DrawnMap a{{}, desk.session.currentModel(), 2, desk.session.currentUtteranceId(), desk.analysis.current(), &desk.map.drawnMap()};
        const DrawnMap b{a.source, a.model, 1, a.utterance, a.result, &view};
        QString said = figureCaption(desk.session, {a, b, true});
        QVERIFY2(said.startsWith(QStringLiteral("Left and right, B: ")) && said.contains(QStringLiteral("; layer 1 of m")), qPrintable(said));
        QVERIFY2(!said.contains(QStringLiteral("layer 2")) && !said.contains(QStringLiteral("A:")), qPrintable(said));
        QCOMPARE(figureTitle(desk.session, {a, b, true}), QStringLiteral("a: layer 1 of m, contributions"));
        const auto map = std::make_shared<const MaxPyramid>(desk.analysis.current()->layer(1)->contributions->level(0));
        view.setDifference(map, map, desk.analysis.current()->clock);
        said = figureCaption(desk.session, {a, b, true});
        const auto right = said.indexOf(QStringLiteral("Right, A − B, where A is: "));
        QVERIFY2(said.startsWith(QStringLiteral("Left, B: ")) && right > 0, qPrintable(said));
        QVERIFY2(said.left(right).contains(QStringLiteral("layer 1 of m")) && said.mid(right).contains(QStringLiteral("layer 2 of m")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("Colours of B: ")) && !said.contains(QStringLiteral("Colours of A:")), qPrintable(said));
        QCOMPARE(figureTitle(desk.session, {a, b, true}), QStringLiteral("a: layer 1 of m, contributions; and A − B, where A is layer 2 of m, contributions"));
    }

    /// A layer without this map has a column of sound alone, and the line below was silent about the map beside it.
    void aMapBesideNoneIsDescribed() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        widgets::LayerMatrixView view;
        const DrawnMap b{{}, desk.session.currentModel(), 1, desk.session.currentUtteranceId(), desk.analysis.current(), &view};
        DrawnMap a = b;
        a.layer = 2;
        a.result = nullptr;
        const QString said = figureCaption(desk.session, {a, b});
        QVERIFY2(said.startsWith(QStringLiteral("Right, B: Contributions")) && said.contains(QStringLiteral("Recording: a, ")), qPrintable(said));
    }

    /// It was the line of the status bar: “Layer 3 of demo. … 8 layers in 164 ms.”
    void theTitleSaysWhatTheFigureShows() {
        WindowsDesk desk;
        desk.session.open({desk.workshop.wav("b.wav", 3)});
        QVERIFY(desk.settle());
        widgets::LayerMatrixView view;
        DrawnMap a{{}, desk.session.currentModel(), 2, desk.session.currentUtteranceId(), desk.analysis.current(), &desk.map.drawnMap()};
        DrawnMap b{{MapSource::Kind::Head, 3}, a.model, 1, a.utterance, a.result, &view};
        QCOMPARE(figureTitle(desk.session, {a}), QStringLiteral("b: layer 2 of m, contributions"));
        QCOMPARE(figureTitle(desk.session, {a, b}), QStringLiteral("b: layer 2 of m, contributions; and layer 1 of m, head 3"));
        b.utterance = desk.session.utterances()->at(0).id;
        QCOMPARE(figureTitle(desk.session, {a, b}), QStringLiteral("b: layer 2 of m, contributions; and layer 1 of m, head 3, of a"));
        b.utterance = a.utterance;
        const auto map = std::make_shared<const MaxPyramid>(desk.analysis.current()->layer(1)->contributions->level(0));
        view.setDifference(map, map, desk.analysis.current()->clock);
        QCOMPARE(figureTitle(desk.session, {a, b}), QStringLiteral("b: layer 2 of m, contributions; and A − B, where B is layer 1 of m, head 3"));
        a.result = nullptr;
        QCOMPARE(figureTitle(desk.session, {a, b}), QStringLiteral("b"));
    }
};

HEADROOM_TEST(FigureCaptionTest)

} // namespace headroom::testing::figure_caption_test

#include "figure_caption_test.moc"
