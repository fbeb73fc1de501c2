// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/run_table.h"

#include "widgets/look/sizes.h"
#include "widgets/look/whole_numbers.h"
#include "widgets/look/word_filter.h"
#include "widgets/run_monitor/fitted_titles.h"
#include "widgets/run_monitor/metric_plot.h"
#include "widgets/run_monitor/queue_delegate.h"
#include "widgets/run_monitor/run_table_text.h"
#include "widgets/run_monitor/table_text.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

/// By name, recipe, data and state. What is unknown stands last, however one sorts.
class RunFilter : public WordFilter {
public:
    using WordFilter::WordFilter;

protected:
    QString textOf(int row, const QModelIndex&) const override {
        const auto* runs = static_cast<const RunTableModel*>(sourceModel());
        const RunGroup& group = runs->groups()[static_cast<std::size_t>(row)];
        return group.name + u' ' + group.recipe + u' ' + group.data + u' ' +
               runs->index(row, RunTableModel::State).data().toString();
    }
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const QVariant a = left.data(kRawRole), b = right.data(kRawRole);
        if (a.typeId() != QMetaType::Double || b.typeId() != QMetaType::Double)
            return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
        const bool unknownA = std::isnan(a.toDouble()), unknownB = std::isnan(b.toDouble());
        if (unknownA != unknownB)
            return (sortOrder() == Qt::AscendingOrder) == unknownB;
        return a.toDouble() < b.toDouble();
    }
};

/// The least width of a column. A switch without default, as isNumberColumn().
double leastUnitsOf(RunTableModel::Column column) {
    switch (column) {
    case RunTableModel::Compared:
    case RunTableModel::Macs:
        return 8;
    case RunTableModel::Name:
        return 16;
    case RunTableModel::Recipe:
    case RunTableModel::Parameters:
    case RunTableModel::Delta:
        return 9;
    case RunTableModel::Seeds:
    case RunTableModel::PValue:
        return 7;
    case RunTableModel::Loss:
    case RunTableModel::Wer:
    case RunTableModel::Bleu:
    case RunTableModel::Test:
        return 10;
    case RunTableModel::State:
        return 9.5;
    case RunTableModel::Started:
        return 13;
    case RunTableModel::ColumnCount:
        break;
    }
    return 0;
}

/// The tick, and the line as it is drawn in the curves.
class ComparedDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const int style = index.data(RunTableModel::StyleRole).toInt();
        if (style < 0)
            return;
        const double unit = Sizes::unit();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(runPen(style, 1.75 * unit / 8));
        const double left = option.rect.left() + 4 * unit, y = QRectF(option.rect).center().y();
        painter->drawLine(QPointF(left, y), QPointF(left + 3 * unit, y));
        painter->restore();
    }
};

/// A name that is cut keeps the words that tell it from the others.
class NameDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        cell.text = fittedTitle(index.data(RunTableModel::TitlesRole).value<Titles>(), cell.fontMetrics,
                                cell.rect.width() - QueueDelegate::padding(*option.widget));
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, option.widget);
    }
};

} // namespace

RunTable::RunTable(QWidget* parent)
    : FrozenTable(parent)
    , m_runs(new RunTableModel(this))
    , m_sorted(new RunFilter(this)) {
    // Before the rows leave the sorted ones: what is gone for good is not chosen any more.
    connect(m_runs, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this](const QModelIndex&, int first, int last) {
        if (const int row = m_runs->rowOf(m_chosen); row >= first && row <= last)
            m_chosen.clear();
    });
    m_sorted->setSourceModel(m_runs);
    // Before the selection hears of it: a row that a search leaves out hands its place on to another one.
    connect(m_sorted, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { m_leaving = true; });
    setModel(m_sorted);
    connect(m_sorted, &QAbstractItemModel::rowsRemoved, this, [this] {
        m_leaving = false;
        showChosen();
    });
    connect(m_sorted, &QAbstractItemModel::rowsInserted, this, &RunTable::showChosen);
    connect(m_runs, &QAbstractItemModel::rowsRemoved, this, [this] {
        if (m_chosen.isEmpty() && currentIndex().isValid()) { // the one that takes its place
            m_chosen = currentKey();
            Q_EMIT currentChosen(m_chosen);
        }
    });
    setFrozenColumn(RunTableModel::Name);
    setItemDelegate(new WholeNumbersDelegate(kRawRole, this));
    setItemDelegateForColumn(RunTableModel::Compared, new ComparedDelegate(this));
    setItemDelegateForColumn(RunTableModel::Name, new NameDelegate(this));
    setSortingEnabled(true);
    setTextElideMode(Qt::ElideMiddle); // names of one architecture differ at their ends
    sortByColumn(RunTableModel::Started, Qt::DescendingOrder);
    setAccessibleName(tr("Runs"));
    setAccessibleDescription(
        tr("One row per experiment, with all its seeds. Press Space to show it in the curves."));
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (m_leaving)
                    return;
                m_chosen = keyAt(now);
                Q_EMIT currentChosen(m_chosen);
            });
    connect(this, &QTableView::pressed, this, [this](const QModelIndex& index) {
        if (index.column() != RunTableModel::Compared)
            Q_EMIT rowPressed(keyAt(index));
    });
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { Q_EMIT opened(keyAt(index)); });
    connect(m_runs, &RunTableModel::comparisonFull, this, &RunTable::explainFullComparison);
    connect(m_runs, &QAbstractItemModel::rowsInserted, this, &RunTable::hideIdleColumns);
    connect(m_runs, &QAbstractItemModel::dataChanged, this, &RunTable::hideIdleColumns);
    // What a narrow panel leaves to scrolling is what one asks for last.
    int place = 0;
    for (const int column : {RunTableModel::Compared, RunTableModel::Name, RunTableModel::Loss, RunTableModel::Wer,
                             RunTableModel::Bleu, RunTableModel::Test, RunTableModel::State, RunTableModel::Seeds, RunTableModel::Started,
                             RunTableModel::Recipe, RunTableModel::Parameters, RunTableModel::Macs})
        horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), place++);
    applyMetrics();
    setColumnHidden(RunTableModel::Test, true); // until something was evaluated
}

/// BLEU says little of recognition, and word errors little of translation: a score is shown where a task has
/// it.
void RunTable::hideIdleColumns() {
    bool recognises = false, translates = false;
    for (const RunGroup& group : m_runs->groups()) {
        translates = translates || group.runs.front().translates();
        recognises = recognises || group.runs.front().recognises();
    }
    const bool any = !m_runs->groups().empty();
    setColumnHidden(RunTableModel::Wer, any && !recognises);
    setColumnHidden(RunTableModel::Bleu, any && !translates);
    bool evaluated = false;
    for (const RunGroup& group : m_runs->groups())
        for (const RunItem& run : group.runs)
            evaluated = evaluated || !run.evaluated.empty();
    setColumnHidden(RunTableModel::Test, !evaluated);
    const bool compares = m_runs->reference() != nullptr && m_runs->rowCount() > 1;
    setColumnHidden(RunTableModel::Delta, !compares);
    setColumnHidden(RunTableModel::PValue, !compares);
    fitColumns();
}

void RunTable::showComparison() {
    updateGeometries(); // the two may just have been shown
    for (const int column : {RunTableModel::PValue, RunTableModel::Delta}) // of the two, Δ stays in sight
        if (!isColumnHidden(column))
            scrollTo(currentIndex().siblingAtColumn(column));
}

/// Names of one architecture differ in their middle or at their ends.
void RunTable::fitName() {
    constexpr double kMostName = 30, kShareOfName = 0.5; // units, of the panel; the scores are in sight beside it
    const int most = std::max(qRound(kMostName * Sizes::unit()), qRound(kShareOfName * viewport()->width()));
    const int name = std::min(m_nameHint, most);
    // A panel that was wider leaves no width behind.
    const bool isOurs = columnWidth(RunTableModel::Name) == m_nameWidth;
    m_nameWidth = std::max(isOurs ? m_leastName : columnWidth(RunTableModel::Name), name);
    horizontalHeader()->resizeSection(RunTableModel::Name, m_nameWidth);
}

/// "6.704 ± 0.123" needs more than "6.704". Columns only grow: who made one wider keeps it.
void RunTable::fitColumns() {
    m_nameHint = sizeHintForColumn(RunTableModel::Name) + qRound(Sizes::unit());
    fitName();
    for (const int column : {RunTableModel::State, RunTableModel::Loss, RunTableModel::Wer, RunTableModel::Bleu, RunTableModel::Test, RunTableModel::Delta,
                             RunTableModel::PValue, RunTableModel::Started})
        if (!isColumnHidden(column))
            horizontalHeader()->resizeSection(
                column, std::max(columnWidth(column), sizeHintForColumn(column) + qRound(Sizes::unit())));
    constexpr double kMostRecipe = 26; // units: a recipe of somebody's own may be called anything
    const int recipe = std::min(sizeHintForColumn(RunTableModel::Recipe), qRound(kMostRecipe * Sizes::unit())) + qRound(Sizes::unit());
    horizontalHeader()->resizeSection(RunTableModel::Recipe, std::max(columnWidth(RunTableModel::Recipe), recipe));
}

QString RunTable::comparisonFullText() {
    return tr("At most six experiments can be compared. Untick one to show another.");
}

/// Where one has just clicked: a box that stays empty looks broken.
void RunTable::explainFullComparison(const QString& key) {
    const QModelIndex index = m_sorted->mapFromSource(m_runs->index(m_runs->rowOf(key), RunTableModel::Compared));
    if (isVisible() && index.isValid())
        QToolTip::showText(viewport()->mapToGlobal(visualRect(index).bottomLeft()), comparisonFullText(), viewport());
}

QString RunTable::keyAt(const QModelIndex& index) const {
    return index.isValid()
               ? m_runs->groups()[static_cast<std::size_t>(m_sorted->mapToSource(index).row())].key
               : QString();
}

void RunTable::setSearch(const QString& text) {
    static_cast<RunFilter*>(m_sorted)->setWords(text);
}

/// The row that was chosen, where a search shows it.
void RunTable::showChosen() {
    if (m_chosen.isEmpty() || keyAt(currentIndex()) == m_chosen)
        return;
    m_leaving = true; // nothing is chosen, only shown
    selectionModel()->clear();
    setCurrentKey(m_chosen);
    m_leaving = false;
}

int RunTable::shownRows() const {
    return m_sorted->rowCount();
}

int RunTable::shownRuns() const {
    std::size_t runs = 0;
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        runs +=
            m_runs->groups()[static_cast<std::size_t>(m_sorted->mapToSource(m_sorted->index(row, 0)).row())]
                .runs.size();
    return static_cast<int>(runs);
}

QString RunTable::currentKey() const {
    return keyAt(currentIndex());
}

void RunTable::setCurrentKey(const QString& key) {
    const QModelIndex index = m_sorted->mapFromSource(m_runs->index(m_runs->rowOf(key), RunTableModel::Name));
    if (index.isValid())
        setCurrentIndex(index); // the frozen column: who reads Δ goes on reading Δ
}

QStringList RunTable::selectedKeys() const {
    QStringList keys;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        keys << keyAt(index);
    return keys;
}

QString RunTable::asText() const {
    return QString::fromStdString(tsvText(runsTable(*this, RunNumbers::Apart).table));
}

QString RunTable::asLatex() const {
    const CopiedRunTable printed = runsTable(*this, RunNumbers::Printed);
    return QString::fromStdString(latexText(printed.table, printed.best));
}

void RunTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(asText());
        return;
    }
    if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
        QApplication::clipboard()->setText(asLatex());
        return;
    }
    if (event->key() == Qt::Key_Space && currentIndex().isValid()) {
        const QString key = currentKey();
        m_runs->setCompared(key, !m_runs->isCompared(key));
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        Q_EMIT opened(currentKey());
        return;
    }
    QTableView::keyPressEvent(event);
}

void RunTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitName(); // the others do not depend on the width
}

void RunTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        applyMetrics();
}

void RunTable::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    viewport()->update();
}

void RunTable::paintEvent(QPaintEvent* event) {
    FrozenTable::paintEvent(event);
    const QString sentence = m_runs->rowCount() == 0     ? m_emptySentence
                             : m_sorted->rowCount() == 0 ? tr("No run matches the filter.")
                                                         : QString();
    if (!sentence.isEmpty())
        paintSentence(sentence);
}

void RunTable::applyMetrics() {
    styleTable(*this, Sizes::listRow());
    horizontalHeader()->setMinimumSectionSize(static_cast<int>(3 * Sizes::unit()));
    QFont bold = Sizes::caption();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics heads(bold);
    for (int column = 0; column < RunTableModel::ColumnCount; ++column) {
        // With the arrow of the sorted one.
        const int head = heads.horizontalAdvance(m_runs->headerData(column, Qt::Horizontal).toString()) +
                         qRound(3.25 * Sizes::unit());
        horizontalHeader()->resizeSection(column, std::max(head, qRound(leastUnitsOf(RunTableModel::Column(column)) * Sizes::unit())));
    }
    horizontalHeader()->setStretchLastSection(true);
    m_leastName = m_nameWidth = columnWidth(RunTableModel::Name);
    fitColumns();
}

} // namespace headroom::widgets
