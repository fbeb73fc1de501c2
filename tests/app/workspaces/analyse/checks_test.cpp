// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/checks.h"

#include "tests/app/workspaces/analyse/sample_result.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QFontMetrics>
#include <QTest>

#include <cmath>

namespace headroom::testing::checks_test {

using namespace headroom::app;

class ChecksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNumberBeyondItsLimitFailsItsCheck() {
        LayerResult layer = sampleResult(Matrix<float>(5, 5, 0.2F)).layers[0];
        layer.rowSumError = 1e-8;
        layer.rebuildError = 3e-4;
        layer.gramError = NAN;
        const auto checks = checksOf(nullptr, &layer);
        QCOMPARE(checks[0].state, Check::State::Passed);
        QCOMPARE(checks[1].state, Check::State::Failed);
        QCOMPARE(checks[2].state, Check::State::Remark); // read, yet not measured
        QCOMPARE(checks[3].state, Check::State::Unknown);
        for (const Check& check : checksOf(nullptr, nullptr))
            QCOMPARE(check.state, Check::State::Unknown);
    }

    /// Words had the line, and the encoder's map is cut in the same way.
    void aFixedWindowIsSaidOfTheEncoderToo() {
        OpenModel model;
        model.info = ModelDescription();
        OpenUtterance utterance;
        AnalysisResult result = sampleResult(Matrix<float>(5, 5, 0.2F));
        result.part = Part{Seconds(1), Seconds(1.5)};
        const auto checks = [&] { return checksOf(&utterance, &result.layers[0], &model, &result); };
        QCOMPARE(checks().size(), 4);
        auto& frontEnd = model.info->architecture.frontEnd;
        frontEnd.reads = InputKind::AstLogMel;
        frontEnd.windowFrames = 48;
        QCOMPARE(checks()[3].name, QStringLiteral("Window of 0.50\u202fs"));
        QCOMPARE(checks()[3].value, QStringLiteral("filled"));
        result.part->end = Seconds(1.25);
        QCOMPARE(checks()[3].value, QStringLiteral("cut to 0.25\u202fs"));
        QCOMPARE(checks()[4].name, QStringLiteral("Alignment"));
        const auto before = checksOf(&utterance, nullptr, &model, &result); // not analysed yet
        QVERIFY(before[3].state == Check::State::Unknown && before[3].value == QStringLiteral("–"));
    }

    void silencesAreNoPhones() {
        OpenUtterance utterance;
        utterance.recording = std::make_shared<const Recording>();
        Alignment alignment;
        for (const char* label : {"sil", "Z", "IY1", "", "spn", "R"})
            alignment.phones.push_back({Seconds(0), Seconds(1), label});
        utterance.alignment = std::make_shared<const Alignment>(alignment);
        QCOMPARE(checksOf(&utterance, nullptr)[3].value, QStringLiteral("3 phones"));
    }

    /// One name, in Checks and in the guide, short enough for its number to stand beside it in the panel as it is at first.
    void theNameOfACheckLeavesRoomForItsNumber() {
        widgets::Theme::apply(QStringLiteral("light"));
        LayerResult layer = sampleResult(Matrix<float>(5, 5, 0.2F)).layers[0];
        layer.rowSumError = layer.rebuildError = layer.gramError = 2.8e-8;
        const QFontMetrics metrics(widgets::Sizes::caption());
        const double room = 223 - 4 * widgets::Sizes::unit() - widgets::Sizes::icon() - widgets::Sizes::unit() / 2;
        QCOMPARE(checksOf(nullptr, &layer)[1].name, QStringLiteral("Rebuilds the output"));
        for (const Check& check : checksOf(nullptr, &layer).first(3))
            QVERIFY2(metrics.horizontalAdvance(check.name) + metrics.horizontalAdvance(check.value) <= room, qPrintable(check.name));
    }
};

HEADROOM_TEST(ChecksTest)

} // namespace headroom::testing::checks_test

#include "checks_test.moc"
