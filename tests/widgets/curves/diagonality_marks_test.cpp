// SPDX-License-Identifier: GPL-3.0-or-later
// What may not be hidden in the plot of D(w).
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::diagonality_marks_test {

using namespace headroom::widgets;

class DiagonalityMarksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// Its upper half was cut off where D is 1, and the flag stood over it.
    void aMarkAtTheTopIsWholeAndTheTipLeavesTheCurvesFree() {
        DiagonalityPlot plot;
        plot.resize(420, 220);
        plot.setCurrent(10, DiagonalProfile(testing::ridge(80, 5).view()));
        plot.setWindow(17);
        plot.setCompared({"new", 0, {}}, {{"old", 1, DiagonalProfile(testing::ridge(80, 0.01, 0).view())}});
        plot.show();
        const auto* inner = plot.findChild<QCustomPlot*>();
        QVERIFY(plot.comparedHere()[0] > 1 - 1e-6);
        const QRect frame = inner->axisRect()->rect();
        double flagEnds = 0;
        bool whole = false;
        for (int index = 0; index < inner->itemCount(); ++index)
            if (const auto* text = qobject_cast<QCPItemText*>(inner->item(index)); text && text->text().startsWith(QStringLiteral("w = 17")))
                flagEnds = text->bottom->pixelPosition().y();
            else if (const auto* mark = qobject_cast<QCPItemTracer*>(inner->item(index));
                     mark && mark->brush().color() == Theme::current().panel && mark->visible()) {
                whole = !mark->clipToAxisRect();
                QVERIFY(mark->position->pixelPosition().y() <= frame.top() + 1);
                QVERIFY(flagEnds > 0 && flagEnds <= mark->position->pixelPosition().y() - (mark->size() + mark->pen().widthF()) / 2);
            }
        QVERIFY(whole);
        const auto tipAt = [&](QPoint at) {
            at += inner->pos();
            QHelpEvent help(QEvent::ToolTip, at, plot.mapToGlobal(at));
            QCoreApplication::sendEvent(&plot, &help);
            return QToolTip::text();
        };
        QVERIFY(!tipAt({frame.center().x(), frame.bottom() + 12}).isEmpty());
        QToolTip::hideText();
        QTRY_VERIFY(QToolTip::text().isEmpty());
        QVERIFY(tipAt(frame.center()).isEmpty());
    }
};

HEADROOM_TEST(DiagonalityMarksTest)

} // namespace headroom::testing::diagonality_marks_test

#include "diagonality_marks_test.moc"
