// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_table/study_table_view.h"

#include "widgets/look/icons.h"
#include "widgets/look/least_rows.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/whole_numbers.h"
#include "widgets/look/word_filter.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headroom::widgets {

namespace {

constexpr double kLeastText = 12; ///< units

/// What is unknown stands last, however one sorts.
class SortedRows : public WordFilter {
public:
    using WordFilter::WordFilter;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const QVariant a = left.data(StudyTableModel::kRawRole), b = right.data(StudyTableModel::kRawRole);
        if (a.typeId() != QMetaType::Double || b.typeId() != QMetaType::Double)
            return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
        const bool unknownA = std::isnan(a.toDouble()), unknownB = std::isnan(b.toDouble());
        if (unknownA != unknownB)
            return (sortOrder() == Qt::AscendingOrder) == unknownB;
        return a.toDouble() < b.toDouble();
    }
};

} // namespace

StudyTableView::StudyTableView(QWidget* parent)
    : QTableView(parent)
    , m_study(new StudyTableModel(this))
    , m_sorted(new SortedRows(this)) {
    setAccessibleName(tr("Table"));
    m_sorted->setSourceModel(m_study);
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
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
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
    withTextSize(this, [this] { applyMetrics(); });
}

void StudyTableView::setTable(StudyTable table) {
    const int row = currentRow();
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
    setCurrentRow(std::min(row, m_study->rowCount() - 1));
    applyMetrics();
}

void StudyTableView::setFilter(const QString& words) {
    static_cast<SortedRows*>(m_sorted)->setWords(words);
}

int StudyTableView::shownRows() const {
    return m_sorted->rowCount();
}

int StudyTableView::currentRow() const {
    return currentIndex().isValid() ? m_sorted->mapToSource(currentIndex()).row() : -1;
}

void StudyTableView::setCurrentRow(int row) {
    m_selecting = true;
    const QModelIndex index = m_sorted->mapFromSource(
        row < 0 ? QModelIndex() : m_study->index(row, std::max(currentIndex().column(), 0)));
    if (index.isValid())
        selectionModel()->setCurrentIndex(index,
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    else
        clearSelection();
    m_selecting = false;
}

StudyTable StudyTableView::selectedTable() const {
    StudyTable chosen = m_study->table();
    chosen.rows.clear();
    // One row is the current one, which a click alone selects: then the whole table is meant.
    const bool some = selectionModel()->selectedRows().size() > 1;
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
    setFont(Sizes::caption());
    verticalHeader()->setDefaultSectionSize(Sizes::tableRow());
    horizontalHeader()->setFixedHeight(Sizes::tableHeader());
    horizontalHeader()->setMinimumSectionSize(static_cast<int>(3 * Sizes::unit()));
    QFont bold = Sizes::caption();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics heads(bold);
    constexpr double kMostText = 24; // units
    m_widths.clear();
    for (int column = 0; column < m_study->columnCount(); ++column) {
        const double head = heads.horizontalAdvance(m_study->headerData(column, Qt::Horizontal).toString()) +
                            3.5 * Sizes::unit();
        const int width = static_cast<int>(std::min(
            kMostText * Sizes::unit(), std::max<double>(head, sizeHintForColumn(column) + Sizes::unit() / 2)));
        const bool isName = m_study->table().columns[static_cast<std::size_t>(column)].text && width > kLeastText * Sizes::unit();
        m_widths.push_back({width, width, isName});
        horizontalHeader()->resizeSection(column, width);
    }
    fitNames();
}

/// Long names give way, so that the numbers that one looks for are in sight. What somebody made wider or narrower stays.
void StudyTableView::fitNames() {
    const int least = static_cast<int>(kLeastText * Sizes::unit());
    int total = 0, given = 0;
    for (const Width& one : m_widths) {
        total += one.whole;
        given += one.givesWay ? one.whole - least : 0;
    }
    const bool fits = total - given <= viewport()->width();
    for (std::size_t column = 0; column < m_widths.size(); ++column) {
        Width& one = m_widths[column];
        if (!one.givesWay)
            continue;
        // What has to be scrolled all the same is whole: of cut heads, "…, paper" and "…, ours" are alike.
        const int most = fits || column == 0 ? one.whole - least : 0;
        const int excess = std::clamp(total - viewport()->width(), 0, most);
        total -= excess;
        if (columnWidth(static_cast<int>(column)) == one.given)
            horizontalHeader()->resizeSection(static_cast<int>(column), one.given = one.whole - excess);
    }
}

/// A table is filled before it has its place: the room that comes with it belongs to the names.
void StudyTableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitNames();
}

} // namespace headroom::widgets
