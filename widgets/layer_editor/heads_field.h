// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/layer_editor/suggestion_list.h"

#include <QLineEdit>
#include <QPointer>

namespace headroom::widgets {

/// The field in a cell. Up and Down move through the suggestions. Enter takes the marked one, and so does Tab, which goes on. The first
/// is marked where the text is valid or begins it; where none is marked, Enter takes the text as typed, which is a mistake.
class HeadsField : public QLineEdit {
    Q_OBJECT

public:
    /// `foot`: what Enter will do, below the suggestions. `reuseFoot`: the same of a reuse, which is the
    /// whole layer's.
    HeadsField(const SuggestionContext& context, const QString& foot, const QString& reuseFoot,
               QWidget* parent);
    ~HeadsField() override;

    SuggestionList* suggestionList() const { return m_list; }
    QString meant() const; ///< the text that Enter accepts
    /// A reuse that is not possible begins here: the list says why, and Enter does nothing.
    bool isRefused() const;
    /// Stands on this chip from now on. Where the text is longer, it is wider than the chip, as far as its parent goes.
    void setPlace(const QRect& chip);

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
    void sayWhatEnterDoes();
    void place();
    void widen();
    SuggestionContext m_context;
    QString m_foot, m_reuseFoot;
    QRect m_chip; ///< empty: not placed yet
    QPointer<SuggestionList> m_list; ///< child of the window, so it may be deleted first
};

} // namespace headroom::widgets
