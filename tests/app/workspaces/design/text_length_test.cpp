// SPDX-License-Identifier: GPL-3.0-or-later
// The length at which Design counts a model of text is that of a sentence, not that of a recording.
#include "app/workspaces/design/cost_panel.h"
#include "app/workspaces/design/cost_report.h"
#include "app/workspaces/design/cost_views.h"
#include "core/architecture/usual_length.h"
#include "tests/app/workspaces/design/analysed_design.h"
#include "tests/support/runner.h"
#include "widgets/curves/cost_plot.h"
#include "widgets/look/theme.h"

#include <QSpinBox>
#include <QTest>

namespace headroom::testing::text_length_test {

using namespace headroom::app;

class TextLengthTest : public QObject, AnalysedDesign {
    Q_OBJECT

    void show(const char* preset) {
        showPreset(preset);
        QTRY_VERIFY(m_design->costPanel()->asText().contains(QStringLiteral("Parameters")));
        QVERIFY(m_design->costPanel()->asText().contains(QStringLiteral(" tokens, bytes\t"))); // as a bare number it could be MB
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init() { begin(); }
    void cleanup() { closeAll(); }

    void speechAndTextHaveTheirOwnLengths() {
        const QSpinBox* length = m_design->costPanel()->lengthField();
        show("s2t-small.json");
        const int speech = length->value();
        show("relaxed-mt-baseline.json");
        QTRY_COMPARE(length->value(), kUsualTextTokens);
        m_design->costPanel()->lengthField()->setValue(40);
        show("s2t-small.json");
        QTRY_COMPARE(length->value(), speech);
        show("relaxed-lm-translation.json");
        QTRY_COMPARE(length->value(), 40);
        // The session keeps both.
        const auto view = m_design->viewState();
        m_design->costPanel()->setChosenLengths({});
        QCOMPARE(length->value(), kUsualTextTokens);
        m_design->restoreView(view);
        QCOMPARE(m_design->costPanel()->chosenLengths().text, 40);
        QCOMPARE(m_design->costPanel()->chosenLengths().speech, speech);
    }

    /// “Memory, 1,000 tokens” and “Memory to train” were one quantity under two names.
    void theMemoryOfTrainingHasOneName() {
        show("s2t-small.json");
        QVERIFY2(m_design->costPanel()->asText().contains(QStringLiteral("\nTraining memory, ")), qPrintable(m_design->costPanel()->asText()));
        const QString bars = m_design->costPanel()->findChild<CostBars*>()->accessibleDescription();
        QVERIFY2(bars.contains(QStringLiteral("; Training memory: ")), qPrintable(bars));
    }

    /// “1 tokens” stood in the field and over the numbers.
    void oneTokenIsNoPlural() {
        show("s2t-small.json");
        QSpinBox* length = m_design->costPanel()->lengthField();
        length->setValue(1);
        QCOMPARE(length->text(), QStringLiteral("1 token"));
        QVERIFY2(m_design->costPanel()->asText().contains(QStringLiteral("MACs, 1 token\t")), qPrintable(m_design->costPanel()->asText()));
        length->setValue(1200);
        QCOMPARE(length->text(), QStringLiteral("1,200 tokens"));
    }

    /// "MACs of the encoder" and "Latency of the encoder" stood above a model without one.
    void aLanguageModelHasNoEncoder() {
        const auto titles = [this] {
            QStringList names;
            for (const auto* plot : m_design->findChildren<widgets::CostPlot*>())
                names << plot->accessibleName();
            return names;
        };
        show("relaxed-lm-translation.json");
        QCOMPARE(titles(), (QStringList{QStringLiteral("MACs of the language model, G"), QStringLiteral("Attention maps, MB"),
                                        QStringLiteral("Latency of the language model, ms")}));
        show("s2t-small.json");
        QCOMPARE(titles(), (QStringList{QStringLiteral("MACs of the encoder, G"), QStringLiteral("Attention maps, MB"),
                                        QStringLiteral("Latency of the encoder, ms")}));
    }

    /// The axis of the MACs of a small model was in G, with “0.00” above 0, and that of its maps in MB.
    void theAxesOfASmallModelAreInSmallUnits() {
        show("relaxed-lm-translation.json");
        m_design->costPanel()->lengthField()->setValue(1);
        const auto titles = [this] {
            QStringList names;
            for (const auto* plot : m_design->findChildren<widgets::CostPlot*>())
                names << plot->accessibleName();
            return names.first(2);
        };
        QTRY_COMPARE(titles(), (QStringList{QStringLiteral("MACs of the language model, G"), QStringLiteral("Attention maps, kB")}));
        std::vector<double> macs{0, 4.43e6, 8.9e6}, baseline{0, 8e6};
        QCOMPARE(scaleCounts(macs, baseline), QStringLiteral("M"));
        QCOMPARE(macs, (std::vector<double>{0, 4.43, 8.9}));
        QCOMPARE(baseline, (std::vector<double>{0, 8}));
    }

    /// "1,000,000" of MB was cut to "000,000".
    void theAxesOfLongInputsAreInLargeUnits() {
        std::vector<double> macs{0, 9e12}, maps{0, 3.9e12}, baseline{0, 1e13};
        QCOMPARE(scaleCounts(macs, baseline), QStringLiteral("T"));
        QCOMPARE(macs, (std::vector<double>{0, 9}));
        QCOMPARE(baseline, (std::vector<double>{0, 10}));
        baseline.clear();
        QCOMPARE(scaleBytes(maps, baseline), QStringLiteral("GB"));
        QCOMPARE(maps, (std::vector<double>{0, 3900}));
    }
};

HEADROOM_TEST(TextLengthTest)

} // namespace headroom::testing::text_length_test

#include "text_length_test.moc"
