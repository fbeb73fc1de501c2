// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/heads_text_field.h"
#include "tests/support/runner.h"

#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>

namespace headroom::testing::heads_text_field_test {

using namespace headroom::app;

namespace {

constexpr int kLayers = 3;

/// A field whose owner takes every edit, as Design does.
struct Edited {
    HeadGrid grid;
    HeadsTextField field;
    int edits = 0;

    explicit Edited(const std::vector<HeadGroup>& cross = {}) : grid(std::vector<Architecture::Layer>(kLayers, {parseHeads("4 full")}), {}, cross) {
        field.setGrid(grid);
        QObject::connect(&field, &HeadsTextField::edited, [this](const std::vector<widgets::CellEdit>& cells) {
            ++edits;
            for (const widgets::CellEdit& cell : cells)
                grid.write(cell.layer, cell.firstHead, cell.lastHead, cell.text.toStdString());
            grid.settle();
            field.setGrid(grid);
        });
    }
    QString heads(int layer) const { return QString::fromStdString(textOf(grid.layer(layer).cells)); }
    void type(const QString& text) { QTest::keyClicks(&field, text); }
    void press(Qt::Key key, Qt::KeyboardModifiers keys = {}) { QTest::keyClick(&field, key, keys); }
    void apply() { press(Qt::Key_Return, Qt::ControlModifier); }
    bool claims(Qt::Key key) {
        QKeyEvent shortcut(QEvent::ShortcutOverride, key, Qt::ControlModifier);
        shortcut.ignore();
        QCoreApplication::sendEvent(&field, &shortcut);
        return shortcut.isAccepted();
    }
};

} // namespace

class HeadsTextFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// After the line of the last layer, Enter applied the text and wrote no line: "3 local 9cross 4 full".
    void enterAlwaysBeginsALine() {
        Edited text(parseHeads("4 full"));
        text.field.selectAll();
        for (int layer = 1; layer <= kLayers; ++layer) {
            if (layer > 1)
                text.press(Qt::Key_Return);
            text.type(QStringLiteral("%1  4 local 9").arg(layer));
        }
        text.press(Qt::Key_Return);
        text.type(QStringLiteral("cross 4 full relaxed 0.1"));
        text.press(Qt::Key_Enter);
        QCOMPARE(text.edits, 0);
        QCOMPARE(text.field.document()->blockCount(), kLayers + 2);
        text.field.moveCursor(QTextCursor::PreviousBlock);
        text.field.moveCursor(QTextCursor::EndOfBlock);
        text.apply();
        QCOMPARE(text.edits, 1);
        for (int layer = 1; layer <= kLayers; ++layer)
            QCOMPARE(text.heads(layer), QStringLiteral("4 local 9"));
        QCOMPARE(text.heads(kCrossAttention), QStringLiteral("4 full relaxed 0.1"));
        // The caret is where it was, though the lines are in canonical form now.
        QVERIFY(text.field.toPlainText().startsWith(QStringLiteral(" 1  4 local 9\n")));
        QVERIFY(text.field.textCursor().atBlockEnd());
        QCOMPARE(text.field.textCursor().blockNumber(), kLayers);
    }

    void controlEnterAppliesWhatIsThere() {
        Edited text;
        text.field.selectAll();
        text.type(QStringLiteral("2 4 local 5"));
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter})
            QVERIFY(text.claims(key)); // a run's result would open instead
        text.press(Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(text.heads(2), QStringLiteral("4 local 5"));
        QCOMPARE(text.heads(1), QStringLiteral("4 full"));
        QCOMPARE(text.field.document()->blockCount(), kLayers); // lines that were taken away are back
    }

    void whatIsNotAppliedIsSaidBelow() {
        Edited text;
        QCOMPARE(text.field.hint(), QStringLiteral("Ctrl+Enter applies what you type."));
        text.field.moveCursor(QTextCursor::End);
        text.type(QStringLiteral(" x"));
        QVERIFY2(text.field.hint().startsWith(QStringLiteral("Line 3 is not applied yet. Ctrl+Enter applies")), qPrintable(text.field.hint()));
        const auto* below = text.field.findChild<QLabel*>();
        QVERIFY(below->text() == text.field.hint());
        QVERIFY2(below->x() >= 4 && below->geometry().right() <= text.field.width() - 4,
                 "it lies on the frame of the focus");
        text.apply();
        // Applied, and wrong: why.
        QVERIFY2(text.field.hint().startsWith(QStringLiteral("Layer 3: ")), qPrintable(text.field.hint()));
        text.field.undo();
        QVERIFY2(text.field.hint().startsWith(QStringLiteral("Line 3 is not applied yet.")), qPrintable(text.field.hint()));
    }

    /// A long line has a scroll bar, which stood over what is said below the text.
    void theScrollBarLeavesTheHintFree() {
        Edited text;
        text.field.resize(400, 200);
        text.field.show();
        QVERIFY(QTest::qWaitForWindowExposed(&text.field));
        const QLabel* hint = text.field.findChild<QLabel*>();
        const int without = hint->geometry().bottom();
        text.type(QString(200, u'x'));
        QScrollBar* bar = text.field.horizontalScrollBar();
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 60000);
        const QRect taken(bar->mapTo(&text.field, QPoint()), bar->size());
        QVERIFY(!taken.intersects(hint->geometry()) && !text.field.viewport()->geometry().intersects(hint->geometry()));
        text.field.setPlainText({});
        QTRY_VERIFY_WITH_TIMEOUT(!bar->isVisible(), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(hint->geometry().bottom(), without, 60000);
    }

    /// A line is counted if it says something else than its layer has; the empty one at the end says nothing.
    void onlyTypedLinesAreCountedAsNotApplied() {
        Edited text;
        text.field.selectAll();
        text.type(QStringLiteral("2 4 local 5"));
        text.press(Qt::Key_Return);
        QVERIFY2(text.field.hint().startsWith(QStringLiteral("Line 1 is not applied yet.")), qPrintable(text.field.hint()));
        text.type(QStringLiteral("3  4 full")); // as it is
        QVERIFY2(text.field.hint().startsWith(QStringLiteral("Line 1 is not applied yet.")), qPrintable(text.field.hint()));
        text.press(Qt::Key_Return);
        text.type(QStringLiteral("1"));
        QVERIFY2(text.field.hint().startsWith(QStringLiteral("Lines 1, 3 are not applied yet.")), qPrintable(text.field.hint()));
        text.field.setPlainText(QStringLiteral("local 5\n").repeated(13));
        text.field.document()->setModified(true);
        QVERIFY2(text.field.hint().startsWith(QStringLiteral("Lines 1–13 are not applied yet.")), qPrintable(text.field.hint()));
    }

    /// "2 full + 2 local 5" has no number of a layer: its 2 are heads.
    void aLineWithoutANumberBelongsToItsPlace_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("heads");
        QTest::newRow("a count") << "2 full + 2 local 5" << "2 full + 2 local 5";
        QTest::newRow("another count") << "1 full + 3 local 5" << "1 full + 3 local 5";
        QTest::newRow("a mistake") << "2 local 21 block + 2 reuse" << "2 local 21 block + 2 reuse";
        QTest::newRow("too many") << "2 full + 3 local 5" << "2 full + 3 local 5";
        QTest::newRow("a misspelt kind") << "2 ful + 2 local 5" << "2 ful + 2 local 5";
        QTest::newRow("no count") << "local 9" << "4 local 9";
        QTest::newRow("one count is missing") << "full + 3 local 5" << "full + 3 local 5";
        QTest::newRow("a number and a count") << "3 2 full + 2 local 5" << "2 full + 2 local 5";
        QTest::newRow("a number and a window") << "3 17" << "4 local 17";
        QTest::newRow("a number with a colon") << "3: local 17" << "4 local 17";
        QTest::newRow("its number as it stood there") << " 3  local 17" << "4 local 17";
        QTest::newRow("its number and a kind") << "3 full relaxed 0.1" << "4 full relaxed 0.1";
        QTest::newRow("its number and an unknown kind") << "3 foo" << "4 foo"; // "3 heads are named"
        QTest::newRow("its number, and a count is missing") << " 3  full + 3 local 5" << "full + 3 local 5";
    }
    void aLineWithoutANumberBelongsToItsPlace() {
        QFETCH(QString, typed);
        QFETCH(QString, heads);
        Edited text;
        text.field.goToLayer(3);
        text.press(Qt::Key_Home);
        text.press(Qt::Key_End, Qt::ShiftModifier);
        text.type(typed);
        text.apply();
        QCOMPARE(text.heads(3), heads);
        for (const int other : {1, 2})
            QCOMPARE(text.heads(other), QStringLiteral("4 full"));
        const QString shown = text.field.toPlainText().section(u'\n', 2);
        QCOMPARE(shown.mid(2), (heads.front().isDigit() ? QStringLiteral("  ") : QStringLiteral(": ")) + heads);
        // What stands there is read as what it is.
        text.field.document()->setModified(true);
        text.apply();
        QCOMPARE(text.edits, 1);
        QCOMPARE(text.field.toPlainText().section(u'\n', 2), shown);
    }

    void linesThatArePastedBelongToTheirPlaces() {
        Edited text;
        text.field.selectAll();
        text.field.insertPlainText(QStringLiteral("4 local 5\n2 full + 2 local 9\n3: 4 local 13"));
        text.apply();
        QCOMPARE(text.heads(1), QStringLiteral("4 local 5"));
        QCOMPARE(text.heads(2), QStringLiteral("2 full + 2 local 9"));
        QCOMPARE(text.heads(3), QStringLiteral("4 local 13"));
    }

    void noLineOverwritesTheLayerOfAnother_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("sentence");
        const QString two = QStringLiteral("Layer %1 has two lines, “%2” and “%3”. Delete one");
        QTest::newRow("pasted between") << "1 4 full\n4 local 5\n2 4 full\n3 4 full" << two.arg("2", "4 local 5", "2 4 full");
        QTest::newRow("twice") << "1 4 full\n3 4 local 5\n3 4 full" << two.arg("3", "3 4 local 5", "3 4 full");
        QTest::newRow("too many") << "4 full\n4 full\n4 full\n4 local 5" << "“4 local 5” is not a layer";
        QTest::newRow("no such layer") << "1 4 full\n2 4 full\n4 4 local 5" << "“4 4 local 5” is not a layer";
        QTest::newRow("a number alone") << "1 4 local 5\n2 4 full\n3" << "“3” is not a layer";
    }
    void noLineOverwritesTheLayerOfAnother() {
        QFETCH(QString, typed);
        QFETCH(QString, sentence);
        Edited text;
        QStringList said;
        QObject::connect(&text.field, &HeadsTextField::mistaken, [&](const QString& one) { said << one; });
        text.field.selectAll();
        text.field.insertPlainText(typed);
        text.apply();
        QCOMPARE(text.edits, 0);
        QCOMPARE(said.size(), 1);
        QVERIFY2(said.front().startsWith(sentence), qPrintable(said.front()));
        QCOMPARE(text.field.toPlainText(), typed); // to be corrected
    }

    void theNextMistakeIsInTheNextLineThatHasOne() {
        HeadGrid grid{std::vector<Architecture::Layer>(8, {parseHeads("4 full")})};
        for (const int layer : {4, 5, 8})
            grid.write(layer, 1, 4, "local 20");
        grid.settle();
        HeadsTextField field;
        field.setGrid(grid);
        for (const int layer : {4, 5, 8, 4}) {
            field.goToNextMistake();
            QCOMPARE(field.currentLayer(), layer);
            QCOMPARE(field.textCursor().blockNumber(), layer - 1);
            QVERIFY2(field.hint().startsWith(QStringLiteral("Layer %1: ").arg(layer)), qPrintable(field.hint()));
        }
    }

    void undoIsTheTextsWhileItHasSomethingToTakeBack() {
        Edited text;
        QVERIFY(!text.claims(Qt::Key_Z)); // the architecture's
        text.type(QStringLiteral("x"));
        QVERIFY(text.claims(Qt::Key_Z));
    }
};

HEADROOM_TEST(HeadsTextFieldTest)

} // namespace headroom::testing::heads_text_field_test

#include "heads_text_field_test.moc"
