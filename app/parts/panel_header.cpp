// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/panel_header.h"

#include "widgets/look/eliding.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

constexpr double kReadableTitle = 20; ///< units: a longer title gives way to the controls
constexpr double kOwnTitle = 16, kLeastTitle = 9; ///< units that a panel's own title keeps, and any other, as the name of a file

void setSizes(QToolButton* button) {
    widgets::withTextSize(button, [button] {
        button->setFixedSize(Sizes::smallControl(), Sizes::smallControl());
        button->setIconSize(QSize(Sizes::icon(), Sizes::icon()));
    });
}

/// A ⋯ button that opens this menu.
QToolButton* moreButton(const QString& name, QMenu* menu, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setIcon(widgets::icon(QStringLiteral("more")));
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setProperty("small", true);
    button->setProperty("noIndicator", true);
    button->setAutoRaise(true);
    setSizes(button);
    return button;
}

} // namespace

/// Grey text, with the sign of an error before it where it counts errors.
class PanelHeader::Detail : public QLabel {
public:
    using QLabel::QLabel;

    static int markWidth() { return Sizes::icon() + qRound(Sizes::unit()) / 2; }
    void setMarked(bool marked) {
        if (const QMargins margins(marked ? markWidth() : 0, 0, 0, 0); margins != contentsMargins())
            setContentsMargins(margins);
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        QLabel::paintEvent(event);
        if (contentsMargins().left() == 0)
            return;
        QPainter painter(this);
        widgets::icon(QStringLiteral("error"), Theme::current().error)
            .paint(&painter, QRect(0, (height() - Sizes::icon()) / 2, Sizes::icon(), Sizes::icon()));
    }
};

PanelHeader::PanelHeader(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
    , m_title(new QLabel(title, this))
    , m_detail(new Detail(this))
    , m_ownTitle(title) {
    m_title->setTextFormat(Qt::PlainText);
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setProperty("secondary", true);
    // The detail gives way first: the controls beside it must stay reachable in a narrow dock.
    m_detail->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_detail->setMinimumWidth(0);
    m_layout->addWidget(m_title);
    m_layout->addWidget(m_detail, 1);
    m_title->setText(title);
    widgets::withTextSize(this, [this] {
        const int unit = qRound(Sizes::unit());
        setFixedHeight(Sizes::dockHeaderHeight());
        m_layout->setContentsMargins(unit * 3 / 2, 0, unit / 2, 1);
        m_layout->setSpacing(unit / 2);
        m_title->setFont(Sizes::heading());
        setTitle(m_title->text(), m_widestTitle);
    });
}

void PanelHeader::setTitle(const QString& title, const QString& widest) {
    m_title->setText(title);
    m_widestTitle = widest;
    // "Difference from" and "Layer 12" are always whole. A long file name must not widen the window: it is elided.
    const QFontMetrics metrics(Sizes::heading());
    m_title->setMinimumWidth(std::min(std::max(metrics.horizontalAdvance(title), metrics.horizontalAdvance(widest)) + 2,
                                      qRound(Sizes::unit() * (title == m_ownTitle ? kOwnTitle : kLeastTitle))));
    m_title->setIndent(m_title->indent()); // QLabel's size hint keeps the least width of when it was last asked for
    fitControls();
    elideDetail();
}

QString PanelHeader::title() const {
    return m_title->text();
}

void PanelHeader::setDetail(const QString& detail, const QString& brief, BriefCounts counts) {
    m_detailText = detail;
    m_detail->setToolTip(detail);
    m_detail->setAccessibleName(detail); // whatever there is room to show
    if (m_briefText != brief || m_briefCounts != counts) { // the controls leave room for it alone
        m_briefText = brief;
        m_briefCounts = counts;
        fitControls();
    }
    elideDetail();
}

void PanelHeader::addLeading(QWidget* control) {
    // Controls stand before the stretching detail.
    m_layout->insertWidget(m_layout->indexOf(m_detail), control);
}

void PanelHeader::addLeadingSpace(int pixels) {
    m_layout->insertSpacing(m_layout->indexOf(m_detail), pixels);
}

void PanelHeader::addTrailing(QWidget* control) {
    m_layout->insertWidget(m_more ? m_layout->indexOf(m_more) : m_layout->count(), control);
}

void PanelHeader::setMenu(QMenu* menu) {
    m_more = moreButton(QStringLiteral("more"), menu, this);
    m_more->setAccessibleName(tr("More of %1").arg(m_title->text()));
    m_more->setToolTip(tr("Actions for this panel and its selection."));
    m_layout->addWidget(m_more);
}

QToolButton* PanelHeader::addButton(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setProperty("small", true);
    button->setAutoRaise(true);
    setSizes(button);
    button->setAccessibleName(action->text().remove(QLatin1Char('&')));
    addTrailing(button);
    return button;
}

void PanelHeader::giveWay(QWidget* control, std::function<int()> least) {
    m_givingWay.push_back({control, least ? std::move(least) : [control] { return control->minimumWidth(); }});
}

void PanelHeader::yield(QWidget* control, QAction* instead) {
    m_yielding.prepend({control, instead});
    if (instead && !m_overflow)
        addOverflow();
}

void PanelHeader::addOverflow() {
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (const auto& [control, instead] : m_yielding)
            if (instead && control->isHidden())
                menu->addAction(instead);
    });
    m_overflow = moreButton(QStringLiteral("overflow"), menu, this);
    m_overflow->setAccessibleName(tr("What does not fit"));
    m_overflow->setToolTip(tr("What this bar has no room for."));
    m_overflow->hide();
    addLeading(m_overflow);
}

QSize PanelHeader::sizeHint() const {
    return {QWidget::sizeHint().width(), Sizes::dockHeaderHeight()};
}

QSize PanelHeader::minimumSizeHint() const {
    int width = QWidget::minimumSizeHint().width();
    for (const auto& [control, instead] : m_yielding) // else nothing could make the panel so narrow that they yield
        if (const QLayoutItem* item = control->isHidden() ? nullptr : m_layout->itemAt(m_layout->indexOf(control)))
            width -= item->minimumSize().width() + m_layout->spacing();
    if (m_overflow && m_overflow->isHidden())
        width += roomOf(m_overflow);
    return {width, Sizes::dockHeaderHeight()};
}

void PanelHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    painter.fillRect(rect(), theme.header);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line);
}

void PanelHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitControls();
    elideDetail();
}

int PanelHeader::roomOf(const QWidget* control) const {
    return control->sizeHint().expandedTo(control->minimumSize()).boundedTo(control->maximumSize()).width() + m_layout->spacing();
}

/// A control that is asked to yield is either whole or not there; a long title is elided before that.
void PanelHeader::fitControls() {
    const int title = m_title->sizeHint().width(), least = m_title->minimumWidth();
    int others = m_layout->sizeHint().width() - std::clamp(title, least, std::max(least, m_title->maximumWidth()));
    for (const auto& [control, narrowest] : m_givingWay)
        others -= std::max(0, control->sizeHint().width() - narrowest());
    const int readable = std::clamp(title, least, std::max(least, qRound(Sizes::unit() * kReadableTitle)));
    // A brief detail is worth more than a label, which says what the field behind it says in its tool tip.
    const int mark = m_briefCounts == BriefCounts::Errors ? Detail::markWidth() : 0;
    const int beforeLabels =
        m_briefText.isEmpty() ? 0 : std::max(0, title - readable) + mark + m_detail->fontMetrics().horizontalAdvance(m_briefText) + 2;
    int whole = others + readable;
    for (const auto& [control, instead] : m_yielding)
        whole += control->isHidden() ? roomOf(control) : 0;
    if (m_overflow && !m_overflow->isHidden())
        whole -= roomOf(m_overflow);
    const auto goes = [&](int reserved, bool* offers) {
        QList<bool> hidden;
        int needed = whole + reserved;
        *offers = false;
        for (const auto& [control, instead] : m_yielding) {
            hidden << (needed + (qobject_cast<QLabel*>(control) ? beforeLabels : 0) > width());
            needed -= hidden.last() ? roomOf(control) : 0;
            *offers = *offers || (hidden.last() && instead);
        }
        return hidden;
    };
    bool offers = false;
    QList<bool> hidden = goes(0, &offers);
    if (offers) // the button needs room, too
        hidden = goes(roomOf(m_overflow), &offers);
    const auto show = [&](QWidget* control, bool shown) {
        if (shown != control->isHidden())
            return;
        others += shown ? roomOf(control) : -roomOf(control);
        control->setVisible(shown); // a change asks for another layout
    };
    for (qsizetype i = 0; i < m_yielding.size(); ++i)
        show(m_yielding[i].control, !hidden[i]);
    if (m_overflow)
        show(m_overflow, offers);
    // Never its least width: what cannot change counts as a size that the program fixed, and grows with the text.
    const int most = others + title <= width() ? QWIDGETSIZE_MAX : std::max(least + 1, width() - others);
    if (m_title->maximumWidth() != most)
        m_title->setMaximumWidth(most);
}

bool PanelHeader::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) {
        fitControls();
        elideDetail();
    }
    return handled;
}

void PanelHeader::elideDetail() {
    int room = m_detail->width();
    const bool isBrief = !m_briefText.isEmpty() && widgets::fitted(m_detailText, m_detail->fontMetrics(), room) != m_detailText;
    const bool isMarked = isBrief && m_briefCounts == BriefCounts::Errors;
    room -= isMarked ? Detail::markWidth() : 0;
    const QString& whole = isBrief ? m_briefText : m_detailText;
    QString shown = widgets::fitted(whole, m_detail->fontMetrics(), room);
    // A whole part says more than the beginning of the next: "4,210 different …", not "4,210 different; unkn…".
    const auto hasWords = [](const QString& text) {
        return std::any_of(text.cbegin(), text.cend(), [](QChar c) { return c.isLetter(); });
    };
    static const QRegularExpression kNextPart(QStringLiteral("[;,] | {3}"));
    if (shown != whole)
        if (const qsizetype end = shown.lastIndexOf(kNextPart); end > 0 && hasWords(shown.left(end)))
            shown = shown.left(end) + QStringLiteral(" …");
    static const QRegularExpression kCutWord(QStringLiteral("^\\p{L}+…$"));
    if (shown != whole && ((isBrief && (!whole.contains(u' ') || whole.front().isDigit())) || kCutWord.match(shown).hasMatch())) // "un…ed", "1 of …", "faile…"
        shown.clear();
    // "2…" would be read as a number, and "78 tok…" names nothing.
    static const QRegularExpression kCutCount(QStringLiteral("(^|\\s)[0-9][0-9.,]*( \\p{L}*)?…$"));
    if (const auto cut = kCutCount.match(shown); cut.hasMatch() && shown != whole)
        shown = cut.capturedStart() > 0 ? shown.left(cut.capturedStart()) + QStringLiteral(" …") : QString();
    if (shown != whole && !hasWords(shown)) { // a whole count stays: "7 …" of "7, 1 failed"
        const qsizetype end = whole.indexOf(kNextPart);
        const QString first = whole.left(std::max<qsizetype>(end, 0)) + QStringLiteral(" …");
        shown = end > 0 && m_detail->fontMetrics().horizontalAdvance(first) <= room ? first : QString();
    }
    m_detail->setMarked(isMarked && !shown.isEmpty());
    if (shown != m_detail->text())
        m_detail->setText(shown);
}

} // namespace headroom::app
