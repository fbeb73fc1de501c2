// SPDX-License-Identifier: GPL-3.0-or-later
// What the captions of a study's figures say, and claim only where it is so.
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "tests/training/figures/drawn_study.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::study_captions_test {

using figures::Figure;

class StudyCaptionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
        QVERIFY(figure.caption.find("1 was left out") != std::string::npos);
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
    /// The caption of a figure with one panel told of two.
    void aConfusionWhoseBestLayerIsTheInputHasOnePanelAndSaysSo() {
        const std::string two = " and at the best layer", one = ", which is also the best layer";
        auto made = syntheticStudy(StudyKind::Probe);
        QVERIFY(named(drawn(made), "probe-confusion").caption.find(two) != std::string::npos);
        auto values = toDoubles(made.arrays.at("1.accuracy").view());
        values[0] = values[1] = values[2] = 0.99;
        made.arrays["1.accuracy"] = Tensor::of<double>({13, 3}, values);
        const Figure figure = named(drawn(made), "probe-confusion");
        QCOMPARE(figure.arrays.size(), std::size_t(1));
        QVERIFY2(figure.caption.find(one) != std::string::npos && figure.caption.find(two) == std::string::npos, figure.caption.c_str());
    }
    /// It told of CL(w), which is another figure's.
    void theFigureOfWindowsTellsOfNoLoss() {
        const auto figures = drawn(syntheticStudy(StudyKind::Windows));
        QVERIFY(named(figures, "windows").caption.find("CL(w)") == std::string::npos);
        QVERIFY(named(figures, "windows-loss").caption.find("CL(w)") != std::string::npos);
    }
    /// Wherever on the plot they stood, a curve of some study crossed them.
    void theNamesOfLevelsStandAboveThePlot() {
        for (const auto& [kind, name, text] : {std::tuple(StudyKind::Probe, "probe-accuracy", "most frequent class"),
                                               std::tuple(StudyKind::Windows, "windows-loss", "full attention above")}) {
            const Figure figure = named(drawn(syntheticStudy(kind)), name);
            double baseline = NAN, top = INFINITY;
            for (const Span& span : horizontalWords(figure.scene))
                if (span.text.find(text) == 0)
                    baseline = span.baseline;
            for (const auto& item : figure.scene.items)
                if (const auto* clip = std::get_if<figures::Clip>(&item))
                    top = std::min(top, clip->box.y);
            QVERIFY2(baseline < top, name);
        }
    }
    /// The plot is in per cent, and its numbers were not.
    void theNumbersOfTheProbeHaveTheUnitOfItsPlot() {
        const auto made = syntheticStudy(StudyKind::Probe);
        const StudyTable table = *named(drawn(made), "probe-accuracy").values;
        QCOMPARE(headText(table.columns.at(2)), std::string("accuracy, %"));
        const auto seeds = toDoubles(made.arrays.at("1.accuracy").view());
        QVERIFY(std::abs(std::get<double>(table.rows.front().at(2)) - 100 * (seeds[0] + seeds[1] + seeds[2]) / 3) < 1e-9);
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
    void whetherSilenceCountsIsSaid() {
        auto made = syntheticStudy(StudyKind::Heads);
        QVERIFY(named(drawn(made), "cad-sorted").caption.find("silence removed") != std::string::npos);
        made.study.settings["silence"] = "keep";
        QVERIFY(named(drawn(made), "cad-sorted").caption.find("silence kept") != std::string::npos);
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
};

HEADROOM_TEST(StudyCaptionsTest)

} // namespace headroom::testing::study_captions_test

#include "study_captions_test.moc"
