// SPDX-License-Identifier: GPL-3.0-or-later
// Against files that pyarrow wrote (tests/golden/parquet.py).
#include "core/errors/error.h"
#include "core/parquet/parquet_file.h"
#include "tests/support/runner.h"

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
    try {
        const ParquetFile file(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))),
                               "x.parquet");
        std::vector<std::string> columns;
        for (const auto& column : file.columns())
            if (column.isRead)
                columns.push_back(column.name);
        file.eachRow(columns, [](std::int64_t, const auto&) {});
    } catch (const Error& error) {
        return QString::fromStdString(error.code() + " | " + error.what());
    }
    return {};
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
        const auto expected = nlohmann::json::parse(std::ifstream(goldens() / "rows.json"));
        const ParquetFile file(goldens() / name.toStdString());
        const auto& rows = expected["rows"];
        QCOMPARE(file.rows(), static_cast<std::int64_t>(rows.size()));
        std::int64_t seen = 0;
        file.eachRow(expected["columns"].get<std::vector<std::string>>(),
                     [&](std::int64_t index, const std::vector<ParquetFile::Value>& values) {
                         QCOMPARE(index, seen++);
                         const auto& row = rows[static_cast<std::size_t>(index)];
                         for (std::size_t c = 0; c < values.size(); ++c) {
                             const auto& cell = row[c];
                             QCOMPARE(values[c].has_value(), !cell.is_null());
                             if (cell.is_null())
                                 continue;
                             const std::string value(*values[c]);
                             if (cell.is_string())
                                 QCOMPARE(value, cell.get<std::string>());
                             else if (cell.is_boolean())
                                 QCOMPARE(value, std::string(cell.get<bool>() ? "true" : "false"));
                             else
                                 QCOMPARE(std::stod(value), cell.get<double>());
                         }
                     });
        QCOMPARE(seen, file.rows());
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
                         "again with Snappy, gzip or "
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
        QVERIFY(refusalOf({}).contains("it does not begin as one"));
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
