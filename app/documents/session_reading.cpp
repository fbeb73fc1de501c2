// SPDX-License-Identifier: GPL-3.0-or-later
// Takes what was read of the open files: recordings, alignments, spectrograms and hashes.
#include "app/documents/session.h"

#include "app/documents/files/utterance_reader.h"
#include "app/documents/items/paths.h"
#include "app/documents/removals.h"
#include "app/documents/use_alignment.h"
#include "core/alignment/readers.h"
#include "core/audio/audio_name.h"
#include "core/runs/model_weights.h"

#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

QString causeOfAlignment(UtteranceId id) {
    return QStringLiteral("alignment of ") + causeOf(id);
}

/// What was said when it was read.
QStringList warningsOf(const Alignment* alignment) {
    QStringList warnings;
    if (alignment)
        for (const Warning& warning : alignment->warnings)
            warnings << QString::fromStdString(warning.sentence);
    return warnings;
}

} // namespace

void Session::connectReader() {
    connect(m_reader.get(), &UtteranceReader::pendingChanged, this, &Session::readingChanged);
    connect(m_reader.get(), &UtteranceReader::recordingFailed, this,
            [this](UtteranceId id, const QString& sentence) {
                if (!m_utterances.find(id))
                    return;
                if (m_utterances.find(id)->recording)
                    return keepRecording(id, sentence);
                m_utterances.update(id, [&](OpenUtterance& utterance) {
                    utterance.state = OpenState::Failed;
                    utterance.sentence = sentence;
                    std::error_code ignored;
                    utterance.isMissing = !fs::exists(audioName(utterance.file).file, ignored);
                });
                if (m_utterances.find(id)->isMissing)
                    m_messages.post(Severity::Error, sentence, tr("Locate…"), [this, id] { Q_EMIT locateRequested(id); }, {causeOf(id)});
                else
                    m_messages.post(Severity::Error, sentence, tr("Remove"), [this, id] { removeUtterances(this, {id}); }, {causeOf(id)});
                Q_EMIT utteranceChanged(id);
                settleWanted();
            });
    connect(m_reader.get(), &UtteranceReader::recordingRead, this,
            [this](UtteranceId id, const UtteranceReader::Outcome& outcome) {
                if (!m_utterances.find(id))
                    return;
                const bool isLost = !outcome.alignment.alignment && !outcome.alignment.file.empty();
                QStringList ofKept;
                m_utterances.update(id, [&](OpenUtterance& utterance) {
                    const auto before = std::pair(utterance.recording, utterance.alignment);
                    utterance.state = OpenState::Ready;
                    utterance.sentence.clear();
                    utterance.isMissing = utterance.isRecordingGone = false;
                    if (!before.first || utterance.sha256 != outcome.sha256) { // else what was computed of the same samples stays
                        if (before.first)
                            utterance.part.reset();
                        utterance.recording = outcome.recording;
                        utterance.logMel.reset();
                        utterance.linear.reset();
                    }
                    utterance.sha256 = outcome.sha256;
                    utterance.stamp = outcome.stamp;
                    if (isLost && before.second) {
                        ofKept = warningsOf(before.second.get());
                    } else {
                        utterance.alignment = outcome.alignment.alignment;
                        utterance.alignmentFile = outcome.alignment.file;
                        utterance.alignmentSha256 = outcome.alignment.sha256;
                    }
                    if (before != std::pair(utterance.recording, utterance.alignment))
                        utterance.alignmentReport.reset();
                    utterance.warnings = outcome.warnings + ofKept + outcome.alignment.warnings;
                });
                m_messages.settle(causeOf(id));
                for (const QString& warning : outcome.warnings)
                    m_messages.post(Severity::Warning, warning, {}, {}, {causeOf(id)});
                for (const QString& warning : ofKept)
                    m_messages.post(Severity::Warning, warning, {}, {}, {causeOf(id), causeOfAlignment(id)});
                // As severe as in Checks.
                for (const QString& warning : outcome.alignment.warnings)
                    m_messages.post(isLost ? Severity::Error : Severity::Warning, warning, {}, {}, {causeOf(id), causeOfAlignment(id)});
                m_ofAlignment[id] = ofKept + outcome.alignment.warnings;
                readWantedAlignment(id);
                Q_EMIT utteranceChanged(id);
                settleWanted();
            });
    connect(m_reader.get(), &UtteranceReader::alignmentRead, this,
            [this](UtteranceId id, const UtteranceReader::AlignmentOutcome& outcome) {
                if (!m_utterances.find(id))
                    return;
                KeptAlignment before = keptAlignment(id);
                if (outcome.alignment)
                    m_messages.settle(causeOfAlignment(id));
                for (const QString& warning : outcome.warnings)
                    m_messages.post(outcome.alignment ? Severity::Warning : Severity::Error, warning, {}, {},
                                    {causeOf(id), causeOfAlignment(id)});
                m_utterances.update(id, [&](OpenUtterance& utterance) {
                    if (outcome.alignment) // what was said of the one before is over
                        for (const QString& over : std::exchange(m_ofAlignment[id], {}))
                            utterance.warnings.removeAll(over);
                    m_ofAlignment[id] += outcome.warnings;
                    for (const QString& warning : outcome.warnings)
                        if (!utterance.warnings.contains(warning))
                            utterance.warnings << warning;
                    if (!outcome.alignment)
                        return; // what was there stays
                    utterance.alignment = outcome.alignment;
                    utterance.alignmentReport.reset();
                    utterance.alignmentFile = outcome.file;
                    utterance.alignmentSha256 = outcome.sha256;
                });
                if (outcome.alignment)
                    setModified();
                if (outcome.step > 0 && outcome.alignment && (before.file != outcome.file || before.sha256 != outcome.sha256))
                    m_undo.push(new UseAlignment(this, id, std::move(before), outcome.step));
                Q_EMIT utteranceChanged(id);
            });
    connect(m_reader.get(), &UtteranceReader::logMelReady, this,
            [this](UtteranceId id, const std::shared_ptr<const Matrix<float>>& logMel) {
                if (!m_utterances.find(id))
                    return;
                m_utterances.update(id, [&](OpenUtterance& utterance) { utterance.logMel = logMel; });
                Q_EMIT utteranceChanged(id);
            });
    connect(m_reader.get(), &UtteranceReader::linearReady, this,
            [this](UtteranceId id, const std::shared_ptr<const Matrix<float>>& linear, const std::shared_ptr<const Recording>& recording) {
                if (const auto asked = m_linearAsked.find(id); asked != m_linearAsked.end() && asked->second == recording.get())
                    m_linearAsked.erase(asked);
                const OpenUtterance* open = m_utterances.find(id);
                if (!linear || !open || open->recording != recording) // replaced meanwhile
                    return;
                m_utterances.update(id, [&](OpenUtterance& utterance) { utterance.linear = linear; });
                Q_EMIT utteranceChanged(id);
            });
    connect(m_reader.get(), &UtteranceReader::failed, this, [this](const QString& cause, const QString& sentence) {
        m_messages.post(Severity::Error, sentence, {}, {}, {cause});
    });
    connect(m_reader.get(), &UtteranceReader::modelHashed, this,
            [this](ModelId id, const std::map<std::string, std::string>& sha256) {
                if (const OpenModel* missing = m_models.find(id); missing && missing->isMissing)
                    return; // compared where it is found again
                const SavedHashes before = std::exchange(m_savedHashes[id], {});
                m_savedHashes.erase(id);
                QStringList changed;
                for (const auto& [file, hash] : before.files)
                    if (const auto now = sha256.find(file); now != sha256.end() && now->second != hash)
                        changed << QString::fromStdString(file);
                const OpenModel* model = m_models.find(id);
                if (!model)
                    return;
                const bool isByRun = !changed.isEmpty() && !before.isElsewhere && !weightsOfModel(model->folder).empty();
                const QString sentence =
                    isByRun ? tr("The run of “%1” has exported a new model, which was loaded.").arg(model->shownName())
                            : tr("%1 of “%2” has changed since this session last read it. The new version was loaded.")
                                  .arg(changed.join(QStringLiteral(", ")), model->shownName());
                if (!changed.isEmpty())
                    m_messages.post(isByRun ? Severity::Info : Severity::Warning, sentence, {}, {}, {causeOf(id)});
                m_models.update(id, [&](OpenModel& open) {
                    open.sha256 = sha256;
                    if (!changed.isEmpty() && !isByRun)
                        open.warnings << sentence;
                });
                Q_EMIT modelChanged(id);
            });
}

void Session::readWantedAlignment(UtteranceId id) {
    const OpenUtterance& utterance = *m_utterances.find(id);
    if (const auto wanted = m_wantedAlignments.extract(id); wanted && wanted.mapped() != utterance.alignmentFile)
        m_reader->readAlignment(utterance, wanted.mapped(), 0);
}

/// The file that has come in place of a recording that was read cannot be read, or is gone again, which who watches it says.
void Session::keepRecording(UtteranceId id, const QString& mistake) {
    m_utterances.update(id, [&](OpenUtterance& utterance) {
        utterance.state = OpenState::Ready;
        std::error_code ignored;
        utterance.isRecordingGone = !fs::exists(audioName(utterance.file).file, ignored);
        if (!utterance.isRecordingGone)
            utterance.sentence = mistake + QLatin1Char(' ') + tr("The recording that was read before is still used, but studies leave it out.");
    });
    sayAgain(id);
    if (const OpenUtterance& kept = *m_utterances.find(id); !kept.logMel) // reading stopped the one that was being computed
        m_reader->computeLogMel(id, kept.recording);
    readWantedAlignment(id);
    Q_EMIT utteranceChanged(id);
    settleWanted();
}

/// In Messages, what stands in the row of a recording that was read.
void Session::sayAgain(UtteranceId id) {
    const OpenUtterance utterance = *m_utterances.find(id);
    if (!utterance.sentence.isEmpty())
        m_messages.post(Severity::Warning, utterance.sentence, {}, {}, {causeOf(id)});
    for (const QString& warning : utterance.warnings)
        if (m_ofAlignment[id].contains(warning))
            m_messages.post(utterance.alignment ? Severity::Warning : Severity::Error, warning, {}, {}, {causeOf(id), causeOfAlignment(id)});
        else
            m_messages.post(Severity::Warning, warning, {}, {}, {causeOf(id)});
}

Session::KeptFiles Session::keptFiles(UtteranceId id) const {
    const OpenUtterance* utterance = m_utterances.find(id);
    return utterance ? KeptFiles{*utterance, keptAlignment(id).warnings} : KeptFiles();
}

void Session::putFiles(const KeptFiles& kept) {
    const OpenUtterance& before = kept.utterance;
    const UtteranceId id = before.id;
    if (!m_utterances.find(id))
        return;
    m_reader->drop(id); // what is being read of the other files
    m_reader->dropAlignments(id);
    m_wantedAlignments.erase(id);
    m_messages.settle(causeOf(id));
    m_ofAlignment[id] = kept.ofAlignment;
    m_utterances.update(id, [&](OpenUtterance& utterance) {
        OpenUtterance back = before;
        back.name = utterance.name; // these are not of the files
        back.texts = utterance.texts;
        if (!before.recording || before.recording == utterance.recording)
            back.part = utterance.part;
        utterance = std::move(back);
    });
    if (!before.recording || before.state == OpenState::Reading)
        return setFiles(id, before.file, before.alignmentFile);
    if (!before.logMel)
        m_reader->computeLogMel(id, before.recording);
    sayAgain(id);
    setModified();
    Q_EMIT utteranceChanged(id);
}

bool Session::isReading() const {
    return m_reader->pending() > 0;
}

Session::KeptAlignment Session::keptAlignment(UtteranceId id) const {
    const OpenUtterance* utterance = m_utterances.find(id);
    if (!utterance)
        return {};
    const auto said = m_ofAlignment.find(id);
    return {utterance->alignment, utterance->alignmentFile, utterance->alignmentSha256, said == m_ofAlignment.end() ? QStringList() : said->second};
}

void Session::putAlignment(UtteranceId id, KeptAlignment kept) {
    if (!m_utterances.find(id))
        return;
    m_reader->dropAlignments(id); // asked for before
    m_wantedAlignments.erase(id);
    kept.warnings.removeDuplicates(); // a file may have been read in vain more than once
    const QStringList warnings = kept.warnings;
    const Severity severity = kept.alignment ? Severity::Warning : Severity::Error;
    m_utterances.update(id, [&](OpenUtterance& utterance) {
        utterance.alignment = std::move(kept.alignment);
        utterance.alignmentReport.reset();
        utterance.alignmentFile = std::move(kept.file);
        utterance.alignmentSha256 = std::move(kept.sha256);
        for (const QString& over : std::exchange(m_ofAlignment[id], warnings)) // said of the one that it replaces
            utterance.warnings.removeAll(over);
        utterance.warnings += warnings;
    });
    m_messages.settle(causeOfAlignment(id));
    for (const QString& warning : warnings)
        m_messages.post(severity, warning, {}, {}, {causeOf(id), causeOfAlignment(id)});
    setModified();
    Q_EMIT utteranceChanged(id);
}

void Session::removeAlignment(UtteranceId id) {
    const OpenUtterance* utterance = m_utterances.find(id);
    if (!utterance || utterance->alignmentFile.empty())
        return;
    const bool mayHaveOne = !utterance->file.empty() && audioName(utterance->file).isWhole();
    const fs::path beside = mayHaveOne ? alignmentBeside(utterance->file) : fs::path();
    if (beside == utterance->alignmentFile)
        return void(m_messages.post(Severity::Warning,
                                    tr("%1 lies beside the recording and is read whenever that is opened. Move or rename the file instead.")
                                        .arg(toQString(beside.filename())),
                                    {}, {}, {causeOf(id), causeOfAlignment(id)}));
    if (!beside.empty())
        return readAlignment(beside, id, ++m_lastStep);
    KeptAlignment before = keptAlignment(id);
    putAlignment(id, {});
    m_undo.push(new UseAlignment(this, id, std::move(before)));
}

void Session::setAlignmentReport(UtteranceId id, std::shared_ptr<const AlignmentReport> report) {
    if (!m_utterances.find(id))
        return;
    m_utterances.update(id, [&](OpenUtterance& utterance) { utterance.alignmentReport = std::move(report); });
    Q_EMIT utteranceChanged(id);
}

void Session::requireLinearSpectrogram(UtteranceId id) {
    const OpenUtterance* utterance = m_utterances.find(id);
    if (!utterance || !utterance->recording || utterance->linear)
        return;
    const Recording* recording = utterance->recording.get();
    if (std::exchange(m_linearAsked[id], recording) != recording)
        m_reader->computeLinear(id, utterance->recording);
}

} // namespace headroom::app
