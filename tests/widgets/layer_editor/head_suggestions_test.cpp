// SPDX-License-Identifier: GPL-3.0-or-later
// What is offered while heads are typed, and why a map cannot be reused.
#include "tests/support/runner.h"
#include "tests/widgets/layer_editor/editor_owner.h"
#include "widgets/layer_editor/head_suggestions.h"
#include "widgets/layer_editor/layer_editor.h"
#include "widgets/look/theme.h"

#include <QTest>

namespace headroom::testing::head_suggestions_test {

using namespace headroom::widgets;

class HeadSuggestionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void suggestionsMeanWhatIsTyped_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("first");
        QTest::newRow("beginning") << "lo"
                                   << "local 17";
        QTest::newRow("whole") << "local 15"
                               << "local 15";
        QTest::newRow("letter of a kind") << "b"
                                          << "local 64 block";
        QTest::newRow("number") << "15"
                                << "local 15";
        QTest::newRow("even") << "local 14"
                              << "local 13";
        QTest::newRow("slip") << "ful"
                              << "full";
        QTest::newRow("nothing like it") << "zzz"
                                         << "";
    }

    void suggestionsMeanWhatIsTyped() {
        QFETCH(QString, typed);
        QFETCH(QString, first);
        const auto suggestions = suggestionsFor(typed, {});
        QCOMPARE(suggestions.empty() ? QString() : suggestions.front().text, first);
        for (const auto& one : suggestions)
            QVERIFY2(!parseHeads("1 " + one.text.toStdString()).empty(), qPrintable(one.text));
    }

    void severalLayersAreOfferedWhatFitsAllOfThem() {
        EditorOwner owner({"4 full", "4 reuse 1", "4 full", "4 full"});
        std::vector<LayerFacts> facts(4);
        for (int layer = 0; layer < 4; ++layer)
            facts[std::size_t(layer)].suggestedWindow = 11 + 2 * layer;
        owner.editor.gridModel()->setFacts(facts);
        owner.editor.selectHeads(3, 1, 4);
        QCOMPARE(owner.editor.suggestionContext(owner.at(3, 1)).suggestedWindow, std::optional(15));
        owner.editor.selectionModel()->select(owner.at(4, 2), QItemSelectionModel::Select);
        for (const int layer : {3, 4}) {
            const auto context = owner.editor.suggestionContext(owner.at(layer, layer == 3 ? 1 : 2));
            QCOMPARE(context.reusable, 1); // layer 2 has no map, and layer 3 is about to lose its own
            QVERIFY(!context.suggestedWindow); // each has another
        }
        QCOMPARE(owner.editor.suggestionContext(owner.at(4, 4)).reusable, 3); // not selected
    }

    /// "No layer before layer 3 has maps of its own for 4 heads", and both had.
    void theReasonAgainstAReuseIsTheRules() {
        EditorOwner owner({"4 full", "1 local 63 block + 3 conv 5/2", "1 local 63 block + 3 conv 5/2", "2 full + 2 conv 5/2", "2 full", "1 full"});
        const auto why = [&](int layer) { return owner.editor.suggestionContext(owner.at(layer, 1)).whyNoReuse; };
        QCOMPARE(why(3), QString()); // layer 1
        QCOMPARE(why(5), QStringLiteral("No layer before layer 5 has maps of its own for 2 heads."));
        QCOMPARE(why(6), QStringLiteral("No layer before layer 6 has a map of its own for one head."));
        EditorOwner conv({"1 local 63 block + 3 conv 5/2", "2 full + 2 conv 5/2", "4 full", "1 conv 5/2", "1 full"});
        const auto whyConv = [&](int layer) { return conv.editor.suggestionContext(conv.at(layer, 1)).whyNoReuse; };
        QCOMPARE(whyConv(1), QStringLiteral("Layer 1 has no earlier layer whose map it could reuse."));
        QCOMPARE(whyConv(3), QStringLiteral("No maps for 4 heads before layer 3 can be reused: conv heads shorten their keys."));
        QCOMPARE(whyConv(4), QStringLiteral("No layer before layer 4 has a map of its own for one head."));
        QCOMPARE(whyConv(5), QStringLiteral("No map for one head before layer 5 can be reused: conv heads shorten their keys."));
        conv.editor.selectHeads(3, 1, 4);
        QCOMPARE(conv.editor.whyNoReuse(), whyConv(3)); // of the button
    }

    void aWindowOfOneTokenOnEachSideIsNoPlural() {
        QCOMPARE(noteOf(QStringLiteral("local 3"), 40), QStringLiteral("±1 token, ±40\u202Fms"));
        QCOMPARE(noteOf(QStringLiteral("local 5"), 0), QStringLiteral("±2 tokens"));
    }
};

HEADROOM_TEST(HeadSuggestionsTest)

} // namespace headroom::testing::head_suggestions_test

#include "head_suggestions_test.moc"
