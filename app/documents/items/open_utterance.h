// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/file_stamp.h"
#include "app/documents/items/ids.h"
#include "core/alignment/text_grid.h"
#include "core/alignment/validator.h"
#include "core/audio/audio_file.h"
#include "core/matrix/matrix.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <optional>

namespace headroom::app {

/// A part of a recording, start < end, in seconds from its start.
struct Part {
    Seconds start, end;
    bool operator==(const Part&) const = default;
};

/// The samples of a part as they are analysed: from `first` up to `end`. Of no part: all of them.
struct PartSamples {
    std::int64_t first = 0, end = 0;
};
PartSamples partSamples(const Recording& recording, const std::optional<Part>& part);

/// What a corpus says of a recording; empty: not known.
struct CorpusTexts {
    QString transcript, translation;
    bool operator==(const CorpusTexts&) const = default;
};

/// An utterance of a corpus.
struct CorpusUtterance {
    std::filesystem::path audio; ///< a file, or a part of one (core/audio/audio_name.h); empty: a text, which is texts.transcript
    QString id; ///< empty: it is called as its file
    CorpusTexts texts;
    std::filesystem::path alignment{}; ///< empty: none
};

/// “we see the house”; a long text ends at a word: “we see the house on the hill that…”.
QString quotedText(const QString& text);

/// One open recording, or text, with what belongs to it. A value: the large things are shared and immutable, so copying
/// is cheap and a copy can be handed to another thread. The pieces arrive one by one: samples and alignment
/// first, then `logMel`.
struct OpenUtterance {
    UtteranceId id = UtteranceId::None;
    QString name;                        ///< its id in a corpus, else the file's stem, or "recording 3"
    /// Where another one has the same name: "a/talk"; of a text with the same words: its own `name`. Else empty. Kept by
    /// UtteranceList.
    QString apart;
    std::filesystem::path file;          ///< empty: recorded here and not yet saved
    std::filesystem::path alignmentFile; ///< empty: none found
    bool isRecorded = false; ///< recorded here: its samples are saved into the session's recordings/
    OpenState state = OpenState::Reading;
    QString sentence;     ///< Failed: what is wrong with the file; Ready: why the file cannot be read that has come in its place
    bool isMissing = false; ///< Failed: there is no file
    bool isRecordingGone = false, isAlignmentGone = false; ///< Ready: the file was moved or deleted since it was read
    QStringList warnings; ///< Ready: each one a sentence (cut short, alignment not read …)
    std::string sha256;   ///< of the file's bytes, lower-case hexadecimal; empty while unknown
    FileStamp stamp;      ///< of the file that has these bytes; FileStamp(): unknown
    std::string alignmentSha256;

    /// A text that was typed or came from a text file, for models that read text. It is Ready from the start and has no
    /// file, recording, alignment or part.
    bool isText = false;
    QString text;   ///< the source; empty until something was typed
    QString target; ///< the translation as given; empty: not known

    CorpusTexts texts; ///< of a recording that was opened as an utterance of a corpus

    std::shared_ptr<const Recording> recording; ///< null until it was read; stays while it is read again
    std::shared_ptr<const Alignment> alignment; ///< null: there is none
    /// What the validator found in it, or why it cannot be read; null: not checked yet, or nothing to check.
    std::shared_ptr<const AlignmentReport> alignmentReport;
    /// [frames, 80] natural logarithm, before CMVN: for the screen. Null until computed or where shorter than
    /// one frame.
    std::shared_ptr<const Matrix<float>> logMel;
    /// [frames, 257] dB. Null until Session::requireLinearSpectrogram() asked and it is computed.
    std::shared_ptr<const Matrix<float>> linear;

    /// The part that is analysed; nothing: all of it. Chosen where a recording is longer than the model's
    /// limit.
    std::optional<Part> part;

    /// There is something to analyse.
    bool hasSource() const { return isText ? !text.isEmpty() : recording != nullptr; }
    /// Its file is not where it was; locate() looks for it (saving/moved_files.h).
    bool lacksFile() const { return isMissing || isRecordingGone; }
    /// Its file is one that a study, which reads it itself, can take.
    bool hasReadableFile() const { return state != OpenState::Failed && !isRecordingGone && sentence.isEmpty(); }
    Seconds duration() const { return recording ? recording->duration() : Seconds(0); }
    /// What sentences, captions and legends call it: a text by its first words in quotes, as soon as it has some. `name` is for
    /// files and lists of others.
    QString shownName() const;
    /// What a list or a header calls it: like shownName(), but a text with all its words and without quotes.
    QString title() const;
    /// The words of the alignment joined by spaces, without any the transcript of the corpus; of a text its translation as
    /// given; empty if there is none. For the list's filter and the header.
    QString transcript() const;
    /// What a model is followed through that writes the text as given: the translation, or else the transcript.
    QString givenText() const { return texts.translation.isEmpty() ? transcript() : texts.translation; }
    /// The first thing in the report that the warnings do not say already; null: nothing.
    const AlignmentFinding* worstFinding() const;
};

} // namespace headroom::app
