// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/window_spin.h"

#include "app/parts/number_text.h"
#include "widgets/look/sizes.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QStyle>
#include <QToolTip>

#include <utility>

namespace headroom::app {

WindowSpin::WindowSpin(QWidget* parent) : QSpinBox(parent) {
    setProperty("small", true);
    setAccessibleName(tr("Window, tokens"));
    setKeyboardTracking(false);
    setCorrectionMode(QAbstractSpinBox::CorrectToNearestValue);
    setFixedWidth(qRound(widgets::Sizes::unit() * 9.5));
    setWindow(0);
    setMixed(false);
    connect(lineEdit(), &QLineEdit::textEdited, this, &WindowSpin::follow);
    connect(this, &QSpinBox::editingFinished, this, &WindowSpin::commit);
}

void WindowSpin::setTokens(int tokens) {
    const int before = std::exchange(m_tokens, qMax(1, tokens));
    if (m_tokens != before)
        setWindow(m_window);
}

void WindowSpin::showWindow(int window, bool mixed) {
    if (lineEdit()->isModified() && window == m_window && mixed == m_mixed)
        return;
    setWindow(window);
    setMixed(mixed);
}

void WindowSpin::setWindow(int window) {
    const QSignalBlocker blocker(this);
    m_window = window;
    m_mixed = m_isTyped = false;
    // One above the largest window stands for full, so that stepping up ends there. A window that was made over a longer
    // recording stays what it is.
    setRange(1, qMax(2 * m_tokens + 1, window + 2));
    setValue(window <= 0 ? maximum() : window);
    lineEdit()->setText(textFromValue(value()));
    setMistake({});
}

int WindowSpin::window() const {
    return m_window;
}

void WindowSpin::setTakesWindow(bool takes) {
    if (std::exchange(m_takesWindow, takes) != takes)
        setWindow(m_window);
}

void WindowSpin::setMixed(bool mixed) {
    m_mixed = mixed;
    m_isTyped = false;
    lineEdit()->setText(textFromValue(value()));
    if (!isEnabled()) // its tool tip is the reason, and comes here again without one
        return;
    setToolTip(mixed ? tr("Mixed: the heads of this layer do not all have the same window in the draft. A window that you enter, "
                          "an odd number of tokens or full, is given to every head that can take one: full and local heads, or "
                          "masked heads if all are masked. Other heads stay as they are; a layer that has any stays mixed.")
                     : tr("Window of this layer in the draft: w tokens, an odd number, or full. A token sees ⌊w/2⌋ "
                          "tokens on each side, or only those before it if the heads are masked. CL is the share that "
                          "the window would cut off."));
}

/// The spin box writes its value as text before editingFinished() comes: from here on that is the window, not "mixed".
void WindowSpin::follow(const QString& text) {
    QString typed = text;
    int position = 0;
    m_isTyped = text.trimmed() != tr("mixed") && validate(typed, position) == QValidator::Acceptable;
}

QString WindowSpin::textFromValue(int value) const {
    if (m_mixed && !m_isTyped)
        return tr("mixed");
    return value < maximum() ? QString::number(value) : m_takesWindow ? tr("full") : kUnknown;
}

int WindowSpin::valueFromText(const QString& text) const {
    bool isNumber = false;
    const int number = text.trimmed().toInt(&isNumber);
    return isNumber ? number : m_mixed && text.trimmed() == tr("mixed") ? value() : maximum();
}

QValidator::State WindowSpin::validate(QString& input, int&) const {
    const QString text = input.trimmed();
    if (text.isEmpty())
        return QValidator::Intermediate;
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (isNumber)
        return number >= 1 ? QValidator::Acceptable : QValidator::Invalid;
    if (m_mixed && tr("mixed").startsWith(text)) // a part of it: while it is deleted
        return text == tr("mixed") ? QValidator::Acceptable : QValidator::Intermediate;
    const QString full = tr("full");
    if (text.compare(full, Qt::CaseInsensitive) == 0)
        return QValidator::Acceptable;
    return full.startsWith(text, Qt::CaseInsensitive) ? QValidator::Intermediate : QValidator::Invalid;
}

void WindowSpin::stepBy(int steps) {
    const int top = maximum();
    const int now = m_window <= 0 ? top : m_window;
    const int next = qBound(1, now + 2 * steps, top);
    if (next == now)
        return;
    const int window = next >= top ? 0 : next;
    setWindow(window);
    Q_EMIT windowEntered(window);
}

void WindowSpin::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        const bool mixed = m_mixed;
        setWindow(m_window);
        setMixed(mixed);
        return;
    }
    QSpinBox::keyPressEvent(event);
}

void WindowSpin::commit() {
    if (m_mixed && !m_isTyped && lineEdit()->text() == textFromValue(value()))
        return;
    const int typed = valueFromText(lineEdit()->text());
    const int window = typed >= maximum() ? 0 : typed;
    if (window > 0 && window % 2 == 0) {
        setMistake(tr("%1 is even: use %2 or %3.").arg(window).arg(window - 1).arg(window + 1));
        return;
    }
    setMistake({});
    if (window == m_window && !m_mixed)
        return;
    setWindow(window);
    Q_EMIT windowEntered(window);
}

void WindowSpin::setMistake(const QString& sentence) {
    if (sentence == m_mistake)
        return;
    m_mistake = sentence;
    setProperty("mistake", !sentence.isEmpty());
    style()->unpolish(this);
    style()->polish(this);
    if (!sentence.isEmpty() && isVisible())
        QToolTip::showText(mapToGlobal(QPoint(0, height())), sentence, this);
    Q_EMIT mistakeChanged(sentence);
}

} // namespace headroom::app
