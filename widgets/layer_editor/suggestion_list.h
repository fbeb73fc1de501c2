// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/layer_editor/head_suggestions.h"

#include <QWidget>

namespace headroom::widgets {

/// The list below a cell being edited: glyph, text, meaning, and at the bottom what Enter will do. A child of
/// the window, not a window: it does not take the focus and needs no window manager.
class SuggestionList : public QWidget {
    Q_OBJECT

public:
    explicit SuggestionList(QWidget* window);

    void setSuggestions(std::vector<HeadSuggestion> suggestions); ///< none is marked
    const std::vector<HeadSuggestion>& suggestions() const { return m_suggestions; }
    const QString& foot() const { return m_foot; }
    void setFoot(const QString& foot);
    int current() const { return m_current; } ///< −1: none
    void setCurrent(int row); ///< −1: none
    QString currentText() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(const QString& text);
    void currentChanged(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    int rowAt(const QPoint& position) const;
    std::vector<HeadSuggestion> m_suggestions;
    QString m_foot;
    int m_current = -1;
};

} // namespace headroom::widgets
