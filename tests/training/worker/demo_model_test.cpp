// SPDX-License-Identifier: GPL-3.0-or-later
// What resources/demo promises: the model knows the sentence, and its layers look differently far.
#include "core/analysis/diagonality.h"
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <algorithm>
#include <filesystem>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::demo_model_test {

namespace {

const QString kDemo = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo");

} // namespace

class DemoModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theModelRecognisesTheDemoUtterance() {
        const auto done = runWorkerProgram({"transcribe", "--model", kDemo + "/model", kDemo + "/demo.wav"});
        QCOMPARE(done.status, 0);
        QCOMPARE(done.out, std::string("demo\tThe big man looks for the pictures in the forest at night.\n"));
    }

    void theModelIsSmall() {
        QVERIFY(std::filesystem::file_size((kDemo + "/model/model.safetensors").toStdString()) <= 6'000'000);
    }

    void layersLookDifferentlyFar() {
        const QTemporaryDir folder;
        const QString out = folder.filePath("out");
        QCOMPARE(runWorkerProgram({"analyse", "--model", kDemo + "/model", kDemo + "/demo.wav", "--out", out})
                     .status,
                 0);
        std::vector<double> within; // D(21) of each layer
        for (const auto& [name, tensor] : readNpz((out + "/demo.npz").toStdString()))
            if (name.ends_with(".contribution_profile"))
                within.push_back(diagonality(DiagonalProfile(toDoubles(tensor.view())), 21));
        QCOMPARE(within.size(), std::size_t(8));
        const auto [least, most] = std::minmax_element(within.begin(), within.end());
        QVERIFY2(*most - *least > 0.1, qPrintable(QStringLiteral("%1 to %2").arg(*least).arg(*most)));
    }
};

HEADROOM_TEST(DemoModelTest)

} // namespace headroom::testing::demo_model_test

#include "demo_model_test.moc"
