// SPDX-License-Identifier: GPL-3.0-or-later
// A study from the window: run, cancelled, resumed, finished, found at the next start, and from a number to
// the place in a recording that is heard.
#include "app/alignments/alignment_store.h"
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "app/workspaces/analyse/studies/place_opener.h"
#include "app/workspaces/analyse/studies/places_model.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "app/workspaces/analyse/windows/study_windows.h"
#include "app/workspaces/analyse/windows/windows_controller.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "app/workspaces/design/design_workspace.h"
#include "core/alignment/phones.h"
#include "core/alignment/text_grid.h"
#include "tests/app/studies/made_study.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/phone_matrix/phone_matrix_view.h"
#include "widgets/study_plots/histogram_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QAction>
#include <QComboBox>
#include <QListView>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTabWidget>
#include <QTest>

#include <cmath>
#include <set>

namespace headroom::testing::study_test {

using namespace headroom::app;
using headroom::testing::Story;
namespace fs = std::filesystem;

class StudyStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("HEADROOM_STUDIES", m_folder.filePath(QStringLiteral("studies")).toLocal8Bit());
        // What is measured is kept in the user's cache: here it must be measured.
        qputenv("XDG_CACHE_HOME", m_folder.filePath(QStringLiteral("cache")).toLocal8Bit());
        Story story; // names the worker
        QProcess worker;
        worker.start(qEnvironmentVariable("HEADROOM_WORKER"),
                     {"corpus", "demo", "--out", m_folder.filePath("corpus"), "--minutes", "8"});
        if (!worker.waitForFinished(240000) || worker.exitCode() != 0)
            QSKIP(qPrintable("No demo corpus: " + QString::fromUtf8(worker.readAllStandardError())));
    }

    void aStudyRunsIsCancelledAndGoesOn() {
        Story story;
        StudyPanel* panel = story.part<StudyPanel>();
        StudyStore* store = story.window().studies();
        store->setPeriod(50);
        story.window().actions().newStudy->trigger();
        QVERIFY(panel->showsForm());
        QVERIFY(!panel->form()->request());
        QVERIFY2(panel->form()->reason().contains(QStringLiteral("Tick at least one model")),
                 qPrintable(panel->form()->reason()));
        QVERIFY(story.openAndWait({Story::model()}));
        fill(panel->form());
        QVERIFY2(panel->form()->request(), qPrintable(panel->form()->reason()));
        QVERIFY(panel->form()->command().startsWith(QStringLiteral("headroom-worker study windows")));
        panel->form()->findChild<QPushButton*>(QStringLiteral("runStudy"))->click();
        QVERIFY(!panel->showsForm());
        const fs::path folder = store->folder() / "first";
        const auto state = [&] {
            const StudyItem* item = store->find(folder);
            return item ? item->state : StudyItem::State::Unreadable;
        };
        QVERIFY2(QTest::qWaitFor([&] { return state() == StudyItem::State::Running; }, 60000),
                 qPrintable(story.messages()));
        panel->setCurrent(folder);
        // A fast machine may be done before it can be cancelled.
        if (store->find(folder)->runs()) {
            panel->findChild<QPushButton*>(QStringLiteral("cancelStudy"))->click();
            QVERIFY(QTest::qWaitFor([&] { return !store->find(folder)->runs(); }, 120000));
            const bool stopped = state() == StudyItem::State::Stopped;
            QVERIFY2(stopped || state() == StudyItem::State::Finished,
                     qPrintable(store->find(folder)->sentence));
            panel->setCurrent(folder);
            if (stopped)
                panel->findChild<QPushButton*>(QStringLiteral("resumeStudy"))->click();
        }
        QVERIFY(QTest::qWaitFor([&] { return state() == StudyItem::State::Finished; }, 240000));
        QVERIFY(story.messages().contains(QStringLiteral("“first” has finished")));
    }

    /// Labels that no included map knows are given classes in the window: a study of the open utterances left them out.
    void aStudyOfOpenUtterancesUsesTheMapEditedHere() {
        Story story;
        const fs::path demo = toPath(Story::model()).parent_path(), sound = toPath(story.path(QStringLiteral("mary.wav")));
        fs::copy_file(demo / "demo.wav", sound);
        TextGrid grid = readTextGrid(demo / "demo.TextGrid");
        std::set<std::string> labels;
        for (Tier& tier : grid.tiers)
            for (Interval& interval : tier.intervals)
                if (tier.name == "phones" && phoneClass(interval.label) && !isSilence(interval.label)) {
                    labels.insert(interval.label);
                    interval.label = "x" + interval.label + "x";
                }
        writeTextGrid(fs::path(sound).replace_extension(".TextGrid"), grid);
        QVERIFY(story.openAndWait({Story::model(), toQString(sound)}));
        auto* alignments = story.part<AlignmentStore>();
        for (const std::string& label : labels)
            alignments->setClass(QString::fromStdString("x" + label + "x"), phoneClass(label));
        StudyForm* form = story.part<StudyPanel>()->form();
        story.window().actions().newStudy->trigger();
        form->setKind(StudyKind::Phones);
        form->setName(QStringLiteral("edited"));
        QVERIFY2(QTest::qWaitFor([form] { return form->request().has_value(); }, 60000), qPrintable(form->reason()));
        StudyStore* store = story.window().studies();
        store->setPeriod(50);
        form->findChild<QPushButton*>(QStringLiteral("runStudy"))->click();
        const fs::path folder = store->folder() / "edited";
        QVERIFY(QTest::qWaitFor([&] { return store->find(folder) && !store->find(folder)->runs(); }, 240000));
        QVERIFY2(store->find(folder)->state == StudyItem::State::Finished, qPrintable(store->find(folder)->sentence));
        QCOMPARE(store->find(folder)->measured, 1);
        QVERIFY(PhoneMap::read(folder / "phones.tsv") == alignments->map());
    }

    void itIsThereAtTheNextStartAndANumberLeadsToASound() {
        qputenv("HEADROOM_AUDIO", "file:");
        Story story;
        QVERIFY(story.openAndWait({Story::model()}));
        StudyStore* store = story.window().studies();
        AnalyseWorkspace* analyse = story.window().analyse();
        const fs::path folder = store->folder() / "first";
        QVERIFY(QTest::qWaitFor([&] { return store->find(folder) != nullptr; }, 60000));
        story.window().actions().showStudies->trigger();
        story.part<StudyPanel>()->setCurrent(folder);
        QSignalSpy opened(store, &StudyStore::opened);
        story.part<StudyPanel>()->findChild<QPushButton*>(QStringLiteral("openStudy"))->click();
        QVERIFY(opened.wait(60000));
        const OpenStudyPtr study = story.window().evidence()->shown(StudyKind::Windows);
        QVERIFY(study);
        WindowsPanel* windows = story.part<WindowsPanel>();
        QVERIFY(windows->showsStudy());
        QCOMPARE(windows->study()->table()->shownRows(), 8);
        QVERIFY(windows->study()->histogram()->barCount() > 0);

        // From the number to the list of places.
        auto* table = windows->study()->table();
        const QRect cell = table->visualRect(table->model()->index(4, 1));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier, cell.center());
        PlacesPanel* places = story.part<PlacesPanel>();
        QVERIFY(QTest::qWaitFor([&] { return places->places()->rowCount() > 0; }, 60000));
        QVERIFY(places->isVisible());
        QCOMPARE(story.session().currentLayer(), 5);
        for (int row = 1; row < places->places()->rowCount(); ++row)
            QVERIFY(places->places()->at(row - 1).place.value >= places->places()->at(row).place.value);

        // From a place to its sound.
        story.session().setCurrentLayer(1);
        const PlaceRow place = places->places()->at(0);
        QVERIFY(!place.isMissing);
        std::vector<double> heard;
        widgets::TimeAxis* axis = analyse->axis();
        places->table()->setCurrentIndex(places->table()->model()->index(0, 0));
        places->table()->setFocus();
        QTest::keyClick(places->table(), Qt::Key_Return);
        QVERIFY2(QTest::qWaitFor([&] { return story.part<SoundTransport>()->isPlaying(); }, 60000),
                 qPrintable(story.messages()));
        connect(axis, &widgets::TimeAxis::cursorChanged, this, [&] {
            if (story.part<SoundTransport>()->isPlaying())
                heard.push_back(axis->cursor()->value());
        });
        const auto* utterance = story.session().currentUtterance();
        QVERIFY(utterance);
        std::error_code ignored;
        QVERIFY(fs::equivalent(utterance->file, place.audio, ignored));
        QCOMPARE(story.session().currentLayer(), 5);
        QVERIFY(story.session().mapSource().kind == MapSource::Kind::Contributions);
        const auto span = axis->selection();
        QVERIFY(span);
        QVERIFY(span->start.value() <= std::min(place.place.query, place.place.key));
        QVERIFY(span->end.value() >= std::max(place.place.query, place.place.key));
        QVERIFY(QTest::qWaitFor([&] { return !story.part<SoundTransport>()->isPlaying(); }, 60000));
        qunsetenv("HEADROOM_AUDIO");
        QVERIFY(!heard.empty());
        QVERIFY(heard.front() >= span->start.value() - 1e-6);
        QVERIFY(heard.back() <= span->end.value() + 1e-6);
        // Both tokens are marked again.
        QCOMPARE(axis->cursor()->value(), place.place.query);
        QCOMPARE(axis->pointer()->value(), place.place.key);
        QVERIFY(story.quiet());
    }

    /// The buttons below the list were for another study than the one that is shown.
    void theStudyThatIsOpenedIsChosenInTheList() {
        Story story;
        StudyStore* store = story.window().studies();
        makeWindowsStudy(store->folder() / "second");
        const auto* panel = story.part<StudyPanel>();
        for (const char* name : {"first", "second", "first"}) {
            const fs::path folder = store->folder() / name;
            QVERIFY(QTest::qWaitFor([&] { return store->find(folder) != nullptr; }, 60000));
            store->open(folder);
            QTRY_COMPARE_WITH_TIMEOUT(panel->current(), folder, 60000);
        }
        fs::remove_all(store->folder() / "second");
    }

    void theStudysWindowsGoIntoTheDraftAsOneStep() {
        Story story;
        QVERIFY(story.openAndWait({Story::model(), story.utterance("one")}));
        StudyStore* store = story.window().studies();
        store->open(store->folder() / "first");
        WindowsPanel* windows = story.part<WindowsPanel>();
        QVERIFY(QTest::qWaitFor([&] { return windows->showsStudy(); }, 60000));
        const auto wanted = story.window().analyse()->findChild<WindowsController*>()->suggestions();
        QCOMPARE(wanted.size(), std::size_t(8));
        const int before = story.session().undoStack()->count();
        story.window().actions().suggestedWindows->trigger();
        QCOMPARE(story.session().undoStack()->count(), before + 1);
        for (int layer = 1; layer <= 8; ++layer)
            QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, layer).value_or(0),
                     wanted[std::size_t(layer - 1)].value_or(0));
        story.session().undoStack()->undo();
        // Design suggests what Analyse suggests.
        story.window().findChild<DesignWorkspace*>()->useSuggestedWindows();
        for (int layer = 1; layer <= 8; ++layer)
            QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, layer).value_or(0),
                     wanted[std::size_t(layer - 1)].value_or(0));
        story.session().undoStack()->undo();
    }

    void aCellOfPhonesLeadsToAHeadAndASound() {
        const QString folder = m_folder.filePath(QStringLiteral("studies/phones"));
        QProcess worker;
        worker.start(qEnvironmentVariable("HEADROOM_WORKER"),
                     {"study", "phones", "--model", Story::model(), "--data", m_folder.filePath("corpus"),
                      "--utterances", "12", "--split", "test", "--out", folder});
        QVERIFY(worker.waitForFinished(240000));
        QVERIFY2(worker.exitCode() == 0, worker.readAllStandardError().constData());
        qputenv("HEADROOM_AUDIO", "file:");
        Story story;
        story.window().sessionActions()->openFiles({Story::model(), folder}); // as from the command line
        QVERIFY2(
            QTest::qWaitFor([&] { return !!story.window().evidence()->shown(StudyKind::Phones); }, 60000),
            qPrintable(story.messages()));
        QVERIFY(story.quiet());
        AnalyseWorkspace* analyse = story.window().analyse();
        auto* map = analyse->findChild<widgets::PhoneMatrixView*>();
        QVERIFY(map);
        auto* tabs = story.part<QTabWidget>("analysisTabs");
        for (int tab = 0; tab < tabs->count(); ++tab)
            if (tabs->widget(tab)->isAncestorOf(map))
                tabs->setCurrentIndex(tab);
        QVERIFY(QTest::qWaitFor([&] { return !map->map().par.empty(); }, 60000));
        const auto& par = map->map().par;
        std::optional<widgets::PhonePair> pair;
        for (int p = 0; p < kPhoneClassCount && !pair; ++p)
            for (int q = 0; q < kPhoneClassCount && !pair; ++q)
                if (p != q && std::isfinite(par(std::size_t(p), std::size_t(q))))
                    pair = widgets::PhonePair{p, q};
        QVERIFY(pair);
        QTest::mouseClick(map, Qt::LeftButton, {}, map->cellRect(*pair).center().toPoint());
        PlacesPanel* places = story.part<PlacesPanel>();
        QVERIFY(QTest::qWaitFor([&] { return places->places()->rowCount() > 0; }, 60000));
        const PlaceRow place = places->places()->at(0);
        QCOMPARE(phoneClass(place.queryPhone.toStdString()), std::optional<int>(pair->attending));
        QCOMPARE(phoneClass(place.keyPhone.toStdString()), std::optional<int>(pair->attended));
        QTest::mouseClick(places->table()->viewport(), Qt::LeftButton, {},
                          places->table()->visualRect(places->table()->model()->index(0, 1)).center());
        QVERIFY2(QTest::qWaitFor([&] { return story.part<SoundTransport>()->isPlaying(); }, 60000),
                 qPrintable(story.messages()));
        QCOMPARE(story.session().currentLayer(), places->places()->list().query.layer);
        QVERIFY(story.session().mapSource().kind == MapSource::Kind::Head);
        QCOMPARE(story.session().mapSource().head, places->places()->list().query.head);
        const auto span = analyse->axis()->selection();
        QVERIFY(span && span->start.value() <= place.place.query && place.place.query <= span->end.value());
        qunsetenv("HEADROOM_AUDIO");
    }

    void aMissingRecordingIsSaidAndNothingElseHappens() {
        Story story;
        QVERIFY(story.openAndWait({Story::model(), story.utterance("one")}));
        const UtteranceId current = story.session().currentUtteranceId();
        AnalyseWorkspace* analyse = story.window().analyse();
        PlaceOpener opener(&story.session(), analyse->axis(), story.part<SoundTransport>());
        QSignalSpy failed(&opener, &PlaceOpener::failed);
        PlaceRow place;
        place.audio = "/nowhere/gone.wav";
        place.isMissing = true;
        opener.open(place, {});
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.front().front().toString().contains(QStringLiteral("gone.wav")));
        QCOMPARE(story.session().currentUtteranceId(), current);
        QCOMPARE(story.session().utterances()->count(), 1);
    }

private:
    void fill(StudyForm* form) {
        form->setKind(StudyKind::Windows);
        form->setData(toPath(m_folder.filePath(QStringLiteral("corpus"))));
        form->setUtterances(400);
        form->setName(QStringLiteral("first"));
        QVERIFY(QTest::qWaitFor([form] { return form->request().has_value(); }, 60000));
        // The largest split: long enough to be cancelled.
        form->findChild<QComboBox*>(QStringLiteral("studySplit"))->setCurrentText(QStringLiteral("train"));
        QVERIFY(QTest::qWaitFor(
            [form] { return form->command().contains(QStringLiteral("--split train")); }, 60000));
    }

    QTemporaryDir m_folder;
};

HEADROOM_TEST(StudyStory)

} // namespace headroom::testing::study_test

#include "study_test.moc"
