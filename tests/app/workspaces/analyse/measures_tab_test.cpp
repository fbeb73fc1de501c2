// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs Measures and Similarity: what plot, table and caption say of a study, and which study that is.
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/studies/mixing_panel.h"
#include "app/workspaces/analyse/studies/similarity_panel.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QItemSelectionModel>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include <array>
#include <cmath>
#include <optional>

namespace headroom::testing::measures_tab_test {

using namespace headroom::app;

namespace {

/// The table of one of the study's numbers: of each layer the rows of the measures, or of their pairs, with the mean and its interval.
StudyTable tableOf(const char* name, const char* title, const char* caption, const std::string& number,
                   const std::vector<std::vector<std::array<double, 3>>>& layers) {
    StudyTable table{name, title, caption, {{"model", "Model", "", 0, true}, {"layer", "Layer", "", 0, false}}, {}};
    for (const char* what : {"_mean", "_low", "_high"})
        table.columns.push_back({number + what, what, "", 3, false});
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        for (const auto& [mean, low, high] : layers[layer])
            table.rows.push_back({std::string("wav2vec2-mms"), double(layer + 1), mean, low, high});
    return table;
}

/// Two measures in two layers of one recording: ρ is 0.8 and 0.9, CCD 0.1 to 0.4.
std::shared_ptr<OpenStudy> measuresStudy(const std::string& folder = "/studies/measures", const char* units = "phones") {
    auto study = std::make_shared<OpenStudy>();
    study->folder = folder;
    study->document.kind = StudyKind::Mixing;
    study->document.state = RunState::Finished;
    study->document.settings = {{"measures", "attention,attention-norm"}, {"units", units}, {"pooling", "mean"}, {"window", 17}};
    study->document.models.push_back({"wav2vec2-mms", "", "", "", 2, 2, false, 0, 0});
    study->document.utterances.resize(1);
    study->document.tables = {
        tableOf("mixing-ranks", "Agreement of the measures", "Of the agreement.", "rho", {{{0.8, NAN, NAN}}, {{0.9, NAN, NAN}}}),
        tableOf("mixing-diagonality", "Diagonality under each measure", "Of the diagonality.", "ccd",
                {{{0.1, NAN, NAN}, {0.2, NAN, NAN}}, {{0.3, NAN, NAN}, {0.4, NAN, NAN}}})};
    return study;
}

QString atLayer(widgets::SpreadPlot* plot, double layer) {
    plot->setCurrent(layer);
    return plot->accessibleDescription();
}

} // namespace

class MeasuresTabTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The plot had ± one standard deviation, and the caption below it explained 95 % intervals. Later it drew them by chance again, at
    /// every choice of a table.
    void theBandIsTheIntervalOfTheTable() {
        StudyEvidence evidence;
        MixingPanel panel(&evidence);
        auto study = measuresStudy();
        study->document.tables[1] = tableOf("mixing-diagonality", "Diagonality under each measure", "", "ccd",
                                            {{{0.1, 0.05, 0.15}, {0.2, 0.15, 0.25}}, {{0.38, 0.2, 0.61}, {0.4, 0.35, 0.45}}});
        study->arrays["1.ccd"] = Tensor::of<double>({2, 2, 1}, std::vector<double>(4, 0.7)); // what the intervals were drawn of
        evidence.add(study);
        for (QComboBox* box : panel.findChildren<QComboBox*>())
            if (box->accessibleName() == QStringLiteral("Table"))
                box->setCurrentIndex(1);
        const QString of = atLayer(panel.findChild<widgets::SpreadPlot*>(), 2);
        QVERIFY2(of.contains(QStringLiteral("0.38 (0.20 to 0.61)")) && of.contains(QStringLiteral("0.40 (0.35 to 0.45)")), qPrintable(of));
    }

    /// With value zeroing, wherever it stands among the measures; rows are of the pairs 1–2, 1–3 and 2–3.
    void theAgreementIsThatWithValueZeroing() {
        StudyEvidence evidence;
        MixingPanel panel(&evidence);
        auto study = measuresStudy();
        study->document.settings["measures"] = "attention,value-zeroing,alti";
        study->document.tables[0] = tableOf("mixing-ranks", "Agreement of the measures", "", "rho", {{{0.12, 0, 1}, {0.13, 0, 1}, {0.23, 0, 1}}});
        evidence.add(study);
        const QString of = atLayer(panel.findChild<widgets::SpreadPlot*>(), 1);
        QVERIFY2(of.contains(QStringLiteral("0.12")) && of.contains(QStringLiteral("0.23")) && !of.contains(QStringLiteral("0.13")), qPrintable(of));
    }

    /// The plot and the caption of the figure stayed with the first table.
    void thePlotIsOfTheChosenTable() {
        StudyEvidence evidence;
        MixingPanel panel(&evidence);
        evidence.add(measuresStudy());
        auto* plot = panel.findChild<widgets::SpreadPlot*>();
        QVERIFY2(atLayer(plot, 2).contains(QStringLiteral("0.90")), qPrintable(atLayer(plot, 2)));
        QVERIFY(panel.figureCaption().endsWith(QStringLiteral("Of the agreement.")));
        QComboBox* chooser = nullptr;
        for (QComboBox* box : panel.findChildren<QComboBox*>())
            if (box->accessibleName() == QStringLiteral("Table"))
                chooser = box;
        QVERIFY(chooser);
        chooser->setCurrentIndex(1);
        const QString of = atLayer(plot, 2);
        QVERIFY2(of.contains(QStringLiteral("0.30")) && of.contains(QStringLiteral("0.40")) && !of.contains(QStringLiteral("0.90")), qPrintable(of));
        QVERIFY(panel.figureCaption().endsWith(QStringLiteral("Of the diagonality.")));
        chooser->setCurrentIndex(0);
        QVERIFY(atLayer(plot, 2).contains(QStringLiteral("0.90")));
        const auto without = measuresStudy("/studies/without");
        without->document.tables.clear();
        evidence.add(without);
        QVERIFY2(!atLayer(plot, 2).contains(QStringLiteral("0.90")), qPrintable(atLayer(plot, 2))); // that of the other study
    }

    /// A click put a line at a layer, and neither the table nor the map followed; nor did the line follow them.
    void aLayerIsChosenInThePlotAndInTheTable() {
        StudyEvidence evidence;
        MixingPanel panel(&evidence);
        panel.setLayer(2);
        evidence.add(measuresStudy());
        auto* plot = panel.findChild<widgets::SpreadPlot*>();
        QCOMPARE(plot->current(), std::optional(2.0));
        QCOMPARE(panel.table()->currentRow(), 1);
        QVERIFY(!panel.table()->selectionModel()->hasSelection());
        QSignalSpy chosen(&panel, &MixingPanel::layerChosen);
        plot->resize(400, 200);
        QTest::mouseClick(plot, Qt::LeftButton, {}, QPoint(50, 60));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.takeFirst().front().toInt(), 1);
        QCOMPARE(plot->current(), std::optional(1.0));
        QCOMPARE(panel.table()->currentRow(), 0);
        for (QComboBox* box : panel.findChildren<QComboBox*>())
            if (box->accessibleName() == QStringLiteral("Table"))
                box->setCurrentIndex(1);
        QCOMPARE(plot->current(), std::optional(1.0));
        QVERIFY(!panel.table()->selectionModel()->hasSelection());
        panel.table()->selectRow(3); // the second measure of layer 2
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().toInt(), 2);
        QCOMPARE(panel.table()->currentRow(), 3);
        panel.setLayer(2);
        QCOMPARE(panel.table()->currentRow(), 3); // it is of that layer
        panel.setLayer(1);
        QCOMPARE(panel.table()->currentRow(), 0);
        QVERIFY(!panel.table()->selectionModel()->hasSelection() && chosen.count() == 1);
    }

    /// "demo, αf": the curves of the second table had symbols, which no caption explained.
    void theKeyNamesTheMeasures() {
        StudyEvidence evidence;
        MixingPanel panel(&evidence);
        auto study = measuresStudy();
        study->document.settings["measures"] = "attention,attention-norm,contributions,alti,value-zeroing";
        study->document.models.push_back({"s2t-reference", "", "", "", 2, 2, false, 0, 0});
        StudyTable& table = study->document.tables[1];
        const std::vector<std::array<double, 3>> layer(5, {0.1, 0, 0.2});
        table = tableOf("mixing-diagonality", "Diagonality under each measure", "", "ccd", {layer, layer});
        for (std::vector<StudyCell> row : std::vector(table.rows)) {
            row[0] = std::string("s2t-reference");
            table.rows.push_back(std::move(row));
        }
        evidence.add(study);
        for (QComboBox* box : panel.findChildren<QComboBox*>())
            if (box->accessibleName() == QStringLiteral("Table"))
                box->setCurrentIndex(1);
        const auto& key = panel.findChild<widgets::SpreadPlot*>()->keyEntries();
        QCOMPARE(key.size(), std::size_t(10));
        QCOMPARE(key[1].name, QStringLiteral("wav2vec2-mms, Attention × norm"));
        QStringList shown;
        for (const auto& one : widgets::layKey(key, 480, 3).entries) // the width of the panel at first
            shown << one.text;
        QCOMPARE(shown, (QStringList{"wav2vec2-mms: Attention", "Attention × norm", "Contributions", "ALTI", "Value zeroing",
                                     "s2t-reference: Attention", "Attention × norm", "Contributions", "ALTI", "Value zeroing"}));
    }

    /// That places were left out was in study.json alone.
    void whatTheStudySaysOfItsNumbersIsBelowThemAndInTheFigure() {
        StudyEvidence evidence;
        SimilarityPanel panel(&evidence);
        auto study = measuresStudy();
        study->document.kind = StudyKind::Similarity;
        study->document.notes = {"85 phones of 429 are left out.", "Of the agreement."};
        evidence.add(study);
        const QString wanted = QStringLiteral("Of the agreement. 85 phones of 429 are left out."); // what the caption says is said once
        QCOMPARE(qobject_cast<QLabel*>(panel.captionArea()->widget())->text(), wanted);
        QVERIFY2(panel.figureCaption().endsWith(wanted), qPrintable(panel.figureCaption()));
    }

    /// “Mixing of wav2vec2-mms, wav2…” was in the field, whichever of the two it was.
    void theFieldTellsStudiesApartByWhatDiffers() {
        StudyEvidence evidence;
        const auto words = measuresStudy("/studies/2026-11-29T19-17_mixing_mms", "words"), phones = measuresStudy("/studies/2026-11-29T19-17_mixing_mms_2");
        evidence.add(words);
        evidence.add(phones);
        EvidenceField field(&evidence, StudyKind::Mixing, EvidenceField::Live::Not);
        QCOMPARE(field.itemText(0), QStringLiteral("Mixing of wav2vec2-mms, units: phones (mixing, 1 utterance)"));
        QCOMPARE(field.itemText(1), QStringLiteral("Mixing of wav2vec2-mms, units: words (mixing, 1 utterance)"));
        QVERIFY(field.itemData(0, Qt::ToolTipRole).toString().startsWith(QStringLiteral("Mixing of wav2vec2-mms, units: phones\n/studies/")));
        field.resize(190, field.sizeHint().height());
        const QImage ofPhones = field.grab().toImage();
        evidence.show(words);
        QVERIFY(field.currentIndex() == 1 && field.grab().toImage() != ofPhones);
    }

    /// The middle was cut, and these differ only there.
    void studiesOfSimilarModelsDoNotReadAlike() {
        StudyEvidence evidence;
        for (const char* model : {"a-model-of-many-words-trained-for-400-updates-on-german-speech", "a-model-of-many-words-trained-for-800-updates-on-german-speech"}) {
            const auto study = measuresStudy(std::string("/studies/") + model);
            study->document.models.front().name = model;
            evidence.add(study);
        }
        EvidenceField field(&evidence, StudyKind::Mixing, EvidenceField::Live::Not);
        field.resize(230, field.sizeHint().height());
        const QImage shown = field.grab().toImage();
        evidence.show(evidence.choices(StudyKind::Mixing)[std::size_t(1 - field.currentIndex())]);
        QVERIFY(field.grab().toImage() != shown);
    }
};

HEADROOM_TEST(MeasuresTabTest)

} // namespace headroom::testing::measures_tab_test

#include "measures_tab_test.moc"
