// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/change_name.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::change_name_test {

namespace {

Architecture of(const std::vector<std::string>& layers) {
    Architecture made;
    made.encoder.layers.resize(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i)
        made.encoder.layers[i].heads = parseHeads(layers[i]);
    return made;
}

} // namespace

class ChangeNameTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsNamedByWhatDiffers() {
        const Architecture base = of({"4 full", "4 local 29", "4 full", "4 full", "4 full"});
        QCOMPARE(changeName(base, base), std::string());
        QCOMPARE(changeName(base, of({"4 full", "4 local 19", "4 full", "4 full", "4 full"})),
                 std::string("layer 2: 29 → 19"));
        QCOMPARE(changeName(base, of({"4 full", "4 local 29", "4 local 9", "4 local 9", "4 local 9"})),
                 std::string("layers 3–5: full → 9"));
        QCOMPARE(changeName(base, of({"4 conv 5/2", "4 local 29", "4 full", "4 full", "4 full relaxed 0.01"})),
                 std::string("layer 1: full → conv 5/2, layer 5: full → full relaxed 0.01"));
        QCOMPARE(changeName(base, of({"4 local 3", "4 local 5", "4 local 7", "4 local 9", "4 full"})),
                 std::string("layers 1–4 changed"));
        QCOMPARE(changeName(base, of({"4 local 3", "4 local 5", "4 full", "4 local 9", "4 local 11"})),
                 std::string("4 layers changed")); // never a bare count, which is a depth
        QCOMPARE(changeName(base, of({"2 full + 2 local 9", "4 local 29", "4 full"})),
                 std::string("layer 1: full → 2 full + 2 local 9, 5 → 3 layers"));
        Architecture wide = base;
        wide.encoder.width = 512;
        wide.name = "another";
        QCOMPARE(changeName(base, wide), std::string("encoder"));
        Architecture rotary = base;
        rotary.encoder.positions = Positions::Rotary;
        QCOMPARE(changeName(base, rotary), std::string("positions: sinusoidal → rotary"));
        Architecture speaking = base;
        speaking.decoder.emplace();
        speaking.decoder->crossAttention = parseHeads("4 full");
        QCOMPARE(changeName(base, speaking), std::string("decoder"));
        Architecture relaxed = speaking;
        relaxed.decoder->crossAttention = parseHeads("4 full relaxed 0.1");
        QCOMPARE(changeName(speaking, relaxed), std::string("cross-attention: full → full relaxed 0.1"));
    }
};

HEADROOM_TEST(ChangeNameTest)

} // namespace headroom::testing::change_name_test

#include "change_name_test.moc"
