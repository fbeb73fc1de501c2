// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_grid.h"

#include <QAbstractTableModel>
#include <QImage>

#include <optional>
#include <vector>

namespace headroom::widgets {

/// What is shown beside a layer's heads, provided by the owner; unknown is "–".
struct LayerFacts {
    QImage map;                         ///< its contributions as a small map; null: an outline
    int window = 0;                     ///< drawn on the map, in tokens; 0: none
    bool masked = false;                ///< all heads are masked: the map's line to the right of the diagonal is the mask's
    std::int64_t tokens = 0;            ///< tokens along a side of the map
    std::optional<double> loss;         ///< CL of the current heads
    std::optional<int> suggestedWindow; ///< of Algorithm 1
    std::optional<double> macs,
        attention; ///< share of the same layer in the baseline, and of that its attention, 0 … 1
};

/// The layers × heads of one architecture as a table: front end, one row per layer, decoder. Changes nothing
/// itself: an entered text is emitted as a signal, and the owner responds with setGrid(). Window's thread.
class LayerEditorModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { LayerColumn, MapColumn, FirstHead };
    static constexpr int kFrontEndRow = 0, kFirstLayerRow = 1;

    explicit LayerEditorModel(QObject* parent = nullptr);

    void setGrid(const HeadGrid& grid);
    void setFacts(std::vector<LayerFacts> facts);
    /// Which utterances CL is over, as a sentence for the tool tips of the column; empty: it is not known.
    void setLossSource(const QString& of) { m_lossSource = of; }
    /// One line each. `hasCross`: the decoder's row can be selected, for its cross-attention.
    void setFrame(const QString& frontEnd, const QString& decoder, bool hasCross = false);
    /// `millisecondsPerToken`: 0 for tokens of a text. `macsHead`: the length for which MACs are counted, for the column's tool tip.
    void setClock(double millisecondsPerToken, const QString& macsHead);

    void setMapShown(bool shown); ///< whether there is room for small maps

    const HeadGrid& grid() const { return m_grid; }
    const LayerFacts& facts(int layer) const; ///< from 1
    double millisecondsPerToken() const { return m_millisecondsPerToken; }
    int mostHeads() const { return m_mostHeads; }
    int reachColumn() const { return FirstHead + m_mostHeads; }
    int lossColumn() const { return reachColumn() + 1; }
    int macsColumn() const { return reachColumn() + 2; }
    int decoderRow() const { return kFirstLayerRow + m_grid.layerCount(); }
    bool isCrossRow(int row) const { return m_hasCross && m_grid.layerCount() > 0 && row == decoderRow(); }
    bool isLayerRow(int row) const { return row >= kFirstLayerRow && row < decoderRow(); }
    static int layerOf(int row) { return row - kFirstLayerRow + 1; }
    static int rowOf(int layer) { return layer - 1 + kFirstLayerRow; }
    static int headOf(int column) { return column - FirstHead + 1; }
    static int columnOf(int head) { return head - 1 + FirstHead; }
    /// Returns whether there is a head: neither the blank end of a shorter row nor outside.
    bool isHead(const QModelIndex& index) const;
    const HeadCell* cell(const QModelIndex& index) const; ///< null if there is no head
    /// Null if valid.
    const HeadMistake* mistakeAt(const QModelIndex& index) const;
    bool reuses(int layer) const; ///< one chip for the whole layer
    QString reachText(int layer) const;
    QString lossToolTip() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

Q_SIGNALS:
    void textEntered(int layer, int head, const QString& text);

private:
    HeadGrid m_grid;
    std::vector<LayerFacts> m_facts;
    QString m_frontEnd, m_decoder, m_macsHead, m_lossSource;
    double m_millisecondsPerToken = 40;
    int m_mostHeads = 0;
    bool m_mapShown = true, m_hasCross = false;
};

} // namespace headroom::widgets
