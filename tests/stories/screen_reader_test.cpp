// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader gets through AT-SPI: the tree of accessible objects that Qt hands to it.
#include "app/parts/actions.h"
#include "app/workspaces/workspace.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"

#include <QAccessible>
#include <QSet>
#include <QTabWidget>
#include <QTest>

namespace headroom::testing::screen_reader_test {

using namespace headroom::app;

class ScreenReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyControlHasANameAndCanBeActivated() {
        qputenv("HEADROOM_RUNS", toQString(m_shop.runs()).toLocal8Bit());
        m_shop.run("2026-11-21T10-31_a", RunState::Finished);
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            workspace->showMessages();
            QVERIFY(story.quiet());
            listen(&story.window());
            for (QTabWidget* tabs : workspace->findChildren<QTabWidget*>())
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    QVERIFY(story.quiet());
                    listen(&story.window());
                }
        }
        QVERIFY2(m_mute.isEmpty(), qPrintable(QStringList(m_mute.values()).join(QLatin1Char('\n'))));
        QVERIFY(m_controls > 200);
    }

    /// The layer that is chosen, the state of the window, the number under the cursor: not only for the eyes.
    void picturesDescribeThemselves() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(5);
        QVERIFY(story.quiet());
        QStringList described;
        describe(QAccessible::queryAccessibleInterface(&story.window()), described);
        for (const QString& what : {QStringLiteral("Layer 5"), QStringLiteral("contribution loss"), QStringLiteral("CL")})
            QVERIFY2(!described.filter(what, Qt::CaseInsensitive).isEmpty(), qPrintable(what));
    }

private:
    void listen(QWidget* window) { listen(QAccessible::queryAccessibleInterface(window), {}); }

    void listen(QAccessibleInterface* object, const QString& inside) {
        if (!object || !object->isValid() || object->state().invisible)
            return;
        const QString name = object->text(QAccessible::Name).trimmed();
        const QAccessible::Role role = object->role();
        const bool acts = role == QAccessible::Button || role == QAccessible::CheckBox || role == QAccessible::RadioButton ||
                          role == QAccessible::ButtonMenu || role == QAccessible::PageTab;
        const bool isControl = acts || role == QAccessible::ComboBox || role == QAccessible::EditableText ||
                               role == QAccessible::SpinBox || role == QAccessible::Slider || role == QAccessible::Table ||
                               role == QAccessible::List || role == QAccessible::Tree;
        const QString where = QStringLiteral("%1 in %2").arg(
            object->object() ? QLatin1String(object->object()->metaObject()->className()) : QLatin1String("part"), inside);
        // The parts that Qt makes for itself: arrows of tab bars, buttons inside fields.
        const bool isInner = object->object() && object->object()->objectName().startsWith(QLatin1String("qt_"));
        const bool isOfField = object->object() && object->object()->parent() &&
                               (object->object()->parent()->inherits("QAbstractSpinBox") ||
                                object->object()->parent()->inherits("QComboBox") ||
                                object->object()->parent()->inherits("QLineEdit") ||
                                object->object()->parent()->inherits("QTabBar"));
        if (isControl && !isInner && !isOfField) {
            ++m_controls;
            if (name.isEmpty())
                m_mute << QStringLiteral("no name: ") + where;
            if (acts && role != QAccessible::PageTab && !object->state().disabled &&
                (!object->actionInterface() || object->actionInterface()->actionNames().isEmpty()))
                m_mute << QStringLiteral("cannot be activated: ") + where;
        }
        if (role == QAccessible::Table || role == QAccessible::List || role == QAccessible::Tree)
            return listenToRow(object, name);
        for (int i = 0; i < object->childCount(); ++i)
            listen(object->child(i), name.isEmpty() ? inside : name);
    }

    /// A row of which no cell has a text is a row that nobody can tell from the next.
    void listenToRow(QAccessibleInterface* view, const QString& name) {
        const QAccessibleTableInterface* table = view->tableInterface();
        if (!table || table->rowCount() == 0)
            return;
        for (int column = 0; column < table->columnCount(); ++column)
            if (const QAccessibleInterface* cell = table->cellAt(0, column);
                cell && !cell->text(QAccessible::Name).trimmed().isEmpty())
                return;
        m_mute << QStringLiteral("rows without a text: ") + name;
    }

    static void describe(QAccessibleInterface* object, QStringList& described) {
        if (!object || object->state().invisible)
            return;
        described << object->text(QAccessible::Name) + QLatin1Char(' ') + object->text(QAccessible::Description);
        if (object->role() == QAccessible::Table || object->role() == QAccessible::List)
            return;
        for (int i = 0; i < object->childCount(); ++i)
            describe(object->child(i), described);
    }

    TrainWorkshop m_shop;
    QSet<QString> m_mute;
    int m_controls = 0;
};

HEADROOM_TEST(ScreenReaderTest)

} // namespace headroom::testing::screen_reader_test

#include "screen_reader_test.moc"
