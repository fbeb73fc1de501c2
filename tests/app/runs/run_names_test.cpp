// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/session.h"
#include "app/runs/run_names.h"
#include "app/workspaces/train/train_actions.h"
#include "core/runs/evaluations.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>
#include <QSet>
#include <QTest>

namespace headroom::testing::run_names_test {

using widgets::RunItem;

namespace {

RunItem run(const char* name, const char* group, int seed, const char* recipe, std::int64_t updates,
            const char* created = "2026-11-21T10:31:05Z") {
    RunItem item;
    item.folder = std::string("/runs/") + group + std::to_string(seed);
    item.name = QString::fromLatin1(name);
    item.group = QString::fromLatin1(group);
    item.recipe = QString::fromLatin1(recipe);
    item.info.seed = static_cast<std::uint64_t>(seed);
    item.info.maxUpdates = updates;
    item.info.created = created;
    return item;
}

/// The desktop's wastebasket in the folder of the test.
class OwnWastebasket {
public:
    explicit OwnWastebasket(const std::filesystem::path& home) {
        qputenv("HOME", app::toQString(home).toLocal8Bit());
        qputenv("XDG_DATA_HOME", app::toQString(home / "data").toLocal8Bit());
    }
    ~OwnWastebasket() {
        qputenv("HOME", m_home);
        m_data.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", m_data);
    }

private:
    QByteArray m_home = qgetenv("HOME"), m_data = qgetenv("XDG_DATA_HOME");
};

EvaluationInfo failedEvaluation(const std::filesystem::path& runs, const char* folder) {
    EvaluationInfo info;
    info.folder = evaluationsFolder(runs) / folder;
    info.request = {"/models/LM", "model", "/corpora/demo", "test", "asr", 1, "auto"};
    info.state = EvaluationInfo::State::Failed;
    info.error = "The folder /models/LM does not exist.";
    std::filesystem::create_directories(info.folder);
    writeProgress(info);
    return info;
}

} // namespace

class RunNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A larger architecture of the same name was "demo, 150 updates", beside "demo" of 150 updates.
    void architecturesOfOneNameAreToldApartByTheirHeads() {
        RunItem small = run("demo", "a", 1, "demo", 150), longer = run("demo", "b", 1, "demo", 200), large = run("demo", "c", 1, "demo", 150);
        small.heads = longer.heads = QStringLiteral("6 × 4 heads");
        large.heads = QStringLiteral("8 × 4 heads");
        std::vector<RunItem> runs{small, longer};
        runs[0].called = QStringLiteral("demo");
        runs[1].called = QStringLiteral("demo, 200 updates");
        app::tellApart(runs);
        QCOMPARE(app::nameAtStart(large, runs), QStringLiteral("demo, 8 × 4 heads, 150 updates"));
        std::vector<RunItem> unnamed{small, large};
        app::tellApart(unnamed);
        QCOMPARE(unnamed[0].name, QStringLiteral("demo, 6 × 4 heads"));
        QCOMPARE(unnamed[1].name, QStringLiteral("demo, 8 × 4 heads"));
    }

    void namesThatDifferStay() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100), run("demo", "a", 2, "short", 100),
                                  run("demo, layer 6: 29 → 19", "b", 1, "short", 100)};
        const auto before = runs;
        app::tellApart(runs);
        for (std::size_t i = 0; i < runs.size(); ++i)
            QCOMPARE(runs[i].name, before[i].name);
    }

    void whatDiffersFollowsTheName() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100), run("demo", "a", 2, "short", 100),
                                  run("demo", "b", 1, "short", 20000), run("demo", "c", 1, "aligner", 100)};
        app::tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo, short, 100 updates"));
        QCOMPARE(runs[1].name, runs[0].name); // the seeds of one experiment
        QCOMPARE(runs[2].name, QStringLiteral("demo, short, 20,000 updates"));
        QCOMPARE(runs[3].name, QStringLiteral("demo, aligner, 100 updates"));
    }

    /// Two tasks of one corpus were told apart only by the time of their start.
    void theTaskFollowsTheNameWhereItDiffers() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100), run("demo", "b", 1, "short", 100)};
        runs[0].task = QStringLiteral("asr");
        runs[1].task = QStringLiteral("st_de");
        app::tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo, asr"));
        QCOMPARE(runs[1].name, QStringLiteral("demo, st_de"));
    }

    /// The earlier run became “run 2” while the later one waited, and the labels changed when that began.
    void aJobIsCountedAfterWhatHasBegun() {
        std::vector<RunItem> runs{run("demo", "a", 2, "short", 100, "2026-11-21T10:40:00Z"), run("demo", "a", 2, "short", 100, "2026-11-21T10:20:00Z"),
                                  run("demo", "a", 2, "short", 100, "2026-11-21T10:31:05Z"), run("demo", "a", 2, "short", 100, "2026-11-21T10:31:04Z")};
        app::tellApart(runs, 2); // the last two wait since before the first began
        QCOMPARE((std::vector{runs[0].repeat, runs[1].repeat, runs[2].repeat, runs[3].repeat}), (std::vector{2, 1, 3, 4}));
    }

    /// Every trained model lies in a folder “model”.
    void aStartIsCalledByItsModel() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100), run("demo", "b", 1, "short", 100), run("demo", "c", 1, "short", 100),
                                  run("demo", "d", 1, "short", 100)};
        runs[0].info.startFrom = "/share/demo/model";
        runs[1].info.startFrom = "/runs/2026-11-28T21-03_small_seed-1/model:encoder";
        runs[2].info.startFrom = "/models/s2t";
        app::tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo, from demo"));
        QCOMPARE(runs[1].name, QStringLiteral("demo, from the encoder of small, seed 1"));
        QCOMPARE(runs[2].name, QStringLiteral("demo, from s2t"));
        QCOMPARE(runs[3].name, QStringLiteral("demo, random weights"));
        QCOMPARE(runs[2].start, QStringLiteral("from s2t"));
        QCOMPARE(runs[3].start, QStringLiteral("random weights"));
        runs[0].info.startFrom = "/runs/2026-11-30T02-18_demo_seed-2/branches/step-001060"; // the name of a file
        runs[1].info.startFrom = runs[0].info.startFrom + ":encoder";
        for (RunItem& one : runs)
            one.name = QStringLiteral("demo");
        app::tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo, from demo, update 1,060 of seed 2"));
        QCOMPARE(runs[1].name, QStringLiteral("demo, from the encoder of demo, update 1,060 of seed 2"));
    }

    /// One name in Train, in Analyse and in studies.
    void theResultOfARunIsCalledAsTheRunWasNamed() {
        const TrainWorkshop shop;
        const auto run = shop.run("2026-11-21T10-31_a");
        shop.text("runs/2026-11-21T10-31_a/model/config.json", "{}");
        app::Session session;
        const auto open = [&] {
            const app::ModelId id = session.openModel(run / "model");
            app::ModelDescription info;
            info.name = QStringLiteral("2026-11-21T10-31_a");
            info.architecture = TrainWorkshop::tiny();
            session.setModelOpened(id, info);
            const QString name = session.models()->find(id)->name;
            session.closeModel(id);
            return name;
        };
        QCOMPARE(open(), QString::fromStdString(TrainWorkshop::tiny().name) + QStringLiteral(", seed 1"));
        shop.text("runs/2026-11-21T10-31_a/name.txt", "my first run\n");
        QCOMPARE(open(), QStringLiteral("my first run, seed 1"));
    }

    void noTwoRowsHaveOneName() {
        std::vector<RunItem> runs{run("demo", "a", 1, "short", 100), run("demo", "b", 1, "short", 100),
                                  run("mine", "c", 1, "short", 100), run("mine", "d", 1, "short", 200)};
        runs[2].given = runs[3].given = QStringLiteral("demo, 2026-11-21 10:31:05");
        runs[2].info.created = runs[3].info.created = "2026-11-23T10:31:05Z";
        RunItem again = runs[1];
        again.folder = "/runs/again";
        again.info.created = "2026-11-22T10:31:05Z";
        runs.push_back(again);
        app::tellApart(runs);
        QSet<QString> titles, names;
        for (const RunItem& one : runs) {
            titles << widgets::runTitle(one);
            names << one.name;
        }
        QCOMPARE(titles.size(), 5);
        QCOMPARE(names.size(), 4); // one for each experiment
        QVERIFY2(widgets::runTitle(runs[4]).endsWith(QStringLiteral("seed 1, run 2")), qPrintable(widgets::runTitle(runs[4])));
        QVERIFY(!widgets::runTitle(runs[0]).contains(QStringLiteral("run ")));
    }

    void experimentsThatLookAlikeAreToldByTheirTime() {
        std::vector<RunItem> runs{run("demo", "a", 2, "short", 100, "2026-11-21T12:00:00Z"), run("demo", "b", 1, "short", 100, "2026-11-22T08:00:00Z"),
                                  run("demo", "a", 1, "short", 100)}; // the newest come first; Created is that of the first seed
        app::tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo, 2026-11-21 10:31:05"));
        QCOMPARE(runs[1].name, QStringLiteral("demo, 2026-11-22 08:00:00"));
    }

    /// A run whose architecture cannot be read stood in the table, and a click on it chose nothing.
    void aRunWithoutDocumentsCanBeChosen() {
        Desk desk("good");
        const auto whole = desk.shop.run("whole"), broken = desk.shop.run("broken", RunState::Failed, 2);
        std::filesystem::remove(broken / "architecture.json");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->find(broken) && desk.workspace->store()->find(whole), 60000);
        desk.workspace->setCurrentRun(whole);
        auto* table = desk.workspace->runTable();
        for (const auto& group : table->runs()->groups())
            if (group.runs.front().folder == broken)
                table->setCurrentKey(group.key);
        QCOMPARE(desk.workspace->currentRun(), broken);
        const bool before = table->runs()->isCompared(desk.workspace->store()->find(broken)->group);
        desk.workspace->actions().compare->trigger();
        QCOMPARE(table->runs()->isCompared(desk.workspace->store()->find(broken)->group), !before);
    }

    /// The message named the run that stayed; that of an evaluation named nothing, and a second one took the first one's Undo.
    void whatIsMovedAwayIsNamed() {
        Desk desk("good");
        const OwnWastebasket basket(desk.shop.path());
        const auto ended = desk.shop.run("a1", RunState::Stopped, 1), held = desk.shop.run("a2", RunState::Stopped, 2);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(2), 60000);
        auto* table = desk.workspace->runTable();
        desk.workspace->setCurrentRun(ended);
        const QString stays = widgets::runTitle(*desk.workspace->store()->find(held)), goes = widgets::runTitle(*desk.workspace->store()->find(ended));
        {
            const auto lock = FileLock::tryTake(RunPaths{held}.lock(), "test");
            desk.workspace->activateWindow();
            table->setFocus();
            QTRY_VERIFY_WITH_TIMEOUT(table->hasFocus(), 60000);
            desk.workspace->actions().remove->trigger();
        }
        QVERIFY(!std::filesystem::exists(ended) && std::filesystem::exists(held));
        QVERIFY2(desk.said().contains(QStringLiteral("Moved “%1” to the wastebasket.").arg(goes)), qPrintable(desk.said()));
        QVERIFY2(desk.said().contains(QStringLiteral("“%1” is still running. Stop it first.").arg(stays)), qPrintable(desk.said()));

        std::vector<std::filesystem::path> evaluations;
        for (const char* folder : {"2026-11-23_a", "2026-11-23_b"})
            evaluations.push_back(failedEvaluation(desk.shop.runs(), folder).folder);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->evaluations().size(), std::size_t(2), 60000);
        for (const auto& folder : evaluations)
            Q_EMIT desk.workspace->queueView()->asked(widgets::QueueModel::Button::Delete, folder);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->evaluations().empty(), 60000);
        QVERIFY2(desk.said().contains(QStringLiteral("Moved “Evaluate LM on test")), qPrintable(desk.said()));
        for (int i = 0; i < 2; ++i) // each has its own way back
            for (int row = 0; row < desk.session.messages()->rowCount(); ++row)
                if (desk.session.messages()->at(row).sentence.startsWith(QStringLiteral("Moved “Evaluate"))) {
                    desk.session.messages()->trigger(row);
                    break;
                }
        for (const auto& folder : evaluations)
            QVERIFY2(std::filesystem::exists(folder), folder.c_str());
    }

    /// One that came back from the wastebasket was said to have failed, and of a run that failed before it was looked at nothing was said.
    void whatFailsIsSaidOnce() {
        Desk desk("good");
        const OwnWastebasket basket(desk.shop.path());
        const auto evaluation = failedEvaluation(desk.shop.runs(), "2026-11-23_a").folder;
        const auto run = desk.shop.run("failed", RunState::Failed);
        RunInfo info = readRun(run);
        info.error = "The corpus is empty.";
        writeRun(run, info);
        const QStringList sentences{QStringLiteral(": The folder /models/LM"), QStringLiteral("seed 1: The corpus is empty.")};
        const auto times = [&](const QString& sentence) { return desk.said().count(sentence); };
        for (const QString& sentence : sentences)
            QTRY_VERIFY2_WITH_TIMEOUT(times(sentence) == 1, qPrintable(desk.said()), 60000);
        desk.session.messages()->putAside();
        for (const auto& folder : {evaluation, run})
            Q_EMIT desk.workspace->queueView()->asked(widgets::QueueModel::Button::Delete, folder);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->runs().empty() && desk.workspace->store()->evaluations().empty(), 60000);
        for (int row = desk.session.messages()->rowCount(); row-- > 0;)
            desk.session.messages()->trigger(row);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->runs().size() == 1 && desk.workspace->store()->evaluations().size() == 1, 60000);
        QTest::qWait(200);
        for (const QString& sentence : sentences)
            QVERIFY2(times(sentence) == 0, qPrintable(desk.said()));
    }

    /// The actions of messages about a run that is gone did nothing.
    void theActionOfAMessageSaysThatTheRunIsGone() {
        Desk desk("good");
        QCOMPARE(desk.start(), QString());
        desk.allow();
        QVERIFY(desk.becomes(RunState::Finished) && desk.queueEnds());
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(QStringLiteral("finished after")), qPrintable(desk.said()), 60000);
        const auto run = desk.workspace->store()->runs().front().folder;
        std::filesystem::rename(run, desk.shop.path() / "elsewhere");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->runs().empty(), 60000);
        for (int row = 0; row < desk.session.messages()->rowCount(); ++row)
            if (desk.session.messages()->at(row).actionText == QStringLiteral("Open in Analyse")) {
                desk.session.messages()->trigger(row);
                break;
            }
        QVERIFY2(desk.said().contains(QStringLiteral("is no longer in the runs folder")), qPrintable(desk.said()));
    }

    /// "5.49 % WER, test" was said of a test of another corpus, and of seeds that were tested on two.
    void anEvaluationOnAnotherCorpusNamesIt() {
        Desk desk("good");
        const auto folder = desk.shop.run("a");
        const auto evaluated = [&](const char* at, const char* corpus, double wer) {
            nlohmann::json document{{"format", "headroom/evaluation"}, {"version", 1}, {"model", (folder / "model").string()}, {"data", corpus},
                                    {"split", "test"}, {"task", "asr"}, {"nll", 1}, {"wer", wer}, {"bleu", 7}, {"utterances", nlohmann::json::array()}};
            desk.shop.text(std::filesystem::path("runs/evaluations") / at / "evaluation.json", document.dump());
        };
        const auto cell = [&] { return desk.workspace->runTable()->runs()->index(0, widgets::RunTableModel::Test).data().toString(); };
        evaluated("2026-11-23_a", "/corpora/demo", 12.5);
        QTRY_VERIFY_WITH_TIMEOUT(cell() == QStringLiteral("12.50\u202f% WER, test"), 60000);
        evaluated("2026-11-23_b", "/corpora/other", 42.5);
        QTRY_VERIFY2_WITH_TIMEOUT(cell() == QStringLiteral("42.50\u202f% WER, test of other; 1 more"), qPrintable(cell()), 60000);
    }

    /// A folder that is looked at for the first time shows its newest experiment; six were ticked.
    void anotherFolderOfRunsShowsItsNewestExperiment() {
        Desk desk("good");
        const auto other = desk.shop.path() / "others";
        std::filesystem::create_directories(other);
        for (const char* name : {"x", "y", "z"}) {
            const auto run = desk.shop.run(name);
            RunInfo info = readRun(run);
            info.data = std::string("/corpora/") + name;
            writeRun(run, info);
            std::filesystem::rename(run, other / name);
        }
        desk.workspace->store()->setFolder(other);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(3), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->runTable()->runs()->compared().size(), std::size_t(1), 60000);
    }

    /// What came back from the wastebasket was ticked, ticked before or not.
    void whatComesBackIsTickedAsItWas() {
        Desk desk("good");
        const OwnWastebasket basket(desk.shop.path());
        std::vector<std::filesystem::path> runs;
        for (const char* name : {"x", "y"}) {
            runs.push_back(desk.shop.run(name));
            RunInfo info = readRun(runs.back());
            info.data = std::string("/corpora/") + name;
            writeRun(runs.back(), info);
        }
        auto* table = desk.workspace->runTable()->runs();
        const auto group = [&](std::size_t run) { return desk.workspace->store()->find(runs[run])->group; };
        QTRY_VERIFY_WITH_TIMEOUT(table->rowCount() == 2 && desk.workspace->store()->runs().size() == 2 && group(0) != group(1), 60000);
        const QStringList groups{group(0), group(1)};
        table->setCompared(groups[0], false);
        table->setCompared(groups[1], true);
        for (const auto& run : runs)
            Q_EMIT desk.workspace->queueView()->asked(widgets::QueueModel::Button::Delete, run);
        QTRY_VERIFY_WITH_TIMEOUT(table->rowCount() == 0, 60000);
        for (int row = desk.session.messages()->rowCount(); row-- > 0;)
            desk.session.messages()->trigger(row);
        QTRY_VERIFY_WITH_TIMEOUT(table->rowCount() == 2, 60000);
        QVERIFY(!table->isCompared(groups[0]) && table->isCompared(groups[1]));
    }

    /// "This CPU" was said of a job for a GPU, until it began.
    void aWaitingJobSaysWhereItWillBeComputed() {
        Desk desk("good");
        app::Launch launch = desk.shop.launch();
        launch.device = "cuda:1";
        app::enqueue(launch);
        const auto* queue = desk.workspace->queueView()->queue();
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowCount() > 0, 60000);
        QCOMPARE(queue->index(0, widgets::QueueModel::Where).data().toString(), QStringLiteral("cuda:1"));
    }
};

HEADROOM_TEST(RunNamesTest)

} // namespace headroom::testing::run_names_test

#include "run_names_test.moc"
