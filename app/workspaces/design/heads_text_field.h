// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_grid.h"
#include "widgets/layer_editor/layer_editor.h"
#include "widgets/look/text_field.h"

#include <optional>

class QLabel;
class QTextBlock;

namespace headroom::app {

/// The heads of an architecture as text, one line per layer: "6  4 local 29", and at last one for the cross-attention of a
/// decoder: "cross  4 full relaxed 0.1". An edit is applied with
/// Ctrl+Enter, or when the field loses the focus; only layers whose line changed are emitted. Changes nothing itself: the owner responds with
/// setGrid(). Below the text stands which lines are not applied yet, else what is wrong. Window's thread.
class HeadsTextField : public widgets::TextField {
    Q_OBJECT

public:
    explicit HeadsTextField(QWidget* parent = nullptr);

    /// Text that is being typed stays.
    void setGrid(const HeadGrid& grid);
    /// Emits edited() for the lines that changed (kCrossAttention among them), or mistaken() for a line that belongs to no
    /// layer, or to that of another line.
    void apply();
    /// What stands below the text: lines that are not applied yet, the mistake of the caret's line, or how to apply.
    QString hint() const;
    /// The layer of the caret's line, from 1, or kCrossAttention; 0 without a grid.
    int currentLayer() const;
    /// Puts the caret at the end of a layer's line, or of that of kCrossAttention.
    void goToLayer(int layer);
    /// Applies what was typed and puts the caret into the next line with a mistake, after the last into the first one.
    void goToNextMistake();

Q_SIGNALS:
    void edited(const std::vector<headroom::widgets::CellEdit>& edits);
    void mistaken(const QString& sentence);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void markMistakes(); ///< underlines the lines of layers that have one
    void showHint();
    static QString keyHint();
    static bool applies(const QKeyEvent& key);
    int typedLines() const; ///< those of layers that are not empty
    int placeOf(int layer) const; ///< its line in the applied text, from 1
    QTextBlock lineOf(int layer) const; ///< its line in the text as it is typed, else the one at its place
    /// Line `place`, from 1, which belongs to the layer of that place unless it names another; nullopt: to none.
    std::optional<widgets::CellEdit> readLine(const QString& line, int place) const;
    HeadGrid m_grid;
    QLabel* m_hint;
};

} // namespace headroom::app
