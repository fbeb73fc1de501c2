// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/windows_table.h"

#include "core/analysis/diagonality.h"
#include "widgets/look/dense_table.h"
#include "widgets/look/least_rows.h"
#include "widgets/look/sizes.h"
#include "widgets/look/table_heads.h"
#include "widgets/look/theme.h"
#include "widgets/look/whole_numbers.h"
#include "widgets/matrix/map_tag.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::widgets {

namespace {

/// CL as a bar from 0 to 0.6, with a tick at the threshold.
class LossBar : public QStyledItemDelegate {
public:
    explicit LossBar(WindowsTable* table) : QStyledItemDelegate(table), m_table(table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index); // the row's ground
        const double loss = index.data(WindowsModel::kRawRole).toDouble();
        if (std::isnan(loss))
            return;
        const auto& theme = Theme::current();
        const double height = Sizes::unit();
        QRectF track(option.rect);
        track.adjust(scaledPixels(4), 0, -scaledPixels(4), 0);
        track.setTop(track.center().y() - height / 2);
        track.setHeight(height);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.grid);
        painter->drawRoundedRect(track, scaledPixels(2), scaledPixels(2));
        QRectF bar = track;
        bar.setWidth(track.width() * std::clamp(loss / kFull, 0.0, 1.0));
        const bool above = loss > m_table->threshold();
        painter->setBrush(above ? theme.warning : theme.waveformPeak);
        painter->drawRoundedRect(bar, scaledPixels(2), scaledPixels(2));
        const double tick = track.left() + track.width() * std::clamp(m_table->threshold() / kFull, 0.0, 1.0);
        painter->setPen(QPen(theme.text, scaledPixels(1)));
        painter->drawLine(QPointF(tick, track.top() - 1), QPointF(tick, track.bottom() + 1));
        painter->restore();
    }

private:
    static constexpr double kFull = 0.6;
    WindowsTable* m_table;
};

} // namespace

WindowsTable::WindowsTable(QWidget* parent)
    : QTableView(parent)
    , m_windows(new WindowsModel(this))
    , m_sorted(new QSortFilterProxyModel(this)) {
    m_sorted->setSourceModel(m_windows);
    m_sorted->setSortRole(WindowsModel::kRawRole);
    setHorizontalHeader(new TableHeads(this));
    setModel(m_sorted);
    setItemDelegate(new WholeNumbersDelegate(WindowsModel::kRawRole, this));
    setItemDelegateForColumn(WindowsModel::LossBar, new LossBar(this));
    setSortingEnabled(true);
    sortByColumn(WindowsModel::Layer, Qt::AscendingOrder);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    setAccessibleName(tr("Windows by layer"));
    setAccessibleDescription(
        tr("One row per layer: Algorithm 1's statistic, window, CL, CCD, heads in the draft."));
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &WindowsTable::applyMetrics);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid() && !m_selecting)
            Q_EMIT layerSelected(m_sorted->mapToSource(now).row());
    });
    applyMetrics();
}

void WindowsTable::setRows(std::vector<WindowsRow> rows, int utterances, const QString& of, const QString& selections) {
    const int layer = currentLayer(), sideways = horizontalScrollBar()->value();
    m_windows->setRows(std::move(rows), utterances, of, selections);
    setColumnHidden(WindowsModel::Deviation, utterances < 2);
    // Over the current utterance alone both columns would have the same numbers.
    const auto& shown = m_windows->rows();
    setColumnHidden(WindowsModel::LossHere,
                    utterances == 1 && std::all_of(shown.begin(), shown.end(), [](const WindowsRow& row) {
                        return row.utterances.size() == 1 && !row.profile.empty() &&
                               contributionLoss(row.utterances.front(), 3) == contributionLoss(row.profile, 3);
                    }));
    setCurrentLayer(std::min(layer, m_windows->rowCount() - 1));
    applyMetrics();
    horizontalScrollBar()->setValue(sideways); // an edit leaves the columns that one looks at in sight
}

void WindowsTable::setCurrentLayer(int layer) {
    const int sideways = horizontalScrollBar()->value();
    m_selecting = true;
    if (layer < 0)
        clearSelection();
    else
        // Not the view's own setCurrentIndex(): with Ctrl held, as in Ctrl+Z, that takes the selection away.
        selectionModel()->setCurrentIndex(
            m_sorted->mapFromSource(m_windows->index(layer, std::max(currentIndex().column(), 0))),
            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    horizontalScrollBar()->setValue(sideways); // another layer, but the same columns
    m_selecting = false;
}

int WindowsTable::currentLayer() const {
    return currentIndex().isValid() ? m_sorted->mapToSource(currentIndex()).row() : -1;
}

void WindowsTable::setThreshold(double loss) {
    m_windows->setFullAbove(loss);
    applyMetrics(); // "0.375 at 13" is wider than "0.375"
    viewport()->update();
}

QString WindowsTable::asText(int fewest) const {
    const auto cellText = [this](const QModelIndex& index) {
        const QVariant raw = index.data(WindowsModel::kRawRole);
        if (raw.typeId() != QMetaType::Double)
            return raw.toString();
        const double value = raw.toDouble();
        const int layer = m_sorted->mapToSource(index).row();
        if (const QString shown = m_windows->cellText(layer, index.column(), false);
            shown == WindowsModel::fullText() || (index.column() == WindowsModel::Drawn && std::isnan(value)))
            return shown; // "full", "mixed"
        if (std::isnan(value))
            return QStringLiteral("–");
        return QString::number(value, 'g', QLocale::FloatingPointShortest);
    };
    // Where full is suggested, the CL is that of a window that stands nowhere else.
    const auto windowOfLoss = [this](const QModelIndex& index) {
        const auto& row = m_windows->rows()[std::size_t(m_sorted->mapToSource(index).row())];
        return row.suggested > 0 && row.takesWindow ? QString::number(row.suggested) : QStringLiteral("–");
    };
    QStringList lines;
    QStringList heads;
    std::vector<int> columns;
    for (int column = 0; column < m_sorted->columnCount(); ++column)
        if (column != WindowsModel::LossBar && !isColumnHidden(column)) {
            columns.push_back(column);
            heads << m_sorted->headerData(column, Qt::Horizontal, WindowsModel::kRawRole).toString();
            if (column == WindowsModel::SuggestedLoss)
                heads << tr("at w");
        }
    lines << heads.join(u'\t');
    const bool some = selectionModel()->selectedRows().size() >= fewest;
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        if (some && !selectionModel()->isRowSelected(row, {}))
            continue;
        QStringList cells;
        for (const int column : columns) {
            cells << cellText(m_sorted->index(row, column));
            if (column == WindowsModel::SuggestedLoss)
                cells << windowOfLoss(m_sorted->index(row, column));
        }
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

void WindowsTable::renderTo(QPainter& painter, const QRect& target) {
    painter.save();
    painter.translate(target.topLeft());
    render(&painter, QPoint(), QRegion(QRect(QPoint(), target.size())));
    painter.restore();
}

QSize WindowsTable::minimumSizeHint() const {
    constexpr int kLeastRows = 5;
    return {QTableView::minimumSizeHint().width(), heightOfRows(*this, kLeastRows)};
}

void WindowsTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(asText());
        return;
    }
    QTableView::keyPressEvent(event);
}

void WindowsTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyMetrics();
}

void WindowsTable::applyMetrics() {
    verticalHeader()->setMinimumSectionSize(1);
    verticalHeader()->setDefaultSectionSize(Sizes::tableRow());
    horizontalHeader()->setFixedHeight(Sizes::tableHeader());
    horizontalHeader()->setMinimumSectionSize(static_cast<int>(3 * Sizes::unit()));
    measure();
    fitColumns(true);
}

void WindowsTable::measure() {
    QFont bold = Sizes::caption();
    bold.setWeight(QFont::DemiBold);
    // Rounded up: a text is cut as soon as it is a part of a pixel wider than its room.
    const auto widthIn = [](const QFont& font, const QString& text) {
        return static_cast<int>(std::ceil(QFontMetricsF(font).horizontalAdvance(text)));
    };
    for (const bool brief : {false, true})
        for (int column = 0; column < WindowsModel::ColumnCount; ++column) {
            const bool isLoss = column == WindowsModel::DrawnLoss || column == WindowsModel::LossHere; // known when one is drawn
            Widths widths{widthIn(bold, m_windows->headText(column, brief)),
                          isLoss ? widthIn(Sizes::caption(), QStringLiteral("0.000")) : 0};
            for (int row = 0; row < m_windows->rowCount(); ++row) {
                const QVariant font = m_windows->data(m_windows->index(row, column), Qt::FontRole);
                widths.cell = std::max(widths.cell, widthIn(font.isValid() ? font.value<QFont>() : Sizes::caption(), m_windows->cellText(row, column, brief)));
            }
            m_widths[brief][std::size_t(column)] = widths;
        }
}

/// Where there is less room, the padding and then the heads become shorter. Where even that is too wide, the heads in Design
/// stand behind the layer, and Algorithm 1's own numbers behind the two windows with their CL: what is of the current utterance alone
/// can be scrolled to.
void WindowsTable::fitColumns(bool anew) {
    using Model = WindowsModel;
    const auto needed = [this](Room room) {
        int sum = 0;
        for (int column = 0; column < Model::ColumnCount; ++column)
            if (column != Model::LossBar && !isColumnHidden(column))
                sum += widthOf(column, room);
        return sum;
    };
    Room room = Room::Wide;
    for (const Room narrower : {Room::Narrow, Room::Brief})
        if (needed(room) > viewport()->width())
            room = narrower;
    m_windows->setBrief(room == Room::Brief);
    setDense(*this, room != Room::Wide);
    QHeaderView* heads = horizontalHeader();
    for (int column = 0; column < Model::ColumnCount; ++column)
        if (column != Model::LossBar && (anew || room != m_room))
            heads->resizeSection(column, widthOf(column, room));
    m_room = room;
    static constexpr std::array kWide{Model::Layer,   Model::Mean,  Model::Deviation, Model::Suggested,
                                      Model::SuggestedLoss, Model::LossBar, Model::Drawn, Model::DrawnLoss,
                                      Model::LossHere, Model::Ccd, Model::InDesign};
    static constexpr std::array kNarrow{Model::Layer, Model::InDesign, Model::Suggested, Model::SuggestedLoss,
                                        Model::LossBar, Model::Drawn, Model::DrawnLoss, Model::Mean, Model::Deviation,
                                        Model::LossHere, Model::Ccd};
    const auto& order = needed(room) <= viewport()->width() ? kWide : kNarrow;
    for (std::size_t place = 0; place < order.size(); ++place)
        heads->moveSection(heads->visualIndex(order[place]), static_cast<int>(place));
    fitBar();
}

int WindowsTable::widthOf(int column, Room room) const {
    const auto& [head, cell] = m_widths[room == Room::Brief][std::size_t(column)];
    const double unit = Sizes::unit();
    const bool wide = room == Room::Wide;
    // Beyond sixteen units a text is elided, a number never is.
    const double arrow = column == horizontalHeader()->sortIndicatorSection() ? (wide ? 0.75 : 1.125) * unit : 0;
    return static_cast<int>(std::min(16 * unit, std::max(head + (wide ? 2.75 : 1) * unit + arrow, cell + (wide ? 2.75 : 1) * unit)));
}

/// The bar takes what is left; where that is nothing it goes, for its number stands beside it.
void WindowsTable::fitBar() {
    int others = 0;
    for (int column = 0; column < WindowsModel::ColumnCount; ++column)
        if (column != WindowsModel::LossBar && !isColumnHidden(column))
            others += columnWidth(column);
    const int left = viewport()->width() - others;
    const bool fits = left >= 4 * Sizes::unit();
    setColumnHidden(WindowsModel::LossBar, !fits);
    if (fits)
        horizontalHeader()->resizeSection(WindowsModel::LossBar, left);
}

void WindowsTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns(false);
}

} // namespace headroom::widgets
