// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/text_array.h"
#include "tests/support/runner.h"

#include <QTest>

#include <span>
#include <stdexcept>

namespace headroom::testing::text_array_test {

class TextArrayTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachRowIsATextFilledUp() {
        const Tensor array = textArray({"dog", "", "Bär"});
        QVERIFY(array.dtype == DType::U8);
        QCOMPARE(array.shape, (std::vector<std::int64_t>{3, 4}));
        QCOMPARE(toDoubles(array.view()), (std::vector<double>{'d', 'o', 'g', 0, 0, 0, 0, 0, 'B', 0xC3, 0xA4, 'r'}));
    }

    void theTextsAreReadBack() {
        const std::vector<std::string> texts{"dog", "", "Bär"};
        QVERIFY(arrayTexts(textArray(texts).view()) == texts);
        QVERIFY(arrayTexts(textArray({}).view()).empty());
        const std::vector<float> numbers{1, 2};
        QVERIFY_EXCEPTION_THROWN(arrayTexts(Tensor::of<float>({1, 2}, std::span<const float>(numbers)).view()),
                                 std::invalid_argument);
    }

    void noTextHasNoRows() { QCOMPARE(textArray({}).shape, (std::vector<std::int64_t>{0, 1})); }
};

HEADROOM_TEST(TextArrayTest)

} // namespace headroom::testing::text_array_test

#include "text_array_test.moc"
