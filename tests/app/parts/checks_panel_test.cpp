// SPDX-License-Identifier: GPL-3.0-or-later
// A check and its number are both shown, however narrow the panel is.
#include "app/parts/checks_panel.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::checks_panel_test {

using namespace headroom::app;
using widgets::Sizes;

class ChecksPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aNumberThatDoesNotFitGetsALineOfItsOwn() {
        ChecksPanel panel;
        const auto pictureOf = [&](const QString& value, int width) {
            panel.setChecks({{Check::State::Passed, QStringLiteral("Alignment of words and phones"), value, {}, true},
                             {Check::State::Passed, QStringLiteral("Rows"), QStringLiteral("±1"), {}}});
            panel.resize(width, panel.heightForWidth(width));
            return panel.grab().toImage();
        };
        const int narrow = Sizes::control() * 7, wide = Sizes::control() * 14;
        QVERIFY(pictureOf(QStringLiteral("123 phones"), narrow) != pictureOf(QStringLiteral("124 phones"), narrow));
        QCOMPARE(panel.heightForWidth(narrow), panel.heightForWidth(wide) + Sizes::tableRow());
        QCOMPARE(panel.sizeHint().height(), panel.heightForWidth(panel.sizeHint().width()));
    }

    /// "Rows sum to 1 …" says nothing of how well.
    void whatPassedKeepsItsNumber() {
        ChecksPanel panel;
        const auto pictureOf = [&](const QString& value) {
            panel.setChecks({{Check::State::Passed, QStringLiteral("Reconstructs the layer's output"), value, {}}});
            const int width = Sizes::control() * 6;
            panel.resize(width, panel.heightForWidth(width));
            return panel.grab().toImage();
        };
        QVERIFY(pictureOf(QStringLiteral("±3.1e−5")) != pictureOf(QStringLiteral("±3.2e−5")));
    }

    void whatFailedIsScrolledTo() {
        QScrollArea area;
        auto* panel = new ChecksPanel;
        area.setWidget(panel);
        area.setWidgetResizable(true);
        const int row = Sizes::tableRow(), unit = qRound(Sizes::unit());
        area.resize(Sizes::control() * 12, 4 * row + 2 * unit + 2 * area.frameWidth()); // four lines
        area.show();
        const QString name = QStringLiteral("Alignment of the words and phones of this recording");
        const auto show = [&](Check::State state) {
            const Check passed{Check::State::Passed, QStringLiteral("Rows"), QStringLiteral("±1"), {}};
            panel->setChecks({passed, passed, passed, {state, name, QStringLiteral("not in phone studies"), {}}});
        };
        show(Check::State::Remark);
        QTRY_VERIFY(area.verticalScrollBar()->maximum() > 0);
        QCOMPARE(area.verticalScrollBar()->value(), 0);
        show(Check::State::Failed);
        const int end = unit + 5 * row; // of its second line
        QTRY_VERIFY(area.verticalScrollBar()->value() + area.viewport()->height() >= end);
        area.resize(area.width(), 2 * row + unit);
        QTRY_COMPARE(area.verticalScrollBar()->value() + area.viewport()->height(), end);
    }

    void theSecondLineLeadsToTheAlignmentsToo() {
        ChecksPanel panel;
        panel.setChecks({{Check::State::Passed, QStringLiteral("Alignment of words and phones"),
                          QStringLiteral("123 phones"), {}, true}});
        panel.resize(Sizes::control() * 7, Sizes::control() * 7);
        QSignalSpy asked(&panel, &ChecksPanel::alignmentsRequested);
        const int first = qRound(Sizes::unit()) + Sizes::tableRow() / 2;
        for (const int line : {0, 1, 2})
            QTest::mouseClick(&panel, Qt::LeftButton, {}, {panel.width() / 2, first + line * Sizes::tableRow()});
        QCOMPARE(asked.count(), 2);
    }
};

HEADROOM_TEST(ChecksPanelTest)

} // namespace headroom::testing::checks_panel_test

#include "checks_panel_test.moc"
