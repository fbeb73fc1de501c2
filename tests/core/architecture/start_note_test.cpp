// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/architecture/start_note.h"
#include "core/architecture/trained_architecture.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::start_note_test {

class StartNoteTest : public QObject {
    Q_OBJECT

    static Architecture preset(const char* name) { return readArchitecture(std::filesystem::path(HEADROOM_SOURCE_DIR "/resources/architectures") / name); }
    static QString note(const Architecture& model, const Architecture& architecture, bool encoderOnly = false) {
        return QString::fromStdString(noteOnStart(model, architecture, encoderOnly));
    }

private Q_SLOTS:
    void layersThatAreLeftOutAreNamed() {
        const Architecture model = preset("s2t-small.json"); // 12 layers and 6
        QCOMPARE(note(model, model), QString());
        Architecture shorter = model;
        shorter.encoder.layers.resize(11);
        QCOMPARE(note(model, shorter), QStringLiteral("Encoder layer 12 of the start model is left out, because this architecture has 11."));
        shorter.encoder.layers.resize(10);
        QCOMPARE(note(model, shorter, true), QStringLiteral("Encoder layers 11 and 12 of the start model are left out, because this architecture has 10."));
        shorter.encoder.layers.resize(6);
        shorter.decoder->layers = 5;
        QCOMPARE(note(model, shorter), QStringLiteral("Encoder layers 7–12 of the start model are left out, because this architecture has 6. "
                                                      "Decoder layer 6 of the start model is left out, because this architecture has 5."));
        shorter.encoder.positions = Positions::Rotary;
        QVERIFY(note(model, shorter, true).contains(QStringLiteral("has 6. The encoder of the start model was trained with sinusoidal positions")));
    }

    /// A recipe with a CTC weight adds one to training, which no weights of the model start.
    void aCtcOutputThatTheModelLacksIsNamed() {
        const Architecture model = preset("s2t-small.json"), trained = trainedArchitecture(model, true);
        const QString said = QStringLiteral("The CTC output starts from random weights, because the start model has none.");
        QCOMPARE(note(model, trained), said);
        QCOMPARE(note(trained, trained), QString());
        QCOMPARE(note(trained, model), QString());
        QCOMPARE(note(model, trained, true), QString()); // nothing but the encoder starts from it anyway
    }

    void layersOfLanguageModelsToo() {
        Architecture model = preset("s2t-small.json");
        model.languageModel.emplace();
        Architecture shorter = model;
        shorter.languageModel->layers = model.languageModel->layers - 1;
        QCOMPARE(note(model, shorter), QStringLiteral("Layer 6 of the start model is left out, because this architecture has 5."));
    }
};

HEADROOM_TEST(StartNoteTest)

} // namespace headroom::testing::start_note_test

#include "start_note_test.moc"
