// SPDX-License-Identifier: GPL-3.0-or-later
// Work that ends while somebody looks at it: its documents are read before the lock, and it ends in between.
#include "core/runs/evaluations.h"
#include "core/runs/file_lock.h"
#include "core/runs/run_folder.h"
#include "core/studies/study.h"
#include "tests/support/ending_work.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>

namespace headroom::testing::file_lock_test {

namespace fs = std::filesystem;

class FileLockTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path file(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

private Q_SLOTS:
    void whoEndsWhileItsDocumentIsReadHasNotAbandonedIt() {
        std::optional<FileLock> lock = FileLock::tryTake(file("ends"), "test");
        int looks = 0;
        const bool abandoned = FileLock::isAbandoned(file("ends"), [&] {
            lock.reset();        // after the first look, as it seems to the reader
            return looks++ == 0; // the second one finds how it ended
        });
        QVERIFY(!abandoned);
        QCOMPARE(looks, 2);
    }

    void whoHoldsTheLockIsAtWork() {
        const auto lock = FileLock::tryTake(file("held"), "test");
        QVERIFY(!FileLock::isAbandoned(file("held"), [] { return true; }));
        QVERIFY(!FileLock::isAbandoned(file("held"), [] { return false; }));
    }

    void whatNobodyHoldsIsAbandoned() {
        { const auto lock = FileLock::tryTake(file("free"), "test"); }
        QVERIFY(FileLock::isAbandoned(file("free"), [] { return true; }));
        QVERIFY(!FileLock::isAbandoned(file("free"), [] { return false; }));
        QVERIFY(FileLock::isAbandoned(file("missing"), [] { return true; }));
    }

    void aRunThatEndsIsNeverSeenInterrupted() {
        const fs::path folder = file("run");
        RunInfo info;
        const auto write = [&](RunState state) {
            info.state = state;
            writeRun(folder, info);
        };
        neverInterrupted(RunPaths{folder}.lock(), [&] { write(RunState::Running); }, [&] { write(RunState::Finished); },
                         [&] { return readRun(folder).state == RunState::Interrupted; });
    }

    void aStudyThatEndsIsNeverSeenInterrupted() {
        const fs::path folder = file("study");
        Study study;
        const auto write = [&](RunState state) {
            study.state = state;
            writeStudy(folder, study);
        };
        neverInterrupted(StudyPaths{folder}.lock(), [&] { write(RunState::Running); }, [&] { write(RunState::Finished); },
                         [&] { return readStudy(folder).state == RunState::Interrupted; });
    }

    /// Its progress goes when its result is there: it is never missing in between either.
    void anEvaluationThatEndsIsNeverSeenInterrupted() {
        EvaluationInfo info;
        info.folder = file("evaluation");
        const EvaluationPaths paths{info.folder};
        const auto finish = [&] {
            std::ofstream(info.folder / "new") << R"({"format": "headroom/evaluation", "version": 1})";
            fs::rename(info.folder / "new", paths.result());
            fs::remove(paths.progress());
        };
        neverInterrupted(paths.lock(), [&] { writeProgress(info); }, finish,
                         [&] { return readEvaluation(info.folder).state == EvaluationInfo::State::Interrupted; });
    }
};

HEADROOM_TEST(FileLockTest)

} // namespace headroom::testing::file_lock_test

#include "file_lock_test.moc"
