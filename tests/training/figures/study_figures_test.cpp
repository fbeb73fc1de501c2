// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "training/figures/files.h"
#include "training/figures/study_figures.h"
#include "core/tensors/npy.h"
#include "tests/training/figures/drawn_study.h"
#include "tests/training/figures/pdf_text.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>
#include <set>

namespace headroom::testing::study_figures_test {

using figures::Figure;

namespace {

constexpr StudyKind kKinds[] = {StudyKind::Windows, StudyKind::Diagonality, StudyKind::Heads,
                                StudyKind::Phones,  StudyKind::Probe,       StudyKind::Latency,
                                StudyKind::Mixing,      StudyKind::Similarity};

std::set<std::string> names(const std::vector<Figure>& drawn) {
    std::set<std::string> result;
    for (const Figure& figure : drawn)
        result.insert(figure.name);
    return result;
}

} // namespace

class StudyFiguresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindHasItsFigures() {
        using Names = std::set<std::string>;
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Windows))),
                 (Names{"windows", "windows-loss", "windows-histograms", "diagonality", "diagonality-layers",
                        "contributions-layer-11", "contributions-layers"}));
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Diagonality, 2))),
                 (Names{"diagonality", "diagonality-layers", "ccd", "diagonal-share", "contributions-layer-11-1",
                        "contributions-layer-11-2", "contributions-layers-1", "contributions-layers-2",
                        "contributions-models"}));
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Heads))),
                 (Names{"cad-sorted", "cad-layers", "cad-curves", "relevance", "head-statistics"}));
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Phones))),
                 (Names{"par-halves", "par-layers", "par-coverage"}));
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Probe))),
                 (Names{"probe-accuracy", "probe-confusion"}));
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Latency))), (Names{"latency", "latency-layers"}));
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Mixing))), (Names{"mixing-ranks", "mixing-ccd"}));
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Similarity, 2))),
                 (Names{"cka-1", "cka-1-2", "cka-2", "pwcca-1", "pwcca-1-2", "pwcca-2"}));
    }
    /// Tokens of a text have no time.
    void mapsOfTextsHaveAxesOfTokens() {
        SyntheticStudy made = syntheticStudy(StudyKind::Windows);
        const auto axis = [&] {
            for (const Span& span : horizontalWords(named(drawn(made), "contributions-layer-11").scene))
                if (span.text.starts_with("attended token"))
                    return span.text;
            return std::string();
        };
        QCOMPARE(axis(), std::string("attended token (key), s"));
        for (StudyUtterance& utterance : made.study.utterances)
            utterance.text = "A sentence.";
        QCOMPARE(axis(), std::string("attended token (key)"));
    }
    /// "uniform" of cad-curves lay in the plot, struck through by its top line.
    void legendsOfSeveralLinesLieAboveThePlot() {
        const auto isOfLegend = [](const Span& span) {
            return span.text.starts_with("phonetic") || span.text.starts_with("linguistic") || span.text == "uniform";
        };
        for (const double width : {110.0, 160.0, 210.0, 0.0})
            for (const Figure& figure : drawn(syntheticStudy(StudyKind::Heads, 2), width)) {
                if (!figure.name.starts_with("cad-"))
                    continue;
                double legend = 0, plot = figure.scene.height;
                for (const Span& span : horizontalWords(figure.scene))
                    (isOfLegend(span) ? legend = std::max(legend, span.baseline) : plot = std::min(plot, span.baseline));
                QVERIFY2(legend > 0 && legend < plot - 2, figure.name.c_str()); // the first other word is at the top line
            }
    }
    /// The panel of a model with fewer layers had its own palette, so that its last layer looked like the last of the legend.
    void aLayerLooksAlikeInEveryPanelOfALegend() {
        SyntheticStudy made = syntheticStudy(StudyKind::Diagonality, 2, 8);
        for (const auto& [name, array] : syntheticStudy(StudyKind::Diagonality, 2, 6).arrays)
            if (name.starts_with("2."))
                made.arrays[name] = array;
        made.study.models[1].layers = 6;
        const Figure figure = named(drawn(made), "diagonality");
        std::vector<figures::Stroke> strokes;
        for (const auto& item : figure.scene.items)
            if (const auto* line = std::get_if<figures::Polyline>(&item); line && line->stroke.width == figures::kThinCurveWidth)
                strokes.push_back(line->stroke);
        QCOMPARE(strokes.size(), std::size_t(8 + 8 + 6)); // legend, panels
        for (std::size_t k = 8; k < strokes.size(); ++k) {
            QCOMPARE(strokes[k].colour.hex(), strokes[k % 8].colour.hex());
            QVERIFY(strokes[k].dash == strokes[k % 8].dash);
        }
    }
    void everyFigureIsWellFormedAndSaysWhatItShows() {
        for (const StudyKind kind : kKinds)
            for (const int models : {1, 2})
                for (const Figure& figure : drawn(syntheticStudy(kind, models))) {
                    QXmlStreamReader reader(QByteArray::fromStdString(figures::svgText(figure.scene)));
                    while (!reader.atEnd())
                        reader.readNext();
                    QVERIFY2(!reader.hasError(), qPrintable(QString::fromStdString(figure.name)));
                    for (const char* part :
                         {"2022", "SHA-256 aaaaaaaaaaaa", "n = 60 utterances of demo (test)",
                          "without replacement from 400, seed 1", "Headroom study synthetic-"})
                        QVERIFY2(figure.caption.find(part) != std::string::npos ||
                                     std::string(part) == "2022",
                                 qPrintable(QString::fromStdString(figure.name + ": " + figure.caption)));
                    QCOMPARE(figure.scene.description, figure.caption);
                    QVERIFY(figure.values || !figure.arrays.empty());
                }
    }
    void wordsStayInsideAndApart_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<int>("layers");
        QTest::newRow("own width") << 0.0 << 12;
        QTest::newRow("column") << figures::kColumn << 12;
        QTest::newRow("page") << figures::kPage << 16;
        QTest::newRow("one layer") << 0.0 << 1;
    }
    void wordsStayInsideAndApart() {
        QFETCH(double, width);
        QFETCH(int, layers);
        for (const StudyKind kind : kKinds)
            for (const int models : {1, 2})
                for (const Figure& figure : drawn(syntheticStudy(kind, models, layers), width)) {
                    const auto spans = horizontalWords(figure.scene);
                    for (std::size_t a = 0; a < spans.size(); ++a) {
                        const std::string which = figure.name + ": " + spans[a].text;
                        QVERIFY2(spans[a].left >= 0 && spans[a].right <= figure.scene.width + 0.5 &&
                                     spans[a].baseline <= figure.scene.height &&
                                     spans[a].baseline >= spans[a].size * 0.7,
                                 qPrintable(QString::fromStdString(which)));
                        for (std::size_t b = 0; b < a; ++b)
                            QVERIFY2(spans[a].left > spans[b].right - 0.2 ||
                                         spans[b].left > spans[a].right - 0.2 ||
                                         std::abs(spans[a].baseline - spans[b].baseline) >
                                             0.8 * std::min(spans[a].size, spans[b].size),
                                     qPrintable(QString::fromStdString(which + " / " + spans[b].text)));
                    }
                }
    }
    void sameNumbersGiveTheSameFiles() {
        const auto one = syntheticStudy(StudyKind::Windows), two = syntheticStudy(StudyKind::Windows);
        const auto first = writeStudyFigures(one.study, one.arrays, path("first"), {}, one.example);
        const auto second = writeStudyFigures(two.study, two.arrays, path("second"), {}, two.example);
        QCOMPARE(first.size(), second.size());
        for (std::size_t k = 0; k < first.size(); ++k) {
            QCOMPARE(first[k].filename(), second[k].filename());
            QVERIFY2(bytesOf(first[k]) == bytesOf(second[k]), first[k].c_str());
            QVERIFY(!bytesOf(first[k]).empty());
        }
    }
    void otherNumbersGiveAnotherFigure() {
        auto made = syntheticStudy(StudyKind::Windows);
        const std::string before = figures::svgText(named(drawn(made), "windows").scene);
        auto values = toDoubles(made.arrays.at("1.statistic").view());
        values[5] += 40;
        made.arrays["1.statistic"] = Tensor::of<double>({12, 60}, values);
        QVERIFY(figures::svgText(named(drawn(made), "windows").scene) != before);
    }
    void csvHoldsJustWhatIsShown() {
        const auto made = syntheticStudy(StudyKind::Diagonality, 2);
        const Figure figure = named(drawn(made), "ccd");
        QVERIFY(figure.values.has_value());
        QCOMPARE(figure.values->rows.size(), std::size_t(24));
        const auto values = toDoubles(made.arrays.at("2.ccd").view());
        double sum = 0;
        for (std::size_t k = 3 * 60; k < 4 * 60; ++k)
            sum += values[k];
        const auto& row = figure.values->rows[12 + 3]; // model 2, layer 4
        QCOMPARE(std::get<std::string>(row[0]), std::string("asr-small en"));
        QVERIFY(std::abs(std::get<double>(row[2]) - sum / 60) < 1e-12);
        QVERIFY(std::get<double>(row[4]) < sum / 60 && sum / 60 < std::get<double>(row[5]));
        const std::string csv = csvText(*figure.values);
        QVERIFY(csv.starts_with("model,layer,mean,std,low,high,n\n"));
    }
    void mapsGoWithTheirNumbers() {
        const auto made = syntheticStudy(StudyKind::Windows);
        writeStudyFigures(made.study, made.arrays, path("maps"), {{"svg"}}, made.example);
        const auto arrays = readNpz(path("maps") / "contributions-layer-11.npz");
        QCOMPARE(arrays.front().first, std::string("layer.11.contributions"));
        const auto shown = toDoubles(arrays.front().second.view());
        const auto given = toDoubles(made.example.at("1.layer.11.contributions").view());
        QVERIFY(std::isnan(shown[0])); // the diagonal is left out
        QCOMPARE(shown[1], given[1]);
    }
    void theWindowsTableHasThePapersForm() {
        const auto made = syntheticStudy(StudyKind::Windows);
        const auto tables = figures::paperTables(made.study, made.arrays);
        QCOMPARE(tables.size(), std::size_t(1));
        QCOMPARE(tables[0].first, std::string("windows-table"));
        const std::string& latex = tables[0].second;
        for (const char* part : {"\\toprule", "\\midrule", "\\bottomrule", "$\\mu$ $\\pm$ $\\sigma$",
                                 "CL $\\pm$ std", "12 & 20.", "\\label{tab:windows-table}"})
            QVERIFY2(latex.find(part) != std::string::npos, latex.c_str());
        QVERIFY(latex.find(" *") != std::string::npos); // layers 1–3 stay full
    }
    void headsAreSplitAtThreeQuarters() {
        const auto made = syntheticStudy(StudyKind::Heads);
        const Figure figure = named(drawn(made), "cad-sorted");
        double before = 0;
        QCOMPARE(figure.values->rows.size(), std::size_t(48));
        QCOMPARE(figure.values->columns[5].key, std::string("side")); // a kind of head is full, local or masked
        for (const auto& row : figure.values->rows) {
            const double cad = std::get<double>(row[3]);
            QVERIFY(cad >= before);
            QCOMPARE(std::get<std::string>(row[5]), std::string(cad < 0.75 ? "phonetic" : "linguistic"));
            before = cad;
        }
        QCOMPARE(figures::paperTables(made.study, made.arrays)[0].first, std::string("heads-kinds"));
    }
    void relevanceSaysWhatEachHeadIs() {
        auto made = syntheticStudy(StudyKind::Heads);
        const Figure figure = named(drawn(made), "relevance");
        QCOMPARE(std::get<std::string>(figure.values->rows[0][2]), std::string("block"));
        QCOMPARE(std::get<std::string>(figure.values->rows[3][2]), std::string("conv"));
        made.arrays.erase("1.head_kind"); // maps from elsewhere
        QVERIFY(std::holds_alternative<std::monostate>(named(drawn(made), "relevance").values->rows[0][2]));
    }
    void headsWithoutAMapAreLeftOut() {
        auto made = syntheticStudy(StudyKind::Heads);
        auto values = toDoubles(made.arrays.at("1.cad").view());
        std::fill(values.begin(), values.begin() + 60, std::nan(""));
        made.arrays["1.cad"] = Tensor::of<double>({12, 4, 60}, values);
        QCOMPARE(named(drawn(made), "cad-sorted").values->rows.size(), std::size_t(47));
    }
    void aStudyWithoutReferenceHasNoCoverage() {
        auto made = syntheticStudy(StudyKind::Phones);
        made.arrays.erase("1.coverage");
        QCOMPARE(names(drawn(made)), (std::set<std::string>{"par-halves", "par-layers"}));
    }
    void theReferenceItselfHasNoCoverage() {
        auto made = syntheticStudy(StudyKind::Phones, 2);
        made.arrays["1.coverage"] = Tensor::of<double>({12}, std::vector<double>(12, std::nan("")));
        const Figure figure = named(drawn(made), "par-coverage");
        QCOMPARE(figure.values->rows.size(), std::size_t(12));
        QCOMPARE(std::get<std::string>(figure.values->rows[0][0]), std::string("asr-small en"));
    }
    void halvesAreThoseOfTheStudy() {
        auto made = syntheticStudy(StudyKind::Phones);
        std::vector<float> halves(2 * 36 * 36, 1.5F);
        made.arrays["1.par_half"] = Tensor::of<float>({2, 36, 36}, halves);
        QCOMPARE(toDoubles(named(drawn(made), "par-halves").arrays.front().second.view())[40], 1.5);
    }
    void ofAnOddNumberOfLayersTheMiddleOneIsInTheLowerHalf() {
        const Figure figure = named(drawn(syntheticStudy(StudyKind::Phones, 1, 3)), "par-halves");
        const auto layers = named(drawn(syntheticStudy(StudyKind::Phones, 1, 3)), "par-layers").arrays;
        const auto at = [](const Tensor& tensor) { return toDoubles(tensor.view())[40]; };
        QVERIFY(std::abs(at(figure.arrays[0].second) - (at(layers[0].second) + at(layers[1].second)) / 2) <
                1e-6);
        QVERIFY(std::abs(at(figure.arrays[1].second) - at(layers[2].second)) < 1e-6);
    }
    void withoutAnExampleThereAreNoMaps() {
        auto made = syntheticStudy(StudyKind::Windows);
        made.example.clear();
        QVERIFY(!names(drawn(made)).contains("contributions-layer-11"));
    }
    void missingAndMisshapenArraysAreNamed() {
        for (const bool gone : {true, false}) {
            auto made = syntheticStudy(StudyKind::Windows);
            if (gone)
                made.arrays.erase("1.loss");
            else
                made.arrays["1.loss"] = Tensor::of<double>({2}, std::vector<double>{1, 2});
            try {
                drawn(made);
                QFAIL("drawn");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("figures.missing"));
                QVERIFY(std::string(error.what()).find("1.loss") != std::string::npos);
            }
        }
    }
    void aFinishedFolderIsDrawnAndAnotherRefused() {
        auto made = syntheticStudy(StudyKind::Latency);
        const auto folder = path("study");
        std::filesystem::create_directories(folder);
        NpzWriter writer(StudyPaths{folder}.results());
        for (const auto& [name, tensor] : made.arrays)
            writer.add(name, tensor.view());
        writer.close();
        writeStudy(folder, made.study);
        const auto files = drawStudy(folder, {}, {{"svg", "pdf"}});
        std::set<std::string> written;
        for (const auto& file : files)
            written.insert(file.filename().string());
        QCOMPARE(written, (std::set<std::string>{"latency.svg", "latency.pdf", "latency.caption.txt",
                                                 "latency.csv", "latency-layers.svg", "latency-layers.pdf",
                                                 "latency-layers.caption.txt", "latency-layers.csv",
                                                 "latency-table.tex"}));
        QVERIFY(std::filesystem::exists(folder / "figures" / "latency.svg"));
        made.study.state = RunState::Stopped;
        writeStudy(folder, made.study);
        try {
            drawStudy(folder);
            QFAIL("drawn");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("figures.unfinished"));
        }
    }
    void unknownFormatsAreRefusedBeforeAnythingIsDrawn() {
        const auto made = syntheticStudy(StudyKind::Latency);
        for (const figures::StudyFigureOptions& options :
             {figures::StudyFigureOptions{{"jpeg"}}, {{"svg"}, 20}, {{"png"}, 0, 10}})
            try {
                writeStudyFigures(made.study, made.arrays, path("refused"), options);
                QFAIL("written");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("figures.format"));
            }
        QVERIFY(!std::filesystem::exists(path("refused")));
    }

private:
    std::filesystem::path path(const std::string& name) const {
        return m_folder.path().toStdString() + "/" + name;
    }
    QTemporaryDir m_folder;
};

HEADROOM_TEST(StudyFiguresTest)

} // namespace headroom::testing::study_figures_test

#include "study_figures_test.moc"
