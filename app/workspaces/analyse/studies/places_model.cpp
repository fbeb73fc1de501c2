// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/places_model.h"

#include "app/parts/number_text.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/pair_text.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/table_text.h"

#include <cmath>

namespace headroom::app {

namespace {

/// "begin → can"; one of them where they are the same place. `silence`: as the tier of these labels names it.
QString placeText(bool isKnown, const QString& query, const QString& key, bool isOne, const QString& silence) {
    if (!isKnown)
        return {};
    const auto shown = [&silence](const QString& text) { return text.isEmpty() ? silence : text; };
    return isOne ? shown(query) : widgets::pairText(shown(query), shown(key));
}

/// Whole nanoseconds, because the difference of two decimal numbers is seldom one.
double millisecondsBetween(double from, double to) {
    return std::round(1e9 * (to - from)) / 1e6;
}

} // namespace

void PlacesModel::setPlaces(PlaceList list) {
    beginResetModel();
    m_list = std::move(list);
    m_playing = -1;
    endResetModel();
    Q_EMIT headerDataChanged(Qt::Horizontal, Query, Value);
}

void PlacesModel::setPlaying(int row) {
    const int before = std::exchange(m_playing, row);
    for (const int changed : {before, row})
        if (changed >= 0 && changed < rowCount())
            Q_EMIT dataChanged(index(changed, Rank), index(changed, Rank));
}

int PlacesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_list.rows.size());
}

int PlacesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PlacesModel::raw(const PlaceRow& row, int rank, int column) const {
    const StudyPlace& place = row.place;
    const bool isOne = place.query == place.key;
    switch (column) {
    case Rank:
        return rank;
    case Utterance:
        return row.utterance;
    case Query:
        return place.query;
    case Key:
        return place.key;
    case Offset:
        return areTexts() ? place.key - place.query : millisecondsBetween(place.query, place.key);
    case Words:
        return placeText(row.hasWords, row.queryWord, row.keyWord, isOne, tr("silence"));
    case Phones:
        return placeText(row.hasPhones, row.queryPhone, row.keyPhone, isOne, tr("sil"));
    case Value:
        return place.value;
    default:
        return {};
    }
}

QVariant PlacesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const PlaceRow& row = at(index.row());
    const int column = index.column();
    const bool isText = column == Utterance || column == Words || column == Phones;
    const QVariant value = raw(row, index.row() + 1, column);
    switch (role) {
    case Qt::DisplayRole:
        if (column == Utterance && !row.text.isEmpty())
            return quotedText(row.text);
        if (isText || column == Rank)
            return value.toString().isEmpty() ? kUnknown : value;
        if (column == Offset)
            return signedWhole(value.toDouble());
        return column == Value ? decimals(value.toDouble(), 3) : widgets::timeText(value.toDouble(), areTexts() ? 0 : 3);
    case widgets::kRawRole:
        return value;
    case widgets::kCopyRole:
        if (column == Utterance && !row.text.isEmpty())
            return row.text;
        return isText ? this->data(index, Qt::DisplayRole) : QVariant();
    case Qt::TextAlignmentRole:
        return int((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DecorationRole:
        if (column == Utterance && row.isMissing)
            return widgets::icon(QStringLiteral("warning"), widgets::Theme::current().warning);
        if (column == Utterance && index.row() == m_playing && row.text.isEmpty()) // a text is not heard
            return widgets::icon(QStringLiteral("play"), widgets::Theme::current().accent);
        return {};
    case Qt::ForegroundRole:
        return row.isMissing ? QVariant(widgets::Theme::current().text3) : QVariant();
    case Qt::ToolTipRole:
        return row.isMissing
                   ? tr("The recording no longer exists: %1").arg(QString::fromStdString(row.audio.string()))
               : row.text.isEmpty()                                          ? QString::fromStdString(row.audio.string())
               : m_list.query.study && !m_list.query.study->document.data.empty() ? row.utterance + u'\n' + row.text // its id in the corpus
                                                                                   : row.text;
    default:
        return {};
    }
}

QVariant PlacesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool isText = section == Utterance || section == Words || section == Phones;
        return int((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Rank:
        return tr("No.");
    case Utterance:
        return tr("Utterance");
    case Query:
        return areTexts() ? tr("Query, token") : tr("Query, s");
    case Key:
        return areTexts() ? tr("Key, token") : tr("Key, s");
    case Offset:
        return areTexts() ? tr("Offset, tokens") : tr("Offset, ms");
    case Words:
        return tr("Words");
    case Phones:
        return tr("Phones");
    case Value:
        return m_list.query.valueTitle.isEmpty() ? tr("Value") : m_list.query.valueTitle;
    default:
        return {};
    }
}

} // namespace headroom::app
