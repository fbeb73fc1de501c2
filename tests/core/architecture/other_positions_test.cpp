// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/other_positions.h"
#include "core/architecture/costs.h"
#include "core/architecture/language_layers.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::other_positions_test {

namespace {

const std::filesystem::path kFolder = HEADROOM_SOURCE_DIR "/resources/architectures";

Architecture preset(const char* file) {
    return readArchitecture(kFolder / file);
}

} // namespace

class OtherPositionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The control is enabled exactly where the document would be read.
    void whatIsOfferedIsWhatADocumentCanHave() {
        int accepted = 0, refused = 0;
        for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
            if (entry.path().extension() != ".json")
                continue;
            const Architecture architecture = readArchitecture(entry.path());
            if (architecture.languageModel) {
                QVERIFY(!whyNotPositions(architecture, Positions::Relative).empty());
                continue;
            }
            for (std::size_t i = 0; i < ChoiceWords<Positions>::all.size(); ++i) {
                const auto positions = static_cast<Positions>(i);
                const std::string why = whyNotPositions(architecture, positions);
                std::string mistake;
                try {
                    const Architecture other = withPositions(architecture, positions);
                    QVERIFY(parseArchitecture(canonicalText(other), "other") == other);
                } catch (const Error& error) {
                    mistake = error.what();
                }
                QVERIFY2(why.empty() == mistake.empty(), (entry.path().filename().string() + ", " + wordOf(positions) + ": “" + why + "” but “" + mistake + "”").c_str());
                ++(why.empty() ? accepted : refused);
            }
        }
        QVERIFY(accepted > 50 && refused > 50);
    }

    void startingWithOtherPositionsIsNoted() {
        const Architecture model = preset("s2t-small.json");
        QCOMPARE(noteOnPositions(model, model, false), std::string());
        QCOMPARE(noteOnPositions(model, withPositions(model, Positions::None), true),
                 std::string("The encoder of the start model was trained with sinusoidal positions, but this architecture has no positions. "
                             "Its weights fit, but they must adapt."));
        Architecture learnt = model;
        learnt.decoder->positions = TextPositions::Learnt;
        QVERIFY(noteOnPositions(learnt, model, true).empty());
        QVERIFY(noteOnPositions(learnt, model, false).starts_with("The decoder of the start model was trained with learnt positions, but"));
    }

    void headsRuleOutPositions() {
        Architecture architecture = preset("s2t-small.json");
        QCOMPARE(whyNotPositions(architecture, Positions::Relative), std::string());
        architecture.encoder.layers[2].heads = parseHeads("4 local 64 block");
        QCOMPARE(whyNotPositions(architecture, Positions::Relative),
                 std::string("Layer 3: relative positions need the distance of each query to its keys, which block heads do not have."));
        QCOMPARE(whyNotPositions(architecture, Positions::Rotary), std::string());
    }

    void parametersFollow() {
        const Architecture architecture = preset("s2t-small.json");
        const auto more = [&](Positions positions) {
            return parameterCosts(withPositions(architecture, positions)).parameters - parameterCosts(architecture).parameters;
        };
        const std::int64_t width = architecture.encoder.width, layers = std::int64_t(architecture.encoder.layers.size());
        QCOMPARE(more(Positions::Relative), layers * (width * width + 2 * width));
        QCOMPARE(more(Positions::Rotary), std::int64_t(0));
        QCOMPARE(more(Positions::Convolutional), width * width / 16 * 128 + width + 128);
        QVERIFY(withPositions(withPositions(architecture, Positions::Convolutional), architecture.encoder.positions) == architecture);
    }
};

HEADROOM_TEST(OtherPositionsTest)

} // namespace headroom::testing::other_positions_test

#include "other_positions_test.moc"
