// SPDX-License-Identifier: GPL-3.0-or-later
// A check and its number are both shown, however narrow the panel is.
#include "app/parts/checks_panel.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

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
