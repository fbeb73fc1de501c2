// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/messages/messages_panel.h"

#include "app/documents/items/messages.h"
#include "app/parts/access_keys.h"
#include "app/parts/action_button.h"
#include "app/parts/availability.h"
#include "app/parts/breakable.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

QFont offerFont() {
    QFont link = Sizes::caption();
    link.setUnderline(true);
    return link;
}

/// The sentence of a row spans the column of its offer, which takes what it needs at the right.
class MessageDelegate : public QStyledItemDelegate {
public:
    explicit MessageDelegate(QTableView* view) : QStyledItemDelegate(view), m_view(view) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = Theme::current();
        const int unit = qRound(Sizes::unit());
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, theme.selectedRow);
        else if (index.row() % 2)
            painter->fillRect(option.rect, theme.alternate);
        const QRect cell = option.rect.adjusted(unit, 0, -unit, 0);
        painter->setFont(Sizes::caption());
        painter->setPen(theme.text);
        switch (index.column()) {
        case Messages::SeverityIcon: {
            const auto severity = static_cast<Severity>(index.data(Messages::SeverityRole).toInt());
            const int icon = Sizes::icon();
            const QRect where(option.rect.center().x() - icon / 2, option.rect.center().y() - icon / 2, icon,
                              icon);
            const auto drawn =
                severity == Severity::Good      ? widgets::icon(QStringLiteral("check"), theme.good)
                : severity == Severity::Warning ? widgets::icon(QStringLiteral("warning"), theme.warning)
                : severity == Severity::Error   ? widgets::icon(QStringLiteral("error"), theme.error)
                                                : widgets::icon(QStringLiteral("info"), theme.text2);
            drawn.paint(painter, where);
            break;
        }
        case Messages::Time:
            painter->setPen(theme.text2);
            painter->drawText(cell, Qt::AlignVCenter | Qt::AlignLeft, index.data().toString());
            break;
        case Messages::Sentence: {
            painter->drawText(sentenceRect(index, option.rect), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap,
                              breakable(index.data().toString()));
            const QFont link = offerFont();
            const QRect offer = cell.adjusted(option.rect.width() - offerWidth(index), 0, 0, 0);
            painter->setFont(link);
            painter->setPen(theme.accent);
            painter->drawText(offer, Qt::AlignVCenter | Qt::AlignRight, QFontMetrics(link).elidedText(offerOf(index), Qt::ElideMiddle, offer.width()));
            break;
        }
        default: // Action, which the sentence spans
            break;
        }
    }
    /// A sentence takes as many lines as it needs: what to do stands at its end.
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        if (index.column() != Messages::Sentence)
            return {0, Sizes::listRow()};
        const int unit = qRound(Sizes::unit());
        const QRect cell(0, 0, m_view->columnWidth(Messages::Sentence) + m_view->columnWidth(Messages::Action), 0);
        const int width = qMax(unit, sentenceRect(index, cell).width());
        const QFontMetrics metrics(Sizes::caption());
        const int height =
            metrics
                .boundingRect(QRect(0, 0, width, 1 << 15), Qt::TextWordWrap, breakable(index.data().toString()))
                .height();
        return {width, qMax(Sizes::listRow(), height + unit)};
    }
    bool editorEvent(QEvent* event, QAbstractItemModel*, const QStyleOptionViewItem& option, const QModelIndex& index) override {
        if (event->type() == QEvent::MouseButtonRelease)
            m_isOnOffer = index.column() == Messages::Sentence && static_cast<QMouseEvent*>(event)->pos().x() >= option.rect.right() + 1 - offerWidth(index);
        return false;
    }
    /// Whether the last click was on an offer.
    bool isOnOffer() const { return m_isOnOffer; }

private:
    static QString offerOf(const QModelIndex& index) { return index.siblingAtColumn(Messages::Action).data().toString(); }
    /// With the room at both of its sides.
    int offerWidth(const QModelIndex& index) const {
        const QString offer = offerOf(index);
        return offer.isEmpty() ? 0
                               : std::min(m_view->columnWidth(Messages::Action),
                                          QFontMetrics(offerFont()).horizontalAdvance(offer) + qRound(2.5 * Sizes::unit()));
    }
    QRect sentenceRect(const QModelIndex& index, const QRect& cell) const {
        const int unit = qRound(Sizes::unit());
        return cell.adjusted(unit, 0, -unit - offerWidth(index), 0);
    }

    QTableView* m_view;
    bool m_isOnOffer = false;
};

} // namespace

MessagesPanel::MessagesPanel(Messages* messages, QWidget* parent)
    : QWidget(parent)
    , m_messages(messages)
    , m_view(new QTableView(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_view->setModel(messages);
    auto* delegate = new MessageDelegate(m_view);
    m_view->setItemDelegate(delegate);
    m_view->setAccessibleName(tr("Messages"));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setShowGrid(false);
    m_view->setTabKeyNavigation(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(Sizes::listRow());
    m_view->verticalHeader()->setMinimumSectionSize(Sizes::listRow());
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView* header = m_view->horizontalHeader();
    header->hide();
    connect(header, &QHeaderView::sectionResized, m_view, &QTableView::resizeRowsToContents);
    header->setSectionResizeMode(Messages::Time, QHeaderView::Fixed);
    header->setSectionResizeMode(Messages::SeverityIcon, QHeaderView::Fixed);
    header->setSectionResizeMode(Messages::Sentence, QHeaderView::Stretch);
    header->setSectionResizeMode(Messages::Action, QHeaderView::Fixed);
    header->resizeSection(Messages::Time, Sizes::control() * 3);
    header->resizeSection(Messages::SeverityIcon, Sizes::control());

    makeActions();
    auto* empty = new QWidget(this);
    auto* line = new QHBoxLayout;
    auto* nothing = new QLabel(tr("No messages."), empty);
    nothing->setProperty("caption", true);
    auto* back = new ActionButton(m_bringBack, QStringLiteral("undo"), empty);
    line->addWidget(nothing);
    line->addWidget(back);
    line->addStretch();
    auto* lines = new QVBoxLayout(empty);
    lines->setContentsMargins(qRound(Sizes::unit() * 1.5), qRound(Sizes::unit()), 0, 0);
    lines->addLayout(line);
    lines->addStretch();
    auto* pages = new QStackedLayout(this);
    pages->addWidget(m_view);
    pages->addWidget(empty);
    const auto offer = [this, back] {
        const int aside = m_messages->aside();
        back->setVisible(aside > 0);
        m_bringBack->setVisible(aside > 0);
        m_bringBack->setText(aside == 1 ? tr("Bring back the cleared message") : tr("Bring back %1 cleared messages").arg(aside));
        back->setText(m_bringBack->text());
        setAvailable(m_clear, m_messages->rowCount() > 0 ? QString() : tr("There are no messages."));
    };
    const auto update = [this, pages] {
        pages->setCurrentIndex(m_messages->rowCount() == 0 ? 1 : 0);
        m_view->clearSpans();
        for (int row = 0; row < m_messages->rowCount(); ++row)
            m_view->setSpan(row, Messages::Sentence, 1, 2);
        fitActions();
    };
    connect(messages, &QAbstractItemModel::rowsInserted, this, update);
    connect(messages, &QAbstractItemModel::rowsRemoved, this, update);
    connect(messages, &QAbstractItemModel::modelReset, this, update);
    connect(messages, &Messages::summaryChanged, this, offer);
    update();
    offer();
    connect(m_view, &QTableView::clicked, this, [this, delegate](const QModelIndex& index) {
        if (delegate->isOnOffer())
            m_messages->trigger(index.row());
    });
    connect(m_view, &QTableView::activated, this,
            [this](const QModelIndex& index) { m_messages->trigger(index.row()); });
}

void MessagesPanel::makeActions() {
    auto* act = new QAction(tr("Run the message's action\tEnter"), m_view);
    connect(act, &QAction::triggered, this, [this] { m_messages->trigger(m_view->currentIndex().row()); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, act, [this, act](const QModelIndex& now) {
        const QString offered = now.isValid() ? m_messages->at(now.row()).actionText : QString();
        act->setVisible(!offered.isEmpty());
        act->setText(asActionText(offered) + QStringLiteral("\tEnter"));
    });
    act->setVisible(false);
    m_copy = new QAction(widgets::icon(QStringLiteral("copy")), tr("Copy the messages"), m_view);
    m_copy->setToolTip(tr("Copy the messages as a table: those that are selected, otherwise all."));
    connect(m_copy, &QAction::triggered, this, &MessagesPanel::copy);
    m_clear = new QAction(widgets::icon(QStringLiteral("trash")), tr("Clear messages"), m_view);
    m_clear->setToolTip(tr("Clear all messages. The menu of this panel brings them back."));
    connect(m_clear, &QAction::triggered, m_messages, &Messages::putAside);
    m_bringBack = new QAction(widgets::icon(QStringLiteral("undo")), QString(), m_view);
    m_bringBack->setToolTip(tr("Show the cleared messages again. They are kept until you quit; those about a session, until another one begins."));
    connect(m_bringBack, &QAction::triggered, m_messages, &Messages::bringBack);
    widgets::setContextMenu(m_view, {act, m_copy, nullptr, m_clear, m_bringBack});
}

/// Some messages of two lines: one is read with what was said before it.
QSize MessagesPanel::minimumSizeHint() const {
    return QWidget::minimumSizeHint().expandedTo({0, qRound(12 * Sizes::unit())});
}

/// As wide as the widest offer, which may name a recording; a third of the panel at most.
void MessagesPanel::fitActions() {
    const QFontMetrics metrics(Sizes::caption());
    int widest = 0;
    for (int row = 0; row < m_messages->rowCount(); ++row)
        widest = std::max(widest, metrics.horizontalAdvance(m_messages->at(row).actionText));
    const int least = Sizes::control() * 6;
    m_view->horizontalHeader()->resizeSection(Messages::Action,
                                              std::clamp(widest + qRound(2.5 * Sizes::unit()), least, std::max(least, width() / 3)));
}

void MessagesPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitActions();
}

void MessagesPanel::copy() const {
    QString text = tr("Time") + QLatin1Char('\t') + tr("Message") + QLatin1Char('\n');
    const QItemSelectionModel* selection = m_view->selectionModel();
    for (int row = 0; row < m_messages->rowCount(); ++row)
        if (!selection->hasSelection() || selection->isRowSelected(row))
            text += m_messages->at(row).time.toString(Qt::ISODate) + QLatin1Char('\t') +
                    m_messages->index(row, Messages::Sentence).data().toString() + QLatin1Char('\n');
    QApplication::clipboard()->setText(text);
}

} // namespace headroom::app
