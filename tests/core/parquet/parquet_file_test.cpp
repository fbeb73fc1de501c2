// SPDX-License-Identifier: GPL-3.0-or-later
// Against files that pyarrow wrote (tests/golden/parquet.py).
#include "core/errors/error.h"
#include "core/parquet/parquet_file.h"
#include "tests/support/runner.h"
#include "tests/support/table_files.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

#include <nlohmann/json.hpp>

namespace headroom::testing::parquet_file_test {

namespace {

std::filesystem::path goldens() {
    return std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/parity/parquet";
}

QByteArray bytesOf(const char* name) {
    QFile file(QString::fromStdString((goldens() / name).string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString refusalOf(const QByteArray& bytes) {
    return tableRefusal<ParquetFile>(bytes, "x.parquet");
}

} // namespace

class ParquetFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatPyarrowWrote_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"snappy", "gzip-version-2", "zstd-plain", "small-pages"})
            QTest::newRow(name) << QString(name) + ".parquet";
    }
    void readsWhatPyarrowWrote() {
        QFETCH(QString, name);
        compareWithRows<ParquetFile>(goldens() / name.toStdString(), goldens() / "rows.json");
    }

    void columnsAreNamedFromTheTopAndListsAreNotRead() {
        const ParquetFile file(goldens() / "snappy.parquet");
        QVERIFY(file.has("inner.bytes") && file.has("needed"));
        QVERIFY(!file.has("inner") && !file.has("absent"));
        const auto list = std::find_if(file.columns().begin(), file.columns().end(),
                                       [](const auto& column) { return column.name.starts_with("list."); });
        QVERIFY(list != file.columns().end() && !list->isRead);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                                 file.eachRow({"absent"}, [](std::int64_t, const auto&) {}));
    }

    void oneColumnIsReadWithoutTheOthers() {
        const ParquetFile file(goldens() / "brotli.parquet"); // its directory is not packed
        QCOMPARE(file.rows(), std::int64_t(24));
        std::string all;
        const ParquetFile delta(goldens() / "delta.parquet"); // only “whole” is written in differences
        delta.eachRow({"small"}, [&](std::int64_t, const auto& values) { all += std::string(*values[0]); });
        QVERIFY(all.starts_with("0-1-2-3"));
    }

    void whatIsNotReadIsRefusedByName() {
        QCOMPARE(refusalOf(bytesOf("brotli.parquet")),
                 QString("parquet.unread | x.parquet cannot be read: it is packed with Brotli. Write it "
                         "again with Snappy, gzip, LZ4 or "
                         "Zstandard."));
        QVERIFY(
            refusalOf(bytesOf("delta.parquet")).contains("the encoding DELTA_BINARY_PACKED. Write it again"));
        auto encrypted = bytesOf("small-pages.parquet");
        encrypted.replace(encrypted.size() - 4, 4, "PARE");
        QVERIFY(refusalOf(encrypted).contains("it is encrypted"));
    }

    void damagedFilesAreRefused() {
        const auto whole = bytesOf("small-pages.parquet");
        QVERIFY(!whole.isEmpty() && refusalOf(whole).isEmpty());
        QVERIFY(
            refusalOf(whole.left(whole.size() - 10)).contains("it ends early. Download or copy it again"));
        QVERIFY(refusalOf("PK\3\4 is a ZIP archive").contains("it does not begin as one"));
        QVERIFY(refusalOf({}).contains("it is empty. Download or copy it again"));
        QVERIFY(refusalOf("version https://git-lfs.github.com/spec/v1\noid sha256:46\n").contains("it is a pointer of Git LFS"));
        QVERIFY(refusalOf("  <html><body>404</body></html>").contains("it is a web page"));
        auto directory = whole;
        directory.replace(directory.size() - 8, 4, "\xff\xff\xff\x7f");
        QVERIFY(refusalOf(directory).contains("its directory is longer than the file"));
        // The first page's header claims more bytes than the column has.
        auto page = whole;
        page[4] = page[5] = '\xff';
        QVERIFY(refusalOf(page).startsWith("parquet.damaged"));
        QVERIFY_THROWS_EXCEPTION(Error, ParquetFile(goldens() / "absent.parquet"));
    }
};

HEADROOM_TEST(ParquetFileTest)

} // namespace headroom::testing::parquet_file_test

#include "parquet_file_test.moc"
