// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/token_times.h"
#include "core/tensors/npy.h"
#include "core/text/token_rules.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include <QTest>

namespace headroom::testing::token_times_test {

namespace {

using Keys = std::vector<std::int64_t>;

Matrix<float> randomMap(std::size_t rows, std::size_t keys, unsigned seed) {
    std::mt19937 generator(seed);
    Matrix<float> map(rows, keys);
    for (float& value : map.values())
        value = static_cast<float>(generator() % 10007) / 10007.0F;
    return map;
}

/// The best sum of any path from the first cell to the last by steps right, down, or both.
double bestSum(const Matrix<float>& map, std::size_t row, std::size_t key) {
    double best = row == 0 && key == 0 ? 0 : -1e30;
    if (row > 0)
        best = std::max(best, bestSum(map, row - 1, key));
    if (key > 0)
        best = std::max(best, bestSum(map, row, key - 1));
    if (row > 0 && key > 0)
        best = std::max(best, bestSum(map, row - 1, key - 1));
    return best + static_cast<double>(map(row, key));
}

} // namespace

class TokenTimesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDiagonalIsFollowed() {
        Matrix<float> map(4, 40, 0.0F);
        const Keys starts{0, 9, 18, 31};
        for (std::size_t row = 0; row < 4; ++row)
            for (std::int64_t key = starts[row]; key < (row < 3 ? starts[row + 1] : 40); ++key)
                map(row, static_cast<std::size_t>(key)) = 1;
        QCOMPARE(firstKeysOfRows({map}), starts);
        QCOMPARE(firstKeysOfRows({map, map}, 1), starts);
    }

    void thePathHasTheLargestSum() {
        for (unsigned seed = 0; seed < 20; ++seed) {
            // Columns of mean 0 and deviation 1 stay as they are, so that the sums can be compared.
            Matrix<float> map = randomMap(2, 7, seed);
            for (std::size_t key = 0; key < 7; ++key) {
                const bool up = map(0, key) > map(1, key);
                map(0, key) = up ? 1 : -1;
                map(1, key) = up ? -1 : 1;
            }
            const Keys first = firstKeysOfRows({map}, 1);
            // Two rows: keys up to the second row's first, shared by both if the step went down.
            double together = -1e30;
            for (const std::int64_t last : {std::max<std::int64_t>(first[1] - 1, 0), first[1]}) {
                double sum = 0;
                for (std::int64_t key = 0; key <= last; ++key)
                    sum += static_cast<double>(map(0, static_cast<std::size_t>(key)));
                for (std::int64_t key = first[1]; key < 7; ++key)
                    sum += static_cast<double>(map(1, static_cast<std::size_t>(key)));
                together = std::max(together, sum);
            }
            QCOMPARE(together, bestSum(map, 1, 6));
        }
    }

    void rowsOfNothingHaveNoTimes() {
        QVERIFY(firstKeysOfRows({}).empty());
        QVERIFY(firstKeysOfRows({Matrix<float>(0, 5)}).empty());
        QCOMPARE(firstKeysOfRows({Matrix<float>(3, 1, 0.5F)}), (Keys{0, 0, 0}));
    }

    void publishedTimesAreMatched_data() {
        addEncoderFolders({"whisper-small", "whisper-80", "whisper-128"});
    }
    void publishedTimesAreMatched() {
        QFETCH(QString, folder);
        const std::filesystem::path golden = std::filesystem::path(folder.toStdString()) / "expected";
        std::ifstream stream(golden / "expected.json");
        const auto facts = nlohmann::json::parse(stream)["decoder"];
        const Tensor stored = readNpy(golden / "cross_attention_valid.npy"); // [layer, head, position, key]
        const auto weights = toFloats(stored.view());
        const auto heads = static_cast<std::size_t>(stored.shape[1]),
                   positions = static_cast<std::size_t>(stored.shape[2]),
                   valid = static_cast<std::size_t>(stored.shape[3]);
        const std::size_t prompt = facts["prompt"].size();
        const auto keys = static_cast<std::size_t>(facts["frames_of_recording"].get<int>() / 2);
        std::vector<Matrix<float>> maps;
        for (const auto& place : facts["alignment_heads"]) {
            const auto map = place[0].get<std::size_t>() * heads + place[1].get<std::size_t>();
            Matrix<float>& one = maps.emplace_back(positions - prompt, keys);
            for (std::size_t row = 0; row < one.rows(); ++row)
                for (std::size_t key = 0; key < keys; ++key)
                    one(row, key) = weights[(map * positions + prompt + row) * valid + key];
        }
        const Keys first = firstKeysOfRows(maps);
        const auto expected = facts["token_start_seconds"].get<std::vector<double>>();
        QCOMPARE(first.size(), expected.size());
        for (std::size_t i = 0; i < first.size(); ++i)
            QCOMPARE(static_cast<double>(first[i]) * kSecondsPerTimeToken, expected[i]);
    }
};

HEADROOM_TEST(TokenTimesTest)

} // namespace headroom::testing::token_times_test

#include "token_times_test.moc"
