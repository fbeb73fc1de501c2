// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/find_action.h"

#include "app/parts/access_keys.h"
#include "app/parts/actions.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/look/word_filter.h"

#include <QAction>
#include <QApplication>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QPointer>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QToolTip>

#include <utility>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

constexpr int kActionRole = Qt::UserRole + 1;
constexpr int kSectionRole = Qt::UserRole + 2;
constexpr int kRowsShown = 12;

QAction* actionOf(const QModelIndex& index) {
    return index.data(kActionRole).value<QPointer<QAction>>();
}

QString plainText(const QAction* action) {
    const QString menu = action->property("menu").toString();
    return withoutAccessKey(menu.isEmpty() ? action->text() : menu + QStringLiteral(": ") + action->text());
}

/// By section, text and search words. What is called so stands before what is meant by it.
class ActionFilter : public widgets::WordFilter {
public:
    using WordFilter::WordFilter;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QAction* action = actionOf(sourceModel()->index(row, 0, parent));
        return action && action->isVisible() && WordFilter::filterAcceptsRow(row, parent);
    }
    QString textOf(int row, const QModelIndex& parent) const override {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        const QAction* action = actionOf(index);
        return nameOf(index, action) + QLatin1Char(' ') + searchWordsOf(action);
    }
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const bool isNamed = isCalledSo(left), otherIsNamed = isCalledSo(right);
        return isNamed != otherIsNamed ? isNamed : left.row() < right.row();
    }

private:
    static QString nameOf(const QModelIndex& index, const QAction* action) {
        return index.data(kSectionRole).toString() + QLatin1Char(' ') + plainText(action);
    }
    bool isCalledSo(const QModelIndex& index) const {
        const QAction* action = actionOf(index);
        return action && hasWords(nameOf(index, action));
    }
};

class ActionDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const QAction* action = actionOf(index);
        if (!action)
            return;
        const Theme& theme = Theme::current();
        const int unit = qRound(Sizes::unit());
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, theme.selectedRow);
        const QRect row = option.rect.adjusted(unit, 0, -unit, 0);
        painter->setFont(Sizes::text());
        painter->setPen(action->isEnabled() ? theme.text : theme.text2);
        painter->drawText(row, Qt::AlignVCenter | Qt::AlignLeft, plainText(action));
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        const QString section = index.data(kSectionRole).toString();
        painter->setFont(Sizes::small());
        painter->setPen(theme.text2);
        painter->drawText(row, Qt::AlignVCenter | Qt::AlignRight,
                          key.isEmpty() ? section : section + QStringLiteral("   ") + key);
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {Sizes::control() * 10, Sizes::listRow()};
    }
};

/// Says so where nothing matches: an empty list looks as if the field did not work.
class ActionList : public QListView {
public:
    using QListView::QListView;

protected:
    void paintEvent(QPaintEvent* event) override {
        QListView::paintEvent(event);
        if (model()->rowCount() > 0)
            return;
        QPainter painter(viewport());
        const int unit = qRound(Sizes::unit());
        painter.setFont(Sizes::text());
        painter.setPen(Theme::current().text2);
        painter.drawText(viewport()->rect().adjusted(unit, 0, -unit, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         FindAction::tr("No action matches."));
    }
};

} // namespace

FindAction::FindAction(QWidget* parent)
    : QLineEdit(parent)
    , m_model(new QStandardItemModel(this))
    , m_matches(new ActionFilter(this))
    , m_list(new ActionList(this))
    , m_icon(new QAction(this)) {
    m_matches->setSourceModel(m_model);
    m_matches->sort(0);
    m_list->setModel(m_matches);
    m_list->setItemDelegate(new ActionDelegate(m_list));
    m_list->setWindowFlags(Qt::ToolTip);
    m_list->setObjectName(QStringLiteral("actionList")); // framed by window.qss
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setAccessibleName(tr("Matching actions"));
    m_icon->setText(tr("Search"));
    addAction(m_icon, LeadingPosition);
    updateIcon();
    setPlaceholderText(tr("Find action"));
    setAccessibleName(tr("Find action"));
    setToolTip(tr("Search all actions. Ctrl+K"));
    connect(this, &QLineEdit::textEdited, this, &FindAction::openList);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        m_list->setCurrentIndex(index);
        runCurrent();
    });
}

void FindAction::offer(QAction* action, const QString& section) {
    auto* item = new QStandardItem(plainText(action));
    item->setData(QVariant::fromValue(QPointer<QAction>(action)), kActionRole);
    item->setData(section, kSectionRole);
    m_model->appendRow(item);
}

void FindAction::openList() {
    refresh();
    const int rows = qBound(1, m_matches->rowCount(), kRowsShown); // one of them says that there is none
    const int listWidth = qMax(width(), Sizes::control() * 14);
    m_list->resize(listWidth, rows * Sizes::listRow() + 2 * m_list->frameWidth());
    m_list->move(mapToGlobal(QPoint(width() - listWidth, height() + 2)));
    m_list->setCurrentIndex(m_matches->index(0, 0));
    m_list->show();
}

void FindAction::ask() {
    if (QWidget* before = QApplication::focusWidget(); before != this)
        m_askedFrom = before;
    window()->activateWindow(); // the key may come from a floating panel
    setFocus(Qt::ShortcutFocusReason);
    openList();
}

int FindAction::matchCount() const {
    return m_matches->rowCount();
}

bool FindAction::isListOpen() const {
    return m_list->isVisible();
}

void FindAction::refresh() {
    static_cast<ActionFilter*>(m_matches)->setWords(text());
    m_matches->invalidate(); // the order follows the words
}

void FindAction::runCurrent() {
    QAction* action = actionOf(m_list->currentIndex());
    closeList();
    if (action && action->isEnabled())
        action->trigger();
    else if (action) // its tool tip is the reason now
        QToolTip::showText(mapToGlobal(rect().bottomLeft()), action->toolTip(), this);
}

void FindAction::closeList() {
    m_list->hide();
    clear();
    const QPointer<QWidget> back = std::exchange(m_askedFrom, nullptr);
    if (!hasFocus() || !parentWidget())
        return;
    clearFocus();
    if (!back || !back->isVisible())
        return;
    back->window()->activateWindow();
    back->setFocus(Qt::OtherFocusReason); // the keys that need no Ctrl go on there
}

void FindAction::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason)
        openList();
}

void FindAction::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    m_list->hide();
}

void FindAction::keyPressEvent(QKeyEvent* event) {
    const auto move = [this](int by) {
        const int count = m_matches->rowCount();
        if (count == 0)
            return;
        const int row = qBound(0, m_list->currentIndex().row() + by, count - 1);
        m_list->setCurrentIndex(m_matches->index(row, 0));
    };
    switch (event->key()) {
    case Qt::Key_Down:
        move(1);
        return;
    case Qt::Key_Up:
        move(-1);
        return;
    case Qt::Key_PageDown:
        move(kRowsShown);
        return;
    case Qt::Key_PageUp:
        move(-kRowsShown);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runCurrent();
        return;
    case Qt::Key_Escape:
        closeList();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void FindAction::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    if (!text().isEmpty() || hasFocus() || width() < sizeHint().width())
        return;
    // The key, as a small cap at the right end.
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Sizes::small());
    const Theme& theme = Theme::current();
    const QString key = QKeySequence(Qt::CTRL | Qt::Key_K).toString(QKeySequence::NativeText);
    const double unit = Sizes::unit();
    const double capWidth = painter.fontMetrics().horizontalAdvance(key) + unit;
    const QRectF cap(width() - capWidth - unit * 0.75 + 0.5, (height() - unit * 2) / 2.0 + 0.5, capWidth,
                     unit * 2 - 1);
    painter.setPen(theme.line);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(cap, unit / 2, unit / 2);
    painter.setPen(theme.text2);
    painter.drawText(cap, Qt::AlignCenter, key);
}

void FindAction::changeEvent(QEvent* event) {
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_icon)
        updateIcon();
}

QSize FindAction::sizeHint() const {
    return {qRound(Sizes::unit() * 23), Sizes::control()};
}

QSize FindAction::minimumSizeHint() const {
    return {qRound(Sizes::unit() * 15), Sizes::control()};
}

void FindAction::updateIcon() {
    m_icon->setIcon(widgets::icon(QStringLiteral("search")));
}

} // namespace headroom::app
