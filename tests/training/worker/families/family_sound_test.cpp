// SPDX-License-Identifier: GPL-3.0-or-later
// Sound that is short, long, of another rate or of two channels, with a small model of each family; Whisper's tokens.
#include "core/text/tokenizer.h"
#include "tests/support/made_adapters.h"
#include "tests/support/runner.h"
#include "tests/support/shared_data.h"
#include "tests/training/worker/worker_program.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace headroom::testing::family_sound_test {

namespace {

const QString kEncoders = QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/");

/// A PCM16 .wav of any rate and number of channels, all channels equal.
QByteArray wavOf(double seconds, std::uint32_t rate, std::uint16_t channels) {
    const auto count = static_cast<std::uint32_t>(seconds * rate);
    QByteArray data;
    const auto put = [&data](auto number) {
        for (std::size_t i = 0; i < sizeof number; ++i)
            data.append(static_cast<char>(number >> (8 * i)));
    };
    data.append("RIFF");
    put(std::uint32_t(36 + 2 * count * channels));
    data.append("WAVEfmt ");
    put(std::uint32_t(16));
    put(std::uint16_t(1));
    put(channels);
    put(rate);
    put(std::uint32_t(rate * channels * 2));
    put(std::uint16_t(channels * 2));
    put(std::uint16_t(16));
    data.append("data");
    put(std::uint32_t(2 * count * channels));
    for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint16_t channel = 0; channel < channels; ++channel)
            put(std::uint16_t(std::int16_t(9000 * std::sin(2 * M_PI * 440 * i / rate))));
    return data;
}

} // namespace

class FamilySoundTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString write(const QString& name, double seconds, std::uint32_t rate = 16000, std::uint16_t channels = 1) const {
        const QString file = m_folder.filePath(name);
        writeFile(file, wavOf(seconds, rate, channels));
        return file;
    }
    Finished analysed(const QString& model, const QStringList& audio) const {
        return runWorkerProgram(QStringList{"analyse", "--model", kEncoders + model} + audio +
                                QStringList{"--out", m_folder.filePath("out"), "--json"});
    }
    static void families() {
        QTest::addColumn<QString>("family");
        for (const char* family : {"wav2vec2", "hubert-batch-norm", "wavlm", "data2vec-audio", "wav2vec2-bert-small",
                                   "parakeet-small", "whisper-small", "ast-small"})
            QTest::newRow(family) << family;
    }
    static Finished transcribed(const QString& model, const QString& audio, const QStringList& options) {
        return runWorkerProgram(QStringList{"transcribe", "--model", model, audio} + options);
    }

private Q_SLOTS:
    void anyRateAndTwoChannelsAreRead_data() { families(); }
    void anyRateAndTwoChannelsAreRead() {
        QFETCH(QString, family);
        const double seconds = family == "ast-small" ? 0.4 : 1; // it reads a window of half a second
        const auto done = analysed(family, {write("mono.wav", seconds), write("telephone.wav", seconds, 8000),
                                            write("stereo.wav", seconds, 16000, 2), write("studio.wav", seconds, 44100, 2)});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto rows = done.document()["utterances"];
        QCOMPARE(rows.size(), std::size_t(4));
        for (const auto& row : rows)
            QVERIFY2(row["tokens"] == rows[0]["tokens"], row.dump().c_str());
        const auto mono = arraysOf(m_folder.filePath("out/mono.npz").toStdString()),
                   stereo = arraysOf(m_folder.filePath("out/stereo.npz").toStdString());
        QVERIFY(mono.at("encoder_output").bytes == stereo.at("encoder_output").bytes); // the mean of equal channels
    }

    void fiftyMillisecondsAreAnalysed_data() { families(); }
    void fiftyMillisecondsAreAnalysed() {
        QFETCH(QString, family);
        const auto done = analysed(family, {write("short.wav", 0.05)});
        if (family == "ast-small") { // 3 frames, and a patch has 8
            QCOMPARE(done.status, 1);
            QVERIFY2(done.says("needs at least 8 frames (95.0 ms) for one token, but this recording has 3"), done.err.c_str());
            return;
        }
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto row = done.document()["utterances"][0];
        QVERIFY(row["tokens"].get<int>() >= 1);
        if (family.startsWith("wav2vec2-bert")) // the rows of `features`: three frames of 10 ms lie in two
            QCOMPARE(row["frames"].get<int>(), 2);
    }

    void centredFramesNeedNoMoreThanTheyHear() {
        for (const double seconds : {0.025, 0.035}) { // the first is too short for a frame too
            const auto done = analysed("espnet-e-branchformer", {write("short.wav", seconds)});
            QCOMPARE(done.status, 1);
            const QString said = QStringLiteral("needs at least 7 frames (48.0 ms) for one token, but this recording has %1")
                                     .arg(seconds < 0.03 ? 4 : 5);
            QVERIFY2(done.says(said.toStdString()), done.err.c_str());
        }
        const auto done = analysed("espnet-e-branchformer", {write("least.wav", 0.048)});
        QVERIFY2(done.status == 0, done.err.c_str());
        QCOMPARE(done.document()["utterances"][0]["tokens"].get<int>(), 1);
    }

    void sentencesCountFramesOfTenMilliseconds() {
        const auto described = runWorkerProgram({"describe", kEncoders + "wav2vec2-bert-small", "--json"}).document();
        const auto limit = 2 * described["model"]["maxSourceFrames"].get<std::int64_t>(); // rows of two frames
        const double seconds = static_cast<double>(limit) / 100;
        const auto done = analysed("wav2vec2-bert-small", {write("long.wav", seconds + 1)});
        const QString said = QString::fromStdString(done.err).remove(',');
        QVERIFY2(said.contains(QStringLiteral("accepts at most %1 frames").arg(limit)), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("this recording has %1 (").arg(limit + 98)), qPrintable(said));
    }

    void lessThanTheReceptiveFieldIsRefused() {
        const QString little = write("click.wav", 0.02), good = write("good.wav", 0.5);
        for (const char* family : {"wav2vec2", "hubert-batch-norm", "wavlm", "data2vec-audio", "wav2vec2-bert-small"}) {
            const auto done = analysed(family, {little, good});
            QCOMPARE(done.status, 1); // the other recording is done all the same
            const auto rows = done.document()["utterances"];
            const std::string error = rows[0]["error"].get<std::string>();
            QVERIFY2(error.find("click.wav") != std::string::npos && error.find(" ms") != std::string::npos,
                     error.c_str());
            QVERIFY(rows[1]["error"].is_null());
        }
    }

    void thirtySecondsAreWhispersLimit() {
        const auto done = analysed("whisper-small", {write("long.wav", 31)});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("whisper-small reads a window of 30") && done.says("31.0") &&
                     done.says("Select a part of it with --from and --to."),
                 done.err.c_str());
    }

    void tenMinutesAreWrittenWindowByWindow() {
        const QString file = write("ten.wav", 600);
        const auto done = runWorkerProgram({"transcribe", "--model", kEncoders + "whisper-small", file, "--window", "30",
                                            "--overlap", "2", "--max-tokens", "4", "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto windows = done.document()["utterances"][0]["windows"];
        QCOMPARE(windows.size(), std::size_t(22)); // 0 - 30, 28 - 58 … 588 - 600
        for (std::size_t i = 0; i < windows.size(); ++i) {
            QCOMPARE(windows[i]["start"].get<double>(), 28.0 * static_cast<double>(i));
            QCOMPARE(windows[i]["end"].get<double>(), std::min(28.0 * static_cast<double>(i) + 30, 600.0));
        }
        const auto whole = runWorkerProgram({"transcribe", "--model", kEncoders + "whisper-small", file});
        QCOMPARE(whole.status, 1);
        QVERIFY2(whole.says("a window of 30 s, and the recording has 600.00 s. Transcribe it in windows, with "
                            "--window 30."),
                 whole.err.c_str()); // of options that transcribe has
        const auto wide =
            runWorkerProgram({"transcribe", "--model", kEncoders + "whisper-small", file, "--window", "60"});
        QVERIFY2(wide.says("Choose a shorter window, such as --window 30."), wide.err.c_str());
    }

    void tenMinutesThatDoNotFitAreRefusedWithBothNumbers() {
        const QString model =
            m_folder.filePath("many-heads"); // 16 heads of one channel, for maps that no memory holds
        std::filesystem::copy((kEncoders + "wav2vec2").toStdString(), model.toStdString());
        auto config = nlohmann::json::parse(std::ifstream((model + "/config.json").toStdString()));
        config["num_attention_heads"] = 16;
        std::ofstream((model + "/config.json").toStdString()) << config.dump();
        const QString file = write("ten.wav", 600), minute = write("minute.wav", 52);
        const auto analysis = [&](const QString& audio) {
            return runWorkerProgram(
                {"analyse", "--model", model, audio, "--out", m_folder.filePath("out"), "--json"});
        };
        // A minute fits, and what it takes is said before.
        const auto fits = analysis(minute);
        QVERIFY2(fits.status == 0, fits.err.c_str());
        const QRegularExpression said(
            "Analysing 52\\.000 s takes [0-9.]+ GB of memory; [0-9.]+ GB is free\\.");
        QVERIFY2(said.match(QString::fromStdString(fits.err)).hasMatch(), fits.err.c_str());
        const auto done = analysis(file);
        const std::string error = done.document()["utterances"][0]["error"].is_string()
                                      ? done.document()["utterances"][0]["error"].get<std::string>()
                                      : std::string();
        if (error.empty())
            QSKIP("this machine has memory for 16 maps of 30,000 tokens");
        QCOMPARE(done.status, 1);
        const auto both = QRegularExpression("Analysing 600\\.000 s needs ([0-9.]+) GB of memory, but only "
                                             "([0-9.]+) GB is free\\. Select a part")
                              .match(QString::fromStdString(error));
        QVERIFY2(both.hasMatch(), error.c_str());
        QVERIFY(both.captured(1).toDouble() >
                16 * 4 * 29'999.0 * 29'999.0 / 1e9); // the maps of one layer at least
        QVERIFY(both.captured(1).toDouble() > both.captured(2).toDouble());
    }

    void anAstsLimitIsItsWindow() {
        const auto done = analysed("ast-small", {write("long.wav", 1)});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("a window of 0.50 s") && done.says("1.00 s") && done.says("Select a part of it"), done.err.c_str());
    }

    /// A study measures whole recordings.
    void aStudyDoesNotAdviseToSelectAPart() {
        const auto done = runWorkerProgram({"study", "windows", "--model", kEncoders + "ast-small", "--audio", write("long.wav", 1), "--out",
                                            m_folder.filePath("study"), "--cache", m_folder.filePath("cache")});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("a window of 0.50 s") && done.says("1.00 s") && !done.says("Select a part"), done.err.c_str());
    }

    void whisperTakesLanguageAndTask() {
        const QString model = kEncoders + "whisper-small", audio = kEncoders + "audio/short.wav";
        const auto said = [&](const QStringList& options) {
            const auto done = transcribed(model, audio, QStringList{"--json"} + options);
            return done.status == 0 ? done.document()["utterances"][0]["hypotheses"][0] : nlohmann::json(done.err);
        };
        const auto heard = said({}), german = said({"--language", "de"}), english = said({"--language", "en"});
        QVERIFY2(heard.is_object() && heard["language"].is_string(), heard.dump().c_str());
        QCOMPARE(keysOf(heard), (std::set<std::string>{"text", "ids", "score", "tokenScores", "language"}));
        QCOMPARE(german["language"].get<std::string>(), std::string("de"));
        QVERIFY(said({"--language", heard["language"].get<std::string>().c_str()}) == heard);
        QVERIFY(said({"--language", "en", "--task", "translate"})["ids"] != english["ids"]);
        QVERIFY(said({"--language", "de", "--task", "transcribe"}) == german);
    }

    /// Cut anew, its text has more than twice as many pieces, which are too many for it.
    void wordsOfWhisperFollowThePiecesThatItWrote() {
        const auto done = transcribed(kEncoders + "whisper-small", kEncoders + "audio/short.wav", {"--json", "--alignment"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto words = done.document()["utterances"][0]["hypotheses"][0]["words"];
        QVERIFY2(words.is_array() && !words.empty(), done.err.c_str());
        QCOMPARE(words[0]["start"].get<double>(), 0.0);
        QVERIFY(words.back()["end"].get<double>() > 0);
    }

    void theLanguageChangesTheText() { // our own random model's best tokens do not depend on it
        if (sharedData().empty())
            QSKIP(kNoSharedData);
        const auto model = sharedData() / "parity/encoders/whisper-80";
        const auto in = [&](const char* language) {
            const auto done = transcribed(QString::fromStdString(model.string()),
                                          kEncoders + "audio/short.wav", {"--json", "--language", language});
            return done.status == 0 ? done.document()["utterances"][0]["hypotheses"][0]["ids"] : nlohmann::json();
        };
        QVERIFY(in("de").is_array());
        QVERIFY(in("de") != in("fr"));
    }

    void whatAModelLacksIsSaid() {
        const QString whisper = kEncoders + "whisper-small", audio = kEncoders + "audio/short.wav";
        const auto says = [&](const QString& model, const QStringList& options, int status, const char* what) {
            const auto done = transcribed(model, audio, options);
            QVERIFY2(done.status == status && done.says(what), done.err.c_str());
        };
        says(whisper, {"--language", "xx"}, 1, "This model has no language “xx”; it has de, en.");
        says(whisper, {"--task", "sing"}, 2, "--task");
        says(whisper, {"--language", "de", "--beam", "3"}, 1, "greedy decoding only");
        says(kModel, {"--language", "en"}, 1, "This model has no language tokens");
        says(kModel, {"--task", "translate"}, 1, "This model only transcribes");
        says(kModel, {"--timestamps"}, 1, "This model has no time tokens.");
        says(kEncoders + "wav2vec2", {"--timestamps"}, 1, "has no decoder, so --language, --task and --timestamps");
    }

    void languagesWithAdaptersAreChosen() {
        const QString model = m_folder.filePath("many-languages"), audio = kEncoders + "audio/short.wav";
        writeMadeAdapters(model.toStdString());
        const auto idsIn = [&](const QStringList& options) {
            const auto done = transcribed(model, audio, QStringList{"--json"} + options);
            const auto document = done.status == 0 ? done.document() : nlohmann::json(done.err);
            return std::pair(document.value("/language"_json_pointer, nlohmann::json()),
                             done.status == 0 ? document["utterances"][0]["hypotheses"][0]["ids"] : document);
        };
        const auto own = idsIn({}), english = idsIn({"--language", "eng"}),
                   other = idsIn({"--language", "xyz"});
        QVERIFY(own.first.is_null() && english.first == "eng" && other.first == "xyz");
        QVERIFY2(own.second.is_array() && own.second == english.second && other.second.is_array() &&
                     other.second != own.second,
                 other.second.dump().c_str());
        const auto unknown = transcribed(model, audio, {"--language", "fr"});
        QVERIFY2(unknown.status == 1 &&
                     unknown.says("no adapters of the language “fr”; it has those of eng, xyz."),
                 unknown.err.c_str());

        const auto analysedIn = [&](const QString& name, const QStringList& options) {
            return runWorkerProgram(QStringList{"analyse", "--model", name, audio, "--out",
                                                m_folder.filePath("in-language"), "--json"} +
                                    options);
        };
        const auto analysis = analysedIn(model, {"--language", "xyz"});
        QVERIFY2(analysis.status == 0 && analysis.document()["language"] == "xyz", analysis.err.c_str());
        const auto arrays = arraysOf(m_folder.filePath("in-language/short.npz").toStdString());
        const auto& ids = arrays.at("ctc_ids");
        std::vector<std::int32_t> labels(static_cast<std::size_t>(ids.shape[0]));
        std::memcpy(labels.data(), ids.bytes.data(), ids.bytes.size());
        QVERIFY(std::all_of(labels.begin(), labels.end(), [](std::int32_t id) { return id < kMadeLabels; }));
        const auto none = analysedIn(kEncoders + "wav2vec2", {"--language", "eng"});
        QVERIFY2(none.status == 1 && none.says("--language chooses adapters"), none.err.c_str());
        // Of Whisper it is what the decoder is told.
        QVERIFY(analysedIn(kEncoders + "whisper-small", {"--language", "de"}).says("With --decoder"));
        std::set<std::vector<std::byte>> prompts;
        for (const char* language : {"de", "en"}) {
            const auto told = analysedIn(kEncoders + "whisper-small", {"--decoder", "--language", language});
            QVERIFY2(told.status == 0, told.err.c_str());
            prompts.insert(arraysOf(m_folder.filePath("in-language/short.npz").toStdString())
                               .at("decoder.inputs")
                               .bytes);
        }
        QCOMPARE(prompts.size(), std::size_t(2));
    }

    void transducersWriteText_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"parakeet-tdt", "parakeet-rnnt"})
            QTest::newRow(folder) << folder;
    }
    void transducersWriteText() {
        QFETCH(QString, folder);
        const QString model = kEncoders + folder, audio = kEncoders + "audio/demo.wav";
        const auto expected =
            nlohmann::json::parse(std::ifstream((model + "/expected/expected.json").toStdString()));
        const auto done = transcribed(model, audio, {"--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto one = done.document()["utterances"][0]["hypotheses"][0];
        QVERIFY2(one["ids"] == expected["ids"] && one["text"] == expected["text"], one.dump().c_str());
        const auto searched = transcribed(model, audio, {"--beam", "3"});
        QVERIFY2(searched.status == 1 && searched.says("can only be decoded greedily"), searched.err.c_str());
    }

    void whisperSaysTimes() {
        if (sharedData().empty())
            QSKIP(kNoSharedData);
        const auto folder = sharedData() / "parity/encoders/whisper-128";
        const auto expected =
            nlohmann::json::parse(std::ifstream(folder / "expected/expected.json"))["decoder_with_times"];
        const QString model = QString::fromStdString(folder.string()),
                      audio = QString::fromStdString((folder / "../audio/short.wav").string());
        const QStringList options{"--language", "en", "--timestamps", "--max-tokens", "11"};
        const auto done = transcribed(model, audio, options + QStringList{"--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto one = done.document()["utterances"][0]["hypotheses"][0];
        const auto prompt = expected["prompt"].size();
        const std::vector<int> all = expected["ids"];
        QVERIFY2(one["ids"] == std::vector<int>(all.begin() + static_cast<std::ptrdiff_t>(prompt), all.end()),
                 one.dump().c_str());
        QCOMPARE(one["segments"][0]["start"].get<double>(), 0.48); // 6<|4.50|><|5.72|>n<|12.04|><|22.50|> m8M
        QCOMPARE(one["segments"][0]["end"].get<double>(), 4.5);
        QCOMPARE(one["segments"][0]["text"].get<std::string>(), std::string("6"));
        QVERIFY(one["segments"].back()["end"].is_null());
        const auto line = transcribed(model, audio, options);
        QVERIFY2(line.out.starts_with("short\t[0.48 - 4.50] 6 [5.72 - 12.04] n [22.50 -] m8M"), line.out.c_str());
    }
};

HEADROOM_TEST(FamilySoundTest)

} // namespace headroom::testing::family_sound_test

#include "family_sound_test.moc"
