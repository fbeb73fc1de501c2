// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/launch_values.h"

#include "app/documents/items/architecture_size.h"
#include "app/parts/number_text.h"
#include "app/workspaces/train/disk_need.h"
#include "app/workspaces/train/launch_data.h"
#include "app/workspaces/train/start_fit.h"
#include "core/architecture/costs.h"
#include "core/architecture/start_note.h"
#include "core/architecture/trained_architecture.h"
#include "core/runs/loss_fit.h"
#include "core/runs/task_kind.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <algorithm>

namespace headroom::app {

namespace {

const QString kArchitecture = QStringLiteral("architecture"), kRecipe = QStringLiteral("recipe"),
              kStart = QStringLiteral("start"), kSeeds = QStringLiteral("seeds");

std::optional<double> parametersOf(const Architecture& architecture) {
    try {
        return static_cast<double>(parameterCosts(architecture).parameters);
    } catch (const Error&) {
        return std::nullopt; // a kind that cannot be counted yet
    }
}

/// Text is written with the SentencePiece model of the model that one starts from, else with the corpus' own:
/// the output must have as many pieces.
std::optional<int> pieces(const LaunchValues& values) {
    if (values.writesAsStart())
        return values.startVocabulary;
    return values.factsAreKnown() ? values.facts->vocabulary : std::nullopt;
}

/// The architecture as it is trained, with its note.
std::optional<Architecture> checkArchitecture(const LaunchValues& values, LaunchReport& report) {
    if (!values.architecture) {
        (values.architectureWait.isEmpty() ? report.mistakes : report.notes)[kArchitecture] =
            values.architectureWait.isEmpty() ? values.architectureMistake : values.architectureWait;
        return std::nullopt;
    }
    Architecture architecture = *values.architecture;
    const int before = architecture.vocabulary;
    const auto output = pieces(values);
    architecture.vocabulary = output.value_or(before);
    const auto sources = values.start.argument().empty() && values.factsAreKnown() ? values.facts->sourceVocabulary : std::nullopt;
    if (architecture.frontEnd.vocabulary > 0 && sources)
        architecture.frontEnd.vocabulary = *sources;
    if (values.start.argument().empty() && values.factsAreKnown() && values.facts->vocabulary &&
        architecture.frontEnd.reads == InputKind::Text && sources.has_value() != (architecture.frontEnd.vocabulary > 0)) {
        report.mistakes[kArchitecture] =
            sources ? tr("The corpus has a vocabulary for each language, but this architecture embeds both with one table.")
                    : tr("This architecture has a separate vocabulary for the source, but the corpus has one for both languages.");
        return std::nullopt;
    }
    const Architecture trained = trainedArchitecture(architecture, values.recipe.loss.ctcWeight > 0);
    const auto parameters = parametersOf(architecture), inTraining = parametersOf(trained);
    if (const QString why = whyNotFor(architecture, values.recipe.task); !why.isEmpty()) {
        report.mistakes[kArchitecture] = why;
        return std::nullopt;
    }
    if (const auto wrong = lossMistake(architecture, values.recipe.loss)) {
        report.mistakes[wrong->isOfRecipe ? kRecipe : kArchitecture] = QString::fromStdString(wrong->sentence);
        if (!wrong->isOfRecipe)
            return std::nullopt;
    }
    QString note = layersAndHeads(architecture) + (parameters ? tr(", %1 M parameters").arg(decimals(*parameters / 1e6, 2)) : tr(", parameters unknown"));
    if (output && *output != before)
        note += (before == 0 ? tr("\nvocabulary %1: the pieces %2").arg(thousands(*output)) // an encoder names none of its own
                             : tr("\nvocabulary %1 instead of %2: the pieces %3").arg(thousands(*output), thousands(before)))
                    .arg(values.writesAsStart() ? tr("of the model") : tr("of the corpus"));
    if (trained.ctc != architecture.ctc && inTraining)
        note += tr("\n%1 M in training: a CTC output for the recipe's CTC weight, which the trained model leaves out")
                    .arg(decimals(*inTraining / 1e6, 2));
    if (const int asked = values.architecture->frontEnd.vocabulary; architecture.frontEnd.vocabulary != asked)
        note += tr("\nvocabulary of the source %1 instead of %2: the pieces of the corpus")
                    .arg(thousands(architecture.frontEnd.vocabulary), thousands(asked));
    report.notes[kArchitecture] = note;
    return architecture;
}

/// A value of the recipe that has a field of its own: what is wrong with it, or what the recipe said.
void checkValue(const LaunchValues& values, const char* key, const QString& field, LaunchReport& report) {
    if (const auto wrong = values.wrongValues.find(key); wrong != values.wrongValues.end())
        report.mistakes[field] = wrong->second;
    const bool changed = std::ranges::any_of(values.set, [&](const std::string& set) { return set.starts_with(std::string(key) + "="); });
    for (const RecipeField& own : recipeFields())
        if (changed && own.key == key)
            report.notes[field] =
                tr("changed, recipe: %1").arg(thousands(own.get(values.base).get<std::int64_t>()));
}

QString wrongValue(const LaunchValues& values) {
    if (values.wrongValues.empty())
        return {};
    const auto& [key, sentence] = *values.wrongValues.begin();
    return QString::fromStdString(key) + QStringLiteral(": ") + sentence;
}

Check workerCheck(const LaunchValues& values) {
    const bool worker = !values.worker.program.isEmpty();
    return {worker ? Check::State::Passed : Check::State::Failed, tr("Worker found"), worker ? QString() : tr("missing"),
            worker ? values.worker.program : values.worker.sentence};
}

QList<Check> checksOf(const LaunchValues& values, const std::optional<Architecture>& architecture, std::int64_t runs,
                      const LaunchReport& report) {
    QList<Check> checks{workerCheck(values)};
    checks << dataChecks(values);
    const bool isWrong = !report.isRight() || !values.wrongValues.empty();
    checks << Check{isWrong                                          ? Check::State::Failed
                    : values.data.empty() || !architecture           ? Check::State::Unknown
                                                                     : Check::State::Passed,
                    tr("Form is complete"),
                    isWrong ? tr("not yet") : QString(),
                    wrongValue(values)};
    std::optional<DiskNeed> need;
    if (architecture && parametersOf(*architecture))
        need = diskNeed(*architecture, values.recipe, runs, !values.place.isEmpty() && !values.allCheckpoints);
    checks << diskCheck(need, values.disk);
    return checks;
}

/// Beside the button: what will happen, or the first reason why it cannot be started.
QString sentenceOf(const LaunchValues& values, const LaunchReport& report) {
    if (values.resumes())
        return tr("Continues from the last checkpoint.");
    if (report.launch) {
        const std::size_t runs = report.launch->seeds.size();
        if (values.place.isEmpty())
            return runs == 1 ? tr("It continues when this window is closed.") : tr("%1 runs in sequence. They continue when this window is closed.").arg(runs);
        return runs == 1 ? tr("Data goes to %1 once, and the run appears here as it grows. It continues when this window is closed.").arg(values.place)
                         : tr("Data goes to %1 once, and the %2 runs appear here as they grow. They continue when this window is closed.").arg(values.place).arg(runs);
    }
    if (!report.isRight()) // batch and updates have rows of their own, which say it
        return report.countOfMistakes(values.wrongValues.size() - values.wrongValues.count(kBatchKey) - values.wrongValues.count(kUpdatesKey));
    if (!values.wrongValues.empty())
        return wrongValue(values);
    if (values.worker.program.isEmpty())
        return values.worker.sentence;
    if (!values.architectureWait.isEmpty())
        return values.architectureWait;
    if (!values.making.isEmpty())
        return tr("The demo corpus is being made.");
    return values.data.empty() ? tr("No data yet.") : tr("Loading the data…");
}

/// What --device takes: the card that was chosen under Where, which counts more than the recipe's machine.device.
std::string deviceOf(const LaunchValues& values) {
    if (values.device.isEmpty() && values.place.isEmpty() && values.recipe.machine.device != Recipe().machine.device)
        return "cpu";
    return values.device.toStdString();
}

} // namespace

LaunchReport validate(const LaunchValues& values) {
    LaunchReport report;
    if (values.resumes()) { // what stands in the other fields is not used, so nothing is said of it
        report.notes[kStart] = tr("With its own architecture, recipe, data and seed.");
        report.checks << workerCheck(values);
        report.sentence = sentenceOf(values, report);
        return report;
    }
    const auto architecture = checkArchitecture(values, report);
    QString& about = report.notes[kRecipe] = QString::fromStdString(values.base.source); // a sentence, or a paper
    if (!about.isEmpty() && !about.endsWith(QLatin1Char('.')))
        about += QLatin1Char('.');
    about = (about + QLatin1Char('\n') + values.resetNote).trimmed();
    if (!values.recipeMistake.isEmpty())
        report.mistakes[kRecipe] = values.recipeMistake;
    checkData(values, report);
    if (!values.startMistake.isEmpty())
        report.mistakes[kStart] = values.startMistake;
    else if (values.startArchitecture && architecture) {
        const Architecture trained = trainedArchitecture(*architecture, values.recipe.loss.ctcWeight > 0);
        const bool encoderOnly = values.start.kind == StartChoice::Kind::Encoder;
        if (const QString why = whyNotFrom(*values.startArchitecture, trained, encoderOnly); !why.isEmpty())
            report.mistakes[kStart] = tr("%1: the weights do not fit, because %2.").arg(values.start.name, why);
        else
            report.notes[kStart] = QString::fromStdString(noteOnStart(*values.startArchitecture, trained, encoderOnly));
    }
    if (!values.runsMistake.isEmpty())
        report.mistakes[QStringLiteral("folder")] = values.runsMistake;
    QString seedMistake;
    const auto seeds = parseSeeds(values.seeds, seedMistake);
    if (!seeds)
        report.mistakes[kSeeds] = seedMistake;
    checkValue(values, kBatchKey, QStringLiteral("batch"), report);
    checkValue(values, kUpdatesKey, QStringLiteral("updates"), report);
    report.checks = checksOf(values, architecture, seeds ? static_cast<std::int64_t>(seeds->size()) : 1, report);
    const bool readable = values.factsAreKnown() && values.facts->mistake.isEmpty(); // while a corpus is made, it may not be yet
    if (architecture && report.isRight() && values.wrongValues.empty() && readable && seeds &&
        !values.worker.program.isEmpty()) {
        // A vocabulary that was set to match is not what the file says: the command takes a written copy then.
        const bool asInFile = *architecture == *values.architecture;
        report.launch = Launch{.architecture = *architecture,
                               .architectureFile = asInFile ? values.architectureFile : std::filesystem::path(),
                               .recipe = values.recipe,
                               .recipeFile = values.recipeFile,
                               .set = values.set,
                               .data = values.data,
                               .startFrom = values.start.argument(),
                               .seeds = *seeds,
                               .runs = values.runs,
                               .place = values.place.toStdString(),
                               .device = deviceOf(values),
                               .allCheckpoints = values.allCheckpoints && !values.place.isEmpty(),
                               .hold = values.hold};
    }
    report.sentence = sentenceOf(values, report);
    return report;
}

} // namespace headroom::app
