// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_evidence.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace headroom::widgets {
class CcdPlot;
class CurveKey;
class HistogramPlot;
class SpreadPlot;
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

class Actions;

/// The Windows tab from a study: D(w) ± std of the layer, the histogram of Algorithm 1's number (or CCD by
/// layer of every model), and the study's table. A click on a row chooses the layer; on a number of it, asks
/// for the places behind it. Window's thread.
class StudyWindows : public QWidget {
    Q_OBJECT

public:
    explicit StudyWindows(StudyEvidence* evidence, QWidget* parent = nullptr);

    void showStudy(const OpenStudyPtr& study, int model);
    void setLayer(int layer); ///< from 1
    int layer() const { return m_layer; }
    QVBoxLayout* views() const { return m_views; } ///< the plots and, last, the table
    QString figureCaption() const; ///< which study and models, and how the numbers of its table were found

    widgets::StudyTableView* table() const { return m_table; }
    widgets::SpreadPlot* curves() const { return m_curves; }
    widgets::HistogramPlot* histogram() const { return m_histogram; }
    widgets::CcdPlot* ccd() const { return m_ccd; }

Q_SIGNALS:
    void layerChosen(int layer); ///< from 1

private:
    void showCaption();
    QString curvesText() const;
    void showCurves();
    void showHistogram();
    void showCcd();
    void showKey();
    void rowChosen(int row);
    void askForPlaces(int row);
    std::optional<PlacesQuery> placesOf(int row) const; ///< nullopt: the table has none
    int layerOf(int row) const;
    int rowOf(int layer) const;
    QString modelName(int model) const;

    StudyEvidence* m_evidence;
    OpenStudyPtr m_study;
    std::vector<int> m_colours; ///< of the study's models
    int m_model = 1, m_layer = 1;
    OpenStudy::Numbers m_statistic, m_mean, m_deviation, m_grid;
    std::vector<double> m_windows; ///< w of each layer
    widgets::SpreadPlot* m_curves;
    widgets::HistogramPlot* m_histogram;
    widgets::CcdPlot* m_ccd;
    QVBoxLayout* m_views; ///< the plots and the table
    QStackedWidget* m_right;
    widgets::CurveKey* m_key; ///< of both plots
    widgets::StudyTableView* m_table;
    QLabel* m_caption;
};

} // namespace headroom::app
