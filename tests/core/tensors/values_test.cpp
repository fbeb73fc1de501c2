// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/half.h"
#include "core/tensors/sha256.h"
#include "core/tensors/tensor.h"
#include "tests/support/runner.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::values_test {

class ValuesTest : public QObject {
    Q_OBJECT

private:
    static std::string sumOf(std::string_view text) {
        return sha256OfBytes(std::as_bytes(std::span(text.data(), text.size())));
    }

    static std::string contents(const std::filesystem::path& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private Q_SLOTS:
    void everyHalfSurvivesTheWayThroughFloat() {
        for (unsigned bits = 0; bits < 65536; ++bits) {
            const auto half = static_cast<std::uint16_t>(bits);
            const float value = floatFromHalf(half);
            if (std::isnan(value))
                QVERIFY(std::isnan(floatFromHalf(halfFromFloat(value))));
            else
                QCOMPARE(halfFromFloat(value), half);
        }
    }

    void halvesHaveTheirKnownValues() {
        QCOMPARE(floatFromHalf(0x3c00), 1.0f);
        QCOMPARE(floatFromHalf(0xc000), -2.0f);
        QCOMPARE(floatFromHalf(0x7bff), 65504.0f);
        QCOMPARE(floatFromHalf(0x0001), 0x1p-24f);
        QCOMPARE(floatFromHalf(0x03ff), 1023 * 0x1p-24f);
        QCOMPARE(floatFromHalf(0x0400), 0x1p-14f);
        QCOMPARE(floatFromHalf(0x3555), 0.333251953125f);
        QVERIFY(std::isinf(floatFromHalf(0xfc00)) && floatFromHalf(0xfc00) < 0);
        QVERIFY(std::signbit(floatFromHalf(0x8000)));
    }

    void halvesRoundToEven() {
        QCOMPARE(halfFromFloat(1.0f + 0x1p-11f), std::uint16_t(0x3c00));     // a tie, down to even
        QCOMPARE(halfFromFloat(1.0f + 3 * 0x1p-11f), std::uint16_t(0x3c02)); // a tie, up to even
        QCOMPARE(halfFromFloat(std::nextafter(1.0f + 0x1p-11f, 2.0f)), std::uint16_t(0x3c01));
        QCOMPARE(halfFromFloat(65519.996f), std::uint16_t(0x7bff));
        QCOMPARE(halfFromFloat(65520.0f), std::uint16_t(0x7c00));
        QCOMPARE(halfFromFloat(0x1p-25f), std::uint16_t(0));
        QCOMPARE(halfFromFloat(std::nextafter(0x1p-25f, 1.0f)), std::uint16_t(1));
        QCOMPARE(halfFromFloat(3 * 0x1p-25f), std::uint16_t(2));      // a tie between subnormals, to even
        QCOMPARE(halfFromFloat(0x1.fffp-15f), std::uint16_t(0x0400)); // rounds up into the normal numbers
        QCOMPARE(halfFromFloat(-1e10f), std::uint16_t(0xfc00));
    }

    void everyBfloat16SurvivesTheWayThroughFloat() {
        for (unsigned bits = 0; bits < 65536; ++bits) {
            const auto stored = static_cast<std::uint16_t>(bits);
            const float value = floatFromBfloat16(stored);
            if (std::isnan(value))
                QVERIFY(std::isnan(floatFromBfloat16(bfloat16FromFloat(value))));
            else
                QCOMPARE(bfloat16FromFloat(value), stored);
        }
        QCOMPARE(bfloat16FromFloat(1.0f + 0x1p-8f), std::uint16_t(0x3f80));
        QCOMPARE(bfloat16FromFloat(1.0f + 3 * 0x1p-8f), std::uint16_t(0x3f82));
    }

    void everyTypeHasANameAndASize() {
        for (const auto type :
             {DType::Bool, DType::U8, DType::I8, DType::I16, DType::U16, DType::I32, DType::U32, DType::I64,
              DType::U64, DType::F16, DType::BF16, DType::F32, DType::F64}) {
            QCOMPARE(dtypeFromName(dtypeName(type)), type);
            QVERIFY(elementSize(type) >= 1 && elementSize(type) <= 8);
        }
        QVERIFY_EXCEPTION_THROWN(dtypeFromName("F32"), std::invalid_argument);
    }

    void integersConvertWithTheirSign() {
        const std::vector<std::int8_t> small{-128, 127};
        const std::vector<std::uint64_t> large{1, std::numeric_limits<std::uint64_t>::max()};
        const std::vector<std::uint8_t> flags{0, 2};
        QCOMPARE(toFloats(Tensor::of<std::int8_t>({2}, small).view()), (std::vector<float>{-128, 127}));
        QCOMPARE(toDoubles(Tensor::of<std::uint64_t>({2}, large).view()), (std::vector<double>{1, 0x1p64}));
        Tensor truth = Tensor::of<std::uint8_t>({2}, flags);
        truth.dtype = DType::Bool;
        QCOMPARE(toFloats(truth.view()), (std::vector<float>{0, 1}));
        const std::vector<float> three{1, 2, 3};
        QVERIFY_EXCEPTION_THROWN(Tensor::of<float>({2}, three), std::invalid_argument);
    }

    void sizesThatDoNotFitAreNoSizes() {
        const auto bytes = [](std::vector<std::int64_t> shape) { return byteCount(DType::F32, shape); };
        QCOMPARE(bytes({}), std::optional<std::size_t>(4));
        QCOMPARE(bytes({3, 5}), std::optional<std::size_t>(60));
        QCOMPARE(bytes({3, 0}), std::optional<std::size_t>(0));
        QVERIFY(!bytes({std::int64_t(1) << 61}));
        QVERIFY(!bytes({std::int64_t(1) << 40, std::int64_t(1) << 40}));
        QVERIFY(!bytes({0, -1}));
    }

    void sumsAreThoseOfTheStandard() {
        QCOMPARE(sumOf(""), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(sumOf("abc"),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(sumOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                 std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
        QCOMPARE(sumOf(std::string(1000000, 'a')),
                 std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    }

    void sumsDoNotDependOnThePieces() {
        std::string text;
        for (int i = 0; i < 200; ++i)
            text += static_cast<char>(i);
        for (std::size_t piece = 1; piece < 130; ++piece) {
            Sha256 sum;
            const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
            for (std::size_t at = 0; at < bytes.size(); at += piece)
                sum.add(bytes.subspan(at, std::min(piece, bytes.size() - at)));
            QCOMPARE(sum.hex(), sumOf(text));
        }
    }

    void filesHaveTheSumOfTheirBytes() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("a").toStdString();
        std::ofstream(file, std::ios::binary) << std::string(1000000, 'a');
        QCOMPARE(sha256OfFile(file), sumOf(std::string(1000000, 'a')));
        QVERIFY_EXCEPTION_THROWN(sha256OfFile(folder.filePath("nowhere").toStdString()), Error);
        QVERIFY_EXCEPTION_THROWN(sha256OfFile(folder.path().toStdString()), Error);
    }

    void aFileAppearsWholeOrNotAtAll() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("a.json").toStdString();
        writeAtomically(file, "first", "test.unwritable");
        {
            AtomicFile half(file, "test.unwritable");
            half.write("half");
            QCOMPARE(half.position(), std::uint64_t(4));
            QCOMPARE(contents(file), std::string("first"));
        }
        QCOMPARE(contents(file), std::string("first"));
        writeAtomically(file, "second", "test.unwritable");
        QCOMPARE(contents(file), std::string("second"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"a.json"});
    }

    void aLinkStaysALink() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("real").toStdString();
        const std::filesystem::path link = folder.filePath("link").toStdString();
        writeAtomically(file, "old", "test.unwritable");
        std::filesystem::create_symlink("real", link);
        writeAtomically(link, "new", "test.unwritable");
        QVERIFY(std::filesystem::is_symlink(link));
        QCOMPARE(contents(file), std::string("new"));
    }

    void aFailureNamesTheFile() {
        QTemporaryDir folder;
        for (const auto& file : {folder.filePath("nowhere/a.json"), folder.path()})
            try {
                writeAtomically(file.toStdString(), "text", "test.unwritable");
                QFAIL("written into a folder that is not there");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("test.unwritable"));
                QVERIFY(QString(error.what()).startsWith(file + " could not be written: "));
            }
    }
};

HEADROOM_TEST(ValuesTest)

} // namespace headroom::testing::values_test

#include "values_test.moc"
