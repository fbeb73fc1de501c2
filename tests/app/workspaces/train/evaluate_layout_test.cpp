// SPDX-License-Identifier: GPL-3.0-or-later
// The Evaluate dialogue's rows, sizes and order.
#include "app/documents/items/paths.h"
#include "app/jobs/device_list.h"
#include "app/parts/screen_area.h"
#include "app/places/place_store.h"
#include "app/window/on_screen.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/evaluate/evaluate_options.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace headroom::testing::evaluate_layout_test {

using namespace headroom::app;

class EvaluateLayoutTest : public QObject {
    Q_OBJECT

    PlaceStore m_places;
    DeviceList m_devices;

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// However wide the labels of the options are.
    void allFieldsBeginAtOneEdge() {
        EvaluateDialog dialog({}, {}, &m_places, &m_devices);
        dialog.options()->opener()->setChecked(true);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        int rows = 0;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            if (const QWidget* field = label->buddy(); field && field->isVisible() && ++rows) {
                const auto left = [&](const QWidget* of) { return of->mapTo(&dialog, QPoint()).x(); };
                QCOMPARE(left(field), left(dialog.beamField()));
                QVERIFY2(left(label) + label->sizeHint().width() < left(field), qPrintable(label->text()));
            }
        QVERIFY2(rows > 10, qPrintable(QString::number(rows)));
    }

    /// The note has three lines then.
    void fieldsAreWholeWhereACorpusIsChosen() {
        QTemporaryDir folder;
        const std::filesystem::path corpus = std::filesystem::path(folder.path().toStdString()) / "made";
        makeCorpus(corpus);
        EvaluateDialog dialog({{QStringLiteral("demo"), corpus, false, {}, QStringLiteral("asr")}}, {toQString(corpus)}, &m_places, &m_devices);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.sentence().startsWith(QStringLiteral("Decodes")), qPrintable(dialog.sentence()), 60000);
        for (const int width : {dialog.width(), dialog.minimumWidth()}) {
            dialog.options()->opener()->setChecked(true);
            dialog.resize(width, dialog.minimumHeight());
            QCoreApplication::processEvents();
            int fields = 0;
            for (const QLabel* label : dialog.findChildren<QLabel*>())
                if (const QWidget* field = label->buddy(); field && field->isVisible() && ++fields) {
                    const int shown = field->visibleRegion().boundingRect().height();
                    QVERIFY2(shown >= field->sizeHint().height(),
                             qPrintable(QStringLiteral("%1: %2 of %3").arg(label->text()).arg(shown).arg(field->sizeHint().height())));
                }
            QVERIFY(fields > 8);
            dialog.options()->opener()->setChecked(false);
        }
    }

    /// Corpora whose folders have one name read alike, and so did long names that differ in their middle, where they were cut.
    void noTwoCorporaReadAlike() {
        const QString name = QStringLiteral("/corpora/%1/a-corpus-of-long-names-with-%2-speakers-read-aloud-by-people-of-all-ages");
        EvaluateDialog dialog({}, {name.arg("a").arg(24), name.arg("a").arg(25), QStringLiteral("/a/digits"), QStringLiteral("/b/digits")}, &m_places, &m_devices);
        QComboBox* corpus = nullptr;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            if (auto* box = qobject_cast<QComboBox*>(label->buddy()); box && label->text().remove(u'&') == QStringLiteral("Corpus"))
                corpus = box;
        QVERIFY(corpus);
        QCOMPARE(corpus->itemText(2), QStringLiteral("a/digits"));
        QCOMPARE(corpus->itemText(3), QStringLiteral("b/digits"));
        corpus->setFixedWidth(200);
        corpus->setCurrentIndex(0);
        const QImage first = corpus->grab().toImage();
        corpus->setCurrentIndex(1);
        QVERIFY(corpus->grab().toImage() != first);
    }

    void foldingTheOptionsAwayLeavesNoVoid() {
        EvaluateDialog dialog({}, {}, &m_places, &m_devices);
        dialog.options()->opener()->setChecked(true); // as they were left the last time
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const int open = dialog.height();
        dialog.options()->opener()->setChecked(false);
        const int folded = dialog.height();
        QVERIFY2(folded < open, qPrintable(QStringLiteral("%1 of %2").arg(folded).arg(open)));
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_EVALUATE"); !picture.isEmpty())
            QVERIFY(dialog.grab().save(picture));
        dialog.options()->opener()->setChecked(true);
        QTRY_COMPARE_WITH_TIMEOUT(dialog.height(), open, 60000);
        dialog.options()->opener()->setChecked(false);
        QTRY_COMPARE_WITH_TIMEOUT(dialog.height(), folded, 60000);
        dialog.resize(dialog.width(), folded + 30); // somebody wants more room
        QTRY_COMPARE_WITH_TIMEOUT(dialog.height(), folded + 30, 60000);
        dialog.options()->opener()->setChecked(true);
        dialog.options()->opener()->setChecked(false);
        QTRY_COMPARE_WITH_TIMEOUT(dialog.height(), folded + 30, 60000);
    }

    /// The tests' screen is 800 pixels high: with the options the buttons were below its edge, at 125 % wherever the window stood.
    void itsButtonsStayOnTheScreen() {
        OnScreen keeper;
        qApp->installEventFilter(&keeper);
        EvaluateDialog dialog({}, {}, &m_places, &m_devices);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const QRect room = dialog.screen()->availableGeometry();
        const auto isWhole = [&] { return room.contains(dialog.frameGeometry()); };
        dialog.move(200, room.bottom() - dialog.frameGeometry().height() - 20);
        dialog.options()->opener()->setChecked(true);
        QTRY_VERIFY_WITH_TIMEOUT(isWhole() && dialog.options()->windowField()->visibleRegion().boundingRect().height() > 0, 60000);
        dialog.startButton()->setFixedHeight(400); // stands for larger text: the fields have too little room
        auto* fields = dialog.findChild<ScreenArea*>();
        QTRY_VERIFY_WITH_TIMEOUT(fields->verticalScrollBar()->isVisible() && !fields->horizontalScrollBar()->isVisible(), 60000);
        QTRY_VERIFY2_WITH_TIMEOUT(isWhole(), qPrintable(QString::number(dialog.height())), 60000);
        QVERIFY(dialog.startButton()->visibleRegion().boundingRect().height() == 400);
    }

    /// A busy desktop put it to the corner of the screen, with its title bar beyond the edge.
    void itComesOntoTheScreenAfterItWasShown() {
        OnScreen keeper;
        qApp->installEventFilter(&keeper);
        EvaluateDialog dialog({}, {}, &m_places, &m_devices);
        dialog.show();
        dialog.move(0, -30);
        QTRY_COMPARE_WITH_TIMEOUT(dialog.frameGeometry().top(), dialog.screen()->availableGeometry().top(), 60000);
        dialog.move(-30, 0); // later the user moves it
        QTest::qWait(700);
        QVERIFY2(dialog.frameGeometry().left() < -20, qPrintable(QString::number(dialog.frameGeometry().left())));
    }

    void itsFieldsAreReachedInTheOrderInWhichTheyStand() {
        EvaluateDialog dialog({}, {}, &m_places, &m_devices);
        dialog.options()->opener()->setChecked(true);
        dialog.resize(600, 780);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QPoint before(-1, -1);
        QWidget* at = dialog.modelField();
        do {
            if (at->isVisible() && (at->focusPolicy() & Qt::TabFocus) && !at->focusProxy()) {
                const QPoint here = at->mapTo(&dialog, at->rect().center());
                QVERIFY2(here.y() > before.y() || (here.y() == before.y() && here.x() > before.x()), qPrintable(at->metaObject()->className() + at->accessibleName()));
                before = here;
            }
            at = at->nextInFocusChain();
        } while (at != &dialog && at != dialog.modelField());
        QVERIFY(before.y() > dialog.height() * 3 / 4);
    }
};

HEADROOM_TEST(EvaluateLayoutTest)

} // namespace headroom::testing::evaluate_layout_test

#include "evaluate_layout_test.moc"
