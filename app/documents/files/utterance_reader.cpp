// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/utterance_reader.h"

#include "app/documents/files/on_disk.h"
#include "app/documents/files/session_file.h"
#include "app/documents/items/messages.h"
#include "app/documents/items/paths.h"
#include "core/alignment/readers.h"
#include "core/audio/audio_name.h"
#include "core/features/features.h"

#include <exception>
#include <new>
#include <utility>

namespace headroom::app {

namespace {

namespace fs = std::filesystem;

QString changedSentence(const fs::path& file) {
    return UtteranceReader::tr("%1 has changed since this session last read it. The new version was loaded.")
        .arg(toQString(file.filename()));
}

QString withoutIt(bool hasAlignment) {
    return hasAlignment ? UtteranceReader::tr("The alignment that was read before is still used.")
                        : UtteranceReader::tr("The recording is opened without it.");
}

/// `without`: a sentence that says what happens if it cannot be read.
UtteranceReader::AlignmentOutcome readOne(const fs::path& file, const NamesInLists& names, Seconds duration, const QString& without) {
    UtteranceReader::AlignmentOutcome outcome;
    outcome.file = file;
    try {
        outcome.sha256 = hashOfFile(file); // first: what is written while it is being read is a change
        auto alignment = headroom::readAlignment(file, names, duration);
        for (const Warning& warning : alignment.warnings)
            outcome.warnings << QString::fromStdString(warning.sentence);
        outcome.alignment = std::make_shared<const Alignment>(std::move(alignment));
    } catch (const std::exception& failure) {
        outcome.warnings << QString::fromUtf8(failure.what()) + QLatin1Char(' ') + without;
    }
    return outcome;
}

std::shared_ptr<const Matrix<float>> logMelOf(const Recording& recording) {
    try {
        return std::make_shared<const Matrix<float>>(LogMelFilterbank().compute(recording.samples));
    } catch (const Error&) {
        return nullptr; // shorter than one frame: the linear spectrogram pads, a filterbank does not
    }
}

} // namespace

UtteranceReader::UtteranceReader(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(
        3); // a folder of recordings is read by three; the window and the worker need the rest
}

UtteranceReader::~UtteranceReader() {
    m_pool.clear();
    m_pool.waitForDone();
}

void UtteranceReader::run(const QString& what, std::function<std::function<void()>()> work,
                          std::function<void(const QString& sentence)> failed) {
    ++m_pending;
    Q_EMIT pendingChanged();
    m_pool.start([this, what, work = std::move(work), failed = std::move(failed)] {
        std::function<void()> deliver;
        try { // an exception that leaves a thread of the pool ends the program
            deliver = work();
        } catch (const std::bad_alloc&) {
            deliver = [failed, sentence = tr("There is not enough free memory for %1.").arg(what)] { failed(sentence); };
        } catch (const std::exception& failure) {
            deliver = [failed, sentence = QString::fromUtf8(failure.what())] { failed(sentence); };
        }
        QMetaObject::invokeMethod(
            this,
            [this, deliver = std::move(deliver)] {
                --m_pending;
                deliver();
                Q_EMIT pendingChanged();
            },
            Qt::QueuedConnection);
    });
}

void UtteranceReader::read(const Request& request) {
    const int turn = ++m_readings[request.id];
    const auto work = [this, request, turn]() -> std::function<void()> {
        Outcome outcome;
        const AudioName name = audioName(request.file);
        const FileStamp before = FileStamp::of(name.file);
        if (before != FileStamp()) // a pipe would block for ever
            outcome.sha256 = hashOfFile(name.file); // first: what is written while it is being read is a change
        auto recording = std::make_shared<const Recording>(loadRecording(request.file));
        outcome.recording = recording;
        for (const Warning& warning : recording->warnings)
            outcome.warnings << QString::fromStdString(warning.sentence);
        outcome.stamp = FileStamp::of(name.file) == before ? before : FileStamp();
        if (!request.expectedSha256.empty() && request.expectedSha256 != outcome.sha256)
            outcome.warnings << changedSentence(request.file);
        // An alignment beside a file is that of the whole file, not of a part of it.
        const auto grid = !request.alignmentFile.empty() ? request.alignmentFile
                          : !name.isWhole()              ? fs::path()
                                                         : alignmentBeside(request.file);
        if (request.hasAlignment && isGone(grid)) { // who watches it says so
            outcome.alignment.file = grid;
        } else if (!grid.empty()) {
            outcome.alignment = readOne(grid, {request.name, request.file}, recording->duration(), withoutIt(request.hasAlignment));
            if (!request.expectedAlignmentSha256.empty() && outcome.alignment.alignment &&
                request.expectedAlignmentSha256 != outcome.alignment.sha256)
                outcome.alignment.warnings << changedSentence(grid);
        }
        return [this, turn, id = request.id, outcome = std::move(outcome), recording] {
            if (turn != m_readings[id])
                return;
            Q_EMIT recordingRead(id, outcome);
            computeLogMel(id, recording); // the waveform stands before the spectrogram is ready
        };
    };
    run(toQString(request.file.filename()), work,
        [this, turn, id = request.id](const QString& sentence) {
            if (turn == m_readings[id])
                Q_EMIT recordingFailed(id, sentence);
        });
}

void UtteranceReader::readAlignment(const OpenUtterance& utterance, const fs::path& file, int step) {
    const auto work = [this, id = utterance.id, file, step, turn = m_turns[utterance.id],
                       names = NamesInLists(utterance.name.toStdString(), utterance.file), duration = utterance.duration(),
                       without = withoutIt(utterance.alignment != nullptr)]() -> std::function<void()> {
        AlignmentOutcome outcome = readOne(file, names, duration, without);
        outcome.step = step;
        return [this, id, turn, outcome = std::move(outcome)] {
            if (turn == m_turns[id])
                Q_EMIT alignmentRead(id, outcome);
        };
    };
    run(toQString(file.filename()), work, [this, id = utterance.id](const QString& sentence) { Q_EMIT failed(causeOf(id), sentence); });
}

void UtteranceReader::computeLogMel(UtteranceId id, std::shared_ptr<const Recording> recording) {
    const auto work = [this, id, recording, turn = m_readings[id]]() -> std::function<void()> {
        return [this, id, turn, logMel = logMelOf(*recording)] {
            if (logMel && turn == m_readings[id])
                Q_EMIT logMelReady(id, logMel);
        };
    };
    run(tr("the spectrogram"), work, [this, id](const QString& sentence) { Q_EMIT failed(causeOf(id), sentence); });
}

void UtteranceReader::computeLinear(UtteranceId id, std::shared_ptr<const Recording> recording) {
    const auto work = [this, id, recording]() -> std::function<void()> {
        auto linear = std::make_shared<const Matrix<float>>(linearSpectrogram(recording->samples));
        return [this, id, linear, recording] { Q_EMIT linearReady(id, linear, recording); };
    };
    run(tr("the linear spectrogram"), work, [this, id, recording](const QString& sentence) {
        Q_EMIT linearReady(id, nullptr, recording);
        Q_EMIT failed(causeOf(id), sentence);
    });
}

void UtteranceReader::hashModel(ModelId id, const fs::path& folder) {
    const auto work = [this, id, folder]() -> std::function<void()> {
        return [this, id, hashes = hashOfModel(folder)] { Q_EMIT modelHashed(id, hashes); };
    };
    run(toQString(folder.filename()), work, [this, id](const QString& sentence) { Q_EMIT failed(causeOf(id), sentence); });
}

} // namespace headroom::app
