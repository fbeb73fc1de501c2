// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/architecture/head_grid.h"
#include "core/architecture/usual_length.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QSpinBox;

namespace headroom::widgets {
class CostPlot;
}

namespace headroom::app {

class CostBars;
class CostNumber;
class CostParts;
class LatencyMeasurements;
class LatencyView;
struct CostReport;

/// What the architecture costs, against a baseline: parameters exactly, MACs, kept maps and memory of a
/// training step of the encoder at a length and along it, what they are made of, and its latency as far as it was
/// measured. It also names the first mistake, with a link to it. Window's thread.
class CostPanel : public QWidget {
    Q_OBJECT

public:
    /// `measurements`: borrowed; null: latency cannot be measured.
    explicit CostPanel(LatencyMeasurements* measurements = nullptr, QWidget* parent = nullptr);
    ~CostPanel() override;

    struct Content {
        Architecture architecture, baseline;
        QString name, baselineName;
        std::vector<HeadMistake> mistakes;
        std::int64_t utteranceTokens = 0; ///< of the opened utterance; 0: none
        std::int64_t longestTokens = 0;   ///< that the model takes; 0: not known
        double millisecondsPerToken = 40;
    };
    void showContent(const Content& content);
    void showNothing();
    /// The length at which is counted: the one that was chosen, or the only one of an architecture with a fixed window.
    std::int64_t tokens() const;
    /// What was chosen for speech and for text, also while the architecture has only one length or reads the other.
    struct Lengths {
        int speech = 1000, text = kUsualTextTokens; ///< tokens
    };
    Lengths chosenLengths() const { return m_chosen; }
    void setChosenLengths(const Lengths& lengths);
    QSpinBox* lengthField() const { return m_length; }
    LatencyView* latency() const { return m_latency; }
    /// What stands there, in full precision, for tests and for copying: "Parameters\t31072256" …
    QString asText() const { return m_text; }

Q_SIGNALS:
    void lengthChanged();
    void nextMistakeRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showLength();
    void setTitles(const QString& macsUnit, const QString& mapsUnit);
    int& chosenLength() { return readsText(m_content.architecture) ? m_chosen.text : m_chosen.speech; }
    void showParts(const CostReport& report, QStringList& full);
    void showMistakes();
    Content m_content;
    bool m_any = false;
    Lengths m_chosen;
    bool m_isFixed = false; ///< the field shows the only length there is
    QSpinBox* m_length;
    QLabel* m_lengthNote;
    CostNumber *m_parameters, *m_macs, *m_maps, *m_memory;
    widgets::CostPlot *m_macsPlot, *m_mapsPlot;
    LatencyView* m_latency;
    CostBars* m_bars;
    CostParts* m_parts;
    QLabel* m_sentence;
    QWidget* m_mistakes;
    QLabel *m_mark, *m_mistakesText;
    QString m_text;
};

} // namespace headroom::app
