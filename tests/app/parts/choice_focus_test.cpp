// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/choice_focus.h"
#include "tests/support/runner.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QTest>
#include <QVBoxLayout>

namespace headroom::testing::choice_focus_test {

using namespace headroom::app;

class ChoiceFocusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClickedEntryPassesTheKeysOn() {
        Window window;
        window.openByMouse();
        window.click(2);
        QTRY_VERIFY_WITH_TIMEOUT(window.focusWidget() == window.view, 60000);
        QCOMPARE(window.chooser->currentIndex(), 2);
        window.openByMouse();
        window.click(2); // the one that it is already
        QTRY_VERIFY_WITH_TIMEOUT(window.focusWidget() == window.view, 60000);
    }

    void theKeysStayWhereKeysChoose() {
        Window window;
        window.chooser->setFocus(Qt::TabFocusReason);
        QTest::keyClick(window.chooser, Qt::Key_Down);
        QCOMPARE(window.chooser->currentIndex(), 1);
        QCoreApplication::processEvents();
        QCOMPARE(window.focusWidget(), window.chooser);
        window.chooser->showPopup();
        QTRY_VERIFY_WITH_TIMEOUT(window.chooser->view()->isVisible(), 60000);
        QTest::keyClick(window.chooser->view(), Qt::Key_Down);
        QTest::keyClick(window.chooser->view(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!window.chooser->view()->isVisible(), 60000);
        QCOMPARE(window.chooser->currentIndex(), 2);
        QCoreApplication::processEvents();
        QCOMPARE(window.focusWidget(), window.chooser);
    }

    void aListThatIsClosedWithoutAChoiceKeepsThem() {
        Window window;
        window.openByMouse();
        QTest::keyClick(window.chooser->view(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!window.chooser->view()->isVisible(), 60000);
        QCoreApplication::processEvents();
        QCOMPARE(window.focusWidget(), window.chooser);
    }

private:
    struct Window : QWidget {
        Window() : view(new QWidget(this)), chooser(new QComboBox(this)) {
            auto* layout = new QVBoxLayout(this);
            layout->addWidget(chooser);
            layout->addWidget(view, 1);
            view->setFocusPolicy(Qt::StrongFocus);
            chooser->addItems({QStringLiteral("Magma"), QStringLiteral("Viridis"), QStringLiteral("Dark")});
            passFocusOn(chooser, view);
            resize(300, 300);
            show();
            (void)QTest::qWaitForWindowActive(this);
        }
        void openByMouse() {
            QTest::mouseClick(chooser, Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(chooser->view()->isVisible(), 60000);
            QCOMPARE(focusWidget(), chooser);
            QTest::qWait(QApplication::doubleClickInterval() + 50); // a list that has just opened takes no release
        }
        void click(int row) {
            QAbstractItemView* list = chooser->view();
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(row, 0)).center());
        }
        QWidget* view;
        QComboBox* chooser;
    };
};

HEADROOM_TEST(ChoiceFocusTest)

} // namespace headroom::testing::choice_focus_test

#include "choice_focus_test.moc"
