// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/sound/text_fields.h"

#include "app/documents/items/text_limits.h"
#include "app/parts/session_field.h"
#include "widgets/look/sizes.h"

#include <QFormLayout>
#include <QLineEdit>

namespace headroom::app {

TextFields::TextFields(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
    , m_source(new QLineEdit(this))
    , m_target(new QLineEdit(this)) {
    m_source->setPlaceholderText(tr("Type a text and press Enter"));
    m_source->setAccessibleName(tr("Source text"));
    m_source->setToolTip(tr("The text that the model reads. It is analysed when you press Enter or leave the field."));
    m_target->setPlaceholderText(tr("Optional"));
    m_target->setAccessibleName(tr("Translation as given"));
    m_target->setToolTip(tr("A translation that Words can show instead of the model's own."));
    const int unit = qRound(widgets::Sizes::unit());
    m_form->setContentsMargins(unit, unit, unit, unit);
    m_form->setVerticalSpacing(unit);
    m_form->addRow(tr("Source"), m_source);
    m_form->addRow(tr("Translation"), m_target);
    for (QLineEdit* field : {m_source, m_target}) {
        field->setMaxLength(kLongestText);
        markAsSessionField(field);
        connect(field, &QLineEdit::editingFinished, this, &TextFields::take);
    }
}

void TextFields::setTranslates(bool translates) {
    m_form->setRowVisible(m_target, translates);
}

void TextFields::commit() {
    if (!m_source->isModified() && !m_target->isModified())
        return;
    take();
}

void TextFields::take() {
    m_source->setModified(false);
    m_target->setModified(false);
    Q_EMIT edited(m_source->text(), m_target->text());
}

void TextFields::setTexts(const QString& source, const QString& target, bool other) {
    const auto show = [other](QLineEdit* field, const QString& text) {
        if (field->text() != text && (other || !field->hasFocus() || !field->isModified()))
            field->setText(text);
    };
    show(m_source, source);
    show(m_target, target);
}

} // namespace headroom::app
