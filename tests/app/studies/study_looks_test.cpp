// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at studies while they change, and while others look.
#include "app/studies/study_store.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/studies/places_model.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/ending_work.h"
#include "tests/support/held_pool.h"
#include "tests/support/runner.h"

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

    /// It is read, but not shown yet; and what was asked for last is shown.
    void aListOfPlacesIsPendingUntilItIsShown() {
        makeWindowsStudy(m_studies / "one");
        PlacesPanel places;
        PlacesQuery query;
        query.study = openStudy(m_studies / "one");
        query.set = "layer";
        query.index = {1};
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

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_studies;
};

HEADROOM_TEST(StudyLooksTest)

} // namespace headroom::testing::study_looks_test

#include "study_looks_test.moc"
