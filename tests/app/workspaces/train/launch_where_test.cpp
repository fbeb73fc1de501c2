// SPDX-License-Identifier: GPL-3.0-or-later
// Where the launch form starts runs: devices of this machine, places. And what it says of the corpus that goes there, and of what else can be chosen.
#include "app/documents/items/messages.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/parts/forms/form_row.h"
#include "app/places/place_store.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/launch_sources.h"
#include "app/workspaces/train/launch_values.h"
#include "app/workspaces/train/place_card.h"
#include "core/corpus/corpus.h"
#include "core/runs/run_folder.h"
#include "core/text/tokenizer.h"
#include "tests/app/workspaces/train/one_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "tests/support/written_files.h"
#include "widgets/run_monitor/run_words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSet>
#include <QTemporaryDir>
#include <QUndoStack>

#include <algorithm>
#include <fstream>

namespace headroom::testing::launch_where_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// A worker that lists these devices, and knows nothing else.
QString listing(const Desk& desk, const QByteArray& devices) {
    const QString file = toQString(desk.shop.path() / "lister");
    writeScript(file, "cat <<'end'\n{\"format\": \"headroom/devices\", \"version\": 1, \"devices\": [" + devices + "]}\nend");
    return file;
}

/// A form with this corpus, as far as it concerns the data.
LaunchValues withCorpus(const fs::path& corpus) {
    LaunchValues values;
    values.base = values.recipe = TrainWorkshop::smoke();
    values.recipe.task = "asr";
    values.recipe.data.trainSplit = "train";
    values.recipe.data.validationSplit = "dev";
    values.data = corpus;
    values.facts = readDataFacts(corpus, values.recipe, {});
    return values;
}

} // namespace

class LaunchWhereTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void severalGpusAreOneChoiceToo_data() {
        QTest::addColumn<QByteArray>("devices");
        QTest::addColumn<QStringList>("cards");
        const QByteArray cpu = R"({"id": "cpu", "name": "EPYC"})", one = R"(, {"id": "cuda:0", "name": "H200"})",
                         two = R"(, {"id": "cuda:1", "name": "L4"})", old = R"(, {"id": "cuda:1", "name": "K40", "missing": "It is too old."})";
        QTest::newRow("two") << cpu + one + two << QStringList{"cuda:0", "cuda:1", "all"};
        QTest::newRow("one") << cpu + one << QStringList{"cuda:0"};
        QTest::newRow("one of two can be used") << cpu + one + old << QStringList{"cuda:0", "cuda:1"};
    }
    void severalGpusAreOneChoiceToo() {
        QFETCH(QByteArray, devices);
        QFETCH(QStringList, cards);
        Desk desk("good");
        qputenv("HEADROOM_WORKER", listing(desk, devices).toLocal8Bit());
        desk.open();
        desk.devices->look();
        const auto shown = [&] {
            QStringList ids;
            for (const PlaceCard* card : desk.workspace->form()->findChildren<PlaceCard*>())
                if (card->property("device").isValid())
                    ids << card->property("device").toString();
            return ids;
        };
        QTRY_COMPARE_WITH_TIMEOUT(shown(), cards, 60000);
        for (PlaceCard* card : desk.workspace->form()->findChildren<PlaceCard*>())
            if (card->property("device").toString() == cards.last())
                card->click();
        if (cards.last() == QLatin1String("all"))
            QCOMPARE(desk.workspace->form()->chosenDevice(), QStringLiteral("all"));
    }

    /// It was said to be not open while the session opened it.
    void aModelThatIsBeingOpenedIsNoMistake() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        const fs::path model = desk.shop.path() / "model";
        fs::create_directories(model);
        const nlohmann::json draft{{"model", model.string()}};
        form->restoreView({{"draft", draft}});
        const auto mistake = [&] {
            const auto mistakes = form->mistakes();
            const auto found = mistakes.find(QStringLiteral("architecture"));
            return found == mistakes.end() ? QString() : found->second;
        };
        QTRY_VERIFY_WITH_TIMEOUT(mistake().endsWith(QStringLiteral("is not open. Open it, or choose an architecture.")), 60000);
        const ModelId id = desk.session.openModel(model);
        QTRY_COMPARE_WITH_TIMEOUT(mistake(), QString(), 60000);
        QCOMPARE(form->findChild<FormRow*>(QStringLiteral("architecture"))->note(), QStringLiteral("Loading the model…"));
        QVERIFY(!form->launch());
        desk.session.setModelFailed(id, QStringLiteral("It cannot be read."));
        QTRY_VERIFY_WITH_TIMEOUT(!mistake().isEmpty(), 60000);
        QVERIFY(form->viewState()["draft"] == draft);
    }

    void everyCheckpointIsBroughtFromAPlaceOnly() {
        const OnePlace place;
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        auto* every = form->findChild<QCheckBox*>("allCheckpoints");
        QVERIFY(every && every->isHidden());
        form->choosePlace(QStringLiteral("gpu-1"));
        QTRY_VERIFY_WITH_TIMEOUT(!every->isHidden(), 60000);
        form->choosePlace({});
        QTRY_VERIFY_WITH_TIMEOUT(every->isHidden(), 60000);
    }

    /// No row is counted twice, and those of other tasks and splits do not count. One row of train has no text, one recording of dev is
    /// missing.
    void everyRowOfTheCorpusIsCountedOnce() {
        const QTemporaryDir folder;
        LaunchValues values = withCorpus(makeCorpus(folder.path().toStdString()));
        QCOMPARE(values.facts->train, 59);
        QCOMPARE(values.facts->validation, 11);
        QCOMPARE(values.facts->invalidRows, qint64(2));
        QCOMPARE(values.facts->lookedAt, qint64(60 + 11));
        LaunchReport report = validate(values);
        QCOMPARE(report.notes.at(QStringLiteral("data")), QStringLiteral("59 to train on, 11 to validate (10 of them decoded); 2 invalid rows"));
        for (const char* named : {"train_asr.tsv, line 7, train_5: the text is empty.", "dev_asr.tsv, line 4, dev_2: "})
            QVERIFY2(report.invalidRows.contains(QLatin1String(named)), qPrintable(report.invalidRows));
        std::ofstream(values.data / "train_st_de.tsv", std::ios::app) << "wrong\n"; // of another task
        values.facts = readDataFacts(values.data, values.recipe, {});
        QCOMPARE(values.facts->invalidRows, qint64(2));
    }

    /// What the recipe leaves out was counted, and a table without lengths does not hide it.
    void theFormCountsWhatTheRunWillTrainOn() {
        const QTemporaryDir folder;
        LaunchValues values = withCorpus(makeCorpus(folder.path().toStdString()));
        QCOMPARE(values.facts->lengths.size(), std::size_t(59)); // without the one that has no text
        QCOMPARE(values.facts->validationLengths.size(), std::size_t(11));
        std::vector<std::int64_t> sorted = values.facts->lengths;
        std::ranges::sort(sorted);
        values.recipe.data.maxFrames = sorted[30];
        const auto kept = std::ranges::upper_bound(sorted, sorted[30]) - sorted.begin();
        QVERIFY(kept < 59);
        const QString less = 59 - kept == 1 ? QStringLiteral("is") : QStringLiteral("are");
        const QString note = QStringLiteral("%1 to train on, 11 to validate (10 of them decoded); %2 %3 too short or too long for the recipe, 2 invalid rows")
                                 .arg(kept).arg(59 - kept).arg(less);
        QCOMPARE(validate(values).notes.at(QStringLiteral("data")), note);
        values.facts->lengths.clear();
        QVERIFY(validate(values).notes.at(QStringLiteral("data")).startsWith(QStringLiteral("at most 59 to train on")));
        values.facts->lengths = sorted;
        values.recipe.data.maxFrames = sorted.front() - 1;
        const LaunchReport report = validate(values);
        QVERIFY(!report.launch);
        QVERIFY2(report.mistakes.at(QStringLiteral("data")).startsWith(QStringLiteral("No utterance of “train” has between")),
                 qPrintable(report.mistakes.at(QStringLiteral("data"))));
    }

    /// The remedy for one of them named both.
    void onlyTheSplitThatIsMissingIsToBeSet() {
        const QTemporaryDir folder;
        LaunchValues values = withCorpus(makeCorpus(folder.path().toStdString()));
        const auto remedy = [&](const char* train, const char* validation) {
            values.recipe.data.trainSplit = train;
            values.recipe.data.validationSplit = validation;
            return readDataFacts(values.data, values.recipe, {}).mistake.section(QStringLiteral(". "), 1);
        };
        QCOMPARE(remedy("train", "valid"), QStringLiteral("Set data.validationSplit in All values."));
        QCOMPARE(remedy("all", "dev"), QStringLiteral("Set data.trainSplit in All values."));
        QCOMPARE(remedy("all", "valid"), QStringLiteral("Set data.trainSplit and data.validationSplit in All values."));
        QCOMPARE(remedy("train", "dev"), QString());
    }

    /// A run would stop at a recording that cannot be opened, unless its limits leave it out.
    void recordingsThatStopARunAreRefused() {
        const QTemporaryDir folder;
        const fs::path corpus = makeCorpus(folder.path().toStdString());
        std::ofstream(corpus / "audio/no.wav") << "no sound";
        std::ofstream(corpus / "train_asr.tsv", std::ios::app) << "no\taudio/no.wav\t200\tgood\tspeaker1\n"
                                                               << "empty\taudio/empty.wav\t300\tgood\tspeaker1\n";
        std::ofstream(corpus / "audio/empty.wav").close();
        LaunchValues values = withCorpus(corpus);
        values.recipe.data.maxFrames = 250;
        const auto state = [&] {
            const LaunchReport report = validate(values);
            for (const Check& check : report.checks)
                if (check.name == QLatin1String("Data readable"))
                    return check;
            return Check();
        };
        const QString mistake = validate(values).mistakes[QStringLiteral("data")];
        QVERIFY2(mistake.startsWith(QStringLiteral("1 recording would stop a run: no: no.wav is not a recording")), qPrintable(mistake));
        QVERIFY(state().state == Check::State::Failed);
        QCOMPARE(state().value, QStringLiteral("1 unusable recording"));
        values.recipe.data.maxFrames = 3000;
        QCOMPARE(state().value, QStringLiteral("2 unusable recordings"));
        QCOMPARE(state().toolTip.count(u'\n'), 1);
        values.recipe.data.maxFrames = 150;
        QVERIFY(state().state == Check::State::Passed);
        QVERIFY(validate(values).mistakes.count(QStringLiteral("data")) == 0);
    }

    void whatWasChosenIsInTheJobAndInTheCommand() {
        const TrainWorkshop shop;
        Launch launch = shop.launch({1});
        launch.place = "gpu-1";
        launch.allCheckpoints = true;
        QVERIFY(readJob(enqueue(launch).front()).allCheckpoints);
        QVERIFY2(commandLines(launch).front().contains(" --place gpu-1 --all-checkpoints"), qPrintable(commandLines(launch).front()));
        launch = shop.launch({1});
        launch.device = "all";
        QCOMPARE(readJob(enqueue(launch).front()).device, std::string("all"));
        QVERIFY(!readJob(enqueue(launch).front()).allCheckpoints);
        QVERIFY2(commandLines(launch).front().contains(" --device all"), qPrintable(commandLines(launch).front()));
    }

    /// The vocabulary of the demo's model writes small letters only.
    void theFactsOfACorpusSayWhatItsVocabularyLacks() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        headroom::Utterance one, two;
        one.id = "one";
        one.text = "her heavy village";
        two.id = "two";
        two.text = "her “village” ☃";
        one.sourceText = two.sourceText = "her driver";
        CorpusDocument document;
        document.name = "texts";
        document.languages = {"de", "en"};
        document.splits = {"train", "dev"};
        document.tasks = {{"translate", "de", "en", true}};
        writeCorpusDocument(path / "corpus.json", document);
        writeCorpusTable(path, "train", document.tasks.front(), {one, two});
        writeCorpusTable(path, "dev", document.tasks.front(), {one});
        const auto pieces = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/s2t-reference/sentencepiece.bpe.model";
        Recipe recipe = TrainWorkshop::smoke();
        recipe.task = "translate";
        recipe.data.trainSplit = "train";
        recipe.data.validationSplit = "dev";
        QVERIFY(!readDataFacts(path, recipe, {}).unknown); // no vocabulary yet
        QVERIFY(readDataFacts(path, recipe, {}).lengths.empty());
        std::filesystem::copy_file(pieces, path / "translate.sentencepiece.model");
        const DataFacts facts = readDataFacts(path, recipe, {});
        QVERIFY2(facts.mistake.isEmpty(), qPrintable(facts.mistake));
        const Tokenizer tokenizer(pieces); // tokens of the longer side, with </s>
        const auto length = [&](const headroom::Utterance& pair) {
            return static_cast<std::int64_t>(std::max(tokenizer.encode(pair.sourceText).size(), tokenizer.encode(pair.text).size())) + 1;
        };
        QCOMPARE(facts.lengths, (std::vector<std::int64_t>{length(one), length(two)}));
        QCOMPARE(facts.unknown->texts, std::int64_t(3));
        QCOMPARE(facts.unknown->gaps, std::int64_t(1));
        QCOMPARE(facts.unknown->characters.count("☃"), std::size_t(1));
        QCOMPARE(facts.unknown->characters.count("v"), std::size_t(0));
        const auto model = path / "model";
        std::filesystem::create_directory(model);
        for (const char* name : {"sentencepiece.model", "source.sentencepiece.model"})
            std::filesystem::copy_file(pieces, model / name);
        QCOMPARE(readDataFacts(path, recipe, model).unknown->gaps, std::int64_t(1));
        QVERIFY(!readDataFacts(path, recipe, {}).sourceVocabulary);
        std::filesystem::rename(model / "source.sentencepiece.model", path / "translate.source.sentencepiece.model");
        std::filesystem::remove(model / "sentencepiece.model");
        QCOMPARE(readDataFacts(path, recipe, {}).sourceVocabulary, std::optional<int>(tokenizer.size()));
        std::ofstream(model / "vocab.json") << "{\"<pad>\": 0, \"<unk>\": 1, \"|\": 2, \"h\": 3, \"e\": 4, \"r\": 5}";
        QCOMPARE(readDataFacts(path, recipe, model).unknown->gaps, std::int64_t(3));
        std::filesystem::copy_file(pieces, model / "sentencepiece.bpe.model"); // of Hugging Face: it cuts, vocab.json numbers
        QCOMPARE(readDataFacts(path, recipe, model).unknown->gaps, std::int64_t(1));
    }

    /// The opened model and the recipe of the demo are both called demo; three papers have a baseline.
    void architecturesAreToldApartByTheirNames() {
        QUndoStack undo;
        Messages messages;
        Drafts drafts(&undo, &messages);
        const DraftKey opened = drafts.openDocument(TrainWorkshop::resource("recipes/demo.architecture.json"));
        const auto choices = architectureChoices(drafts, {}, {});
        QVERIFY(choices.size() > 30);
        QSet<QString> names;
        for (const ArchitectureChoice& choice : choices) {
            QVERIFY2(!names.contains(choice.name), qPrintable(choice.name));
            names << choice.name;
        }
        QVERIFY(names.contains(drafts.name(opened)));
        QVERIFY(names.contains(QStringLiteral("demo (from its recipe)")));
        QVERIFY(names.contains(QStringLiteral("demo-model (from its recipe)")));
        QVERIFY(names.contains(QStringLiteral("Baseline, Sant et al. 2022")));
    }

    /// Two open models of one name: Models and “Start from” said where they lie, this list did not.
    void draftsAndFilesOfOneNameAreToldApart() {
        const Workshop workshop;
        const TrainWorkshop shop;
        Session session;
        ModelDescription reference = Workshop::info(3);
        reference.name = QStringLiteral("reference");
        for (const char* name : {"data/reference", "moved/reference"})
            session.setModelOpened(session.openModel(workshop.model(name)), reference);
        const fs::path one = shop.text("runs/a/architecture.json", canonicalText(TrainWorkshop::tiny())),
                       other = shop.text("runs/b/architecture.json", canonicalText(TrainWorkshop::tiny()));
        const QString tiny = QString::fromStdString(TrainWorkshop::tiny().name);
        const auto choices = architectureChoices(*session.drafts(), {toQString(one), toQString(other)}, {});
        for (int row = 0; row < 2; ++row)
            QCOMPARE(choices[std::size_t(row)].name, session.models()->at(row).shownName());
        QCOMPARE(choices[0].name, QStringLiteral("data/reference"));
        QCOMPARE(choices[2].name, QStringLiteral("a/") + tiny);
        QCOMPARE(choices[3].name, QStringLiteral("b/") + tiny);
    }

    /// The folder of a session that is opened again is chosen before its model is; both are "model".
    void aModelToStartFromIsNamedOnceAndAsItIsCalled() {
        QTemporaryDir place;
        const fs::path run = toPath(place.path()) / "run", model = RunPaths{run}.model(), other = toPath(place.path()) / "copy" / "model";
        for (const fs::path& folder : {model, other}) {
            fs::create_directories(folder);
            fs::copy_file(TrainWorkshop::resource("recipes/smoke.architecture.json"), folder / "architecture.json");
        }
        widgets::RunItem trained;
        trained.folder = run;
        trained.name = QStringLiteral("demo, layer 8 changed");
        trained.info.state = RunState::Finished;
        trained.hasModel = true;
        QStringList names;
        Session session;
        for (const StartChoice& choice : startChoices(session, {trained}, {toQString(model), toQString(other)}))
            names << choice.name;
        const QString title = widgets::runTitle(trained);
        const QString called = QString::fromStdString(readArchitecture(other / "architecture.json").name);
        QCOMPARE(names, (QStringList{QStringLiteral("Random weights"), title + QStringLiteral(", whole model"),
                                     title + QStringLiteral(", encoder only"), called + QStringLiteral(", whole model"),
                                     called + QStringLiteral(", encoder only")}));
    }

    /// Who opened a file and changed their mind had the first architecture, the first recipe and random weights.
    void whoOpensNothingKeepsTheChoice() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        form->chooseArchitecture(TrainWorkshop::resource("recipes/smoke.architecture.json"));
        form->chooseRecipe(TrainWorkshop::resource("recipes/smoke.json"));
        QVERIFY(form->chooseStart(StartChoice::Kind::Encoder, RunPaths{run}.model()));
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending(), 60000);
        form->askPath = [](const PathAsked&) { return QString(); };
        for (const char* name : {"architecture", "recipe", "start"}) {
            auto* combo = form->findChild<QWidget*>(QLatin1String(name))->findChild<QComboBox*>();
            const QString before = combo->currentText();
            QVERIFY2(combo->currentIndex() > 0, name);
            combo->setCurrentIndex(combo->count() - 1);
            Q_EMIT combo->activated(combo->count() - 1);
            QCOMPARE(combo->currentText(), before);
        }
    }

    /// The weights of a run that was moved away became random ones, without a word; those of a run that eight newer ones followed, too.
    void weightsThatAreGoneAreNotReplacedByRandomOnes() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        const auto finished = [&](int number) {
            const fs::path run = desk.shop.run("2026-11-21T10-0" + std::to_string(number) + "_a", RunState::Finished, std::uint64_t(number));
            desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
            desk.workspace->store()->lookNow();
            (void)QTest::qWaitFor([&] { return desk.workspace->store()->find(run) != nullptr; }, 60000);
            return run;
        };
        const fs::path run = finished(0);
        QVERIFY(form->chooseStart(StartChoice::Kind::Whole, RunPaths{run}.model()));
        const auto* start = form->findChild<QComboBox*>(QStringLiteral("startFrom"));
        const QString chosen = start->currentText();
        QVERIFY(start->currentIndex() > 0);
        for (int number = 1; number < 10; ++number)
            finished(number);
        QCOMPARE(start->currentText(), chosen);
        fs::rename(run, desk.shop.path() / "elsewhere");
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace->store()->find(run), 60000);
        QCOMPARE(start->currentText(), chosen);
        QTRY_VERIFY_WITH_TIMEOUT(form->mistakes().contains(QStringLiteral("start")), 60000);
        QVERIFY2(form->mistakes()[QStringLiteral("start")].contains(QStringLiteral("is no longer in")),
                 qPrintable(form->mistakes()[QStringLiteral("start")]));
    }
};

HEADROOM_TEST(LaunchWhereTest)

} // namespace headroom::testing::launch_where_test

#include "launch_where_test.moc"
