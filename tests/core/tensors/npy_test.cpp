// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/tensors/npy.h"
#include "core/tensors/zip_records.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <cstring>
#include <fstream>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <zlib.h>

namespace headroom::testing::npy_test {

namespace {

std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string npy(const std::string& dictionary, const std::string& data) {
    std::string text("\x93NUMPY\1\0", 8);
    text += static_cast<char>(dictionary.size() & 0xff);
    text += static_cast<char>(dictionary.size() >> 8);
    return text + dictionary + data;
}

std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

template <class Call>
QString codeOf(Call call) {
    try {
        call();
    } catch (const Error& error) {
        const QString sentence = error.what();
        return sentence.endsWith('.') ? QString::fromStdString(error.code()) : "no sentence: " + sentence;
    }
    return "accepted";
}

/// An archive with one member, its packed bytes and claims as given.
std::string archive(ZipMember member, const std::string& packed) {
    member.compressedSize = packed.size();
    const auto start = zipLocalHeader(member) + packed;
    return start + zipDirectory({member}, start.size());
}

std::string deflated(const std::string& text) {
    std::string packed(compressBound(text.size()) + 16, '\0');
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::uint32_t crcOf(const std::string& text) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

} // namespace

class NpyTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::filesystem::path file(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QString npzCode(const std::string& bytes) const {
        std::ofstream(file("hostile.npz"), std::ios::binary) << bytes;
        return codeOf([&] { readNpz(file("hostile.npz")); });
    }

    /// Runs Python with the script; empty = done, else why not.
    QString python(const QString& script, const QStringList& arguments, QByteArray& output) const {
        const auto program = QStandardPaths::findExecutable("python3");
        if (program.isEmpty())
            return "python3 is not here";
        QProcess process;
        process.start(program, QStringList{"-c", script} + arguments);
        if (!process.waitForFinished(60000))
            return "python3 did not end";
        output = process.readAllStandardOutput();
        return process.exitCode() == 0 ? QString() : QString(process.readAllStandardError());
    }

private Q_SLOTS:
    void arraysComeBackAsWritten() {
        const std::vector<float> values{1, 2, 3, 4, 5, 6};
        for (const auto& shape : {std::vector<std::int64_t>{6}, {2, 3}, {1, 2, 3}, {6, 1}}) {
            writeNpy(file("a.npy"), Tensor::of<float>(shape, values).view());
            const auto read = readNpy(file("a.npy"));
            QCOMPARE(read.shape, shape);
            QCOMPARE(toFloats(read.view()), values);
        }
        const std::vector<double> one{0.1};
        writeNpy(file("scalar.npy"), Tensor::of<double>({}, one).view());
        QVERIFY(readNpy(file("scalar.npy")).shape.empty());
        writeNpy(file("empty.npy"), Tensor::of<double>({3, 0}, {}).view());
        QCOMPARE(readNpy(file("empty.npy")).shape, (std::vector<std::int64_t>{3, 0}));
    }

    void dataBeginsAtAMultipleOfSixtyFour() {
        for (std::int64_t extent = 1; extent < 3000; extent = extent * 3 + 1) {
            const std::vector<float> values(static_cast<std::size_t>(extent));
            writeNpy(file("aligned.npy"), Tensor::of<float>({extent}, values).view());
            QCOMPARE((contents(file("aligned.npy")).size() - values.size() * 4) % 64, std::size_t(0));
        }
    }

    void columnOrderIsTransposed() {
        const std::vector<std::int16_t> columns{11, 21, 12, 22, 13, 23};
        const std::string data(reinterpret_cast<const char*>(columns.data()), 12);
        const auto matrix =
            parseNpy(bytesOf(npy("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n", data)), "f");
        QCOMPARE(toFloats(matrix.view()), (std::vector<float>{11, 12, 13, 21, 22, 23}));
        // [i, j, k] of shape (2, 1, 3) holds 100 i + k: i runs fastest in the file
        const std::vector<std::int16_t> cube{0, 100, 1, 101, 2, 102};
        const std::string cubeData(reinterpret_cast<const char*>(cube.data()), 12);
        const auto read =
            parseNpy(bytesOf(npy("{'descr':'<i2','fortran_order':True,'shape':(2,1,3)}", cubeData)), "f");
        QCOMPARE(toFloats(read.view()), (std::vector<float>{0, 1, 2, 100, 101, 102}));
    }

    void headersAreNotTrusted_data() {
        QTest::addColumn<QString>("dictionary");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const char* dictionary, const char* code) {
            QTest::newRow(name) << QString(dictionary) << QString(code);
        };
        row("well-formed", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "accepted");
        row("other order and quotes", R"({"shape":(2L,),"fortran_order":False,"descr":"<f4"})", "accepted");
        row("native", "{'descr': '=f4', 'fortran_order': False, 'shape': (2,), }", "accepted");
        row("big-endian", "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", "npy.badType");
        row("objects", "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "npy.badType");
        row("text", "{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }", "npy.badType");
        row("records", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", "npy.badType");
        row("too few", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "npy.badHeader");
        row("too many", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "npy.truncated");
        row("huge", "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905,), }",
            "npy.badHeader");
        row("beyond 64 bits", "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
            "npy.badHeader");
        row("negative", "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", "npy.badHeader");
        row("twice", "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
            "npy.badHeader");
        row("missing", "{'descr': '<f4', 'shape': (2,), }", "npy.badHeader");
        row("unclosed", "{'descr': '<f4, 'shape': (2,), }", "npy.badHeader");
        row("cut", "{'descr': '<f4', 'fortran_order': False, 'shape': (2", "npy.badHeader");
        row("code", "__import__('os').system('true')", "npy.badHeader");
        row("nothing", "", "npy.badHeader");
    }

    void headersAreNotTrusted() {
        QFETCH(QString, dictionary);
        QFETCH(QString, code);
        const auto bytes = npy(dictionary.toStdString(), "12345678");
        QCOMPARE(codeOf([&] { parseNpy(bytesOf(bytes), "f.npy"); }), code);
    }

    void everyPrefixIsTruncated() {
        const std::vector<float> values{1, 2};
        writeNpy(file("whole.npy"), Tensor::of<float>({2}, values).view());
        const auto whole = contents(file("whole.npy"));
        for (std::size_t length = 0; length < whole.size(); ++length)
            QCOMPARE(codeOf([&] { parseNpy(bytesOf(whole).first(length), "f.npy"); }),
                     QString("npy.truncated"));
        QCOMPARE(codeOf([&] { readNpy(file("nowhere.npy")); }), QString("npy.missing"));
        QCOMPARE(codeOf([&] { parseNpy(bytesOf("RIFF....WAVE"), "f.npy"); }), QString("npy.badHeader"));
    }

    void everyArrayNumpyWroteLoads_data() { headroom::testing::addGoldenFolders(); }
    void everyArrayNumpyWroteLoads() {
        const bool ours = goldens() == headroom::testing::repositoryGoldens();
        int count = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(goldens()))
            if (entry.path().extension() == ".npy") {
                const auto array = readNpy(entry.path());
                QVERIFY2(array.view().elementCount() > 0, entry.path().c_str());
                for (const auto value : toDoubles(array.view()))
                    QVERIFY2(!std::isnan(value) ||
                                 entry.path().string().find("frame400") != std::string::npos,
                             entry.path().c_str());
                ++count;
            }
        QVERIFY(count >= (ours ? 120 : 150));
        const auto features = readNpy(goldens() / "parity/fbank/short.fbank.npy");
        QCOMPARE(features.shape, (std::vector<std::int64_t>{ours ? 129 : 208, 80}));
        QCOMPARE(features.dtype, DType::F32);
    }

    void archivesComeBackAsWritten() {
        const std::vector<float> floats{1, 2, 3, 4};
        const std::vector<std::int64_t> longs{-1, 5};
        {
            NpzWriter writer(file("round.npz"));
            writer.add("features", Tensor::of<float>({2, 2}, floats).view());
            writer.add("layer.1.attention", Tensor::of<std::int64_t>({2}, longs).view());
            writer.add("été", Tensor::of<float>({0}, {}).view());
            QVERIFY(!std::filesystem::exists(file("round.npz")));
            QVERIFY_EXCEPTION_THROWN(writer.add("features", Tensor::of<float>({0}, {}).view()),
                                     std::invalid_argument);
            writer.close();
        }
        const auto read = readNpz(file("round.npz"));
        QCOMPARE(read.size(), std::size_t(3));
        QCOMPARE(read[0].first, std::string("features"));
        QCOMPARE(toFloats(read[0].second.view()), floats);
        QCOMPARE(toDoubles(read[1].second.view()), (std::vector<double>{-1, 5}));
        QCOMPARE(read[2].first, std::string("été"));
    }

    void anArchiveThatIsNotClosedLeavesNothing() {
        std::filesystem::create_directory(file("left"));
        {
            const std::vector<float> floats(1000);
            NpzWriter writer(file("left") / "half.npz");
            writer.add("a", Tensor::of<float>({1000}, floats).view());
        }
        QVERIFY(std::filesystem::is_empty(file("left")));
        QCOMPARE(codeOf([&] { NpzWriter writer(file("nowhere") / "a.npz"); }), QString("npz.unwritable"));
    }

    void moreMembersThanSixteenBitsCountComeBack() {
        {
            NpzWriter writer(file("many.npz"));
            const std::vector<std::uint8_t> value{1};
            const auto one = Tensor::of<std::uint8_t>({1}, value);
            for (int i = 0; i < 65540; ++i)
                writer.add(std::to_string(i), one.view());
            writer.close();
        }
        const auto read = readNpz(file("many.npz"));
        QCOMPARE(read.size(), std::size_t(65540));
        QCOMPARE(read.back().first, std::string("65539"));
    }

    void largeSizesAndOffsetsAreWrittenInSixtyFourBits() {
        const std::uint64_t large = 5'000'000'000;
        const ZipMember first{"a.npy", 0, 1, 7, 7, 0};
        const ZipMember second{"b.npy", 0, 2, large, large, large + 9};
        const ZipMember third{"c.npy", 0, 3, 8, 8, 2 * large};
        const ZipMember edge{"d.npy", 0, 3, 0xffffffffu, 0xffffffffu, 0xffffffffu};
        const auto directory = zipDirectory({first, second, third, edge}, 0);
        const auto read = readZipDirectory(bytesOf(directory), {"a.npz"});
        QCOMPARE(read.size(), std::size_t(4));
        QCOMPARE(read[0].offset, std::uint64_t(0));
        QCOMPARE(read[0].size, std::uint64_t(7));
        QCOMPARE(read[1].size, large);
        QCOMPARE(read[1].compressedSize, large);
        QCOMPARE(read[1].offset, large + 9);
        QCOMPARE(read[2].size, std::uint64_t(8));
        QCOMPARE(read[2].offset, 2 * large);
        QCOMPARE(read[3].size, std::uint64_t(0xffffffffu));
        QCOMPARE(read[3].offset, std::uint64_t(0xffffffffu));
        QCOMPARE(zipLocalHeader(first).size(), std::size_t(30 + 5));
        QCOMPARE(zipLocalHeader(second).size(), std::size_t(30 + 5 + 20));
    }

    void deflatedMembersAreInflated() {
        const auto text =
            npy("{'descr': '|u1', 'fortran_order': False, 'shape': (9000,), }", std::string(9000, '\7'));
        const ZipMember member{"a.npy", 8, crcOf(text), 0, text.size(), 0};
        std::ofstream(file("deflated.npz"), std::ios::binary) << archive(member, deflated(text));
        const auto read = readNpz(file("deflated.npz"));
        QCOMPARE(toFloats(read.at(0).second.view()), std::vector<float>(9000, 7.0f));
    }

    void hostileArchivesAreRefused() {
        const auto text =
            npy("{'descr': '|u1', 'fortran_order': False, 'shape': (90,), }", std::string(90, '\7'));
        const auto packed = deflated(text);
        const ZipMember good{"a.npy", 8, crcOf(text), 0, text.size(), 0};
        auto bad = good;
        QCOMPARE(npzCode(archive(good, packed)), QString("accepted"));
        bad.crc ^= 1;
        QCOMPARE(npzCode(archive(bad, packed)), QString("npz.badData"));
        bad = good;
        bad.size += 1;
        QCOMPARE(npzCode(archive(bad, packed)), QString("npz.badData"));
        bad.size -= 2;
        QCOMPARE(npzCode(archive(bad, packed)), QString("npz.badData"));
        bad.size = std::uint64_t(1) << 50; // a petabyte claimed
        QCOMPARE(npzCode(archive(bad, packed)), QString("npz.badHeader"));
        bad = good;
        bad.method = 14;
        QCOMPARE(npzCode(archive(bad, packed)), QString("npz.badMethod"));
        bad.method = 0; // stored, with two sizes
        QCOMPARE(npzCode(archive(bad, packed)), QString("npz.badHeader"));
        QCOMPARE(npzCode(archive(good, packed.substr(0, packed.size() / 2))), QString("npz.badData"));
        const auto start = zipLocalHeader(good);
        QCOMPARE(npzCode(start + zipDirectory({ZipMember{"a.npy", 0, 0, 5000, 5000, 0}}, start.size())),
                 QString("npz.badHeader")); // points outside
        QCOMPARE(npzCode(zipDirectory({ZipMember{"a.npy", 0, 0, 0, 0, ~std::uint64_t(0) - 4}}, 0)),
                 QString("npz.badHeader"));
        auto stored = good;
        stored.method = 0;
        stored.compressedSize = text.size();
        const auto one = zipLocalHeader(stored) + text;
        QCOMPARE(npzCode(one + zipDirectory({stored, stored}, one.size())),
                 QString("npz.badHeader")); // a name twice
        const auto whole = archive(good, packed);
        for (std::size_t length = 0; length < whole.size(); ++length)
            QCOMPARE(npzCode(whole.substr(0, length)), QString("npz.truncated"));
        QCOMPARE(npzCode(npy("{'descr': '|u1'}", "")), QString("npz.truncated"));
        auto inside = whole; // the member count raised
        inside[whole.size() - 12] = '\x7f';
        QCOMPARE(npzCode(inside), QString("npz.badHeader"));
    }

    void pythonReadsWhatIsWrittenAndPacksWhatIsRead() {
        const std::vector<float> floats{1, 2, 3, 4};
        NpzWriter writer(file("python.npz"));
        writer.add("a", Tensor::of<float>({2, 2}, floats).view());
        writer.add("été", Tensor::of<float>({4}, floats).view());
        writer.close();
        const QString script =
            "import sys, zipfile\n"
            "z = zipfile.ZipFile(sys.argv[1])\n"
            "assert z.testzip() is None\n"
            "assert z.namelist() == ['a.npy', '\\u00e9t\\u00e9.npy'], z.namelist()\n"
            "with zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED) as out:\n"
            "    for name in z.namelist():\n"
            "        with out.open(name, 'w', force_zip64=True) as f: f.write(z.read(name))\n";
        QByteArray output;
        const auto again = m_folder.filePath("again.npz");
        const auto reason = python(script, {m_folder.filePath("python.npz"), again}, output);
        if (reason == "python3 is not here")
            QSKIP("python3 is not here");
        QVERIFY2(reason.isEmpty(), qPrintable(reason));
        const auto read = readNpz(again.toStdString());
        QCOMPARE(read.size(), std::size_t(2));
        QCOMPARE(toFloats(read[0].second.view()), floats);
        QCOMPARE(read[1].first, std::string("été"));
    }

    void numpyReadsWhatIsWritten() {
        const std::vector<double> values{0.25, -1, 2, 1e300, 5, 6};
        NpzWriter writer(file("numpy.npz"));
        writer.add("layer.1.contribution_profile", Tensor::of<double>({2, 3}, values).view());
        writer.close();
        QByteArray output;
        auto reason = python("import numpy", {}, output);
        if (!reason.isEmpty())
            QSKIP("python3 with numpy is not here");
        reason = python("import sys, numpy\n"
                        "a = numpy.load(sys.argv[1])['layer.1.contribution_profile']\n"
                        "print(a.dtype, a.shape, a.tolist())",
                        {m_folder.filePath("numpy.npz")}, output);
        QVERIFY2(reason.isEmpty(), qPrintable(reason));
        QCOMPARE(output.trimmed(), QByteArray("float64 (2, 3) [[0.25, -1.0, 2.0], [1e+300, 5.0, 6.0]]"));
    }
};

HEADROOM_TEST(NpyTest)

} // namespace headroom::testing::npy_test

#include "npy_test.moc"
