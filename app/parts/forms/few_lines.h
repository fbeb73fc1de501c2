// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QFontMetrics>
#include <QLabel>
#include <QMargins>
#include <QScrollArea>

#include <algorithm>

namespace headroom::app {

/// Shows a text whole where it is short, otherwise a few lines that scroll: a long one would take the room of the table above it.
/// In a high panel it takes up to a third of the height, once what is above has `linesAbove`: the title, a plot or chooser, and the
/// table.
/// Window's thread.
class FewLines : public QScrollArea {
public:
    explicit FewLines(QLabel* text, int linesAbove = 20) : m_linesAbove(linesAbove), m_text(text) {
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setWidgetResizable(true);
        setWidget(text);
    }
    void setText(const QString& text) {
        m_text->setText(text);
        fit();
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QScrollArea::resizeEvent(event);
        fit();
    }
    void showEvent(QShowEvent* event) override {
        QScrollArea::showEvent(event);
        parentWidget()->installEventFilter(this); // its height may change without ours
        fit();
    }
    bool eventFilter(QObject* object, QEvent* event) override {
        if (object == parentWidget() && event->type() == QEvent::Resize)
            fit();
        return QScrollArea::eventFilter(object, event);
    }
    void changeEvent(QEvent* event) override {
        QScrollArea::changeEvent(event);
        if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
            fit();
    }

private:
    void fit() {
        const QMargins edges = m_text->contentsMargins(); // the lower one is behind the last line
        const int line = m_text->fontMetrics().lineSpacing();
        const int around = parentWidget() ? parentWidget()->height() / line : 0; // lines
        const int most = edges.top() + std::max(kLines, std::min(around / 3, around - m_linesAbove)) * line;
        const int whole = m_text->heightForWidth(width());
        setFixedHeight(std::clamp(whole, 0, most));
        setFocusPolicy(whole > most ? Qt::StrongFocus : Qt::NoFocus); // for the arrow keys
    }

    static constexpr int kLines = 4;
    const int m_linesAbove;
    QLabel* m_text;
};

} // namespace headroom::app
