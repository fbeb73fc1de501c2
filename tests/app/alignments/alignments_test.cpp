// SPDX-License-Identifier: GPL-3.0-or-later
// The phone map of a session, what is found in its alignments, and the panel of both.
#include "app/alignments/alignment_store.h"
#include "app/alignments/alignments_panel.h"
#include "app/alignments/finding_table.h"
#include "app/alignments/label_table.h"
#include "app/workspaces/analyse/map/checks.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "core/alignment/phones.h"
#include "tests/app/alignments/alignment_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

#include <memory>

namespace headroom::testing::alignments_test {

using namespace headroom::app;
using Desk = AlignmentDesk;

namespace {

/// The classes of the first label, which is unknown, while its cell is edited.
struct EditedCell {
    Desk desk;
    std::unique_ptr<AlignmentsPanel> panel;
    QComboBox* combo = nullptr; ///< null: there is no label, or its cell has no editor

    EditedCell() {
        desk.table("one.tsv");
        if (!desk.open({desk.workshop.wav("one.wav")}))
            return;
        panel = std::make_unique<AlignmentsPanel>(&desk.session, &desk.store);
        panel->resize(900, 300);
        panel->show();
        auto* labels = panel->labels();
        labels->setCurrentIndex(labels->model()->index(0, LabelTable::Class));
        labels->edit(labels->currentIndex());
        combo = labels->findChild<QComboBox*>();
    }
};

/// How often Messages says that phone studies leave an utterance out.
int leftOut(Desk& desk) {
    int count = 0;
    for (int row = 0; row < desk.session.messages()->rowCount(); ++row)
        count += desk.session.messages()->at(row).sentence.startsWith(QStringLiteral("Phone studies leave out"));
    return count;
}

} // namespace

class AlignmentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void whatIsFoundStandsInTheUtterance() {
        Desk desk;
        desk.table("one.tsv");
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        QVERIFY(desk.session.utterances()->at(0).alignment != nullptr);
        QCOMPARE(desk.session.utterances()->at(0).alignment->phones.size(), std::size_t(4));
        QVERIFY2(desk.codes().contains(QStringLiteral("alignment.unknownPhone")),
                 qPrintable(desk.codes().join(' ')));
        QVERIFY(desk.report()->usable());
        QCOMPARE(desk.session.messages()->rowCount(), 0); // warnings wait in the row
        const auto index = desk.session.utterances()->index(0);
        QVERIFY(index.data(UtteranceList::FindingRole).toString().contains(QStringLiteral("“PT”")));
        QCOMPARE(index.data(UtteranceList::LeftOutRole).toBool(), false);
    }

    /// The panel counted an alignment that had been undone.
    void anAlignmentThatIsTakenBackIsNotCounted() {
        Desk desk;
        desk.table("one.tsv");
        desk.table("two.tsv");
        QVERIFY(desk.open({desk.workshop.wav("one.wav"), desk.workshop.wav("two.wav")}));
        const AlignmentsPanel panel(&desk.session, &desk.store);
        QTRY_COMPARE(panel.headline(), QStringLiteral("2 checked"));
        desk.session.putAlignment(desk.session.utterances()->at(1).id, {});
        QCOMPARE(panel.headline(), QStringLiteral("1 checked"));
    }

    /// The labels of all were added up after each one of them.
    void theMapIsChosenOnceForABatchOfChanges() {
        const auto changesWithout = [](Desk& desk, int closed) { // in one turn
            desk.workshop.text("one.tsv", "start\tend\tphone\n0\t0.15\tAA1\n0.15\t0.22\tHH\n0.22\t0.36\tNG\n0.36\t0.5\tIY0\n");
            desk.workshop.text("two.tsv", "start\tend\tphone\n0\t0.15\tə\n0.15\t0.3\tʃ\n0.3\t0.5\tŋ\n");
            if (!desk.open({desk.workshop.wav("one.wav"), desk.workshop.wav("two.wav")}))
                return -1;
            QSignalSpy changed(&desk.store, &AlignmentStore::mapChanged);
            const UtteranceList& open = *desk.session.utterances();
            for (int count = 0; count < closed; ++count)
                desk.session.closeUtterance(open.at(0).id);
            return desk.quiet() ? static_cast<int>(changed.count()) : -1;
        };
        Desk one, both;
        QCOMPARE(changesWithout(one, 1), 1); // another map fits the labels of the other one
        QCOMPARE(changesWithout(both, 2), 0);
        QVERIFY(both.store.labels().empty());
    }

    /// "5 more." did not say of what.
    void furtherFindingsAreCountedByTheirName() {
        Desk desk;
        desk.workshop.text("one.tsv", "start\tend\tphone\n0\t0.15\tPT\n0.15\t0.22\tQX\n0.22\t0.36\tN\n0.36\t0.9\tIY\n");
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        const auto more = int(desk.report()->findings.size()) - 1;
        QVERIFY(more > 0);
        const QString finding = desk.session.utterances()->index(0).data(UtteranceList::FindingRole).toString();
        QVERIFY2(finding.endsWith(more == 1 ? QStringLiteral(" And 1 more finding.") : QStringLiteral(" And %1 more findings.").arg(more)),
                 qPrintable(finding));
    }

    void whatCannotBeStudiedIsSaidOnceWithItsPlace() {
        Desk desk;
        desk.workshop.grid("one.TextGrid", "word", 0.9); // of a longer recording
        QSignalSpy places(&desk.store, &AlignmentStore::placeRequested);
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        QVERIFY(!desk.report()->usable());
        int said = -1;
        for (int row = 0; row < desk.session.messages()->rowCount(); ++row)
            if (desk.session.messages()->at(row).sentence.contains(QStringLiteral("Phone studies leave out")))
                said = row;
        QVERIFY(said >= 0);
        const int before = desk.session.messages()->rowCount();
        desk.session.messages()->trigger(said);
        QCOMPARE(places.count(), 1);
        QCOMPARE(places[0][1].value<Seconds>().value(), 0.5);
        desk.store.setClass(QStringLiteral("AH"), 3); // another round of checks says it no second time
        QVERIFY(desk.quiet());
        QCOMPARE(desk.session.messages()->rowCount(), before);
    }

    /// Undo took the alignment, but the error stayed.
    void whatIsSaidOfAnAlignmentGoesWithIt() {
        Desk desk;
        desk.workshop.grid("one.TextGrid", "word", 0.9); // of a longer recording
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        const UtteranceId id = desk.session.utterances()->at(0).id;
        const auto kept = desk.session.keptAlignment(id);
        QCOMPARE(leftOut(desk), 1);
        desk.session.putAlignment(id, {});
        QVERIFY(desk.quiet());
        QCOMPARE(leftOut(desk), 0);
        desk.session.putAlignment(id, kept); // by redo
        QVERIFY(desk.quiet());
        QCOMPARE(leftOut(desk), 1);
        desk.session.putAlignment(id, {});
        desk.session.putAlignment(id, kept);
        QCoreApplication::processEvents(); // it is being checked
        desk.session.putAlignment(id, {});
        QVERIFY(desk.quiet());
        QVERIFY(!desk.report());
        QCOMPARE(leftOut(desk), 0);
    }

    /// Reading the recording again took the error away, and the check did not say it a second time.
    void whatIsSaidOfAnAlignmentStaysWhileItsRecordingIsReadAgain() {
        Desk desk;
        const auto grid = desk.workshop.grid("one.TextGrid", "word", 0.9); // of a longer recording
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        const Session::KeptFiles kept = desk.session.keptFiles(desk.session.utterances()->at(0).id);
        const OpenUtterance& before = kept.utterance;
        QCOMPARE(leftOut(desk), 1);
        desk.session.setFiles(before.id, before.file, grid);
        QVERIFY(desk.quiet());
        QCOMPARE(leftOut(desk), 1);
        desk.session.putFiles(kept); // by undo
        QVERIFY(desk.quiet());
        QCOMPARE(leftOut(desk), 1);
        std::filesystem::remove(grid); // the alignment that was read stays
        desk.session.setFiles(before.id, before.file, grid);
        QVERIFY(desk.quiet());
        QCOMPARE(leftOut(desk), 1);
        desk.session.closeUtterance(before.id);
        QCOMPARE(leftOut(desk), 0);
    }

    /// As by two steps that are undone in one turn of the event loop. A file without a name was checked, and its row said that phone
    /// studies leave it out.
    void oneThatIsTakenBackAtOnceIsNotChecked() {
        Desk desk;
        QVERIFY(desk.open({desk.workshop.wav("one.wav"), desk.workshop.grid("elsewhere/one.TextGrid", "word")}));
        const UtteranceId id = desk.session.utterances()->at(0).id;
        const auto kept = desk.session.keptAlignment(id);
        desk.session.putAlignment(id, {});
        QVERIFY(desk.quiet());
        desk.session.putAlignment(id, kept);
        desk.session.putAlignment(id, {});
        QVERIFY(desk.quiet());
        QVERIFY(!desk.report());
    }

    void anAlignmentThatCannotBeReadHasItsPlaceToo() {
        Desk desk;
        desk.workshop.text("one.tsv", "start\tend\tphone\n0\t0.3\tAA\n0.2\t0.4\tB\n");
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        QVERIFY(desk.session.utterances()->at(0).alignment == nullptr);
        QCOMPARE(desk.codes(), QStringList{QStringLiteral("alignment.overlap")});
        QCOMPARE(desk.report()->findings[0].start.value(), 0.2);
        QCOMPARE(desk.session.messages()->rowCount(), 1); // the reader's
        const auto checks = checksOf(&desk.session.utterances()->at(0), nullptr);
        QCOMPARE(checks.last().state, Check::State::Failed);
        QVERIFY(checks.last().leadsToAlignments);
    }

    void theMapThatFitsIsTakenUntilOneIsChosen() {
        Desk desk;
        desk.table("one.tsv", "ə");
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        QCOMPARE(desk.store.map().title(), std::string("ARPABET"));
        desk.workshop.text("two.tsv",
                           "start\tend\tphone\n0\t0.2\tə\n0.2\t0.3\tɹ\n0.3\t0.4\tɪ\n0.4\t0.5\tɡ\n");
        QVERIFY(desk.open({desk.workshop.wav("two.wav")}));
        QCOMPARE(desk.store.map().title(), std::string("IPA"));
        desk.store.useNamed(QStringLiteral("timit"));
        QCOMPARE(desk.store.map().title(), std::string("TIMIT"));
        desk.session.undoStack()->undo();
        QCOMPARE(desk.store.map().title(), std::string("IPA"));
    }

    /// Beside the buttons it was cut to "5 lab…".
    void whyAMapIsUsedIsReadWhole() {
        Desk desk;
        desk.table("one.tsv", "ə");
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        AlignmentsPanel panel(&desk.session, &desk.store);
        panel.resize(760, 240);
        panel.show();
        const QLabel* reason = nullptr;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("unknown, ")))
                reason = label;
        QVERIFY(reason && reason->isVisible());
        const QRect text = reason->fontMetrics().boundingRect(reason->contentsRect(), Qt::TextWordWrap, reason->text());
        QVERIFY2(reason->contentsRect().adjusted(0, 0, 1, 1).contains(text), qPrintable(reason->text()));
    }

    void theMapOfTheFolderComesFirst() {
        Desk desk;
        desk.workshop.text("corpus/phones.tsv", "label\tclass\nAA\tAA\nPT\tT\nN\tN\nIY\tIY\n");
        desk.table("corpus/alignments/one.tsv");
        QVERIFY(desk.open({desk.workshop.wav("corpus/audio/one.wav")}));
        QCOMPARE(desk.store.map().title(), std::string("phones.tsv"));
        QVERIFY(!desk.codes().contains(QStringLiteral("alignment.unknownPhone")));
        QCOMPARE(desk.store.map().classOf("PT"), phoneClass("T"));
    }

    void aClassIsEditedUndoneAndKept() {
        Desk desk;
        desk.table("one.tsv");
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        AlignmentsPanel panel(&desk.session, &desk.store);
        auto* labels = panel.labels()->model();
        QAbstractItemModelTester tester(labels, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(labels->rowCount(), 4);
        QCOMPARE(labels->index(0, LabelTable::Label).data().toString(),
                 QStringLiteral("PT")); // unknown first
        QCOMPARE(labels->index(0, LabelTable::Class).data().toString(), QStringLiteral("unknown"));
        labels->setData(labels->index(0, LabelTable::Class), *phoneClass("T"));
        QVERIFY(QTest::qWaitFor([&] { return desk.store.map().knows("PT"); }, 60000));
        QVERIFY(desk.quiet());
        QVERIFY(!desk.codes().contains(QStringLiteral("alignment.unknownPhone")));
        QCOMPARE(desk.store.map().classOf("PT"), phoneClass("T"));
        QVERIFY(desk.session.isModified());
        QCOMPARE(desk.session.undoStack()->undoText(), QStringLiteral("phone “PT”: T"));
        const auto kept = desk.store.state();
        desk.session.undoStack()->undo();
        QVERIFY(desk.quiet());
        QVERIFY(desk.codes().contains(QStringLiteral("alignment.unknownPhone")));
        QVERIFY(desk.store.state().is_null());
        desk.store.restore(kept);
        QCOMPARE(desk.store.map().classOf("PT"), phoneClass("T"));
        desk.store.restore({{"text", "rubbish"}}); // said, and the map that fits
        QVERIFY(!desk.store.map().knows("PT"));
        QVERIFY(desk.session.messages()->count(Severity::Warning) > 0);
    }

    void theCellsEditorOffersEveryClass() {
        EditedCell cell;
        QVERIFY(cell.combo != nullptr);
        QCOMPARE(cell.combo->count(), 38);
        cell.combo->setCurrentText(QStringLiteral("ignored"));
        Q_EMIT cell.combo->activated(cell.combo->currentIndex());
        QVERIFY(QTest::qWaitFor([&] { return cell.desk.store.map().knows("PT"); }, 60000));
        QVERIFY(!cell.desk.store.map().classOf("PT"));
    }

    /// The first letter chose a class and closed the list.
    void whatIsTypedIntoTheCellIsChosenByEnter() {
        EditedCell cell;
        QVERIFY(cell.combo != nullptr);
        QTRY_VERIFY(cell.combo->view()->isVisible());
        cell.combo->hidePopup();
        QTest::keyClicks(cell.combo, QStringLiteral("t"));
        QTest::qWait(50);
        QVERIFY(!cell.desk.store.map().knows("PT"));
        QCOMPARE(cell.combo->currentText(), QStringLiteral("T"));
        QTest::keyClick(cell.combo, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return cell.desk.store.map().knows("PT"); }, 60000));
        QCOMPARE(cell.desk.store.map().classOf("PT"), phoneClass("T"));
        QTRY_COMPARE(cell.panel->labels()->currentIndex().row(), 0); // the next one is at hand
    }

    void aListThatIsLeftChoosesNothing() {
        EditedCell cell;
        QVERIFY(cell.combo != nullptr);
        QCOMPARE(cell.combo->currentText(), QString()); // as unknown as its label
        QCOMPARE(cell.combo->placeholderText(), QStringLiteral("unknown"));
        // What the view does when a click elsewhere takes the focus.
        auto* delegate = cell.panel->labels()->itemDelegateForColumn(LabelTable::Class);
        Q_EMIT delegate->commitData(cell.combo);
        Q_EMIT delegate->closeEditor(cell.combo);
        QTest::qWait(50);
        QVERIFY(!cell.desk.store.map().knows("PT"));
        QVERIFY(cell.desk.store.state().is_null());
    }

    void mapsAreOpenedAndSaved() {
        Desk desk;
        desk.table("one.tsv");
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        AlignmentsPanel panel(&desk.session, &desk.store);
        const auto file = desk.workshop.path() / "mine.tsv";
        desk.store.setClass(QStringLiteral("PT"), 24);
        desk.store.saveMap(file);
        desk.store.useFitting();
        QVERIFY(!desk.store.map().knows("PT"));
        desk.store.openMap(file);
        QCOMPARE(desk.store.map().classOf("PT"), std::optional(24));
        QCOMPARE(panel.mapField()->currentText(), QStringLiteral("mine.tsv"));
        QVERIFY_EXCEPTION_THROWN(desk.store.openMap(desk.workshop.text("bad.tsv", "nothing")), Error);
        QCOMPARE(desk.store.map().classOf("PT"), std::optional(24));
    }

    void aRowOffersItsPlace() {
        Desk desk;
        desk.table("one.tsv");
        QAction open(QStringLiteral("Open audio…"));
        UtterancePanel panel(desk.session.utterances(), &open);
        panel.resize(300, 400);
        panel.show();
        QVERIFY(desk.open({desk.workshop.wav("one.wav")}));
        QSignalSpy asked(&panel, &UtterancePanel::alignmentRequested);
        const QRect row = panel.view()->visualRect(panel.view()->model()->index(0, 0));
        for (int y = row.top() + 2; y < row.bottom() && asked.isEmpty(); y += 6)
            for (int x = row.left() + 4; x < row.right() && asked.isEmpty(); x += 12)
                QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, {x, y});
        QCOMPARE(asked.count(), 1);
    }

    void aListIsForEverybodyInIt() {
        Desk desk;
        QVERIFY(desk.open({desk.workshop.wav("one.wav"), desk.workshop.wav("two.wav")}));
        QVERIFY(desk.report(0) == nullptr);
        const auto list =
            desk.workshop.text("all.ctm", "one 1 0 0.2 AA\none 1 0.2 0.3 N\ntwo 1 0 0.5 IY\nthree 1 0 1 B\n");
        QVERIFY(desk.open({list}));
        QCOMPARE(desk.session.utterances()->at(0).alignment->phones.size(), std::size_t(2));
        QCOMPARE(desk.session.utterances()->at(1).alignment->phones.size(), std::size_t(1));
        QVERIFY(desk.report(0) && desk.report(1));
    }
};

HEADROOM_TEST(AlignmentsTest)

} // namespace headroom::testing::alignments_test

#include "alignments_test.moc"
