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
#include <QHBoxLayout>
#include <QLabel>
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
    , m_origin(new QLabel(this))
    , m_scale(new QComboBox(this))
    , m_main(makeLanes())
    , m_twin(makeLanes()) {
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
    auto* columns = new QHBoxLayout;
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_main.column, 1);
    columns->addWidget(m_twin.column, 1);
    layout->addLayout(columns, 1);
    m_origin->setProperty("secondary", true);
    m_origin->setContentsMargins(Metrics::gutter(), 0, qRound(Metrics::unit()),
                                 qRound(Metrics::unit()));
    m_origin->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_origin->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    layout->addWidget(m_origin);
    m_twin.column->hide();
    connect(m_scale, &QComboBox::currentIndexChanged, this, [this] {
        m_spectrumShown = nullptr;
        if (m_utterance.id != UtteranceId::None)
            showSpectrum(m_utterance);
    });
    setUtterance(nullptr);
}

TimeColumn::Lanes TimeColumn::makeLanes() {
    Lanes lanes;
    lanes.column = new QWidget(this);
    lanes.ruler = new widgets::Ruler(lanes.column);
    lanes.waveform = new widgets::WaveformLane(lanes.column);
    lanes.spectrogram = new widgets::SpectrogramLane(lanes.column);
    lanes.words = new widgets::TierLane(widgets::TierLane::Kind::Words, lanes.column);
    lanes.phones = new widgets::TierLane(widgets::TierLane::Kind::Phones, lanes.column);
    auto* layout = new QVBoxLayout(lanes.column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(lanes.ruler);
    layout->addWidget(lanes.waveform, 7);
    layout->addWidget(lanes.spectrogram, 11);
    layout->addWidget(lanes.words);
    layout->addWidget(lanes.phones);
    for (widgets::TimeLane* lane : lanes.all())
        lane->setAxis(m_axis);
    return lanes;
}

QList<widgets::TimeLane*> TimeColumn::Lanes::all() const {
    return {ruler, waveform, spectrogram, words, phones};
}

void TimeColumn::setTwinVisible(bool visible) {
    m_twin.column->setVisible(visible);
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
    for (const Lanes& lanes : {m_main, m_twin}) {
        lanes.waveform->setSound(nullptr);
        lanes.spectrogram->setSpectrum(nullptr);
        lanes.words->setIntervals({});
        lanes.phones->setIntervals({});
    }
}

void TimeColumn::showHeader() {
    const Alignment* alignment = m_utterance.alignment.get();
    m_origin->setText(alignment ? QString::fromStdString(alignment->origin) : QString());
    m_origin->setVisible(!m_origin->text().isEmpty());
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
        [this, recording](const std::shared_ptr<const widgets::PeakPyramid>& peaks) {
            --m_pending;
            if (m_soundShown == recording.get())
                for (const Lanes& lanes : {m_main, m_twin})
                    lanes.waveform->setSound(peaks, kModelSampleRate, originNote(*recording));
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
        for (const Lanes& lanes : {m_main, m_twin})
            lanes.spectrogram->setSpectrum(nullptr,
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
        [this, values](const std::shared_ptr<const widgets::Spectrum>& spectrum) {
            --m_pending;
            if (m_spectrumShown == values.get())
                for (const Lanes& lanes : {m_main, m_twin})
                    lanes.spectrogram->setSpectrum(spectrum);
            Q_EMIT pendingChanged();
        });
}

void TimeColumn::showTiers(const Utterance& utterance) {
    const QString missing =
        utterance.alignmentFile.empty() ? tr("No TextGrid beside %1: Align… in its menu makes one").arg(utterance.name)
        : utterance.alignment           ? tr("The alignment has no tier for this")
                              : tr("%1 could not be read").arg(toQString(utterance.alignmentFile.filename()));
    const auto words = utterance.alignment ? utterance.alignment->words : std::vector<Interval>{};
    const auto phones = utterance.alignment ? utterance.alignment->phones : std::vector<Interval>{};
    for (const Lanes& lanes : {m_main, m_twin}) {
        lanes.words->setIntervals(words, missing);
        lanes.phones->setIntervals(phones, missing);
    }
    m_axis->setSnapBounds(utterance.alignment ? widgets::snapBounds(*utterance.alignment)
                                              : std::vector<Seconds>{});
}

} // namespace headroom::app
