// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/launch_data.h"

#include "app/documents/items/typed_path.h"
#include "app/parts/number_text.h"
#include "core/corpus/language_tasks.h"
#include "core/runs/task_kind.h"
#include "widgets/look/translate.h"

#include <algorithm>

namespace headroom::app {

namespace {

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
} // namespace

void checkData(const LaunchValues& values, LaunchReport& report) {
    const QString field = QStringLiteral("data");
    QString& note = report.notes[field];
    if (!values.making.isEmpty())
        note = values.making;
    else if (!values.makingFailure.isEmpty())
        report.mistakes[field] = values.makingFailure;
    else if (values.data.empty())
        note = tr("Choose a corpus, or make the demo corpus.");
    else if (const QString relative = notFullText(values.data); !relative.isEmpty())
        report.mistakes[field] = relative;
    else if (!values.factsAreKnown())
        note = tr("loading…");
    else if (!values.facts->mistake.isEmpty())
        report.mistakes[field] = values.facts->mistake;
    else if (const auto stopping = values.facts->thatStop(values.recipe.data); !stopping.empty())
        report.mistakes[field] = unusableText(stopping);
    else if (const QString nothing = emptySplit(values, keptBy(values)); !nothing.isEmpty())
        report.mistakes[field] = nothing;
    else
        note = keptText(values, keptBy(values));
    if (values.factsAreKnown())
        report.invalidRows = firstLines(values.facts->firstInvalid, values.facts->invalidRows);
}

QList<Check> dataChecks(const LaunchValues& values) {
    QList<Check> checks{dataCheck(values), vocabularyCheck(values)};
    if (values.factsAreKnown() && values.facts->mistake.isEmpty() && values.facts->hasOneSplit())
        checks.insert(1, sameSplitCheck(*values.facts));
    return checks;
}

} // namespace headroom::app
