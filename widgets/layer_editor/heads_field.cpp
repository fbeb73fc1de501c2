// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_editor/heads_field.h"

#include "widgets/layer_editor/suggestion_list.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QKeyEvent>

#include <algorithm>

namespace headroom::widgets {

HeadsField::HeadsField(const SuggestionContext& context, const QString& foot, const QString& reuseFoot,
                       QWidget* parent)
    : QLineEdit(parent)
    , m_context(context)
    , m_foot(foot)
    , m_reuseFoot(reuseFoot)
    , m_list(new SuggestionList(parent->window())) {
    withTextSize(this, [this] { setFont(Sizes::text()); });
    setAccessibleName(tr("Heads of layer %1").arg(context.layer));
    connect(this, &QLineEdit::textChanged, this, &HeadsField::suggest);
    connect(this, &QLineEdit::textChanged, this, &HeadsField::widen);
    connect(m_list, &SuggestionList::chosen, this, &HeadsField::finished);
    connect(m_list, &SuggestionList::currentChanged, this, &HeadsField::sayWhatEnterDoes);
    suggest();
}

HeadsField::~HeadsField() {
    delete m_list;
}

QString HeadsField::meant() const {
    return m_list && m_list->current() >= 0 ? m_list->currentText() : writtenOut(text());
}

bool HeadsField::isRefused() const {
    return !refusedReuse(text(), m_context).isEmpty() && (!m_list || m_list->current() < 0);
}

void HeadsField::suggest() {
    if (!m_list)
        return;
    const QString refused = refusedReuse(text(), m_context), typed = writtenOut(text());
    m_list->setSuggestions(refused.isEmpty() ? suggestionsFor(text(), m_context) : std::vector<HeadSuggestion>{});
    const auto& offered = m_list->suggestions();
    // Nothing else than what is typed, or goes on from it, is taken unless it is marked by hand.
    const bool goesOn = !offered.empty() && isCompletedBy(typed, offered.front().text);
    m_list->setCurrent(goesOn ? 0 : -1);
    setAccessibleDescription(refused);
    sayWhatEnterDoes();
}

void HeadsField::sayWhatEnterDoes() {
    const QString refused = refusedReuse(text(), m_context), taken = meant();
    const bool isMistake = m_list->current() < 0 && !isValidIn(taken, m_context);
    m_list->setFoot(!refused.isEmpty()                         ? refused
                    : taken.isEmpty()                          ? tr("Enter changes nothing.")
                    : isMistake                                ? tr("Enter writes “%1”, which is not valid.").arg(taken)
                    : taken.startsWith(QLatin1String("reuse")) ? m_reuseFoot
                                                               : m_foot);
    place();
}

void HeadsField::setPlace(const QRect& chip) {
    m_chip = chip;
    widen();
}

void HeadsField::widen() {
    if (m_chip.isEmpty())
        return;
    const int padding = int(Sizes::unit() * 3.5); // of the style, on both sides, and the cursor
    const int room = parentWidget()->width() - int(Sizes::unit());
    const int width = std::clamp(fontMetrics().horizontalAdvance(text()) + padding, m_chip.width(), std::max(m_chip.width(), room));
    const int left = std::max(0, std::min(m_chip.left(), room - width));
    setGeometry(width > m_chip.width() ? left : m_chip.left(), m_chip.top(), width, m_chip.height());
    raise();
}

void HeadsField::place() {
    const bool saysSomething = m_list && (!m_list->suggestions().empty() || !refusedReuse(text(), m_context).isEmpty());
    if (!isVisible() || !saysSomething) {
        if (m_list)
            m_list->hide();
        return;
    }
    const QRect room = window()->rect();
    const int gap = int(Sizes::unit() / 4);
    QPoint at = mapTo(window(), QPoint(0, height() + gap));
    const QSize size = m_list->sizeHint();
    if (at.y() + size.height() > room.bottom())
        at.setY(mapTo(window(), QPoint()).y() - gap - size.height());
    at.setX(std::clamp(at.x(), 0, std::max(0, room.width() - size.width())));
    m_list->setGeometry(QRect(at, size));
    m_list->show();
    m_list->raise();
}

bool HeadsField::event(QEvent* event) {
    // Single letters are shortcuts elsewhere in the window; here they are text.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (!(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) || key->key() == Qt::Key_Escape) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab) {
        keyPressEvent(static_cast<QKeyEvent*>(event));
        return true;
    }
    return QLineEdit::event(event);
}

void HeadsField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (m_list)
            m_list->setCurrent(std::max(0, m_list->current() + (event->key() == Qt::Key_Down ? 1 : -1)));
        return event->accept();
    case Qt::Key_Tab:
        if (m_list && m_list->current() >= 0)
            setText(m_list->currentText());
        return event->accept();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        event->accept();
        if (!isRefused())
            Q_EMIT finished(meant());
        return;
    case Qt::Key_Escape:
        event->accept();
        Q_EMIT givenUp();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void HeadsField::moveEvent(QMoveEvent* event) {
    QLineEdit::moveEvent(event);
    place();
}

void HeadsField::showEvent(QShowEvent* event) {
    QLineEdit::showEvent(event);
    place();
}

void HeadsField::hideEvent(QHideEvent* event) {
    QLineEdit::hideEvent(event);
    if (m_list)
        m_list->hide();
}

} // namespace headroom::widgets
