// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/form_panel.h"

#include "app/parts/availability.h"
#include "app/parts/forms/column_scroll.h"
#include "app/parts/name_views.h"
#include "widgets/look/sizes.h"
#include "widgets/look/translate.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;

namespace {

bool startsTheForm(const QKeyEvent& key) {
    return (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) && (key.modifiers() & ~Qt::KeypadModifier) == Qt::ControlModifier;
}

} // namespace

QString FormReport::countOfMistakes(std::size_t more) const {
    const std::size_t count = mistakes.size() + more;
    return count == 0   ? QString()
           : count == 1 ? tr("1 field needs correcting.")
                        : tr("%1 fields need correcting.").arg(count);
}

FormPanel::FormPanel(QWidget* parent)
    : QWidget(parent)
    , m_column(new QWidget)
    , m_scroll(new ColumnScroll(this))
    , m_rows(new QVBoxLayout(m_column))
    , m_outer(new QVBoxLayout(this))
    , m_sentence(new QLabel(this)) {
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_outer->setContentsMargins(0, 0, 0, 0);
    m_outer->setSpacing(0);
    m_scroll->setAccessibleName(tr("Fields"));
    m_column->setProperty("panel", true);
    m_rows->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    m_rows->setSpacing(unit / 2);
    m_scroll->setWidget(m_column);
    m_outer->addWidget(m_scroll, 1);
    m_sentence->setProperty("caption", true);
    m_sentence->setWordWrap(true);
}

void FormPanel::addHeading(const QString& text) {
    auto* label = new QLabel(text, m_column);
    label->setProperty("heading", true);
    m_rows->addWidget(label);
}

FormRow* FormPanel::addRow(const QString& name, const QString& label, QWidget* field) {
    auto* row = new FormRow(label, field, m_column);
    row->setObjectName(name);
    m_rows->addWidget(row);
    m_byName[name] = row;
    return row;
}

QComboBox* FormPanel::newCombo() {
    auto* box = new NameCombo(m_column);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setMaxVisibleItems(20);
    return box;
}

void FormPanel::addFoot(std::initializer_list<QPushButton*> buttons) {
    const int unit = qRound(Sizes::unit());
    m_rows->addStretch(1);
    auto* foot = new QWidget(this);
    foot->setProperty("panel", true);
    auto* layout = new QVBoxLayout(foot);
    layout->setContentsMargins(unit * 3 / 2, unit / 2, unit * 3 / 2, unit);
    layout->setSpacing(unit / 2);
    auto* line = new QFrame(foot);
    line->setFrameShape(QFrame::HLine);
    layout->addWidget(line);
    layout->addWidget(m_sentence);
    auto* row = new QHBoxLayout;
    row->setSpacing(unit);
    for (QPushButton* button : buttons)
        row->addWidget(button, button == *buttons.begin() ? 1 : 0);
    layout->addLayout(row);
    m_outer->addWidget(foot);
    m_first = *buttons.begin();
    m_first->installEventFilter(this);
    m_first->setToolTip(m_first->toolTip() + QLatin1Char(' ') + tr("Ctrl+Enter"));
}

bool FormPanel::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && m_first && startsTheForm(*static_cast<QKeyEvent*>(event))) {
        event->accept(); // no shortcut of the window takes it
        return true;
    }
    return QWidget::event(event);
}

bool FormPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_first && event->type() == QEvent::MouseButtonDblClick)
        return true; // a double click starts one
    return QWidget::eventFilter(watched, event);
}

void FormPanel::keyPressEvent(QKeyEvent* event) {
    if (!m_first || !startsTheForm(*event))
        return QWidget::keyPressEvent(event);
    if (event->isAutoRepeat())
        return; // a key that is held starts one
    revalidate();
    if (m_first->isEnabled())
        m_first->click();
    else
        sayWhy(reasonOf(m_first), m_first, m_first->rect());
}

QString textOf(const std::map<QString, QString>& texts, const QString& name) {
    const auto found = texts.find(name);
    return found == texts.end() ? QString() : found->second;
}

void FormPanel::showReport(const FormReport& report) {
    for (const auto& [name, row] : m_byName) {
        row->setNote(textOf(report.notes, name));
        row->setMistake(textOf(report.mistakes, name));
    }
    showSentence(report.sentence);
}

void FormPanel::scrollToTop() {
    m_scroll->verticalScrollBar()->setValue(0);
}

void FormPanel::showSentence(const QString& sentence, const QString& whole) {
    m_sentence->setText(sentence);
    m_sentence->setToolTip(whole);
}

std::map<QString, QString> FormPanel::mistakes() const {
    std::map<QString, QString> found;
    for (const auto& [name, row] : m_byName)
        if (!row->mistake().isEmpty())
            found[name] = row->mistake();
    return found;
}

} // namespace headroom::app
