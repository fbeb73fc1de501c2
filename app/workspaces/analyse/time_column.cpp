// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/time_column.h"

#include "app/documents/paths.h"
#include "app/window/actions.h"
#include "app/window/panel_header.h"
#include "app/workspaces/analyse/number_text.h"
#include "widgets/look/metrics.h"
#include "widgets/spectrogram/spectrogram_lane.h"
#include "widgets/tiers/tier_lane.h"
#include "widgets/time_axis/ruler.h"
#include "widgets/time_axis/snapping.h"
#include "widgets/waveform/waveform_lane.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::FrequencyScale;
using widgets::Metrics;

namespace {

/// Runs `work` on the pool and `done(result)` here, unless `owner` is gone by then.
template <class Work, class Done>
void inBackground(QObject* owner, Work work, Done done) {
    QPointer<QObject> guard(owner);
    QThreadPool::globalInstance()->start([guard, work = std::move(work), done = std::move(done)]() mutable {
        auto result = work();
        // The application object outlives the pool's threads; the owner may not.
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, result = std::move(result), done = std::move(done)]() mutable {
                if (guard)
                    done(std::move(result));
            },
            Qt::QueuedConnection);
    });
}

QString originNote(const Recording& recording) {
    const int hertz = recording.originalRate.hertz();
    const QString rate =
        hertz % 1000 == 0 ? QString::number(hertz / 1000) : QString::number(hertz / 1000.0, 'f', 2);
    const QString channels = recording.originalChannels == 1 ? TimeColumn::tr("mono")
                             : recording.originalChannels == 2
                                 ? TimeColumn::tr("stereo")
                                 : TimeColumn::tr("%1 ch").arg(recording.originalChannels);
    return rate + QChar(0x202F) + QStringLiteral("kHz\n") + channels;
}

} // namespace

TimeColumn::TimeColumn(widgets::TimeAxis* axis, const Actions& actions, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_header(new PanelHeader(QString(), this))
    , m_scale(new QComboBox(this))
    , m_ruler(new widgets::Ruler(this))
    , m_waveform(new widgets::WaveformLane(this))
    , m_spectrogram(new widgets::SpectrogramLane(this))
    , m_words(new widgets::TierLane(widgets::TierLane::Kind::Words, this))
    , m_phones(new widgets::TierLane(widgets::TierLane::Kind::Phones, this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_scale->addItem(tr("Log-mel, 80 bins"));
    m_scale->addItem(tr("Linear, 0–8 kHz"));
    m_scale->setProperty("small", true);
    m_scale->setAccessibleName(tr("Spectrogram"));
    m_scale->setToolTip(
        tr("Log-mel: the filterbank that the model hears, before normalisation. Linear: magnitude of 25 ms "
           "windows every 10 ms."));
    m_header->addTrailing(m_scale);
    m_header->addButton(actions.zoomOut);
    m_header->addButton(actions.zoomIn);
    m_header->addButton(actions.fit);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_ruler);
    layout->addWidget(m_waveform, 7);
    layout->addWidget(m_spectrogram, 11);
    layout->addWidget(m_words);
    layout->addWidget(m_phones);
    for (widgets::TimeLane* lane : lanes())
        lane->setAxis(axis);
    connect(m_scale, &QComboBox::currentIndexChanged, this, [this] {
        m_spectrumShown = nullptr;
        if (m_utterance.id != UtteranceId::None)
            showSpectrum(m_utterance);
    });
    setUtterance(nullptr);
}

QList<widgets::TimeLane*> TimeColumn::lanes() const {
    return {m_ruler, m_waveform, m_spectrogram, m_words, m_phones};
}

FrequencyScale TimeColumn::frequencyScale() const {
    return m_scale->currentIndex() == 0 ? FrequencyScale::LogMel : FrequencyScale::Linear;
}

void TimeColumn::setFrequencyScale(FrequencyScale scale) {
    m_scale->setCurrentIndex(scale == FrequencyScale::LogMel ? 0 : 1);
}

void TimeColumn::setUtterance(const Utterance* utterance) {
    m_scale->setEnabled(utterance != nullptr);
    if (!utterance) {
        m_utterance = {};
        clearLanes();
        showHeader();
        return;
    }
    if (utterance->id != m_utterance.id)
        clearLanes();
    m_utterance = *utterance;
    showHeader();
    if (!m_utterance.recording)
        return;
    showSound(m_utterance);
    showSpectrum(m_utterance);
    showTiers(m_utterance);
}

void TimeColumn::setCounts(std::optional<std::int64_t> tokens, std::optional<std::int64_t> frames) {
    m_tokens = tokens;
    m_frames = frames;
    showHeader();
}

void TimeColumn::clearLanes() {
    m_soundShown = m_spectrumShown = nullptr;
    m_waveform->setSound(nullptr);
    m_spectrogram->setSpectrum(nullptr);
    m_words->setIntervals({});
    m_phones->setIntervals({});
}

void TimeColumn::showHeader() {
    m_header->setTitle(m_utterance.id == UtteranceId::None ? tr("No utterance") : m_utterance.name);
    QStringList parts;
    if (const QString text = m_utterance.transcript(); !text.isEmpty())
        parts << text;
    QStringList counts;
    if (m_tokens)
        counts << (*m_tokens == 1 ? tr("1 token") : tr("%1 tokens").arg(thousands(*m_tokens)));
    if (m_frames)
        counts << (*m_frames == 1 ? tr("1 frame") : tr("%1 frames").arg(thousands(*m_frames)));
    if (!counts.isEmpty())
        parts << counts.join(QStringLiteral(", "));
    m_header->setDetail(parts.join(QStringLiteral("   ")));
}

void TimeColumn::showSound(const Utterance& utterance) {
    if (m_soundShown == utterance.recording.get())
        return;
    m_soundShown = utterance.recording.get();
    const auto recording = utterance.recording;
    ++m_pending;
    inBackground(
        this,
        [recording] {
            return std::make_shared<const widgets::PeakPyramid>(
                std::shared_ptr<const std::vector<float>>(recording, &recording->samples));
        },
        [this, recording](std::shared_ptr<const widgets::PeakPyramid> peaks) {
            --m_pending;
            if (m_soundShown == recording.get())
                m_waveform->setSound(std::move(peaks), kModelSampleRate, originNote(*recording));
            Q_EMIT pendingChanged();
        });
}

void TimeColumn::showSpectrum(const Utterance& utterance) {
    const FrequencyScale scale = frequencyScale();
    const auto values = scale == FrequencyScale::LogMel ? utterance.logMel : utterance.linear;
    if (!values) {
        if (scale == FrequencyScale::Linear)
            Q_EMIT linearWanted(utterance.id);
        const bool tooShort = kModelSampleRate.duration(Samples(400)) > utterance.duration();
        m_spectrogram->setSpectrum(nullptr,
                                   tooShort && utterance.state == OpenState::Ready
                                       ? tr("Shorter than one 25 ms window: there is no spectrogram.")
                                       : QStringLiteral(" "));
        return;
    }
    if (m_spectrumShown == values.get())
        return;
    m_spectrumShown = values.get();
    ++m_pending;
    inBackground(
        this,
        [values, scale] { return std::make_shared<const widgets::Spectrum>(Matrix<float>(*values), scale); },
        [this, values](std::shared_ptr<const widgets::Spectrum> spectrum) {
            --m_pending;
            if (m_spectrumShown == values.get())
                m_spectrogram->setSpectrum(std::move(spectrum));
            Q_EMIT pendingChanged();
        });
}

void TimeColumn::showTiers(const Utterance& utterance) {
    const QString missing =
        utterance.alignmentFile.empty() ? tr("No TextGrid beside %1").arg(utterance.name)
        : utterance.alignment           ? tr("The TextGrid has no tier for this")
                              : tr("%1 could not be read").arg(toQString(utterance.alignmentFile.filename()));
    if (!utterance.alignment) {
        m_words->setIntervals({}, missing);
        m_phones->setIntervals({}, missing);
        m_axis->setSnapBounds({});
        return;
    }
    m_words->setIntervals(utterance.alignment->words, missing);
    m_phones->setIntervals(utterance.alignment->phones, missing);
    m_axis->setSnapBounds(widgets::snapBounds(*utterance.alignment));
}

} // namespace headroom::app
