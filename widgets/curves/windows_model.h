// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/windows.h"
#include "core/matrix/diagonal_profile.h"

#include <QAbstractTableModel>

#include <optional>
#include <span>
#include <vector>

namespace headroom::widgets {

/// The row of one layer: the result of Algorithm 1, and the CL of that window in the open utterance.
struct WindowsRow {
    DiagonalProfile profile; ///< of the open utterance
    std::optional<double> mean,
        deviation;     ///< of Algorithm 1's statistic (2·i_last); deviation only of several
    int suggested = 0;       ///< window that Algorithm 1 finds; 0: not known
    bool takesWindow = true; ///< false: no head is full or centred-local, so no window is suggested
    int window = 0;          ///< in the draft; 0: none, the suggestion counts
    std::optional<double> lossMean,
        lossDeviation; ///< CL of the suggested window over the utterances, where several
    QString inDesign;  ///< the draft's text: "full", "local 17"; empty: no draft
    int shown() const { return window > 0 ? window : takesWindow ? suggested : 0; }
    double suggestedLoss() const; ///< over the utterances if several are open; NaN if unknown
    /// The rule for suggested windows: the window that Algorithm 1 finds over the utterances; 0 (full) if its
    /// mean CL is above `fullAbove`; nullopt if it is unknown or no head takes a window. Every view and action
    /// that suggests a window asks this.
    std::optional<int> suggestion(double fullAbove = kFullAboveLoss) const;
};

/// Builds a row from the layer's profiles of all open utterances; `here` is the index of the current one. The
/// deviation is that of the sample (n − 1). Alastruey et al. 2022, Algorithm 1 and §4.1.
WindowsRow windowsRow(std::span<const DiagonalProfile> utterances, std::size_t here,
                      const WindowSearchSettings& settings = {});

/// The table of windows by layer. Display strings use Headroom's number format; Qt::UserRole has the raw
/// number (for sorting and copying); NaN or unknown is "–". Window's thread only.
class WindowsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Layer, Mean, Deviation, Window, Loss, LossOverAll, LossBar, Ccd, InDesign, ColumnCount };
    static constexpr int kRawRole = Qt::UserRole;
    static QString fullText() { return tr("full"); } ///< column w of a layer that stays full

    explicit WindowsModel(QObject* parent = nullptr);

    void setRows(std::vector<WindowsRow> rows, int utterances);
    /// While a window is dragged: sets its number and CL, from the profile of the row.
    void setWindow(int layer, int window);
    void setInDesign(int layer, const QString& text);
    /// CL above which a layer without a window stays full; column w says "full" there.
    void setFullAbove(double loss);
    double fullAbove() const { return m_fullAbove; }
    const std::vector<WindowsRow>& rows() const { return m_rows; }
    double loss(int layer) const; ///< CL of the shown window; NaN if unknown

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    double raw(const QModelIndex& index) const;

    std::vector<WindowsRow> m_rows;
    int m_utterances = 0;
    double m_fullAbove = kFullAboveLoss;
};

} // namespace headroom::widgets
