// SPDX-License-Identifier: GPL-3.0-or-later
// The table of what is found in the alignments of a session.
#include "app/alignments/finding_table.h"
#include "app/alignments/alignments_panel.h"
#include "tests/app/alignments/alignment_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPainter>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QtTest>

namespace headroom::testing::finding_table_test {

using namespace headroom::app;
using Desk = AlignmentDesk;

class FindingTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aFindingLeadsToItsPlace() {
        Desk desk;
        desk.table("one.tsv");
        QVERIFY(desk.open({desk.workshop.wav("one.wav"), desk.workshop.wav("two.wav")}));
        AlignmentsPanel panel(&desk.session, &desk.store);
        auto* findings = panel.findings()->model();
        QAbstractItemModelTester tester(findings, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy places(&desk.store, &AlignmentStore::placeRequested);
        int row = -1;
        for (int i = 0; i < findings->rowCount(); ++i)
            if (findings->index(i, FindingTable::Sentence).data().toString().contains(QStringLiteral("PT")))
                row = i;
        QVERIFY(row >= 0);
        QCOMPARE(findings->index(row, FindingTable::Time).data().toString(), QStringLiteral("0.15"));
        Q_EMIT panel.findings()->clicked(findings->index(row, 0));
        QCOMPARE(places.count(), 1);
        QCOMPARE(places[0][1].value<Seconds>().value(), 0.15);
        QCOMPARE(panel.headline(), QStringLiteral("1 checked"));
    }

    void oneUtteranceIsSaidInTheSingular() {
        Desk desk;
        desk.workshop.grid("one.TextGrid", "word");
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        const AlignmentsPanel panel(&desk.session, &desk.store);
        QStringList said;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->text().startsWith(QStringLiteral("No problems")))
                said << label->text();
        QCOMPARE(said, QStringList{QStringLiteral("No problems in the alignment of 1 utterance: lengths, order, phones, words and audio are "
                                                  "consistent.")});
    }

    /// Names of one speaker, which differ at their ends alone.
    void utterancesOfOneSpeakerStayApart() {
        Desk desk;
        std::vector<std::filesystem::path> files;
        for (const char* name : {"1688-142285-0000", "1688-142285-0001", "a-long-name-of-a-session-1688-142285-0000",
                                 "a-long-name-of-a-session-1688-142285-0001"}) {
            desk.table(std::string(name) + ".tsv");
            files.push_back(desk.workshop.wav(std::string(name) + ".wav"));
        }
        QVERIFY(desk.open(files));
        AlignmentsPanel panel(&desk.session, &desk.store);
        panel.resize(813, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QTableView* table = panel.findings();
        table->setAlternatingRowColors(false);
        const auto pictureOf = [&](const QString& name) {
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QModelIndex cell = table->model()->index(row, FindingTable::Name);
                const int height = table->rowHeight(0);
                table->setRowHeight(row, height);
                if (cell.data().toString() == name) {
                    QPixmap picture(table->columnWidth(FindingTable::Name), height);
                    picture.fill(Qt::white);
                    QPainter painter(&picture);
                    QStyleOptionViewItem option;
                    option.initFrom(table);
                    option.widget = table;
                    option.font = table->font();
                    option.rect = picture.rect();
                    option.decorationSize = table->iconSize();
                    option.features = QStyleOptionViewItem::WrapText;
                    option.textElideMode = table->textElideMode();
                    table->itemDelegateForIndex(cell)->paint(&painter, option, cell);
                    return picture.toImage();
                }
            }
            return QImage();
        };
        for (const QString& start : {QStringLiteral("1688-142285-000"), QStringLiteral("a-long-name-of-a-session-1688-142285-000")}) {
            const QImage one = pictureOf(start + u'0'), other = pictureOf(start + u'1');
            QVERIFY(!one.isNull() && !other.isNull());
            QVERIFY2(one != other, qPrintable(start));
        }
        const QModelIndex first = table->model()->index(0, FindingTable::Name);
        QVERIFY2(table->sizeHintForIndex(first).width() <= table->columnWidth(FindingTable::Name), "a short name is whole");
    }

    /// In a window of 1280 pixels the problems had one word in a line, and names were out of sight.
    void aNarrowPanelShowsOnePartWithAllOfItsWidth() {
        Desk desk;
        desk.table("one.tsv");
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        AlignmentsPanel panel(&desk.session, &desk.store);
        const double unit = widgets::Sizes::unit();
        QVERIFY(panel.minimumSizeHint().width() < 50 * unit); // more would make the columns beside it narrower
        panel.resize(qRound(60 * unit), 200);
        panel.show();
        auto* tabs = panel.findChild<QTabBar*>();
        QVERIFY(tabs->isVisible() && panel.findings()->isVisible() && !panel.labels()->isVisible());
        QCOMPARE(panel.findings()->width(), panel.width());
        QVERIFY(panel.findings()->columnWidth(FindingTable::Sentence) > 30 * unit);
        tabs->setCurrentIndex(1);
        QVERIFY(!panel.findings()->isVisible());
        QTRY_COMPARE(panel.labels()->width(), panel.width());
        panel.reveal(desk.session.utterances()->at(0).id);
        QVERIFY(panel.findings()->isVisible());
        panel.resize(qRound(110 * unit), 200);
        QVERIFY(!tabs->isVisible() && panel.findings()->isVisible() && panel.labels()->isVisible());
        QTRY_VERIFY(panel.findings()->width() > panel.labels()->width());
    }

    void timesAndProblemsAreReadWhole() {
        Desk desk;
        desk.workshop.text("one.tsv", "start\tend\tphone\n0\t12.5\tAA\n12.5\t12.65\tPT\n12.65\t13\tIY\n");
        QVERIFY(desk.open({desk.workshop.wav("one.wav", 13)}));
        AlignmentsPanel panel(&desk.session, &desk.store);
        panel.resize(813, 200);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto* table = panel.findings();
        int row = -1;
        for (int i = 0; i < table->model()->rowCount(); ++i)
            if (table->model()->index(i, FindingTable::Sentence).data().toString().contains(QStringLiteral("PT")))
                row = i;
        QVERIFY(row >= 0);
        QCOMPARE(table->model()->index(row, FindingTable::Time).data().toString(), QStringLiteral("12.50"));
        QVERIFY(table->sizeHintForIndex(table->model()->index(row, FindingTable::Time)).width() <=
                table->columnWidth(FindingTable::Time));
        QVERIFY(table->wordWrap());
        // The padding of the window's style sheet leaves fewer words in a line.
        panel.setStyleSheet(QStringLiteral("QTableView::item { padding: 0 12px; }"));
        const QModelIndex sentence = table->model()->index(row, FindingTable::Sentence);
        for (int width = 500; width <= 900; width += 10) {
            panel.resize(width, 200);
            QCoreApplication::processEvents();
            QStyleOptionViewItem cell;
            cell.initFrom(table);
            cell.widget = table;
            cell.font = table->font();
            cell.index = sentence; // and what else the view sets: without it the style leaves 4 pixels less
            cell.decorationSize = table->iconSize();
            cell.showDecorationSelected = true;
            cell.textElideMode = table->textElideMode();
            cell.displayAlignment = Qt::AlignLeft | Qt::AlignVCenter;
            cell.viewItemPosition = QStyleOptionViewItem::End;
            cell.text = sentence.data().toString();
            cell.features = QStyleOptionViewItem::HasDisplay | QStyleOptionViewItem::WrapText;
            cell.rect = table->visualRect(sentence);
            const QStyle* style = table->style();
            const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, table) + 1; // of Qt's text on each side
            const int room = style->subElementRect(QStyle::SE_ItemViewItemText, &cell, table).width() - 2 * margin;
            if (room < 20)
                continue; // not one word
            const int needed = table->fontMetrics().boundingRect(0, 0, room, 1000, Qt::TextWordWrap, cell.text).height();
            QVERIFY2(cell.rect.height() >= needed, qPrintable(QStringLiteral("%1: %2 of %3 in %4").arg(width).arg(cell.rect.height()).arg(needed).arg(room)));
        }
    }
};

HEADROOM_TEST(FindingTableTest)

} // namespace headroom::testing::finding_table_test

#include "finding_table_test.moc"
