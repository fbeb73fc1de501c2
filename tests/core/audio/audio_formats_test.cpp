// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/errors/display_name.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/resource.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::audio_formats_test {

namespace {

struct Row {
    std::string file, expect, decoder;
};

std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> fields;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, separator);)
        fields.push_back(field);
    return fields;
}

/// The audio rows of formats.tsv in a folder of golden results.
std::vector<Row> rowsOf(const std::filesystem::path& goldens) {
    std::vector<Row> result;
    std::ifstream table(goldens / "formats" / "formats.tsv");
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
        const auto fields = split(line, '\t');
        const bool audio = fields.size() > 3 && fields[0].rfind("textgrid/", 0) != 0 &&
                           (fields[2].rfind("decode", 0) == 0 || fields[2].rfind("reject", 0) == 0);
        const bool tensors = !fields.empty() && fields[0].find(".safetensors") != std::string::npos;
        if (audio && !tensors)
            result.push_back({fields[0], fields[2], fields[3]});
    }
    return result;
}

/// What another decoder says: channels, rate and frames of "WAV/PCM_16/1ch/16000/47120".
struct Stated {
    int channels = 0, rate = 0;
    long frames = 0;
};

std::optional<Stated> stated(const std::string& decoder) {
    const auto parts = split(decoder, '/');
    if (parts.size() < 5)
        return std::nullopt;
    return Stated{std::stoi(parts[2]), std::stoi(parts[3]), std::stol(parts[4])};
}

bool hasWarning(const Recording& recording, const std::string& code) {
    return std::ranges::any_of(recording.warnings, [&](const Warning& w) { return w.code == code; });
}

bool isSentence(const std::string& text, const std::filesystem::path& file) {
    return text.find(displayName(file)) != std::string::npos && text.ends_with(".");
}

long peakMemoryKiB() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

class FormatsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(rowsOf(testing::repositoryGoldens()).size() > 70);
        if (!testing::sharedData().empty())
            QVERIFY(rowsOf(testing::sharedData()).size() > 90);
        m_peakBefore = peakMemoryKiB();
    }

    void everyFileLoadsOrIsRefusedWithASentence_data() {
        QTest::addColumn<QString>("goldens");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("expect");
        QTest::addColumn<QString>("decoder");
        for (const auto& [source, folder] : testing::goldenFolders())
            for (const Row& row : rowsOf(folder))
                QTest::addRow("%s, %s", row.file.c_str(), source)
                    << QString::fromStdString(folder.string()) << QString::fromStdString(row.file)
                    << QString::fromStdString(row.expect) << QString::fromStdString(row.decoder);
    }

    void everyFileLoadsOrIsRefusedWithASentence() {
        QFETCH(QString, file);
        QFETCH(QString, expect);
        QFETCH(QString, decoder);
        const auto path = testing::goldens() / "formats" / std::filesystem::u8path(file.toStdString());
        const auto said = stated(decoder.toStdString());
        std::optional<Recording> recording;
        try {
            recording = loadRecording(path);
        } catch (const Error& error) {
            QVERIFY2(isSentence(error.what(), path), error.what());
            qInfo("%s: %s", error.code().c_str(), error.what());
            // A well-formed file may only be refused because there is nothing in it.
            if (expect == "decode") {
                QCOMPARE(error.code(), std::string("audio.noSamples"));
                QVERIFY(said && said->frames == 0);
            }
            return;
        }
        for (const Warning& warning : recording->warnings) {
            QVERIFY2(isSentence(warning.sentence, path), warning.sentence.c_str());
            qInfo("%s: %s", warning.code.c_str(), warning.sentence.c_str());
        }
        QVERIFY2(!expect.startsWith("reject"), "loaded, but should have been refused");
        if (expect == "decode-partial")
            QVERIFY(hasWarning(*recording, "audio.truncated"));
        for (const float sample : recording->samples)
            QVERIFY(std::isfinite(sample));
        if (said) {
            QCOMPARE(recording->originalChannels, said->channels);
            QCOMPARE(recording->originalRate.hertz(), said->rate);
        }
        if (expect == "decode") {
            QVERIFY(said);
            const double due = static_cast<double>(said->frames) * 16000.0 / said->rate;
            QVERIFY(std::abs(static_cast<double>(recording->samples.size()) - due) <= 0.5);
            QVERIFY2(!hasWarning(*recording, "audio.truncated"), "a whole file was called cut short");
            QVERIFY(!hasWarning(*recording, "audio.notFinite"));
        }
    }

    void nothingTookMuchMemory() { QVERIFY(peakMemoryKiB() - m_peakBefore < 200 * 1024); }

    void particularFilesSayParticularThings_data() {
        QTest::addColumn<QString>("goldens");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("code");
        const std::vector<std::pair<const char*, const char*>> cases{
            {"empty.wav", "audio.empty"},
            {"text.wav", "audio.notAudio"},
            {"m4a.m4a", "audio.notAudio"},
            {"len0.wav", "audio.noSamples"},
            {"size_zero.wav", "audio.noSamples"},
            {"rate_0.wav", "audio.badRate"},
            {"rate_4294967295.wav", "audio.badRate"},
            {"trunc_header.wav", "audio.unreadable"},
            {"channels_65535.wav", "audio.unreadable"},
            {"trunc_data.wav", "audio.truncated"},
            {"size_huge.wav", "audio.truncated"},
            {"trunc.flac", "audio.truncated"},
            {"trunc.ogg", "audio.truncated"},
            {"corrupt_page.ogg", "audio.truncated"},
            {"nan.wav", "audio.notFinite"},
            {"inf.wav", "audio.notFinite"},
            {"stereo_antiphase.wav", "audio.antiphase"},
            {"size_ffffffff.wav", ""},
            {"silence.wav", ""},
            {"imaadpcm.wav", ""},
            {"mp3.mp3", ""},
            {"opus.opus", ""}};
        for (const auto& [source, folder] : testing::goldenFolders())
            for (const auto& [file, code] : cases)
                QTest::addRow("%s, %s", file, source)
                    << QString::fromStdString(folder.string()) << file << code;
    }

    void particularFilesSayParticularThings() {
        QFETCH(QString, file);
        QFETCH(QString, code);
        std::string said;
        try {
            const auto recording =
                loadRecording(testing::goldens() / "formats" / "derived" / file.toStdString());
            QVERIFY(recording.warnings.size() <= 1);
            said = recording.warnings.empty() ? "" : recording.warnings.front().code;
        } catch (const Error& error) {
            said = error.code();
        }
        QCOMPARE(QString::fromStdString(said), code);
    }

    /// libsndfile reads none of them, and “not a recording” would be no help.
    void videosAreNamed_data() {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QString>("named");
        QTest::newRow("MP4") << QByteArray("\0\0\0\x20""ftypisom\0\0\2\0", 16) << "an MP4 file (a video, or sound as in M4A)";
        QTest::newRow("M4A") << QByteArray("\0\0\0\x1c""ftypM4A \0\0\2\0", 16) << "an MP4 file (a video, or sound as in M4A)";
        QTest::newRow("QuickTime") << QByteArray("\0\0\0\x14""ftypqt  \0\0\2\0", 16) << "an MP4 file (a video, or sound as in M4A)";
        QTest::newRow("Matroska") << QByteArray("\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x23", 12) << "a Matroska or WebM file (a video)";
        QTest::newRow("AVI") << QByteArray("RIFF\x10\x27\0\0""AVI LIST", 16) << "an AVI file (a video)";
    }
    void videosAreNamed() {
        QFETCH(QByteArray, start);
        QFETCH(QString, named);
        QTemporaryDir folder;
        const QString path = folder.filePath("talk.bin");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(start + QByteArray(4000, 'x')) == start.size() + 4000);
        file.close();
        try {
            loadRecording(path.toStdString());
            QFAIL("it was read");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("audio.notAudio"));
            QCOMPARE(QString::fromStdString(error.what()), "talk.bin is " + named +
                     ", which cannot be read. Extract the audio as WAV or FLAC first, for example with ffmpeg.");
        }
    }

    void whatWasNotDownloadedIsSaid() {
        QTemporaryDir folder;
        const auto refusal = [&](const char* bytes) {
            const QString path = folder.filePath("talk.flac");
            std::ofstream(path.toStdString(), std::ios::binary) << bytes;
            try {
                loadRecording(path.toStdString());
            } catch (const Error& error) {
                return QString::fromStdString(error.what());
            }
            return QString();
        };
        QCOMPARE(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:4665\nsize 12345\n"),
                 QStringLiteral("talk.flac is a pointer of Git LFS, and its contents were not downloaded (git lfs pull)."));
        QVERIFY(refusal("\n<!DOCTYPE html><html>404 Not Found</html>").contains("is a web page, as a failed download leaves one"));
    }

    /// There is a chunk "data", though in the wrong place: it was said to be missing.
    void soundBeforeItsFormatIsSaid() {
        QTemporaryDir folder;
        const auto size = [](std::uint32_t value) {
            std::string bytes;
            for (int shift = 0; shift < 32; shift += 8)
                bytes += static_cast<char>((value >> shift) & 0xFF);
            return bytes;
        };
        const std::string format = std::string("\x01\0\x01\0", 4) + size(16000) + size(32000) + std::string("\x02\0\x10\0", 4);
        const std::string data = "data" + size(64) + std::string(64, '\1'), described = "fmt " + size(16) + format;
        for (const std::string& chunks : {"WAVE" + data + described, "WAVE" + described + described + data, std::string("WAVE")}) {
            const auto file = std::filesystem::path(folder.path().toStdString()) / "turned.wav";
            std::ofstream(file, std::ios::binary) << "RIFF" << size(std::uint32_t(chunks.size())) << chunks;
            QString said;
            try {
                loadRecording(file);
            } catch (const Error& error) {
                said = QString::fromStdString(error.what());
            }
            QCOMPARE(said, QStringLiteral("turned.wav cannot be read: it must have one chunk “fmt”, followed by a chunk “data”."));
        }
    }

    void aCutFileSaysBothLengths_data() { testing::addGoldenFolders(); }
    void aCutFileSaysBothLengths() {
        const bool ours = testing::goldens() == testing::repositoryGoldens();
        const auto recording = loadRecording(testing::goldens() / "formats" / "derived" / "trunc_data.wav");
        QCOMPARE(recording.samples.size(), std::size_t(ours ? 3700 : 17434));
        QCOMPARE(
            QString::fromStdString(recording.warnings.at(0).sentence),
            QString::fromUtf8(
                "trunc_data.wav ends at %1 s, although its header promises %2 s. The available part "
                "was loaded.")
                .arg(ours ? "0.23" : "1.09", ours ? "0.46" : "2.95"));
    }

    void damageIsToldWithItsReason_data() { testing::addGoldenFolders(); }
    void damageIsToldWithItsReason() {
        const bool ours = testing::goldens() == testing::repositoryGoldens();
        const auto recording = loadRecording(testing::goldens() / "formats" / "derived" / "trunc.flac");
        QCOMPARE(QString::fromStdString(recording.warnings.at(0).sentence),
                 QString::fromUtf8("trunc.flac can be read up to %1 s of the %2 s that its header "
                                   "promises (flac decoder lost sync). The part before was loaded.")
                     .arg(ours ? "0.26" : "1.28", ours ? "0.46" : "2.95"));
    }

    /// Cut before its first block, so that not even a part can be read.
    void aFlacWithoutABlockSaysSo() {
        QFile whole(QString::fromStdString((testing::repositoryGoldens() / "formats" / "derived" / "s16.flac").string()));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QTemporaryDir folder;
        QFile cut(folder.filePath("cut.flac"));
        QVERIFY(cut.open(QIODevice::WriteOnly) && cut.write(whole.read(60)) > 0);
        cut.close();
        try {
            loadRecording(cut.fileName().toStdString());
            QFAIL("it was read");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.what()), QStringLiteral("cut.flac cannot be read: it is damaged, or it ends too early."));
        }
    }

    void losslessContainersHoldTheSameSamples_data() { testing::addGoldenFolders(); }
    void losslessContainersHoldTheSameSamples() {
        const auto folder = testing::goldens() / "formats" / "derived";
        const auto reference = loadRecording(folder / "ref.wav");
        for (const char* name : {"s24.wav",
                                 "s32.wav",
                                 "f32.wav",
                                 "f64.wav",
                                 "rifx.wav",
                                 "s16.aiff",
                                 "s24.aiff",
                                 "s16.au",
                                 "s16.w64",
                                 "s16.caf",
                                 "s16.flac",
                                 "s24.flac",
                                 "rf64.wav",
                                 "s16.sph",
                                 "list_first.wav",
                                 "odd_chunk.wav",
                                 "trailing_garbage.wav",
                                 "wav_named.flac",
                                 "flac_named.wav",
                                 "no_extension",
                                 "Prénom 录音 (1).WAV"})
            QVERIFY2(loadRecording(folder / std::filesystem::u8path(name)).samples == reference.samples,
                     name);
        QCOMPARE(loadRecording(folder / "s24.flac").originalFormat, std::string("FLAC, 24-bit PCM"));
    }

private:
    long m_peakBefore = 0;
};

HEADROOM_TEST(FormatsTest)

} // namespace headroom::testing::audio_formats_test

#include "audio_formats_test.moc"
