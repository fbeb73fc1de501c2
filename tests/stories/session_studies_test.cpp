// SPDX-License-Identifier: GPL-3.0-or-later
// Studies that are open belong to the session, through New session, the demo, saving, and the next start.
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/studies/places_model.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "app/workspaces/analyse/studies/probe_panel.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "core/tensors/sha256.h"
#include "tests/app/documents/located.h"
#include "tests/app/studies/made_study.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/study_plots/spread_plot.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QTabWidget>
#include <QTest>

#include <optional>

namespace headroom::testing::session_studies_test {

using namespace headroom::app;
using headroom::testing::Story;
namespace fs = std::filesystem;

class SessionStudiesStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("HEADROOM_STUDIES", m_studies.path().toLocal8Bit());
        for (const char* name : {"one", "two"})
            makeWindowsStudy(toPath(m_studies.path()) / name);
    }
    void cleanupTestCase() { qunsetenv("HEADROOM_STUDIES"); }

    void eachSessionHasItsOwn() {
        const auto home = std::make_shared<QTemporaryDir>();
        const QString named = home->filePath(QStringLiteral("named.headroom"));
        {
            Story story(home);
            QVERIFY(story.openAndWait({Story::model()}));
            show(story, "one");
            evidence(story)->requestPlaces({evidence(story)->shown(StudyKind::Windows), 1, "layer", {0}, "Layer 1", "CL"});
            QVERIFY(story.quiet());
            auto* places = story.part<PlacesPanel>();
            QVERIFY(!places->headline().isEmpty());
            story.answers().file = named;
            story.window().actions().saveSessionAs->trigger();
            story.window().actions().newSession->trigger();
            QCOMPARE(shown(story), QString());
            QVERIFY(evidence(story)->open().empty());
            QVERIFY(places->headline().isEmpty());
            story.window().actions().openDemo->trigger();
            QVERIFY(story.quiet());
            QCOMPARE(shown(story), QString());
            show(story, "two");
            QVERIFY(story.session().isModified()); // and is asked for, as for a model
            story.window().sessionActions()->openSession(named);
            QVERIFY(story.quiet());
            QCOMPARE(shown(story), QStringLiteral("one"));
            QVERIFY(!story.session().isModified());
            QVERIFY(story.window().close());
        }
        Story next(home);
        next.window().sessionActions()->start({});
        QVERIFY(next.quiet());
        QCOMPARE(toQString(next.session().folder()), named);
        QCOMPARE(shown(next), QStringLiteral("one"));
    }

    /// The list of places named the old folder until one clicked a number again, and then too.
    void placesAreFoundAgainWithTheRecordingThatWasLocated() {
        Story story;
        const fs::path before = toPath(story.path(QStringLiteral("before"))), after = toPath(story.path(QStringLiteral("after"))),
                       folder = toPath(m_studies.path()) / "located";
        fs::create_directories(before);
        const fs::path sound = before / "talk.wav";
        fs::copy_file(toPath(story.utterance(QStringLiteral("talk"))), sound);
        Study study = makeWindowsStudy(folder, 3, 2, sound);
        for (StudyUtterance& utterance : study.utterances)
            utterance.hash = sha256OfFile(sound);
        writeStudy(folder, study);
        QVERIFY(story.openAndWait({toQString(sound)}));
        story.session().saveAs(toPath(story.path(QStringLiteral("moved"))));
        fs::rename(before, after);
        story.window().sessionActions()->openSession(story.path(QStringLiteral("moved.headroom")));
        QVERIFY(story.quiet());
        story.window().studies()->open(folder);
        QVERIFY(story.quiet());
        evidence(story)->requestPlaces({evidence(story)->shown(StudyKind::Windows), 1, "layer", {0}, "Layer 1", "CL"});
        QVERIFY(story.quiet());
        const auto* places = story.part<PlacesPanel>()->places();
        QVERIFY(places->at(0).isMissing);
        locateMissing(&story.session(), story.session().currentUtteranceId(), after);
        QVERIFY(story.quiet());
        QTRY_VERIFY_WITH_TIMEOUT(!places->at(0).isMissing, 60000);
        QCOMPARE(places->at(0).audio, fs::canonical(after / "talk.wav"));
    }

    /// Nobody saved it: it is kept with the session that has no name.
    void theDemoIsFoundAgainWithItsStudy() {
        const auto home = std::make_shared<QTemporaryDir>();
        {
            Story story(home);
            story.window().actions().openDemo->trigger();
            QVERIFY(story.quiet());
            show(story, "two");
            QVERIFY(story.window().close());
        }
        Story next(home);
        next.window().sessionActions()->start({});
        QVERIFY(next.quiet());
        QCOMPARE(next.session().name(), QStringLiteral("Demo session"));
        QCOMPARE(shown(next), QStringLiteral("two"));
    }

    /// At first it is the current one; the input of layer 1 is a layer of the probe alone.
    void theLayerOfTheProbeIsFoundAgain() {
        const fs::path probe = toPath(m_studies.path()) / "probe";
        Study study = makeWindowsStudy(probe);
        study.kind = StudyKind::Probe;
        writeStudy(probe, study);
        NpzWriter results(StudyPaths{probe}.results());
        results.add("1.accuracy", Tensor::of<double>({4, 1}, std::vector{0.5, 0.6, 0.7, 0.8}).view());
        results.close();
        const auto home = std::make_shared<QTemporaryDir>();
        for (const int layer : {0, 2}) {
            {
                Story story(home);
                story.window().actions().openDemo->trigger();
                QVERIFY(story.quiet());
                story.session().setCurrentLayer(1);
                story.window().studies()->open(probe);
                QVERIFY(story.quiet());
                QCOMPARE(story.part<ProbePanel>()->layer(), 1);
                story.part<ProbePanel>()->choose(layer);
                story.part<ProbePanel>()->setShowsTable(layer == 2);
                story.part<ProbePanel>()->filterField()->setText(QStringLiteral("2"));
                QVERIFY(story.quiet());
                QVERIFY(story.window().close());
            }
            Story next(home);
            next.window().sessionActions()->start({});
            QVERIFY(next.quiet());
            QCOMPARE(next.part<ProbePanel>()->layer(), layer);
            QCOMPARE(next.part<ProbePanel>()->showsTable(), layer == 2);
            QCOMPARE(next.part<ProbePanel>()->filterField()->text(), QStringLiteral("2"));
        }
    }

    /// The list was lower after each form; the layers kept the height of a form that was closed with its panel.
    void aFormGivesBackItsRoomHoweverItIsClosed() {
        Story story;
        story.window().actions().openDemo->trigger();
        QVERIFY(story.quiet());
        auto* panel = story.part<StudyPanel>();
        QDockWidget *studies = story.part<QDockWidget>("studies"), *layers = story.part<QDockWidget>("layers");
        const auto laidOut = [] { QTest::qWait(50); };
        const int ofLayers = layers->height();
        story.window().actions().showStudies->trigger();
        laidOut();
        const int ofList = studies->height();
        for (int time = 0; time < 3; ++time) {
            story.window().actions().newStudy->trigger();
            laidOut();
            QVERIFY2(studies->height() > ofList, qPrintable(QString::number(studies->height())));
            Q_EMIT panel->form()->closed();
            laidOut();
            QCOMPARE(studies->height(), ofList);
        }
        story.window().actions().newStudy->trigger();
        laidOut();
        const int ofForm = studies->height();
        studies->close();
        laidOut();
        QCOMPARE(layers->height(), ofLayers);
        studies->toggleViewAction()->trigger(); // it still has the form
        laidOut();
        QVERIFY(panel->showsForm());
        QCOMPARE(studies->height(), ofForm);
        Q_EMIT panel->form()->closed();
        studies->close();
        laidOut();
        QCOMPARE(layers->height(), ofLayers);
    }

    /// In each tab whose plot is over layers: the one that is clicked is the one of the map, and the other way round.
    void thePlotsOverLayersFollowTheMap() {
        Story story;
        story.window().actions().openDemo->trigger();
        QVERIFY(story.quiet());
        auto study = std::make_shared<OpenStudy>();
        study->document.models.push_back({"demo", "", "", "", 8, 4, false, 0, 0});
        study->document.settings = {{"measures", "attention,alti"}};
        StudyTable table{"mixing-ranks", "Ranks", "", {{"model", "Model", "", 0, true}, {"layer", "Layer", "", 0, false}, {"rho_mean", "ρ", "", 3, false}}, {}};
        for (int layer = 1; layer <= 8; ++layer)
            table.rows.push_back({std::string("demo"), double(layer), 0.1 * layer});
        study->document.tables = {table};
        study->arrays["1.accuracy"] = Tensor::of<double>({9, 1}, std::vector<double>(9, 0.5));
        for (const auto& [kind, tab] : {std::pair(StudyKind::Mixing, "mixingTab"), std::pair(StudyKind::Probe, "probeTab")}) {
            auto one = std::make_shared<OpenStudy>(*study);
            one->folder = std::string("/studies/") + tab;
            one->document.kind = kind;
            story.session().setCurrentLayer(4);
            evidence(story)->add(one);
            auto* tabs = story.part<QTabWidget>("analysisTabs");
            auto* page = story.part<QWidget>(tab);
            tabs->setCurrentWidget(page);
            QCoreApplication::processEvents();
            auto* plot = page->findChild<widgets::SpreadPlot*>();
            QCOMPARE(plot->current(), std::optional(4.0)); // also of a study that was opened just now
            QTest::mouseClick(plot, Qt::LeftButton, {}, QPoint(plot->width() - 8, 20));
            QCOMPARE(story.session().currentLayer(), 8);
            QCOMPARE(plot->current(), std::optional(8.0));
            story.session().setCurrentLayer(2);
            QCOMPARE(plot->current(), std::optional(2.0));
        }
    }

private:
    void show(Story& story, const char* name) {
        story.window().studies()->open(toPath(m_studies.path()) / name);
        QVERIFY(story.quiet());
        QCOMPARE(shown(story), QString::fromLatin1(name));
    }
    static StudyEvidence* evidence(Story& story) { return story.window().findChild<StudyEvidence*>(); }
    static QString shown(Story& story) {
        const OpenStudyPtr study = evidence(story)->shown(StudyKind::Windows);
        return study ? toQString(study->folder.filename()) : QString();
    }

    QTemporaryDir m_studies;
};

HEADROOM_TEST(SessionStudiesStory)

} // namespace headroom::testing::session_studies_test

#include "session_studies_test.moc"
