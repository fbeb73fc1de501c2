// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/layer_editor/head_suggestions.h"
#include "widgets/layer_editor/layer_editor_model.h"

#include <QTableView>

namespace headroom::widgets {

/// One edit: this text for heads [firstHead, lastHead] of a layer, all from 1 (HeadGrid::write).
struct CellEdit {
    int layer = 1, firstHead = 1, lastHead = 1;
    QString text;
    bool operator==(const CellEdit&) const = default;
};

/// The layers × heads of an architecture, each head a chip. Click, drag over several, type "local 17", copy
/// and paste as text. [ and ] change windows by two tokens (Shift: ten), Delete makes heads full (masked in a
/// language model), F8 goes to the next mistake. The editor changes nothing itself: it emits edited(), and
/// the owner responds with setGrid().
///
/// A mistake is outlined and explained below the row, whose chips move up together. Can be used alone:
/// setGrid(HeadGrid(architecture.encoder.layers)). Window's thread.
class LayerEditor : public QTableView {
    Q_OBJECT

public:
    explicit LayerEditor(QWidget* parent = nullptr);

    LayerEditorModel* gridModel() const { return m_grid; }
    void setGrid(const HeadGrid& grid);
    void setFacts(std::vector<LayerFacts> facts) { m_grid->setFacts(std::move(facts)); }
    void setEmptySentence(const QString& sentence); ///< shown while there is nothing to edit

    int currentLayer() const; ///< from 1; 0: none
    /// Runs of selected heads in reading order, with empty texts. A reusing layer counts with all its heads.
    std::vector<CellEdit> selectedHeads() const;
    void selectHeads(int layer, int first, int last);
    /// Whole layers, from where the selection begins to where it ends, in either direction.
    void selectLayers(int from, int to);
    /// The decoder's row alone is selected, which stands for its cross-attention: a selection with heads is of these.
    bool isCrossSelected() const;
    void selectCross();
    /// Returns the selection as text, "Layer 9, heads 2 to 4"; empty if nothing is selected.
    QString selectionText() const;

    /// The following emit an edit of the selected heads.
    /// Each selected layer reuses the maps of the nearest earlier layer that has maps for as many heads; if
    /// there is none, those of the layer above, which gives an explained mistake.
    void reuseAbove();
    /// Why reuseAbove() would make a mistake: a sentence; empty if it would make none.
    QString whyNoReuse() const;
    void writeSelected(const QString& text);
    void stepWindows(int tokens); ///< local heads, and masked ones with a window; even
    /// Why stepWindows() would change nothing: a sentence; empty if it changes a head.
    QString whyNoSteps() const;
    void selectNextMistake();
    void copy() const;
    /// Lines as in a text (heads_line.h), from the first selected layer on; that of the cross-attention goes there.
    void paste();
    /// Why copy() and paste() would do nothing but say so: a sentence; empty if there is a selection.
    QString whyNoClipboard() const;
    /// One line per selected layer, groups with counts: "2 full + 2 local 9"; or that of the cross-attention.
    QString selectedText() const;

    SuggestionContext suggestionContext(const QModelIndex& index) const;
    /// What is typed in this cell goes to these heads: those selected, if it is one of them, or the cell's own.
    std::vector<CellEdit> editedHeads(const QModelIndex& index) const;
    std::pair<int, int> editedLayers(const QModelIndex& index) const; ///< the first and the last, from 1
    /// "Enter sets heads 2 to 4 of layer 9. Suggested: 15."; of a reuse, and in a reusing layer, all heads.
    QString editSentence(const QModelIndex& index, bool reuse) const;
    QRect headsRect(int layer) const;             ///< all its chips' cells, viewport pixels
    QStringList shownMistakes() const; ///< what is wrong, as it is written below the rows now

Q_SIGNALS:
    /// `goesOn`: the key is repeated or held, so the edit joins the previous undo step.
    void edited(const std::vector<headroom::widgets::CellEdit>& edits, bool goesOn);
    void crossRequested(); ///< Enter or a double-click on the decoder's row, whose heads are edited elsewhere
    void headsSelected(); ///< selection or current layer changed
    void pastedInPart(const QString& sentence); ///< what did not fit and was left out

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index, const QEvent* event) const override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    bool canUseClipboard() const; ///< says why not
    QModelIndex nearestSelectable(const QModelIndex& index) const;
    /// What reuseAbove() writes: each selected run with the layer whose maps it would reuse, 0 if there is none.
    std::vector<std::pair<CellEdit, int>> reusedBySelected() const;
    std::vector<std::pair<CellEdit, HeadGroup>> selectedWindows() const; ///< head by head: those that stepWindows() changes
    void applyMetrics();
    void fitTexts();
    void applySpans();
    void enter(int layer, int head, const QString& text);
    /// A sentence below a row, with its sign.
    struct PlacedMistake {
        QRect place;
        QString shown; ///< its text as far as it has room
    };
    std::vector<PlacedMistake> placed(const std::vector<const HeadMistake*>& ofRow, bool& isWhole) const;
    std::vector<PlacedMistake> placedMistakes() const;
    void paintReuse(QPainter& painter) const;
    void paintSentences(QPainter& painter) const;

    LayerEditorModel* m_grid;
    QString m_emptySentence;
    int m_lastWindow = kUsualWindow;
    int m_draggedFrom = 0; ///< the layer whose number the mouse was pressed on; 0: none
};

} // namespace headroom::widgets
