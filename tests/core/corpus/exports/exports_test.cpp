// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_name.h"
#include "core/corpus/exports/export_corpus.h"
#include "tests/core/corpus/exports/python_readers.h"
#include "tests/core/corpus/kinds/source_folder.h"
#include "tests/support/runner.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::exports_test {

namespace {

/// Whole recordings and segments, of two rates; speakers and none; translations of some; awkward text.
void writeSource(const SourceFolder& folder) {
    folder.sound("a talk.wav", 2.0, 0, 44100);
    folder.sound("b.flac", 1);
    folder.sound("deep/b.flac", 0.75);
    folder.write("list.csv",
                 "id,audio,text,translation,tgt_lang,speaker,start,end,split,language\n"
                 "u1,a talk.wav,\"Say \"\"yes\"\", \\ or so\",Ja ü,de,anna,0.123456,1.000001,train,en\n"
                 "u2,a talk.wav,No.,,,,1.1,1.9,train,en\n"
                 "u3,b.flac,Three.,Drei.,de,bob,,,dev,en\n"
                 "u4,deep/b.flac,,,,bob,,,dev,en\n");
}

/// A table as text, the recordings by their real names.
QString rowsOf(const std::filesystem::path& folder) {
    const auto corpus = Corpus::open(folder);
    QString all;
    for (const auto& language : corpus.document().languages)
        all += QString::fromStdString(language) + ' ';
    for (const auto& table : corpus.tables()) {
        auto rows = table.utterances;
        std::sort(rows.begin(), rows.end(),
                  [](const auto& left, const auto& right) { return left.id < right.id; });
        all += QString::fromStdString("\n" + table.split + " " + table.task + "\n");
        for (const auto& row : rows) {
            auto name = audioName(row.audio);
            name.file = std::filesystem::canonical(name.file);
            all += QString::fromStdString(row.id + "|" + name.path().string() + "|" +
                                          std::to_string(row.frames->value()) + "|" + row.text + "|" +
                                          row.sourceText + "|" + row.speaker + "\n");
        }
    }
    return all;
}

/// A Python that can import this module: HEADROOM_PYTHON, else python3; empty if there is none.
QString pythonWith(const char* module) {
    const QString named = qEnvironmentVariable("HEADROOM_PYTHON");
    const QString python = named.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("python3")) : named;
    QProcess process;
    process.start(python, {QStringLiteral("-c"), QStringLiteral("import %1").arg(QLatin1String(module))});
    return process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0 ? python : QString();
}

/// What a script prints, or its error.
QByteArray saidBy(const QString& python, const char* script, const std::filesystem::path& folder) {
    QProcess process;
    process.start(python, {QStringLiteral("-c"), QString::fromUtf8(script), QString::fromStdString(folder.string())});
    process.waitForFinished(120000);
    return process.exitCode() == 0 ? process.readAllStandardOutput() : process.readAllStandardError();
}

} // namespace

class ExportsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundTripsLoseNothing_data() {
        QTest::addColumn<QString>("kind");
        for (const auto& kind : exportKinds())
            QTest::newRow(std::string(kind.name).c_str()) << QString::fromStdString(std::string(kind.name));
    }
    void roundTripsLoseNothing() {
        QFETCH(QString, kind);
        const SourceFolder folder;
        writeSource(folder);
        const auto made = folder.import("csv");
        QCOMPARE(made.splits.size(), std::size_t(2));
        const auto exported = folder.path() / "exported", again = folder.path() / "again";
        std::filesystem::create_directory(exported); // as who chooses a folder in a dialogue makes it
        exportCorpus(folder.out(), exportKind(kind.toStdString()), exported);

        CorpusImport request;
        request.from = exported;
        request.out = again;
        const auto read = importCorpus(request); // recognised
        QCOMPARE(QString::fromStdString(read.kind), kind);
        for (const auto& problem : read.problems) // u4 has no text here either
            QVERIFY2(problem.code == "corpus.emptyText", problem.sentence.c_str());
        const auto before = rowsOf(folder.out());
        QVERIFY2(before.contains("u1|") && before.contains(":5444:38656") && before.contains("Ja ü"),
                 qPrintable(before));
        QCOMPARE(rowsOf(again), before);
        QCOMPARE(errorCodeOf([&] { exportCorpus(folder.out(), exportKind("nemo"), exported); }),
                 QString("corpus.exists"));
    }

    /// Lhotse itself reads what was written: its validators check every recording and every supervision against the sounds.
    void lhotseReadsItsExport() {
        const QString python = pythonWith("lhotse");
        if (python.isEmpty())
            QSKIP("There is no Python with lhotse here.");
        const SourceFolder folder;
        writeSource(folder);
        folder.import("csv");
        const auto exported = folder.path() / "lhotse";
        exportCorpus(folder.out(), exportKind("lhotse"), exported);
        const QByteArray said = saidBy(python, kReadWithLhotse, exported);
        const auto rows = nlohmann::json::parse(said.toStdString(), nullptr, false);
        QVERIFY2(rows.is_array() && rows.size() >= 3, said.constData());
        QCOMPARE(rows[0][0].get<std::string>(), std::string("u1"));
        QCOMPARE(rows[0][1].get<double>(), std::round(5444 / 44100.0 * 1e6) / 1e6);
        QCOMPARE(rows[0][2].get<double>(), std::round(38656 / 44100.0 * 1e6) / 1e6);
        QCOMPARE(rows[0][3].get<std::string>(), std::string("Say \"yes\", \\ or so"));
        QCOMPARE(rows[0][4].get<std::string>(), std::string("anna"));
    }

    /// The keys and types that NeMo's manifest readers take, each line a JSON object (nemo/collections/common/parts/preprocessing/manifest.py).
    void nemoManifestsHaveItsTypes() {
        const QString python = pythonWith("json");
        if (python.isEmpty())
            QSKIP("There is no Python here.");
        const SourceFolder folder;
        writeSource(folder);
        folder.import("csv");
        const auto exported = folder.path() / "nemo";
        exportCorpus(folder.out(), exportKind("nemo"), exported);
        const QByteArray said = saidBy(python, kReadAsNemo, exported);
        QVERIFY2(said.trimmed().toInt() >= 4, said.constData());
    }

    void lhotseAndNemoFieldsHaveTheirNames() {
        const SourceFolder folder;
        writeSource(folder);
        folder.import("csv");
        const auto exported = folder.path() / "nemo";
        exportCorpus(folder.out(), exportKind("nemo"), exported);
        std::ifstream lines(exported / "train.json");
        std::string line;
        QVERIFY(std::getline(lines, line));
        const auto row = nlohmann::json::parse(line);
        QCOMPARE(row["audio_filepath"].get<std::string>(), (folder.from() / "a talk.wav").string());
        QCOMPARE(row["offset"].get<double>(), 5444 / 44100.0);
        QCOMPARE(row["duration"].get<double>(), 38656 / 44100.0);
        QCOMPARE(row["text"].get<std::string>(), std::string("Say \"yes\", \\ or so"));
        QVERIFY(std::getline(lines, line));
        const auto translated = nlohmann::json::parse(line);
        QCOMPARE(translated["taskname"].get<std::string>(), std::string("ast"));
        QCOMPARE(translated["target_lang"].get<std::string>(), std::string("de"));
        QCOMPARE(translated["text"].get<std::string>(), std::string("Ja ü"));
    }

    void whatKaldiCannotSayIsRefused() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("list.csv", "id,audio,text\na b,a.wav,hello\n");
        folder.import("csv");
        const auto exported = folder.path() / "exported";
        QCOMPARE(errorCodeOf([&] { exportCorpus(folder.out(), exportKind("kaldi"), exported); }),
                 QString("corpus.notExported"));
        QVERIFY(!std::filesystem::exists(exported));
        QCOMPARE(errorCodeOf([] { exportKind("espnet"); }), QString("corpus.noKind"));
        folder.write("train.csv", "id,audio,text\na,a.wav:sp0.9,hello\n");
        std::filesystem::remove(folder.from() / "list.csv");
        folder.import("csv");
        QCOMPARE(errorCodeOf([&] { exportCorpus(folder.out(), exportKind("lhotse"), exported); }),
                 QString("corpus.notExported"));
        exportCorpus(folder.out(), exportKind("fairseq"), exported);
        std::ifstream lines(exported / "train_asr.tsv");
        std::string line;
        std::getline(lines, line);
        QVERIFY(std::getline(lines, line) && line.find("/a.wav:sp0.9\t109\thello") != std::string::npos);
    }
};

HEADROOM_TEST(ExportsTest)

} // namespace headroom::testing::exports_test

#include "exports_test.moc"
