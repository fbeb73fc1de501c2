// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/exported_view.h"
#include "widgets/curves/curve_key.h"
#include "widgets/run_monitor/metric_plot.h"

#include <QWidget>

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QToolButton;

namespace headroom::app {

class PanelHeader;

/// The middle of Train: how training went, several runs beside each other. One pointer and one span for all
/// plots. Window's thread.
class CurvesPanel : public QWidget {
    Q_OBJECT

public:
    explicit CurvesPanel(QWidget* parent = nullptr);

    struct Compared {
        widgets::ComparedRuns curves;
        QString task;   ///< "asr"; the key names it where there are several
        QString detail; ///< "2 of 3 seeds, 1 running", "1 seed, running"
        QString detailOfRuns = {}; ///< the same where every run is a line; empty: as `detail`
        QString decoded = {}; ///< of which utterances of dev its WER and BLEU are: "the first 40 of 63 utterances"; empty: of all
        bool operator==(const Compared&) const = default;
    };
    void setRuns(std::vector<Compared> runs);
    const widgets::CurveReading& reading() const { return m_reading; }
    /// Whether there is a run that could be ticked.
    void setHasRuns(bool hasRuns);
    void setReading(const widgets::CurveReading& reading);
    const std::vector<widgets::MetricPlot*>& plots() const { return m_plots; }
    /// "validation.wer" …: what the last plot shows.
    void setScore(const QString& key);
    QString score() const;
    /// What the user chose of these, for the next start; empty: nothing yet, and the panel chooses.
    QString chosenScore() const { return m_scoreChosen ? score() : QString(); }
    void restoreChosenScore(const QString& key); ///< an unknown one changes nothing

    /// Gets a button in the header, and an item in the menus of the plots; can be used while curves are shown.
    void setExportAction(QAction* action);
    /// The plots as they are shown, with the key of all of them below, and every measured point.
    ExportedView exported();

Q_SIGNALS:
    void readingChanged();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeHeader();
    void showKey();
    void placeKey();
    void apply();
    void chooseScore();
    QString figureCaption() const;
    QString whyNothingToExport() const;

    widgets::CurveKey *m_key = nullptr, *m_keyBelow = nullptr; ///< in the header, and in rows below it
    std::vector<widgets::KeyEntry> m_entries;
    QAction *m_fit = nullptr, *m_export = nullptr;
    PanelHeader* m_header = nullptr;
    QCheckBox *m_mean = nullptr, *m_log = nullptr;
    QDoubleSpinBox* m_smoothing = nullptr;
    QComboBox *m_axis = nullptr, *m_score = nullptr;
    std::vector<widgets::MetricPlot*> m_plots;
    std::vector<Compared> m_runs;
    widgets::CurveReading m_reading;
    bool m_scoreChosen = false;
};

} // namespace headroom::app
