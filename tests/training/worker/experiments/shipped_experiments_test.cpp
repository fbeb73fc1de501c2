// SPDX-License-Identifier: GPL-3.0-or-later
// Every document of resources/experiments, done by the real program at its smallest size to its table. A ctest for each.
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <set>

namespace headroom::testing::shipped_experiments_test {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

const fs::path kDocuments = fs::path(HEADROOM_SOURCE_DIR) / "resources/experiments";
/// Everything has its least size at this scale: 10 updates, width 32, 64 utterances of training, 16 of other splits.
const QString kScale = "0.0001";

QString shown(const fs::path& path) {
    return QString::fromStdString(path.string());
}

/// Why a cell may have no number of ours: the demo corpora have no noisy half of a test set, and models that have learnt
/// nothing score 0, from which no percentage follows.
bool isExcused(const std::string& missing) {
    static const std::set<std::string> kNoPercentage{"The baseline is 0.", "One of the numbers is missing."};
    return kNoPercentage.contains(missing) || missing.ends_with(" has no split “dev-other”.") ||
           missing.ends_with(" has no split “test-other”.");
}

} // namespace

class ShippedExperimentsTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    fs::path root() const { return m_folder.path().toStdString(); }

    void make(const QStringList& corpus) {
        const Finished made = runWorkerProgram(QStringList{"corpus", "demo"} + corpus);
        if (made.says("espeak-ng is not installed"))
            QSKIP("espeak-ng is not installed");
        QVERIFY2(made.status == 0, made.err.c_str());
    }
    /// The corpora that the document needs; returns the folder that holds them.
    fs::path corpora(const json& document) {
        bool speech = false, text = false;
        for (const json& corpus : document.value("corpora", json::array()))
            (corpus.value("input", std::string()) == "text" ? text : speech) = true;
        if (speech)
            make({"--minutes", "1", "--out", shown(root() / "data/100h")});
        if (text)
            make({"--text", "--sentences", "200", "--out", shown(root() / "data/iwslt14")});
        fs::create_directories(root() / "data");
        return speech && !text ? root() / "data/100h" : root() / "data"; // one corpus stands in for all
    }

private Q_SLOTS:
    void endsInItsTable_data() {
        QTest::addColumn<QString>("name");
        for (const auto& entry : fs::directory_iterator(kDocuments))
            if (entry.path().extension() == ".json")
                QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().stem());
    }
    void endsInItsTable() {
        QFETCH(QString, name);
        const fs::path data = corpora(readStrictObject(kDocuments / (name.toStdString() + ".json"), "test")), out = root() / "out";
        if (QTest::currentTestFailed())
            return;
        const Finished ended = runWorkerProgram({"experiment", name, "--data", shown(data), "--out", shown(out), "--seeds", "1", "--scale", kScale});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const json table = readStrictObject(out / "table.json", "test");
        QCOMPARE(table["experiment"].get<std::string>(), name.toStdString());
        QVERIFY(!table["rows"].empty());
        for (const json& row : table["rows"]) {
            bool mayBeFilled = false, isFilled = false;
            for (const auto& [column, cell] : row["cells"].items()) {
                const bool hasSource = !cell["ours"].is_null() || cell.contains("missing"); // else it is the paper's alone
                mayBeFilled = mayBeFilled || hasSource;
                isFilled = isFilled || !cell["ours"].is_null();
                if (hasSource && cell["ours"].is_null())
                    QVERIFY2(isExcused(cell["missing"]), (row["labels"].dump() + ", " + column + ": " + cell.dump()).c_str());
            }
            QVERIFY2(isFilled || !mayBeFilled, row.dump().c_str());
        }
        for (const char* file : {"table.md", "table.tex"})
            QVERIFY2(fs::file_size(out / file) > 0, file);
    }
};

HEADROOM_TEST(ShippedExperimentsTest)

} // namespace headroom::testing::shipped_experiments_test

#include "shipped_experiments_test.moc"
