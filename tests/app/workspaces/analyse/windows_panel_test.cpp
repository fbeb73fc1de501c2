// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QFontMetrics>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::windows_panel_test {

using namespace headroom::app;
using namespace headroom::widgets;

class WindowsPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// “model could not be opened. See Models for the reason.” crossed the curve behind it.
    void theReasonOfAnEmptyTabStandsOnPlainGround() {
        QUndoStack undo;
        QObject owner;
        const Actions actions(&undo, &owner);
        StudyEvidence evidence;
        WindowsPanel panel(actions, &evidence);
        panel.resize(400, 320);
        auto* ghost = panel.findChild<QWidget*>(QStringLiteral("windowsEmpty"));
        QVERIFY(ghost);
        ghost->resize(400, 280);
        const auto curve = [&](const QString& sentence) { // pixels of its colour, left of the middle of the frame
            panel.setEmptySentence(sentence);
            const QImage picture = ghost->grab().toImage();
            int count = 0;
            const int edge = qRound(Sizes::unit() * 5.5) + 3;
            for (int y = qRound(Sizes::unit() * 1.5) + 3; y < qRound(Sizes::unit() * 19); ++y)
                for (int x = edge; x < picture.width() / 2; ++x)
                    count += picture.pixelColor(x, y) == Theme::current().line;
            return count;
        };
        const int whole = curve({});
        QVERIFY(whole > 20);
        // Of a sentence of blanks, only the ground is seen.
        const QFontMetrics metrics(Sizes::caption());
        const int blanks = static_cast<int>((ghost->width() - Sizes::unit() * 9.5) / metrics.horizontalAdvance(QChar::Nbsp)) - 6;
        const QString line = QLatin1Char('.') + QString(blanks, QChar::Nbsp) + QLatin1Char('.');
        const int behind = curve(QStringList(7, line).join(QLatin1Char('\n')));
        QVERIFY2(behind > 0 && behind < whole * 4 / 5, qPrintable(QStringLiteral("%1 of %2").arg(behind).arg(whole)));
    }
};

HEADROOM_TEST(WindowsPanelTest)

} // namespace headroom::testing::windows_panel_test

#include "windows_panel_test.moc"
