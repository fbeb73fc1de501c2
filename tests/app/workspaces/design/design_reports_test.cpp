// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/cost_report.h"
#include "app/workspaces/design/design_texts.h"
#include "app/workspaces/design/difference.h"
#include "app/workspaces/design/difference_panel.h"
#include "app/workspaces/design/presets.h"
#include "core/architecture/edits.h"
#include "core/architecture/language_layers.h"
#include "core/architecture/other_positions.h"
#include "widgets/curves/windows_model.h"
#include "core/analysis/windows.h"
#include "core/experiments/experiment.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <QFile>
#include <QTest>

#include <functional>

namespace headroom::testing::design_reports_test {

using namespace headroom::app;

namespace {

/// The heads after the suggested window of `window` tokens and this mean CL was used.
QString suggestedHeads(const char* heads, int window, double loss, double fullAbove = kFullAboveLoss) {
    widgets::WindowsRow row;
    row.suggested = window;
    row.lossMean = loss;
    const int used = row.suggestion(fullAbove).value_or(-1);
    return QString::fromStdString(
        toText(withWindow(parseHeads(heads), used > 0 ? std::optional(used) : std::nullopt)));
}

} // namespace

/// The pure parts of Design.
class DesignReportsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void presetsAreReadByPaper();
    void aPaperHasOneTitle();
    void aFileThatIsNoArchitectureIsSaid();
    void costsAreThoseOfCore();
    void tokensAndFramesAgree();
    void layersAreComparedWithTheSameLayerOfTheBaseline();
    void theCurveMeetsTheFigure();
    void aFixedWindowCostsTheSameAtEveryLength();
    void whatCannotBeCountedSaysWhy();
    void numbersAreWrittenAsTheHouseWritesThem();
    void theDifferenceNamesHeadsLayersAndTheRest();
    void everySettingIsADifference();
    void theRuleSeparatesAllPublishedRows_data() { testing::addGoldenFolders(); }
    void theRuleSeparatesAllPublishedRows();
    void suggestedHeadsLeaveOtherKindsAlone();
    void aSuggestionComesFromTheProfilesOfSeveralUtterances();

private:
    static Architecture preset(const char* file) {
        return readArchitecture(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/architectures" /
                                file);
    }
};

void DesignReportsTest::presetsAreReadByPaper() {
    QStringList mistakes;
    const auto presets =
        readPresets(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/architectures", &mistakes);
    QCOMPARE(mistakes, QStringList());
    QVERIFY(presets.size() >= 4);
    QCOMPARE(presets[0].name, QStringLiteral("S2T Transformer small")); // the baseline leads its paper
    for (const Preset& one : presets)
        QVERIFY2(!one.paper.isEmpty() && !titleOf(one.paper).isEmpty(), qPrintable(one.name));
    QStringList papers; // those that the program reproduces come first
    for (const Preset& one : presets)
        if (!papers.contains(one.paper))
            papers << one.paper;
    QCOMPARE(papers.mid(0, 4), (QStringList{QStringLiteral("Alastruey et al. 2022"), QStringLiteral("Sant et al. 2022"),
                                            QStringLiteral("Shim et al. 2022"), QStringLiteral("Lohrenz et al. 2022")}));
}

/// The presets may leave out its end, for the narrow list.
void DesignReportsTest::aPaperHasOneTitle() {
    int titles = 0;
    for (const auto& entry : std::filesystem::directory_iterator(HEADROOM_SOURCE_DIR "/resources/experiments")) {
        if (entry.path().extension() != ".json")
            continue;
        const QString paper = QString::fromStdString(readExperiment(entry.path()).paper); // "Name et al. year, title"
        const QString title = titleOf(paper.section(QStringLiteral(", "), 0, 0));
        if (title.isEmpty())
            continue;
        ++titles;
        QVERIFY2(paper.section(QStringLiteral(", "), 1).startsWith(title), qPrintable(paper));
    }
    QVERIFY(titles >= 4);
}

void DesignReportsTest::aFileThatIsNoArchitectureIsSaid() {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("bad.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{}");
    file.close();
    QStringList mistakes;
    QVERIFY(readPresets(folder.path().toStdString(), &mistakes).empty());
    QCOMPARE(mistakes.size(), 1);
    QVERIFY(mistakes[0].contains(QStringLiteral("bad.json")));
}

void DesignReportsTest::costsAreThoseOfCore() {
    const Architecture small = preset("s2t-small.json"), local = preset("locality-de.json");
    const CostReport report = costReport(local, 1000);
    QCOMPARE(report.parameters->parameters, 31'072'256);
    QCOMPARE(report.encoder->tokens, 1000);
    QCOMPARE(report.encoder->macs, encoderCosts(local, framesForTokens(local, 1000)).macs);
    QVERIFY(report.encoder->macs < costReport(small, 1000).encoder->macs);
    QVERIFY(report.sentence.isEmpty());
}

void DesignReportsTest::tokensAndFramesAgree() {
    const Architecture small = preset("s2t-small.json");
    for (const std::int64_t tokens : {1, 2, 7, 166, 1052})
        QCOMPARE(encoderCosts(small, framesForTokens(small, tokens)).tokens, tokens);
}

void DesignReportsTest::layersAreComparedWithTheSameLayerOfTheBaseline() {
    const Architecture small = preset("s2t-small.json"), local = preset("locality-de.json");
    const auto costs = layerShares(local, small, 1000);
    QCOMPARE(costs.size(), std::size_t(12));
    QCOMPARE(*costs[0].macs, 1.0);
    // A full layer: 4 N d² + 2 N d f + 2 N² d, of which attention is the last.
    const double n = 1000, d = 256, f = 2048, whole = 4 * n * d * d + 2 * n * d * f + 2 * n * n * d;
    QCOMPARE(*costs[0].attention, 2 * n * n * d / whole);
    const double pairs = n * 5 - 2 * 3; // window 5: two tokens on each side, cut at the ends
    QCOMPARE(*costs[3].macs, (4 * n * d * d + 2 * n * d * f + 2 * pairs * d) / whole);
    double sum = 0;
    for (const LayerShare& cost : costs)
        sum += *cost.attention * whole;
    QVERIFY(std::abs(sum - double(costReport(local, 1000).encoder->attentionMacs)) < 1);
    Architecture shorter = small;
    shorter.encoder.layers.resize(3);
    QVERIFY(!layerShares(local, shorter, 1000)[5].macs); // nothing to compare with
}

void DesignReportsTest::theCurveMeetsTheFigure() {
    const Architecture local = preset("locality-de.json");
    const CostCurve curve = costCurve(local, 2000, 20);
    QCOMPARE(curve.tokens.size(), std::size_t(21));
    QCOMPARE(curve.tokens[10], 1000.0);
    QCOMPARE(curve.macs[10], double(costReport(local, 1000).encoder->macs));
    const double bands = 5 + 5 + 9 + 13 + 11 + 15 + 19 + 17 + 21; // the windows, beside three full layers
    QCOMPARE(curve.mapBytes[10], 4.0 * 4 * 1000 * (3 * 1000 + bands));
    QVERIFY(std::is_sorted(curve.macs.begin(), curve.macs.end()));
    QVERIFY(*floorMacs(local, 1000) < costReport(local, 1000).encoder->macs);
    QCOMPARE(*floorMacs(local, 1000), *floorMacs(preset("s2t-small.json"), 1000));
}

/// Whisper fills every recording to 30 s: 1,500 tokens.
void DesignReportsTest::aFixedWindowCostsTheSameAtEveryLength() {
    const Architecture whisper = preset("whisper-small.json");
    QCOMPARE(fixedTokens(whisper), std::optional<std::int64_t>(1500));
    QVERIFY(!fixedTokens(preset("s2t-small.json")));
    const CostCurve curve = costCurve(whisper, 3000, 10);
    QCOMPARE(curve.tokens.front(), 1.0);
    QCOMPARE(curve.tokens.back(), 1500.0); // there is no longer one
    QVERIFY(std::is_sorted(curve.tokens.begin(), curve.tokens.end()));
    for (const double macs : curve.macs)
        QCOMPARE(macs, double(costReport(whisper, 1500).encoder->macs));
}

void DesignReportsTest::whatCannotBeCountedSaysWhy() {
    Architecture mixed = preset("s2t-small.json");
    mixed.encoder.layers[3].heads = parseHeads("2 full + 2 conv 5/2");
    QVERIFY(costReport(mixed, 1000).encoder);
    mixed.encoder.layers[4].heads = parseHeads("4 reuse 4");
    const CostReport report = costReport(mixed, 1000);
    QVERIFY(!report.parameters && !report.encoder);
    QVERIFY2(report.sentence.contains(QStringLiteral("layer 5, “4 reuse 4”: layer 4 has conv heads")),
             qPrintable(report.sentence));
    QVERIFY(costCurve(mixed, 1000, 10).macs.empty());
    QVERIFY(!layerShares(mixed, preset("s2t-small.json"), 1000)[3].macs);
}

void DesignReportsTest::numbersAreWrittenAsTheHouseWritesThem() {
    QCOMPARE(countText(31'072'256), QStringLiteral("31.07\u202FM"));
    QCOMPARE(countText(18'512'000'000), QStringLiteral("18.5\u202FG"));
    QCOMPARE(countText(812), QStringLiteral("812"));
    for (const auto& [share, text] : {std::pair(1.25, "+25\u202F%"), std::pair(1.002, "+0.2\u202F%"), std::pair(0.903, "\u22129.7\u202F%"),
                                          std::pair(1.0, "0")}) // what a layer costs more had no sign
        QCOMPARE(DifferencePanel::macsText(share), QString::fromUtf8(text));
    QCOMPARE(percentChange(79.1, 100), QStringLiteral("\u221220.9\u202F%"));
    QCOMPARE(percentChange(103, 100), QStringLiteral("+3.0\u202F%"));
    QCOMPARE(percentChange(100, 100), QStringLiteral("±0\u202F%"));
    QCOMPARE(percentChange(1'410'384, 1'410'000), QStringLiteral("+0.03\u202F%")); // what changed is not said to be unchanged
    QCOMPARE(percentChange(99'999'999, 100'000'000), QStringLiteral("\u2212<0.01\u202F%"));
    QCOMPARE(percentChange(1, 0), QStringLiteral("–"));
}

void DesignReportsTest::theDifferenceNamesHeadsLayersAndTheRest() {
    const Architecture small = preset("s2t-small.json");
    Architecture mine = preset("locality-de.json");
    QCOMPARE(differenceOf(small, small).sentence(), QStringLiteral("No difference"));
    QCOMPARE(differenceOf(small, mine).sentence(), QStringLiteral("36 of 48 heads differ in 9 layers"));
    QCOMPARE(differenceOf(small, mine).brief(), QStringLiteral("36 heads"));
    QCOMPARE(differenceOf(small, withPositions(mine, Positions::Rotary)).brief(), QStringLiteral("36 heads, 1 other difference"));
    QCOMPARE(differenceOf(small, withPositions(small, Positions::Rotary)).brief(), QStringLiteral("1 difference"));
    mine.encoder.layers[4].heads = parseHeads("4 reuse 4");
    mine.encoder.layers[5].heads = parseHeads("3 full + 1 local 9");
    mine.encoder.width = 128;
    const Difference difference = differenceOf(small, mine);
    QCOMPARE(difference.changedHeads, 33);
    QCOMPARE(difference.layers[5].changedHeads, 1);
    QCOMPARE(difference.sentence(),
             QStringLiteral("33 of 48 heads differ in 9 layers, 1 layer reuses a map, width 256 → 128"));
    QVERIFY(difference.asText().contains(QStringLiteral("layer 6: 4 full → 3 full + 1 local 9\n")));
    // Of heads that only one of both has, the whole holds them too.
    const Difference larger = differenceOf(preset("wav2vec2-base.json"), preset("locality-de.json"));
    QCOMPARE(larger.sentence().section(u',', 0, 0), QStringLiteral("132 of 144 heads differ in 12 layers"));
    QVERIFY(larger.other.contains(QStringLiteral("heads of a layer 12 → 4")));
    mine.encoder.layers.resize(2);
    QCOMPARE(differenceOf(small, mine).layers.size(), std::size_t(12));
    mine.decoder->layers = 1;
    QVERIFY(differenceOf(small, mine).sentence().contains(QStringLiteral("→ 1 layer, width")));
    QVERIFY(decoderText(mine).startsWith(QStringLiteral("1 layer, width")));
}

/// "No difference" stood beside another number of parameters.
void DesignReportsTest::everySettingIsADifference() {
    const Architecture small = preset("s2t-small.json");
    const std::pair<const char*, std::function<void(Architecture&)>> settings[] = {
        {"projection", [](auto& one) { one.frontEnd.projection = true; }},
        {"normalised", [](auto& one) { one.frontEnd.normalised = false; }},
        {"scaled", [](auto& one) { one.frontEnd.scaled = false; }},
        {"cmvn", [](auto& one) { one.frontEnd.cmvn = GlobalCmvn{{0}, {1}}; }},
        {"keyBias", [](auto& one) { one.encoder.keyBias = false; }},
        {"outputBias", [](auto& one) { one.encoder.outputBias = false; }},
        {"feedForwardBias", [](auto& one) { one.encoder.feedForwardBias = false; }},
        {"inputNorm", [](auto& one) { one.encoder.inputNorm = true; }},
        {"normEpsilon", [](auto& one) { one.encoder.normEpsilon = 1e-6; }},
        {"intermediate", [](auto& one) { one.intermediateFeedForward = true; }},
        {"decoder's activation", [](auto& one) { one.decoder->activation = Activation::Gelu; }},
        {"decoder's positions", [](auto& one) { one.decoder->positions = TextPositions::Learnt; }},
        {"decoder's key bias", [](auto& one) { one.decoder->keyBias = false; }},
    };
    for (const auto& [name, change] : settings) {
        Architecture other = small;
        change(other);
        QVERIFY2(!differenceOf(small, other).other.isEmpty(), name);
    }
    Architecture fine = small;
    fine.encoder.normEpsilon = 1e-12;
    const QString said = differenceOf(small, fine).other.join(QString());
    QVERIFY2(said.contains(QStringLiteral("→ 1e−12")), qPrintable(said)); // no hyphen beside −3 %
    // Nor is any preset another one with a difference that is not named.
    std::vector<Architecture> all;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/architectures")) {
        if (entry.path().extension() != ".json")
            continue;
        all.push_back(readArchitecture(entry.path()));
        all.back().name = all.back().source = {};
        all.back().publishedParameters.reset();
        all.back().publishedWithoutFrontEnd = false;
    }
    for (const Architecture& one : all)
        for (const Architecture& other : all) {
            const Difference difference = differenceOf(withLanguageLayers(one), withLanguageLayers(other));
            QCOMPARE(difference.changedHeads == 0 && difference.other.isEmpty(), one == other);
        }
}

void DesignReportsTest::theRuleSeparatesAllPublishedRows() {
    QFile file(QString::fromStdString((testing::goldens() / "papers/locality-windows.tsv").string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    file.readLine();
    int rows = 0;
    while (!file.atEnd()) {
        const auto cells = QString::fromUtf8(file.readLine()).trimmed().split(QLatin1Char('\t'));
        if (cells.size() < 10)
            continue;
        ++rows;
        const QString heads = suggestedHeads(
            "4 full", int(windowFromStatistic(cells[4].toDouble(), cells[5].toDouble())), cells[7].toDouble());
        const bool full = cells[9] == QLatin1String("true");
        QCOMPARE(heads, full ? QStringLiteral("4 full") : QStringLiteral("4 local %1").arg(cells[6]));
    }
    QCOMPARE(rows, 36);
}

void DesignReportsTest::suggestedHeadsLeaveOtherKindsAlone() {
    const char* heads = "1 full + 2 local 5 relaxed 0.1 + 1 conv 5/2";
    QCOMPARE(suggestedHeads(heads, 17, 0.1, 0.25),
             QStringLiteral("1 local 17 + 2 local 17 relaxed 0.1 + 1 conv 5/2"));
    QCOMPARE(suggestedHeads(heads, 17, 0.3, 0.25),
             QStringLiteral("1 full + 2 full relaxed 0.1 + 1 conv 5/2"));
    QCOMPARE(suggestedHeads(heads, 17, 0.3, 0.35),
             QStringLiteral("1 local 17 + 2 local 17 relaxed 0.1 + 1 conv 5/2"));
}

void DesignReportsTest::aSuggestionComesFromTheProfilesOfSeveralUtterances() {
    QVERIFY(!widgets::windowsRow({}).suggestion());
    // Half on the diagonal, a quarter on each neighbour: the statistic is 2, the window 3, and nothing is
    // lost.
    const auto banded = [](int tokens, int reach) {
        const auto side = static_cast<std::size_t>(tokens);
        Matrix<float> map(side, side);
        for (int i = 0; i < tokens; ++i) {
            const int from = std::max(0, i - reach), to = std::min(tokens - 1, i + reach);
            for (int j = from; j <= to; ++j)
                map(std::size_t(i), std::size_t(j)) = 1.0F / float(to - from + 1);
        }
        return DiagonalProfile(map.view());
    };
    const std::vector<DiagonalProfile> same{banded(40, 1), DiagonalProfile(), banded(60, 1)};
    const auto suggestion = widgets::windowsRow(same);
    QCOMPARE(suggestion.suggestion(), std::optional(3));
    QVERIFY(suggestion.deviation.has_value()); // of the two that were read
    QVERIFY(suggestion.suggestedLoss() < 1e-6);
    // The utterance on the screen need not be one of them.
    QCOMPARE(widgets::windowsRow(same).suggestion(), std::optional(3));
    QVERIFY(widgets::windowsRow(std::span(same).subspan(1)).suggestedLoss() < 1e-6);
    const std::vector<DiagonalProfile> apart{banded(40, 1), banded(60, 5)};
    QVERIFY(*widgets::windowsRow(apart).suggestion() > 7); // mean 6 and a deviation
}

HEADROOM_TEST(DesignReportsTest)

} // namespace headroom::testing::design_reports_test

#include "design_reports_test.moc"
