// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_file.h"
#include "core/corpus/kinds/import_corpus.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <QTemporaryDir>
#include <QTest>
#include <sndfile.h>
#include <zlib.h>

namespace headroom::testing {

/// A corpus of another kind that a test writes, with pieces of the demo recording as its sounds.
class SourceFolder {
public:
    std::filesystem::path path() const { return m_folder.path().toStdString(); }
    std::filesystem::path from() const { return path() / "from"; }
    std::filesystem::path out() const { return path() / "out"; }

    void write(const std::string& name, std::string_view bytes) const {
        std::filesystem::create_directories((from() / name).parent_path());
        std::ofstream(from() / name, std::ios::binary) << bytes;
    }
    void writeGzip(const std::string& name, std::string_view bytes) const {
        std::filesystem::create_directories((from() / name).parent_path());
        gzFile file = gzopen((from() / name).c_str(), "wb");
        gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
        gzclose(file);
    }
    /// So many seconds of the demo recording, from `start`; FLAC or WAV by the ending of the name.
    void sound(const std::string& name, double seconds, double start = 0, int rate = 16000) const {
        std::filesystem::create_directories((from() / name).parent_path());
        static const auto demo =
            loadRecording(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/demo/demo.wav").samples;
        const auto first = static_cast<std::size_t>(start * 16000);
        const auto count = static_cast<std::size_t>(seconds * 16000);
        std::vector<float> samples(demo.begin() + static_cast<std::ptrdiff_t>(first),
                                   demo.begin() + static_cast<std::ptrdiff_t>(first + count));
        if (rate != 16000)
            samples = resample(samples, kModelSampleRate, SampleRate(rate));
        SF_INFO info{};
        info.samplerate = rate;
        info.channels = 1;
        info.format = SF_FORMAT_PCM_16 | (name.ends_with(".flac") ? SF_FORMAT_FLAC : SF_FORMAT_WAV);
        SNDFILE* file = sf_open((from() / name).c_str(), SFM_WRITE, &info);
        sf_writef_float(file, samples.data(), static_cast<sf_count_t>(samples.size()));
        sf_close(file);
    }

    CorpusImport request(const std::string& kind) const {
        CorpusImport request;
        request.kind = kind;
        request.from = from();
        request.out = out();
        request.threads = 1;
        return request;
    }
    ImportedCorpus import(const std::string& kind) const {
        std::filesystem::remove_all(out());
        return importCorpus(request(kind));
    }

private:
    QTemporaryDir m_folder;
};

/// The problems of a reading, one per line: "code | sentence".
inline QString sentencesOf(const std::vector<CorpusProblem>& problems) {
    QString all;
    for (const auto& problem : problems)
        all += QString::fromStdString(problem.code + " | " + problem.sentence) + '\n';
    return all;
}

/// The row of an id; throws where there is none.
inline Utterance utteranceOf(const Corpus& corpus, const std::string& split, const std::string& task,
                             const std::string& id) {
    for (const auto& utterance : corpus.utterances(split, task))
        if (utterance.id == id)
            return utterance;
    throw std::runtime_error("there is no " + id);
}

/// What a folder of some kind should become.
struct ExpectedUtterance {
    std::string split, task, id, text, speaker, source;
    double seconds;
};

/// Reads the folder as this kind, which it has to recognise, and expects these utterances and no others.
inline void expect(const SourceFolder& folder, const char* kind, const std::vector<ExpectedUtterance>& rows) {
    const auto made = folder.import(""); // recognised
    QCOMPARE(QString::fromStdString(made.kind), QString(kind));
    QVERIFY2(made.problems.empty(), qPrintable(sentencesOf(made.problems)));
    const auto corpus = Corpus::open(folder.out());
    QVERIFY2(corpus.problems().empty(), qPrintable(sentencesOf(corpus.problems())));
    std::size_t found = 0;
    for (const auto& table : corpus.tables())
        found += table.utterances.size();
    QCOMPARE(found, rows.size());
    for (const auto& row : rows) {
        const auto utterance = utteranceOf(corpus, row.split, row.task, row.id);
        QCOMPARE(utterance.text, row.text);
        QCOMPARE(utterance.speaker, row.speaker);
        QCOMPARE(utterance.sourceText, row.source);
        const auto recording = loadRecording(utterance.audio);
        QCOMPARE(recording.samples.size(), static_cast<std::size_t>(std::llround(row.seconds * 16000)));
        QCOMPARE(utterance.frames->value(), 1 + (std::llround(row.seconds * 16000) - 400) / 160);
    }
}

template <class Function>
QString errorCodeOf(Function function) {
    try {
        function();
    } catch (const Error& error) {
        return QString::fromStdString(error.code());
    }
    return {};
}

} // namespace headroom::testing
