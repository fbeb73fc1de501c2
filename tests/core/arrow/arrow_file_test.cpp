// SPDX-License-Identifier: GPL-3.0-or-later
// Against files that pyarrow wrote (tests/golden/arrow.py).
#include "core/arrow/arrow_file.h"
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "tests/support/table_files.h"

#include <QFile>
#include <QTest>

#include <fstream>

#include <nlohmann/json.hpp>

namespace headroom::testing::arrow_file_test {

namespace {

std::filesystem::path parity() {
    return std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/parity";
}

QByteArray arrowBytes(const char* name) {
    QFile file(QString::fromStdString((parity() / "arrow" / name).string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString arrowRefusal(const QByteArray& bytes) {
    return tableRefusal<ArrowFile>(bytes, "x.arrow");
}

} // namespace

class ArrowFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatPyarrowWrote_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"stream", "file-zstd", "views"})
            QTest::newRow(name) << QString(name) + ".arrow";
    }
    void readsWhatPyarrowWrote() {
        QFETCH(QString, name);
        compareWithRows<ArrowFile>(parity() / "arrow" / name.toStdString(), parity() / "parquet/rows.json");
    }

    void listsAreNotReadAndTheColumnsBehindThemAre() {
        const ArrowFile file(parity() / "arrow/stream.arrow");
        QVERIFY(file.has("inner.bytes") && file.has("needed"));
        QVERIFY(!file.has("inner") && !file.has("list") && !file.has("list.item"));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                                 file.eachRow({"absent"}, [](std::int64_t, const auto&) {}));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, file.eachRow({}, [](std::int64_t, const auto&) {}));
    }

    void whatIsNotReadIsRefusedByName() {
        QCOMPARE(
            arrowRefusal(arrowBytes("lz4.arrow")),
            QString("arrow.unread | x.arrow cannot be read: it is packed with LZ4. Write it again without "
                    "compression or with ZSTD."));
        QVERIFY(arrowRefusal("FEA1 and more").contains("Feather file of version 1"));
    }

    void damagedFilesAreRefused() {
        const auto stream = arrowBytes("stream.arrow"), file = arrowBytes("file-zstd.arrow");
        QVERIFY(!stream.isEmpty() && arrowRefusal(stream).isEmpty() && arrowRefusal(file).isEmpty());
        QVERIFY(arrowRefusal({}).contains("it is empty. Download or copy it again"));
        QVERIFY(arrowRefusal("PK\3\4 is a ZIP archive").contains("it does not begin as one"));
        QVERIFY(arrowRefusal(stream.left(stream.size() - 20))
                    .contains("it ends early. Download or copy it again"));
        // The mark of the end alone is missing: it may have been cut between two batches.
        QVERIFY(arrowRefusal(stream.left(stream.size() - 8)).contains("it ends early"));
        QVERIFY(arrowRefusal(file.left(file.size() - 1)).contains("it ends early"));
        QVERIFY_THROWS_EXCEPTION(Error, ArrowFile(parity() / "arrow/absent.arrow"));
    }

    void noByteThatIsWrongLeadsOutsideTheFile() {
        const auto whole = arrowBytes("file-zstd.arrow");
        for (qsizetype at = 0; at < whole.size(); ++at) {
            auto bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ 0xff);
            const auto refusal = arrowRefusal(bytes);
            QVERIFY2(refusal.isEmpty() || refusal.startsWith("arrow."), qPrintable(refusal));
        }
    }
};

HEADROOM_TEST(ArrowFileTest)

} // namespace headroom::testing::arrow_file_test

#include "arrow_file_test.moc"
