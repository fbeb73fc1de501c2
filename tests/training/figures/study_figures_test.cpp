// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "training/figures/files.h"
#include "training/figures/study_figures.h"
#include "core/tensors/npy.h"
#include "tests/training/figures/pdf_text.h"
#include "tests/training/figures/synthetic_study.h"
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

std::vector<Figure> drawn(const SyntheticStudy& made, double width = 0) {
    return figures::studyFigures(made.study, made.arrays, made.example, width);
}

std::set<std::string> names(const std::vector<Figure>& drawn) {
    std::set<std::string> result;
    for (const Figure& figure : drawn)
        result.insert(figure.name);
    return result;
}

const Figure& named(const std::vector<Figure>& drawn, const std::string& name) {
    for (const Figure& figure : drawn)
        if (figure.name == name)
            return figure;
    throw std::out_of_range(name);
}

/// Where the words of a text begin and end across; rotated ones are left out.
struct Span {
    double left, right, baseline, size;
    std::string text;
};
std::vector<Span> horizontalWords(const figures::Scene& scene) {
    std::vector<Span> spans;
    for (const auto& item : scene.items)
        if (const auto* text = std::get_if<figures::Text>(&item); text && text->rotation == 0) {
            const double width = figures::textWidth(text->runs, text->size, text->bold);
            const double left = text->at.x - (text->anchor == figures::Anchor::Middle ? width / 2
                                              : text->anchor == figures::Anchor::End  ? width
                                                                                      : 0);
            spans.push_back({left, left + width, text->at.y, text->size, figures::plainText(text->runs)});
        }
    return spans;
}

} // namespace

class StudyFiguresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindHasItsFigures() {
        using Names = std::set<std::string>;
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Windows))),
                 (Names{"windows", "windows-loss", "windows-histograms", "diagonality", "diagonality-layers",
                        "contributions-layer", "contributions-layers"}));
        QCOMPARE(names(drawn(syntheticStudy(StudyKind::Diagonality, 2))),
                 (Names{"diagonality", "diagonality-layers", "ccd", "diagonal-share", "contributions-layer-1",
                        "contributions-layer-2", "contributions-layers-1", "contributions-layers-2",
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
            for (const Span& span : horizontalWords(named(drawn(made), "contributions-layer").scene))
                if (span.text.starts_with("attended token"))
                    return span.text;
            return std::string();
        };
        QCOMPARE(axis(), std::string("attended token (key), s"));
        for (StudyUtterance& utterance : made.study.utterances)
            utterance.text = "A sentence.";
        QCOMPARE(axis(), std::string("attended token (key)"));
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
        const auto arrays = readNpz(path("maps") / "contributions-layer.npz");
        QCOMPARE(arrays.front().first, std::string("layer.11.contributions"));
        const auto shown = toDoubles(arrays.front().second.view());
        const auto given = toDoubles(made.example.at("1.layer.11.contributions").view());
        QVERIFY(std::isnan(shown[0])); // the diagonal is left out
        QCOMPARE(shown[1], given[1]);
    }
    void utterancesThatFailedDoNotCount() {
        auto made = syntheticStudy(StudyKind::Diagonality);
        made.study.utterances[7].error = "It is empty.";
        auto values = toDoubles(made.arrays.at("1.ccd").view());
        for (std::size_t layer = 0; layer < 12; ++layer)
            values[layer * 60 + 7] = std::nan("");
        made.arrays["1.ccd"] = Tensor::of<double>({12, 60}, values);
        const Figure figure = named(drawn(made), "ccd");
        QCOMPARE(std::get<double>(figure.values->rows[0][6]), 59.0);
        QVERIFY(figure.caption.find("n = 59 utterances") != std::string::npos);
        QVERIFY(figure.caption.find("1 could not be measured") != std::string::npos);
    }
    void recordingsByNameAreOfNoCorpus() {
        auto made = syntheticStudy(StudyKind::Diagonality);
        made.study.data = made.study.split = "";
        made.study.population = 60;
        const Figure figure = named(drawn(made), "ccd");
        QVERIFY2(figure.caption.find("n = 60 utterances. Settings: ") != std::string::npos, figure.caption.c_str());
    }
    /// They stood there as study.json has them, those without an effect too.
    void settingsAreSaidInWords() {
        auto made = syntheticStudy(StudyKind::Diagonality);
        made.study.settings = {{"source", "auto"}, {"example", "utterance-7"}};
        const Figure figure = named(drawn(made), "ccd");
        QVERIFY2(figure.caption.find("Settings: maps: contributions if available, else attention; example utterance: utterance-7. ") !=
                     std::string::npos,
                 figure.caption.c_str());
    }
    /// The probe reads the input of layer 1; its figure called that the output of the front end, which has no positions.
    void layerZeroIsTheInputOfLayerOne() {
        const std::vector<Figure> figures = drawn(syntheticStudy(StudyKind::Probe));
        QVERIFY(named(figures, "probe-accuracy").caption.find("layer 0: the input of layer 1") != std::string::npos);
        QVERIFY(named(figures, "probe-confusion").caption.find("layer 0 (the input of layer 1)") != std::string::npos);
        for (const Figure& figure : figures) {
            QVERIFY(figure.caption.find("front end") == std::string::npos);
            for (const Span& span : horizontalWords(figure.scene))
                QVERIFY2(span.text.find("front end") == std::string::npos, span.text.c_str());
        }
    }
    /// The study says that a voice may be on both sides, and its figure said the contrary.
    void aProbeClaimsNewSpeakersOnlyWhereTheyAreKnown() {
        auto made = syntheticStudy(StudyKind::Probe);
        const auto saysNew = [&] { return named(drawn(made), "probe-accuracy").caption.find("test speakers unseen") != std::string::npos; };
        for (std::size_t u = 0; u < made.study.utterances.size(); ++u)
            made.study.utterances[u].speaker = u % 2 ? "anna" : "bob";
        QVERIFY(saysNew());
        made.study.utterances[3].speaker.clear();
        QVERIFY(!saysNew());
        auto& sides = made.arrays["1.test"];
        std::vector<std::int32_t> split(made.study.utterances.size());
        for (std::size_t u = 0; u < split.size(); ++u)
            split[u] = static_cast<std::int32_t>(u % 2);
        split[3] = -1; // no phones, and no error: it took no part
        sides = Tensor::of<std::int32_t>({static_cast<std::int64_t>(split.size())}, split);
        QVERIFY(saysNew());
        split[4] = 1; // one speaker is on both sides, whoever put them there
        sides = Tensor::of<std::int32_t>({static_cast<std::int64_t>(split.size())}, split);
        QVERIFY(!saysNew());
        for (auto& utterance : made.study.utterances)
            utterance.speaker = "anna";
        QVERIFY(!saysNew());
        QVERIFY(named(drawn(made), "probe-accuracy").caption.find("utterances unseen in training") != std::string::npos);
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
    void whetherSilenceCountsIsSaid() {
        auto made = syntheticStudy(StudyKind::Heads);
        QVERIFY(named(drawn(made), "cad-sorted").caption.find("silence removed") != std::string::npos);
        made.study.settings["silence"] = "keep";
        QVERIFY(named(drawn(made), "cad-sorted").caption.find("silence kept") != std::string::npos);
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
    void captionsSayWhichNumberWasTaken() {
        auto phones = syntheticStudy(StudyKind::Phones);
        QVERIFY(named(drawn(phones), "par-halves").caption.find("mean over utterances") != std::string::npos);
        phones.study.settings["mode"] = "pooled";
        QVERIFY(named(drawn(phones), "par-layers").caption.find("mean over utterances") == std::string::npos);
        auto windows = syntheticStudy(StudyKind::Windows);
        windows.study.settings["statistic"] = "as-printed";
        QVERIFY(named(drawn(windows), "windows-histograms").caption.find("as printed") != std::string::npos);
    }
    void attentionIsNotCalledContributions() {
        auto made = syntheticStudy(StudyKind::Diagonality);
        made.study.settings["source"] = "attention";
        for (const char* name : {"diagonality", "diagonality-layers", "diagonal-share"})
            QVERIFY(named(drawn(made), name).caption.find("share of attention") != std::string::npos);
    }
    void withoutAnExampleThereAreNoMaps() {
        auto made = syntheticStudy(StudyKind::Windows);
        made.example.clear();
        QVERIFY(!names(drawn(made)).contains("contributions-layer"));
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
