// SPDX-License-Identifier: GPL-3.0-or-later
// How high the rows of Presets are, what stands in them, and what Delete does.
#include "app/workspaces/design/presets_panel.h"
#include "tests/app/workspaces/design/design_desk.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QImage>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QTreeView>

namespace headroom::testing::presets_panel_test {

using namespace headroom::app;
using widgets::Sizes;

namespace {

const QStringList kNames{QStringLiteral("wav2vec2-bert"), QStringLiteral("wav2vec2-bert-adapter"), QStringLiteral("wav2vec2pretraining"),
                         QStringLiteral("S2T Transformer small"), QStringLiteral("whisper")};

std::vector<Preset> named(int times) {
    std::vector<Preset> presets;
    for (int i = 0; i < times; ++i)
        for (const QString& name : kNames) {
            Preset preset;
            preset.name = name;
            preset.architecture.encoder.layers.assign(2, {parseHeads("4 full")});
            presets.push_back(preset);
        }
    return presets;
}

struct Shown {
    Session session;
    PresetsPanel panel;
    explicit Shown(int times) : panel(session.drafts(), named(times)) { panel.show(); }
    void resize(int width) {
        panel.resize(width, 420);
        QCoreApplication::processEvents();
    }
    QModelIndex row(int row) const {
        const QModelIndex section = panel.view()->model()->index(0, 0);
        return panel.view()->model()->index(row, 0, section);
    }
    bool isHigh(int at) const { return panel.view()->visualRect(row(at)).height() > Sizes::listRow(); }
    /// How much of the row's height its letters take.
    int heightOfInk(int at) const {
        const QRect rect = panel.view()->visualRect(row(at));
        const QImage image = panel.view()->viewport()->grab(rect).toImage();
        const int right = image.width() / 2; // the fingerprint is in the other half
        int first = -1, last = -2;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < right; ++x)
                if (qGray(image.pixel(x, y)) < 128) {
                    first = first < 0 ? y : first;
                    last = y;
                }
        return last - first + 1;
    }
};

} // namespace

class PresetsPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// A name without a space, such as those of the files of other programs, had the height of two lines and was cut to one.
    void aRowIsAsHighAsItsLines_data() {
        QTest::addColumn<int>("times");
        QTest::newRow("all rows fit") << 1;
        QTest::newRow("with a scroll bar") << 6;
    }
    void aRowIsAsHighAsItsLines() {
        QFETCH(int, times);
        Shown shown(times);
        int high = 0, low = 0;
        for (int width = 150; width <= 330; width += 5) {
            shown.resize(width);
            QCOMPARE(shown.panel.view()->verticalScrollBar()->isVisible(), times > 1);
            for (int row = 0; row < kNames.size(); ++row) {
                const bool isHigh = shown.isHigh(row);
                const bool hasTwoLines = shown.heightOfInk(row) > QFontMetrics(Sizes::text()).lineSpacing();
                QVERIFY2(isHigh == hasTwoLines, qPrintable(QStringLiteral("%1 at %2").arg(kNames[row]).arg(width)));
                (isHigh ? high : low) += 1;
            }
            QVERIFY(!shown.isHigh(2)); // it cannot break
        }
        QVERIFY(high > 10 && low > 10);
    }

    void aNameBreaksBehindAHyphen() {
        Shown shown(1);
        shown.resize(330);
        QVERIFY(!shown.isHigh(1));
        const int whole = QFontMetrics(Sizes::text()).horizontalAdvance(kNames[1]);
        int width = 330;
        while (width > whole && !shown.isHigh(1))
            shown.resize(--width);
        QVERIFY(shown.isHigh(1) && shown.heightOfInk(1) > QFontMetrics(Sizes::text()).lineSpacing());
        QVERIFY(!shown.isHigh(0)); // shorter
    }

    /// It did nothing, although it removes what is chosen in the other lists.
    void theDeleteKeyClosesTheChosenArchitecture() {
        Shown shown(1);
        const DraftKey key = shown.session.drafts()->newDocument(named(1).front().architecture, QStringLiteral("mine"));
        shown.session.drafts()->setCurrent(key);
        QSignalSpy closed(&shown.panel, &PresetsPanel::closeRequested);
        QTRY_COMPARE(shown.panel.view()->currentIndex().data().toString(), shown.session.drafts()->shownName(key));
        shown.panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.panel));
        shown.panel.view()->setFocus();
        QTest::keyClick(shown.panel.view(), Qt::Key_Delete);
        QCOMPARE(closed.count(), 1);
        QVERIFY(closed.front().front().value<DraftKey>() == key);
        shown.panel.view()->setCurrentIndex(shown.panel.view()->model()->index(0, 0, shown.panel.view()->model()->index(1, 0))); // a preset
        QTest::keyClick(shown.panel.view(), Qt::Key_Delete);
        QCOMPARE(closed.count(), 1);
    }

    /// Delete on a preset or a draft, and F2 on any row, did nothing and said nothing.
    void aKeyThatCannotActSaysWhy() {
        Workshop workshop;
        Shown shown(1);
        Drafts* drafts = shown.session.drafts();
        const ModelId model = shown.session.openModel(workshop.model("m"));
        shown.session.setModelOpened(model, Workshop::info(2));
        drafts->newDocument(named(1).front().architecture, QStringLiteral("mine"));
        QTreeView* view = shown.panel.view();
        QTRY_COMPARE(view->model()->rowCount(), 3);
        shown.panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.panel));
        view->setFocus();
        QSignalSpy closed(&shown.panel, &PresetsPanel::closeRequested);
        const auto said = [&](int section, Qt::Key key) {
            view->setCurrentIndex(view->model()->index(0, 0, view->model()->index(section, 0)));
            QToolTip::hideText();
            QTest::keyClick(view, key);
            return QToolTip::text();
        };
        QCOMPARE(said(0, Qt::Key_Delete), QStringLiteral("This is the draft of an open model. Close the model in Analyse."));
        QCOMPARE(said(2, Qt::Key_Delete), QStringLiteral("A preset comes with Headroom and stays in the list."));
        QCOMPARE(said(0, Qt::Key_F2), QStringLiteral("A draft has the name of its model."));
        QCOMPARE(said(1, Qt::Key_F2), QStringLiteral("An architecture has the name of its file. Save it under another name."));
        QVERIFY(said(2, Qt::Key_F2).startsWith(QStringLiteral("A preset keeps its name.")));
        QCOMPARE(closed.count(), 0);
    }
};

HEADROOM_TEST(PresetsPanelTest)

} // namespace headroom::testing::presets_panel_test

#include "presets_panel_test.moc"
