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
        QVERIFY(arrowRefusal("FEA1 and more").contains("Feather file of version 1"));
    }

    /// One column of the same rows.
    void readsFramesOfLz4() {
        const auto expected = nlohmann::json::parse(std::ifstream(parity() / "parquet/rows.json"));
        const auto& columns = expected["columns"];
        const auto column = std::find(columns.begin(), columns.end(), "small") - columns.begin();
        const ArrowFile file(parity() / "arrow/lz4.arrow");
        QCOMPARE(file.rows(), static_cast<std::int64_t>(expected["rows"].size()));
        file.eachRow({"small"}, [&](std::int64_t row, const std::vector<TableValue>& values) {
            const auto& cell = expected["rows"][static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
            QCOMPARE(values[0].has_value(), !cell.is_null());
            if (values[0])
                QCOMPARE(std::stod(std::string(*values[0])), cell.get<double>());
        });
        const auto whole = arrowBytes("lz4.arrow");
        const auto frame = whole.lastIndexOf("\x04\x22\x4d\x18"); // its size stands before it, in eight bytes
        QVERIFY(frame > 8);
        for (const int wrong : {0x01, 0x7f}) {
            auto bytes = whole;
            bytes[frame - 8] = static_cast<char>(bytes[frame - 8] ^ wrong);
            QVERIFY2(arrowRefusal(bytes).contains("a column cannot be unpacked"), qPrintable(arrowRefusal(bytes)));
        }
        auto claims = whole;
        claims[frame - 3] = '\x10'; // 2⁴⁴ bytes
        QVERIFY2(arrowRefusal(claims).contains("claims more bytes than it can contain"), qPrintable(arrowRefusal(claims)));
        auto ended = whole; // the frame ends before its first block, and bytes follow
        ended.replace(frame + 7, 4, QByteArray(4, '\0'));
        QVERIFY2(arrowRefusal(ended).contains("a column cannot be unpacked"), qPrintable(arrowRefusal(ended)));
    }

    void damagedFilesAreRefused() {
        const auto stream = arrowBytes("stream.arrow"), file = arrowBytes("file-zstd.arrow");
        QVERIFY(!stream.isEmpty() && arrowRefusal(stream).isEmpty() && arrowRefusal(file).isEmpty());
        QVERIFY(arrowRefusal({}).contains("it is empty. Download or copy it again"));
        QVERIFY(arrowRefusal("version https://git-lfs.github.com/spec/v1\noid sha256:46\n").contains("it is a pointer of Git LFS"));
        QVERIFY(arrowRefusal("PK\3\4 is a ZIP archive").contains("it does not begin as one"));
        QVERIFY(arrowRefusal(stream.left(stream.size() - 20))
                    .contains("it ends early. Download or copy it again"));
        // The mark of the end alone is missing: it may have been cut between two batches.
        QVERIFY(arrowRefusal(stream.left(stream.size() - 8)).contains("it ends early"));
        QVERIFY(arrowRefusal(file.left(file.size() - 1)).contains("it ends early"));
        QVERIFY_THROWS_EXCEPTION(Error, ArrowFile(parity() / "arrow/absent.arrow"));
    }

    void noByteThatIsWrongLeadsOutsideTheFile() {
        for (const char* name : {"file-zstd.arrow", "lz4.arrow"}) {
            const auto whole = arrowBytes(name);
            for (qsizetype at = 0; at < whole.size(); ++at) {
                auto bytes = whole;
                bytes[at] = static_cast<char>(bytes[at] ^ 0xff);
                const auto refusal = arrowRefusal(bytes);
                QVERIFY2(refusal.isEmpty() || refusal.startsWith("arrow."), qPrintable(refusal));
            }
        }
    }
};

HEADROOM_TEST(ArrowFileTest)

} // namespace headroom::testing::arrow_file_test

#include "arrow_file_test.moc"
