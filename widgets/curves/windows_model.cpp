// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/windows_model.h"

#include "core/analysis/diagonality.h"
#include "core/analysis/masked_loss.h"
#include "core/statistics/moments.h"
#include "core/statistics/undefined.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/matrix/map_tag.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

void WindowsRow::limitTo(int limit) {
    own = limit;
    if (limit <= 0 || suggested <= limit)
        return;
    found = suggested;
    suggested = limit; // with the same CL, because there is nothing between the two
}

void WindowsRow::setMasked() {
    masked = true;
    lossMean = lossDeviation = std::nullopt; // that of a window which sees as much on the other side
    if (suggested <= 0 || utterances.empty())
        return;
    std::vector<double> each;
    for (const DiagonalProfile& one : utterances)
        each.push_back(lossIn(one, suggested));
    const Moments loss(each);
    lossMean = loss.mean();
    if (each.size() > 1)
        lossDeviation = loss.deviation();
}

double WindowsRow::lossIn(const DiagonalProfile& one, int w) const {
    return masked ? maskedContributionLoss(one, w) : w <= 0 ? 0 : contributionLoss(one, w);
}

QString WindowsRow::nameOf(int w) const {
    return w > 0 ? QString::number(w) : masked ? WindowsModel::tr("masked") : WindowsModel::fullText();
}

double WindowsRow::drawnLoss() const {
    return sharesWindow ? lossOf(window) : kUndefined;
}

double WindowsRow::suggestedLoss() const {
    if (suggested <= 0)
        return kUndefined;
    if (lossMean || !utterances.empty() || !losses.empty())
        return lossOf(suggested);
    return profile.empty() ? kUndefined : lossIn(profile, suggested);
}

double WindowsRow::lossOf(int w) const {
    if (w <= 0 && !masked)
        return 0;
    if (w == suggested && lossMean)
        return *lossMean;
    if (utterances.empty() && !losses.empty()) // D(w) changes at odd w only, and is 1 beyond the longest utterance
        return static_cast<std::size_t>(w / 2) < losses.size() ? losses[static_cast<std::size_t>(w / 2)] : 0;
    if (utterances.empty())
        return kUndefined;
    double sum = 0;
    for (const DiagonalProfile& one : utterances)
        sum += lossIn(one, w);
    return sum / static_cast<double>(utterances.size());
}

std::optional<int> WindowsRow::suggestion(double fullAbove) const {
    if (suggested <= 0 || !takesWindow)
        return std::nullopt;
    return suggestedLoss() > fullAbove ? 0 : suggested;
}

WindowsRow windowsRow(std::span<const DiagonalProfile> utterances, const WindowSearchSettings& settings) {
    WindowsRow row;
    std::vector<double> statistics;
    for (const auto& profile : utterances)
        if (!profile.empty()) {
            statistics.push_back(static_cast<double>(windowStatistic(profile, settings)));
            row.utterances.push_back(profile);
        }
    if (statistics.empty())
        return row;
    // Population deviation, as in a study: with the 400 utterances of Alastruey et al. 2022 the sample's differs
    // by 0.13 % and changes no published window.
    const Moments statistic(statistics);
    row.mean = statistic.mean();
    row.suggested = static_cast<int>(windowFromStatistic(statistic.mean(), statistic.deviation()));
    std::vector<double> losses;
    for (const auto& profile : row.utterances)
        losses.push_back(contributionLoss(profile, row.suggested));
    const Moments loss(losses);
    row.lossMean = loss.mean();
    if (statistics.size() > 1) {
        row.deviation = statistic.deviation();
        row.lossDeviation = loss.deviation();
    }
    return row;
}

WindowsModel::WindowsModel(QObject* parent) : QAbstractTableModel(parent) {}

void WindowsModel::setRows(std::vector<WindowsRow> rows, int utterances, const QString& of, const QString& selections) {
    beginResetModel();
    m_rows = std::move(rows);
    m_utterances = utterances;
    m_of = of;
    m_selections = selections;
    endResetModel();
}

void WindowsModel::setWindow(int layer, int window, bool sharesWindow) {
    WindowsRow& row = m_rows.at(static_cast<std::size_t>(layer));
    row.window = window;
    row.sharesWindow = sharesWindow;
    Q_EMIT dataChanged(index(layer, Drawn), index(layer, LossHere));
}

void WindowsModel::setInDesign(int layer, const QString& text) {
    m_rows.at(static_cast<std::size_t>(layer)).inDesign = text;
    Q_EMIT dataChanged(index(layer, InDesign), index(layer, InDesign));
}

void WindowsModel::setFullAbove(double loss) {
    if (loss == m_fullAbove)
        return;
    m_fullAbove = loss;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void WindowsModel::setBrief(bool brief) {
    if (brief == m_brief)
        return;
    m_brief = brief;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, Suggested), index(rowCount() - 1, SuggestedLoss));
}

double WindowsModel::lossHere(int layer) const {
    const auto& row = m_rows.at(static_cast<std::size_t>(layer));
    return row.profile.empty() || !row.sharesWindow ? kUndefined : row.lossIn(row.profile, row.window);
}

int WindowsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WindowsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

double WindowsModel::raw(const QModelIndex& index) const {
    const auto& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case Layer:
        return index.row() + 1;
    case Mean:
        return row.mean.value_or(kUndefined);
    case Deviation:
        return row.deviation.value_or(kUndefined);
    case Suggested:
        return row.suggested > 0 && row.takesWindow ? row.suggested : kUndefined;
    case SuggestedLoss:
    case LossBar:
        return row.takesWindow ? row.suggestedLoss() : kUndefined;
    case Drawn:
        return row.window > 0 && row.sharesWindow ? row.window : kUndefined;
    case DrawnLoss:
        return row.drawnLoss();
    case LossHere:
        return lossHere(index.row());
    case Ccd:
        return row.profile.empty() ? kUndefined : cumulativeContributionDiagonality(row.profile);
    default:
        return kUndefined;
    }
}

QString WindowsModel::cellText(int layer, int column, bool brief) const {
    const auto& row = m_rows[static_cast<std::size_t>(layer)];
    const double value = raw(index(layer, column));
    const bool staysFull = row.suggestion(m_fullAbove) == 0;
    switch (column) {
    case Layer:
        return QString::number(layer + 1);
    case Mean:
        return number(value, m_utterances > 1 ? 2 : 0);
    case Deviation:
        return number(value, 2);
    case Suggested:
        return !staysFull ? number(value, 0) : brief ? tr("%1 (%2)").arg(row.nameOf(0)).arg(row.suggested) : row.nameOf(0);
    case SuggestedLoss: // where full is suggested, the CL is that of a window that stands nowhere else
        return staysFull && !brief ? tr("%1 at %2").arg(number(value, 3)).arg(row.suggested) : number(value, 3);
    case Drawn:
        return row.sharesWindow                       ? row.nameOf(row.window)
               : row.window <= 0 && !row.takesWindow ? QStringLiteral("–")
                                                     : tr("mixed");
    case DrawnLoss:
    case LossHere:
    case Ccd:
        return number(value, 3);
    case InDesign:
        return row.inDesign.isEmpty() ? QStringLiteral("–") : row.inDesign;
    default:
        return {};
    }
}

/// What the number follows from; and where it is 1, how that can be while CL is far from 0.
QString WindowsModel::suggestionText(const WindowsRow& row) const {
    if (row.suggested <= 0 || !row.mean)
        return {};
    QString text = row.deviation ? tr("⌈μ + σ⌉ = ⌈%1 + %2⌉, made odd: w = %3.").arg(number(*row.mean, 2), number(*row.deviation, 2)).arg(row.suggested)
                                 : tr("2·i_last = %1, made odd: w = %2.").arg(number(*row.mean, 0)).arg(row.suggested);
    if (row.suggested == 1)
        text += QLatin1Char('\n') +
                tr("w = 1: a token sees only itself. %1 none of the N/10 diagonals on either side of the main one has a mean above "
                   "0.01, and Algorithm 1 looks no further. A share of %2 is outside.")
                    .arg(*row.mean == 0 ? tr("Here") : tr("In most utterances"), number(row.suggestedLoss(), 3));
    return text;
}

QString WindowsModel::toolTip(const QModelIndex& index) const {
    const auto& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case Suggested:
        if (row.suggestion(m_fullAbove) == 0)
            return tr("Algorithm 1 finds w = %1, but its CL of %2 is above %3. The layer stays %4.")
                .arg(row.suggested)
                .arg(number(row.suggestedLoss(), 3), number(m_fullAbove, 2), row.nameOf(0));
        if (!row.takesWindow)
            return tr("The heads of this layer take no window.");
        return row.found > 0 ? tr("Algorithm 1 finds w = %1, but in the model this layer attends to %2 only.")
                                   .arg(row.found)
                                   .arg(counted(row.own, tr("1 token"), tr("%1 tokens")))
                             : suggestionText(row);
    case SuggestedLoss:
    case LossBar:
        if (std::isnan(raw(index)))
            return {};
        return row.lossDeviation ? tr("CL of w = %1: %2 ± %3 over %4%5.")
                                       .arg(row.suggested)
                                       .arg(number(raw(index), 3), number(*row.lossDeviation, 3),
                                            counted(m_utterances, tr("1 utterance"), tr("%1 utterances")), m_selections)
                                 : tr("CL of w = %1: %2.").arg(row.suggested).arg(number(raw(index), 3));
    case DrawnLoss:
    case LossHere:
        return std::isnan(raw(index)) ? QString()
                                      : tr("CL of %1: %2.")
                                            .arg(row.window > 0 ? tr("w = %1").arg(row.window) : row.nameOf(0),
                                                 number(raw(index), 3));
    default:
        return {};
    }
}

QVariant WindowsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    switch (role) {
    case kRawRole:
        return index.column() == InDesign ? QVariant(m_rows[static_cast<std::size_t>(index.row())].inDesign)
                                          : QVariant(raw(index));
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == InDesign ? Qt::AlignLeft | Qt::AlignVCenter
                                                   : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole:
        if (index.column() == Layer || index.column() == Drawn) {
            QFont bold = Sizes::caption();
            bold.setBold(true);
            return bold;
        }
        return {};
    case Qt::ToolTipRole:
        return toolTip(index);
    case Qt::DisplayRole:
        return cellText(index.row(), index.column(), m_brief);
    default:
        return {};
    }
}

QString WindowsModel::headText(int column, bool brief) const {
    switch (column) {
    case Layer:
        return tr("Layer");
    case Mean:
        return m_utterances > 1 ? tr("μ") : tr("2\u2009i");
    case Deviation:
        return tr("σ");
    case Suggested:
        return brief ? tr("Sugg.") : tr("Suggested");
    case SuggestedLoss:
        return tr("its CL");
    case Drawn:
        return tr("Drawn");
    case DrawnLoss:
        return tr("its CL");
    case LossHere:
        return tr("CL here"); // the caption names it
    case Ccd:
        return tr("CCD");
    case InDesign:
        return tr("In Design");
    default:
        return {};
    }
}

QString WindowsModel::headToolTip(int section) const {
    const QString over = m_of.isEmpty() ? QString() : u' ' + m_of;
    switch (section) {
    case Mean:
        return (m_utterances > 1 ? tr("Mean of Algorithm 1's 2·i_last, the last offset whose diagonal mean is above 0.01, doubled. "
                                      "It stops after N/10 offsets in a row without one. Alastruey et al. 2022.")
                                 : tr("Algorithm 1's 2·i_last: the last offset whose diagonal mean is above 0.01, doubled. "
                                      "It stops after N/10 offsets in a row without one. Alastruey et al. 2022.")) +
               over;
    case Deviation:
        return tr("Standard deviation of 2·i_last.") + over;
    case Suggested:
        return tr("Window that Algorithm 1 suggests: ⌈μ + σ⌉, rounded up to an odd number (Alastruey et al. 2022, "
                  "§4.1), or full if its CL is above the limit. It is never wider than the layer's own window in the "
                  "model. The map, the buttons and Design suggest the same.") +
               (m_brief ? QLatin1Char('\n') + tr("In brackets: the window that Algorithm 1 finds, where its CL is above the limit.")
                        : QString()) +
               over;
    case SuggestedLoss:
    case LossBar:
        return tr("CL of the window that Algorithm 1 finds: share of contributions outside it, 1 − D(w). Alastruey "
                  "et al. 2022, Eq. 6. The tick of the bar is the limit above which a layer stays full.") +
               over;
    case Drawn:
        return tr("Window in the draft, as drawn on the map or typed in Design.");
    case DrawnLoss:
        return tr("CL of the drawn window: share of contributions outside it.") + over;
    case LossHere:
        return tr("CL of the drawn window in the current utterance alone.");
    case Ccd:
        return tr("CCD of the current utterance: mean of D(w) over w = 1 … 2N. Alastruey et al. 2022, Eq. 7.");
    case InDesign:
        return tr("The heads of this layer in the draft.");
    default:
        return {};
    }
}

QVariant WindowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (role) {
    case Qt::TextAlignmentRole:
        return QVariant(section == InDesign ? Qt::AlignLeft | Qt::AlignVCenter
                                            : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::DisplayRole:
        return headText(section, m_brief);
    case kRawRole: // in a file no neighbour says whose CL it is
        return section == SuggestedLoss ? tr("CL of suggested") : section == DrawnLoss ? tr("CL of drawn") : headText(section, false);
    case Qt::ToolTipRole:
        return headToolTip(section);
    default:
        return {};
    }
}

} // namespace headroom::widgets
