// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>

namespace headroom::app {

/// The window of a layer as a number: odd, or "full" above the largest. Arrows step by 2. An even number is
/// refused: the field is outlined and names the two odd neighbours. Window's thread.
class WindowSpin : public QSpinBox {
    Q_OBJECT

public:
    explicit WindowSpin(QWidget* parent = nullptr);
    /// 0: full. Does not emit.
    void setWindow(int window);
    /// The draft's window once more, of the same layer: keeps what is being typed, unless the draft has another window now.
    void showWindow(int window, bool mixed);
    int window() const;
    /// A layer whose heads take no window shows a dash, not "full".
    void setTakesWindow(bool takes);
    /// The heads of the layer do not share a window: the field says so, and its tool tip what it means. What is entered
    /// then is for the heads that can have a window. After setWindow(), which is of one window.
    void setMixed(bool mixed);
    /// The largest odd window that means anything for so many tokens: 2N − 1.
    void setTokens(int tokens);
    /// Empty where what stands in the field can be used.
    QString mistake() const { return m_mistake; }

Q_SIGNALS:
    void windowEntered(int window); ///< 0: full
    void mistakeChanged(const QString& sentence);

protected:
    QString textFromValue(int value) const override;
    int valueFromText(const QString& text) const override;
    QValidator::State validate(QString& input, int& position) const override;
    void stepBy(int steps) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void commit();
    void follow(const QString& text); ///< what is typed
    void setMistake(const QString& sentence);
    QString m_mistake;
    int m_window = 0, m_tokens = 1;
    bool m_takesWindow = true, m_mixed = false;
    bool m_isTyped = false; ///< a window stands in the field in place of "mixed"
};

} // namespace headroom::app
