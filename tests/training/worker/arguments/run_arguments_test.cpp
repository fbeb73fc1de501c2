// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/experiment_options.h"
#include "core/commands/worker_commands.h"
#include "core/studies/settings.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"
#include "training/worker/arguments/experiment_arguments.h"
#include "training/worker/arguments/run_arguments.h"
#include "training/worker/arguments/study_arguments.h"

#include <CLI/CLI.hpp>
#include <QtTest>

#include <algorithm>

namespace headroom::testing::run_arguments_test {

namespace {

/// A command line as the worker's parser takes it; "" or what the parser said.
std::string parsed(CLI::App& app, std::vector<std::string> words) {
    std::reverse(words.begin(), words.end()); // as CLI11 wants them
    try {
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        return std::string(error.get_name()) + ": " + error.what();
    }
    return {};
}

TrainOptions trainAgain(const TrainOptions& options) {
    CLI::App app;
    TrainOptions again;
    bool json = false;
    auto* command = training::declareTrainArguments(app, again, json);
    command->callback([&, command] { training::checkTrainArguments(*command, again); });
    const std::string mistake = parsed(app, arguments(options));
    if (!mistake.empty())
        again.run = mistake;
    return again;
}

StudyOptions studyAgain(const StudyOptions& options) {
    CLI::App app;
    StudyOptions again;
    training::declareStudyArguments(app, again)->callback([&] { training::checkStudyArguments(again); });
    const std::string mistake = parsed(app, arguments(options));
    if (!mistake.empty())
        again.kind = mistake;
    return again;
}

std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

} // namespace

/// What core/commands writes, the worker's own parser reads as the same values.
class WorkerArgumentsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The parser said first that a subcommand is missing.
    void whatIsNotExpectedIsNamedBeforeWhatIsMissing() {
        for (const QStringList& arguments : {QStringList{"--bad"}, QStringList{"places", "--bad"}, QStringList{"features", "--bad"}}) {
            const auto done = runWorkerProgram(arguments);
            QCOMPARE(done.status, 2);
            QVERIFY2(done.says("not expected: --bad"), done.err.c_str());
        }
        const auto place = runWorkerProgram({"places", "foo"});
        QCOMPARE(place.status, 2);
        QVERIFY2(place.says("not expected: foo"), place.err.c_str());
        const auto missing = runWorkerProgram({"places"});
        QCOMPARE(missing.status, 2);
        QVERIFY2(missing.says("A subcommand is required"), missing.err.c_str());
        const auto needs = runWorkerProgram({"bench", "train"});
        QCOMPARE(needs.status, 2);
        QVERIFY2(needs.says("train: needs --data and --architecture"), needs.err.c_str());
    }

    void trainIsReadAsItWasWritten() {
        TrainOptions options;
        options.architecture = "/a/local 17.json";
        options.recipe = "/r/ls100.json";
        options.data = "/c/demo";
        options.run = "/runs/one";
        QVERIFY(trainAgain(options) == options);
        options.startFrom = "/m/asr:encoder";
        options.seed = 3;
        options.set = {"optimiser.learningRate=0.001", "data.trainSplit=\"train a\""};
        QVERIFY(trainAgain(options) == options);
        QCOMPARE(joined(arguments(options)),
                 std::string("train --architecture /a/local 17.json --recipe /r/ls100.json --data /c/demo --run "
                             "/runs/one --start-from /m/asr:encoder --seed 3 --set optimiser.learningRate=0.001 "
                             "--set data.trainSplit=\"train a\""));
        options.resume = true;
        QVERIFY(trainAgain(options) == options);
        options.seed.reset();
        options.seeds = "1,2,3";
        QVERIFY(trainAgain(options).run.string().find("--place") != std::string::npos); // here they take turns in the queue
        options.place = "cluster";
        QVERIFY(trainAgain(options) == options);
        options.device = "cuda:1";
        options.ranks = 4;
        QVERIFY(trainAgain(options) == options);
        TrainOptions goesOn;
        goesOn.run = "/runs/one";
        goesOn.resume = true;
        QVERIFY(trainAgain(goesOn) == goesOn);
        QCOMPARE(joined(arguments(goesOn)), std::string("train --run /runs/one --resume"));
        goesOn.resume = false; // then the worker says what is missing
        QVERIFY(trainAgain(goesOn).run.string().find("--architecture") != std::string::npos);
    }

    void studyIsReadAsItWasWritten() {
        StudyOptions options;
        options.kind = "windows";
        options.models = {"/m/one", "/m/my model"};
        options.names = {"demo, seed 1", "-"};
        options.data = "/c/demo";
        options.out = "/s/x";
        QVERIFY(studyAgain(options) == options);
        options.split = "test";
        options.task = "asr";
        options.utterances = 7;
        options.seed = 18446744073709551615U;
        options.set = {"threshold=0.02", "source=\"attention\""};
        options.figures = options.json = true;
        options.threads = 3;
        options.place = "gpu-1";
        options.cache = "/tmp/cache";
        options.draft = "/a/local.json";
        options.device = "cuda:1";
        QVERIFY(studyAgain(options) == options);

        StudyOptions recordings;
        recordings.kind = "heads";
        recordings.models = {"/m/one"};
        recordings.audio = {"/r/a b.wav", "/r/c.wav"};
        recordings.out = "/s/y";
        QVERIFY(studyAgain(recordings) == recordings);
        QCOMPARE(joined(arguments(recordings)),
                 std::string("study heads --model /m/one --audio /r/a b.wav /r/c.wav --seed 1 --out /s/y"));
        recordings.alignments = {"/r/a b phones.TextGrid", kNoAlignment};
        recordings.ids = {"a-1", "-c"};
        QVERIFY(studyAgain(recordings) == recordings);
        recordings.alignments.pop_back();
        QVERIFY2(studyAgain(recordings).kind.find("--alignment") != std::string::npos, studyAgain(recordings).kind.c_str());
        recordings.alignments.clear();
        recordings.ids.pop_back();
        QVERIFY2(studyAgain(recordings).kind.find("--id") != std::string::npos, studyAgain(recordings).kind.c_str());

        StudyOptions texts;
        texts.kind = "windows";
        texts.models = {"/m/text"};
        texts.texts = {"The dog sleeps.", "-Why?", "--data"};
        texts.out = "/s/t";
        QVERIFY(studyAgain(texts) == texts);
        texts.audio = {"/r/c.wav"};
        QVERIFY2(studyAgain(texts).kind.find("replaces --data and --audio") != std::string::npos, studyAgain(texts).kind.c_str());

        StudyOptions maps;
        maps.kind = "diagonality";
        maps.maps = "/maps";
        maps.out = "/s/z";
        QVERIFY(studyAgain(maps) == maps);

        StudyOptions latency;
        latency.kind = "latency";
        latency.models = {"/a/local.json"};
        latency.set = {"lengths=[64,128]"};
        latency.out = "/s/l";
        QVERIFY(studyAgain(latency) == latency);
    }

    void aStudyThatGoesOnIsReadAsItWasWritten() {
        StudyOptions options;
        options.resume = true;
        options.resumed = "/s/x";
        QVERIFY(studyAgain(options) == options);
        QCOMPARE(joined(arguments(options)), std::string("study --resume /s/x"));
        options.cache = "/tmp/cache";
        options.threads = 2;
        options.json = options.figures = true;
        QVERIFY(studyAgain(options) == options);
        StudyOptions inItsFolder;
        inItsFolder.resume = true;
        inItsFolder.out = "/s/x";
        QVERIFY(studyAgain(inItsFolder) == inItsFolder);
    }

    void theHelpOfAKindListsItsSettings() {
        for (const char* kind : {"windows", "diagonality", "heads", "phones", "probe", "latency"}) {
            CLI::App app;
            StudyOptions options;
            auto* command = training::declareStudyArguments(app, options);
            const std::string said = parsed(app, {"study", kind, "--help"});
            QVERIFY2(said.starts_with("CallForHelp"), said.c_str());
            const std::string help = command->help();
            QVERIFY2(help.find(studySettingsHelp(studyKind(kind))) != std::string::npos, help.c_str());
        }
        CLI::App app;
        StudyOptions options;
        auto* command = training::declareStudyArguments(app, options);
        QVERIFY(parsed(app, {"study", "--help"}).starts_with("CallForHelp"));
        QVERIFY(command->help().find("study KIND --help") != std::string::npos);
    }

    void queueIsReadAsItWasWritten() {
        for (const bool stay : {false, true}) {
            const QueueOptions options{"/my runs", stay};
            CLI::App app;
            QueueOptions again;
            training::declareQueueArguments(app, again);
            QCOMPARE(parsed(app, arguments(options)), std::string());
            QVERIFY(again == options);
        }
    }

    void theDemoCorpusIsReadAsItWasWritten() {
        CorpusOptions whole;
        whole.out = "/c/new demo";
        CorpusOptions other = whole;
        other.minutes = 0.35;
        other.seed = 7;
        other.processes = 2;
        other.invented = 0.125;
        CorpusOptions text = whole;
        text.text = true;
        text.sentences = 300;
        for (const CorpusOptions& options : {whole, other, text}) {
            CLI::App app;
            CorpusOptions again;
            bool json = false;
            training::declareDemoArguments(*app.add_subcommand("corpus"), again, json);
            QCOMPARE(parsed(app, arguments(options)), std::string());
            QVERIFY(again == options);
        }
    }

    void experimentsAreReadAsTheyAreWritten() {
        ExperimentOptions named, list, whole, hours;
        hours.list = hours.hours = true;
        hours.rate = 1200.5;
        list.list = true;
        named.name = "locality-2";
        named.data = "/d/must c";
        named.out = "/e/one";
        whole = named;
        whole.seeds = 3;
        whole.scale = 0.01;
        whole.queue = "/runs";
        whole.place = "gpu";
        whole.steps = {"train-*", "bleu-full"};
        for (const ExperimentOptions& options : {list, named, whole, hours}) {
            CLI::App app;
            ExperimentOptions again;
            training::declareExperimentArguments(app, again)->callback([&] { training::checkExperimentArguments(again); });
            QCOMPARE(parsed(app, arguments(options)), std::string());
            QVERIFY(again == options);
        }
    }
};

HEADROOM_TEST(WorkerArgumentsTest)

} // namespace headroom::testing::run_arguments_test

#include "run_arguments_test.moc"
