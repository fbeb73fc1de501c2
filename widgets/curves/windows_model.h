// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/windows.h"
#include "core/matrix/diagonal_profile.h"

#include <QAbstractTableModel>

#include <optional>
#include <span>
#include <vector>

namespace headroom::widgets {

/// One layer: the result of Algorithm 1, the window drawn in the draft, and the CL of both.
struct WindowsRow {
    DiagonalProfile profile;           ///< of the current utterance; empty: not known
    std::optional<double> mean;        ///< of Algorithm 1's statistic (2·i_last) over the utterances
    std::optional<double> deviation;   ///< of the same; only of several
    int suggested = 0;                 ///< window that Algorithm 1 finds, at most `own`; 0: not known
    int found = 0;                     ///< what Algorithm 1 finds where that is wider than `own`; otherwise 0
    int own = 0; ///< window that all heads of the layer already have in the model; 0: some see further
    std::optional<double> lossMean;    ///< CL of `suggested`, mean over the utterances
    std::optional<double> lossDeviation; ///< of the same; only of several
    bool takesWindow = true; ///< false: no head is full or centred-local, so no window is suggested
    int window = 0;          ///< drawn in the draft; 0: full
    bool sharesWindow = true; ///< false: the heads differ, so `window` has no CL
    bool masked = false;      ///< the draft's heads see nothing later, which every CL of the row counts: setMasked()
    /// The utterances behind `mean`, to read the CL of a drawn window from; empty: those of a study.
    std::vector<DiagonalProfile> utterances;
    std::vector<double> losses; ///< CL of w = 1, 3, 5 … over the utterances of a study, where there are no `utterances`
    QString inDesign; ///< the draft's text: "full", "local 17"; empty: no draft
    /// No window wider than `limit` is suggested: the layer attends to nothing outside it.
    void limitTo(int limit);
    /// The draft's heads are masked, but what was measured is not: CL counts all later tokens too.
    void setMasked();
    /// Mean CL of `suggested`; over `utterances`, or of the current utterance if there is no mean; NaN if unknown.
    double suggestedLoss() const;
    /// Mean CL of any window over `utterances`, or those of a study; 0 for full (0), NaN if unknown.
    double lossOf(int w) const;
    /// Mean CL of the window that is drawn; NaN where the heads share none or it is unknown.
    double drawnLoss() const;
    /// CL of a window in one utterance.
    double lossIn(const DiagonalProfile& one, int w) const;
    QString nameOf(int w) const; ///< "21", "full", "masked"
    /// The rule for suggested windows: the window that Algorithm 1 finds over the utterances; 0 (full) if its
    /// mean CL is above `fullAbove`; nullopt if it is unknown or no head takes a window. Every view and action
    /// that suggests a window asks this.
    std::optional<int> suggestion(double fullAbove = kFullAboveLoss) const;
};

/// Builds a row from the layer's profiles of the utterances that speak for the windows; empty profiles are
/// left out. The deviation is the population's. Alastruey et al. 2022, Algorithm 1 and §4.1.
WindowsRow windowsRow(std::span<const DiagonalProfile> utterances, const WindowSearchSettings& settings = {});

/// The table of windows by layer. Display strings use Headroom's number format; Qt::UserRole has the raw
/// number (for sorting and copying); NaN or unknown is "–". Window's thread only.
class WindowsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// Suggested window and its CL, the bar of that CL, then the window that is drawn with its CL over the
    /// utterances and in the current one.
    enum Column {
        Layer,
        Mean,
        Deviation,
        Suggested,
        SuggestedLoss,
        LossBar,
        Drawn,
        DrawnLoss,
        LossHere,
        Ccd,
        InDesign,
        ColumnCount
    };
    static constexpr int kRawRole = Qt::UserRole;
    static QString fullText() { return tr("full"); }

    explicit WindowsModel(QObject* parent = nullptr);

    /// `utterances`: how many the means are over. `of`: which, as a sentence for the tooltips.
    /// `selections`: ", 1 of them a selection", which follows the number of utterances; empty: all are whole.
    void setRows(std::vector<WindowsRow> rows, int utterances, const QString& of = {}, const QString& selections = {});
    // Layers from 0, which are rows.
    /// While a window is dragged: sets its number and CL, from the profiles of the row.
    void setWindow(int layer, int window, bool sharesWindow = true);
    void setInDesign(int layer, const QString& text);
    /// CL above which full is suggested; the column says "full" there.
    void setFullAbove(double loss);
    double fullAbove() const { return m_fullAbove; }
    /// Shorter heads, and "full (13)" instead of "0.375 at 13", where there is little room. What is copied stays the same.
    void setBrief(bool brief);
    QString cellText(int row, int column, bool brief) const;
    QString headText(int column, bool brief) const;
    const std::vector<WindowsRow>& rows() const { return m_rows; }
    double lossHere(int layer) const; ///< CL of the drawn window in the current utterance; NaN if unknown

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    double raw(const QModelIndex& index) const;
    QString toolTip(const QModelIndex& index) const;
    QString suggestionText(const WindowsRow& row) const;
    QString headToolTip(int section) const;

    std::vector<WindowsRow> m_rows;
    int m_utterances = 0;
    QString m_of, m_selections;
    double m_fullAbove = kFullAboveLoss;
    bool m_brief = false;
};

} // namespace headroom::widgets
