// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/layer_editor/head_suggestions.h"
#include "widgets/layer_editor/layer_editor_model.h"

#include <QTableView>

namespace headroom::widgets {

/// One intention: this text into heads [firstHead, lastHead] of a layer, all from 1 (HeadGrid::write).
struct CellEdit {
    int layer = 1, firstHead = 1, lastHead = 1;
    QString text;
    bool operator==(const CellEdit&) const = default;
};

/// The layers × heads of an architecture, each head a chip. Click, drag over several, type "local 17", copy
/// and paste as text; [ and ] make windows narrower and wider by two tokens (Shift: ten), Delete makes heads
/// full, F8 goes to the next mistake. It changes nothing: what is meant goes out as edited(), and the owner
/// answers with setGrid().
///
/// A mistake is ringed, its sentence stands under the row, and a row with one moves up as a whole. Usable
/// alone: setGrid(HeadGrid(architecture.encoder.layers)) is enough. Window's thread.
class LayerEditor : public QTableView {
    Q_OBJECT

public:
    explicit LayerEditor(QWidget* parent = nullptr);

    LayerEditorModel* gridModel() const { return m_grid; }
    void setGrid(const HeadGrid& grid);
    void setFacts(std::vector<LayerFacts> facts) { m_grid->setFacts(std::move(facts)); }
    void setEmptySentence(const QString& sentence); ///< while there is nothing to edit

    int currentLayer() const; ///< from 1; 0: none
    /// Runs of selected heads, in reading order; texts empty. A reusing layer is all its heads.
    std::vector<CellEdit> selectedHeads() const;
    void selectHeads(int layer, int first, int last);
    /// "Layer 9, heads 2 to 4": what is selected; empty where nothing is.
    QString selectionText() const;

    /// Each asks for the selected heads.
    /// Each selected layer takes the maps of the nearest earlier one that has maps for as many heads; where
    /// none has, of the layer above, which is then a mistake that says so.
    void reuseAbove();
    void writeSelected(const QString& text);
    void stepWindows(int tokens); ///< of local heads only, even
    void selectNextMistake();
    void copy() const;
    void paste();
    /// One line per selected layer, groups with counts: "2 full + 2 local 9".
    QString selectedText() const;

    SuggestionContext suggestionContext(const QModelIndex& index) const;
    QString
    editSentence(const QModelIndex& index) const; ///< "Enter sets heads 2 to 4 of layer 9. Suggested: 15."
    QRect headsRect(int layer) const;             ///< all its chips' cells, viewport pixels

Q_SIGNALS:
    /// `goesOn`: a key that was pressed again, or is held: one undo step with the edit before.
    void edited(const std::vector<headroom::widgets::CellEdit>& edits, bool goesOn);
    void headsSelected(); ///< selection or current layer changed

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void applyMetrics();
    void applySpans();
    void enter(int layer, int head, const QString& text);
    void paintReuse(QPainter& painter) const;
    void paintSentences(QPainter& painter) const;

    LayerEditorModel* m_grid;
    QString m_emptySentence;
    int m_lastWindow = 17;
    int m_shapeLayers = -1, m_shapeHeads = -1;
};

} // namespace headroom::widgets
