// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_editor/layer_editor_model.h"

#include "core/architecture/edits.h"
#include "widgets/layer_editor/head_suggestions.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {
}

LayerEditorModel::LayerEditorModel(QObject* parent) : QAbstractTableModel(parent) {}

void LayerEditorModel::setGrid(const HeadGrid& grid) {
    int heads = 0;
    for (int layer = 1; layer <= grid.layerCount(); ++layer)
        heads = std::max(heads, int(grid.layer(layer).cells.size()));
    if (grid.layerCount() != m_grid.layerCount() || heads != m_mostHeads) {
        beginResetModel();
        m_grid = grid;
        m_mostHeads = heads;
        m_facts.resize(std::size_t(grid.layerCount()));
        endResetModel();
        return;
    }
    if (grid == m_grid)
        return;
    m_grid = grid;
    if (m_grid.layerCount() > 0)
        Q_EMIT dataChanged(index(kFirstLayerRow, 0), index(decoderRow() - 1, columnCount() - 1));
}

void LayerEditorModel::setFacts(std::vector<LayerFacts> facts) {
    m_facts = std::move(facts);
    m_facts.resize(std::size_t(m_grid.layerCount()));
    if (m_grid.layerCount() > 0)
        Q_EMIT dataChanged(index(kFirstLayerRow, 0), index(decoderRow() - 1, columnCount() - 1));
}

void LayerEditorModel::setFrame(const QString& frontEnd, const QString& decoder, bool hasCross) {
    m_hasCross = hasCross;
    m_frontEnd = frontEnd;
    m_decoder = decoder;
    if (m_grid.layerCount() == 0)
        return;
    for (const int row : {kFrontEndRow, decoderRow()})
        Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
}

void LayerEditorModel::setClock(double millisecondsPerToken, const QString& macsHead) {
    m_millisecondsPerToken = millisecondsPerToken;
    m_macsHead = macsHead;
    if (m_grid.layerCount() > 0)
        Q_EMIT headerDataChanged(Qt::Horizontal, macsColumn(), macsColumn());
}

void LayerEditorModel::setMapShown(bool shown) {
    if (shown == m_mapShown)
        return;
    m_mapShown = shown;
    Q_EMIT headerDataChanged(Qt::Horizontal, MapColumn, MapColumn);
}

const LayerFacts& LayerEditorModel::facts(int layer) const {
    return m_facts.at(std::size_t(layer) - 1);
}

bool LayerEditorModel::isHead(const QModelIndex& index) const {
    if (!index.isValid() || !isLayerRow(index.row()) || index.column() < FirstHead)
        return false;
    return headOf(index.column()) <= int(m_grid.layer(layerOf(index.row())).cells.size());
}

const HeadCell* LayerEditorModel::cell(const QModelIndex& index) const {
    return isHead(index) ? &m_grid.layer(layerOf(index.row())).cells[std::size_t(headOf(index.column())) - 1]
                         : nullptr;
}

const HeadMistake* LayerEditorModel::mistakeAt(const QModelIndex& index) const {
    if (!isHead(index))
        return nullptr;
    const int layer = layerOf(index.row()), head = headOf(index.column());
    for (const HeadMistake& mistake : m_grid.mistakes())
        if (mistake.layer == layer &&
            (reuses(layer) || (head >= mistake.firstHead && head <= mistake.lastHead)))
            return &mistake;
    return nullptr;
}

bool LayerEditorModel::reuses(int layer) const {
    const auto& cells = m_grid.layer(layer).cells;
    return cells.size() > 1 && std::all_of(cells.begin(), cells.end(), [&](const HeadCell& cell) {
               return cell.text.rfind("reuse", 0) == 0 && cell.text == cells.front().text;
           });
}

QString LayerEditorModel::reachText(int layer) const {
    int before = 0, after = 0; // tokens
    bool allEarlier = false;
    for (const HeadGroup& group : m_grid.layer(layer).heads) {
        if (group.kind == HeadKind::Reuse)
            return group.reusedLayer < layer ? reachText(group.reusedLayer) : QStringLiteral("–");
        if (group.kind == HeadKind::Masked) { // sees nothing later
            allEarlier = allEarlier || group.window <= 0;
            before = std::max(before, group.window / 2);
        } else if (group.kind == HeadKind::Local || group.kind == HeadKind::LocalBlock) {
            const int side = group.kind == HeadKind::Local ? group.window / 2 : 2 * (group.window / 3) - 1;
            before = std::max(before, side);
            after = std::max(after, side);
        } else {
            return tr("all");
        }
    }
    const bool isTime = m_millisecondsPerToken > 0;
    constexpr double kLongReach = 10'000; // ms: from here on in seconds, for which the column has room
    const bool isLong = std::max(before, after) * m_millisecondsPerToken >= kLongReach;
    const auto text = [&](int side) {
        const double reach = side * m_millisecondsPerToken;
        return !isTime ? QString::number(side) : isLong ? timeText(reach / 1000, 1) : timeText(reach, 0);
    };
    const QString unit = !isTime ? QString() : kNarrowSpace + (isLong ? QStringLiteral("s") : QStringLiteral("ms"));
    if (allEarlier)
        return after == 0 ? tr("all earlier") : tr("all, +%1").arg(text(after)) + unit;
    if (before == after)
        return QStringLiteral("±") + text(before) + unit;
    const QString past = QStringLiteral("−") + text(before);
    return after == 0 ? past + unit : past + kNarrowSpace + QLatin1Char('+') + text(after) + unit;
}

int LayerEditorModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || m_grid.layerCount() == 0 ? 0 : m_grid.layerCount() + 2;
}

int LayerEditorModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || m_grid.layerCount() == 0 ? 0 : FirstHead + m_mostHeads + 3;
}

QVariant LayerEditorModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const int row = index.row(), column = index.column();
    if (!isLayerRow(row)) {
        if (role != Qt::DisplayRole && role != Qt::ToolTipRole) // whose line may be cut
            return {};
        if (role == Qt::ToolTipRole && isCrossRow(row) && (column == LayerColumn || column == FirstHead))
            return m_decoder + QLatin1Char('\n') +
                   tr("Click here to select the cross-attention, which can be relaxed. Enter or a double-click edits its heads as text.");
        if (role == Qt::ToolTipRole && row == kFrontEndRow && !m_grid.isMasked() && (column == LayerColumn || column == FirstHead))
            return m_frontEnd + QLatin1Char('\n') + tr("The context menu changes the positions.");
        if (column == LayerColumn)
            return row == kFrontEndRow ? tr("Front end") : tr("Decoder");
        return column == FirstHead ? (row == kFrontEndRow ? m_frontEnd : m_decoder) : QVariant();
    }
    const int layer = layerOf(row);
    if (const HeadCell* head = cell(index)) {
        const auto text = QString::fromStdString(head->text);
        const HeadMistake* mistake = mistakeAt(index);
        switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return text;
        case Qt::ToolTipRole:
            return mistake ? text + QLatin1Char('\n') + QString::fromStdString(mistake->sentence)
                           : text + QStringLiteral(": ") + noteOf(text, m_millisecondsPerToken);
        case Qt::AccessibleTextRole:
            return tr("Layer %1, head %2: %3").arg(layer).arg(headOf(column)).arg(text);
        case Qt::AccessibleDescriptionRole:
            return mistake ? QString::fromStdString(mistake->sentence) : noteOf(text, m_millisecondsPerToken);
        default:
            return {};
        }
    }
    const LayerFacts& known = facts(layer);
    if (role == Qt::TextAlignmentRole && column >= reachColumn())
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && column == lossColumn())
        return lossToolTip();
    if (role == Qt::ToolTipRole && column == macsColumn() && !m_grid.layer(layer).heads.empty() &&
        m_grid.layer(layer).heads.front().kind == HeadKind::Reuse)
        return tr("This layer computes no scores, but its values are twice as wide (Shim et al. 2022), so it may "
                  "cost as much as before.");
    if (role == Qt::ToolTipRole && column == macsColumn())
        return tr("Multiply–accumulates of this layer relative to the same layer of the baseline; blue: "
                  "its attention.");
    if (role != Qt::DisplayRole)
        return {};
    if (column == LayerColumn)
        return QString::number(layer);
    if (column == reachColumn())
        return reachText(layer);
    if (column == lossColumn())
        return !known.loss ? QStringLiteral("–")
               : *known.loss == 0 && !windowOf(m_grid.layer(layer).heads) // full: exactly, as under the maps
                   ? QStringLiteral("0")
                   : numberText(*known.loss, 3);
    if (column == macsColumn())
        return known.macs ? numberText(*known.macs * 100, 0) + kNarrowSpace + QLatin1Char('%')
                          : QStringLiteral("–");
    return {};
}

QString LayerEditorModel::lossToolTip() const {
    const QString what = tr("CL: share of contributions outside the window, 1 − D(w), mean over utterances. "
                            "Alastruey et al. 2022, Eq. 6. For masked heads it includes all later tokens.");
    return m_lossSource.isEmpty() ? what : what + QLatin1Char('\n') + m_lossSource;
}

QVariant LayerEditorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section >= reachColumn() && section < macsColumn() ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == lossColumn())
        return lossToolTip();
    if (role == Qt::ToolTipRole && section == macsColumn())
        return m_macsHead;
    if (role != Qt::DisplayRole)
        return {};
    if (section == LayerColumn)
        return tr("Layer");
    if (section == MapColumn)
        return m_mapShown ? tr("Map") : QString();
    if (section == reachColumn())
        return tr("Reach");
    if (section == lossColumn())
        return tr("CL");
    if (section == macsColumn())
        return tr("MACs");
    return tr("Head %1").arg(headOf(section));
}

Qt::ItemFlags LayerEditorModel::flags(const QModelIndex& index) const {
    if (isHead(index))
        return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable;
    if (index.isValid() && isCrossRow(index.row()))
        return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return index.isValid() && isLayerRow(index.row()) ? Qt::ItemIsEnabled : Qt::NoItemFlags;
}

bool LayerEditorModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !isHead(index))
        return false;
    Q_EMIT textEntered(layerOf(index.row()), headOf(index.column()), value.toString());
    return true;
}

} // namespace headroom::widgets
