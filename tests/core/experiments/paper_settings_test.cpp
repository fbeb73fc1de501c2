// SPDX-License-Identifier: GPL-3.0-or-later
// The values that the papers print of their trainings (tests/data/papers/*-settings.tsv, shim-training.tsv), row by row, against the
// recipes, architectures and experiments that are shipped.
#include "core/architecture/architecture.h"
#include "core/experiments/experiment.h"
#include "core/runs/recipe.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <QtTest>

namespace headroom::testing::paper_settings_test {

namespace {

const std::filesystem::path kShipped = std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources";

using Values = std::map<QString, QString>; ///< of the papers' rows, by name: what we have in their place

/// Rows of a file in one group: name and value.
std::vector<std::pair<QString, QString>> printed(const char* file, const QString& group) {
    std::ifstream in(goldens() / "papers" / file);
    std::vector<std::pair<QString, QString>> rows;
    for (std::string line; std::getline(in, line);)
        if (const QStringList cells = QString::fromStdString(line).split('\t'); cells.at(2) == group)
            rows.emplace_back(cells.at(3), cells.at(4));
    return rows;
}

QString text(double value) {
    return QString::number(value, 'g', 12);
}
QString text(std::int64_t value) {
    return QString::number(value);
}

/// "1.5e-3" and "0.0015" are one value, "0.9 0.99" are two.
bool areSame(const QString& paper, const QString& ours) {
    const QStringList left = paper.split(' '), right = ours.split(' ');
    return std::ranges::equal(left, right, [](const QString& a, const QString& b) {
        bool isNumber = false, isOther = false;
        const double x = a.toDouble(&isNumber), y = b.toDouble(&isOther);
        return isNumber && isOther ? x == y : a == b;
    });
}

/// Compares every row of the group with ours; `elsewhere` names the rows that no recipe holds. No row may be forgotten.
void compare(const char* file, const QString& group, const Values& ours, const QStringList& elsewhere) {
    std::size_t compared = 0;
    for (const auto& [name, value] : printed(file, group)) {
        if (elsewhere.contains(name))
            continue;
        const auto found = ours.find(name);
        QVERIFY2(found != ours.end(), qPrintable(QString("%1, %2: %3 is compared with nothing").arg(file, group, name)));
        QVERIFY2(areSame(value, found->second),
                 qPrintable(QString("%1, %2, %3: %4 in the paper, ours %5").arg(file, group, name, value, found->second)));
        ++compared;
    }
    QCOMPARE(compared, ours.size());
}

Recipe recipe(const std::string& name) {
    return readRecipe(kShipped / "recipes" / (name + ".json"));
}
Architecture architecture(const std::string& name) {
    return readArchitecture(kShipped / "architectures" / (name + ".json"));
}
Experiment experiment(const std::string& name) {
    return readExperiment(kShipped / "experiments" / (name + ".json"));
}

const ExperimentStep& step(const Experiment& from, const char* name) {
    const ExperimentStep* found = from.find(name);
    if (!found)
        qFatal("no step %s", name);
    return *found;
}
/// The recipe of a step that trains, as it runs.
Recipe recipeOf(const ExperimentStep& training) {
    Recipe result = recipe(training.recipe);
    for (const std::string& change : training.set)
        overrideRecipe(result, change);
    return result;
}
QString option(const ExperimentStep& decoding, const std::string& name) {
    for (const auto& [key, value] : decoding.options)
        if (key == name)
            return QString::fromStdString(value);
    return "not set";
}

QString optimiser(const Recipe& of) { // the decay of weights is decoupled in both kinds
    return !of.optimiser.kind.starts_with("adam") ? QString::fromStdString(of.optimiser.kind) : of.optimiser.weightDecay > 0 ? "AdamW" : "Adam";
}
QString schedule(const Recipe& of) {
    return of.optimiser.schedule == "inverse-sqrt" ? "inverse square root" : QString::fromStdString(of.optimiser.schedule);
}
QString loss(const Recipe& of, const QString& name) {
    return of.loss.labelSmoothing > 0 && of.loss.smoothing == "uniform" && of.loss.ctcWeight == 0 ? name : "another";
}
QString dropouts(const Architecture& of, double Architecture::Encoder::*which) {
    return text(of.encoder.*which);
}

} // namespace

class PaperSettingsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void locality_data() { addGoldenFolders(); }
    void locality() {
        const Experiment table = experiment("locality-2");
        const ExperimentStep& start = step(table, "baseline-en-de");
        const Recipe asr = recipeOf(step(table, "asr-en-de")), st = recipeOf(start);
        const bool fromAsr = start.startFrom == "asr-en-de" && start.encoderOnly;
        compare("locality-settings.tsv", "training",
                {{"max_tokens_per_batch", text(st.data.maxBatchFrames)},
                 {"optimizer", optimiser(st)},
                 {"learning_rate_asr", text(asr.optimiser.learningRate)},
                 {"learning_rate_st", text(st.optimiser.learningRate)},
                 {"scheduler", schedule(st)},
                 {"warmup_updates", text(st.optimiser.warmupUpdates)},
                 {"gradient_clip", text(st.optimiser.clipNorm)},
                 {"loss", loss(st, "label smoothed cross-entropy")},
                 {"label_smoothing", text(st.loss.labelSmoothing)},
                 {"update_frequency", text(st.optimiser.accumulate)}, // on 1 GPU
                 {"max_updates", text(st.length.maxUpdates)},
                 {"seeds", text(std::int64_t(table.seeds))},
                 {"phases", fromAsr ? "ASR pre-training then ST with a new random decoder" : "others"}},
                {"gpus", "toolkit", "corpus"});
        QCOMPARE(differences(asr, st).size(), std::size_t(1)); // “all else as in ASR”
    }

    void multiformer_data() { addGoldenFolders(); }
    void multiformer() {
        const Experiment table = experiment("multiformer-1");
        const Recipe asr = recipeOf(step(table, "asr-baseline-en-de")), st = recipeOf(step(table, "st-baseline-en-de"));
        constexpr std::int64_t kGpus = 2; // theirs; one here
        const bool isBest = st.validation.best == "loss" && st.checkpoints.average == 1;
        compare("multiformer-settings.tsv", "training",
                {{"loss", loss(st, "label smoothed cross entropy")},
                 {"optimizer", optimiser(st)},
                 {"learning_rate_st", text(st.optimiser.learningRate)},
                 {"learning_rate_asr", text(asr.optimiser.learningRate)},
                 {"scheduler", schedule(st)},
                 {"warmup_updates", text(st.optimiser.warmupUpdates)},
                 {"max_tokens_per_batch", text(st.data.maxBatchFrames)},
                 {"update_frequency", text(st.optimiser.accumulate / kGpus)},
                 {"gpus", text(kGpus)},
                 {"max_updates", text(st.length.maxUpdates)},
                 {"asr_checkpoint_for_st", isBest ? "best" : "another"}},
                {});
        QCOMPARE(differences(asr, st).size(), std::size_t(1));
        const ExperimentStep& average = step(table, "average-baseline-en-de");
        QVERIFY(average.aroundBest);
        compare("multiformer-settings.tsv", "evaluation",
                {{"averaged_checkpoints", text(std::int64_t(average.checkpoints))}}, {"metric"});
        QVERIFY(st.checkpoints.keep >= average.checkpoints);
    }

    void shim_data() { addGoldenFolders(); }
    void shim() {
        const Experiment table = experiment("shim-2");
        const Recipe own = recipeOf(step(table, "train-1h4x16"));
        constexpr std::int64_t kGpus = 4; // theirs; one here
        const Recipe::Optimiser& by = own.optimiser;
        compare("shim-training.tsv", "Optimizer & Scheduler",
                {{"maximum_lr", text(by.learningRate)},
                 {"weight_decay", text(by.weightDecay)},
                 {"adam_epsilon", text(by.epsilon)},
                 {"adam_betas", text(by.beta1) + " " + text(by.beta2)},
                 {"lr_warmup_iterations", text(by.warmupUpdates)},
                 {"lr_keep_iterations", text(by.holdUpdates)},
                 {"total_iterations", text(own.length.maxUpdates)},
                 {"batch_size", text(own.data.maxBatchUtterances * by.accumulate)}},
                {});
        const Recipe::Augmentation& masks = own.augmentation;
        compare("shim-training.tsv", "Additional Details",
                {{"frequency_masks", text(masks.frequencyMasks)},
                 {"frequency_mask_width", text(masks.frequencyWidth)},
                 {"time_masks", text(masks.timeMasks)},
                 {"time_mask_width", text(masks.timeShare)},
                 {"swa_models", text(own.checkpoints.average)},
                 {"variational_noise", text(by.weightNoise)},
                 {"ctc_beam_size", option(step(table, "test-other-1h4x16"), "--ctc-beam")},
                 {"gradient_norm_clip", text(by.clipNorm)}},
                {});
        // In proportion to the length, because nothing else limits them.
        const bool grows = masks.timeShare < 1 && masks.timeWidth >= own.data.maxFrames;
        compare("shim-training.tsv", "text",
                {{"optimizer", optimiser(own)},
                 {"scheduler", schedule(own)},
                 {"lr_decrease_iterations", text(own.length.maxUpdates - by.warmupUpdates - by.holdUpdates)},
                 {"gpus", text(kGpus)},
                 {"samples_per_gpu", text(own.data.maxBatchUtterances)},
                 {"accumulated_batches", text(by.accumulate / kGpus)},
                 {"spec_augment", grows ? "adaptive" : "of one width"}},
                {"bucketing", "corpus"});
        QVERIFY(own.checkpoints.keep >= own.checkpoints.average);
    }

    void relaxedSpeech_data() { addGoldenFolders(); }
    void relaxedSpeech() {
        const Experiment table = experiment("relaxed-1");
        for (const char* hours : {"100h", "960h"}) {
            const std::string model = std::string(hours) + "-baseline";
            const Recipe own = recipeOf(step(table, ("train-" + model).c_str()));
            const Architecture network = architecture("relaxed-" + model);
            const ExperimentStep& decoding = step(table, ("test-clean-lm-" + model).c_str());
            compare("relaxed-settings.tsv", "asr",
                    {{"epochs", text(own.length.maxEpochs)},
                     {"optimizer", optimiser(own)},
                     {"learning_rate", text(own.optimiser.learningRate)},
                     {"residual_dropout", dropouts(network, &Architecture::Encoder::dropout)},
                     {"activation_dropout", text(network.encoder.activationDropout.value_or(network.encoder.dropout))},
                     {"attention_dropout", dropouts(network, &Architecture::Encoder::attentionDropout)},
                     {"label_smoothing", text(own.loss.labelSmoothing)},
                     {"beam", option(decoding, "--beam")},
                     {"lm_weight", option(decoding, "--lm-weight")}},
                    {"frontend_conv_layers", "window", "frame_shift", "sampling_rate", "lm", "lm_parameters", "gamma_self_grid",
                     "gamma_cross_grid", "gamma_self", "gamma_cross", "recipe_commit", "lm_extra_books",
                     "statement_self_gain_test_clean", "statement_self_gain_test_other"});
        }
    }

    void relaxedTranslation_data() { addGoldenFolders(); }
    void relaxedTranslation() {
        const Experiment table = experiment("relaxed-3");
        const Architecture network = architecture(step(table, "train-baseline").architecture);
        const ExperimentStep& decoding = step(table, "extended-baseline");
        QStringList weights;
        for (const std::string& one : decoding.tuning)
            weights << option(step(table, one.c_str()), "--lm-weight");
        compare("relaxed-settings.tsv", "mt",
                {{"residual_dropout", dropouts(network, &Architecture::Encoder::dropout)},
                 {"activation_dropout", text(network.encoder.activationDropout.value_or(network.encoder.dropout))},
                 {"attention_dropout", dropouts(network, &Architecture::Encoder::attentionDropout)},
                 {"beam", option(decoding, "--beam")},
                 {"lm_weight_grid", weights.join(' ')}},
                {"parameters", "encoder_blocks", "decoder_blocks", "attention_heads", "model_dim", "vocabulary", "lm_decoder_blocks",
                 "lm_vocabulary", "lm_parameters", "lm_training_transcripts", "lm_extended_transcripts", "lm_extended_additional",
                 "gamma_self_grid", "gamma_cross_grid", "gamma_self", "gamma_cross", "lm_weight_grid_training", "recipe_commit", "gpu",
                 "statement_best_bleu_without_lm", "statement_gain_over_baseline", "statement_iyer_bleu", "statement_iyer_gain"});
    }
};

HEADROOM_TEST(PaperSettingsTest)

} // namespace headroom::testing::paper_settings_test

#include "paper_settings_test.moc"
