// SPDX-License-Identifier: GPL-3.0-or-later
// A study that another place computes, while there is no contact with it.
#include "app/parts/row_delegate.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/studies/study_list.h"
#include "core/places/run_place.h"
#include "core/runs/file_lock.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::lost_study_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class LostStudyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itSaysWhenItIsTriedAgainAndIsTriedNow() {
        const QTemporaryDir studies;
        const fs::path folder = fs::path(studies.path().toStdString()) / "there";
        Study study = makeWindowsStudy(folder);
        study.state = RunState::Running;
        study.ended.clear();
        writeStudy(folder, study);
        RunPlace place;
        place.place.name = place.place.host = "gpu-1";
        place.place.folder = "~/headroom";
        place.begun = true;
        place.contact = RunPlace::Contact::Connected;
        place.since = "2026-11-24T10:00:00Z";
        writeRunPlace(folder, place);
        StudyEvidence evidence;
        StudyStore store(folder.parent_path(), &evidence);
        const auto becomes = [&](StudyItem::State state, bool lost) {
            return QTest::qWaitFor(
                [&] {
                    store.lookNow();
                    const StudyItem* item = store.find(folder);
                    return item && item->state == state && item->lost == lost;
                },
                60000);
        };
        {
            const auto lock = FileLock::tryTake(StudyPaths{folder}.lock(), "test");
            QVERIFY(becomes(StudyItem::State::Running, false));
            QCOMPARE(describeStudy(*store.find(folder)).buttons, QStringList{"Cancel"});
            place.contact = RunPlace::Contact::Lost;
            place.nextTry = "2099-01-01T00:00:00Z";
            writeRunPlace(folder, place);
            QVERIFY(becomes(StudyItem::State::Running, true));
            const RowContent row = describeStudy(*store.find(folder));
            QCOMPARE(row.buttons, QStringList({"Try now", "Cancel"}));
            QVERIFY2(row.sentence.contains("No contact with gpu-1") && row.sentence.contains("next try in"), qPrintable(row.sentence));
            QVERIFY(store.tryNow(folder).isEmpty());
            QVERIFY(takeReconnect(folder));
            stopStudy(folder);
            QVERIFY(becomes(StudyItem::State::Stopping, true));
            QCOMPARE(describeStudy(*store.find(folder)).buttons, QStringList{"Try now"});
        }
        QVERIFY(becomes(StudyItem::State::Interrupted, false));
        const RowContent row = describeStudy(*store.find(folder));
        QCOMPARE(row.buttons, QStringList{"Resume"});
        QVERIFY2(row.sentence.contains("Resume finds it at gpu-1"), qPrintable(row.sentence));
    }
};

HEADROOM_TEST(LostStudyTest)

} // namespace headroom::testing::lost_study_test

#include "lost_study_test.moc"
