// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at studies while they change, and while others look.
#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/parts/row_delegate.h"
#include "app/places/place_store.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/studies/mixing_panel.h"
#include "app/workspaces/analyse/studies/places_model.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "app/workspaces/analyse/studies/study_list.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/ending_work.h"
#include "tests/support/held_pool.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QComboBox>
#include <QListView>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::study_looks_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class StudyLooksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_studies = m_folder->path().toStdString();
    }

    /// Who asks for the next look before what the last one found has come waits for that first.
    void whatALookHasFoundIsNotThrownAway() {
        makeWindowsStudy(m_studies / "one");
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        const HeldPool held; // the first look has ended, and the next one cannot begin
        store.lookNow();
        QCoreApplication::processEvents();
        QVERIFY(store.find(m_studies / "one"));
    }

    void aStudyThatEndsIsNeverSeenInterrupted() {
        const fs::path folder = m_studies / "ends";
        Study study = makeWindowsStudy(folder);
        const auto write = [&](RunState state) {
            study.state = state;
            writeStudy(folder, study);
        };
        neverInterrupted(StudyPaths{folder}.lock(), [&] { write(RunState::Running); }, [&] { write(RunState::Finished); }, [&] {
            return lookAtStudies(m_studies, {}, {}, nullptr)->items.at(0).state == StudyItem::State::Interrupted;
        });
    }

    void aStudyThatStoppedBeforeItWasSeenHasNotFailed() {
        const auto folder = m_studies / "brief";
        auto study = makeWindowsStudy(folder);
        study.state = RunState::Stopped;
        writeStudy(folder, study);
        const StartedStudy gone{folder, StudyKind::Windows, {}, 0, 0};
        QVERIFY(lookAtStudies(m_studies, {}, {gone}, nullptr)->items.at(0).state ==
                StudyItem::State::Stopped);
        // One that never wrote a word has failed.
        const StartedStudy silent{folder, StudyKind::Windows, {}, 0, studyChanged(folder)};
        QVERIFY(lookAtStudies(m_studies, {}, {silent}, nullptr)->items.at(0).state ==
                StudyItem::State::Failed);
    }

    /// It is read, but not shown yet; and what was asked for last is shown.
    void aListOfPlacesIsPendingUntilItIsShown() {
        makeWindowsStudy(m_studies / "one");
        PlacesPanel places;
        PlacesQuery query = placesOfLayer(m_studies / "one", 2);
        places.show(query);
        for (const std::int64_t next : {2, 3}) {
            const HeldPool held;
            QVERIFY(places.isPending());
            query.index = {next};
            places.show(query);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!places.isPending(), 60000);
        QCOMPARE(places.places()->list().query.index, std::vector<std::int64_t>{3});
    }

    void aProbeOfOneUtteranceIsNotResumed() {
        Study study = makeWindowsStudy(m_studies / "one", 3, 2);
        study.state = RunState::Failed;
        study.kind = StudyKind::Probe;
        study.error =
            "A probe needs two utterances with phones at least, one to train on and one to be tested on.";
        writeStudy(m_studies / "one", study);
        const auto found = [&] { return lookAtStudies(m_studies, {}, {}, nullptr)->items.at(0); };
        QVERIFY(found().state == StudyItem::State::Failed &&
                found().canResume()); // an alignment may have been added
        QCOMPARE(describeStudy(found()).buttons, QStringList{"Resume"});
        study.utterances.pop_back();
        writeStudy(m_studies / "one", study);
        QVERIFY(!found().canResume() && describeStudy(found()).buttons.isEmpty());
    }

    /// In a low tab the end of a long caption was cut off, and the table had one row.
    void aLongCaptionScrolls() {
        widgets::Theme::apply(QStringLiteral("light"));
        Study study = makeWindowsStudy(m_studies / "one");
        study.kind = StudyKind::Mixing;
        study.tables.front().caption = "Short.";
        study.tables.push_back(study.tables.front());
        for (int sentence = 0; sentence < 40; ++sentence)
            study.tables.back().caption += " And another sentence.";
        writeStudy(m_studies / "one", study);
        StudyEvidence evidence;
        evidence.add(openStudy(m_studies / "one"));
        MixingPanel panel(&evidence);
        panel.resize(400, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const QScrollArea* caption = panel.captionArea();
        const auto reach = [caption] {
            return caption->verticalScrollBar()->maximum() + caption->viewport()->height();
        };
        for (const int table : {0, 1}) {
            for (auto* field : panel.findChildren<QComboBox*>())
                if (field->accessibleName() == QStringLiteral("Table"))
                    field->setCurrentIndex(table);
            QCoreApplication::processEvents();
            QTRY_VERIFY(reach() >= caption->widget()->heightForWidth(caption->viewport()->width()));
            QCOMPARE(caption->verticalScrollBar()->maximum() > 0, table == 1);
            QVERIFY2(caption->height() < 100, qPrintable(QString::number(caption->height())));
        }
    }

    /// The sentence of a row wraps: it was as high as at the first width for good.
    void rowsAreAsHighAsTheirWidthNeeds() {
        widgets::Theme::apply(QStringLiteral("light"));
        Study study = makeWindowsStudy(m_studies / "one");
        study.utterances[1].error = "It has no alignment, and nobody knows where one could be found today.";
        writeStudy(m_studies / "one", study);
        Session session;
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        AppSettings settings(m_folder->filePath(QStringLiteral("settings.ini")));
        QAction newStudy;
        PlaceStore places;
        DeviceList devices;
        StudyPanel panel({&session, &store, &settings, &places, &devices}, &newStudy);
        panel.resize(900, 400);
        panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(panel.list()->model()->rowCount() == 1, 60000);
        const auto height = [&] { return panel.list()->visualRect(panel.list()->model()->index(0, 0)).height(); };
        QTRY_VERIFY_WITH_TIMEOUT(height() > 0, 60000);
        const int wide = height();
        panel.resize(260, 400);
        QTRY_VERIFY_WITH_TIMEOUT(height() > wide, 60000);
        panel.resize(900, 400);
        QTRY_COMPARE_WITH_TIMEOUT(height(), wide, 60000);
    }

    /// A name that another study has was refused, and the other study was chosen: the next Delete was its own.
    void aRefusedNameChoosesNothing() {
        for (const char* name : {"one", "two"})
            makeWindowsStudy(m_studies / name);
        Session session;
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        AppSettings settings(m_folder->filePath(QStringLiteral("settings.ini")));
        QAction newStudy;
        PlaceStore places;
        DeviceList devices;
        StudyPanel panel({&session, &store, &settings, &places, &devices}, &newStudy);
        panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(panel.list()->model()->rowCount() == 2, 60000);
        panel.setCurrent(m_studies / "one");
        const QModelIndex chosen = panel.list()->currentIndex();
        panel.askName = [](const QString&) { return QStringLiteral("two"); };
        for (QAction* action : panel.list()->actions())
            if (action->text() == QStringLiteral("Rename…"))
                action->trigger();
        makeWindowsStudy(m_studies / "three"); // a change that is looked at
        QTRY_VERIFY_WITH_TIMEOUT(panel.list()->model()->rowCount() == 3, 60000);
        QCOMPARE(panel.list()->currentIndex().data(Qt::ToolTipRole).toString(), QStringLiteral("one\n") + QString::fromStdString((m_studies / "one").string()));
        QVERIFY(chosen.isValid());
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_studies;
};

HEADROOM_TEST(StudyLooksTest)

} // namespace headroom::testing::study_looks_test

#include "study_looks_test.moc"
