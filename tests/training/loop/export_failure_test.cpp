// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/loop/export_model.h"
#include "training/loop/initial_weights.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::export_failure_test {

namespace fs = std::filesystem;

class ExportFailureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The message named the model's folder, and a half-written .model.new-PID stayed beside it.
    void aFileThatIsGoneIsNamedAndNothingIsLeft() {
        const QTemporaryDir place;
        const fs::path folder = fs::path(place.path().toStdString()) / "run", model = folder / "model";
        fs::create_directories(model);
        const Architecture architecture = readArchitecture(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.architecture.json");
        try {
            training::exportModel(model, training::initialWeights(architecture, false, 1), {architecture, "/gone/sentencepiece.model", "a test", {}});
            QFAIL("there is no tokenizer");
        } catch (const Error& error) {
            QCOMPARE(error.what(), "/gone/sentencepiece.model could not be copied: No such file or directory.");
        }
        for (const auto& entry : fs::directory_iterator(folder))
            QCOMPARE(entry.path(), model); // the earlier one
    }
};

HEADROOM_TEST(ExportFailureTest)

} // namespace headroom::testing::export_failure_test

#include "export_failure_test.moc"
