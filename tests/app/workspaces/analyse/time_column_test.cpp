// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of a recording, which stand twice beside a second map.
#include "app/workspaces/analyse/sound/time_column.h"

#include "app/documents/session.h"
#include "app/parts/actions.h"
#include "app/workspaces/analyse/sound/alignment_marks.h"
#include "core/alignment/validator.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/tiers/tier_lane.h"
#include "widgets/time_axis/time_axis.h"

#include <QTest>
#include <QUndoStack>

#include <memory>
#include <utility>

namespace headroom::testing::time_column_test {

using namespace headroom::app;

class TimeColumnTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Beside a second map, the same alignment had no marks.
    void bothColumnsOfARecordingMarkWhatWasFoundInItsAlignment() {
        const Workshop workshop;
        Session session;
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        session.setCurrentUtterance(session.openUtterance(workshop.wav("talk.wav", 1)));
        QVERIFY(waitUntilRead(session));
        AlignmentReport report;
        report.findings.resize(1);
        report.findings[0].tier = AlignmentFinding::Tier::Phones;
        report.findings[0].start = Seconds(0.25);
        report.findings[0].end = Seconds(0.5);
        session.setAlignmentReport(session.currentUtteranceId(), std::make_shared<const AlignmentReport>(report));
        widgets::TimeAxis axis;
        TimeColumn column(&axis, actions);
        const auto marked = [](const QList<widgets::TimeLane*>& lanes) {
            qsizetype marks = 0;
            for (widgets::TimeLane* lane : lanes)
                if (const auto* tier = qobject_cast<widgets::TierLane*>(lane))
                    marks += static_cast<qsizetype>(tier->marks().size());
            return marks;
        };
        column.setUtterance(std::as_const(session).currentUtterance());
        QCOMPARE(marked(column.lanes()), 1);
        QCOMPARE(marked(column.twinLanes()), 1);
        column.setUtterance(nullptr);
        QCOMPARE(marked({column.words(), column.phones()}), 0);
    }

    /// A left-out alignment was yellow everywhere but here, where its places were red.
    void theMarksOfALeftOutAlignmentAreWarnings() {
        widgets::TimeAxis axis;
        axis.setExtent(Seconds(1));
        widgets::TierLane lane(widgets::TierLane::Kind::Phones);
        lane.setAxis(&axis);
        lane.setIntervals({{Seconds(0.25), Seconds(0.75), "a"}});
        AlignmentReport report;
        report.findings.resize(1);
        report.findings[0].severity = AlignmentFinding::Severity::Error;
        report.findings[0].tier = AlignmentFinding::Tier::Phones;
        report.findings[0].start = Seconds(0.25);
        report.findings[0].end = Seconds(0.75);
        lane.setMarks(marksOf(&report, AlignmentFinding::Tier::Phones));
        lane.resize(400, 40);
        const QImage shown = lane.grab().toImage();
        int warnings = 0, errors = 0;
        for (int y = 0; y < shown.height(); ++y)
            for (int x = 0; x < shown.width(); ++x) {
                warnings += shown.pixelColor(x, y) == widgets::Theme::current().warning;
                errors += shown.pixelColor(x, y) == widgets::Theme::current().error;
            }
        QVERIFY(warnings > 100);
        QCOMPARE(errors, 0);
    }
};

HEADROOM_TEST(TimeColumnTest)

} // namespace headroom::testing::time_column_test

#include "time_column_test.moc"
