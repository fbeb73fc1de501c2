// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/forms/form_row.h"

#include <QString>

#include <initializer_list>
#include <map>

class QComboBox;
class QPushButton;
class QVBoxLayout;

namespace headroom::app {

class ColumnScroll;

/// The text for the field of this name; empty: there is none.
QString textOf(const std::map<QString, QString>& texts, const QString& name);

/// What is said about the values of a form. A value; made by a function `validate` that knows no widget.
struct FormReport {
    std::map<QString, QString> mistakes, notes; ///< by the field's name; a mistake hides the note
    QString sentence;                           ///< beside the button: what will happen, or why it cannot be started

    bool isRight() const { return mistakes.empty(); }
    /// "1 field needs correcting."; empty if none does. `more`: fields without a row of their own.
    QString countOfMistakes(std::size_t more = 0) const;
};

/// A form: rows in a column that scrolls, and below it a foot with a sentence and buttons that always shows. The rows
/// have names; FormPanel shows each what a FormReport says about it. Ctrl+Enter anywhere in it clicks the first button of
/// the foot, or shows why it cannot be used. A double click on that button counts as one click. Window's thread.
class FormPanel : public QWidget {
    Q_OBJECT

public:
    /// The mistakes that are shown, by the field's name; for tests and F8.
    std::map<QString, QString> mistakes() const;

protected:
    explicit FormPanel(QWidget* parent);

    QWidget* column() const { return m_column; } ///< parent of the fields
    QVBoxLayout* rows() const { return m_rows; } ///< of the column, for what is no row
    void addHeading(const QString& text);
    /// A row at the end of the column. Takes the field over.
    FormRow* addRow(const QString& name, const QString& label, QWidget* field);
    /// A field for one of several values, which may be narrower than its words.
    QComboBox* newCombo();
    /// The foot; the first button is as wide as the others leave, and its tool tip ends with its key. To be called once,
    /// after the rows.
    void addFoot(std::initializer_list<QPushButton*> buttons);
    /// Reads the fields again and says whether the first button can be used.
    virtual void revalidate() = 0;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    /// Rows that the report does not name have neither note nor mistake.
    void showReport(const FormReport& report);
    /// `whole`: its tool tip, where the sentence cuts a name.
    void showSentence(const QString& sentence, const QString& whole = {});
    void scrollToTop();

private:
    QWidget* m_column;
    ColumnScroll* m_scroll;
    QVBoxLayout *m_rows, *m_outer;
    QLabel* m_sentence;
    QPushButton* m_first = nullptr; ///< of the foot
    std::map<QString, FormRow*> m_byName;
};

} // namespace headroom::app
