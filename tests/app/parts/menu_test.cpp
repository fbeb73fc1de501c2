// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"
#include "app/parts/forms/form_row.h"
#include "app/parts/menu.h"
#include "app/parts/access_keys.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUndoCommand>
#include <QUndoStack>

#include <memory>

namespace headroom::testing::menu_test {

using namespace headroom::app;

class MenuTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachItemHasALetterWhileTheMenuIsOpen() {
        QWidget parent;
        QObject owner;
        QList<QAction*> actions;
        for (const char* text : {"Open audio…", "Open a folder…", "Export", "Export", "90 %", "O"})
            actions << new QAction(QString::fromUtf8(text), &owner);
        actions.insert(2, nullptr);
        const std::unique_ptr<QMenu> menu(menuOf(QStringLiteral("File"), actions, &parent));
        QMenu* inner = menu->addMenu(QStringLiteral("Figures"));
        QAction* picture = inner->addAction(QStringLiteral("Picture"));
        QSignalSpy changed(actions[0], &QAction::changed), triggered(actions[1], &QAction::triggered);
        menu->popup({});
        QStringList texts;
        for (const QAction* action : menu->actions())
            texts << action->text();
        QCOMPARE(texts, QStringList({QStringLiteral("&Open audio…"), QStringLiteral("Open &a folder…"), QString(), QStringLiteral("&Export"),
                                     QStringLiteral("E&xport"), QStringLiteral("&90 %"), QStringLiteral("O"), QStringLiteral("&Figures")}));
        actions[3]->setText(QStringLiteral("Export once more"));
        QTest::keyClick(menu.get(), Qt::Key_A);
        QTRY_COMPARE(triggered.count(), 1);
        QVERIFY(!menu->isVisible());
        QCOMPARE(actions[1]->text(), QStringLiteral("Open a folder…"));
        QCOMPARE(actions[3]->text(), QStringLiteral("Export once more")); // which changed meanwhile
        QCOMPARE(inner->title(), QStringLiteral("Figures"));
        QCOMPARE(changed.count(), 0);
        inner->popup({});
        QCOMPARE(picture->text(), QStringLiteral("&Picture"));
        inner->hide();
        QCOMPARE(picture->text(), QStringLiteral("Picture"));
    }

    /// "R&D.wav" was "RD.wav" in the menu, with a letter that it did not need.
    void theNameOfAFileKeepsItsMarks() {
        QCOMPARE(asActionText(QStringLiteral("R&D")), QStringLiteral("R&&D"));
        QString taken;
        QCOMPARE(withAccessKey(QStringLiteral("R&&D"), taken), QStringLiteral("&R&&D"));
        QCOMPARE(withAccessKey(QStringLiteral("&Open"), taken), QStringLiteral("&Open"));
        QCOMPARE(withoutAccessKey(QStringLiteral("&Open R&&D")), QStringLiteral("Open R&D"));
        QUndoStack steps;
        const Actions actions(&steps, nullptr);
        steps.push(new QUndoCommand(QStringLiteral("removal of “R&D”")));
        QCOMPARE(actions.undo->text(), QStringLiteral("Undo removal of “R&&D”"));
        steps.undo();
        QCOMPARE(actions.undo->text(), QStringLiteral("Undo"));
        QCOMPARE(actions.redo->text(), QStringLiteral("Redo removal of “R&&D”"));
    }

    void fieldsAndButtonsOfADialogueHaveALetterEach() {
        QDialog dialog;
        auto* model = new QLineEdit(&dialog);
        auto* more = new QLineEdit(&dialog);
        for (const auto& [text, field] : {std::pair("Model", model), {"Mapping", more}}) {
            auto* label = new QLabel(QString::fromLatin1(text), &dialog);
            label->setBuddy(field);
        }
        auto* note = new QLabel(QStringLiteral("A note"), &dialog);
        auto* start = new QPushButton(QStringLiteral("Measure"), &dialog);
        giveAccessKeys(&dialog);
        QCOMPARE(note->text(), QStringLiteral("A note"));
        QCOMPARE(start->text(), QStringLiteral("&Measure"));
        dialog.show();
        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QTest::keyClick(&dialog, Qt::Key_A, Qt::AltModifier);
        QTRY_VERIFY(more->hasFocus());
        QTest::keyClick(&dialog, Qt::Key_O, Qt::AltModifier);
        QTRY_VERIFY(model->hasFocus());
    }

    /// Alt+A, for Align, was C&ancel: it closed the dialogue, and what had been typed was lost.
    void theDefaultButtonAndCancelHaveTheirFirstLetters() {
        QDialog dialog;
        auto* choose = new QPushButton(QStringLiteral("Choose…"), &dialog);
        auto* address = new QPushButton(QStringLiteral("Add"), &dialog);
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, &dialog);
        auto* align = buttons->addButton(QStringLiteral("Align"), QDialogButtonBox::AcceptRole);
        align->setDefault(true);
        giveAccessKeys(&dialog);
        QCOMPARE(align->text(), QStringLiteral("&Align"));
        QCOMPARE(buttons->button(QDialogButtonBox::Cancel)->text(), QStringLiteral("&Cancel"));
        QCOMPARE(choose->text(), QStringLiteral("C&hoose…"));
        QCOMPARE(address->text(), QStringLiteral("A&dd"));
    }

    /// Those of the menus are taken; a row of fields begins with its first.
    void fieldsOfAFormHaveLettersThatNoMenuHas() {
        QMainWindow window;
        for (const char* title : {"&File", "&Tools"})
            window.menuBar()->addMenu(QString::fromLatin1(title));
        auto* form = new QWidget;
        auto* row = new QWidget(form);
        auto* first = new QLineEdit(row);
        auto* label = new QLabel(QStringLiteral("Filter"), form);
        label->setBuddy(row);
        window.setCentralWidget(form);
        giveAccessKeys(form, window.menuBar());
        QCOMPARE(label->text(), QStringLiteral("F&ilter"));
        FormRow batch(QStringLiteral("Batch, frames"), new QLineEdit);
        giveAccessKeys(&batch, nullptr);
        batch.setLabel(QStringLiteral("Batch, tokens"));
        QCOMPARE(batch.findChild<QLabel*>()->text(), QStringLiteral("&Batch, tokens"));
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_I, Qt::AltModifier);
        QTRY_VERIFY(first->hasFocus());
    }
};

HEADROOM_TEST(MenuTest)

} // namespace headroom::testing::menu_test

#include "menu_test.moc"
