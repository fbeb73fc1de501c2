// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/foreign_maps.h"
#include "core/tensors/npy.h"
#include "tests/support/runner.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <QTemporaryDir>
#include <QtTest>
#include <random>

namespace headroom::testing::foreign_maps_test {

namespace {

/// What is written into an .npz, array by array.
using Arrays = std::map<std::string, Tensor>;

std::vector<float> uniformRows(std::size_t heads, std::size_t rows, std::size_t columns) {
    return std::vector<float>(heads * rows * columns, 1.0F / static_cast<float>(columns));
}

Tensor floats(std::vector<std::int64_t> shape, const std::vector<float>& values) {
    return Tensor::of<float>(std::move(shape), std::span<const float>(values));
}

Tensor doubles(const std::vector<double>& values) {
    return Tensor::of<double>({std::int64_t(values.size())}, std::span<const double>(values));
}

/// Two layers of two heads over four tokens; what every test begins with.
Arrays whole() {
    return {{"token_seconds", doubles({0.01, 0.03, 0.05, 0.07})},
            {"layer.1.attention", floats({2, 4, 4}, uniformRows(2, 4, 4))},
            {"layer.2.attention", floats({2, 4, 4}, uniformRows(2, 4, 4))},
            {"layer.2.contributions", floats({4, 4}, uniformRows(1, 4, 4))},
            {"hidden_states", doubles({1, 2, 3})}};
}

} // namespace

class ForeignMapsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::filesystem::path write(const Arrays& arrays, const char* name = "x.npz") const {
        const auto file = std::filesystem::path(m_folder.path().toStdString()) / name;
        NpzWriter writer(file);
        for (const auto& [key, tensor] : arrays)
            writer.add(key, tensor.view());
        writer.close();
        return file;
    }
    /// Code and sentence of what is wrong, with every layer read; empty where nothing is.
    static std::pair<std::string, std::string> mistake(const std::filesystem::path& file) {
        try {
            const ForeignMaps maps(file);
            for (int layer = 1; layer <= maps.layers(); ++layer)
                maps.layer(layer);
        } catch (const Error& error) {
            return {error.code(), error.what()};
        }
        return {};
    }

private Q_SLOTS:
    void attentionAndTimesAreEnough() {
        const ForeignMaps maps(write(whole()));
        QCOMPARE(maps.layers(), 2);
        QCOMPARE(maps.tokens(), 4);
        QVERIFY(std::abs(maps.clock().centre(Tokens(3)).value() - 0.07) < 1e-12);
        QVERIFY(std::abs(maps.clock().step().value() - 0.02) < 1e-12);
        const ForeignLayer first = maps.layer(1), second = maps.layer(2);
        QCOMPARE(first.attention.size(), 2U);
        QCOMPARE(first.attention[1].rows(), 4U);
        QVERIFY(first.contributions.empty() && second.contributions.rows() == 4);
        QVERIFY(first.rowError < 1e-6);
    }

    void tokensThatShareTheirTimesAreBands() {
        auto arrays = whole();
        arrays["token_seconds"] = doubles({0.1, 0.1, 0.3, 0.3});
        const TokenClock clock = ForeignMaps(write(arrays)).clock();
        QCOMPARE(clock.bands(), 2);
        QVERIFY(std::abs(clock.step().value() - 0.2) < 1e-12);
        for (std::int64_t token = 0; token < 4; ++token)
            QVERIFY(std::abs(clock.centre(Tokens(token)).value() - (token < 2 ? 0.1 : 0.3)) < 1e-12);
        arrays["token_seconds"] = doubles({0.1, 0.1, 0.3, 0.5}); // not all of them
        QCOMPARE(mistake(write(arrays)).first, std::string("maps.time"));
    }

    void numbersStayWhereTheyAre() {
        auto arrays = whole();
        auto values = uniformRows(2, 4, 4);
        values[16 + 4 + 2] = 0.75F; // head 2, row 1, column 2
        values[16 + 4 + 0] = values[16 + 4 + 1] = 0;
        values[16 + 4 + 3] = 0.2495F;
        arrays["layer.1.attention"] = floats({2, 4, 4}, values);
        const auto layer = ForeignMaps(write(arrays)).layer(1);
        QCOMPARE(layer.attention[1](1, 2), 0.75F);
        QCOMPARE(layer.attention[0](1, 2), 0.25F);
        QVERIFY(std::abs(layer.rowError - 0.0005) < 1e-6); // within what is tolerated, and said
    }

    void headsOverOtherKeysStandAlone() {
        auto arrays = whole();
        arrays.erase("layer.1.attention");
        arrays["layer.1.head.1.attention"] = floats({4, 4}, uniformRows(1, 4, 4));
        arrays["layer.1.head.2.attention"] = floats({4, 2}, uniformRows(1, 4, 2));
        arrays["layer.1.head_relevance"] = floats({4, 2}, uniformRows(1, 4, 2));
        const auto layer = ForeignMaps(write(arrays)).layer(1);
        QCOMPARE(layer.attention[1].columns(), 2U);
        QCOMPARE(layer.headRelevance.columns(), 2U);
    }

    void layersBetweenMayBeMissing() {
        auto arrays = whole();
        arrays["layer.5.attention"] = arrays["layer.1.attention"];
        const ForeignMaps maps(write(arrays));
        QCOMPARE(maps.layers(), 5);
        QVERIFY(maps.layer(3).empty() && !maps.layer(5).empty());
        QVERIFY_EXCEPTION_THROWN(maps.layer(6), std::out_of_range);
        QVERIFY_EXCEPTION_THROWN(maps.layer(0), std::out_of_range);
    }

    void mistakesAreSaidWithTheirPlace_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* code, const char* words) {
            QTest::newRow(name) << name << code << words;
        };
        row("no maps", "maps.none", "it has attentions, token_seconds");
        row("no times", "maps.time", "has no token_seconds");
        row("one token", "maps.shape", "token_seconds of shape [1]");
        row("falling times", "maps.time", "do not rise at token 2: 0.02 after 0.03");
        row("a time that is no number", "maps.time", "do not rise at token 1");
        row("uneven times", "maps.time", "token 1 stands at 0.02, not at 0.03");
        row("layer 0", "maps.layer", "layer.0.attention: layers count from 1");
        row("too many layers", "maps.layer", "from 1 to 999");
        row("whole numbers", "maps.type", "layer.1.attention as i64");
        row("no heads", "maps.shape", "layer.1.attention of shape [4, 4], not [H, 4, 4]");
        row("another length", "maps.shape", "[2, 3, 3], not [H, 4, 4]");
        row("raw norms", "maps.row", "in layer 2, contributions: row 0 sums to 2, not to 1");
        row("a negative weight", "maps.row", "in layer 1, head 2: row 1 has a negative number");
        row("not a number", "maps.row", "in layer 1, head 1: row 3 has a number that is not finite");
        row("a row too light", "maps.row", "in layer 1, head 2: row 2 sums to 0.9975");
        row("a head missing", "maps.layer", "has no layer.3.head.2.attention");
    }

    void mistakesAreSaidWithTheirPlace() {
        QFETCH(QString, name);
        QFETCH(QString, code);
        QFETCH(QString, words);
        auto arrays = whole();
        auto values = uniformRows(2, 4, 4);
        const auto first = [&] { arrays["layer.1.attention"] = floats({2, 4, 4}, values); };
        if (name == "no maps")
            arrays = {{"token_seconds", doubles({0, 1})}, {"attentions", doubles({1})}};
        if (name == "no times")
            arrays.erase("token_seconds");
        if (name == "one token")
            arrays["token_seconds"] = doubles({0.01});
        if (name == "falling times")
            arrays["token_seconds"] = doubles({0.01, 0.03, 0.02, 0.07});
        if (name == "a time that is no number")
            arrays["token_seconds"] = doubles({0.01, std::nan(""), 0.05, 0.07});
        if (name == "uneven times")
            arrays["token_seconds"] = doubles({0.01, 0.02, 0.05, 0.07});
        if (name == "layer 0")
            arrays["layer.0.attention"] = arrays["layer.1.attention"];
        if (name == "too many layers")
            arrays["layer.1000.attention"] = arrays["layer.1.attention"];
        if (name == "whole numbers")
            arrays["layer.1.attention"] =
                Tensor::of<std::int64_t>({2, 4, 4}, std::vector<std::int64_t>(32, 1));
        if (name == "no heads")
            arrays["layer.1.attention"] = floats({4, 4}, uniformRows(1, 4, 4));
        if (name == "another length")
            arrays["layer.1.attention"] = floats({2, 3, 3}, uniformRows(2, 3, 3));
        if (name == "raw norms")
            arrays["layer.2.contributions"] = floats({4, 4}, std::vector<float>(16, 0.5F));
        if (name == "a negative weight")
            values[16 + 4] = -0.25F, values[16 + 5] = 0.75F, first();
        if (name == "not a number")
            values[12] = std::numeric_limits<float>::quiet_NaN(), first();
        if (name == "a row too light")
            values[16 + 8] = 0.2475F, first();
        if (name == "a head missing") {
            arrays["layer.3.head.1.attention"] = floats({4, 4}, uniformRows(1, 4, 4));
            arrays["layer.3.head.3.attention"] = arrays["layer.3.head.1.attention"];
        }
        const auto found = mistake(write(arrays));
        QCOMPARE(QString::fromStdString(found.first), code);
        const QString sentence = QString::fromStdString(found.second);
        QVERIFY2(sentence.startsWith("x.npz ") && sentence.endsWith('.'), qPrintable(sentence));
        QVERIFY2(sentence.contains(words), qPrintable(sentence));
    }

    void whatIsNotReadMayBeAnything() {
        auto arrays = whole();
        arrays["layer.one.attention"] = doubles({1});
        arrays["layer.01.attention"] = doubles({1});
        arrays["layer.3.head.x.attention"] = doubles({1});
        arrays["layer.2.rebuild_error"] = doubles({1});
        arrays["layer.99999999999999999999.attention"] = doubles({1});
        QCOMPARE(mistake(write(arrays)).second, std::string());
        QCOMPARE(ForeignMaps(write(arrays)).layers(), 2);
    }

    void spoiltFilesAreRefusedAndNothingElse() {
        const auto file = write(whole());
        std::ifstream in(file, std::ios::binary);
        const std::string good((std::istreambuf_iterator<char>(in)), {});
        std::mt19937 random(1);
        int refused = 0;
        for (int round = 0; round < 1000; ++round) {
            std::string bytes = good;
            if (round % 3 == 0)
                bytes.resize(random() % bytes.size());
            for (unsigned flips = random() % 4; flips > 0 && !bytes.empty(); --flips)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            std::ofstream(file, std::ios::binary) << bytes;
            refused += !mistake(file).first.empty(); // anything but Error ends the test
            isForeignMaps(file);
        }
        QVERIFY(refused > 300 && refused < 1000);
    }

    void aFolderIsItsFilesByStem() {
        QTemporaryDir other;
        const auto folder = std::filesystem::path(other.path().toStdString());
        QVERIFY_EXCEPTION_THROWN(foreignMapFiles(folder), Error);
        QVERIFY_EXCEPTION_THROWN(foreignMapFiles(folder / "missing"), Error);
        std::filesystem::copy_file(write(whole()), folder / "b.npz");
        std::ofstream(folder / "a.npz") << "no archive";
        std::ofstream(folder / "a.wav") << "sound";
        const auto files = foreignMapFiles(folder);
        QCOMPARE(files.size(), 2U);
        QCOMPARE(files.at("b"), folder / "b.npz");
        QCOMPARE(foreignMapFiles(folder / "b.npz").begin()->first, std::string("b"));
        QVERIFY(isForeignMaps(folder / "b.npz") && !isForeignMaps(folder / "a.npz"));
        QVERIFY(!isForeignMaps(write({{"features", doubles({1})}}, "y.npz")));
    }
};

HEADROOM_TEST(ForeignMapsTest)

} // namespace headroom::testing::foreign_maps_test

#include "foreign_maps_test.moc"
