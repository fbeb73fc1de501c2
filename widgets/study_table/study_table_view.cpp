// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_table/study_table_view.h"

#include "widgets/look/dense_table.h"
#include "widgets/look/icons.h"
#include "widgets/look/least_rows.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/whole_numbers.h"
#include "widgets/study_table/row_filter.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QResizeEvent>
#include <QSet>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

namespace headroom::widgets {

namespace {

constexpr double kLeastText = 12, kMostText = 24;        ///< units
constexpr int kMostCompared = 60;                        ///< rows

/// Numbers stand before texts. What is unknown stands last, however one sorts.
class SortedRows : public QSortFilterProxyModel {
public:
    explicit SortedRows(StudyTableModel* study) : QSortFilterProxyModel(study->parent()), m_study(study) {
        connect(study, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_filter.reset(); });
        setSourceModel(study);
    }
    void setFilter(const QString& words) {
        m_words = words;
        m_filter.reset();
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex&) const override {
        if (!m_filter)
            m_filter = RowFilter(m_words, m_study->table());
        return m_filter->accepts(m_study->table().rows[static_cast<std::size_t>(row)]);
    }
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const QVariant a = left.data(StudyTableModel::kSortRole), b = right.data(StudyTableModel::kSortRole);
        const bool isTextA = a.typeId() != QMetaType::Double, isTextB = b.typeId() != QMetaType::Double;
        const bool unknownA = !isTextA && std::isnan(a.toDouble()), unknownB = !isTextB && std::isnan(b.toDouble());
        if (unknownA != unknownB)
            return (sortOrder() == Qt::AscendingOrder) == unknownB;
        if (isTextA != isTextB)
            return isTextB;
        return isTextA ? QString::localeAwareCompare(a.toString(), b.toString()) < 0 : a.toDouble() < b.toDouble();
    }

private:
    StudyTableModel* m_study;
    QString m_words;
    mutable std::optional<RowFilter> m_filter; ///< of these words and the table that is shown
};

/// Whether some of the current row is seen in a viewport of this height.
bool seesCurrentRow(const QTableView& view, int height) {
    const QModelIndex index = view.currentIndex();
    const int top = index.isValid() ? view.rowViewportPosition(index.row()) : -1;
    return index.isValid() && top < height && top + view.rowHeight(index.row()) > 0;
}

} // namespace

StudyTableView::StudyTableView(QWidget* parent)
    : FrozenTable(parent)
    , m_study(new StudyTableModel(this))
    , m_sorted(new SortedRows(m_study)) {
    setAccessibleName(tr("Table"));
    setModel(m_sorted);
    setItemDelegate(new WholeNumbersDelegate(StudyTableModel::kRawRole, this));
    setSortingEnabled(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle); // names of models and of recordings differ at their ends
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollMode(ScrollPerPixel);
    setFrozenColumn(0);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(1);
    horizontalHeader()->setHighlightSections(false);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid() && !m_selecting)
            Q_EMIT rowChosen(m_sorted->mapToSource(now).row());
    });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
        Q_EMIT cellClicked(m_sorted->mapToSource(index).row(), index.column());
    });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        Q_EMIT cellActivated(m_sorted->mapToSource(index).row(), index.column());
    });
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &StudyTableView::fitColumns);
    withTextSize(this, [this] { applyMetrics(); });
}

void StudyTableView::setTable(StudyTable table) {
    const int row = currentRow();
    const bool isChosen = selectionModel()->hasSelection();
    const bool sameColumns =
        std::equal(table.columns.begin(), table.columns.end(), m_study->table().columns.begin(),
                   m_study->table().columns.end(),
                   [](const StudyColumn& a, const StudyColumn& b) { return a.key == b.key; });
    setAccessibleName(table.title.empty() ? tr("Table") : QString::fromStdString(table.title));
    setAccessibleDescription(QString::fromStdString(table.caption));
    m_study->setTable(std::move(table));
    if (!sameColumns) {
        horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        m_sorted->sort(-1);
    }
    if (isChosen)
        setCurrentRow(std::min(row, m_study->rowCount() - 1));
    else
        reveal(std::min(row, m_study->rowCount() - 1));
    applyMetrics();
}

void StudyTableView::setFilter(const QString& words) {
    static_cast<SortedRows*>(m_sorted)->setFilter(words);
}

int StudyTableView::shownRows() const {
    return m_sorted->rowCount();
}

int StudyTableView::currentRow() const {
    return currentIndex().isValid() ? m_sorted->mapToSource(currentIndex()).row() : -1;
}

void StudyTableView::setCurrentRow(int row) {
    if (!makeCurrent(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows))
        clearSelection();
}

void StudyTableView::reveal(int row) {
    makeCurrent(row, QItemSelectionModel::NoUpdate);
}

/// Emits no signal. Returns false if no such row is shown.
bool StudyTableView::makeCurrent(int row, QItemSelectionModel::SelectionFlags selection) {
    const QModelIndex index = m_sorted->mapFromSource(m_study->index(row, std::max(currentIndex().column(), 0)));
    if (!index.isValid())
        return false;
    m_selecting = true;
    selectionModel()->setCurrentIndex(index, selection);
    m_selecting = false;
    return true;
}

StudyTable StudyTableView::selectedTable(int fewest) const {
    StudyTable chosen = m_study->table();
    chosen.rows.clear();
    const bool some = selectionModel()->selectedRows().size() >= fewest;
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        if (!some || selectionModel()->isRowSelected(row, {}))
            chosen.rows.push_back(
                m_study->table()
                    .rows[static_cast<std::size_t>(m_sorted->mapToSource(m_sorted->index(row, 0)).row())]);
    return chosen;
}

void StudyTableView::copyText() const {
    QApplication::clipboard()->setText(QString::fromStdString(tsvText(selectedTable())));
}

void StudyTableView::copyLatex() const {
    QApplication::clipboard()->setText(QString::fromStdString(latexText(selectedTable())));
}

/// The window has shortcuts of its own for these keys; with the focus in the table they are the table's.
bool StudyTableView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy) ||
            (key->key() == Qt::Key_C && key->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier))) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

/// A table without rows looks as if there were none.
void StudyTableView::paintEvent(QPaintEvent* event) {
    FrozenTable::paintEvent(event);
    if (m_study->rowCount() > 0 && shownRows() == 0)
        paintSentence(tr("No row matches the filter."));
}

void StudyTableView::setLeastRows(int rows) {
    m_leastRows = rows;
    updateGeometry();
}

QSize StudyTableView::minimumSizeHint() const {
    const QSize least = QTableView::minimumSizeHint();
    return m_leastRows > 0 ? QSize(least.width(), heightOfRows(*this, m_leastRows)) : least;
}

void StudyTableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        return copyText();
    if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier))
        return copyLatex();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        Q_EMIT cellActivated(currentRow(), currentIndex().column());
        return;
    }
    QTableView::keyPressEvent(event);
}

void StudyTableView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    connect(menu.addAction(icon(QStringLiteral("copy")), tr("Copy as a table\tCtrl+C")), &QAction::triggered,
            this, &StudyTableView::copyText);
    connect(menu.addAction(icon(QStringLiteral("copy")), tr("Copy as LaTeX\tCtrl+Shift+C")),
            &QAction::triggered, this, &StudyTableView::copyLatex);
    menu.addSeparator();
    menu.addActions(actions()); // the owner's
    menu.exec(event->globalPos());
}

void StudyTableView::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        applyMetrics();
}

void StudyTableView::applyMetrics() {
    const bool seen = seesCurrentRow(*this, viewport()->height());
    setFont(Sizes::caption());
    verticalHeader()->setDefaultSectionSize(Sizes::tableRow());
    horizontalHeader()->setFixedHeight(Sizes::tableHeader());
    horizontalHeader()->setMinimumSectionSize(static_cast<int>(2 * Sizes::unit()));
    QFont bold = Sizes::caption();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics heads(bold);
    const int padding = static_cast<int>(2 * Sizes::unit() * (isDense(*this) ? kDenseCellPadding : kCellPadding));
    m_widths.clear();
    for (int column = 0; column < m_study->columnCount(); ++column) {
        const int widest = sizeHintForColumn(column);
        m_widths.push_back({heads.horizontalAdvance(m_study->headerData(column, Qt::Horizontal).toString()),
                            widest - padding, columnWidth(column), distinctWidth(column, widest),
                            m_study->table().columns[static_cast<std::size_t>(column)].text});
    }
    fitColumns();
    if (seen) { // in rows of another height
        updateGeometries();
        scrollTo(currentIndex().siblingAtColumn(frozenColumn()));
    }
}

/// The least width at which texts of a column that differ still differ when they are cut. `widest`: in which they are whole.
int StudyTableView::distinctWidth(int column, int widest) const {
    const int unit = qRound(Sizes::unit()), least = qRound(kLeastText * Sizes::unit()), padding = qRound(2 * kCellPadding * Sizes::unit()) + unit / 2;
    if (widest <= least || m_study->rowCount() > kMostCompared)
        return least;
    QSet<QString> texts;
    for (int row = 0; row < m_study->rowCount(); ++row)
        texts.insert(m_study->index(row, column).data().toString());
    const QFontMetrics metrics = fontMetrics();
    for (int width = least; width < widest; width += unit) {
        QSet<QString> cut;
        for (const QString& text : texts)
            cut.insert(metrics.elidedText(text, textElideMode(), width - padding));
        if (cut.size() == texts.size())
            return width;
    }
    return widest;
}

int StudyTableView::widthOf(std::size_t column, bool dense, bool whole) const {
    const Width& one = m_widths[column];
    const double unit = Sizes::unit();
    // Where there is little room, that of the arrow is in the head of the sorted column alone.
    const bool sorted = horizontalHeader()->sortIndicatorSection() == static_cast<int>(column);
    const double head = one.head + (dense ? unit + (sorted ? 1.125 * unit : 0) : 3.5 * unit);
    const double cell = one.cell + 2 * unit * (dense ? kDenseCellPadding : kCellPadding) + unit / (dense ? 4 : 2);
    const double least = horizontalHeader()->minimumSectionSize(); // Qt makes no column narrower: three of one letter asked for a scroll bar
    return static_cast<int>(std::max({least, head, whole ? cell : std::min(cell, std::max<double>(kMostText * unit, one.distinct))}));
}

/// Long names give way, the longest first, then the padding, so that the numbers that one looks for are in sight. What somebody made
/// wider or narrower stays.
void StudyTableView::fitColumns() {
    const int least = static_cast<int>(kLeastText * Sizes::unit()), room = viewport()->width();
    const auto mayGive = [&](std::size_t column, bool dense) {
        return m_widths[column].isText ? std::max(0, widthOf(column, dense) - std::max(least, m_widths[column].distinct)) : 0;
    };
    int total = 0;
    const auto fitsWith = [&](bool dense) {
        int given = 0;
        total = 0;
        for (std::size_t column = 0; column < m_widths.size(); ++column) {
            total += widthOf(column, dense);
            given += mayGive(column, dense);
        }
        return total - given <= room;
    };
    const int columns = static_cast<int>(m_widths.size());
    const auto wholeWith = [&](bool dense) { // columns without scrolling
        int whole = 0;
        for (int sum = 0; whole < columns && (sum += widthOf(std::size_t(whole), dense)) <= room;)
            ++whole;
        return whole;
    };
    // What has to be scrolled all the same is dense where that shows a number that would be "…" at the edge.
    const bool dense = !fitsWith(false) && (fitsWith(true) || wholeWith(true) > wholeWith(false));
    const bool fits = fitsWith(dense);
    setDense(*this, dense);
    const int shown = fits ? columns : std::max(1, wholeWith(dense));
    int taken = 0;
    for (int column = 0; column < shown; ++column)
        taken += widthOf(std::size_t(column), dense);
    const int spare = dense && columns > 0 ? std::max(0, room - taken) / shown : 0; // goes back to the padding
    int most = static_cast<int>(kMostText * Sizes::unit()); // of a name
    const auto excessOver = [&](int width) {
        int sum = 0;
        for (std::size_t column = 0; column < m_widths.size(); ++column)
            sum += std::min(mayGive(column, dense), std::max(0, widthOf(column, dense) - width));
        return sum;
    };
    while (fits && most > least && excessOver(most) < total - room)
        --most;
    std::vector<int> widths;
    for (std::size_t column = 0; column < m_widths.size(); ++column) {
        // What has to be scrolled all the same is whole: of cut heads, "…, paper" and "…, ours" are alike.
        const int gives = fits ? std::min(mayGive(column, dense), std::max(0, widthOf(column, dense) - most)) : column == 0 ? mayGive(column, dense) : 0;
        const int excess = std::clamp(total - room, 0, gives);
        total -= excess;
        widths.push_back(std::min(widthOf(column, dense) + spare, widthOf(column, false)) - excess);
    }
    int left = room - std::accumulate(widths.begin(), widths.end(), 0); // of which long names get what they lack
    for (std::size_t column = 0; column < m_widths.size(); ++column) {
        Width& one = m_widths[column];
        const int lacks = one.isText ? std::clamp(widthOf(column, dense, true) - widths[column], 0, std::max(left, 0)) : 0;
        left -= lacks;
        const int width = widths[column] + lacks, index = static_cast<int>(column);
        if (horizontalHeader()->stretchLastSection() && index + 1 == columns) // its width is that of an earlier room: nobody gave it
            horizontalHeader()->resizeSection(index, std::max(width, room - horizontalHeader()->sectionPosition(index)));
        else if (columnWidth(index) == one.given)
            horizontalHeader()->resizeSection(index, one.given = width);
    }
}

/// A table is filled before it has its place: the room that comes with it belongs to the names. The current row stays in sight where
/// there is less.
void StudyTableView::resizeEvent(QResizeEvent* event) {
    const bool seen = seesCurrentRow(*this, event->oldSize().height());
    QTableView::resizeEvent(event);
    fitColumns();
    if (seen)
        scrollTo(currentIndex().siblingAtColumn(frozenColumn()));
}

} // namespace headroom::widgets
