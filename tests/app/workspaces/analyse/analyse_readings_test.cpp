// SPDX-License-Identifier: GPL-3.0-or-later
// The pure parts of Analyse: how numbers are written, where the keys go, what is known at a moment.
#include "app/parts/number_text.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/common/model_frames.h"
#include "app/workspaces/analyse/map/read_out.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/sound/token_walk.h"
#include "core/architecture/edits.h"
#include "tests/app/workspaces/analyse/sample_result.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::analyse_readings_test {

using namespace headroom::app;

namespace {

const std::vector<Interval> kWords{{Seconds(0), Seconds(0.4), ""},
                                   {Seconds(0.4), Seconds(0.9), "let"},
                                   {Seconds(0.9), Seconds(1.2), "me"},
                                   {Seconds(1.2), Seconds(2), ""}};

OpenUtterance utteranceOf(double seconds) {
    OpenUtterance utterance;
    utterance.id = UtteranceId(1);
    Recording recording;
    recording.samples.resize(std::size_t(seconds * 16000));
    utterance.recording = std::make_shared<const Recording>(std::move(recording));
    utterance.logMel = std::make_shared<const Matrix<float>>(std::size_t(seconds * 100), 80);
    Alignment alignment;
    alignment.words = kWords;
    utterance.alignment = std::make_shared<const Alignment>(alignment);
    return utterance;
}

} // namespace

class AnalyseReadingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreWrittenAsTheHouseWritesThem() {
        QCOMPARE(secondsInList(Seconds(9.655)), QStringLiteral("9.66\u202fs")); // 965.4999… hundredths
        QCOMPARE(secondsText(Seconds(4.0525)), QStringLiteral("4.053\u202fs"));
        QCOMPARE(secondsText(Seconds(4.0925)), QStringLiteral("4.093\u202fs"));
        QCOMPARE(offsetText(1, Seconds(4.0525 - 4.04)), QStringLiteral("+1 token, +13\u202fms"));
        QCOMPARE(secondsText(Seconds(2.42)), QStringLiteral("2.420\u202fs"));
        QCOMPARE(secondsInList(Seconds(3.128)), QStringLiteral("3.13\u202fs"));
        QCOMPARE(secondsInList(Seconds(0.625)), QStringLiteral("0.63\u202fs")); // as its messages say it
        QCOMPARE(secondsInListBare(Seconds(-0.0125)), QStringLiteral("−0.01")); // the first token of Whisper begins there
        QCOMPARE(secondsInList(Seconds(NAN)), QStringLiteral("–\u202fs"));
        QCOMPARE(offsetText(3, Seconds(0.12)), QStringLiteral("+3 tokens, +120\u202fms"));
        QCOMPARE(offsetText(-1, Seconds(-0.04)), QStringLiteral("\u22121 token, \u221240\u202fms"));
        QCOMPARE(offsetText(-1200, Seconds(-48)), QStringLiteral("\u22121,200 tokens, \u221248,000\u202fms"));
        QCOMPARE(signedWhole(1480.2), QStringLiteral("+1,480"));
        QCOMPARE(signedWhole(0.4), QStringLiteral("0"));
        QCOMPARE(offsetText(0, Seconds(0)), QStringLiteral("0 tokens, 0\u202fms"));
        QCOMPARE(smallNumber(1.23e-7), QStringLiteral("1.2e\u22127"));
        QCOMPARE(decimals(NAN, 3), QStringLiteral("–"));
        QCOMPARE(decimals(-0.0004, 3), QStringLiteral("0.000"));
        QCOMPARE(thousands(1240), QStringLiteral("1,240"));
        QCOMPARE(decimalBytes(11.8e9), QStringLiteral("11.8\u202fGB"));
        QCOMPARE(decimalBytes(200'000), QStringLiteral("0.2\u202fMB"));
        QCOMPARE(decimalBytes(20'000), QStringLiteral("20.0\u202fkB"));
    }

    void layersOfOtherKindsAreSaidByTheirKinds() {
        QCOMPARE(otherKinds(parseHeads("4 full")), QString());
        QCOMPARE(otherKinds(parseHeads("4 local 17")), QString());
        QCOMPARE(otherKinds(parseHeads("2 full + 2 local 17")), QStringLiteral("full + local 17"));
        QCOMPARE(otherKinds(parseHeads("2 local 64 block + 2 conv 5/2")), QStringLiteral("block 64 + conv"));
        QCOMPARE(otherKinds(parseHeads("2 local 17 smoothed + 2 conv 5/2")),
                 QStringLiteral("local 17 + conv"));
        QCOMPARE(otherKinds(parseHeads("4 reuse 1")), QStringLiteral("reuse 1"));
        QCOMPARE(otherKinds(parseHeads("4 masked")), QStringLiteral("masked"));
        QCOMPARE(otherKinds(parseHeads("4 masked 17")), QString()); // a window like any other
        QCOMPARE(otherKinds(parseHeads("2 masked 17 + 2 masked")), QStringLiteral("masked 17 + masked"));
        QVERIFY(takesWindow(parseHeads("2 full + 2 conv 5/2")));
        QVERIFY(!takesWindow(parseHeads("4 reuse 1")));
        QVERIFY(!takesWindow(parseHeads("2 local 64 block + 2 conv 5/2")));
    }

    void theCursorStepsFromTokenToTokenAndStopsAtTheEnds() {
        const TokenClock clock = TokenClock::affine(Seconds(0.0125), Seconds(0.04));
        const Seconds extent(1);
        QCOMPARE(steppedByToken(Seconds(0.02), 1, clock, Tokens(20), extent), clock.centre(Tokens(1)));
        QCOMPARE(steppedByToken(Seconds(0.02), -5, clock, Tokens(20), extent), clock.centre(Tokens(0)));
        QCOMPARE(steppedByToken(Seconds(0.02), 1000, clock, Tokens(20), extent), clock.centre(Tokens(19)));
        // Without a model: 40 ms at a time.
        QCOMPARE(steppedByToken(Seconds(0.5), 1, clock, Tokens(0), extent), Seconds(0.54));
        QCOMPARE(steppedByToken(Seconds(0.99), 1, clock, Tokens(0), extent), extent);
    }

    void theCursorStepsFromWordToWordOverSilence() {
        const Seconds extent(2);
        QCOMPARE(steppedByWord(Seconds(0), 1, kWords, extent), Seconds(0.4));
        QCOMPARE(steppedByWord(Seconds(0.4), 1, kWords, extent), Seconds(0.9));
        QCOMPARE(steppedByWord(Seconds(1), 1, kWords, extent), extent);
        QCOMPARE(steppedByWord(Seconds(1), -1, kWords, extent), Seconds(0.9));
        QCOMPARE(steppedByWord(Seconds(0.4), -1, kWords, extent), Seconds(0));
    }

    void theReadOutKnowsBothTokensTheirValueAndItsRank() {
        Matrix<float> map(50, 50, 0.01F);
        map(10, 13) = 0.3F;
        map(10, 4) = 0.4F;
        const AnalysisResult result = sampleResult(map);
        const OpenUtterance utterance = utteranceOf(2);
        const ReadOut at =
            readOutAt(&utterance, &result, result.layers[0].map({}), {}, Seconds(0.4125), Seconds(0.5325));
        QCOMPARE(at.cursor.token, std::optional<std::int64_t>(10));
        QCOMPARE(at.pointer.token, std::optional<std::int64_t>(13));
        QCOMPARE(at.offsetTokens, std::optional<std::int64_t>(3));
        QCOMPARE(at.cursor.frame, std::optional<std::int64_t>(40));
        QCOMPARE(at.cursor.word, QStringLiteral("let"));
        QCOMPARE(at.value, std::optional<float>(0.3F));
        QCOMPARE(at.rank, std::optional<std::int64_t>(2));
        QCOMPARE(at.keys, 50);
        QVERIFY(asTable(linesOf(at)).contains(QStringLiteral("Contribution\t0.300000012")));
    }

    void twoMapsAreNamedInTheReadOut() {
        Matrix<float> map(50, 50, 0.01F);
        map(10, 13) = 0.25F;
        const AnalysisResult result = sampleResult(map);
        const OpenUtterance utterance = utteranceOf(2);
        ReadOut at = readOutAt(&utterance, &result, result.layers[0].map({}), {}, Seconds(0.4125), Seconds(0.5325));
        at.mapName = QStringLiteral("A");
        at.beside = {QStringLiteral("A − B"), 0.125F};
        QVERIFY2(asTable(linesOf(at)).contains(QStringLiteral("Contribution, A\t0.25\nRank in row, A\t1 of 50\nA − B\t0.125\n")), qPrintable(asTable(linesOf(at))));
        at.beside->value.reset();
        QVERIFY(asTable(linesOf(at)).contains(QStringLiteral("A − B\t–\n")));
    }

    /// It counted those of the spectrogram, whatever the model reads.
    void framesAreThoseOfTheModel() {
        const OpenUtterance utterance = utteranceOf(2);
        const auto frameAt = [&](const Architecture::FrontEnd* frontEnd, double seconds) {
            return readOutAt(&utterance, nullptr, nullptr, {}, Seconds(seconds), {}, frontEnd).cursor.frame;
        };
        Architecture::FrontEnd kaldi, whisper, waveform, stacked;
        whisper.reads = InputKind::WhisperLogMel;
        stacked.reads = InputKind::StackedKaldiLogMel;
        waveform.reads = InputKind::Waveform;
        QCOMPARE(modelFrames(&utterance, &kaldi)->count, Frames(198));
        QCOMPARE(modelFrames(&utterance, &whisper)->count, Frames(200)); // without the silence after it
        QVERIFY(!modelFrames(&utterance, &waveform));
        QCOMPARE(modelFrames(&utterance, &stacked)->count, Frames(198)); // not its 99 rows of two
        QCOMPARE(frameAt(&stacked, 1.2725), std::optional<std::int64_t>(126));
        QCOMPARE(modelFrames(&utterance, nullptr)->count, Frames(200)); // of the spectrogram
        QCOMPARE(frameAt(&kaldi, 1.2725), std::optional<std::int64_t>(126));
        QCOMPARE(frameAt(&whisper, 1.27), std::optional<std::int64_t>(127)); // frame f is around 10 f ms
        QCOMPARE(frameAt(&waveform, 1.27), std::nullopt);
    }

    void oneTokenIsNoTokens() {
        ReadOut at;
        at.isText = true;
        for (const auto& [offset, text] : {std::pair(1, "+1 token"), std::pair(-1, "−1 token"), std::pair(0, "0 tokens"), std::pair(2, "+2 tokens")}) {
            at.offsetTokens = offset;
            const auto lines = linesOf(at);
            QVERIFY(std::ranges::any_of(lines, [&](const ReadOutLine& line) { return line.value == QString::fromUtf8(text); }));
        }
    }

    void theFieldEndsWithTheRecording() {
        AnalysisResult result = sampleResult(Matrix<float>(50, 50, 0.02F));
        result.frames = Frames(200);
        Architecture architecture; // centred frames reach 12.5 ms beyond both ends
        architecture.frontEnd.reads = InputKind::WhisperLogMel;
        architecture.encoder.layers = {{parseHeads("4 local 3")}};
        const OpenUtterance utterance = utteranceOf(2);
        const ReceptiveField field(architecture.encoder, 50);
        const auto heardAt = [&](Seconds cursor) {
            const ReadOut at = readOutAt(&utterance, &result, nullptr, {}, cursor, {}, &architecture.frontEnd);
            return reachAt(at, architecture, field, 1, result, utterance.duration())->heard;
        };
        QCOMPARE(heardAt(Seconds(0)).start, Seconds(0));
        QVERIFY(std::abs(heardAt(Seconds(0)).end.value() - 0.1125) < 1e-9); // token 1 reads frames −2 to 10
        QCOMPARE(heardAt(Seconds(2)).end, Seconds(2));
        // Sums of steps are not shown to the last bit: "14.984999999999999 s".
        ReadOut readOut = readOutAt(&utterance, &result, nullptr, {}, Seconds(0.1), {}, &architecture.frontEnd);
        readOut.reach = reachAt(readOut, architecture, field, 1, result, utterance.duration());
        readOut.reach->heard = {Seconds(0), Seconds(std::nextafter(14.985, 0))};
        const QString copied = asTable(linesOf(readOut));
        QVERIFY2(copied.contains(QStringLiteral("(0 s to 14.985 s)")), qPrintable(copied));
    }

    void aSilenceIsOneByAnyLabel() {
        OpenUtterance utterance = utteranceOf(2);
        for (const char* label : {"", "sil", "sp"}) {
            Alignment alignment = *utterance.alignment;
            alignment.phones = {{Seconds(0), Seconds(0.4), label}};
            utterance.alignment = std::make_shared<const Alignment>(alignment);
            const auto lines = linesOf(readOutAt(&utterance, nullptr, nullptr, {}, Seconds(0.2), {}));
            const auto found = std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.label == QStringLiteral("Word, phone"); });
            QVERIFY(found != lines.end());
            QCOMPARE(found->value, QStringLiteral("silence"));
        }
    }

    /// The word of a text without spaces covered its label and was cut at its left end.
    void aLongValueEndsWithDots() {
        widgets::Theme::apply(QStringLiteral("light"));
        const ReadOutLine line{QStringLiteral("Word"), QString(80, QLatin1Char('v')), {}, true};
        const auto shown = ReadOutPanel::shown(line, 200);
        QCOMPARE(shown.label, QStringLiteral("Word"));
        QVERIFY2(shown.value.endsWith(QStringLiteral("…")) && shown.value.size() > 8, qPrintable(shown.value));
    }

    /// In the narrowest panel, at 1280 × 720, "+52 tokens, +2,080 ms" left no room for its label.
    void aLongOffsetLeavesItsLabelWhole() {
        widgets::Theme::apply(QStringLiteral("light"));
        const AnalysisResult result = sampleResult(Matrix<float>(100, 100, 0.01F));
        const OpenUtterance utterance = utteranceOf(4);
        const ReadOut at = readOutAt(&utterance, &result, result.layers[0].map({}), {}, Seconds(0.4125), Seconds(2.4925));
        const int narrow = qRound(21 * widgets::Sizes::unit());
        for (const ReadOutLine& line : linesOf(at)) {
            const auto shown = ReadOutPanel::shown(line, narrow);
            QCOMPARE(shown.label, line.label);
            QCOMPARE(ReadOutPanel::shown(line, 2 * narrow).value, line.value);
            if (line.label == QLatin1String("Offset")) {
                QCOMPARE(line.value, QStringLiteral("+52 tokens, +2,080") + QChar(0x202F) + QStringLiteral("ms"));
                QCOMPARE(shown.value, QStringLiteral("+52, +2,080") + QChar(0x202F) + QStringLiteral("ms"));
            }
        }
    }

    /// "Cursor …  The, token 0": a label is whole or a shorter one.
    void labelsOfATextAreWholeInTheNarrowestPanel() {
        widgets::Theme::apply(QStringLiteral("light"));
        ReadOut at;
        at.isText = true;
        at.cursor.token = at.pointer.token = 25;
        at.cursor.piece = at.pointer.piece = QStringLiteral("picture");
        at.valueName = QStringLiteral("Contribution");
        at.reach = Reach{};
        at.reach->layer = 1;
        at.reach->everything = true;
        const int narrow = qRound(21 * widgets::Sizes::unit());
        for (const ReadOutLine& line : linesOf(at)) {
            const auto shown = ReadOutPanel::shown(line, narrow);
            QVERIFY2(!shown.label.contains(QChar(0x2026)), qPrintable(shown.label));
            QCOMPARE(ReadOutPanel::shown(line, 3 * narrow).label, line.label);
            QCOMPARE(ReadOutPanel::shown(line, 3 * narrow).value, line.value);
        }
    }

    void aPatchHasATimeAndABand() {
        Architecture::FrontEnd frontEnd; // 12 bands every 100 ms
        frontEnd.kind = FrontEndKind::Patches;
        frontEnd.reads = InputKind::AstLogMel;
        frontEnd.features = 128;
        frontEnd.kernels = {16};
        frontEnd.strides = {10};
        frontEnd.frequencyStride = 10;
        AnalysisResult result = sampleResult(Matrix<float>(48, 48, 1.0F / 48));
        result.clock = frontEnd.clock();
        const OpenUtterance utterance = utteranceOf(2);
        // Cells of 100 / 12 ms: the sixth of column 1, and the first of column 3.
        const ReadOut at = readOutAt(&utterance, &result, result.layers[0].map({}), {}, result.clock.cellCentre(Tokens(17)),
                                     result.clock.cellCentre(Tokens(36)), &frontEnd);
        QCOMPARE(at.cursor.token, std::optional<std::int64_t>(17));
        QCOMPARE(at.cursor.band, QStringLiteral("6 of 12, 1,191 to 1,927 Hz"));
        QCOMPARE(at.pointer.band, QStringLiteral("1 of 12, 20 to 300 Hz"));
        QCOMPARE(at.offsetTokens, std::optional<std::int64_t>(19));
        QVERIFY(std::abs(at.offset->value() - 0.2) < 1e-9); // two columns
        QVERIFY(asTable(linesOf(at)).contains(QStringLiteral("Band\t6 of 12, 1,191 to 1,927 Hz")));
        QCOMPARE(readOutAt(&utterance, &result, nullptr, {}, result.clock.cellCentre(Tokens(17)), {}).cursor.band,
                 QStringLiteral("6 of 12")); // imported maps
        QCOMPARE(linesOf(at).size(), linesOf(readOutAt(nullptr, nullptr, nullptr, {}, {}, {})).size() + 2);
    }

    void theCursorStepsFromPatchToPatch() {
        const TokenClock clock(FrameClock(), {{16, 10, 0}}, 12);
        Seconds at = clock.cellCentre(Tokens(9));
        for (std::int64_t token = 10; token < 30; ++token) {
            at = steppedByToken(at, 1, clock, Tokens(48), Seconds(2));
            QCOMPARE(clock.tokenAt(at, Tokens(48)), Tokens(token));
        }
    }

    void outsideAnAnalysedPartThereIsNoToken() {
        const AnalysisResult result =
            sampleResult(Matrix<float>(10, 10, 0.1F), Part{Seconds(1), Seconds(1.4)}, Seconds(1));
        const OpenUtterance utterance = utteranceOf(2);
        QVERIFY(readOutAt(&utterance, &result, nullptr, {}, Seconds(1.1), {}).cursor.token.has_value());
        QVERIFY(!readOutAt(&utterance, &result, nullptr, {}, Seconds(0.5), {}).cursor.token.has_value());
        QVERIFY(!readOutAt(&utterance, &result, nullptr, {}, Seconds(1.9), {}).cursor.token.has_value());
        // The first cell of a large patch lies behind the start of the part, from which the cursor began it.
        const AnalysisResult later = sampleResult(Matrix<float>(5, 5, 0.1F), Part{Seconds(1), Seconds(1.4)}, Seconds(1.1));
        QCOMPARE(readOutAt(&utterance, &later, nullptr, {}, Seconds(1), {}).cursor.token, std::optional<std::int64_t>(0));
        QVERIFY(!readOutAt(&utterance, &later, nullptr, {}, Seconds(0.99), {}).cursor.token.has_value());
    }

    /// "112, 12": the frame was counted in the recording, the token in the selection.
    void framesAndTokensOfASelectionAreCountedInIt() {
        OpenUtterance utterance = utteranceOf(2);
        utterance.part = Part{Seconds(1), Seconds(1.4)};
        const AnalysisResult result = sampleResult(Matrix<float>(10, 10, 0.1F), utterance.part, Seconds(1));
        const Architecture::FrontEnd kaldi;
        for (const auto* frontEnd : {&kaldi, static_cast<const Architecture::FrontEnd*>(nullptr)}) { // of the model, of the spectrogram
            QCOMPARE(modelFrames(&utterance, frontEnd, utterance.part)->count, Frames(38));
            const ReadOut at = readOutAt(&utterance, &result, nullptr, {}, Seconds(1.1325), {}, frontEnd);
            QCOMPARE(at.cursor.token, std::optional<std::int64_t>(3));
            QCOMPARE(at.cursor.frame, std::optional<std::int64_t>(12));
            QVERIFY(asTable(linesOf(at)).contains(QStringLiteral("Frame, token in selection\t12, 3\n")));
            QCOMPARE(readOutAt(&utterance, &result, nullptr, {}, Seconds(0.5), {}, frontEnd).cursor.frame, std::nullopt);
            QCOMPARE(readOutAt(&utterance, nullptr, nullptr, {}, Seconds(1.1325), {}, frontEnd).cursor.frame, std::optional<std::int64_t>(12));
        }
        AnalysisResult imported = result;
        imported.imported.emplace(); // of the whole recording, whatever is selected
        const ReadOut whole = readOutAt(&utterance, &imported, nullptr, {}, Seconds(1.1325), {}, &kaldi);
        QCOMPARE(whole.cursor.frame, std::optional<std::int64_t>(112));
        QVERIFY(asTable(linesOf(whole)).contains(QStringLiteral("Frame, token\t112, ")));
    }

    void theVeryEndBelongsToTheLastLabel() {
        OpenUtterance utterance = utteranceOf(2);
        Alignment alignment;
        alignment.words = {{Seconds(0), Seconds(2), "all"}};
        alignment.phones = {{Seconds(0), Seconds(1), "a"}, {Seconds(1), Seconds(2), "sil"}};
        utterance.alignment = std::make_shared<const Alignment>(alignment);
        const ReadOut end = readOutAt(&utterance, nullptr, nullptr, {}, utterance.duration(), Seconds(1.99));
        QCOMPARE(end.cursor.word, QStringLiteral("all"));
        QCOMPARE(end.cursor.phone, end.pointer.phone);
    }

    void withNothingOpenEveryLineIsADash() {
        const ReadOut nothing = readOutAt(nullptr, nullptr, nullptr, {}, {}, {});
        for (const ReadOutLine& line : linesOf(nothing))
            QCOMPARE(line.value, QStringLiteral("–"));
    }
};

HEADROOM_TEST(AnalyseReadingsTest)

} // namespace headroom::testing::analyse_readings_test

#include "analyse_readings_test.moc"
