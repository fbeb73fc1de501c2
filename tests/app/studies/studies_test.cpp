// SPDX-License-Identifier: GPL-3.0-or-later
// Studies as the window knows them: found, opened, shown, asked for their places.
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/parts/row_delegate.h"
#include "app/places/place_store.h"
#include "app/settings/app_settings.h"
#include "app/studies/place_list.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_request.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/studies/study_list.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "core/runs/file_lock.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/environment.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QListView>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>

namespace headroom::testing::studies_test {

using namespace headroom::app;
using headroom::testing::makeWindowsStudy;
namespace fs = std::filesystem;

namespace {

bool isThere(StudyStore& store, const fs::path& folder, StudyItem::State state) {
    const auto isSo = [state](const StudyItem* item) { return item && item->state == state; };
    return QTest::qWaitFor([&] { return store.lookNow(), isSo(store.find(folder)); }, 60000);
}

} // namespace

class StudiesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_studies = toPath(m_folder->path());
    }

    void aFinishedStudyIsFoundAndOpens() {
        makeWindowsStudy(m_studies / "one");
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        QVERIFY(isThere(store, m_studies / "one", StudyItem::State::Finished));
        QCOMPARE(store.find(m_studies / "one")->utterances, 5);
        QSignalSpy opened(&store, &StudyStore::opened);
        store.open(m_studies / "one" / "study.json");
        QVERIFY(store.isPending());
        QVERIFY(opened.wait(60000));
        const OpenStudyPtr study = evidence.shown(StudyKind::Windows);
        QVERIFY(study);
        QCOMPARE(study->document.tables.front().rows.size(), std::size_t(3));
        QCOMPARE(study->numbers(1, "statistic").at({2, 1}), 8.0);
        QVERIFY(std::isnan(study->numbers(1, "statistic").at({3, 0})));
        QVERIFY(study->numbers(1, "nothing").isEmpty());
        QCOMPARE(evidence.shown(StudyKind::Diagonality), study); // they share a tab
        QVERIFY(!evidence.shown(StudyKind::Heads));
    }

    /// "4 of 5 utterances" says which was left out, and why.
    void aFinishedStudySaysWhatItLeftOut() {
        Study study = makeWindowsStudy(m_studies / "one");
        study.utterances[1].error = "It has no alignment.";
        writeStudy(m_studies / "one", study);
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        QVERIFY(isThere(store, m_studies / "one", StudyItem::State::Finished));
        const RowContent row = describeStudy(*store.find(m_studies / "one"));
        QCOMPARE(row.sentence, QStringLiteral("Not measured: u2: It has no alignment."));
        QCOMPARE(store.find(m_studies / "one")->notMeasured, QStringList{QStringLiteral("u2: It has no alignment.")});
        study.utterances[3].audio = "/recordings/u4.wav";
        study.utterances[3].error = "u4.wav is too short."; // which names it already
        writeStudy(m_studies / "one", study);
        QTRY_VERIFY_WITH_TIMEOUT((store.lookNow(), store.find(m_studies / "one")->sentence == "2 not measured; the first: u2: It has no alignment."), 60000);
        // The row has room for one; all of them can be read and copied.
        Session session;
        AppSettings settings(m_folder->filePath(QStringLiteral("settings.ini")));
        QAction newStudy;
        PlaceStore places;
        DeviceList devices;
        StudyPanel panel({&session, &store, &settings, &places, &devices}, &newStudy);
        panel.setCurrent(m_studies / "one");
        const QString all = QStringLiteral("u2: It has no alignment.\nu4.wav is too short.");
        QCOMPARE(panel.list()->currentIndex().data(Qt::ToolTipRole).toString(),
                 QStringLiteral("one\n") + QString::fromStdString((m_studies / "one").string()) + QStringLiteral("\nNot measured:\n") + all);
        auto* copy = panel.findChild<QAction*>(QStringLiteral("copyLeftOut"));
        QVERIFY(copy && copy->isEnabled());
        copy->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), all);
        QStringList many;
        for (int line = 0; line < 50; ++line)
            many << QString::number(line);
        QVERIFY(notMeasuredText(many).endsWith(QStringLiteral("\n19\nand 30 more")));
    }

    void aTextThatWasLeftOutIsCalledByItsWords() {
        Study study = makeWindowsStudy(m_studies / "one");
        for (std::size_t i : {1, 2}) {
            study.utterances[i].id = "text " + std::to_string(i + 1);
            study.utterances[i].text = "we see";
        }
        study.utterances[1].error = "text 2 (2 words) is shorter than 3 words.";
        study.utterances[2].error = "It has no phones.";
        writeStudy(m_studies / "one", study);
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        QVERIFY(isThere(store, m_studies / "one", StudyItem::State::Finished));
        QCOMPARE(store.find(m_studies / "one")->notMeasured,
                 (QStringList{QStringLiteral("“we see” (2 words) is shorter than 3 words."), QStringLiteral("“we see”: It has no phones.")}));
    }

    /// A study in which nothing could be measured is the one whose reasons are wanted most.
    void aFailedStudyListsWhatItCouldNotMeasure() {
        Study study = makeWindowsStudy(m_studies / "one");
        study.state = RunState::Failed;
        study.error = "None of the utterances could be measured.";
        for (StudyUtterance& utterance : study.utterances) {
            utterance.id = "/recordings/" + utterance.id + ".wav"; // as where two have one name
            utterance.audio = utterance.id;
            utterance.error = fs::path(utterance.id).filename().string() + " is too long.";
        }
        writeStudy(m_studies / "one", study);
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        QVERIFY(isThere(store, m_studies / "one", StudyItem::State::Failed));
        QCOMPARE(store.find(m_studies / "one")->sentence, QStringLiteral("None of the utterances could be measured."));
        QCOMPARE(store.find(m_studies / "one")->notMeasured.size(), qsizetype(5));
        QCOMPARE(store.find(m_studies / "one")->notMeasured.front(), QStringLiteral("/recordings/u1.wav is too long."));
    }

    void aStudyOfANewerVersionIsSaidInASentence() {
        makeWindowsStudy(m_studies / "new");
        std::ifstream in(StudyPaths{m_studies / "new"}.study());
        std::string text((std::istreambuf_iterator<char>(in)), {});
        const auto at = text.find("\"version\": 1");
        QVERIFY(at != std::string::npos);
        text.replace(at, 12, "\"version\": 99");
        std::ofstream(StudyPaths{m_studies / "new"}.study()) << text;
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        QVERIFY(isThere(store, m_studies / "new", StudyItem::State::Unreadable));
        QVERIFY(!store.find(m_studies / "new")->sentence.isEmpty());
        QSignalSpy failed(&store, &StudyStore::openFailed);
        store.open(m_studies / "new");
        QVERIFY(failed.wait(60000));
        QVERIFY(!evidence.shown(StudyKind::Windows));
    }

    void aStudyIsRenamedWithItsFolder() {
        makeWindowsStudy(m_studies / "before");
        makeWindowsStudy(m_studies / "taken");
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        store.open(m_studies / "before");
        QTRY_VERIFY_WITH_TIMEOUT(evidence.shown(StudyKind::Windows), 60000);
        QVERIFY(!store.rename(m_studies / "before", QStringLiteral("taken")).isEmpty());
        QVERIFY(store.rename(m_studies / "before", QStringLiteral("a/b")).contains(QStringLiteral("cannot contain a “/”")));
        QCOMPARE(store.rename(m_studies / "before", QStringLiteral("layer 6: 29 → 19")), QString());
        const auto renamed = m_studies / "layer 6: 29 → 19";
        QVERIFY(isThere(store, renamed, StudyItem::State::Finished));
        QVERIFY(!store.find(m_studies / "before"));
        QTRY_VERIFY_WITH_TIMEOUT(evidence.shown(StudyKind::Windows) && evidence.shown(StudyKind::Windows)->folder == renamed, 60000);
    }

    void aDeletedStudyComesBackWithUndo() {
        widgets::Theme::apply(QStringLiteral("light"));
        // The wastebasket of the desktop's standard lies in the user's data folder.
        const ChangedVariable home("HOME", m_folder->path().toLocal8Bit());
        const ChangedVariable data("XDG_DATA_HOME", m_folder->filePath(QStringLiteral("data")).toLocal8Bit());
        const auto folder = m_studies / "gone";
        makeWindowsStudy(folder);
        Session session;
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        AppSettings settings(m_folder->filePath(QStringLiteral("settings.ini")));
        QAction newStudy;
        PlaceStore places;
        DeviceList devices;
        StudyPanel panel({&session, &store, &settings, &places, &devices}, &newStudy);
        QVERIFY(isThere(store, folder, StudyItem::State::Finished));
        store.open(folder);
        QVERIFY(QTest::qWaitFor([&] { return evidence.shown(StudyKind::Windows) != nullptr; }, 60000));
        panel.setCurrent(folder);
        QCOMPARE(panel.current(), folder);
        session.messages()->post(Severity::Info, QStringLiteral("Finished"), QStringLiteral("Open"), [] {}, {StudyPanel::causeOf(folder)});
        for (QAction* action : panel.list()->actions())
            if (action->shortcut() == QKeySequence::Delete)
                action->trigger();
        const fs::path basket = m_studies / "data" / "Trash";
        QVERIFY(!fs::exists(folder) && fs::exists(basket / "files" / "gone" / "study.json"));
        QVERIFY(!evidence.shown(StudyKind::Windows));
        QCOMPARE(session.messages()->rowCount(), 1);
        QCOMPARE(session.messages()->at(0).sentence, QStringLiteral("Moved the study “gone” to the wastebasket."));
        QCOMPARE(session.messages()->at(0).actionText, QStringLiteral("Undo"));
        session.messages()->trigger(0);
        QCOMPARE(session.messages()->rowCount(), 0); // nothing is left to bring back
        QVERIFY(fs::exists(folder / "study.json") && !fs::exists(basket / "info" / "gone.trashinfo"));
        QVERIFY(isThere(store, folder, StudyItem::State::Finished));
        // A tab shows it again, as before.
        QVERIFY(QTest::qWaitFor([&] { return evidence.shown(StudyKind::Windows) != nullptr; }, 60000));
    }

    /// Names stood bare in some sentences and in quotation marks in their neighbours.
    void sentencesQuoteTheNameOfAStudy() {
        makeWindowsStudy(m_studies / "the one");
        makeWindowsStudy(m_studies / "the other");
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        QCOMPARE(store.rename(m_studies / "the one", QStringLiteral("the other")), QStringLiteral("A study named “the other” already exists."));
        const auto lock = FileLock::tryTake(StudyPaths{m_studies / "the one"}.lock(), "test");
        QVERIFY(lock);
        const QString running = QStringLiteral("The study “the one” is still running. Cancel it first.");
        QCOMPARE(store.rename(m_studies / "the one", QStringLiteral("another")), running);
        QCOMPARE(store.moveToWastebasket(m_studies / "the one"), running);
    }

    void aRunningStudyIsFollowedAndAskedToStop() {
        Study study = makeWindowsStudy(m_studies / "runs");
        study.state = RunState::Running;
        writeStudy(m_studies / "runs", study);
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        QVERIFY(isThere(store, m_studies / "runs", StudyItem::State::Interrupted)); // nobody holds the lock
        {
            const auto lock = FileLock::tryTake(StudyPaths{m_studies / "runs"}.lock(), "test");
            QVERIFY(lock);
            writeStudyProgress(m_studies / "runs", {3, 10, "Measuring made", 7, 1});
            QVERIFY(isThere(store, m_studies / "runs", StudyItem::State::Running));
            const auto done = [&] { return store.lookNow(), store.find(m_studies / "runs")->progress.done; };
            QTRY_COMPARE_WITH_TIMEOUT(done(), std::int64_t(3), 60000); // a look may have come before it was written
            QVERIFY(!store.moveToWastebasket(m_studies / "runs").isEmpty());
            QVERIFY(store.stop(m_studies / "runs").isEmpty());
            QVERIFY(studyWasAskedToStop(m_studies / "runs"));
            QVERIFY(isThere(store, m_studies / "runs", StudyItem::State::Stopping));
        }
        QSignalSpy ended(&store, &StudyStore::ended);
        study.state = RunState::Stopped;
        writeStudy(m_studies / "runs", study);
        QVERIFY(isThere(store, m_studies / "runs", StudyItem::State::Stopped));
        QCOMPARE(ended.count(), 1);
        QVERIFY(store.find(m_studies / "runs")->canResume());
    }

    void openingAThousandUtterancesDoesNotHoldTheWindow() {
        makeWindowsStudy(m_studies / "large", 12, 1000);
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        QSignalSpy opened(&store, &StudyStore::opened);
        store.open(m_studies / "large");
        QVERIFY(!evidence.shown(StudyKind::Windows)); // read elsewhere
        QVERIFY(opened.wait(60000));
        QCOMPARE(evidence.shown(StudyKind::Windows)->document.utterances.size(), std::size_t(1000));
    }

    void theModelThatIsShownIsTheSessionsWhereItIsInTheStudy() {
        Study document = makeWindowsStudy(m_studies / "one");
        document.models.push_back(document.models.front());
        document.models.back().name = "other";
        document.models.back().folder = "/models/other";
        document.models.back().weightsHash = std::string(64, 'b');
        writeStudy(m_studies / "one", document);
        StudyEvidence evidence;
        const OpenStudyPtr study = openStudy(m_studies / "one");
        evidence.add(study);
        QCOMPARE(evidence.model(*study), 1);
        QSignalSpy shown(&evidence, &StudyEvidence::shownChanged);
        evidence.setCurrentModel("/models/other", {});
        QCOMPARE(evidence.model(*study), 2);
        QCOMPARE(shown.count(), 1);
        evidence.setCurrentModel("/somewhere/else", std::string(64, 'b')); // moved, the same weights
        QCOMPARE(evidence.model(*study), 2);
        evidence.showLive(StudyKind::Windows);
        QVERIFY(!evidence.shown(StudyKind::Windows));
        QCOMPARE(evidence.choices(StudyKind::Diagonality).size(), std::size_t(1));
        evidence.close(study->folder);
        QVERIFY(evidence.choices(StudyKind::Windows).empty());
    }

    void placesComeStrongestFirstAndSayWhatIsMissing() {
        makeWindowsStudy(m_studies / "one");
        PlacesQuery query = placesOfLayer(m_studies / "one", 2);
        const PlaceList list = readPlaces(query);
        QVERIFY2(list.sentence.isEmpty(), qPrintable(list.sentence));
        QCOMPARE(list.rows.size(), std::size_t(2)); // of five, so many are kept
        QVERIFY(list.rows[0].place.value > list.rows[1].place.value);
        QCOMPARE(list.rows[0].utterance, QStringLiteral("u5"));
        QVERIFY(list.rows[0].isMissing);
        query.index = {7};
        QVERIFY(!readPlaces(query).sentence.isEmpty());
        fs::remove(StudyPaths{m_studies / "one"}.places());
        query.index = {1};
        QVERIFY(readPlaces(query).rows.empty());
        QVERIFY(readPlaces(query).sentence.contains(QStringLiteral("places.npz")));
    }

    void aProcessThatCannotBeginSaysWhy() {
        qputenv("HEADROOM_WORKER", "/nowhere/headroom-worker");
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        StudyRequest request;
        request.models = {"/m"};
        request.folder = m_studies / "never";
        QVERIFY(!store.start(request).isEmpty());
        qunsetenv("HEADROOM_WORKER");
    }

    void theListSaysHowManyUtterancesWereMeasured() {
        const auto folder = m_studies / "some";
        auto study = makeWindowsStudy(folder);
        const auto line = [&] { return describeStudy(lookAtStudies(m_studies, {}, {}, nullptr)->items.at(0)).second; };
        QVERIFY2(line().contains(QStringLiteral("5 utterances")) && !line().contains(QStringLiteral(" of ")), qPrintable(line()));
        study.utterances[0].error = "It is shorter than a frame.";
        writeStudy(folder, study);
        QVERIFY2(line().contains(QStringLiteral("4 of 5 utterances")), qPrintable(line()));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_studies;
};

HEADROOM_TEST(StudiesTest)

} // namespace headroom::testing::studies_test

#include "studies_test.moc"
