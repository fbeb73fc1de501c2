// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics as Kaldi's writers write them, byte for byte.
#include "core/errors/error.h"
#include "core/features/kaldi_cmvn.h"
#include "tests/support/runner.h"

#include <cmath>
#include <fstream>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::kaldi_cmvn_test {

namespace {

template <class T>
std::string bytesOf(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
std::string matrix(const char* kind, const std::vector<T>& values) {
    std::string bytes = std::string("\0B", 2) + kind + "\4" + bytesOf(std::int32_t(2)) + "\4" +
                        bytesOf(static_cast<std::int32_t>(values.size() / 2));
    for (const T value : values)
        bytes += bytesOf(value);
    return bytes;
}

} // namespace

class KaldiCmvnTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    std::filesystem::path file(const std::string& bytes) const {
        const std::filesystem::path path = m_folder.filePath("cmvn.ark").toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    std::string refused(const std::string& bytes) const {
        try {
            readKaldiCmvn(file(bytes));
        } catch (const Error& error) {
            return error.code() == "cmvn.unreadable" ? error.what() : "another error";
        }
        return {};
    }

private Q_SLOTS:
    /// Two bins over four frames: sums 6 and 20, squares 18 and 104.
    void everyFormGivesTheSameNumbers() {
        const std::vector<double> all{6, 20, 4, 18, 104, 0};
        const std::vector<float> half{3, 10, 2, 9, 52, 0};
        for (const std::string& bytes :
             {matrix("DM ", all), "spk1 " + matrix("FM ", half) + "spk2 " + matrix("FM ", half),
              std::string(" [\n  6 20 4 \n  18 104 0 ]\n"),
              std::string("spk1  [\n  3 10 2 \n  9 52 0 ]\nspk2  [\n 3 10 2\n 9 52 0 ]\n")}) {
            const KaldiCmvn found = readKaldiCmvn(file(bytes));
            QCOMPARE(found.frames, std::int64_t(4));
            QVERIFY((found.cmvn.mean == std::vector<double>{1.5, 5}));
            QVERIFY(std::abs(found.cmvn.deviation[0] - 1.5) < 1e-12);
            QVERIFY(std::abs(found.cmvn.deviation[1] - 1) < 1e-12);
        }
    }

    void whatIsNoStatisticsIsNamed() {
        const std::string good = matrix<double>("DM ", {6, 20, 4, 18, 104, 0});
        QVERIFY(refused(good).empty());
        for (std::size_t length = 0; length < good.size(); ++length)
            QVERIFY2(!refused(good.substr(0, length)).empty(), qPrintable(QString::number(length)));
        QVERIFY(refused(good.substr(0, good.size() - 1)).find("cmvn.ark") != std::string::npos);
        QVERIFY(refused(good + good.substr(0, 10)).find("cut short") != std::string::npos);
        QVERIFY(refused(matrix<double>("CM ", {6, 20, 4, 18, 104, 0})).find("full matrices") !=
                std::string::npos);
        QVERIFY(refused(matrix<double>("DM ", {6, 20, 0, 18, 104, 0})).find("no frames") !=
                std::string::npos);
        QVERIFY(refused(matrix<double>("DM ", {6, NAN, 4, 18, 104, 0})).find("finite") != std::string::npos);
        QVERIFY(!refused(" [ 6 20 4 18 x 0 ]").empty() && !refused(" [ 6 20 4 18 104 ]").empty());
        QVERIFY(!refused("a " + good + "b " + matrix<double>("DM ", {6, 4, 18, 0})).empty()); // other bins
        QVERIFY_EXCEPTION_THROWN(readKaldiCmvn("/nowhere/cmvn.ark"), Error);
    }
};

HEADROOM_TEST(KaldiCmvnTest)

} // namespace headroom::testing::kaldi_cmvn_test

#include "kaldi_cmvn_test.moc"
