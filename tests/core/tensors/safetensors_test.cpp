// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/tensors/safetensors.h"
#include "core/tensors/sha256.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "tests/support/small_model.h"

#include <cstring>
#include <fstream>
#include <QTemporaryDir>
#include <QtTest>
#include <sys/stat.h>

namespace headroom::testing::safetensors_test {

namespace {

std::string withLength(const std::string& header, const std::string& data, std::uint64_t length) {
    return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

} // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::filesystem::path file(const char* name) const { return m_folder.filePath(name).toStdString(); }

    /// The code the file is refused with; the sentence must name the file and end like a sentence.
    static QString refusal(const std::filesystem::path& path) {
        try {
            Safetensors opened(path);
        } catch (const Error& error) {
            const QString sentence = error.what();
            if (!sentence.contains(QString::fromStdString(path.filename().string())) ||
                !sentence.endsWith('.'))
                return "unnamed: " + sentence;
            return QString::fromStdString(error.code());
        }
        return "accepted";
    }

    QString refusalOf(const std::string& bytes) const {
        const auto path = file("hostile.safetensors");
        std::ofstream(path, std::ios::binary) << bytes;
        return refusal(path);
    }

private Q_SLOTS:
    void everyTypeComesBackAsWritten() {
        const std::vector<float> floats{1.5f, -2.0f, 3.25f, 0.0f, 1e-30f, 7.0f};
        const std::vector<std::int64_t> longs{1, -2, 3};
        const std::vector<std::uint8_t> octets{7, 8, 9};
        const auto matrix = Tensor::of<float>({2, 3}, floats);
        const auto row = Tensor::of<std::int64_t>({3}, longs);
        const auto odd = Tensor::of<std::uint8_t>({3}, octets);
        const auto scalar = Tensor::of<float>({}, std::span(floats).first(1));
        const auto empty = Tensor::of<float>({0, 4}, {});
        const Tensor half{DType::BF16, {1}, {std::byte{0x80}, std::byte{0x3f}}};
        writeSafetensors(file("round.safetensors"),
                         {{"b.matrix", matrix.view()},
                          {"odd", odd.view()},
                          {"empty", empty.view()},
                          {"a.row", row.view()},
                          {"half", half.view()},
                          {"scalar", scalar.view()}},
                         {{"format", "pt"}, {"what", "a “test”"}});
        Safetensors read(file("round.safetensors"));
        QCOMPARE(read.names(),
                 (std::vector<std::string>{"b.matrix", "odd", "empty", "a.row", "half", "scalar"}));
        QCOMPARE(read.metadata().at("what"), std::string("a “test”"));
        QCOMPARE(read.tensor("b.matrix").shape, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(toFloats(read.tensor("b.matrix")), floats);
        QCOMPARE(toDoubles(read.tensor("a.row")), (std::vector<double>{1, -2, 3}));
        QCOMPARE(toFloats(read.tensor("half")), std::vector<float>{1.0f});
        QCOMPARE(read.tensor("scalar").elementCount(), std::int64_t(1));
        QCOMPARE(read.tensor("empty").elementCount(), std::int64_t(0));
        QVERIFY(read.contains("odd") && !read.contains("even"));
        const auto moved = std::move(read);
        QCOMPARE(toFloats(moved.tensor("odd")), (std::vector<float>{7, 8, 9}));
    }

    void dataBeginsAtAMultipleOfEight() {
        for (const std::string name : {"a", "ab", "abc", "abcd", "abcde"}) {
            const std::vector<float> value{1.0f};
            const auto tensor = Tensor::of<float>({1}, value);
            writeSafetensors(file("aligned.safetensors"), {{name, tensor.view()}});
            std::ifstream in(file("aligned.safetensors"), std::ios::binary);
            std::uint64_t length = 1;
            in.read(reinterpret_cast<char*>(&length), 8);
            QCOMPARE(length % 8, std::uint64_t(0));
        }
    }

    void aTensorThatIsNotThereIsNamed() {
        writeSafetensors(file("none.safetensors"), {});
        const Safetensors read(file("none.safetensors"));
        QVERIFY(read.names().empty());
        try {
            read.tensor("model.encoder.layer_norm.weight");
            QFAIL("a tensor came out of an empty file");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("tensors.noSuchTensor"));
            QVERIFY(QString(error.what()).contains("model.encoder.layer_norm.weight"));
        }
    }

    void hostileHeadersAreRefused_data() {
        QTest::addColumn<QString>("header");
        QTest::addColumn<int>("dataBytes");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const char* header, int bytes, const char* code) {
            QTest::newRow(name) << QString(header) << bytes << QString(code);
        };
        row("well-formed", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4, "accepted");
        row("blanks after", "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}   ", 4,
            "accepted");
        row("blank before", R"( {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4,
            "tensors.badHeader");
        row("not JSON", R"({"a":)", 0, "tensors.badHeader");
        row("a list", "[]", 0, "tensors.badHeader");
        row("bytes after", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} {})", 4,
            "tensors.badHeader");
        row("offset overflow", R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[18446744073709551615,1]}})",
            4, "tensors.badHeader");
        row("offset beyond 64 bits",
            R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,99999999999999999999999]}})", 4,
            "tensors.badHeader");
        row("offset at the end of 64 bits",
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[18446744073709551614,18446744073709551615]}})",
            4, "tensors.badHeader");
        row("huge shape that wraps to 0",
            R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0,
            "tensors.badShape");
        row("huge shape that wraps to 4",
            R"({"a":{"dtype":"F32","shape":[4611686018427387905,1],"data_offsets":[0,4]}})", 4,
            "tensors.badShape");
        row("huge shape and range",
            R"({"a":{"dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776]}})", 4,
            "tensors.truncated");
        row("negative extent", R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1,
            "tensors.badShape");
        row("broken extent", R"({"a":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}})", 1,
            "tensors.badShape");
        row("too many dimensions",
            R"({"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})",
            1, "tensors.badShape");
        row("range too small", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4,
            "tensors.badShape");
        row("duplicate tensor",
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
            2, "tensors.badHeader");
        row("duplicate key", R"({"a":{"dtype":"U8","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4,
            "tensors.badHeader");
        row("unknown key", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"stride":[1]}})", 1,
            "tensors.badHeader");
        row("missing key", R"({"a":{"dtype":"U8","shape":[1]}})", 1, "tensors.badHeader");
        row("three offsets", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}})", 1,
            "tensors.badHeader");
        row("hole",
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
            3, "tensors.badHeader");
        row("hole at the start", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2,
            "tensors.badHeader");
        row("overlap",
            R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
            3, "tensors.overlap");
        row("data to spare", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 2,
            "tensors.badHeader");
        row("data missing", R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})", 2,
            "tensors.truncated");
        row("unknown type", R"({"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})", 1,
            "tensors.badType");
        row("type in lower case", R"({"a":{"dtype":"f32","shape":[1],"data_offsets":[0,4]}})", 4,
            "tensors.badType");
        row("type a number", R"({"a":{"dtype":32,"shape":[1],"data_offsets":[0,4]}})", 4,
            "tensors.badHeader");
        row("nested shape", R"({"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})", 1,
            "tensors.badHeader");
        row("metadata not text", R"({"__metadata__":{"a":1}})", 0, "tensors.badHeader");
        row("metadata nested", R"({"__metadata__":{"a":{"b":"c"}}})", 0, "tensors.badHeader");
    }

    void hostileHeadersAreRefused() {
        QFETCH(QString, header);
        QFETCH(int, dataBytes);
        QFETCH(QString, code);
        const auto text = header.toStdString();
        QCOMPARE(
            refusalOf(withLength(text, std::string(static_cast<std::size_t>(dataBytes), 'x'), text.size())),
            code);
    }

    void deepNestingIsRefusedAtOnce() {
        const std::string deep = "{\"a\":" + std::string(20'000'000, '[');
        QCOMPARE(refusalOf(withLength(deep, "", deep.size())), QString("tensors.badHeader"));
    }

    void headerLengthsAreNotTrusted() {
        QCOMPARE(refusalOf(""), QString("tensors.truncated"));
        QCOMPARE(refusalOf("abc"), QString("tensors.truncated"));
        QCOMPARE(refusalOf(withLength("{}", "", 0)), QString("tensors.badHeader"));
        QCOMPARE(refusalOf(withLength("{}", "", 3)), QString("tensors.truncated"));
        QCOMPARE(refusalOf(withLength("{}", "", 100'000'000)), QString("tensors.truncated"));
        QCOMPARE(refusalOf(withLength("{}", "", 100'000'001)), QString("tensors.badHeader"));
        QCOMPARE(refusalOf(withLength("{}", "", ~std::uint64_t(0))), QString("tensors.badHeader"));
        QCOMPARE(refusalOf(withLength("{}", "", ~std::uint64_t(0) - 7)), QString("tensors.badHeader"));
    }

    void whatIsNoFileIsRefused() {
        QCOMPARE(refusal(file("nowhere.safetensors")), QString("tensors.missing"));
        std::filesystem::create_directory(file("folder.safetensors"));
        QCOMPARE(refusal(file("folder.safetensors")), QString("tensors.missing"));
        QCOMPARE(::mkfifo(file("pipe.safetensors").c_str(), 0600), 0);
        QCOMPARE(refusal(file("pipe.safetensors")), QString("tensors.missing"));
    }

    void everyPrefixOfAFileIsRefused() {
        const std::vector<float> values{1, 2, 3};
        const auto tensor = Tensor::of<float>({3}, values);
        writeSafetensors(file("whole.safetensors"), {{"a", tensor.view()}, {"b", tensor.view()}});
        std::ifstream in(file("whole.safetensors"), std::ios::binary);
        const std::string whole{std::istreambuf_iterator<char>(in), {}};
        for (std::size_t length = 0; length < whole.size(); ++length)
            QCOMPARE(refusalOf(whole.substr(0, length)), QString("tensors.truncated"));
        QCOMPARE(refusalOf(whole), QString("accepted"));
    }

    void publishedFilesLoadAndBrokenOnesAreRefused_data() { headroom::testing::addGoldenFolders(); }
    void publishedFilesLoadAndBrokenOnesAreRefused() {
        const auto folder = goldens() / "parity" / "s2t-tiny";
        const Safetensors model(folder / "model.safetensors");
        QCOMPARE(model.names().size(), std::size_t(126));
        std::int64_t parameters = 0;
        for (const auto& name : model.names())
            parameters += model.tensor(name).elementCount();
        QCOMPARE(parameters, smallModelParameters(goldens()));
        QCOMPARE(refusal(folder / "truncated.safetensors"), QString("tensors.truncated"));
        QCOMPARE(refusal(folder / "overlap.safetensors"), QString("tensors.overlap"));
        QVERIFY(refusal(folder / "badheader.safetensors").startsWith("tensors."));
        QVERIFY(refusal(folder / "pytorch_model.bin").startsWith("tensors."));
    }

    void theDemoModelHasItsParameters() {
        const Safetensors model(std::filesystem::path(HEADROOM_SOURCE_DIR) /
                                "tests/data/s2t-reference/model.safetensors");
        QCOMPARE(model.names().size(), std::size_t(190));
        std::int64_t parameters = 0;
        for (const auto& name : model.names())
            parameters += model.tensor(name).elementCount();
        QCOMPARE(parameters, std::int64_t(2448128));
    }
};

HEADROOM_TEST(SafetensorsTest)

} // namespace headroom::testing::safetensors_test

#include "safetensors_test.moc"
