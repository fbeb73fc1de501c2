// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/watch_dialog.h"

#include "core/errors/error.h"
#include "tests/app/workspaces/train/one_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "tests/support/written_files.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/study_table/study_table_view.h"

#include <QPushButton>
#include <QSignalSpy>

#include <csignal>
#include <fstream>

namespace headroom::testing::watch_dialog_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class WatchDialogTest : public QObject {
    Q_OBJECT

    std::optional<OnePlace> m_place;
    static constexpr const char* kRuns =
        R"({"format": "headroom/place-runs", "version": 1, "place": "gpu-1", "runs": [)"
        R"({"name": "waits", "title": "waits", "state": "waiting", "update": 0, "maxUpdates": 0, "seed": null, "created": ""},)"
        R"({"name": "2026-11-21T10-31_a_seed-1", "title": "local 17", "state": "running", "update": 40, "maxUpdates": 120, "seed": 1,)"
        R"( "created": "2026-11-21T10:31:00Z"}]})";

    /// A worker that says this, and knows nothing else.
    QString saying(const char* text, const char* status) const {
        const QString file = m_place->file("worker");
        writeScript(file, QByteArray("[ \"$1 $2 $3\" = 'places runs gpu-1' ] || exit 9\ncat <<'end'\n") + text + "\nend\n" + status);
        return file;
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init() { m_place.emplace(); }
    void cleanup() { m_place.reset(); }

    void aRunThereIsChosenAndWatched() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", saying(kRuns, "").toLocal8Bit());
        WatchDialog* dialog = desk.workspace->askWatch();
        dialog->show();
        QTRY_COMPARE_WITH_TIMEOUT(dialog->table()->shownRows(), 2, 60000);
        const auto cell = [&](int row, int column) { return dialog->table()->study()->index(row, column).data().toString(); };
        QCOMPARE(cell(0, 3), QStringLiteral("Pending"));
        QCOMPARE(cell(1, 3), QStringLiteral("Running"));
        QCOMPARE(cell(1, 1), QStringLiteral("local 17"));
        QCOMPARE(cell(1, 4), QStringLiteral("40"));
        QCOMPARE(cell(1, 7), QStringLiteral("2026-11-21 10:31")); // in the time of Runs
        QCOMPARE(dialog->table()->study()->headerData(7, Qt::Horizontal).toString(), QStringLiteral("Created, UTC"));
        dialog->table()->setCurrentRow(1);
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        dialog->watchButton()->click();
        const Job job = readJob(waitingJobs(desk.shop.runs()).front());
        QVERIFY(job.watch && !job.resume && job.place == "gpu-1");
        QCOMPARE(job.run, desk.shop.runs() / "2026-11-21T10-31_a_seed-1");
        const auto* queue = desk.workspace->queueView()->queue();
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowCount() > 0, 60000);
        QCOMPARE(queue->index(0, widgets::QueueModel::Where).data().toString(), QStringLiteral("gpu-1"));
        QCOMPARE(queue->index(0, widgets::QueueModel::Job).data().toString(), QStringLiteral("2026-11-21T10-31_a_seed-1"));
        QVERIFY(!desk.workspace->queue()->watch(QStringLiteral("gpu-1"), QStringLiteral("2026-11-21T10-31_a_seed-1")).isEmpty()); // once
    }

    void aRunThatIsHereIsNotWatchedAgain() {
        Desk desk("good");
        desk.shop.run("2026-11-21T10-31_a_seed-1");
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace->store()->runs().empty(), 60000);
        qputenv("HEADROOM_WORKER", saying(kRuns, "").toLocal8Bit());
        WatchDialog* dialog = desk.workspace->askWatch(QStringLiteral("gpu-1"));
        dialog->show();
        QTRY_COMPARE_WITH_TIMEOUT(dialog->table()->shownRows(), 2, 60000);
        dialog->table()->setCurrentRow(1);
        Q_EMIT dialog->table()->rowChosen(1);
        QVERIFY(!dialog->watchButton()->isEnabled());
        QCOMPARE(dialog->watchButton()->toolTip(), QStringLiteral("This run is already in Runs."));
        delete dialog;
    }

    /// A look at a host that does not answer is given up without waiting for its end.
    void anotherPlaceIsLookedAtAtOnce() {
        Place other = OnePlace::place();
        other.name = "gpu-2";
        OnePlace::add(other);
        Desk desk("good");
        const QString file = m_place->file("worker");
        writeScript(file, "[ \"$1 $2\" = 'places runs' ] || exit 9\n[ \"$3\" = gpu-2 ] && { echo 'gpu-2 has answered.' >&2; exit 1; }\ntrap '' TERM\necho $$ > \"$0.pid\"\nwhile :; do sleep 0.1; done");
        qputenv("HEADROOM_WORKER", file.toLocal8Bit());
        WatchDialog* dialog = desk.workspace->askWatch(QStringLiteral("gpu-1"));
        pid_t first = 0;
        QTRY_VERIFY_WITH_TIMEOUT((std::ifstream((file + ".pid").toStdString()) >> first) && first > 0, 60000);
        dialog->choosePlace(QStringLiteral("gpu-2"));
        QVERIFY(::kill(first, 0) == 0); // it had no time to be killed
        QTRY_COMPARE_WITH_TIMEOUT(dialog->sentence(), QStringLiteral("gpu-2 has answered."), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(::kill(first, 0) != 0, 60000);
        QCOMPARE(dialog->sentence(), QStringLiteral("gpu-2 has answered."));
        delete dialog;
    }

    void aPlaceThatDoesNotAnswerSaysWhy() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", saying("", "echo 'headroom-worker: gpu-1 is unknown here.' >&2; exit 1").toLocal8Bit());
        WatchDialog* dialog = desk.workspace->askWatch();
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->sentence().contains(QStringLiteral("is unknown here")), qPrintable(dialog->sentence()), 60000);
        QVERIFY(!dialog->watchButton()->isEnabled());
        QStringList names;
        QVERIFY_THROWS_EXCEPTION(Error, WatchDialog::tableOf("{}", {}, names));
        delete dialog;
    }
};

HEADROOM_TEST(WatchDialogTest)

} // namespace headroom::testing::watch_dialog_test

#include "watch_dialog_test.moc"
