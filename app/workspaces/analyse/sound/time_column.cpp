// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/sound/time_column.h"

#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/choice_focus.h"
#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "app/workspaces/analyse/sound/alignment_marks.h"
#include "app/workspaces/analyse/sound/text_fields.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/selectable_line.h"
#include "widgets/look/sizes.h"
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
#include <QPushButton>
#include <QThreadPool>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::FrequencyScale;
using widgets::Sizes;

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
    , m_origin(new widgets::SelectableLine(this))
    , m_scale(new QComboBox(this))
    , m_text(new TextFields(this))
    , m_main(makeLanes())
    , m_twin(makeLanes()) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_scale->addItem(tr("Log-mel, 80 bins"));
    m_scale->addItem(tr("Linear, 0–8 kHz"));
    m_scale->setProperty("small", true);
    m_scale->setAccessibleName(tr("Spectrogram"));
    m_scale->setToolTip(
        tr("Log-mel: the model's input filterbank, before normalisation. Linear: magnitude of 25 ms "
           "windows every 10 ms."));
    passFocusOn(m_scale, m_main.spectrogram);
    m_header->addTrailing(m_scale);
    m_header->addButton(actions.zoomOut);
    m_header->addButton(actions.zoomIn);
    m_header->addButton(actions.fit);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_text);
    m_text->hide();
    connect(m_text, &TextFields::edited, this, [this](const QString& source, const QString& target) {
        if (m_main.utterance.isText)
            Q_EMIT textEdited(m_main.utterance.id, source, target);
    });
    auto* columns = new QHBoxLayout;
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_main.column, 1);
    columns->addWidget(m_twin.column, 1);
    layout->addLayout(columns, 1);
    m_origin->setProperty("secondary", true);
    m_origin->setContentsMargins(Sizes::gutter(), 0, qRound(Sizes::unit()), qRound(Sizes::unit()));
    layout->addWidget(m_origin);
    m_twin.column->hide();
    for (widgets::TimeLane* lane : m_main.all() + m_twin.all())
        widgets::setContextMenu(lane, {actions.play, actions.loop, nullptr, actions.fitSelection, actions.fit, nullptr,
                              actions.analyseSelection, actions.analyseWhole, nullptr, actions.exportFigure});
    connect(m_scale, &QComboBox::currentIndexChanged, this, [this] {
        for (Lanes* lanes : {&m_main, &m_twin}) {
            lanes->spectrumShown = nullptr;
            if (lanes->utterance.id != UtteranceId::None)
                showSpectrum(*lanes);
        }
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
    lanes.align = new QPushButton(tr("Align…"), lanes.words);
    lanes.align->setObjectName(QStringLiteral("alignHere"));
    lanes.align->setProperty("small", true);
    lanes.align->setToolTip(tr("Find the words and phones of a known transcript with the built-in aligner."));
    lanes.align->setCursor(Qt::ArrowCursor);
    lanes.align->hide();
    auto* tier = new QHBoxLayout(lanes.words);
    tier->setContentsMargins(0, 0, widgets::Sizes::gutter() + qRound(widgets::Sizes::unit()), 0);
    tier->addStretch(1);
    tier->addWidget(lanes.align);
    connect(lanes.align, &QPushButton::clicked, this,
            [this, words = lanes.words] { // whose lanes these are is known when somebody clicks
                Q_EMIT alignRequested((words == m_main.words ? m_main : m_twin).utterance.id);
            });
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

QList<widgets::TimeLane*> TimeColumn::Lanes::shown() const {
    QList<widgets::TimeLane*> lanes = all();
    if (utterance.isText)
        lanes = {ruler, words};
    return lanes;
}

void TimeColumn::Lanes::showLanesOf(const OpenUtterance& of) {
    for (widgets::TimeLane* lane : {static_cast<widgets::TimeLane*>(waveform), static_cast<widgets::TimeLane*>(spectrogram),
                                    static_cast<widgets::TimeLane*>(phones)})
        lane->setVisible(!of.isText);
    if (of.isText)
        words->setName(TimeColumn::tr("tokens"), TimeColumn::tr("Tokens of the text"));
    else
        words->setName({}, TimeColumn::tr("Words"));
}

void TimeColumn::setTokens(std::vector<Interval> tokens) {
    m_main.tokens = std::move(tokens);
    if (!m_twinIsOther)
        m_twin.tokens = m_main.tokens;
    for (const Lanes* lanes : {&m_main, &m_twin})
        if (lanes->utterance.isText)
            lanes->words->setIntervals(lanes->tokens, QStringLiteral(" "));
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

void TimeColumn::setUtterance(const OpenUtterance* utterance) {
    const bool isText = utterance && utterance->isText;
    if (m_main.utterance.isText && (!utterance || utterance->id != m_main.utterance.id))
        m_text->commit(); // of the text that is left
    setAvailable(m_scale, isText      ? tr("A text has no spectrogram.")
                          : utterance ? QString()
                                      : tr("Open or make a recording first."));
    m_text->setVisible(isText);
    if (isText)
        m_text->setTexts(utterance->text, utterance->target, utterance->id != m_main.utterance.id);
    if (!utterance) {
        clear(m_main);
        clear(m_twin);
        showHeader();
        return;
    }
    showUtterance(m_main, *utterance);
    if (!m_twinIsOther)
        showUtterance(m_twin, *utterance);
    showHeader();
}

void TimeColumn::setTwinUtterance(const OpenUtterance* utterance, widgets::TimeAxis* axis, std::vector<Interval> tokens) {
    m_twinIsOther = utterance != nullptr;
    m_twin.tokens = utterance ? std::move(tokens) : m_main.tokens;
    for (widgets::TimeLane* lane : m_twin.all())
        if (widgets::TimeAxis* wanted = utterance ? axis : m_axis; lane->axis() != wanted)
            lane->setAxis(wanted);
    const OpenUtterance& shown = utterance ? *utterance : m_main.utterance;
    if (shown.id == UtteranceId::None)
        clear(m_twin);
    else
        showUtterance(m_twin, OpenUtterance(shown)); // a copy: it may be the twin's own
}

void TimeColumn::showUtterance(Lanes& lanes, const OpenUtterance& utterance) {
    if (utterance.id != lanes.utterance.id)
        clear(lanes);
    lanes.utterance = utterance;
    lanes.showLanesOf(utterance);
    if (utterance.isText) {
        lanes.align->hide();
        lanes.words->setIntervals(lanes.tokens, QStringLiteral(" "));
        return;
    }
    lanes.align->setVisible(utterance.recording && utterance.alignmentFile.empty() && !utterance.alignment);
    if (!utterance.recording) {
        lanes.waveform->setSound(nullptr, kModelSampleRate,
                                 utterance.state == OpenState::Failed ? utterance.sentence : tr("Reading…"));
        return;
    }
    showSound(lanes);
    showSpectrum(lanes);
    showTiers(lanes);
}

void TimeColumn::setCounts(std::optional<std::int64_t> tokens, std::optional<std::int64_t> frames,
                           const std::optional<AnalysisResult::Imported>& imported) {
    m_tokens = tokens;
    m_imported = imported;
    m_frames = frames;
    showHeader();
}

void TimeColumn::clear(Lanes& lanes) {
    lanes.utterance = {};
    lanes.soundShown = lanes.spectrumShown = nullptr;
    lanes.peaks.reset();
    lanes.spectrum.reset();
    lanes.waveform->setSound(nullptr);
    lanes.spectrogram->setSpectrum(nullptr);
    lanes.words->setIntervals({});
    lanes.phones->setIntervals({});
    lanes.words->setMarks({});
    lanes.phones->setMarks({});
    lanes.align->hide();
}

void TimeColumn::showHeader() {
    const Alignment* alignment = m_main.utterance.alignment.get();
    m_origin->setText(alignment ? QString::fromStdString(alignment->origin) : QString());
    m_origin->setVisible(!m_origin->text().isEmpty());
    m_header->setTitle(m_main.utterance.id == UtteranceId::None ? tr("No utterance") : m_main.utterance.title());
    QStringList parts;
    if (const QString text = m_main.utterance.transcript(); !text.isEmpty() && !m_main.utterance.isText)
        parts << text;
    if (const QString& translation = m_main.utterance.texts.translation; !translation.isEmpty())
        parts << translation;
    QStringList counts;
    if (m_tokens)
        counts << (*m_tokens == 1 ? tr("1 token") : tr("%1 tokens").arg(thousands(*m_tokens))) +
                      (m_imported ? tr(" of %1").arg(m_imported->file) +
                                        (m_imported->part           ? partText(m_imported->part)
                                         : m_main.utterance.part ? tr(" (the whole recording)")
                                                                 : QString()) +
                                        (m_imported->late > 0 ? tr(", %1 after the recording ends").arg(thousands(m_imported->late)) : QString())
                                  : QString());
    if (m_frames)
        counts << (*m_frames == 1 ? tr("1 frame") : tr("%1 frames").arg(thousands(*m_frames)));
    if (!counts.isEmpty())
        parts << counts.join(QStringLiteral(", ")) + (m_main.utterance.part && !m_imported ? tr(" in the selection") : QString());
    m_header->setDetail(parts.join(QStringLiteral("   ")));
}

/// What one pair of lanes has, or waits for, the other takes over.
void TimeColumn::showSound(Lanes& lanes) {
    const auto recording = lanes.utterance.recording;
    if (lanes.soundShown == recording.get())
        return;
    lanes.soundShown = recording.get();
    if (const Lanes& other = otherThan(lanes); other.soundShown == recording.get()) {
        lanes.peaks = other.peaks;
        if (lanes.peaks)
            lanes.waveform->setSound(lanes.peaks, kModelSampleRate, originNote(*recording));
        return;
    }
    ++m_pending;
    inBackground(
        this,
        [recording] {
            return std::make_shared<const widgets::PeakPyramid>(
                std::shared_ptr<const std::vector<float>>(recording, &recording->samples));
        },
        [this, recording](const std::shared_ptr<const widgets::PeakPyramid>& peaks) {
            --m_pending;
            for (Lanes* shown : {&m_main, &m_twin})
                if (shown->soundShown == recording.get()) {
                    shown->peaks = peaks;
                    shown->waveform->setSound(peaks, kModelSampleRate, originNote(*recording));
                }
            Q_EMIT pendingChanged();
        });
}

void TimeColumn::showSpectrum(Lanes& lanes) {
    const FrequencyScale scale = frequencyScale();
    const OpenUtterance& utterance = lanes.utterance;
    const auto values = scale == FrequencyScale::LogMel ? utterance.logMel : utterance.linear;
    if (!values) {
        if (scale == FrequencyScale::Linear)
            Q_EMIT linearWanted(utterance.id);
        const bool tooShort = kModelSampleRate.duration(Samples(400)) > utterance.duration();
        lanes.spectrogram->setSpectrum(nullptr,
                                       tooShort && utterance.state == OpenState::Ready
                                           ? tr("No spectrogram: the recording is shorter than one 25 ms "
                                                "window.")
                                           : QStringLiteral(" "));
        return;
    }
    if (lanes.spectrumShown == values.get())
        return;
    lanes.spectrumShown = values.get();
    if (const Lanes& other = otherThan(lanes); other.spectrumShown == values.get()) {
        lanes.spectrum = other.spectrum;
        if (lanes.spectrum)
            lanes.spectrogram->setSpectrum(lanes.spectrum);
        return;
    }
    lanes.spectrum.reset();
    ++m_pending;
    inBackground(
        this,
        [values, scale] { return std::make_shared<const widgets::Spectrum>(Matrix<float>(*values), scale); },
        [this, values](const std::shared_ptr<const widgets::Spectrum>& spectrum) {
            --m_pending;
            for (Lanes* shown : {&m_main, &m_twin})
                if (shown->spectrumShown == values.get()) {
                    shown->spectrum = spectrum;
                    shown->spectrogram->setSpectrum(spectrum);
                }
            Q_EMIT pendingChanged();
        });
}

void TimeColumn::showTiers(Lanes& lanes) {
    const OpenUtterance& utterance = lanes.utterance;
    const QString missing =
        utterance.alignmentFile.empty()
            ? tr("No alignment for %1").arg(utterance.shownName())
        : utterance.alignment           ? tr("The alignment has no such tier")
                              : tr("%1 could not be read").arg(toQString(utterance.alignmentFile.filename()));
    lanes.words->setIntervals(utterance.alignment ? utterance.alignment->words : std::vector<Interval>{},
                              missing);
    lanes.phones->setIntervals(utterance.alignment ? utterance.alignment->phones : std::vector<Interval>{},
                               missing);
    lanes.words->setMarks(marksOf(utterance.alignmentReport.get(), AlignmentFinding::Tier::Words));
    lanes.phones->setMarks(marksOf(utterance.alignmentReport.get(), AlignmentFinding::Tier::Phones));
    lanes.ruler->axis()->setSnapBounds(utterance.alignment ? widgets::snapBounds(*utterance.alignment)
                                                           : std::vector<Seconds>{});
}

} // namespace headroom::app
