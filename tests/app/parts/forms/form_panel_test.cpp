// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/form_panel.h"

#include "app/parts/availability.h"
#include "tests/support/runner.h"
#include "widgets/look/text_field.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::form_panel_test {

using namespace headroom::app;

namespace {

/// A field of each kind; it can be started once the line holds a text.
class KindsForm : public FormPanel {
public:
    KindsForm() : FormPanel(nullptr) {
        addRow(QStringLiteral("line"), QStringLiteral("Line"), line);
        addRow(QStringLiteral("number"), QStringLiteral("Number"), new QSpinBox(column()));
        auto* choice = newCombo();
        choice->addItems({QStringLiteral("one"), QStringLiteral("two")});
        addRow(QStringLiteral("choice"), QStringLiteral("Choice"), choice);
        addRow(QStringLiteral("tick"), {}, new QCheckBox(QStringLiteral("Tick"), column()));
        auto* command = new widgets::TextField(column());
        command->setReadOnly(true);
        addRow(QStringLiteral("command"), QStringLiteral("Command"), command);
        auto* table = new QTableView(column());
        table->setModel(new QStandardItemModel(2, 2, table));
        addRow(QStringLiteral("table"), QStringLiteral("Table"), table);
        start->setToolTip(QStringLiteral("Start it."));
        addFoot({start, new QPushButton(QStringLiteral("Copy"), this)});
        revalidate();
    }
    void revalidate() override { setAvailable(start, line->text().isEmpty() ? QStringLiteral("The line is empty.") : QString()); }

    QLineEdit* line = new QLineEdit(column());
    QPushButton* start = new QPushButton(QStringLiteral("Start"), this);
};

} // namespace

class FormPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// In the form of a study, Ctrl+Enter opened the result of a run.
    void ctrlEnterInAnyFieldIsTheFirstButton() {
        QMainWindow window;
        QAction ofTheWindow;
        ofTheWindow.setShortcut(QKeySequence(QStringLiteral("Ctrl+Return")));
        window.addAction(&ofTheWindow);
        auto* form = new KindsForm;
        window.setCentralWidget(form);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy clicked(form->start, &QPushButton::clicked), triggered(&ofTheWindow, &QAction::triggered);
        QCOMPARE(form->start->toolTip(), QStringLiteral("The line is empty."));
        QTest::keyClick(form->line, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(QToolTip::text(), QStringLiteral("The line is empty."));
        QCOMPARE(clicked.count(), 0);
        form->line->setText(QStringLiteral("text")); // the form is read again before it starts
        int fields = 0;
        for (QWidget* field : form->findChildren<QWidget*>()) {
            if (!field->isVisible() || !(field->focusPolicy() & Qt::TabFocus))
                continue;
            ++fields;
            QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
            QVERIFY2(clicked.count() == fields, field->metaObject()->className());
        }
        QVERIFY(fields >= 8);
        QTest::keyClick(form->line, Qt::Key_Enter, Qt::ControlModifier | Qt::KeypadModifier);
        QCOMPARE(clicked.count(), fields + 1);
        QTest::keyClick(form->line, Qt::Key_Return);
        QCOMPARE(clicked.count(), fields + 1);
        QCOMPARE(triggered.count(), 0);
        QCOMPARE(form->start->toolTip(), QStringLiteral("Start it. Ctrl+Enter"));
    }

    /// It started two runs that were the same.
    void aDoubleClickStartsOne() {
        KindsForm form;
        form.line->setText(QStringLiteral("text"));
        form.revalidate();
        form.show();
        QSignalSpy clicked(form.start, &QPushButton::clicked);
        QTest::mouseClick(form.start, Qt::LeftButton);
        QTest::mouseDClick(form.start, Qt::LeftButton); // the second press of two
        QTest::mouseRelease(form.start, Qt::LeftButton);
        QCOMPARE(clicked.count(), 1);
        QTest::mouseClick(form.start, Qt::LeftButton); // on purpose
        QCOMPARE(clicked.count(), 2);
    }
};

HEADROOM_TEST(FormPanelTest)

} // namespace headroom::testing::form_panel_test

#include "form_panel_test.moc"
