// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/form_row.h"

#include "app/parts/breakable.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QGridLayout>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

void markMistake(QWidget* widget, bool wrong) {
    if (widget->property("mistake").toBool() == wrong)
        return;
    widget->setProperty("mistake", wrong);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

FormRow::FormRow(const QString& label, QWidget* field, QWidget* parent)
    : QWidget(parent)
    , m_field(field)
    , m_label(new QLabel(label, this))
    , m_below(new QLabel(this)) {
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(0);
    m_label->setBuddy(field);
    layout->addWidget(m_label, 0, 0, Qt::AlignTop);
    layout->addWidget(field, 0, 1);
    layout->addWidget(m_below, 1, 1);
    widgets::withTextSize(this, [this, layout] {
        layout->setVerticalSpacing(qRound(Sizes::unit() / 4));
        layout->setColumnMinimumWidth(0, qRound(Sizes::unit() * m_labelWidth));
        m_label->setFixedHeight(Sizes::control());
    });
    layout->setColumnStretch(1, 1);
    m_below->setWordWrap(true);
    m_below->setProperty("caption", true);
    field->setAccessibleName(label);
    show();
}

void FormRow::setLabel(const QString& label) {
    QString text = label;
    if (const qsizetype mark = m_label->text().indexOf(u'&'); mark >= 0) // it keeps its access key
        if (const qsizetype at = label.indexOf(m_label->text()[mark + 1], 0, Qt::CaseInsensitive); at >= 0)
            text.insert(at, u'&');
    m_label->setText(text);
    m_field->setAccessibleName(label);
}

void FormRow::alignLabels(const QWidget* form) {
    const QList<FormRow*> rows = form->findChildren<FormRow*>();
    int width = qRound(Sizes::unit() * kLabelWidth);
    for (const FormRow* row : rows)
        width = std::max(width, row->m_label->sizeHint().width() + qRound(Sizes::unit()));
    for (FormRow* row : rows) {
        row->m_labelWidth = width / Sizes::unit();
        static_cast<QGridLayout*>(row->layout())->setColumnMinimumWidth(0, width);
    }
}

void FormRow::setNote(const QString& note) {
    m_note = note;
    show();
}

void FormRow::setMistake(const QString& sentence) {
    m_mistake = sentence;
    show();
}

void FormRow::show() {
    const bool wrong = !m_mistake.isEmpty();
    const QString& said = wrong ? m_mistake : m_note;
    m_below->setText(breakable(said));
    m_below->setVisible(!said.isEmpty());
    // Of a field with a button beside it, the field has the frame and the focus.
    QWidget* field = m_field->focusProxy() ? m_field->focusProxy() : m_field;
    field->setAccessibleDescription(said);
    markMistake(field, wrong);
    markMistake(m_below, wrong);
}

FormColumn::FormColumn(QWidget* dialog)
    : m_dialog(dialog)
    , m_layout(new QVBoxLayout(dialog)) {
    const int unit = qRound(Sizes::unit());
    m_layout->setContentsMargins(2 * unit, 2 * unit, 2 * unit, 2 * unit);
    m_layout->setSpacing(unit);
}

FormRow* FormColumn::add(const QString& label, QWidget* field) {
    auto* row = new FormRow(label, field, m_dialog);
    m_layout->addWidget(row);
    return row;
}

} // namespace headroom::app
