// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs Measures and Similarity: what plot, table and caption say of a study, and which study that is.
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/studies/mixing_panel.h"
#include "app/workspaces/analyse/studies/similarity_panel.h"
#include "core/statistics/statistics.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QLabel>
#include <QTest>

#include <span>

namespace headroom::testing::measures_tab_test {

using namespace headroom::app;

namespace {

/// Two measures in two layers of one recording: ρ is 0.8 and 0.9, CCD 0.1 to 0.4.
std::shared_ptr<OpenStudy> measuresStudy(const std::string& folder = "/studies/measures", const char* units = "phones") {
    auto study = std::make_shared<OpenStudy>();
    study->folder = folder;
    study->document.kind = StudyKind::Mixing;
    study->document.state = RunState::Finished;
    study->document.settings = {{"measures", "attention,attention-norm"}, {"units", units}, {"pooling", "mean"}, {"window", 17}};
    study->document.models.push_back({"wav2vec2-mms", "", "", "", 2, 2, false, 0, 0});
    study->document.utterances.resize(1);
    for (const auto& [name, title, caption] : {std::tuple("mixing-ranks", "Agreement of the measures", "Of the agreement."),
                                               std::tuple("mixing-diagonality", "Diagonality under each measure", "Of the diagonality.")})
        study->document.tables.push_back({name, title, caption, {{"layer", "Layer", "", 0, false}}, {{1.0}}});
    study->arrays["1.rho"] = Tensor::of<double>({2, 2, 2, 1}, std::vector<double>{1, 0.8, 0.8, 1, 1, 0.9, 0.9, 1});
    study->arrays["1.ccd"] = Tensor::of<double>({2, 2, 1}, std::vector<double>{0.1, 0.2, 0.3, 0.4});
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

    /// The plot had ± one standard deviation, and the caption below it explained 95 % intervals.
    void theBandIsTheIntervalOfTheTable() {
        StudyEvidence evidence;
        MixingPanel panel(&evidence);
        auto study = measuresStudy();
        study->document.utterances.resize(4);
        std::vector<double> ccd;
        for (int place = 0; place < 4; ++place)
            ccd.insert(ccd.end(), {0.101, 0.203, 0.407, 0.809});
        study->arrays["1.ccd"] = Tensor::of<double>({2, 2, 4}, ccd);
        evidence.add(study);
        for (QComboBox* box : panel.findChildren<QComboBox*>())
            if (box->accessibleName() == QStringLiteral("Table"))
                box->setCurrentIndex(1);
        const MeanEstimate mean = estimateMean(std::span(ccd).first(4), {}, study->document.seed);
        const QString of = atLayer(panel.findChild<widgets::SpreadPlot*>(), 2);
        QVERIFY2(of.contains(QStringLiteral("0.38 (%1 to %2)").arg(mean.low, 0, 'f', 2).arg(mean.high, 0, 'f', 2)), qPrintable(of));
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
        chooser->setCurrentIndex(1);
        evidence.add(without);
        QVERIFY(atLayer(plot, 2).contains(QStringLiteral("0.90")));
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
};

HEADROOM_TEST(MeasuresTabTest)

} // namespace headroom::testing::measures_tab_test

#include "measures_tab_test.moc"
