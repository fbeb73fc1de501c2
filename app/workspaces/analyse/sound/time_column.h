// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_utterance.h"
#include "widgets/spectrogram/spectrum.h"
#include "widgets/time_axis/time_axis.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace headroom::widgets {
class Ruler;
class SpectrogramLane;
class TierLane;
class TimeLane;
class WaveformLane;
class PeakPyramid;
} // namespace headroom::widgets

namespace headroom::app {

class Actions;
class PanelHeader;
class TextFields;

/// The sound of the current utterance on the shared time axis: header, ruler, waveform, spectrogram, words,
/// phones. Of a text: two lines to type in, ruler and tokens. What a lane draws from (peaks, spectrum) is prepared on the global thread pool; the lane shows its
/// empty state until then.
class TimeColumn : public QWidget {
    Q_OBJECT

public:
    TimeColumn(widgets::TimeAxis* axis, const Actions& actions, QWidget* parent = nullptr);

    /// Null: nothing is open. The same utterance again takes over what has become ready since.
    void setUtterance(const OpenUtterance* utterance);
    /// Of a text: its tokens under the current model, on the axis.
    void setTokens(std::vector<Interval> tokens);
    TextFields* textFields() const { return m_text; }
    /// `imported`: where the tokens are from, if not from a model that analyses the recording or its selection.
    void setCounts(std::optional<std::int64_t> tokens, std::optional<std::int64_t> frames,
                   const std::optional<AnalysisResult::Imported>& imported = std::nullopt);
    widgets::FrequencyScale frequencyScale() const;
    void setFrequencyScale(widgets::FrequencyScale scale);
    bool isPending() const { return m_pending > 0; }

    widgets::Ruler* ruler() const { return m_main.ruler; }
    widgets::WaveformLane* waveform() const { return m_main.waveform; }
    widgets::SpectrogramLane* spectrogram() const { return m_main.spectrogram; }
    widgets::TierLane* words() const { return m_main.words; }
    widgets::TierLane* phones() const { return m_main.phones; }
    PanelHeader* header() const { return m_header; }
    QLabel* originLabel() const { return m_origin; }
    /// From top to bottom.
    QList<widgets::TimeLane*> lanes() const { return m_main.shown(); }
    /// The same lanes once more beside these, so that a second map under them has its time column too.
    void setTwinVisible(bool visible);
    /// Whose sound the twin shows, and on which axis; null: that of the current utterance, on its axis. `tokens`: of a text.
    void setTwinUtterance(const OpenUtterance* utterance, widgets::TimeAxis* axis, std::vector<Interval> tokens = {});
    QList<widgets::TimeLane*> twinLanes() const { return m_twin.shown(); }

Q_SIGNALS:
    void linearWanted(headroom::app::UtteranceId id);
    void pendingChanged();
    void alignRequested(headroom::app::UtteranceId id);
    void textEdited(headroom::app::UtteranceId id, const QString& source, const QString& target);

private:
    struct Lanes {
        QWidget* column = nullptr;
        widgets::Ruler* ruler = nullptr;
        widgets::WaveformLane* waveform = nullptr;
        widgets::SpectrogramLane* spectrogram = nullptr;
        widgets::TierLane *words = nullptr, *phones = nullptr;
        QPushButton* align = nullptr; ///< on the words, where there is no alignment
        QList<widgets::TimeLane*> all() const;
        QList<widgets::TimeLane*> shown() const; ///< those that the utterance has
        void showLanesOf(const OpenUtterance& utterance);
        std::vector<Interval> tokens; ///< of a text
        OpenUtterance utterance;                                        ///< a copy shares everything large
        const void *soundShown = nullptr, *spectrumShown = nullptr; ///< what the lanes are made from
        std::shared_ptr<const widgets::PeakPyramid> peaks;          ///< null until they are
        std::shared_ptr<const widgets::Spectrum> spectrum;
    };
    Lanes makeLanes();
    void showUtterance(Lanes& lanes, const OpenUtterance& utterance);
    void showSound(Lanes& lanes);
    void showSpectrum(Lanes& lanes);
    void showTiers(Lanes& lanes);
    void showHeader();
    static void clear(Lanes& lanes);
    const Lanes& otherThan(const Lanes& lanes) const { return &lanes == &m_main ? m_twin : m_main; }

    widgets::TimeAxis* m_axis; ///< borrowed
    bool m_twinIsOther = false;
    std::optional<std::int64_t> m_tokens, m_frames;
    std::optional<AnalysisResult::Imported> m_imported;
    int m_pending = 0;
    PanelHeader* m_header;
    QLabel* m_origin; ///< who made the alignment and how good it is, under the tiers
    QComboBox* m_scale;
    TextFields* m_text;
    Lanes m_main, m_twin;
};

} // namespace headroom::app
