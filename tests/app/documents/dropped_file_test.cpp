// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/dropped_file.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::dropped_file_test {

using namespace headroom::app;
using headroom::testing::Workshop;

class DroppedFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pathsAreWhatTheyAre_data();
    void pathsAreWhatTheyAre();
    void aFolderOfRecordingsGivesEachOfThem();
    void soundThatCannotBeReadIsSaid();
    void theWeightsStandForTheirModel();
};

void DroppedFileTest::pathsAreWhatTheyAre_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* name, DroppedFile::Kind kind) {
        QTest::newRow(name) << QString::fromUtf8(name) << static_cast<int>(kind);
    };
    row("a.wav", DroppedFile::Kind::Audio);
    row("no-suffix", DroppedFile::Kind::Audio);
    row("a.TextGrid", DroppedFile::Kind::Alignment);
    row("a.textgrid", DroppedFile::Kind::Alignment);
    row("a.tsv", DroppedFile::Kind::Alignment);
    row("manifest.tsv", DroppedFile::Kind::Unknown); // it became an utterance that could not be read
    row("speech", DroppedFile::Kind::Model);
    row("native", DroppedFile::Kind::Model);
    row("bert", DroppedFile::Kind::Model); // the worker says what it is
    row("damaged", DroppedFile::Kind::Model);
    row("whisper.cpp", DroppedFile::Kind::Model);
    row("lora", DroppedFile::Kind::Model);
    row("nvidia", DroppedFile::Kind::Model); // a folder with one archive of NeMo
    row("nvidia/parakeet.nemo", DroppedFile::Kind::Model);
    row("espnet", DroppedFile::Kind::Model); // a training folder of ESPnet
    row("espnet/valid.acc.ave.pth", DroppedFile::Kind::Model);
    row("espnet/config.yaml", DroppedFile::Kind::Model);
    row("mms/adapter.fra.safetensors", DroppedFile::Kind::Model); // the model in that language
    row("peft/adapter.fra.safetensors", DroppedFile::Kind::Audio);
    row("s.headroom", DroppedFile::Kind::Session);
    row("s.headroom/session.json", DroppedFile::Kind::Session);
    row("empty", DroppedFile::Kind::Unknown);
    row("nowhere", DroppedFile::Kind::Unknown);
}

void DroppedFileTest::pathsAreWhatTheyAre() {
    QFETCH(QString, name);
    QFETCH(int, kind);
    Workshop workshop;
    for (const char* file : {"a.wav", "no-suffix", "a.TextGrid", "a.textgrid", "a.tsv", "manifest.tsv"})
        workshop.text(file, "x");
    workshop.model("speech");
    workshop.text("native/architecture.json", "{}");
    workshop.text("bert/config.json", R"({"model_type": "bert"})");
    workshop.text("damaged/config.json", R"({"model_type": "spee)");
    workshop.text("damaged/model.safetensors", "x");
    workshop.text("whisper.cpp/base.gguf", "x");
    workshop.text("lora/adapter_config.json", "{}");
    workshop.text("espnet/config.yaml", "x");
    workshop.text("espnet/valid.acc.ave.pth", "x");
    workshop.text("nvidia/parakeet.nemo", "x");
    workshop.text("mms/config.json", R"({"model_type": "wav2vec2"})");
    workshop.text("mms/adapter.fra.safetensors", "x");
    workshop.text("peft/adapter.fra.safetensors", "x");
    workshop.text("s.headroom/session.json", "{}");
    workshop.text("empty/readme.txt", "x");
    const auto found = classify(workshop.path() / name.toStdString());
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(static_cast<int>(found[0].kind), kind);
    QCOMPARE(found[0].sentence.isEmpty(), found[0].kind != DroppedFile::Kind::Unknown);
    if (name == QStringLiteral("mms/adapter.fra.safetensors"))
        QCOMPARE(found[0].path, workshop.path() / name.toStdString());
    if (found[0].kind == DroppedFile::Kind::Session)
        QCOMPARE(found[0].path, workshop.path() / "s.headroom");
}

void DroppedFileTest::aFolderOfRecordingsGivesEachOfThem() {
    Workshop workshop;
    for (const char* file :
         {"corpus/b.flac", "corpus/a.WAV", "corpus/a.TextGrid", "corpus/notes.txt", "corpus/sub/c.wav"})
        workshop.text(file, "x");
    const auto found = classify(workshop.path() / "corpus");
    QCOMPARE(found.size(), std::size_t(3));
    QCOMPARE(found[0].path.filename(), std::filesystem::path("a.WAV"));
    QCOMPARE(found[1].path.filename(), std::filesystem::path("b.flac"));
    // What lies beside them in folders is not opened, and that is said.
    QCOMPARE(found[2].kind, DroppedFile::Kind::Unknown);
    QVERIFY2(found[2].sentence.contains(QStringLiteral("not those in its folder “sub”.")), qPrintable(found[2].sentence));
    workshop.text("corpus/other/d.wav", "x");
    workshop.text("corpus/papers/notes.txt", "x");
    QVERIFY(classify(workshop.path() / "corpus").back().sentence.contains(QStringLiteral("its folders “other” and “sub”.")));
    // What holds recordings only deeper down is said.
    workshop.text("whole/audio/c.wav", "x");
    workshop.text("whole/manifest.tsv", "x");
    const auto whole = classify(workshop.path() / "whole");
    QVERIFY(whole.size() == 1 && whole[0].kind == DroppedFile::Kind::Unknown);
    QVERIFY2(whole[0].sentence.contains(QStringLiteral("“audio”")), qPrintable(whole[0].sentence));
}

/// A file alone says that it is an MP4 file and what to do. A folder of them says it too, also beside
/// recordings.
void DroppedFileTest::soundThatCannotBeReadIsSaid() {
    Workshop workshop;
    for (const char* file : {"alone/talk.M4A", "beside/a.wav", "beside/a.mp4", "beside/b.m4a", "beside/c.mkv",
                             "many/a.mp4", "many/b.mp4", "many/c.mp4"})
        workshop.text(file, "x");
    const auto alone = classify(workshop.path() / "alone");
    QVERIFY(alone.size() == 1 && alone[0].kind == DroppedFile::Kind::Unknown);
    QVERIFY2(alone[0].sentence.startsWith(
                 QStringLiteral("talk.M4A in alone is a video, or audio in a video format")),
             qPrintable(alone[0].sentence));
    const auto beside = classify(workshop.path() / "beside"); // the sound of a.mp4 was extracted
    QVERIFY(beside.size() == 2 && beside[0].kind == DroppedFile::Kind::Audio &&
            beside[1].kind == DroppedFile::Kind::Unknown);
    QVERIFY2(beside[1].sentence.startsWith(QStringLiteral("b.m4a and c.mkv in beside are videos")),
             qPrintable(beside[1].sentence));
    const QString many = classify(workshop.path() / "many").at(0).sentence;
    QVERIFY2(many.startsWith(QStringLiteral("a.mp4 and 2 more files in many are videos")), qPrintable(many));
}

void DroppedFileTest::theWeightsStandForTheirModel() {
    Workshop workshop;
    const auto model = workshop.model("speech");
    QCOMPARE(classify(model / "model.safetensors").at(0).path, model);
}

HEADROOM_TEST(DroppedFileTest)

} // namespace headroom::testing::dropped_file_test

#include "dropped_file_test.moc"
