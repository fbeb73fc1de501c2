// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments of the real program on a corpus of tones: to the table, killed and continued, changed, refused.
#include "core/errors/count_text.h"
#include "core/experiments/step_progress.h"
#include "core/runs/file_lock.h"
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/experiments/tiny_experiment.h"
#include "tests/training/worker/tone_corpus.h"
#include "training/worker/turn.h"

#include <cmath>
#include <map>
#include <memory>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::experiment_command_test {

namespace fs = std::filesystem;
using nlohmann::json;

class ExperimentCommandTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    fs::path m_root;
    std::unique_ptr<ToneCorpus> m_corpus;

    static QString text(const fs::path& path) { return QString::fromStdString(path.string()); }
    fs::path document(const std::string& contents) const {
        const fs::path file = m_root / "documents" / "tiny.json";
        writeFile(text(file), QByteArray::fromStdString(contents));
        return file;
    }
    QStringList command(const fs::path& file, const std::string& out, const QStringList& more = {}) const {
        return QStringList{"experiment", text(file), "--data", text(m_corpus->folder()), "--out", text(m_root / out)} + more;
    }
    json table(const std::string& out) const { return readStrictObject(m_root / out / "table.json", "test"); }
    static std::string replaced(std::string text, const std::string& from, const std::string& to) {
        const auto at = text.find(from);
        if (at == std::string::npos)
            throw std::runtime_error("The test replaces what is not there: " + from);
        return text.replace(at, from.size(), to);
    }
    void expectRefused(const Finished& ended, const char* sentence) {
        QVERIFY2(ended.status == 1, ended.err.c_str());
        QVERIFY2(ended.says(sentence), ended.err.c_str());
    }

private Q_SLOTS:
    void initTestCase() {
        m_root = m_folder.path().toStdString();
        m_corpus = std::make_unique<ToneCorpus>(m_root / "tones", 24, 6);
        TinyTraining tiny(m_root / "documents", m_corpus->folder());
        tiny.recipe.length.maxUpdates = 12;
        tiny.arguments("unused"); // writes both documents
    }

    /// 17 documents at 1,000 frames a second: nothing is measured, and every training has its hours.
    void hoursOfAllDocumentsAreTheirFramesByTheRate() {
        const Finished ended = runWorkerProgram({"experiment", "--list", "--hours", "--rate", "1000", "--json"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const json made = json::parse(ended.out);
        QCOMPARE(made["format"].get<std::string>(), std::string("headroom/experiment-hours"));
        QCOMPARE(made["version"].get<int>(), 1);
        QVERIFY(made["device"].is_null());
        QCOMPARE(made["experiments"].size(), std::size_t(17));
        for (const json& one : made["experiments"]) {
            double frames = 0;
            for (const json& training : one["trainings"]) {
                QCOMPARE(training["hours"].get<double>(), training["frames"].get<double>() / 1000 / 3600);
                QVERIFY(training["updates"].get<double>() >= 20 && training["framesPerSecond"] == 1000 && training["processorShare"].is_null());
                frames += training["frames"].get<double>();
            }
            QVERIFY(std::abs(one["frames"].get<double>() - frames) <= 1e-9 * frames);
            for (const char* key : {"name", "paper", "table", "seeds", "scale", "hours", "atMost", "decodings", "studies"})
                QVERIFY2(one.contains(key), key);
        }
    }

    /// Runs, frames and hours of the guide's table are those of the program. Of each row: | `name` | runs | frames, 10⁹ | … | … | hours |.
    void theGuidesTableIsThatOfTheProgram() {
        const Finished ended = runWorkerProgram({"experiment", "--list", "--hours", "--rate", "76000", "--json"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        std::map<std::string, json> made;
        const json listed = json::parse(ended.out);
        for (const json& one : listed["experiments"])
            if (!one["trainings"].empty())
                made[one["name"]] = one;
        QFile guide(HEADROOM_SOURCE_DIR "/resources/guide/experiments.md");
        QVERIFY(guide.open(QIODevice::ReadOnly));
        std::size_t rows = 0;
        for (const QString& line : QString::fromUtf8(guide.readAll()).split('\n')) {
            const QStringList cells = line.split('|');
            if (cells.size() != 8 || !cells[1].trimmed().startsWith('`'))
                continue;
            const auto found = made.find(cells[1].trimmed().remove('`').toStdString());
            QVERIFY2(found != made.end(), qPrintable(line));
            const json& one = found->second;
            const auto number = [&](int cell) { return cells[cell].trimmed().remove(',').remove(QStringLiteral("≤ ")).toDouble(); };
            for (const int cell : {3, 6})
                QCOMPARE(cells[cell].contains(QStringLiteral("≤")), one["atMost"].get<bool>());
            QCOMPARE(number(2), static_cast<double>(one["trainings"].size()));
            QVERIFY2(std::abs(number(3) - one["frames"].get<double>() / 1e9) <= 0.05 + 1e-9, qPrintable(line));
            QVERIFY2(std::abs(number(6) - one["hours"].get<double>()) <= 0.5 + 1e-9, qPrintable(line));
            ++rows;
        }
        QCOMPARE(rows, made.size());
    }

    /// Measured on noise, with the lengths of the corpus: 12 updates of at most one epoch's frames.
    void hoursAreMeasuredWithTheCorpus() {
        const QStringList command{"experiment", text(document(kTiny)), "--data", text(m_corpus->folder()), "--hours", "--json"};
        const Finished ended = runWorkerProgram(command);
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QVERIFY2(ended.says("frames/s (fp32)"), ended.err.c_str());
        const json made = json::parse(ended.out);
        QCOMPARE(made["device"].get<std::string>(), std::string("cpu"));
        const json& training = made["experiments"][0]["trainings"][0];
        QCOMPARE(training["updates"].get<double>(), 12.0);
        QVERIFY(training["framesPerSecond"].get<double>() > 0 && !training["atMost"].get<bool>());
        QVERIFY(training["processorShare"].get<double>() > 0);
        QVERIFY(!fs::exists(m_root / "runs"));
        // In words: “0 M frames” stood there.
        const Finished said =
            runWorkerProgram({"experiment", text(document(kTiny)), "--data", text(m_corpus->folder()), "--hours", "--rate", "1000"});
        QVERIFY2(said.status == 0, said.err.c_str());
        QVERIFY2(said.out.find(": 1 run, ") != std::string::npos || said.out.find(" runs, ") != std::string::npos, said.out.c_str()); // words.md
        const double frames = made["experiments"][0]["frames"].get<double>();
        QVERIFY2(frames < 1e6 && said.out.find(", " + grouped(std::llround(frames)) + " frames, ") != std::string::npos, said.out.c_str());
    }

    void endsInTheTable() {
        const Finished ended = runWorkerProgram(command(document(kTiny), "whole", {"--json"}));
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const json made = table("whole");
        QVERIFY(made == json::parse(ended.out));
        QCOMPARE(made["format"].get<std::string>(), std::string("headroom/experiment-table"));
        QCOMPARE(made["seeds"].get<int>(), 2);
        const json& full = made["rows"][0]["cells"]["wer"];
        const json& narrow = made["rows"][1]["cells"]["wer"];
        QCOMPARE(full["printed"].get<std::string>(), std::string("50.0"));
        QCOMPARE(full["printedStd"].get<std::string>(), std::string("0.1"));
        QCOMPARE(full["values"].size(), std::size_t(2));
        QCOMPARE(narrow["values"].size(), std::size_t(2));
        QCOMPARE(narrow["test"]["name"].get<std::string>(), std::string("mapsswe"));
        QCOMPARE(narrow["test"]["against"].get<std::string>(), std::string("wer-full"));
        const double difference = made["rows"][1]["cells"]["delta"]["ours"].get<double>();
        QVERIFY(std::abs(difference - (narrow["ours"].get<double>() - full["ours"].get<double>())) < 1e-9);
        // The score is the one of `evaluate`, and the window the one that was trained with.
        const json scored = readStrictObject(m_root / "whole/decoded/wer-full-seed2/evaluation.json", "test");
        QVERIFY(std::abs(full["values"][1].get<double>() - scored["wer"].get<double>()) < 1e-9);
        const int window = made["rows"][0]["cells"]["window"]["ours"].get<int>();
        const std::string trained = readSmallFile(m_root / "whole/runs/windowed/architecture.json", "test");
        QVERIFY2(trained.find("2 local " + std::to_string(window) + "\"") != std::string::npos, trained.c_str());
        // Said where a split stands in for the paper's.
        const std::string shown = readSmallFile(m_root / "whole/table.md", "test");
        QVERIFY2(shown.find("The split “dev” stands in for “test”.") != std::string::npos, shown.c_str());
        QVERIFY2(shown.find("50.0 ± 0.1") != std::string::npos, shown.c_str());
        QVERIFY(readSmallFile(m_root / "whole/table.tex", "test").find("\\begin{table}") != std::string::npos);
    }

    void whatIsFinishedIsNotDoneAgain() {
        const auto run = m_root / "whole/runs/train-full-seed1/model/model.safetensors";
        const auto before = fs::last_write_time(run);
        const Finished ended = runWorkerProgram(command(document(kTiny), "whole"));
        QVERIFY2(ended.status == 0 && ended.says("15 of 15 steps are finished already."), ended.err.c_str());
        QVERIFY(fs::last_write_time(run) == before);
    }

    /// Killed at many places, the experiment ends with the numbers of one that was not.
    void goesOnAfterEveryKill() {
        const fs::path file = document(kTiny);
        int kills = 0;
        while (kills < 40 && !fs::exists(m_root / "killed/table.json"))
            runWorkerProgram(command(file, "killed", {"--seeds", "1"}), 1000 + 300 * kills++);
        QVERIFY2(kills > 2 && kills < 40, std::to_string(kills).c_str());
        const json rows = table("killed")["rows"], whole = table("whole")["rows"];
        for (const std::size_t row : {0, 1})
            QVERIFY(rows[row]["cells"]["wer"]["values"][0] == whole[row]["cells"]["wer"]["values"][0]);
        QVERIFY(rows[0]["cells"]["window"] == whole[0]["cells"]["window"]);
    }

    void whatWasChangedIsRefusedAndNamed() {
        const auto changed = [&](const std::string& from, const std::string& to) {
            return runWorkerProgram(command(document(replaced(kTiny, from, to)), "whole"));
        };
        expectRefused(changed(R"("length.maxUpdates": 10)", R"("length.maxUpdates": 11)"), "length.maxUpdates was 10 and is 11");
        expectRefused(changed(R"("name": "tiny")", R"("name": "other")"), "holds the experiment “tiny”, not “other”");
        const Finished more = runWorkerProgram(command(document(kTiny), "whole", {"--seeds", "3"}));
        expectRefused(more, "seeds was 2 and is 3");
        expectRefused(more, ". Undo this, or choose another folder."); // the window shows it too, and has no --out
        const fs::path recipe = m_root / "documents/recipe.json";
        const std::string was = readSmallFile(recipe, "test");
        writeFile(text(recipe), QByteArray::fromStdString(replaced(was, "\"warmupUpdates\": 5", "\"warmupUpdates\": 6")));
        expectRefused(runWorkerProgram(command(document(kTiny), "whole")), "warmupUpdates was 5 and is 6");
        writeFile(text(recipe), QByteArray::fromStdString(was));
        auto& utterances = m_corpus->utterances("train");
        const auto kept = utterances.front();
        utterances.front().text = "her";
        m_corpus->write("train");
        expectRefused(runWorkerProgram(command(document(kTiny), "whole")), "data › tones was");
        utterances.front() = kept;
        m_corpus->write("train");
    }

    void aStepThatFailsLeavesTheOthers() {
        const std::string wrong = replaced(replaced(kTiny, R"("2 local 3")", R"("2 full")"), R"("length.maxUpdates": 10)",
                                           R"("length.maxUpdates": 10, "data.maxFrames": 5)");
        const Finished ended = runWorkerProgram(command(document(wrong), "failing", {"--seeds", "1"}));
        expectRefused(ended, "The step train-full-seed1 failed: ");
        const json made = table("failing");
        QVERIFY(made["rows"][0]["cells"]["wer"]["ours"].is_null());
        QVERIFY(made["rows"][0]["cells"]["wer"].contains("missing"));
        QVERIFY(made["rows"][0]["cells"]["window"]["ours"].is_number());
    }

    /// It was said to wait: its folder was gone, or empty where the worker refused an option before it began.
    void aDecodingThatIsRefusedHasFailed() {
        const fs::path file = document(replaced(kEachKind, R"("beam": 1, "maxTokens": 4 } ])", R"("ctcBeam": 1, "ctcWeight": 0.5 },
    { "name": "few", "kind": "decode", "model": "mean", "corpus": "tones", "task": "asr", "split": ["dev"], "minTokens": 9, "maxTokens": 4 } ])"));
        expectRefused(runWorkerProgram(command(file, "refused")), "The step wer-seed1 failed: ");
        for (const auto& [id, option] : {std::pair("wer-seed1", "--ctc-beam"), std::pair("few-seed1", "--min-tokens")}) {
            PlannedStep step;
            step.id = id;
            step.step.kind = ExperimentStep::Kind::Decode;
            const StepProgress progress = progressOf(step, {m_root / "refused"});
            QVERIFY2(progress.state == StepProgress::State::Failed, id);
            QVERIFY2(progress.error.find(option) != std::string::npos, progress.error.c_str());
        }
    }

    void aScaleShrinksItAndSaysSo() {
        const Finished ended = runWorkerProgram(command(document(kOneStep), "small", {"--scale", "0.5"}));
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const json made = table("small");
        QVERIFY(made["notes"][0].get<std::string>().starts_with("Scaled by 0.5: "));
        QCOMPARE(made["scale"].get<double>(), 0.5);
        QVERIFY(made["rows"][0]["cells"]["size"]["ours"].get<double>() > 0);
        QVERIFY(fs::exists(m_root / "small/corpora/tones/corpus.json"));
    }

    /// While the queue of a folder of runs computes here, a step waits.
    void stepsTakeTurnsWithTheQueue() {
        const fs::path runs = m_root / "queued";
        fs::create_directories(queueFolder(runs));
        auto turn = FileLock::tryTake(training::turnLock(runs), "test"); // as a queue takes it
        QVERIFY(turn.has_value());
        QProcess process;
        process.start(kWorker, command(document(kOneStep), "turns", {"--queue", text(runs)}));
        QByteArray said;
        const auto waits = [&] {
            said += process.readAllStandardError();
            return said.contains("waits: the queue of ");
        };
        QVERIFY2(QTest::qWaitFor(waits, 180000), said.constData());
        QVERIFY(!fs::exists(m_root / "turns/runs/first-seed1/run.json"));
        turn.reset();
        bool held = false; // while the step was done
        const auto ended = [&] {
            held = held || FileLock::isLocked(training::turnLock(runs));
            return process.state() == QProcess::NotRunning;
        };
        QVERIFY(QTest::qWaitFor(ended, 180000));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(held);
        QVERIFY(table("turns")["rows"][0]["cells"]["size"]["ours"].get<double>() > 0);
        QCOMPARE(said.count("waits: "), 1);
    }

    /// A shipped document of parallel text at the smallest scale: a language model, a text model, both in one search.
    void translationRowsTrainTheirLanguageModel() {
        const QString texts = text(m_root / "texts");
        const Finished made = runWorkerProgram({"corpus", "demo", "--text", "--sentences", "200", "--out", texts});
        QVERIFY2(made.status == 0, made.err.c_str());
        const Finished ended = runWorkerProgram({"experiment", "relaxed-3", "--data", texts, "--out", text(m_root / "translation"), "--seeds", "1",
                                       "--scale", "0.001", "--steps", "extended-bas*"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        for (const json& row : table("translation")["rows"])
            for (const auto& [column, cell] : row["cells"].items()) {
                const bool done = column == "extended" && row["labels"][0].get<std::string>().starts_with("Baseline");
                QCOMPARE(cell["ours"].is_number(), done);
                if (cell.contains("missing") && cell["missing"].is_string())
                    QCOMPARE(cell["missing"].get<std::string>(), std::string("It was left out by --steps."));
            }
        // Such models write nothing that scores, so the first weight is taken; a better score is followed.
        const std::string says = "extended-baseline-seed1: the language model has the weight ";
        QVERIFY2(ended.says(says + "0.05, the best by compound-bleu."), ended.err.c_str());
        const fs::path decoded = m_root / "translation/decoded";
        const fs::path tried = decoded / "extended-baseline-weight-0_15-seed1";
        fs::copy_file(tried / "references.txt", tried / "hypotheses.txt", fs::copy_options::overwrite_existing);
        fs::remove_all(decoded / "extended-baseline-seed1");
        const Finished again = runWorkerProgram({"experiment", "relaxed-3", "--data", texts, "--out", text(m_root / "translation"), "--seeds", "1",
                                       "--scale", "0.001", "--steps", "extended-bas*"});
        QVERIFY2(again.says(says + "0.15, the best by compound-bleu."), again.err.c_str());
        const std::string shown = readSmallFile(m_root / "translation/table.md", "test");
        QVERIFY2(shown.find("stand in for the additional text of the language model.") != std::string::npos, shown.c_str());
        QVERIFY(fs::exists(m_root / "translation/runs/lm-extended/model/model.safetensors"));
        expectRefused(runWorkerProgram({"experiment", "relaxed-3", "--data", texts, "--out", text(m_root / "translation"), "--seeds", "1", "--scale",
                                 "0.001", "--steps", "train-bas"}),
                      "has no step “train-bas”");
    }

    void badInputIsNamed() {
        expectRefused(runWorkerProgram({"experiment", "locality-9", "--data", "/tmp", "--out", text(m_root / "none")}),
                      "There is no experiment “locality-9”. There are ");
        QCOMPARE(runWorkerProgram({"experiment", "locality-2"}).status, 2);
        QCOMPARE(runWorkerProgram({"experiment", "locality-2", "--data", "/tmp", "--out", "/tmp/x", "--scale", "0"}).status, 2);
        const fs::path empty = m_root / "empty";
        fs::create_directories(empty);
        expectRefused(runWorkerProgram({"experiment", text(document(kTiny)), "--data", text(empty), "--out", text(m_root / "none")}),
                      "has no corpus in the folder tones and is none itself.");
        // Said once, however many corpora would be in it, and also where none is needed.
        const QString nosuch = text(m_root / "nosuch");
        for (const char* table : {"locality-2", "shim-5"}) {
            const QStringList start{"experiment", table, "--data", nosuch, "--out", text(m_root / "none")};
            for (const Finished& ended : {runWorkerProgram(start), runWorkerProgram(QStringList(start) << "--hours" << "--rate" << "1000")}) {
                const std::string sentence = "The folder " + nosuch.toStdString() + " does not exist.";
                expectRefused(ended, sentence.c_str());
                QVERIFY2(ended.err.find("nosuch") == ended.err.rfind("nosuch"), ended.err.c_str());
            }
        }
        expectRefused(runWorkerProgram({"experiment", "locality-2", "--data", text(empty), "--out", text(m_root / "none")}),
                      "has no corpus in the folders en-de, en-es, en-it and is none itself.");
        expectRefused(runWorkerProgram({"experiment", "locality-2", "--out", text(m_root / "none")}), "needs corpora. Name their folder with --data.");
        expectRefused(runWorkerProgram(command(document(replaced(kTiny, "\"2 local 3\"", "\"2 local 4\"")), "none")), "Step “train-narrow”: “2 local 4”: a centred window is odd");
        writeFile(text(m_root / "whole/experiment.json"), "{");
        expectRefused(runWorkerProgram(command(document(kTiny), "whole")), "experiment.json");
    }

    void aTableWithoutTrainingsNeedsNoData() {
        const QStringList start{"experiment", "shim-1", "--out", text(m_root / "phones")};
        const Finished ended = runWorkerProgram(start);
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QCOMPARE(table("phones")["rows"][0]["cells"]["class"]["ours"].get<std::string>(), std::string("AA"));
        const Finished given = runWorkerProgram(QStringList(start) << "--data" << text(m_root)); // goes on with the same
        QVERIFY2(given.status == 0 && given.says("The experiment shim-1 needs no corpora. --data is not used."), given.err.c_str());
    }

    /// A step whose corpus is missing, and one that needs it, are no steps, trainings or hours.
    void whatIsLeftOutIsNotCounted() {
        std::string contents = replaced(kOneStep, R"("corpora": [ )", R"("corpora": [ { "name": "absent", "train": ["train"], "validation": ["dev"] }, )");
        contents = replaced(contents, R"("steps": [ )", R"("steps": [
            { "name": "other", "kind": "train", "corpus": "absent", "task": "asr", "architecture": "architecture.json", "recipe": "recipe.json" },
            { "name": "mean", "kind": "average", "run": "other", "checkpoints": 2, "around": "best" }, )");
        const fs::path file = document(contents);
        const QStringList start{"experiment", text(file), "--data", text(m_root), "--out", text(m_root / "fewer")};
        const Finished hours = runWorkerProgram(QStringList(start) << "--hours" << "--rate" << "1000" << "--json");
        QVERIFY2(hours.status == 0, hours.err.c_str());
        const json predicted = json::parse(hours.out)["experiments"][0];
        QCOMPARE(predicted["trainings"].size(), std::size_t(1));
        QCOMPARE(predicted["trainings"][0]["id"].get<std::string>(), std::string("first-seed1"));
        const Finished ended = runWorkerProgram(start);
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QVERIFY2(ended.says(". 1 step, seeds: 1.") && ended.says("Step 1 of 1: first-seed1"), ended.err.c_str());
        QVERIFY2(ended.says("has no corpus in the folder absent and is none itself."), ended.err.c_str());
        const Finished again = runWorkerProgram(start);
        QVERIFY2(again.says("1 of 1 step is finished already."), again.err.c_str());
    }

    void theListNamesTablesAndNeeds() {
        const Finished ended = runWorkerProgram({"experiment", "--list", "--json"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const json listed = json::parse(ended.out);
        QVERIFY(listed["experiments"].size() >= 14);
        for (const json& one : listed["experiments"])
            QVERIFY2(!one["table"].get<std::string>().empty(), one["name"].get<std::string>().c_str());
        const std::string said = runWorkerProgram({"experiment", "--list"}).out;
        QVERIFY(said.find("needs MuST-C v1 in D/en-de") != std::string::npos);
        QVERIFY2(said.find("The documents are in " HEADROOM_SOURCE_DIR "/resources/experiments.") != std::string::npos, said.c_str());
    }
};

HEADROOM_TEST(ExperimentCommandTest)

} // namespace headroom::testing::experiment_command_test

#include "experiment_command_test.moc"
