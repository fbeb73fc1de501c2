// SPDX-License-Identifier: GPL-3.0-or-later
// `import` as a person runs it: ways in and out, and what it says of files that it does not take.
#include "tests/support/pickle_writer.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

namespace headroom::testing::worker_import_test {

class WorkerImportTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    /// A copy of the reference model without its weights.
    QString folderWithoutWeights(const QString& name) const {
        QDir().mkpath(path(name));
        for (const QString& file : QDir(kModel).entryList(QDir::Files))
            if (file != "model.safetensors")
                QFile::copy(kModel + "/" + file, path(name + "/" + file));
        return path(name);
    }
    static qsizetype lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

private Q_SLOTS:
    void modelsGoOutAndComeBack() {
        const auto ours = runWorkerProgram({"import", kModel, "--out", path("ours"), "--json"});
        QVERIFY2(ours.status == 0, ours.err.c_str());
        const auto theirs = runWorkerProgram(
            {"import", path("ours"), "--format", "hugging-face", "--out", path("theirs"), "--json"});
        QVERIFY2(theirs.status == 0, theirs.err.c_str());
        QVERIFY(theirs.document()["sourceKind"] == "Headroom");
        QVERIFY(QFile::exists(path("theirs/config.json")) && QFile::exists(path("theirs/vocab.json")));
        const auto back = runWorkerProgram({"import", path("theirs"), "--out", path("back"), "--json"});
        QVERIFY2(back.status == 0, back.err.c_str());
        QVERIFY(back.document()["hash"] == ours.document()["hash"]);
        QVERIFY(back.document()["report"]["missing"].empty());
        QVERIFY(back.document()["computedAs"] == "float32");
        QCOMPARE(runWorkerProgram({"import", path("ours"), "--out", path("twice")}).status,
                 1); // ours already
        QCOMPARE(runWorkerProgram({"import", kModel, "--out", path("x"), "--format", "onnx"}).status, 2);
    }

    void picklesThatCallSomethingAreRefusedByName() {
        const QString folder = folderWithoutWeights("evil");
        PickleWriter pickle;
        pickle.global("os", "system").mark().text(("touch " + path("pwned")).toStdString()).tuple().reduce();
        std::ofstream(path("evil/pytorch_model.bin").toStdString(), std::ios::binary)
            << TorchSaver().file(pickle);
        const auto done = runWorkerProgram({"import", folder, "--out", path("never")});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("evil/pytorch_model.bin is not read: its pickle names os.system"),
                 done.err.c_str());
        QCOMPARE(lines(done.err), qsizetype(1));
        QVERIFY(!QFile::exists(path("never")) && !QFile::exists(path("pwned")));
    }

    void whatDoesNotFitIsListedByName() {
        const QString folder = folderWithoutWeights("other");
        TorchSaver saver;
        PickleWriter pickle;
        const std::vector<float> one{1};
        saver.stateDict(pickle, {{"ctc.weight", headroom::Tensor::of<float>({1}, one)}});
        std::ofstream(path("other/pytorch_model.bin").toStdString(), std::ios::binary) << saver.file(pickle);
        const auto done = runWorkerProgram({"import", folder, "--out", path("never"), "--json"});
        QCOMPARE(done.status, 1);
        QVERIFY(done.says("missing: model.encoder.conv.conv_layers.0.weight\n"));
        QVERIFY(done.says("unexpected: ctc.weight\n"));
        const auto document = done.document();
        QVERIFY(document["model"].is_null() && document["error"].is_string());
        QVERIFY(document["report"]["missing"].size() > 100);
        QVERIFY(document["report"]["unexpected"] == nlohmann::json::array({"ctc.weight"}));
    }
};

HEADROOM_TEST(WorkerImportTest)

} // namespace headroom::testing::worker_import_test

#include "worker_import_test.moc"
