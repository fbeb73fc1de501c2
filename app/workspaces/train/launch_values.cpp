// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/launch_values.h"

#include "app/documents/items/paths.h"
#include "app/documents/items/typed_path.h"
#include "app/parts/number_text.h"
#include "app/workspaces/train/disk_need.h"
#include "app/workspaces/train/start_fit.h"
#include "core/architecture/costs.h"
#include "core/architecture/start_note.h"
#include "core/architecture/trained_architecture.h"
#include "core/corpus/language_tasks.h"
#include "core/runs/loss_fit.h"
#include "core/runs/task_kind.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <algorithm>

namespace headroom::app {

namespace {

const QString kArchitecture = QStringLiteral("architecture"), kRecipe = QStringLiteral("recipe"),
              kData = QStringLiteral("data"), kStart = QStringLiteral("start"), kSeeds = QStringLiteral("seeds");

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
    const auto& layers = architecture.encoder.layers;
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
    const auto& language = architecture.languageModel;
    if (const QString why = whyNotFor(architecture, values.recipe.task); !why.isEmpty()) {
        report.mistakes[kArchitecture] = why;
        return std::nullopt;
    }
    if (const auto wrong = lossMistake(architecture, values.recipe.loss)) {
        report.mistakes[wrong->isOfRecipe ? kRecipe : kArchitecture] = QString::fromStdString(wrong->sentence);
        if (!wrong->isOfRecipe)
            return std::nullopt;
    }
    const bool isLstm = language && language->kind == LanguageModelKind::Lstm; // without heads
    const int heads = isLstm ? 0 : language ? headCount(language->headsOf(0)) : layers.empty() ? 0 : layers.front().headCount();
    QString note = (isLstm ? widgets::counted(language->layers, tr("1 layer"), tr("%1 layers"))
                           : tr("%1 × %2").arg(language ? language->layers : int(layers.size())).arg(widgets::counted(heads, tr("1 head"), tr("%1 heads")))) +
        (parameters ? tr(", %1 M parameters").arg(decimals(*parameters / 1e6, 2)) : tr(", parameters unknown"));
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

QString unusableText(const std::vector<const UnusableRecording*>& found) {
    const auto count = static_cast<qint64>(found.size());
    return (count == 1 ? tr("%1 recording would stop a run: %2") : tr("%1 recordings would stop a run, the first: %2"))
               .arg(thousands(count), found.front()->sentence) +
           tr(" Runs ▸ Import a corpus… leaves out what cannot be used.");
}

/// The first sentences of `all` findings, a line each, for a tool tip.
QString firstLines(const QStringList& sentences, qint64 all) {
    QStringList lines = sentences.mid(0, DataFacts::kMostNamed);
    if (all > lines.size())
        lines << tr("%1 more: Data ▸ Defects.").arg(thousands(all - lines.size()));
    return lines.join(u'\n');
}

/// What a run keeps of the utterances that have a text.
struct KeptUtterances {
    std::int64_t train = 0, validation = 0;
    std::int64_t leftOut = 0; ///< of training, of validation, or of both
    bool areKnown = true; ///< else the lengths of some are not known, and the recipe may leave out more
};

KeptUtterances keptBy(const LaunchValues& values) {
    const DataFacts& facts = *values.facts;
    const SplitLimits limits = values.recipe.data.limits();
    KeptUtterances kept;
    const auto count = [&](const std::vector<std::int64_t>& lengths, std::int64_t all, const LengthLimits& these) {
        if (lengths.empty()) {
            kept.areKnown = kept.areKnown && all == 0;
            return all;
        }
        return static_cast<std::int64_t>(std::ranges::count_if(lengths, [&](std::int64_t length) { return these.contains(length); }));
    };
    kept.train = count(facts.lengths, facts.train, limits.training);
    kept.validation = count(facts.validationLengths, facts.validation, limits.validation);
    const std::int64_t ofTraining = facts.train - kept.train, ofValidation = facts.validation - kept.validation;
    kept.leftOut = facts.hasOneSplit() ? std::max(ofTraining, ofValidation) : ofTraining + ofValidation;
    return kept;
}

/// Why a run would find nothing in a split; empty: it finds something.
QString emptySplit(const LaunchValues& values, const KeptUtterances& kept) {
    const Recipe::Data& data = values.recipe.data;
    const bool ofTraining = kept.train == 0, ofValidation = kept.validation == 0 && values.facts->validation > 0;
    if (!ofTraining && !ofValidation)
        return {};
    const LengthLimits limits = ofTraining ? data.limits().training : data.limits().validation;
    return (readsText(values.recipe.task) ? tr("No text of “%1” has between %2 and %3 tokens (data.minFrames, %4).")
                                          : tr("No utterance of “%1” has between %2 and %3 frames (data.minFrames, %4)."))
        .arg(QString::fromStdString(ofTraining ? data.trainSplit : data.validationSplit), thousands(limits.least), thousands(limits.most),
             ofTraining ? QStringLiteral("data.maxFrames") : QStringLiteral("data.maxBatchFrames"));
}

/// "38 to train on, 12 to validate; 2 are too short or too long for the recipe": as Data says it, and as the run will.
QString keptText(const LaunchValues& values, const KeptUtterances& kept) {
    QString numbers = (values.facts->areLeast ? tr("more than %1 to train on, %2 to validate")
                             : kept.areKnown        ? tr("%1 to train on, %2 to validate")
                                                    : tr("at most %1 to train on, %2 to validate"))
                          .arg(thousands(kept.train), thousands(kept.validation));
    const std::int64_t decoded = values.recipe.validation.maxUtterances;
    if (decoded > 0 && decoded < kept.validation && !isLanguageTask(values.recipe.task)) // WER and BLEU are of fewer
        numbers += tr(" (%1 of them decoded)").arg(thousands(decoded));
    QStringList less;
    if (kept.leftOut > 0)
        less << (kept.leftOut == 1 ? tr("%1 is too short or too long for the recipe") : tr("%1 are too short or too long for the recipe"))
                    .arg(thousands(kept.leftOut));
    if (const qint64 invalid = values.facts->invalidRows; invalid > 0)
        less << (invalid == 1 ? tr("%1 invalid row") : tr("%1 invalid rows")).arg(thousands(invalid));
    if (!less.isEmpty())
        numbers += QStringLiteral("; ") + less.join(QStringLiteral(", "));
    return (numbers + u'\n' + values.facts->heldOut).trimmed();
}

void checkData(const LaunchValues& values, LaunchReport& report) {
    QString& note = report.notes[kData];
    if (!values.making.isEmpty())
        note = values.making;
    else if (!values.makingFailure.isEmpty())
        report.mistakes[kData] = values.makingFailure;
    else if (values.data.empty())
        note = tr("Choose a corpus, or make the demo corpus.");
    else if (const QString relative = notFullText(values.data); !relative.isEmpty())
        report.mistakes[kData] = relative;
    else if (!values.factsAreKnown())
        note = tr("loading…");
    else if (!values.facts->mistake.isEmpty())
        report.mistakes[kData] = values.facts->mistake;
    else if (const auto stopping = values.facts->thatStop(values.recipe.data); !stopping.empty())
        report.mistakes[kData] = unusableText(stopping);
    else if (const QString nothing = emptySplit(values, keptBy(values)); !nothing.isEmpty())
        report.mistakes[kData] = nothing;
    else
        note = keptText(values, keptBy(values));
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

/// Whether the texts can be written whole: what no piece writes is learnt as the unknown piece.
Check vocabularyCheck(const LaunchValues& values) {
    constexpr std::size_t kMostNamed = 12;
    Check check{Check::State::Unknown, tr("Vocabulary covers the texts"), kUnknown, {}};
    if (!values.factsAreKnown() || !values.facts->unknown || values.facts->start != values.vocabularyModel)
        return check;
    const VocabularyGaps& gaps = *values.facts->unknown;
    if (gaps.gaps == 0) {
        check.state = Check::State::Passed;
        check.value = thousands(gaps.texts);
        return check;
    }
    std::vector<std::pair<std::int64_t, QString>> byCount;
    for (const auto& [character, texts] : gaps.characters)
        byCount.emplace_back(-texts, QString::fromStdString(character));
    std::sort(byCount.begin(), byCount.end());
    QStringList named;
    for (std::size_t i = 0; i < byCount.size() && i < kMostNamed; ++i)
        named << tr("“%1” in %2").arg(byCount[i].second, thousands(-byCount[i].first));
    if (byCount.size() > kMostNamed)
        named << tr("%1 more").arg(thousands(qint64(byCount.size() - kMostNamed)));
    const bool refused = values.recipe.data.unknownPieces == "refuse", isOfModel = !values.vocabularyModel.empty();
    check.state = refused ? Check::State::Failed : Check::State::Remark;
    check.value = byCount.empty() ? tr("gaps in %1").arg(thousands(gaps.gaps))
                  : byCount.size() == 1 ? tr("1 unknown character")
                                        : tr("%1 unknown characters").arg(thousands(qint64(byCount.size())));
    check.toolTip = (gaps.gaps == 1 ? tr("%1 of %2 texts has characters that the vocabulary %3 cannot write: %4. %5 %6")
                                    : tr("%1 of %2 texts have characters that the vocabulary %3 cannot write: %4. %5 %6"))
                        .arg(thousands(gaps.gaps), thousands(gaps.texts), isOfModel ? tr("of the model") : tr("of the corpus"),
                             named.isEmpty() ? kUnknown : named.join(QStringLiteral(", ")),
                             refused ? tr("The run will not start, because data.unknownPieces is “refuse”.")
                                     : tr("They are learnt as the unknown piece."),
                             isOfModel ? tr("Correct the texts, or start from random weights.")
                                       : tr("Correct the texts, or learn pieces that cover them: Data ▸ Pieces."));
    return check;
}

Check dataCheck(const LaunchValues& values) {
    Check check{Check::State::Unknown, tr("Data readable"), kUnknown, {}};
    if (!values.factsAreKnown())
        return check;
    const DataFacts& facts = *values.facts;
    if (!facts.mistake.isEmpty()) {
        check.state = Check::State::Failed;
        check.toolTip = facts.mistake;
    } else if (const auto stopping = values.facts->thatStop(values.recipe.data); !stopping.empty()) {
        const auto count = static_cast<qint64>(stopping.size());
        check.state = Check::State::Failed;
        check.value = count == 1 ? tr("1 unusable recording") : tr("%1 unusable recordings").arg(thousands(count));
        QStringList lines;
        for (const UnusableRecording* one : stopping)
            lines << one->sentence;
        check.toolTip = firstLines(lines, count);
    } else {
        check.state = Check::State::Passed;
        check.value = thousands(facts.hasOneSplit() ? facts.train : facts.train + facts.validation);
        check.toolTip = firstLines(facts.firstInvalid, facts.invalidRows);
        if (facts.lookedAt < facts.recordings)
            check.toolTip += (check.toolTip.isEmpty() ? QString() : QStringLiteral("\n")) +
                             tr("The headers of %1 of %2 recordings were read.").arg(thousands(facts.lookedAt), thousands(facts.recordings));
    }
    return check;
}

/// Scores on what the model has learnt say nothing about other data.
Check sameSplitCheck(const DataFacts& facts) {
    const QString split = QString::fromStdString(facts.trainSplit);
    const QString why =
        tr("The model is trained and validated on the same split, “%1”, so its scores do not show how well it does on other data.").arg(split);
    const QString remedy = facts.splitToDivide.empty() ? tr("Use a corpus with a second split, and set data.validationSplit to it in All values.")
                                                       : tr("“Hold out dev…” below Data makes a corpus with a second split.");
    return {Check::State::Remark, tr("Validation on other data"), tr("same split, “%1”").arg(split), why + QLatin1Char(' ') + remedy};
}

Check workerCheck(const LaunchValues& values) {
    const bool worker = !values.worker.program.isEmpty();
    return {worker ? Check::State::Passed : Check::State::Failed, tr("Worker found"), worker ? QString() : tr("missing"),
            worker ? values.worker.program : values.worker.sentence};
}

QList<Check> checksOf(const LaunchValues& values, const std::optional<Architecture>& architecture, std::int64_t runs,
                      const LaunchReport& report) {
    QList<Check> checks{workerCheck(values), dataCheck(values), vocabularyCheck(values)};
    if (values.factsAreKnown() && values.facts->mistake.isEmpty() && values.facts->hasOneSplit())
        checks.insert(2, sameSplitCheck(*values.facts));
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
    if (values.factsAreKnown())
        report.invalidRows = firstLines(values.facts->firstInvalid, values.facts->invalidRows);
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
