// SPDX-License-Identifier: GPL-3.0-or-later
// What the cells of RunTableModel show, and what they are sorted by.
#include "core/architecture/usual_length.h"
#include "core/runs/recipe.h"
#include "core/runs/score_decimals.h"
#include "core/statistics/undefined.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/evaluated_text.h"
#include "widgets/run_monitor/fitted_titles.h"
#include "widgets/run_monitor/recipe_words.h"
#include "widgets/run_monitor/run_comparison.h"
#include "widgets/run_monitor/run_table_model.h"
#include "widgets/run_monitor/run_words.h"
#include "widgets/run_monitor/table_text.h"

#include <QFont>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

/// Numbers stand at the right. A switch without default: a new column does not compile without its line.
bool isNumberColumn(RunTableModel::Column column) {
    switch (column) {
    case RunTableModel::Compared:
    case RunTableModel::Name:
    case RunTableModel::Recipe:
    case RunTableModel::State:
    case RunTableModel::Started:
    case RunTableModel::ColumnCount:
        return false;
    case RunTableModel::Seeds:
    case RunTableModel::Parameters:
    case RunTableModel::Macs:
    case RunTableModel::Loss:
    case RunTableModel::Wer:
    case RunTableModel::Bleu:
    case RunTableModel::Test:
    case RunTableModel::Delta:
    case RunTableModel::PValue:
        return true;
    }
    return false;
}

/// The first split that was evaluated, and how many more there are: a row has no room for them.
QString evaluatedText(const RunGroup& group) {
    const QStringList splits = group.evaluatedSplits();
    if (splits.isEmpty())
        return QStringLiteral("–");
    const QString first = resultText(group, splits.front());
    return splits.size() == 1 ? first : RunTableModel::tr("%1; %2 more").arg(first).arg(splits.size() - 1);
}

} // namespace

QVariant RunTableModel::raw(const RunGroup& group, int column) const {
    switch (column) {
    case Compared:
        return double(m_styles.contains(group.key) ? m_styles.value(group.key) : kMostCompared);
    case Seeds:
        return double(group.seeds());
    case Parameters: // as the header says
        return group.runs.front().parameters / 1e6;
    case Macs:
        return group.runs.front().macShare * 100;
    case Loss:
        return overSeeds(group, &RunItem::bestLoss).mean;
    case Wer:
        return overSeeds(group, &RunItem::bestWer).mean;
    case Bleu:
        return overSeeds(group, &RunItem::bestBleu).mean;
    case Test:
        return resultOn(group, group.evaluatedSplits().value(0)).score.mean;
    case Delta:
        return reference() ? against(group, *reference()).difference : kUndefined;
    case PValue:
        return reference() ? against(group, *reference()).p : kUndefined;
    case Started:
        return QString::fromStdString(group.firstCreated());
    default:
        return text(group, column);
    }
}

QString RunTableModel::text(const RunGroup& group, int column) const {
    const int count = group.seeds(), finished = group.finishedSeeds();
    switch (column) {
    case Name:
        return group.name;
    case Recipe:
        return group.recipe;
    case Seeds:
        return finished == count ? QString::number(count) : tr("%1 of %2").arg(finished).arg(count);
    case Parameters:
        return numberText(raw(group, Parameters).toDouble(), 2);
    case Macs:
        return numberText(raw(group, Macs).toDouble(), 0);
    case Loss:
        return meanText(overSeeds(group, &RunItem::bestLoss), kLossDecimals);
    case Wer:
        return meanText(overSeeds(group, &RunItem::bestWer), kScoreDecimals);
    case Bleu:
        return meanText(overSeeds(group, &RunItem::bestBleu), kScoreDecimals);
    case Test:
        return evaluatedText(group);
    case Delta: {
        const double difference = raw(group, Delta).toDouble();
        if (!reference())
            return numberText(kUndefined, 0);
        if (reference()->key == group.key)
            return tr("reference");
        return (difference > 0 ? QStringLiteral("+") : QString()) + numberText(difference, comparesLosses(*reference()) ? kLossDecimals : kScoreDecimals);
    }
    case PValue:
        return numberText(raw(group, PValue).toDouble(), 3);
    case State:
        return stateWord(group);
    case Started:
        return QString::fromStdString(group.firstCreated()).left(16).replace(u'T', u' ');
    default:
        return {};
    }
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const RunGroup& group = m_groups[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(group, index.column());
    case kRawRole:
        return raw(group, index.column());
    case StyleRole:
        return styleOf(group.key);
    case TitlesRole:
        return index.column() == Name ? QVariant::fromValue(Titles{group.name, {}, m_apart.value(group.name)}) : QVariant();
    case Qt::CheckStateRole:
        return index.column() == Compared
                   ? QVariant(m_styles.contains(group.key) ? Qt::Checked : Qt::Unchecked)
                   : QVariant();
    case Qt::TextAlignmentRole:
        return int(isNumberColumn(Column(index.column())) ? Qt::AlignRight | Qt::AlignVCenter
                                                          : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole: {
        // Bold: the name, and the best value of a column.
        if (index.column() != Name && !isBest(group, index.column()))
            return {};
        QFont bold = Sizes::caption();
        bold.setWeight(QFont::DemiBold);
        return bold;
    }
    case Qt::ForegroundRole:
        if (index.column() == State && stateOf(group) == RunState::Failed && !group.onlyWaits())
            return Theme::current().error;
        return {};
    case Qt::ToolTipRole: {
        QStringList lines{group.name, tr("recipe %1, data %2").arg(group.recipe, group.data)};
        std::vector<const headroom::Recipe*> recipes; // of one name: others have many values of their own
        const QString& start = group.runs.front().start;
        bool isStartTheirs = true;
        for (const RunGroup& other : m_groups)
            if (other.recipe == group.recipe) {
                recipes.push_back(other.runs.front().values.get());
                isStartTheirs = isStartTheirs && other.runs.front().start == start;
            }
        constexpr int kMostValues = 12;
        const auto differing = differingValues(recipes, SaidElsewhere::Nothing); // a name that the user gave says none
        if (const QString values = recipeWords(group.runs.front().values.get(), differing, kMostValues); !values.isEmpty())
            lines << tr("values that differ between experiments with this recipe: %1").arg(values);
        if (!isStartTheirs)
            lines << tr("start: %1").arg(start);
        if (index.column() == Delta || index.column() == PValue)
            if (const QString why = whyNotCompared(group, reference()); !why.isEmpty())
                lines.prepend(why);
        if (const QString decoded = decodedText(group); !decoded.isEmpty())
            lines << tr("WER and BLEU on dev: %1").arg(decoded);
        if (const auto& values = group.runs.front().values; values && !group.runs.front().isOfLanguage())
            lines << tr("decoded on dev: greedily; a decoder writes at most %1").arg(counted(static_cast<int>(values->validation.maxTokens), tr("1 piece"), tr("%1 pieces")));
        for (const QString& split : group.evaluatedSplits())
            lines << tr("evaluated: %1").arg(resultText(group, split));
        const auto counted = group.runsOfSeeds();
        for (const RunItem& run : group.runs) {
            lines << (run.repeat > 1 ? tr("seed %1, run %2").arg(run.info.seed).arg(run.repeat) : tr("seed %1").arg(run.info.seed)) +
                         tr(": %1, update %2, %3")
                             .arg(stateWord(run), numberText(static_cast<double>(run.update), 0),
                                  QString::fromStdU16String(run.folder.filename().u16string()));
            if (std::ranges::find(counted, &run) == counted.end())
                lines.last() += tr("; not in the numbers of this row");
            if (const QString exported = exportedText(run.weights); !exported.isEmpty())
                lines.last() += tr("; exported model: %1").arg(exported);
            for (const EvaluatedScore& one : run.evaluated)
                lines.last() += tr("; evaluated on %1: %2").arg(one.split, weightsWords(one.checkpoint)) +
                                (one.decoding.isEmpty() ? QString() : QStringLiteral(", ") + one.decoding) +
                                (std::isfinite(one.mappedWer) ? QStringLiteral("; ") + mappedWerText(one.mappedWer) : QString());
        }
        return lines.join(u'\n');
    }
    default:
        return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(isNumberColumn(Column(section)) ? Qt::AlignRight | Qt::AlignVCenter
                                                   : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        switch (section) {
        case Compared:
            return tr("Ticked experiments are shown in the curves; six at most.");
        case Seeds:
            return tr("Number of seeds with a finished run, out of all seeds, including those in the queue. If "
                      "several runs have the same seed, the newest finished one counts, or the newest while none has finished.");
        case Parameters:
            return tr("Parameters of the trained model. A CTC output that only the recipe adds is not among them.");
        case Macs:
            return tr("Multiply–accumulates of the encoder for %1 s of speech or %2 tokens of text, relative to full attention in every "
                      "head.")
                .arg(kUsualSeconds)
                .arg(kUsualTextTokens);
        case Loss:
        case Wer:
        case Bleu:
            return tr("At the best validation of each run, with the weights of that update. “Evaluated” is usually of the exported "
                      "model, a mean of checkpoints, so the two differ. WER and BLEU are of the utterances that the recipe decodes (validation.maxUtterances), "
                      "from the first; the tooltip of a row says how many, unless they are all. "
                      "They are decoded greedily, and a decoder writes at most validation.maxTokens pieces; Evaluate… has other settings, so that its score on dev may differ "
                      "even with the same weights. Mean ± sample standard deviation over seeds. Bold marks the best among experiments with a finished run and "
                      "the same task, corpus and validation split; for WER and BLEU also with the same number of decoded utterances; for loss also "
                      "with the same pieces and label smoothing, CTC apart from attention decoders.");
        case Test:
            return tr("BLEU for translation, WER in % for recognition, perplexity (PPL) for language models, as measured by Evaluate…; the newest "
                      "evaluation of each run on each split counts, unless the run went on and has other weights now. One split is shown, test before the others; the tooltip of a row has all of them, and says how "
                      "they were decoded. The weights are those "
                      "chosen there: usually the exported model, the mean of the last "
                      "checkpoints (checkpoints.average), not those of the best validation. Mean ± sample standard deviation over the seeds that were evaluated.");
        case Delta:
            return tr("Dev score (WER, BLEU or loss) minus that of the reference; “Evaluated” plays no part. Mean over the seeds with which both have finished, if "
                      "they can be compared: the same task, corpus and validation split, for WER and BLEU also the same number of decoded "
                      "utterances, for loss also the same pieces and label smoothing. The reference is the first experiment that was "
                      "ticked with a score. To choose another one, right-click it and tick “Reference of Δ and p”.");
        case State:
            return tr("Of an experiment that was started several times with one seed: in which states its runs are. The row's numbers, its curve "
                      "and its result are of the newest finished run of each seed. Queue lists the runs one by one.");
        case PValue:
            return tr("Of the dev scores, as Δ: paired sign-flip permutation test over the seeds with which both have finished, two-sided. With few seeds "
                      "p cannot be small: with three, at least 0.25.");
        default:
            return {};
        }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Run");
    case Recipe:
        return tr("Recipe");
    case Seeds:
        return tr("Seeds");
    case Parameters:
        return tr("Params, M");
    case Macs:
        return tr("MACs, %");
    case Loss:
        return tr("Dev loss");
    case Wer:
        return tr("Dev WER, %");
    case Bleu:
        return tr("Dev BLEU");
    case Test:
        return tr("Evaluated");
    case Delta:
        return tr("Δ dev");
    case PValue:
        return tr("p of Δ");
    case State:
        return tr("State");
    case Started:
        return tr("Created, UTC");
    default:
        return QString();
    }
}

} // namespace headroom::widgets
