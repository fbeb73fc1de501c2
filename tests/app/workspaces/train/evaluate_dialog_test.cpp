// SPDX-License-Identifier: GPL-3.0-or-later
// The Evaluate dialogue as one sees it.
#include "app/documents/items/paths.h"
#include "app/jobs/device_list.h"
#include "app/parts/availability.h"
#include "app/places/place_store.h"
#include "app/runs/evaluation_names.h"
#include "app/settings/resource_folders.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/evaluate/evaluate_options.h"
#include "core/corpus/corpus.h"
#include "core/places/run_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/pair_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <fstream>

namespace headroom::testing::evaluate_dialog_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class EvaluateDialogTest : public QObject {
    Q_OBJECT

    PlaceStore m_places;
    DeviceList m_devices;

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Each began where any dialogue of the program was last.
    void foldersOfEachKindAreAskedForApart() {
        EvaluateDialog dialog({}, {}, &m_places, &m_devices);
        std::vector<PathAsked> asked;
        dialog.setPathQuestion([&](const PathAsked& one) {
            asked.push_back(one);
            return QString();
        });
        QComboBox* corpus = nullptr;
        for (QComboBox* field : dialog.findChildren<QComboBox*>())
            if (field->itemText(field->count() - 1) == QStringLiteral("Open a corpus…"))
                corpus = field;
        QVERIFY(corpus);
        for (QComboBox* field : {corpus, dialog.options()->languageModelField(), dialog.options()->rulesField()})
            Q_EMIT field->activated(field->count() - 1);
        QCOMPARE(asked.size(), std::size_t(3));
        using FolderOf = AppSettings::FolderOf;
        QVERIFY(asked[0].purpose == FolderOf::Corpora && asked[1].purpose == FolderOf::LanguageModels && asked[2].purpose == FolderOf::MappingRules);
        QVERIFY(asked[1].filter.isEmpty() && asked[2].filter.contains(QStringLiteral("*.glm")));
    }

    /// The worker refuses the tasks of speech, and beams.
    void aLanguageModelHasTasksOfItsOwnAndNoBeams() {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString(), corpus = root / "made", model = root / "LM", texts = root / "texts";
        makeCorpus(corpus);
        std::filesystem::create_directories(model);
        std::filesystem::create_directories(texts);
        std::filesystem::copy_file(resourceFolder() / "recipes/demo-lm.architecture.json", model / "architecture.json");
        std::ofstream(texts / "test_lm.txt") << "the dog sees a cat\n";
        EvaluateDialog dialog({{QStringLiteral("speech"), root / "speech", false, {}, QStringLiteral("asr")},
                               {QStringLiteral("language"), model, false, {}, QStringLiteral("lm")}},
                              {toQString(corpus)}, &m_places, &m_devices);
        dialog.show();
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.sentence().startsWith(QStringLiteral("Decodes 11 utterances")), qPrintable(dialog.sentence()), 60000);
        QCOMPARE(dialog.request()->task, std::string("asr"));
        const QString limit = QStringLiteral("The decoder stops after 200 pieces at the latest.");
        QVERIFY2(dialog.sentence().endsWith(limit), qPrintable(dialog.sentence()));
        dialog.options()->windowField()->setValue(30); // a text may have as many as its windows together
        QVERIFY2(dialog.sentence().endsWith(QStringLiteral("In each window, the decoder stops after 200 pieces at the latest.")), qPrintable(dialog.sentence()));
        dialog.options()->windowField()->setValue(0);
        QVERIFY2(dialog.sentence().endsWith(limit), qPrintable(dialog.sentence()));
        dialog.beamField()->setValue(3); // of another model, the last time
        dialog.options()->ctcWeightField()->setValue(0.25);
        QCOMPARE(evaluationTitle(*dialog.request()), QStringLiteral("Evaluate speech on dev of made, asr, beam 3, CTC weight 0.25"));
        dialog.chooseModel(model);
        QStringList tasks;
        for (int i = 0; i < dialog.taskField()->count(); ++i)
            tasks << dialog.taskField()->itemText(i);
        QCOMPARE(tasks.join(QLatin1Char(' ')), QStringLiteral("lm lm_asr lm_st_de"));
        // A text without its recording counts.
        QVERIFY2(dialog.sentence().startsWith(QStringLiteral("Measures the perplexity of 12 sentences, ")), qPrintable(dialog.sentence()));
        QVERIFY2(!dialog.sentence().contains(limit), qPrintable(dialog.sentence()));
        QCOMPARE(dialog.request()->task, std::string("lm"));
        QCOMPARE(dialog.request()->beam, std::int64_t(1));
        QVERIFY2(reasonOf(dialog.beamField()).contains(QStringLiteral("not decoded")), qPrintable(reasonOf(dialog.beamField())));
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_EVALUATE"); !picture.isEmpty())
            QVERIFY(dialog.grab().save(picture));
        dialog.chooseData(texts); // no corpus
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.sentence().contains(QStringLiteral("the sentences of test")), qPrintable(dialog.sentence()), 60000);
        QCOMPARE(dialog.request()->task, std::string("lm"));
        dialog.chooseModel(root / "speech");
        QVERIFY(!dialog.request());
        dialog.chooseData(corpus);
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.sentence().startsWith(QStringLiteral("Decodes 11 utterances")), qPrintable(dialog.sentence()), 60000);
        QCOMPARE(dialog.request()->beam, std::int64_t(3));
    }

    /// The job failed at its first utterance.
    void aModelOfSpeechIsNotEvaluatedOnParallelText() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), texts = root / "pairs", speech = root / "made", model = root / "demo";
        makePairs(texts, {"test"});
        makeCorpus(speech);
        fs::create_directories(model);
        fs::copy_file(resourceFolder() / "recipes/demo.architecture.json", model / "architecture.json");
        EvaluateDialog dialog({{QStringLiteral("demo"), model, false, {}, QStringLiteral("asr")}}, {toQString(texts)}, &m_places, &m_devices);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isPending() && dialog.taskField()->count() == 1, 60000);
        QVERIFY(!dialog.request() && !dialog.startButton()->isEnabled());
        QCOMPARE(reasonOf(dialog.startButton()),
                 QStringLiteral("This model reads recordings, and “translate” is a task of parallel text. Choose another corpus or task."));
        dialog.chooseData(speech);
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.sentence().startsWith(QStringLiteral("Decodes 11 utterances")), qPrintable(dialog.sentence()), 60000);
        QVERIFY(dialog.request() && dialog.startButton()->isEnabled());
    }

    /// A model of translation was offered the texts of the model that was chosen before it.
    void theTaskIsThatOfTheModel() {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString(), corpus = root / "made";
        makeCorpus(corpus);
        EvaluateDialog dialog({{QStringLiteral("listens"), root / "a", false, {}, QStringLiteral("asr")},
                               {QStringLiteral("translates"), root / "b", false, {}, QStringLiteral("st_de")}},
                              {toQString(corpus)}, &m_places, &m_devices);
        dialog.show();
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.sentence().startsWith(QStringLiteral("Decodes")), qPrintable(dialog.sentence()), 60000);
        QCOMPARE(dialog.request()->task, std::string("asr"));
        for (const auto& [model, task] : {std::pair("b", "st_de"), std::pair("a", "asr")}) {
            dialog.chooseModel(root / model);
            QCOMPARE(dialog.request()->task, std::string(task));
        }
    }

    /// A model of another corpus and task was scored on those of the model before it, and its score looked like a bad one.
    void corpusSplitAndTaskFollowTheModel() {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString(), first = root / "first", second = root / "second";
        makeCorpus(first);
        makeCorpus(second);
        EvaluateDialog dialog({{QStringLiteral("listens"), root / "a", false, first, QStringLiteral("asr")},
                               {QStringLiteral("translates"), root / "b", false, second, QStringLiteral("st_de")}},
                              {toQString(second), toQString(first)}, &m_places, &m_devices);
        dialog.show();
        const auto isFor = [&](const std::filesystem::path& data, const char* split, const char* task) {
            const auto request = dialog.request();
            return request && request->data == data && request->split == split && request->task == task;
        };
        const QString other = QStringLiteral("This model was trained on ");
        QTRY_VERIFY2_WITH_TIMEOUT(isFor(first, "dev", "asr"), qPrintable(dialog.dataField()->currentText()), 60000); // not the first of the list
        dialog.modelField()->setCurrentIndex(1);
        QTRY_VERIFY_WITH_TIMEOUT(isFor(second, "dev", "st_de"), 60000);
        QVERIFY2(!dialog.sentence().contains(other), qPrintable(dialog.sentence()));
        // What was chosen by hand stays, and the note says what the model learnt.
        const auto choose = [](QComboBox* field, const QString& text) {
            const int at = field->findText(text);
            field->setCurrentIndex(at);
            Q_EMIT field->activated(at);
        };
        choose(dialog.splitField(), QStringLiteral("train"));
        choose(dialog.dataField(), QStringLiteral("first"));
        QTRY_VERIFY_WITH_TIMEOUT(isFor(first, "train", "st_de"), 60000);
        QVERIFY2(dialog.sentence().endsWith(other + QStringLiteral("second, st_de.")), qPrintable(dialog.sentence()));
        choose(dialog.taskField(), QStringLiteral("st_de"));
        dialog.modelField()->setCurrentIndex(0);
        QTRY_VERIFY_WITH_TIMEOUT(isFor(first, "train", "st_de"), 60000);
        QVERIFY2(dialog.sentence().endsWith(other + QStringLiteral("first, asr.")), qPrintable(dialog.sentence()));
    }

    /// They were counted, and the job decoded fewer.
    void utterancesWithoutTextAreNotCounted() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), corpus = root / "made";
        makeCorpus(corpus);
        EvaluateDialog dialog({{QStringLiteral("listens"), root / "a", false, corpus, QStringLiteral("asr")}}, {}, &m_places, &m_devices);
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.sentence().startsWith(QStringLiteral("Decodes 11 utterances ")), qPrintable(dialog.sentence()), 60000);
        QVERIFY2(!dialog.sentence().contains(QStringLiteral("without text")), qPrintable(dialog.sentence()));
        dialog.splitField()->setCurrentText(QStringLiteral("train")); // one of its 60 has no text
        QVERIFY2(dialog.sentence().startsWith(QStringLiteral("Decodes 59 utterances ")) &&
                     dialog.sentence().contains(QStringLiteral(" 1 without text is left out.")),
                 qPrintable(dialog.sentence()));
    }

    /// The first corpus of the list was chosen without a word.
    void aCorpusThatWasMovedIsMissed() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), gone = root / "gone", other = root / "other";
        makeCorpus(other);
        EvaluateDialog dialog({{QStringLiteral("listens"), root / "a", false, gone, QStringLiteral("asr")},
                               {QStringLiteral("reads"), root / "b", false, other, QStringLiteral("asr")}},
                              {toQString(other)}, &m_places, &m_devices);
        const QString missing = QStringLiteral("The corpus of this model was not found: %1. Choose another corpus.").arg(toQString(gone));
        QCOMPARE(reasonOf(dialog.startButton()), missing);
        QVERIFY(!dialog.request() && dialog.dataField()->currentIndex() == -1);
        dialog.chooseModel(root / "b");
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.request(), qPrintable(dialog.sentence()), 60000);
        dialog.chooseModel(root / "a");
        QCOMPARE(reasonOf(dialog.startButton()), missing);
        dialog.chooseData(other);
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.request() && dialog.request()->data == other, qPrintable(dialog.sentence()), 60000);
        QVERIFY2(dialog.sentence().endsWith(QStringLiteral("This model was trained on gone, asr.")), qPrintable(dialog.sentence()));
    }

    /// Who opened nothing had no rules, no language model and no corpus any more.
    void whoOpensNothingKeepsTheChoice() {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString(), corpus = root / "made";
        makeCorpus(corpus);
        std::ofstream(root / "rules.glm") << "a => b\n";
        EvaluateDialog dialog({{QStringLiteral("listens"), root / "a", false, {}, QStringLiteral("asr")}}, {toQString(corpus)}, &m_places, &m_devices);
        dialog.options()->chooseRules(root / "rules.glm");
        dialog.options()->chooseLanguageModel(root);
        dialog.show();
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.sentence().startsWith(QStringLiteral("Decodes")), qPrintable(dialog.sentence()), 60000);
        QTimer close; // of the question for a file
        connect(&close, &QTimer::timeout, this, [&] {
            if (auto* asks = qobject_cast<QDialog*>(QApplication::activeModalWidget()); asks && asks != &dialog)
                asks->reject();
        });
        close.start(50);
        int asked = 0;
        for (QComboBox* field : dialog.findChildren<QComboBox*>()) {
            const int last = field->count() - 1;
            if (last < 1 || !field->itemText(last).startsWith(QStringLiteral("Open ")))
                continue;
            const QString before = field->currentText();
            QVERIFY2(!before.startsWith(QStringLiteral("Open ")) && before != QStringLiteral("None"), qPrintable(before));
            field->setCurrentIndex(last);
            Q_EMIT field->activated(last);
            QCOMPARE(field->currentText(), before);
            ++asked;
        }
        QCOMPARE(asked, 3);
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.sentence().startsWith(QStringLiteral("Decodes")), qPrintable(dialog.sentence()), 60000);
    }

    void theOptionsOfDecodingAreAskedForAndRemembered() {
        const Desk desk("good");
        const fs::path model = desk.shop.path() / "m", rules = desk.shop.path() / "rules.glm";
        desk.shop.text(rules, "");
        EvaluateDialog dialog({{QStringLiteral("m"), model, false, {}, {}}}, {}, &m_places, &m_devices);
        dialog.chooseData(desk.shop.corpus());
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isPending(), 60000);
        const EvaluateOptions* options = dialog.options();
        QVERIFY(!options->lengthPenaltyField()->isEnabled() && !reasonOf(options->lengthPenaltyField()).isEmpty());
        QVERIFY(dialog.request()->operator==([&] { // nothing is asked for but the beams
            EvaluationRequest plain;
            plain.model = model;
            plain.data = dialog.request()->data;
            plain.split = "all";
            plain.task = dialog.request()->task;
            return plain;
        }()));
        dialog.beamField()->setValue(4);
        options->opener()->setChecked(true);
        options->lengthPenaltyField()->setValue(0.6);
        options->coverageWeightField()->setValue(-0.05);
        QCOMPARE(options->coverageWeightField()->text(), QStringLiteral("−0.05")); // as numbers are shown
        for (const auto& typed : {QStringLiteral("-0.25"), QStringLiteral("−0.25")}) {
            options->coverageWeightField()->setValue(1);
            options->coverageWeightField()->findChild<QLineEdit*>()->setText(typed);
            options->coverageWeightField()->interpretText();
            QCOMPARE(options->coverageWeightField()->value(), -0.25);
        }
        options->coverageWeightField()->setValue(0.05);
        options->nBestField()->setValue(2);
        options->ctcWeightField()->setValue(0.3);
        QVERIFY(!options->languageModelWeightField()->isEnabled());
        dialog.options()->chooseLanguageModel(desk.shop.path());
        options->languageModelWeightField()->setValue(0.4);
        dialog.options()->chooseRules(rules);
        const auto wanted = dialog.request();
        QCOMPARE(wanted->lengthPenalty, 0.6);
        QCOMPARE(wanted->coverageWeight, 0.05);
        QCOMPARE(wanted->nBest, std::int64_t(2));
        QCOMPARE(wanted->ctcWeight, 0.3);
        QCOMPARE(wanted->languageModel, desk.shop.path());
        QCOMPARE(wanted->languageModelWeight, 0.4);
        QCOMPARE(wanted->glm, rules);
        options->ctcWeightField()->setValue(1); // the worker refuses a coverage without the decoder
        QVERIFY(!options->coverageWeightField()->isEnabled() && !reasonOf(options->coverageWeightField()).isEmpty());
        QCOMPARE(dialog.request()->coverageWeight, 0.0);
        options->ctcWeightField()->setValue(0.3);
        QVERIFY(options->coverageWeightField()->isEnabled());
        options->windowField()->setValue(30);
        QVERIFY(!options->nBestField()->isEnabled());
        QCOMPARE(dialog.request()->window, 30.0);
        EvaluateDialog next({{QStringLiteral("m"), model, false, {}, {}}}, {}, &m_places, &m_devices);
        next.restore(dialog.state());
        next.chooseData(desk.shop.corpus());
        QTRY_VERIFY_WITH_TIMEOUT(!next.isPending(), 60000);
        QVERIFY(*next.request() == *dialog.request());
        QVERIFY(next.options()->opener()->isChecked());
    }

    void aModelWithoutADecoderIsSearchedByPrefixes() {
        const Desk desk("good");
        const fs::path model = desk.shop.path() / "ctc";
        fs::create_directories(model);
        fs::copy_file(fs::path(HEADROOM_SOURCE_DIR) / "resources/architectures/shim-2h4x8.json", model / "architecture.json");
        EvaluateDialog dialog({{QStringLiteral("m"), model, false, {}, {}}}, {}, &m_places, &m_devices);
        dialog.chooseData(desk.shop.corpus());
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isPending(), 60000);
        dialog.beamField()->setValue(8);
        QCOMPARE(dialog.request()->ctcBeam, std::int64_t(8));
        QCOMPARE(dialog.request()->beam, std::int64_t(1));
        QVERIFY(!dialog.options()->ctcWeightField()->isEnabled() && !dialog.options()->lengthPenaltyField()->isEnabled());
        QVERIFY(dialog.options()->nBestField()->isEnabled());
    }

    void aRunElsewhereIsEvaluatedOnTheCorpusHere() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1"), corpus = desk.shop.corpus();
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        RunPlace place;
        place.place.name = place.place.host = "gpu-1";
        place.place.folder = "~/headroom";
        place.data = corpus.string();
        writeRunPlace(run, place);
        const auto chosen = [&] {
            EvaluateDialog* dialog = desk.workspace->askEvaluation(RunPaths{run}.model());
            if (!QTest::qWaitFor([&] { return !dialog->isPending(); }, 60000))
                return fs::path();
            const auto wanted = dialog->request();
            delete dialog;
            return wanted ? wanted->data : fs::path();
        };
        QTRY_COMPARE_WITH_TIMEOUT(chosen(), corpus, 60000);
        place.data.clear(); // unknown: its path there is not offered
        writeRunPlace(run, place);
        QTRY_COMPARE_WITH_TIMEOUT(chosen(), fs::path(), 60000);
    }

    void aCorpusThatIsNoneIsSaidInTheDialogue() {
        Desk desk("good");
        EvaluateDialog* dialog = desk.workspace->askEvaluation();
        QVERIFY(!dialog->request());
        QVERIFY(dialog->sentence().contains(QStringLiteral("No trained model yet")));
        dialog->chooseData(desk.shop.path() / "nowhere");
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending(), 60000);
        QVERIFY(!dialog->startButton()->isEnabled());
        delete dialog;
    }

    /// They have no weights, and the job failed.
    void importedMapsAreNoModelToEvaluate() {
        Desk desk("good");
        desk.shop.text(desk.shop.path() / "maps.npz", "maps");
        QVERIFY(desk.session.models()->find(desk.session.openModel(desk.shop.path() / "maps.npz"))->maps);
        const std::unique_ptr<EvaluateDialog> dialog(desk.workspace->askEvaluation());
        QVERIFY2(dialog->sentence().contains(QStringLiteral("No trained model yet")), qPrintable(dialog->sentence()));
        QCOMPARE(dialog->modelField()->findText(QStringLiteral("maps")), -1);
    }
};

HEADROOM_TEST(EvaluateDialogTest)

} // namespace headroom::testing::evaluate_dialog_test

#include "evaluate_dialog_test.moc"
