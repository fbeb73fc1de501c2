// SPDX-License-Identifier: GPL-3.0-or-later
// Pages packed with LZ4: a file with one column of texts is made here, because pyarrow no longer writes Hadoop's frames.
#include "core/parquet/parquet_file.h"
#include "tests/support/runner.h"
#include "tests/support/table_files.h"

#include <QTest>

#include <algorithm>

#include <lz4.h>

namespace headroom::testing::lz4_pages_test {

namespace {

constexpr int kHadoop = 5, kRaw = 7;

/// Thrift's compact protocol, as far as a small file needs it.
class Thrift {
public:
    Thrift& i32(int field, std::int64_t value) { return header(field, 5).number(value); }
    Thrift& i64(int field, std::int64_t value) { return header(field, 6).number(value); }
    Thrift& text(int field, const std::string& value) { return header(field, 8).bare(value); }
    Thrift& list(int field, int size, int type) {
        header(field, 9).m_bytes += static_cast<char>(size << 4 | type);
        return *this;
    }
    Thrift& structure(int field) {
        header(field, 12);
        return begin();
    }
    Thrift& begin() {
        m_last.push_back(0);
        return *this;
    }
    Thrift& end() {
        m_bytes += '\0';
        m_last.pop_back();
        return *this;
    }
    Thrift& number(std::int64_t value) {
        plain(static_cast<std::uint64_t>(value << 1 ^ value >> 63));
        return *this;
    }
    Thrift& bare(const std::string& value) {
        plain(value.size());
        m_bytes += value;
        return *this;
    }
    const std::string& bytes() const { return m_bytes; }

private:
    Thrift& header(int field, int type) {
        m_bytes += static_cast<char>((field - m_last.back()) << 4 | type);
        m_last.back() = field;
        return *this;
    }
    void plain(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            m_bytes += static_cast<char>(value | 0x80);
        m_bytes += static_cast<char>(value);
    }
    std::string m_bytes;
    std::vector<int> m_last{0};
};

std::string littleEndian(std::size_t number) {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>(number >> shift);
    return bytes;
}

std::string bigEndian(std::size_t number) {
    const std::string bytes = littleEndian(number);
    return {bytes.rbegin(), bytes.rend()};
}

std::string block(const std::string& plain) {
    std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain.size()))), '\0');
    packed.resize(static_cast<std::size_t>(
        LZ4_compress_default(plain.data(), packed.data(), static_cast<int>(plain.size()), static_cast<int>(packed.size()))));
    return packed;
}

std::vector<std::string> texts() {
    std::vector<std::string> result;
    for (int i = 0; i < 200; ++i)
        result.push_back("the utterance number " + std::to_string(i * i));
    return result;
}

std::string plainPage() {
    std::string page;
    for (const std::string& text : texts())
        page += littleEndian(text.size()) + text;
    return page;
}

/// A file whose only page has these packed bytes and states `size` bytes unpacked.
QByteArray fileOf(const std::string& packed, int codec, std::size_t size) {
    const auto rows = static_cast<std::int64_t>(texts().size());
    Thrift page;
    page.i32(1, 0).i32(2, static_cast<std::int64_t>(size)).i32(3, static_cast<std::int64_t>(packed.size()));
    page.structure(5).i32(1, rows).i32(2, 0).i32(3, 3).i32(4, 3).end();
    page.end();
    const std::string body = page.bytes() + packed;
    const auto length = static_cast<std::int64_t>(body.size());
    Thrift directory;
    directory.i32(1, 1).list(2, 2, 12);
    directory.begin().text(4, "schema").i32(5, 1).end();
    directory.begin().i32(1, 6).i32(3, 0).text(4, "text").end();
    directory.i64(3, rows).list(4, 1, 12);
    directory.begin().list(1, 1, 12);
    directory.begin().i64(2, 4).structure(3);
    directory.i32(1, 6).list(2, 1, 5).number(0).list(3, 1, 8).bare("text").i32(4, codec).i64(5, rows).i64(6, length).i64(7, length).i64(9, 4).end();
    directory.end();
    directory.i64(2, length).i64(3, rows).end();
    directory.end();
    const std::string file = "PAR1" + body + directory.bytes() + littleEndian(directory.bytes().size()) + "PAR1";
    return {file.data(), static_cast<qsizetype>(file.size())};
}

std::vector<std::string> textsOf(const QByteArray& bytes) {
    const ParquetFile file(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))), "x.parquet");
    std::vector<std::string> found;
    file.eachRow({"text"}, [&](std::int64_t, const std::vector<TableValue>& values) { found.emplace_back(values[0].value()); });
    return found;
}

QString refusal(const std::string& packed, int codec, std::size_t size) {
    return tableRefusal<ParquetFile>(fileOf(packed, codec, size), "x.parquet");
}

/// Hadoop's frames over parts of the page: one frame for each size, in blocks of at most `most` bytes.
std::string frames(const std::string& plain, const std::vector<std::size_t>& sizes, std::size_t most) {
    std::string bytes;
    std::size_t first = 0;
    for (const std::size_t size : sizes) {
        bytes += bigEndian(size);
        for (std::size_t at = first; at < first + size; at += most) {
            const std::string packed = block(plain.substr(at, std::min(most, first + size - at)));
            bytes += bigEndian(packed.size()) + packed;
        }
        first += size;
    }
    return bytes;
}

} // namespace

class Lz4PagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFormGivesTheTexts() {
        const std::string plain = plainPage();
        const std::size_t size = plain.size(), third = size / 3;
        QVERIFY(block(plain).size() < size / 2);
        QCOMPARE(textsOf(fileOf(plain, 0, size)), texts());
        QCOMPARE(textsOf(fileOf(block(plain), kRaw, size)), texts());
        QCOMPARE(textsOf(fileOf(block(plain), kHadoop, size)), texts()); // as Arrow's library once wrote them
        QCOMPARE(textsOf(fileOf(frames(plain, {size}, size), kHadoop, size)), texts());
        QCOMPARE(textsOf(fileOf(frames(plain, {third, size - third}, 1000), kHadoop, size)), texts());
    }

    void whatIsCutShortOrOfAnotherSizeIsRefused() {
        const std::string plain = plainPage(), raw = block(plain), hadoop = frames(plain, {plain.size()}, 1500);
        const auto isDamaged = [](const QString& sentence) { return sentence.startsWith("parquet.damaged | x.parquet is not a usable Parquet file: a page cannot be unpacked"); };
        for (const auto& [bytes, codec] : {std::pair(raw, kRaw), std::pair(raw, kHadoop), std::pair(hadoop, kHadoop)}) {
            QCOMPARE(refusal(bytes, codec, plain.size()), QString());
            for (const std::size_t size : {plain.size() - 1, plain.size() + 1, std::size_t{1}})
                QVERIFY2(isDamaged(refusal(bytes, codec, size)), qPrintable(refusal(bytes, codec, size)));
            for (const std::size_t length : {bytes.size() - 1, bytes.size() / 2, std::size_t{3}, std::size_t{0}})
                QVERIFY2(isDamaged(refusal(bytes.substr(0, length), codec, plain.size())), qPrintable(refusal(bytes.substr(0, length), codec, plain.size())));
        }
        // Sizes of frames that are not true.
        for (const std::size_t wrong : {std::size_t{0}, plain.size() + 1, std::size_t{0xffffffff}}) {
            QVERIFY(isDamaged(refusal(bigEndian(wrong) + hadoop.substr(4), kHadoop, plain.size())));
            QVERIFY(isDamaged(refusal(hadoop.substr(0, 4) + bigEndian(wrong) + hadoop.substr(8), kHadoop, plain.size())));
        }
        QVERIFY(refusal(raw, kRaw, std::size_t{1} << 30).contains("claims more bytes than it can contain"));
    }

    void noByteThatIsWrongLeadsOutsideThePage() {
        const std::string plain = plainPage();
        for (const auto& [whole, codec] : {std::pair(block(plain), kRaw), std::pair(frames(plain, {plain.size()}, 3000), kHadoop)})
            for (std::size_t at = 0; at < whole.size(); ++at) {
                std::string bytes = whole;
                bytes[at] = static_cast<char>(bytes[at] ^ 0xff);
                const QString sentence = refusal(bytes, codec, plain.size());
                QVERIFY2(sentence.isEmpty() || sentence.startsWith("parquet."), qPrintable(sentence));
            }
    }
};

HEADROOM_TEST(Lz4PagesTest)

} // namespace headroom::testing::lz4_pages_test

#include "lz4_pages_test.moc"
