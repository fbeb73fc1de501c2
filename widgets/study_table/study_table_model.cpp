// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_table/study_table_model.h"

#include "core/statistics/undefined.h"
#include "widgets/look/number_text.h"

#include <QRegularExpression>

#include <cmath>

namespace headroom::widgets {

namespace {

/// The number with which a text begins: "22.49 ± 0.11 (p = 0.031)", "−0.73 %", "2 of 3".
struct WrittenNumber {
    double value = kUndefined;
    bool isWhole = false; ///< the text says nothing else: "2 of 3" does
};

WrittenNumber writtenNumber(const QString& text) {
    static const QRegularExpression number(
        QStringLiteral("^([-+−]?(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?(?:e[-+−]?\\d+)?)(?:(\\s?%?(?:\\s?±.*|\\s\\(p .*)?$)|\\s|%)"),
        QRegularExpression::UseUnicodePropertiesOption); // the narrow spaces around ± are spaces
    const auto found = number.match(text);
    bool isNumber = false;
    const double value = found.captured(1).remove(QLatin1Char(',')).replace(QChar(0x2212), QLatin1Char('-')).toDouble(&isNumber);
    return isNumber ? WrittenNumber{value, found.hasCaptured(2)} : WrittenNumber();
}

/// What sorts a cell of a column of texts, among which may be numbers.
QVariant sortedBy(const QString& text) {
    if (text.isEmpty() || text == QChar(0x2013))
        return kUndefined;
    const WrittenNumber number = writtenNumber(text);
    return number.isWhole ? QVariant(number.value) : QVariant(text);
}

} // namespace

StudyTableModel::StudyTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void StudyTableModel::setTable(StudyTable table) {
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int StudyTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int StudyTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant StudyTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const StudyColumn& column = m_table.columns[static_cast<std::size_t>(index.column())];
    const StudyCell& cell =
        m_table.rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    const auto* number = std::get_if<double>(&cell);
    switch (role) {
    case Qt::DisplayRole:
        return number ? numberText(shownNumber(column, *number), column.decimals) : QString::fromStdString(shownText(column, cell));
    case kRawRole:
        if (const auto* words = std::get_if<std::string>(&cell))
            return column.text ? QVariant(QString::fromStdString(*words)) : writtenNumber(QString::fromStdString(*words)).value;
        return number ? *number : kUndefined;
    case kSortRole: {
        const QVariant raw = data(index, kRawRole);
        return raw.typeId() == QMetaType::Double ? raw : sortedBy(raw.toString());
    }
    case Qt::ToolTipRole:
        if (const auto* words = std::get_if<std::string>(&cell)) // which a narrow column elides
            return QString::fromStdString(*words);
        if (!number || !std::isfinite(*number))
            return {};
        return QStringList{withMinus(QString::number(*number, 'g', 17)), m_remark ? m_remark(index.row(), index.column()) : QString()}
            .join(QLatin1Char('\n'))
            .trimmed();
    case Qt::TextAlignmentRole:
        return int((column.text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant StudyTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const StudyColumn& column = m_table.columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(headText(column));
    case Qt::TextAlignmentRole:
        return int((column.text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace headroom::widgets
