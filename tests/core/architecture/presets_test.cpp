// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/architecture/costs.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <cmath>
#include <fstream>
#include <map>
#include <QRegularExpression>
#include <QtTest>
#include <set>

namespace headroom::testing::presets_test {

namespace {

std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

const std::filesystem::path kFolder = HEADROOM_SOURCE_DIR "/resources/architectures";

/// Cells of a table with a head, row by row.
std::vector<QStringList> rowsOf(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    std::vector<QStringList> rows;
    while (std::getline(in, line))
        rows.push_back(QString::fromStdString(line).split('\t'));
    return rows;
}

/// What the papers print and what follows from it (tests/core/architecture/README.md): file, paper, table,
/// name, variant, published millions, derived parameters, derived millions.
const std::vector<QStringList>& published() {
    static const auto rows = rowsOf(HEADROOM_SOURCE_DIR "/tests/core/architecture/published.tsv");
    return rows;
}

Architecture preset(const QString& file) {
    return readArchitecture(kFolder / file.toStdString());
}

/// The digits behind the point of "19.31": 2.
int digitsOf(const QString& number) {
    return number.contains('.') ? int(number.section('.', 1).size()) : 0;
}

} // namespace

class PresetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFileIsCanonicalAndListed() {
        std::set<std::string> listed, names;
        for (const auto& row : published())
            listed.insert(row.at(0).toStdString());
        int count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
            if (entry.path().extension() != ".json")
                continue;
            const auto architecture = readArchitecture(entry.path());
            QCOMPARE(QString::fromStdString(canonicalText(architecture)),
                     QString::fromStdString(contents(entry.path())));
            QVERIFY(!architecture.name.empty() && !architecture.source.empty());
            QVERIFY2(names.insert(architecture.name).second, architecture.name.c_str());
            // A name that a person would give; the table's own is in the source.
            QVERIFY2(architecture.name.find('_') == std::string::npos && architecture.name.find("(H") == std::string::npos,
                     architecture.name.c_str());
            QVERIFY2(listed.count(entry.path().filename().string()) == 1, entry.path().c_str());
            ++count;
        }
        QCOMPARE(count, 54);
        QCOMPARE(listed.size(), std::size_t(54));
    }

    /// The same tensors are counted by layer and by part.
    void layersHaveTheirParts() {
        const std::set<std::string> ofLayers{"attention", "feed-forward", "adapters", "convolutions", "norms", "LSTM layers"};
        for (const auto& row : published()) {
            const auto architecture = preset(row.at(0));
            const auto costs = parameterCosts(architecture);
            std::int64_t byPart = 0, byLayer = 0;
            for (const auto& part : costs.parts)
                byPart += ofLayers.contains(part.part) ? part.count : 0;
            for (const std::int64_t layer : costs.layers)
                byLayer += layer;
            const auto& language = architecture.languageModel;
            const bool normsOutput = language ? language->kind == LanguageModelKind::Transformer && language->norm == NormPlace::Pre
                                              : architecture.encoder.normsOutput();
            QCOMPARE(byPart - (normsOutput ? 2 * (language ? language->width : architecture.encoder.width) : 0), byLayer);
        }
    }

    void countsAreThePapers_data() {
        QTest::addColumn<QStringList>("row");
        for (const auto& row : published())
            QTest::newRow(qPrintable(row.at(0))) << row;
    }

    void countsAreThePapers() {
        QFETCH(QStringList, row);
        const auto architecture = preset(row.at(0));
        const auto costs = parameterCosts(architecture);
        const double millions = double(costs.comparableParameters) / 1e6;
        QCOMPARE(architecture.publishedParameters.has_value(), !row.at(5).isEmpty());
        if (!row.at(5).isEmpty()) {
            QCOMPARE(QString::number(millions, 'f', digitsOf(row.at(5))), row.at(5));
            QCOMPARE(*architecture.publishedParameters, std::llround(row.at(5).toDouble() * 1e6));
        }
        // What is derived of Shim et al. leaves the front end out, as what they print.
        const auto derived = costs.parameters - (row.at(1) == "shim" ? costs.frontEndParameters : 0);
        if (!row.at(6).isEmpty())
            QCOMPARE(derived, row.at(6).toLongLong());
        if (!row.at(7).isEmpty())
            QCOMPARE(QString::number(double(derived) / 1e6, 'f', digitsOf(row.at(7))), row.at(7));
        for (const double seconds : {0.025, 0.98, 30.0})
            QVERIFY(encoderCosts(architecture, architecture.frontEnd.framesIn(Seconds(seconds)).value()).macs > 0);
    }

    void multiformersDifferFromTheBaselineByBiasesAndConvolutions() {
        const auto difference = [](const char* file) {
            return parameterCosts(preset(file)).parameters -
                   parameterCosts(preset("multiformer-baseline.json")).parameters;
        };
        constexpr std::int64_t kBiases = 12 * 3 * 256, kConvolutions = 768;
        QCOMPARE(difference("multiformer-local-attention.json"), -kBiases);
        for (const char* file : {"multiformer-conv-attention.json", "multiformer-lc.json",
                                 "multiformer-v1.json", "multiformer-v2.json"})
            QCOMPARE(difference(file), 12 * kConvolutions - kBiases);
    }

    void layersAreThePapers_data() { headroom::testing::addGoldenFolders(); }
    void layersAreThePapers() {
        std::map<std::pair<QString, QString>, QStringList> rows;
        for (const auto& row : rowsOf(headroom::testing::goldens() / "papers" / "architectures.tsv"))
            rows[{row.at(0) + row.at(2), row.at(3)}] = row;
        int compared = 0;
        for (const auto& row : published()) {
            if (row.at(1) == "wav2vec2" || row.at(1) == "models") // no papers on attention patterns
                continue;
            const auto found = rows.find({row.at(1) + row.at(3), row.at(4)});
            QVERIFY2(found != rows.end(), qPrintable(row.at(0)));
            const auto& paper = found->second;
            const auto architecture = preset(row.at(0));
            if (architecture.languageModel)
                continue;
            QCOMPARE(int(architecture.encoder.layers.size()), paper.at(5).toInt());
            QCOMPARE(architecture.encoder.width, paper.at(6).toInt());
            QCOMPARE(architecture.encoder.feedForward, paper.at(7).toInt());
            for (const auto& range : paper.at(9).split("; ", Qt::SkipEmptyParts)) {
                // Their grammar writes 4x local 17, a reusing layer as “4x full reuse 3”, and matched
                // inference in the name.
                auto text = range.section(": ", 1);
                text.replace(QRegularExpression("(\\d+)x "), "\\1 ").replace("full reuse", "reuse");
                if (paper.at(2).contains("matched") && text.contains("relaxed"))
                    text += " matched";
                const auto ends = range.section(": ", 0, 0).split('-');
                for (int layer = ends.first().toInt(); layer <= ends.last().toInt(); ++layer, ++compared)
                    QCOMPARE(QString::fromStdString(toText(
                                 architecture.encoder.layers.at(static_cast<std::size_t>(layer) - 1).heads)),
                             text);
            }
        }
        QCOMPARE(compared, 4 * 12 + 6 * 12 + 14 * 16 + 12 * 12 + 6 * 6);
    }

    void localityPresetsHaveThePublishedWindows_data() { headroom::testing::addGoldenFolders(); }
    void localityPresetsHaveThePublishedWindows() {
        const std::map<std::string, std::string> presets{
            {"En-De", "locality-de"}, {"En-Es", "locality-es"}, {"En-It", "locality-it"}};
        std::ifstream in(headroom::testing::goldens() / "papers" / "locality-windows.tsv");
        std::string line;
        std::getline(in, line);
        int rows = 0;
        while (std::getline(in, line)) {
            const auto cells = QString::fromStdString(line).split('\t');
            const auto architecture =
                readArchitecture(kFolder / (presets.at(cells.at(2).toStdString()) + ".json"));
            QCOMPARE(architecture.encoder.layers.size(), std::size_t(12));
            const auto& heads = architecture.encoder.layers.at(cells.at(3).toUInt() - 1).heads;
            const auto expected = cells.at(9) == "true" ? QString("4 full") : "4 local " + cells.at(6);
            QCOMPARE(QString::fromStdString(toText(heads)), expected);
            ++rows;
        }
        QCOMPARE(rows, 36);
    }
};

HEADROOM_TEST(PresetsTest)

} // namespace headroom::testing::presets_test

#include "presets_test.moc"
