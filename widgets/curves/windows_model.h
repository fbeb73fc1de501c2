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
    int suggested = 0; ///< 0: unknown
    int window = 0;    ///< set by the user; 0: not set, the suggestion counts
    std::optional<double> lossMean,
        lossDeviation; ///< CL of the suggested window over the utterances, where several
    QString inDesign;  ///< the draft's text: "full", "local 17"; empty: no draft
    int shown() const { return window > 0 ? window : suggested; }
    double suggestedLoss() const; ///< over the utterances if several are open; NaN if unknown
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

    explicit WindowsModel(QObject* parent = nullptr);

    void setRows(std::vector<WindowsRow> rows, int utterances);
    /// While a window is dragged: sets its number and CL, from the profile of the row.
    void setWindow(int layer, int window);
    void setInDesign(int layer, const QString& text);
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
};

} // namespace headroom::widgets
