// SPDX-License-Identifier: GPL-3.0-or-later
// The axes of counted utterances, one panel per layer.
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "tests/training/figures/drawn_study.h"

#include <QTest>

#include <algorithm>
#include <set>

namespace headroom::testing::counted_axes_test {

using namespace headroom::figures;

class CountedAxesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "0.5" and "1.5" utterances, and titles that were not below one another.
    void utterancesAreCountedInWholeNumbersBelowOneAnother() {
        auto made = syntheticStudy(StudyKind::Windows);
        auto values = toDoubles(made.arrays.at("1.statistic").view());
        const std::size_t utterances = made.study.utterances.size();
        for (std::size_t layer = 0; layer < 12; ++layer) // all alike, or each alone
            for (std::size_t one = 0; one < utterances; ++one)
                values[layer * utterances + one] = layer == 0 ? 2 : 2 * double(one);
        made.arrays["1.statistic"] = Tensor::of<double>({12, static_cast<std::int64_t>(utterances)}, values);
        const Figure figure = named(drawn(made), "windows-histograms");
        std::set<double> titles;
        for (const auto& item : figure.scene.items)
            if (const auto* text = std::get_if<Text>(&item); text && plainText(text->runs) == "utterances")
                titles.insert(text->at.x);
        QCOMPARE(titles.size(), std::size_t(1));
        const auto spans = horizontalWords(figure.scene);
        QVERIFY(std::ranges::any_of(spans, [](const Span& span) { return span.text == "1"; }));
        for (const Span& span : spans)
            QVERIFY2(span.text.find(".5") == std::string::npos, span.text.c_str());
    }
};

HEADROOM_TEST(CountedAxesTest)

} // namespace headroom::testing::counted_axes_test

#include "counted_axes_test.moc"
