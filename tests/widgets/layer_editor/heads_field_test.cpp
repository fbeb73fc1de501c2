// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_editor/heads_field.h"
#include "tests/support/runner.h"
#include "tests/widgets/layer_editor/editor_owner.h"
#include "widgets/layer_editor/suggestion_list.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QTest>

namespace headroom::testing::heads_field_test {

using namespace headroom::widgets;

class HeadsFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void aCompoundTextIsShownInFull() {
        for (const int head : {1, 4}) { // also at the right edge
            EditorOwner owner{"4 full", "4 local 9"};
            owner.show();
            owner.editor.selectHeads(2, head, head);
            QTest::keyClicks(owner.editor.viewport(), QStringLiteral("l"));
            auto* field = owner.editor.findChild<HeadsField*>();
            QVERIFY(field && field->isVisible());
            field->setText(QStringLiteral("l"));
            const int chip = field->width();
            field->setText(QStringLiteral("local 64 block speechformer conv 8/4 map of layer 1"));
            QVERIFY(field->width() > chip);
            QVERIFY(field->width() >= field->fontMetrics().horizontalAdvance(field->text()) + field->textMargins().left());
            QVERIFY(field->parentWidget()->rect().contains(field->geometry()));
            // All of it is in sight: the first and the last letter have a place in the field.
            field->home(false);
            const int start = field->inputMethodQuery(Qt::ImCursorRectangle).toRect().left();
            field->end(false);
            QVERIFY(start >= 0 && field->inputMethodQuery(Qt::ImCursorRectangle).toRect().right() <= field->width());
            QVERIFY(field->inputMethodQuery(Qt::ImCursorRectangle).toRect().left() - start >= field->fontMetrics().horizontalAdvance(field->text()) - 2);
            field->setText(QStringLiteral("full"));
            QCOMPARE(field->width(), chip); // and as the chip again
        }
    }

    /// "l33" was said to be no kind.
    void theBeginningOfAKindBeforeANumberIsThatKind_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("meant");
        QTest::newRow("local") << "l33" << "local 33";
        QTest::newRow("with a blank") << "l 33" << "local 33";
        QTest::newRow("upper case") << "L33" << "local 33";
        QTest::newRow("two letters") << "ma17" << "masked 17";
        QTest::newRow("block") << "b33" << "local 33 block";
        QTest::newRow("with more behind") << "l33 relaxed 0.01" << "local 33 relaxed 0.01";
        QTest::newRow("written out") << "local 33" << "local 33";
        QTest::newRow("nothing begins so") << "x33" << "x33";
    }
    void theBeginningOfAKindBeforeANumberIsThatKind() {
        QFETCH(QString, typed);
        QFETCH(QString, meant);
        QWidget host;
        HeadsField field(SuggestionContext{}, {}, {}, &host);
        field.setText(typed);
        QCOMPARE(field.meant(), meant);
    }

    void whereNoMapCanBeReusedTheKeySaysWhy() {
        EditorOwner owner{"4 full", "2 full", "4 full"};
        owner.show();
        const auto typed = [&](int layer, const QString& text) {
            owner.editor.selectHeads(layer, 1, 2);
            QTest::keyClicks(owner.editor.viewport(), text.left(1));
            owner.editor.findChild<HeadsField*>()->setText(text);
            return owner.editor.window()->findChild<SuggestionList*>();
        };
        const auto leave = [&] {
            QTest::keyClick(owner.editor.findChild<HeadsField*>(), Qt::Key_Escape);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        };
        for (const char* text : {"r", "reuse", "reuse 1"}) {
            const SuggestionList* list = typed(1, QLatin1String(text));
            QVERIFY(list && list->isVisible());
            QVERIFY(list->suggestions().empty());
            if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_REFUSED_REUSE"); !picture.isEmpty())
                QVERIFY(owner.editor.window()->grab().save(picture));
            QCOMPARE(list->foot(), QStringLiteral("Layer 1 has no earlier layer whose map it could reuse."));
            QCOMPARE(owner.editor.findChild<HeadsField*>()->accessibleDescription(), list->foot());
            leave();
        }
        QVERIFY(typed(2, QStringLiteral("r"))->foot().contains(QStringLiteral("2 heads"))); // layer 1 has 4
        leave();
        const SuggestionList* list = typed(3, QStringLiteral("r"));
        QCOMPARE(list->suggestions().front().text, QStringLiteral("reuse 1"));
        QVERIFY(list->foot().startsWith(QStringLiteral("Enter sets")));
        leave();
        QVERIFY(!typed(1, QStringLiteral("f"))->suggestions().empty()); // another kind
        leave();
        // Enter does nothing then, and leaving the field does not write what was begun.
        typed(1, QStringLiteral("r"));
        auto* field = owner.editor.findChild<HeadsField*>();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(field->isVisible() && owner.editor.window()->findChild<SuggestionList*>()->isVisible());
        owner.editor.setFocus();
        QCoreApplication::processEvents();
        QCOMPARE(owner.text(1), QStringLiteral("4 full"));
        QCOMPARE(owner.count, 0);
    }

    /// It replaced the other heads of the layer, and the list said "Enter sets head 4".
    void aReuseSaysThatItTakesTheWholeLayer() {
        EditorOwner owner{"4 full", "4 local 9"};
        owner.show();
        owner.editor.selectHeads(2, 4, 4);
        QTest::keyClicks(owner.editor.viewport(), QStringLiteral("l"));
        auto* field = owner.editor.findChild<HeadsField*>();
        const auto foot = [&] { return owner.editor.window()->findChild<SuggestionList*>()->foot(); };
        QVERIFY2(foot().startsWith(QStringLiteral("Enter sets head 4 of layer 2.")), qPrintable(foot()));
        for (const char* text : {"r", "reuse 1"}) {
            field->setText(QLatin1String(text));
            QCOMPARE(foot(), QStringLiteral("Enter sets all heads of layer 2."));
        }
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(owner.text(2), QStringLiteral("4 reuse 1"));
        QTest::keyClicks(owner.editor.viewport(), QStringLiteral("l")); // and so does whatever follows
        QVERIFY2(foot().startsWith(QStringLiteral("Enter sets all heads of layer 2.")), qPrintable(foot()));
    }

    /// "local 16" was written while "local 15" was marked, and "reuse 5" was offered in layer 2.
    void enterTakesTheMarkedRowOrWritesAMistake_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("marked");  // empty: none
        QTest::addColumn<QString>("offered"); // the first row
        QTest::newRow("beginning") << "loc" << "local 17" << "local 17";
        QTest::newRow("number") << "15" << "local 15" << "local 15";
        QTest::newRow("head") << "local 15" << "local 15" << "local 15";
        QTest::newRow("even window") << "local 16" << "" << "local 15";
        QTest::newRow("even number") << "16" << "" << "local 15";
        QTest::newRow("later layer") << "reuse 5" << "" << "reuse 1";
        QTest::newRow("earlier layer") << "reuse 1" << "reuse 1" << "reuse 1";
        QTest::newRow("slip of the pen") << "locla 17" << "" << "local 17";
    }
    void enterTakesTheMarkedRowOrWritesAMistake() {
        QFETCH(QString, typed);
        QFETCH(QString, marked);
        QFETCH(QString, offered);
        EditorOwner owner{"4 full", "4 full", "4 full", "4 full", "4 full"};
        owner.show();
        owner.editor.selectHeads(2, 1, 1);
        QTest::keyClicks(owner.editor.viewport(), QStringLiteral("l"));
        auto* field = owner.editor.findChild<HeadsField*>();
        SuggestionList* list = field->suggestionList();
        field->setText(typed);
        QVERIFY(list->isVisible());
        QCOMPARE(list->suggestions().front().text, offered);
        QCOMPARE(list->currentText(), marked);
        QCOMPARE(field->meant(), marked.isEmpty() ? typed : marked);
        if (marked.isEmpty())
            QCOMPARE(list->foot(), QStringLiteral("Enter writes “%1”, which is not valid.").arg(typed));
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_UNMARKED"); !picture.isEmpty() && marked.isEmpty())
            QVERIFY(owner.editor.window()->grab().save(picture));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(owner.grid.mistakes().empty(), !marked.isEmpty());
    }

    /// Layer 12 can reuse the map of layer 11 alone, and Enter took that one.
    void aValueIsNotCompletedToAnother() {
        EditorOwner owner{"4 conv 5/2", "4 full", "4 full", "4 full", "4 full", "4 full", "4 full", "4 full", "4 full", "4 full", "4 full", "4 full"};
        owner.show();
        owner.editor.selectHeads(12, 1, 1);
        QTest::keyClicks(owner.editor.viewport(), QStringLiteral("r"));
        auto* field = owner.editor.findChild<HeadsField*>();
        field->setText(QStringLiteral("reuse"));
        QCOMPARE(field->meant(), QStringLiteral("reuse 11"));
        field->setText(QStringLiteral("reuse 1"));
        QCOMPARE(field->suggestionList()->currentText(), QString());
        QCOMPARE(field->suggestionList()->foot(), QStringLiteral("Enter writes “reuse 1”, which is not valid."));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(owner.grid.mistakes().size(), std::size_t(1));
        QCOMPARE(owner.grid.mistakes().front().layer, 12);
        QVERIFY(isCompletedBy(QStringLiteral("conv 5"), QStringLiteral("conv 5/2")));
        QVERIFY(!isCompletedBy(QStringLiteral("10"), QStringLiteral("local 101")));
        QVERIFY(!isCompletedBy(QStringLiteral("local 9 relaxed 0"), QStringLiteral("local 9 relaxed 0.01")));
    }

    void aRowThatIsMarkedByHandIsTaken() {
        EditorOwner owner{"4 full", "4 full"};
        owner.show();
        owner.editor.selectHeads(2, 1, 1);
        QTest::keyClicks(owner.editor.viewport(), QStringLiteral("l"));
        auto* field = owner.editor.findChild<HeadsField*>();
        SuggestionList* list = field->suggestionList();
        const auto foot = list->foot();
        field->setText(QStringLiteral("local 16"));
        QTest::keyClick(field, Qt::Key_Down);
        QCOMPARE(list->currentText(), QStringLiteral("local 15"));
        QCOMPARE(list->foot(), foot);
        field->setText(QStringLiteral("local 18"));
        QTest::mouseMove(list, QPoint(20, Sizes::listRow() * 3 / 2)); // the second row
        QCOMPARE(list->currentText(), QStringLiteral("local 19"));
        QCOMPARE(field->meant(), QStringLiteral("local 19"));
        field->clear(); // Enter changes nothing then
        QCOMPARE(list->currentText(), QString());
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(owner.count, 0);
    }

    /// What the rules of the layer refuse is not offered, however it is written.
    void aLanguageModelIsOfferedMaskedHeadsOnly() {
        EditorOwner owner{"4 masked", "4 masked"};
        LayerSurroundings surroundings;
        surroundings.languageModel = true;
        owner.grid = HeadGrid(owner.grid.validLayers(), surroundings);
        owner.editor.setGrid(owner.grid);
        for (const char* typed : {"local 17", "local 16", "conv 5/2", "m", "masked 8"})
            for (const HeadSuggestion& one : suggestionsFor(QLatin1String(typed), owner.editor.suggestionContext(owner.at(1, 1))))
                QVERIFY2(one.text.startsWith(QStringLiteral("masked")), qPrintable(one.text));
    }

    void aTextThatIsWiderThanTheTableEndsAtItsEdge() {
        EditorOwner owner{"4 full"};
        owner.show();
        owner.editor.selectHeads(1, 2, 2);
        QTest::keyClicks(owner.editor.viewport(), QStringLiteral("l"));
        auto* field = owner.editor.findChild<HeadsField*>();
        QVERIFY(field);
        field->setText(QString(400, QLatin1Char('m')));
        QVERIFY(field->parentWidget()->rect().contains(field->geometry()));
    }
};

HEADROOM_TEST(HeadsFieldTest)

} // namespace headroom::testing::heads_field_test

#include "heads_field_test.moc"
