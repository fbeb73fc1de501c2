// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/queue_model.h"

#include "core/statistics/undefined.h"
#include "widgets/look/duration_text.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/run_words.h"
#include "widgets/run_monitor/table_text.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace headroom::widgets {

QueueModel::QueueModel(QObject* parent) : QAbstractTableModel(parent) {}

void QueueModel::setItems(const std::vector<RunItem>& runs, const std::vector<WaitingItem>& waiting,
                          const QSet<QString>& stopping, const std::vector<EvaluationItem>& evaluations) {
    std::vector<Row> rows;
    std::vector<std::pair<std::string, Row>> ended; // by the time, UTC
    m_running = m_paused = m_queued = m_copying = m_pending = m_lost = 0;
    const auto add = [&](Row row) {
        rows.push_back(row);
        if (!row.sentence.isEmpty()) {
            row.kind = Kind::Sentence;
            rows.push_back(std::move(row));
        }
    };
    const auto isStopping = [&](const std::filesystem::path& folder) { return stopping.contains(QString::fromStdU16String(folder.u16string())); };
    const auto runOf = [&](const WaitingItem& job) {
        return std::ranges::find_if(runs, [&](const RunItem& one) { return job.resume && one.folder == job.run; });
    };
    std::map<std::filesystem::path, const WaitingItem*> refused; // runs that were not resumed have one row, too, that of the run
    for (const WaitingItem& job : waiting)
        if (const auto run = job.error.isEmpty() ? runs.end() : runOf(job); run != runs.end() && run->info.started <= job.ended)
            if (const auto known = refused.find(job.run); known == refused.end() || known->second->ended <= job.ended)
                refused[job.run] = &job;
    const auto refusalText = [](const WaitingItem& job) { return tr("Not resumed: %1").arg(job.error); };
    for (const RunItem& run : runs)
        if (run.goesOn()) {
            ++(run.lost ? m_lost : run.waits ? m_pending : run.isPaused ? m_paused : m_running);
            Row row = rowFor(run, isStopping(run.folder));
            if (const auto refusal = refused.find(run.folder); refusal != refused.end())
                row.sentence += (row.sentence.isEmpty() ? QString() : QStringLiteral(" ")) + refusalText(*refusal->second);
            add(std::move(row));
        }
    for (const EvaluationItem& one : evaluations)
        if (one.info.state == EvaluationInfo::State::Running) {
            using There = Elsewhere::There;
            const There there = one.elsewhere.there;
            ++(there == There::Copying ? m_copying : there == There::Waiting ? m_pending : there == There::Lost ? m_lost : m_running);
            add(rowFor(one, isStopping(one.info.folder)));
        }
    QSet<QString> queued; // runs that a job resumes have one row, that of the job
    for (const WaitingItem& job : waiting) {
        const auto run = runOf(job);
        if (run != runs.end() && !job.error.isEmpty())
            continue;
        Row row = rowFor(job);
        if (run != runs.end() && !run->goesOn()) {
            row.takeRun(*run);
            queued.insert(QString::fromStdU16String(run->folder.u16string()));
        }
        if (row.kind == Kind::NotStarted) {
            ended.emplace_back(job.ended, std::move(row));
            continue;
        }
        ++(row.kind == Kind::Copying ? m_copying : row.kind == Kind::Pending ? m_pending : row.kind == Kind::NoContact ? m_lost : m_queued);
        add(std::move(row));
    }
    for (const EvaluationItem& one : evaluations)
        if (one.info.state != EvaluationInfo::State::Running)
            ended.emplace_back(one.info.ended, rowFor(one, isStopping(one.info.folder)));
    for (const RunItem& run : runs)
        if (!run.goesOn() && !queued.contains(QString::fromStdU16String(run.folder.u16string()))) {
            auto& [time, row] = ended.emplace_back(!run.info.ended.empty() ? run.info.ended : std::max(run.info.started, run.info.created),
                                                   rowFor(run, isStopping(run.folder)));
            if (const auto refusal = refused.find(run.folder); refusal != refused.end()) {
                time = std::max(time, refusal->second->ended);
                row.sentence = refusalText(*refusal->second);
            }
        }
    std::ranges::stable_sort(ended, std::greater<>(), &std::pair<std::string, Row>::first); // of one second: as they are given
    for (auto& [time, row] : ended)
        add(std::move(row));

    tellApart(rows);
    if (sameShape(rows)) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (!m_rows[i].looksLike(rows[i])) {
                m_rows[i] = std::move(rows[i]);
                Q_EMIT dataChanged(index(static_cast<int>(i), 0),
                                   index(static_cast<int>(i), ColumnCount - 1));
            }
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    Q_EMIT rowsReplaced();
}

/// The names of runs that differ in the middle are cut elsewhere. Evaluations have brief titles, which say how they differ.
void QueueModel::tellApart(std::vector<Row>& rows) {
    QStringList titles;
    QHash<QString, QString> briefs;
    for (const Row& row : rows)
        if (!row.evaluates)
            titles << row.job;
        else if (!row.brief.isEmpty())
            briefs.insert(row.job, row.brief);
    if (titles != m_titles)
        m_apart = wordsApart(titles);
    m_titles = titles;
    if (briefs != m_briefs)
        m_evaluations = evaluationsApart(briefs);
    m_briefs = briefs;
    for (Row& row : rows)
        if (const auto known = m_evaluations.constFind(row.job); row.evaluates && known != m_evaluations.cend())
            row.brief = known->brief, row.least = known->least, row.tells = known->tells;
        else
            row.apart = m_apart.value(row.job);
}

bool QueueModel::Row::looksLike(const Row& other) const {
    const auto same = [](double left, double right) {
        return left == right || (std::isnan(left) && std::isnan(right));
    };
    return kind == other.kind && path == other.path && run == other.run && job == other.job && brief == other.brief && least == other.least && tells == other.tells && apart == other.apart && where == other.where &&
           sentence == other.sentence && score == other.score && scoreTip == other.scoreTip && same(took, other.took) &&
           same(share, other.share) && same(secondsLeft, other.secondsLeft) && same(speed, other.speed) &&
           same(byteSpeed, other.byteSpeed) &&
           same(loss, other.loss) && update == other.update && maxUpdates == other.maxUpdates &&
           hasModel == other.hasModel && resumes == other.resumes && retries == other.retries && stops == other.stops && startsAgain == other.startsAgain &&
           hasScript == other.hasScript && held == other.held && evaluates == other.evaluates && readsText == other.readsText && bestUpdate == other.bestUpdate &&
           hasErrors == other.hasErrors;
}

bool QueueModel::Row::tellsTimeLeft() const {
    const bool isLive = kind == Kind::Running || kind == Kind::NoContact || kind == Kind::Copying;
    return isLive && !finishes() && std::isfinite(secondsLeft);
}

bool QueueModel::sameShape(const std::vector<Row>& rows) const {
    return rows.size() == m_rows.size() &&
           std::equal(rows.begin(), rows.end(), m_rows.begin(), [](const Row& left, const Row& right) {
               return left.path == right.path &&
                      (left.kind == Kind::Sentence) == (right.kind == Kind::Sentence);
           });
}

int QueueModel::rowOf(const std::filesystem::path& path) const {
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (m_rows[row].path == path || (!path.empty() && m_rows[row].run == path))
            return static_cast<int>(row);
    return -1;
}

const std::filesystem::path& QueueModel::lastingPathAt(int row) const {
    const Row& here = m_rows[static_cast<std::size_t>(row)];
    return here.run.empty() ? here.path : here.run;
}

QString QueueModel::kindWord(Kind kind) {
    switch (kind) {
    case Kind::Running:
        return tr("Running");
    case Kind::Paused:
        return tr("Paused");
    case Kind::Stopping:
        return tr("Stopping");
    case Kind::NoContact:
        return tr("No contact");
    case Kind::Requeued:
        return tr("Requeued");
    case Kind::Copying:
        return tr("Copying");
    case Kind::Pending:
        return tr("Pending");
    case Kind::Waiting:
        return tr("Queued");
    case Kind::Finished:
        return tr("Finished");
    case Kind::Stopped:
        return tr("Stopped");
    case Kind::Interrupted:
        return tr("Interrupted");
    case Kind::Failed:
        return tr("Failed");
    case Kind::NotStarted:
        return tr("Not started");
    case Kind::Sentence:
        break;
    }
    return {};
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int QueueModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

/// Numbers in full precision. Where the rows of a column have several units, each stands in its cell.
QVariant QueueModel::copied(const Row& row, int column) {
    const auto with = [](double value, const QString& unit) { return QString::number(value, 'g', QLocale::FloatingPointShortest) + u' ' + unit; };
    switch (column) {
    case Progress:
        return std::isfinite(row.share) && row.kind != Kind::Waiting && row.kind != Kind::Pending ? QVariant(100 * row.share) : QVariant();
    case Step:
        return row.evaluates ? QVariant() : double(row.update); // of an evaluation the text says what it counts
    case TimeLeft:
        return std::isfinite(row.took)          ? tr("took %1").arg(with(row.took, QStringLiteral("s")))
               : row.tellsTimeLeft()            ? with(row.secondsLeft, QStringLiteral("s"))
                                                : QVariant();
    case Speed:
        return std::isfinite(row.byteSpeed) ? with(row.byteSpeed, QStringLiteral("B/s"))
               : std::isfinite(row.speed)   ? with(row.speed, row.readsText ? QStringLiteral("tokens/s") : QStringLiteral("frames/s"))
                                            : QVariant();
    case Loss:
        return row.loss;
    default:
        return {};
    }
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == KindRole)
        return int(row.kind);
    if (role == ShareRole)
        return row.kind == Kind::Waiting || row.kind == Kind::Pending || row.kind == Kind::NotStarted ? kUndefined : row.share;
    if (role == ButtonsRole) {
        QList<int> numbers;
        for (const Button button : buttonsAt(index.row()))
            numbers << int(button);
        return QVariant::fromValue(numbers);
    }
    if (role == TitlesRole)
        return row.kind == Kind::Sentence ? QVariant() : QVariant::fromValue(Titles{row.job, row.brief, row.apart, row.least, row.tells});
    if (role == Qt::TextAlignmentRole)
        return int(column >= Step && column <= Score ? Qt::AlignRight | Qt::AlignVCenter
                                                     : Qt::AlignLeft | Qt::AlignVCenter);
    if (row.kind == Kind::Sentence) {
        if (column == Job && (role == Qt::DisplayRole || role == Qt::ToolTipRole))
            return row.sentence;
        return role == Qt::ForegroundRole ? QVariant(Theme::current().error) : QVariant();
    }
    if (role == Qt::ForegroundRole && (row.kind == Kind::Waiting || row.kind == Kind::Pending))
        return Theme::current().text2;
    if (role == kCopyRole)
        return copied(row, column);
    if (role == Qt::ToolTipRole && column == Job) // the name is elided, and may be that of several evaluations
        return row.toolTip.isEmpty() ? row.job : row.toolTip;
    if (role == Qt::ToolTipRole && column == TimeLeft && row.finishes())
        return tr("All updates are done. The run validates and writes its model.");
    if (role == Qt::ToolTipRole && column == Score && row.bestUpdate > 0)
        return tr("The best validation so far, at update %1").arg(numberText(static_cast<double>(row.bestUpdate), 0)) + row.scoreTip;
    if (role == Qt::ToolTipRole && column == Score && !row.scoreTip.isEmpty())
        return row.scoreTip;
    if (role != Qt::DisplayRole)
        return {};
    const bool isJob = row.path.extension() == ".json";
    switch (column) {
    case State:
        return kindWord(row.kind);
    case Job:
        return row.job;
    case Where:
        return row.where;
    case Progress:
        if (row.kind == Kind::Waiting || row.kind == Kind::Pending)
            return tr("waiting");
        return std::isfinite(row.share) ? progressText(row.share) : QString();
    case Step: {
        const QString last = numberText(static_cast<double>(row.maxUpdates), 0);
        if (isJob)
            return row.maxUpdates > 0 ? tr("%1 of %2").arg(numberText(static_cast<double>(row.update), 0), last) : QString();
        if (row.evaluates && row.maxUpdates == 0)
            return QString();
        const QString now = numberText(static_cast<double>(row.update), 0);
        if (row.evaluates && row.kind == Kind::Finished)
            return !row.readsText ? tr("%1 utt.").arg(now) : row.update == 1 ? tr("1 sentence") : tr("%1 sentences").arg(now);
        return row.kind == Kind::Finished ? now : tr("%1 of %2").arg(now, last);
    }
    case TimeLeft:
        if (std::isfinite(row.took))
            return tr("took %1").arg(durationText(row.took));
        if (row.finishes())
            return tr("finishing");
        return row.tellsTimeLeft() ? durationText(row.secondsLeft) : QString();
    case Speed:
        if (std::isfinite(row.byteSpeed))
            return byteSpeedText(row.byteSpeed);
        return std::isfinite(row.speed) ? speedText(row.speed, row.readsText) : QString();
    case Loss:
        return std::isfinite(row.loss) ? lossText(row.loss) : QString();
    case Score:
        return row.score;
    default:
        return {};
    }
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(section >= Step && section <= Score ? Qt::AlignRight | Qt::AlignVCenter
                                                       : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) // the curve's last value may be another
        return section == Loss    ? tr("Training loss, the last value")
               : section == Score ? tr("At the best validation so far, whose weights are kept: usually that with the lowest loss (validation.best), so another one may "
                                       "have a better score. Of an evaluation: its score. PPL: perplexity")
                                  : QVariant();
    if (role == kCopyRole && section == Progress)
        return tr("Progress, %");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State:
        return tr("State");
    case Job:
        return tr("Job");
    case Where:
        return tr("Where");
    case Progress:
        return tr("Progress");
    case Step:
        return tr("Update");
    case TimeLeft:
        return tr("Time left");
    case Speed:
        return tr("Speed");
    case Loss:
        return tr("Loss");
    case Score:
        return tr("Score");
    default:
        return QString();
    }
}

} // namespace headroom::widgets
