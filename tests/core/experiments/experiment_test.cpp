// SPDX-License-Identifier: GPL-3.0-or-later
// Documents of experiments: reading, variables, plans, scale, tables; and the ones that are shipped.
#include "core/experiments/plan.h"
#include "core/experiments/result_table.h"
#include "core/experiments/scale.h"
#include "core/runs/strict_json.h"
#include "tests/core/experiments/experiment_documents.h"
#include "tests/support/runner.h"
#include "tests/support/shared_data.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <QtTest>

namespace headroom::testing::experiment_test {

namespace {

namespace fs = std::filesystem;

const ExperimentFolders kResources{HEADROOM_SOURCE_DIR "/resources", {}};

std::string changed(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    if (at == std::string::npos)
        throw std::runtime_error("The test replaces what is not there: " + from);
    return text.replace(at, from.size(), to);
}

/// Where a table of a paper is in the papers' data: the file, its value of "table", and which columns ours have.
struct PrintedTable {
    const char *experiment, *file, *table;
    std::vector<std::pair<const char*, const char*>> columns; ///< column of ours, "+std" for the deviation; of theirs
    bool sorted = false; ///< their rows are in another order: the numbers are compared as sets
};

const std::vector<PrintedTable>& printedTables() {
    using Columns = std::vector<std::pair<const char*, const char*>>;
    const Columns windows{{"mu", "mu_tokens"}, {"sigma", "sigma_tokens"}, {"window", "window_tokens"}, {"cl", "cl_mean"}, {"clstd", "cl_std"}};
    const Columns wer{{"dev-clean", "dev_clean_wer_percent"}, {"dev-other", "dev_other_wer_percent"},
                      {"test-clean", "test_clean_wer_percent"}, {"test-other", "test_other_wer_percent"}};
    static const std::vector<PrintedTable> all{
        {"locality-1", "locality-windows.tsv", "Table 1", windows},
        {"locality-2", "locality-results.tsv", "Table 2", {{"bleu", "bleu_mean"}, {"bleu+std", "bleu_std"}}},
        {"locality-3", "locality-windows.tsv", "Table 3", windows},
        {"locality-4", "locality-windows.tsv", "Table 4", windows},
        {"shim-1", "shim-phones.tsv", "Table 1", {{"class", "class"}}},
        {"shim-2", "shim-reuse-wer.tsv", "Table 2", wer},
        {"shim-3", "shim-reuse-latency.tsv", "Table 3", {{"latency", "latency_ms"}, {"speedup", "speedup"}}},
        {"shim-5", "shim-training.tsv", "Table 5", {{"value", "value"}}},
        {"shim-6", "shim-masked-wer.tsv", "Table 6", wer},
        {"multiformer-1", "multiformer-results.tsv", "Table 1",
         {{"en-de", "bleu"}, {"en-fr", ""}, {"en-es", ""}, {"delta-en-de", "delta_bleu"}, {"delta-en-fr", ""}, {"delta-en-es", ""},
          {"percent-en-de", "delta_percent"}, {"percent-en-fr", ""}, {"percent-en-es", ""}, {"average", ""}}, true},
        {"multiformer-2", "multiformer-architectures.tsv", "Table 2",
         {{"local_attention", "layer_heads"}, {"conv_attention", ""}, {"multiformer_lc", ""}, {"multiformer_v1", ""}, {"multiformer_v2", ""}}, true},
        {"relaxed-1", "relaxed-asr.tsv", "Table 1",
         {{"dev-clean", "without_lm_dev_clean_wer_percent"}, {"dev-other", "without_lm_dev_other_wer_percent"},
          {"test-clean", "without_lm_test_clean_wer_percent"}, {"test-other", "without_lm_test_other_wer_percent"},
          {"lm-dev-clean", "with_lm_dev_clean_wer_percent"}, {"lm-dev-other", "with_lm_dev_other_wer_percent"},
          {"lm-test-clean", "with_lm_test_clean_wer_percent"}, {"lm-test-other", "with_lm_test_other_wer_percent"}}},
        {"relaxed-3", "relaxed-mt.tsv", "Table 3",
         {{"none", "without_lm_test_bleu"}, {"transcripts", "with_lm_training_transcripts_test_bleu"},
          {"extended", "with_extended_lm_test_bleu"}}},
        {"relaxed-5", "relaxed-ablations.tsv", "Table 5", {{"dev-clean", "value"}, {"dev-other", ""}, {"test-clean", ""}, {"test-other", ""}}},
        {"relaxed-7", "relaxed-ablations.tsv", "Table 7", {{"test-clean", "value"}, {"test-other", ""}, {"bleu", ""}}},
        {"relaxed-8", "relaxed-ablations.tsv", "Table 8",
         {{"dev-clean", "value"}, {"dev-other", ""}, {"test-clean", ""}, {"test-other", ""}, {"bleu", ""}}},
    };
    return all;
}

std::vector<QMap<QString, QString>> rowsOfTable(const fs::path& file, const QString& table) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    const QStringList head = QString::fromStdString(line).split('\t');
    std::vector<QMap<QString, QString>> rows;
    while (std::getline(in, line)) {
        const QStringList cells = QString::fromStdString(line).split('\t');
        QMap<QString, QString> row;
        for (qsizetype i = 0; i < head.size(); ++i)
            row[head[i]] = cells.value(i);
        // Tables 7 and 8 have more than speech and translation.
        const QString task = row.value("task", "asr");
        if (row["table"] == table && (task == "asr" || task == "machine translation"))
            rows.push_back(row);
    }
    return rows;
}

QStringList printedOf(const Experiment& experiment, const PrintedTable& table) {
    QStringList printed;
    for (const ExperimentRow& row : experiment.rows)
        for (const auto& [ours, theirs] : table.columns) {
            const QString key = QString(ours).section('+', 0, 0);
            for (const auto& [column, cell] : row.cells)
                if (QString::fromStdString(column) == key)
                    printed << QString::fromStdString(QString(ours).endsWith("+std") ? cell.printedDeviation : cell.printed);
        }
    printed.removeAll(QString());
    return printed;
}

} // namespace

class ExperimentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A folder with a language model is asked for only where a step decodes with one that no step trains.
    void needsNameNoModelThatAStepTrains() {
        for (const auto& file : experimentFiles(kResources.resources)) {
            const Experiment one = readExperiment(file);
            for (const std::string& need : one.needs) {
                const bool isUsed = std::any_of(one.steps.begin(), one.steps.end(), [&](const ExperimentStep& step) {
                    return !step.languageModel.empty() && !one.find(step.languageModel) && need.find("D/" + step.languageModel) != std::string::npos;
                });
                QVERIFY2(isUsed || need.find("D/language-model") == std::string::npos, (one.name + ": " + need).c_str());
            }
        }
    }

    void variablesRepeatWhatMentionsThem() {
        const Experiment experiment = parseExperiment(kSmallExperiment, "small.json");
        QCOMPARE(experiment.steps.size(), std::size_t(6));
        QCOMPARE(experiment.steps[2].name, std::string("st-de"));
        QVERIFY(experiment.steps[2].heads.front() == std::pair(std::string("2-3"), std::string("4 local 7")));
        QCOMPARE(experiment.rows[1].labels.front(), std::string("Spanish"));
        QCOMPARE(experiment.corpora[1].target, std::string("es"));
    }

    void mistakesAreNamed_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < mistakenExperiments().size(); ++i)
            QTest::newRow(mistakenExperiments()[i].to) << int(i);
    }
    void mistakesAreNamed() {
        QFETCH(int, index);
        const MistakenExperiment& mistake = mistakenExperiments()[static_cast<std::size_t>(index)];
        try {
            parseExperiment(changed(kSmallExperiment, mistake.from, mistake.to), "small.json");
            QFAIL("it was taken");
        } catch (const Error& error) {
            const std::string said = error.what();
            QVERIFY2(error.code() == mistake.code, (error.code() + ": " + said).c_str());
            QVERIFY2(said.starts_with("small.json") && said.find(mistake.sentence) != std::string::npos, said.c_str());
        }
    }

    void aPlanHasEverySeedAndItsDocuments() {
        const auto plan = planExperiment(parseExperiment(kSmallExperiment, "small.json"), 3, 1, kResources);
        QCOMPARE(plan.steps.size(), std::size_t(2 + 2 * 3 + 2 * 3)); // asr once
        const PlannedStep* step = plan.find("st-de-seed2");
        QVERIFY(step && step->needs == std::vector<std::string>{"asr-de"});
        QCOMPARE(step->recipe.machine.seed, 2);
        QCOMPARE(step->recipe.optimiser.learningRate, 0.001);
        QCOMPARE(toText(step->architecture.encoder.layers[2].heads), std::string("4 local 7"));
        QCOMPARE(toText(step->architecture.encoder.layers[3].heads), std::string("4 full"));
        QVERIFY(plan.find("bleu-es-seed3")->needs == std::vector<std::string>{"st-es-seed3"});
        try {
            planExperiment(parseExperiment(changed(kSmallExperiment, "2-3", "2-13"), "small.json"), 1, 1, kResources);
            QFAIL("layer 13 of 12 was taken");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("has 12 layers") != std::string::npos, error.what());
        }
    }

    void differencesOfPlansAreNamed() {
        const auto planOf = [](const std::string& text, int seeds) {
            return toJson(planExperiment(parseExperiment(text, "small.json"), seeds, 1, kResources));
        };
        const auto was = planOf(kSmallExperiment, 3);
        QVERIFY(planDifferences(was, planOf(kSmallExperiment, 3)).empty());
        const auto seeds = planDifferences(was, planOf(kSmallExperiment, 4));
        QCOMPARE(seeds.front(), std::string("seeds was 3 and is 4"));
        const auto rate = planDifferences(was, planOf(changed(kSmallExperiment, "0.001", "0.002"), 3), 100);
        QVERIFY(std::count(rate.begin(), rate.end(), "steps › st-de-seed1 › recipe › optimiser › learningRate was 0.001 and is 0.002") == 1);
    }

    void aScaleKeepsWhatTheTableIsAbout() {
        for (const double scale : {1.0, 0.5, 0.1, 0.01, 0.001})
            for (const auto& entry : fs::directory_iterator(kResources.resources / "architectures")) {
                if (entry.path().extension() != ".json")
                    continue;
                const Architecture whole = readArchitecture(entry.path()), small = scaled(whole, scale);
                // It is a valid document.
                QVERIFY2(parseArchitecture(canonicalText(small), "scaled") == small, entry.path().c_str());
                QVERIFY(scale < 1 || small == whole);
                QVERIFY(small.encoder.width <= whole.encoder.width);
                QVERIFY(small.encoder.layers == whole.encoder.layers);
            }
        const Recipe recipe = readRecipe(kResources.resources / "recipes/locality-2022.json");
        const Recipe small = scaled(recipe, 0.01);
        QCOMPARE(small.length.maxUpdates, 50); // 50,000 · S √S
        QCOMPARE(small.optimiser.warmupUpdates, 10);
        QCOMPARE(small.optimiser.accumulate, 1);
        QCOMPARE(small.data.maxBatchFrames, 3200); // 40,000 × 8 / 100
        QVERIFY(parseRecipe(canonicalText(small), "scaled") == small);
        QCOMPARE(scaledUtterances(100000, 0.01, true), 1000);
        QCOMPARE(scaledUtterances(100, 0.01, true), 64);
        QCOMPARE(scaledUtterances(10, 0.01, true), 10);
        QCOMPARE(scaledSearch(60, 0.01), 6);
    }

    void meansAndDeviationsAreShown() {
        QCOMPARE(oursText({{1, 2, 3}, {}, {}, {}, {}, {}}, 2), std::string("2.00 ± 1.00")); // of the sample, n − 1
        QCOMPARE(oursText({{22.456}, {}, {}, 0.0312, {}, {}}, 2), std::string("22.46 (p = 0.031)"));
        QCOMPARE(oursText({{-0.001}, {}, {}, 0.0002, {}, {}}, 2), std::string("0.00 (p < 0.001)"));
        QCOMPARE(oursText({}, 2), std::string("–"));
        Experiment experiment = parseExperiment(kSmallExperiment, "small.json");
        ResultTable table{&experiment, 1, 2, {{{{20, 22}, {}, {}, {}, {}, {}}}, {{}}}, {"A note with | and _."}};
        const std::string shown = markdownText(table);
        QVERIFY2(shown.find("| German | 22.53 ± 0.15 | 21.00 ± 1.41 |\n| Spanish | 22.53 ± 0.15 | – |\n") != std::string::npos, shown.c_str());
        QVERIFY2(shown.find("- A note with \\| and \\_.") != std::string::npos, shown.c_str());
        const auto document = tableDocument(table);
        QCOMPARE(document["rows"][0]["cells"]["bleu"]["ours"].get<double>(), 21.0);
        QVERIFY(document["rows"][1]["cells"]["bleu"]["ours"].is_null());
        QVERIFY(latexText(table).find("22.53 $\\pm$ 0.15 & 21.00 $\\pm$ 1.41") != std::string::npos);
        // Numbers stand at the right of their column, texts at the left.
        QVERIFY(latexText(table).find("\\begin{tabular}{lrr}") != std::string::npos);
        QVERIFY(shown.find("| --- | ---: | ---: |\n") != std::string::npos);
        table.rows[1][0].text = "4 local 17";
        QVERIFY(latexText(table).find("\\begin{tabular}{lrl}") != std::string::npos);
        QVERIFY(markdownText(table).find("| --- | ---: | --- |\n") != std::string::npos);
    }

    void everyShippedDocumentCanBePlanned() {
        const auto files = experimentFiles(kResources.resources);
        QVERIFY(files.size() >= 14);
        for (const fs::path& file : files) {
            const Experiment experiment = readExperiment(file);
            QCOMPARE(experiment.name, file.stem().string());
            for (const double scale : {1.0, 0.01}) {
                const ExperimentPlan plan = planExperiment(experiment, experiment.seeds, scale, kResources);
                for (const PlannedStep& step : plan.steps)
                    if (step.hasDocuments())
                        QVERIFY2(parseRecipe(canonicalText(step.recipe), step.id) == step.recipe, step.id.c_str());
            }
            for (const ExperimentRow& row : experiment.rows)
                for (const auto& [column, cell] : row.cells) {
                    if (!cell.recipe.empty())
                        recipeNamed(cell.recipe, kResources);
                    if (!cell.architecture.empty())
                        architectureNamed(cell.architecture, kResources);
                }
        }
    }

    void printedNumbersAreThePapers_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < printedTables().size(); ++i)
            QTest::newRow(printedTables()[i].experiment) << int(i);
    }
    void printedNumbersAreThePapers() {
        if (sharedData().empty())
            QSKIP(kNoSharedData);
        QFETCH(int, index);
        const PrintedTable& table = printedTables()[static_cast<std::size_t>(index)];
        const Experiment experiment =
            readExperiment(kResources.resources / "experiments" / (std::string(table.experiment) + ".json"));
        QStringList ours = printedOf(experiment, table), theirs;
        for (const auto& row : rowsOfTable(sharedData() / "papers" / table.file, table.table))
            for (const auto& [mine, column] : table.columns)
                if (*column)
                    theirs << row[column];
        theirs.removeAll(QString());
        if (table.sorted) {
            ours.sort();
            theirs.sort();
        }
        QVERIFY(!ours.isEmpty());
        QCOMPARE(ours, theirs);
    }

    void everyShippedDocumentIsCompared() {
        for (const fs::path& file : experimentFiles(kResources.resources)) {
            const Experiment experiment = readExperiment(file);
            const bool prints = std::any_of(experiment.rows.begin(), experiment.rows.end(), [](const ExperimentRow& row) {
                return std::any_of(row.cells.begin(), row.cells.end(), [](const auto& cell) { return !cell.second.printed.empty(); });
            });
            QVERIFY2(!prints || std::any_of(printedTables().begin(), printedTables().end(),
                                            [&](const PrintedTable& table) { return file.stem() == table.experiment; }),
                     file.c_str());
            if (!prints)
                QCOMPARE(file.stem().string(), std::string("relaxed-figure-7")); // a curve without numbers
        }
    }

    /// "layer" stood beside "μ, paper"; and "The 400 utterances" was said of the 4 that a scaled experiment measures.
    void headsAndNotesFitTheTableAtAnyScale() {
        for (const fs::path& file : experimentFiles(kResources.resources)) {
            const Experiment experiment = readExperiment(file);
            for (const std::string& label : experiment.labels)
                QVERIFY2(!(label.front() >= 'a' && label.front() <= 'z'), (file.stem().string() + ": " + label).c_str());
            for (const ExperimentStep& step : experiment.steps)
                for (const std::string& note : experiment.notes)
                    QVERIFY2(step.utterances <= 0 || note.find("The " + std::to_string(step.utterances) + " utterances") == std::string::npos, note.c_str());
        }
    }

    /// As Espresso's recipe: the factor of the end belongs to decoding with a language model.
    void relaxedAttentionIsDecodedWithEspressosLimits() {
        const ExperimentPlan plan =
            planExperiment(readExperiment(kResources.resources / "experiments/relaxed-1.json"), 1, 1, kResources);
        int with = 0, without = 0;
        for (const PlannedStep& planned : plan.steps) {
            if (planned.step.kind != ExperimentStep::Kind::Decode)
                continue;
            const std::map<std::string, std::string> options(planned.step.options.begin(), planned.step.options.end());
            QCOMPARE(options.at("--max-tokens-per-frame"), std::string("0.08"));
            QCOMPARE(options.at("--max-tokens"), std::string("1"));
            const bool hasModel = !planned.step.languageModel.empty();
            QCOMPARE(options.contains("--end-factor"), hasModel);
            if (hasModel)
                QCOMPARE(options.at("--end-factor"), std::string("1.5"));
            ++(hasModel ? with : without);
        }
        QVERIFY(with > 0 && without > 0);
    }

    /// A language model is a step, and what decodes with it waits for it; parallel text has its own task.
    void languageModelsAreSteps() {
        const fs::path file = kResources.resources / "experiments/relaxed-3.json";
        const ExperimentPlan plan = planExperiment(readExperiment(file), 2, 0.01, kResources);
        const PlannedStep* decoding = plan.find("extended-cross-seed2");
        QVERIFY(decoding);
        const std::string tried = "extended-cross-weight-";
        QVERIFY((decoding->needs == std::vector<std::string>{"train-cross-seed2", tried + "0_05-seed2", tried + "0_1-seed2",
                                                            tried + "0_15-seed2", tried + "0_2-seed2", "lm-extended"}));
        const PlannedStep* weight = plan.find(tried + "0_15-seed2");
        QVERIFY((weight->needs == std::vector<std::string>{"train-cross-seed2", "lm-extended"})); // not the other weights
        QVERIFY((weight->step.splits == std::vector<std::string>{"valid", "dev"}));
        const auto option = std::pair(std::string("--lm-weight"), std::string("0.15"));
        QVERIFY(std::count(weight->step.options.begin(), weight->step.options.end(), option) == 1);
        for (const auto& [name, value] : decoding->step.options)
            QVERIFY(name != "--lm-weight");
        QVERIFY(plan.find("lm-extended")->architecture.languageModel.has_value());
        QVERIFY(plan.find("train-cross-seed2")->architecture.encoder.width < 512); // text models are scaled too
        const std::string text = readSmallFile(file, "test");
        const auto refused = [&](const std::string& from, const std::string& to) {
            std::string changed = text;
            changed.replace(changed.find(from), from.size(), to);
            QVERIFY_EXCEPTION_THROWN(parseExperiment(changed, "relaxed-3.json"), Error);
        };
        refused(R"("task": "mt")", R"("task": "asr")");
        refused(R"("languageModel": "lm-transcripts")", R"("languageModel": "train-plain")");
        refused(R"("input": "text")", R"("input": "speech")");
        refused("[0.05, 0.1, 0.15, 0.2]", "[]");
        refused("[0.05, 0.1, 0.15, 0.2]", R"(["0.1"])");
        refused(R"("by": "compound-bleu")", R"("buy": "compound-bleu")");
    }

    void someStepsAreChosenWithWhatTheyNeed() {
        const ExperimentPlan plan =
            planExperiment(readExperiment(kResources.resources / "experiments/relaxed-3.json"), 1, 0.01, kResources);
        QCOMPARE(plan.idsFor({"extended-b*e"}).size(), std::size_t(3 + 4)); // with the weights that are tried
        QVERIFY((plan.idsFor({"none-b*e"}) == std::set<std::string>{"train-baseline-seed1", "none-baseline-seed1"}));
        QCOMPARE(plan.idsFor({"*"}).size(), plan.steps.size());
        QCOMPARE(plan.idsFor({"train-*-matched", "lm-transcripts"}).size(), std::size_t(3));
        QVERIFY(plan.idsFor({}).empty());
        QVERIFY_EXCEPTION_THROWN(plan.idsFor({"train-bas"}), Error);
    }

    void attentionDropoutIsOfTheStep() {
        const ExperimentPlan plan =
            planExperiment(readExperiment(kResources.resources / "experiments/relaxed-8.json"), 1, 1, kResources);
        QCOMPARE(plan.find("train-cross-none-seed1")->architecture.encoder.attentionDropout, 0.0);
        QVERIFY(plan.find("train-cross-seed1")->architecture.encoder.attentionDropout > 0);
        QCOMPARE(plan.find("train-mt-self-none-seed1")->architecture.encoder.attentionDropout, 0.0);
    }
};

HEADROOM_TEST(ExperimentTest)

} // namespace headroom::testing::experiment_test

#include "experiment_test.moc"
