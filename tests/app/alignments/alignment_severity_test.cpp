// SPDX-License-Identifier: GPL-3.0-or-later
// A left-out alignment was yellow in its row and in Messages, but red in Checks and in Alignments.
#include "app/alignments/alignments_panel.h"
#include "app/alignments/finding_table.h"
#include "app/workspaces/analyse/map/checks.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "tests/app/alignments/alignment_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QListView>
#include <QTest>

namespace headroom::testing::alignment_severity_test {

using namespace headroom::app;
using widgets::Theme;

namespace {

bool hasInk(const QImage& picture, const QColor& ink) {
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            if (picture.pixelColor(x, y) == ink)
                return true;
    return false;
}

} // namespace

class AlignmentSeverityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void oneSeverityIsShownEverywhere_data() {
        QTest::addColumn<bool>("isLeftOut");
        QTest::newRow("of another length") << true;
        QTest::newRow("with a remark") << false;
    }
    void oneSeverityIsShownEverywhere() {
        QFETCH(bool, isLeftOut);
        AlignmentDesk desk;
        if (isLeftOut)
            desk.workshop.grid("one.TextGrid", "word", 0.9); // the recording has 0.5 s
        else
            desk.table("one.tsv"); // with an unknown label
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        const OpenUtterance& utterance = desk.session.utterances()->at(0);
        QCOMPARE(!desk.report()->usable(), isLeftOut);
        QCOMPARE(checksOf(&utterance, nullptr).last().state, Check::State::Remark);
        QCOMPARE(desk.session.messages()->count(Severity::Error), 0);
        FindingTable found(&desk.session);
        found.refresh();
        QVERIFY(found.index(0, FindingTable::Name).data(Qt::AccessibleTextRole).toString().startsWith(QStringLiteral("Warning")));
        QCOMPARE(found.index(0, FindingTable::Sentence).data().toString().endsWith(QStringLiteral("Phone studies leave it out.")), isLeftOut);
        QAction open;
        UtterancePanel panel(desk.session.utterances(), &open);
        panel.resize(400, 300);
        panel.show();
        QCoreApplication::processEvents();
        QAbstractItemView* view = panel.findChild<QListView*>();
        const QImage row = view->viewport()->grab(view->visualRect(view->model()->index(0, 0))).toImage();
        QVERIFY(!hasInk(row, Theme::current().error) && hasInk(row, Theme::current().warning));
        QCOMPARE(panel.countText(), QStringLiteral("1")); // the recording itself did not fail
    }
};

HEADROOM_TEST(AlignmentSeverityTest)

} // namespace headroom::testing::alignment_severity_test

#include "alignment_severity_test.moc"
