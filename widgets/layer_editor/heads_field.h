// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/layer_editor/suggestion_list.h"

#include <QLineEdit>
#include <QPointer>

namespace headroom::widgets {

/// The field in a cell. Up and Down walk through the suggestions, Tab takes the one that is marked, Enter
/// ends with what is meant: the marked suggestion where the text is only its beginning, else the text as
/// typed, right or wrong.
class HeadsField : public QLineEdit {
    Q_OBJECT

public:
    /// `foot`: what Enter will do, under the suggestions.
    HeadsField(const SuggestionContext& context, const QString& foot, QWidget* parent);
    ~HeadsField() override;

    SuggestionList* suggestionList() const { return m_list; }
    QString meant() const; ///< the text to be taken

Q_SIGNALS:
    void finished(const QString& text);
    void givenUp();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void suggest();
    void place();
    SuggestionContext m_context;
    QString m_foot;
    QPointer<SuggestionList> m_list; ///< the window's child: it may go first
    bool m_walked = false;           ///< somebody marked a suggestion on purpose
};

} // namespace headroom::widgets
