// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/queue_view.h"

#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/table_heads.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_delegate.h"
#include "widgets/run_monitor/table_text.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace headroom::widgets {

using Button = QueueModel::Button;

QueueView::QueueView(QWidget* parent) : QTableView(parent), m_queue(new QueueModel(this)) {
    setHorizontalHeader(new TableHeads(this));
    setModel(m_queue);
    setItemDelegate(new QueueDelegate(this));
    setAccessibleName(tr("Queue"));
    setAccessibleDescription(tr("Running, waiting and recently ended jobs."));
    setSelectionMode(SingleSelection);
    connect(m_queue, &QueueModel::rowsReplaced, this, &QueueView::setSpans);
    connect(m_queue, &QueueModel::rowsReplaced, this, &QueueView::fitColumns);
    m_fitting.setSingleShot(true);
    m_fitting.setInterval(0);
    connect(&m_fitting, &QTimer::timeout, this, &QueueView::fitColumns);
    connect(m_queue, &QAbstractItemModel::dataChanged, &m_fitting, qOverload<>(&QTimer::start));
    connect(m_queue, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] {
                const QModelIndex now = currentIndex();
                setProperty("kept", now.isValid() ? QString::fromStdU16String(m_queue->lastingPathAt(now.row()).u16string()) : QString());
            });
    connect(m_queue, &QAbstractItemModel::modelReset, this, [this] {
        if (const QString kept = property("kept").toString(); !kept.isEmpty())
            setCurrentPath(std::filesystem::path(kept.toStdU16String()));
    });
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid())
            Q_EMIT currentChosen(m_queue->pathAt(now.row()));
    });
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_scrolledByHand = true; });
    applyMetrics();
}

std::filesystem::path QueueView::currentPath() const {
    return currentIndex().isValid() ? m_queue->pathAt(currentIndex().row()) : std::filesystem::path();
}

void QueueView::setCurrentPath(const std::filesystem::path& path) {
    if (const int row = m_queue->rowOf(path); row >= 0)
        setCurrentIndex(m_queue->index(row, QueueModel::Job));
}

void QueueView::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    viewport()->update();
}

void QueueView::setSpans() {
    clearSpans();
    for (int row = 0; row < m_queue->rowCount(); ++row)
        if (m_queue->kindAt(row) == QueueModel::Kind::Sentence)
            setSpan(row, QueueModel::Job, 1, QueueModel::ColumnCount - QueueModel::Job);
}

QRect QueueView::buttonRect(int row, Button button) const {
    const auto buttons = m_queue->buttonsAt(row);
    const auto at = buttons.indexOf(button);
    if (at < 0)
        return {};
    if (m_queue->kindAt(row) == QueueModel::Kind::Sentence) {
        const QModelIndex index = m_queue->index(row, QueueModel::Job);
        return QueueDelegate::sentenceButton(partInSight(visualRect(index), 0, viewport()->width(), false), index.data().toString(),
                                             QueueModel::buttonText(button));
    }
    return QueueDelegate::buttonRects(visualRect(m_queue->index(row, QueueModel::Buttons)),
                                      static_cast<int>(buttons.size()))[at];
}

std::pair<int, Button> QueueView::buttonAt(QPoint position) const {
    const QModelIndex index = indexAt(position);
    if (index.isValid())
        for (const Button button : m_queue->buttonsAt(index.row()))
            if (buttonRect(index.row(), button).contains(position))
                return {index.row(), button};
    return {-1, Button::None};
}

QList<Button> QueueView::menuButtons(int row) const {
    QList<Button> buttons = m_queue->buttonsAt(row);
    switch (m_queue->kindAt(row)) {
    case QueueModel::Kind::Waiting:
    case QueueModel::Kind::Copying:
    case QueueModel::Kind::Pending:
        return buttons;
    case QueueModel::Kind::NotStarted: // its sentence has the way out
        return m_queue->buttonsAt(row + 1) + buttons;
    case QueueModel::Kind::Failed:
    case QueueModel::Kind::Interrupted:
        if (!m_queue->evaluatesAt(row))
            buttons.prepend(Button::Resume);
        break;
    default:
        break;
    }
    const auto kind = m_queue->kindAt(row);
    if (m_queue->pathAt(row).extension() == ".json")
        return buttons; // there is no run yet
    const bool evaluates = m_queue->evaluatesAt(row);
    if (kind == QueueModel::Kind::Running && !evaluates)
        buttons << Button::Evaluate;
    if (m_queue->hasScriptAt(row) && !buttons.contains(Button::Script))
        buttons << Button::Script;
    for (const Button button : {Button::Folder, Button::Log})
        if (!buttons.contains(button) && !(evaluates && button == Button::Log))
            buttons << button;
    if (kind != QueueModel::Kind::Running && kind != QueueModel::Kind::Stopping && kind != QueueModel::Kind::Paused &&
        kind != QueueModel::Kind::Requeued && kind != QueueModel::Kind::NoContact && kind != QueueModel::Kind::Sentence)
        buttons << Button::Delete;
    return buttons;
}

/// What a key does in this row; None: nothing.
Button QueueView::buttonOf(int key, int row) const {
    const bool enters = key == Qt::Key_Return || key == Qt::Key_Enter;
    const auto wanted = enters                  ? QList<Button>{Button::Open, Button::Errors, Button::Resume, Button::Folder}
                        : key == Qt::Key_Delete ? QList<Button>{Button::Delete, Button::Remove}
                                                : QList<Button>{};
    const auto found = std::ranges::find_if(wanted, [offered = menuButtons(row)](Button button) { return offered.contains(button); });
    return found == wanted.end() ? Button::None : *found;
}

void QueueView::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index =
        event->reason() == QContextMenuEvent::Mouse ? indexAt(event->pos()) : currentIndex();
    if (!index.isValid())
        return;
    const auto path = m_queue->pathAt(index.row());
    QMenu menu(this);
    const Button deletes = buttonOf(Qt::Key_Delete, index.row());
    for (const Button button : menuButtons(index.row())) {
        QAction* action = menu.addAction(icon(QueueModel::buttonIcon(button)), QueueModel::buttonText(button, m_queue->evaluatesAt(index.row())));
        connect(action, &QAction::triggered, this, [this, button, path] { Q_EMIT asked(button, path); });
        if (button == deletes)
            action->setShortcut(QKeySequence::Delete); // only named here: keyPressEvent() answers it
    }
    menu.addSeparator();
    menu.addActions(actions()); // the owner's
    menu.exec(event->globalPos());
}

void QueueView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(tableText(*this));
        return;
    }
    const int row = currentIndex().row();
    if (const Button button = row < 0 ? Button::None : buttonOf(event->key(), row); button != Button::None) {
        Q_EMIT asked(button, m_queue->pathAt(row));
        return;
    }
    QTableView::keyPressEvent(event);
}

void QueueView::mouseReleaseEvent(QMouseEvent* event) {
    QTableView::mouseReleaseEvent(event);
    const auto [row, button] = buttonAt(event->pos());
    if (event->button() == Qt::LeftButton && row >= 0)
        Q_EMIT asked(button, m_queue->pathAt(row));
}

void QueueView::mouseMoveEvent(QMouseEvent* event) {
    QTableView::mouseMoveEvent(event);
    const auto [row, button] = buttonAt(event->pos());
    viewport()->setCursor(row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->setToolTip(row >= 0 ? QueueModel::buttonText(button, m_queue->evaluatesAt(row)) : QString());
}

void QueueView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_queue->rowCount() > 0 || m_emptySentence.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setFont(Sizes::caption());
    painter.setPen(Theme::current().text2);
    painter.drawText(viewport()->rect().adjusted(12, 0, -12, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     m_emptySentence);
}

/// A lower view may have been scrolled to the current row, as before the panels have their places.
void QueueView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    applyMetrics();
    if (m_scrolledByHand || event->size().height() == event->oldSize().height())
        return;
    const int sideways = horizontalScrollBar()->value();
    scrollToTop();
    scrollTo(currentIndex());
    horizontalScrollBar()->setValue(sideways);
}

void QueueView::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        applyMetrics();
}

void QueueView::applyMetrics() {
    styleTable(*this, qRound(Sizes::unit() * 3.5));
    setSelectionMode(SingleSelection);
    fitColumns();
}

int QueueView::widest(int column) const {
    int widest = 0;
    for (int row = 0; row < m_queue->rowCount(); ++row)
        if (m_queue->kindAt(row) != QueueModel::Kind::Sentence)
            widest = std::max(widest, fontMetrics().horizontalAdvance(m_queue->index(row, column).data().toString()));
    return widest + QueueDelegate::padding(*this);
}

/// The usual states, too, so that the end of a run does not move the columns.
int QueueView::widestChip() const {
    int widest = std::max(QueueDelegate::chipWidth(QueueModel::kindWord(QueueModel::Kind::Running)),
                          QueueDelegate::chipWidth(QueueModel::kindWord(QueueModel::Kind::Finished)));
    for (int row = 0; row < m_queue->rowCount(); ++row)
        widest = std::max(widest, QueueDelegate::chipWidth(m_queue->index(row, QueueModel::State).data().toString()));
    return widest;
}

/// The job's name takes what the others leave. Where a name needs it, they keep what their heads and texts need, in steps of a unit, so
/// that a number that changes seldom moves them.
void QueueView::fitColumns() {
    constexpr double kWide[QueueModel::ColumnCount] = {14, 0, 9, 18, 16, 14.5, 15.5, 8, 12, 8};
    constexpr double kNarrow[QueueModel::ColumnCount] = {14, 0, 8.5, 11, 15, 14.5, 15.5, 7.5, 12, 7.5};
    constexpr double kJob = 18, kLeastJob = 13; // the buttons at the end are whole beside a scroll bar, too
    constexpr double kScrolledJob = 30;         // where one has to scroll all the same, names can be told apart
    const double unit = Sizes::unit();
    const double wide = std::accumulate(std::begin(kWide), std::end(kWide), 0.0) * unit;
    const double job = std::max<double>(kJob * unit, widest(QueueModel::Job));
    const bool narrow = viewport()->width() < wide + job;
    constexpr double kShortBar = 9;
    double widths[QueueModel::ColumnCount];
    const auto takenUp = [&widths, unit] { return std::accumulate(std::begin(widths), std::end(widths), 0.0) * unit; };
    for (const double air : {1.0, 0.0}) { // beside a number that grows; none where a name would be cut all the same
        for (int column = 0; column < QueueModel::ColumnCount; ++column) {
            widths[column] = narrow ? kNarrow[column] : kWide[column];
            const bool isText = column == QueueModel::State || column == QueueModel::Where || (column >= QueueModel::Step && column <= QueueModel::Score);
            if (narrow && isText) {
                const int head = QFontMetrics(Sizes::heading()).horizontalAdvance(m_queue->headerData(column, Qt::Horizontal).toString());
                const double text = column == QueueModel::State ? widestChip() : widest(column) + air * unit;
                widths[column] = std::min(widths[column], std::ceil(std::max(head + 2.5 * unit, text) / unit)); // texts with their margins
            }
        }
        if (air == 0)
            widths[QueueModel::Progress] = kShortBar;
        if (const double left = viewport()->width() - takenUp(); !narrow || left >= job || left < kLeastJob * unit) // where one has to scroll: room for air
            break;
    }
    // The two scores of an evaluation with mapping rules are whole where the job's name leaves room.
    const double score = std::ceil(widest(QueueModel::Score) / unit + 1), more = std::max(score - widths[QueueModel::Score], 0.0) * unit;
    if (viewport()->width() - takenUp() - more >= job)
        widths[QueueModel::Score] += more / unit;
    const double others = takenUp(), left = viewport()->width() - others;
    const double name = left >= kLeastJob * unit ? left : std::min(job, kScrolledJob * unit);
    for (int column = 0; column < QueueModel::ColumnCount; ++column)
        horizontalHeader()->resizeSection(column, static_cast<int>(column == QueueModel::Job ? name : widths[column] * unit));
}

} // namespace headroom::widgets
