// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QFormLayout;
class QLineEdit;

namespace headroom::app {

/// The two lines of a text that is analysed: its source, and its translation as given. Window's thread.
class TextFields : public QWidget {
    Q_OBJECT

public:
    explicit TextFields(QWidget* parent = nullptr);
    /// Leaves a field alone that is being typed in, unless `other`: another text is shown.
    void setTexts(const QString& source, const QString& target, bool other);
    /// Without a decoder, as a language model is, nothing is translated: the line goes.
    void setTranslates(bool translates);
    void commit(); ///< tells edited() of what was typed and not confirmed
    QLineEdit* source() const { return m_source; }
    QLineEdit* target() const { return m_target; }

Q_SIGNALS:
    /// Enter was pressed, or a field was left.
    void edited(const QString& source, const QString& target);

private:
    void take();
    QFormLayout* m_form;
    QLineEdit *m_source, *m_target;
};

} // namespace headroom::app
