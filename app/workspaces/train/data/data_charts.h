// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus_summary.h"

#include <QWidget>

class QComboBox;
class QToolButton;

namespace headroom::widgets {
class LimitedHistogram;
class SpreadPlot;
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

class PanelHeader;

/// One split of a corpus in plots: splits, lengths with the limits of a recipe, speakers, rate of words,
/// vocabulary. The limits are a copy of the recipe's that can be changed. Window's thread.
class DataCharts : public QWidget {
    Q_OBJECT

public:
    /// Of a recipe that limits something else than frames.
    static constexpr LengthLimits kNoLimits{0, 1'000'000'000'000};

    explicit DataCharts(QWidget* parent = nullptr);

    /// Borrowed until the next call.
    void setSummary(const CorpusSummary* summary);
    /// The split that is shown: the same as before if the corpus has it, else the first.
    const SplitFacts* split() const;
    void chooseSplit(const std::string& name);
    /// Names of recipes, the limits of the chosen one, and those of the form, which may have changed them. Other limits of training
    /// than before replace what was changed here.
    void setRecipes(const QStringList& names, int current, const SplitLimits& recipe, const SplitLimits& form);
    const LengthLimits& limits() const { return m_limits; } ///< of training
    /// Of the split that is shown. One that is only validated on has the same least.
    LengthLimits shownLimits() const;
    bool isChanged() const { return m_limits != m_recipe.training; }
    bool areShownChanged() const; ///< whether the recipe has other limits for the split that is shown
    void takeBack();

    widgets::StudyTableView* splits() const { return m_splits; }
    widgets::LimitedHistogram* lengths() const { return m_lengths; }
    /// The grey words of the panels: "speakers", "rate", "vocabulary", "length", "splits".
    QString detail(const QString& panel) const;

Q_SIGNALS:
    void changed(); ///< split or limits
    void recipeChosen(int index);

private:
    QWidget* panel(const char* name, const QString& title, QWidget* content);
    void setLimits(const LengthLimits& limits);
    void showSplit();
    void drawLimits();
    void showLimits();
    void showVocabulary(const SplitFacts& shown);

    const CorpusSummary* m_summary = nullptr;
    std::string m_split;
    LengthLimits m_limits;
    SplitLimits m_recipe, m_form;
    widgets::StudyTableView* m_splits;
    widgets::LimitedHistogram* m_lengths;
    widgets::SpreadPlot *m_speakers, *m_rates, *m_vocabulary;
    QComboBox* m_recipes;
    QToolButton* m_takeBack;
    std::map<QString, PanelHeader*> m_headers;
};

} // namespace headroom::app
