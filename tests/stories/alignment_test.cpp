// SPDX-License-Identifier: GPL-3.0-or-later
// A recording with a bad alignment comes in: it is said, and a click goes to the place.
#include "app/alignments/alignment_store.h"
#include "app/alignments/alignments_panel.h"
#include "app/alignments/finding_table.h"
#include "app/alignments/label_table.h"
#include "app/parts/actions.h"
#include "app/parts/checks_panel.h"
#include "app/parts/dock.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "core/alignment/text_grid.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/tiers/tier_lane.h"
#include "widgets/time_axis/time_axis.h"

#include <QAbstractItemDelegate>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QListView>
#include <QPointer>
#include <QTabBar>
#include <QTableView>
#include <QTest>

#include <cmath>

namespace headroom::testing::alignment_test {

using namespace headroom::app;
using headroom::testing::Story;

class AlignmentStory : public QObject {
    Q_OBJECT

private:
    /// The story's utterance, with one phone that is none.
    static QString withOddPhone(Story& story, double* start, const QString& name = QStringLiteral("one")) {
        const QString sound = story.utterance(name);
        const auto file = story.path(name + QStringLiteral(".TextGrid")).toStdString();
        auto grid = readTextGrid(file);
        for (auto& tier : grid.tiers)
            if (tier.name == "phones")
                for (std::size_t i = tier.intervals.size() / 2; i < tier.intervals.size(); ++i)
                    if (!tier.intervals[i].label.empty()) {
                        tier.intervals[i].label = "PT";
                        *start = tier.intervals[i].start.value();
                        break;
                    }
        writeTextGrid(file, grid);
        return sound;
    }

private Q_SLOTS:
    void anUnknownPhoneIsSaidAndAClickGoesThere() {
        Story story;
        double start = 0;
        const QString sound = withOddPhone(story, &start);
        QVERIFY2(story.openAndWait({sound, story.utterance(QStringLiteral("two"))}),
                 qPrintable(story.messages()));
        AnalyseWorkspace* analyse = story.window().analyse();
        auto* table = story.part<AlignmentsPanel>()->findings();
        QVERIFY(!table->isVisible());
        story.window().actions().alignments->trigger();
        QVERIFY(QTest::qWaitFor([&] { return table->isVisible(); }, 60000));
        story.session().setCurrentUtterance(story.session().utterances()->at(1).id);
        int row = -1;
        for (int i = 0; i < table->model()->rowCount(); ++i)
            if (table->model()
                    ->index(i, FindingTable::Sentence)
                    .data()
                    .toString()
                    .contains(QStringLiteral("“PT”")))
                row = i;
        QVERIFY(row >= 0);
        const QRect cell = table->visualRect(table->model()->index(row, FindingTable::Sentence));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(story.session().currentUtterance()->name, QStringLiteral("one"));
        QVERIFY(analyse->axis()->cursor().has_value());
        QVERIFY(std::abs(analyse->axis()->cursor()->value() - start) < 1e-9);
        QVERIFY(analyse->axis()->visible().start.value() < start &&
                analyse->axis()->visible().end.value() > start);
        const auto marks = story.part<TimeColumn>()->phones()->marks();
        QVERIFY(std::any_of(marks.begin(), marks.end(),
                            [&](const auto& mark) { return std::abs(mark.start.value() - start) < 1e-9; }));
    }

    void theCheckOfTheAlignmentOpensThePanel() {
        Story story;
        double start = 0;
        QVERIFY(story.openAndWait({withOddPhone(story, &start)}));
        ChecksPanel* checks = story.part<ChecksPanel>();
        QCOMPARE(checks->checks().last().state, Check::State::Remark);
        auto* table = story.part<AlignmentsPanel>()->findings();
        for (int y = 0; y < checks->height() && !table->isVisible(); y += 8)
            QTest::mouseClick(checks, Qt::LeftButton, {}, {checks->width() / 2, y});
        QVERIFY(table->isVisible());
    }

    /// Each alignment that had been checked closed the list; what was typed then opened that of another label.
    void anOpenListOfClassesStaysOpenAndLettersOpenNone() {
        Story story;
        double start = 0;
        QVERIFY(story.openAndWait({withOddPhone(story, &start)}));
        story.window().actions().alignments->trigger();
        auto* store = story.part<AlignmentStore>();
        auto* panel = story.part<AlignmentsPanel>();
        panel->findChild<QTabBar*>()->setCurrentIndex(1); // in a narrow window
        auto* table = panel->labels();
        QTRY_VERIFY_WITH_TIMEOUT(table->isVisible(), 60000);
        const auto click = [&](int row) {
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                              table->visualRect(table->model()->index(row, LabelTable::Class)).center());
            return QPointer(table->findChild<QComboBox*>());
        };
        QCOMPARE(table->model()->index(0, LabelTable::Label).data().toString(), QStringLiteral("PT"));
        QPointer<QComboBox> list = click(0);
        QVERIFY(list != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(list->view()->isVisible(), 60000);
        QTest::keyClick(list->view(), Qt::Key_T, Qt::ShiftModifier);
        QTest::keyClick(list->view(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(store->map().knows("PT"), 60000);
        QVERIFY(story.quiet());
        QVERIFY(list == nullptr);
        list = click(1);
        QVERIFY(list != nullptr);
        const QString label = table->model()->index(1, LabelTable::Label).data().toString();
        QTRY_VERIFY_WITH_TIMEOUT(list->view()->isVisible(), 60000);
        Q_EMIT store->reportsChanged();
        QTest::qWait(1);
        QVERIFY(list != nullptr);
        QVERIFY(list->view()->isVisible());
        QCOMPARE(table->currentIndex().siblingAtColumn(LabelTable::Label).data().toString(), label);
        list->hidePopup();
        Q_EMIT table->itemDelegateForColumn(LabelTable::Class)->closeEditor(list);
        QTRY_VERIFY_WITH_TIMEOUT(list == nullptr, 60000);
        table->setCurrentIndex(table->model()->index(0, LabelTable::Class));
        QVERIFY(table->findChild<QComboBox*>() == nullptr);
        table->keyboardSearch(table->model()->index(2, LabelTable::Class).data().toString());
        QVERIFY(table->currentIndex().row() > 0);
        QVERIFY(table->findChild<QComboBox*>() == nullptr);
    }

    /// At 1366 columns problems had one or two words a line, whatever the names left free.
    void problemsHaveTheRoomThatNamesLeave() {
        for (const char* name : {"mary", "a-long-name-of-a-session-1688-142285-0000"}) {
            Story story;
            double start = 0;
            QVERIFY(story.openAndWait({withOddPhone(story, &start, QLatin1String(name))}));
            AlignmentsPanel panel(&story.session(), story.part<AlignmentStore>());
            panel.resize(655, 176);
            panel.show();
            QVERIFY(QTest::qWaitForWindowExposed(&panel));
            const QTableView* table = panel.findings();
            const int problem = table->columnWidth(FindingTable::Sentence), utterance = table->columnWidth(FindingTable::Name);
            const int all = table->viewport()->width();
            const QString widths = QStringLiteral("%1 of %2, beside %3").arg(problem).arg(all).arg(utterance);
            QVERIFY2(problem * (name == std::string("mary") ? 2 : 3) >= all, qPrintable(widths));
            QVERIFY2(utterance <= table->width() * 2 / 5 + 1, qPrintable(widths));
            QFont bold = table->horizontalHeader()->font();
            bold.setBold(true);
            QVERIFY2(utterance >= QFontMetrics(bold).horizontalAdvance(QStringLiteral("Utterance")) + 16, qPrintable(widths));
        }
    }

    void theMapIsKeptWithTheSession() {
        const auto home = std::make_shared<QTemporaryDir>();
        Story story(home);
        double start = 0;
        QVERIFY(story.openAndWait({withOddPhone(story, &start)}));
        story.part<AlignmentStore>()->setClass(QStringLiteral("PT"), 24);
        QVERIFY(story.quiet());
        const auto folder = story.path(QStringLiteral("kept.headroom")).toStdString();
        story.session().setViewState(story.window().analyse()->viewState());
        story.session().saveAs(folder);
        story.session().clear();
        story.window().analyse()->restoreView(nlohmann::json::object());
        QVERIFY(!story.part<AlignmentStore>()->map().knows("PT"));
        story.session().openSession(folder);
        QVERIFY(story.quiet());
        QCOMPARE(story.part<AlignmentStore>()->map().classOf("PT"), std::optional(24));
    }
};

HEADROOM_TEST(AlignmentStory)

} // namespace headroom::testing::alignment_test

#include "alignment_test.moc"
