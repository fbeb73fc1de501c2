// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace headroom::app {

/// Draws a field or a sentence as what is wrong, or no longer (property `mistake` of the style sheet). Does nothing if it is drawn so already.
void markMistake(QWidget* widget, bool wrong);

/// One line of a form: a label, a field, and below the field a note or what is wrong with it. Window's thread.
class FormRow : public QWidget {
    Q_OBJECT

public:
    FormRow(const QString& label, QWidget* field, QWidget* parent = nullptr);
    void setLabel(const QString& label);
    void setNote(const QString& note);
    /// Rings the field and says the sentence in place of the note; empty: all is right.
    void setMistake(const QString& sentence);
    QString mistake() const { return m_mistake; }
    QString note() const { return m_note; }
    /// Gives all rows below `form` a column of labels as wide as their widest label, so that their fields begin at one edge.
    static void alignLabels(const QWidget* form);

    static constexpr double kLabelWidth = 11.5; ///< unless labels are wider: in units, and with a gap

private:
    void show();
    double m_labelWidth = kLabelWidth;
    QWidget* m_field;
    QLabel* m_label;
    QLabel* m_below;
    QString m_note, m_mistake;
};

/// The rows of a dialogue, one below the other, in a layout with the margins of a dialogue.
class FormColumn {
public:
    explicit FormColumn(QWidget* dialog);
    FormRow* add(const QString& label, QWidget* field);
    QVBoxLayout* layout() const { return m_layout; }

private:
    QWidget* m_dialog;
    QVBoxLayout* m_layout;
};

} // namespace headroom::app
