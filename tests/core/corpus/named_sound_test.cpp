// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_defects.h"
#include "tests/support/runner.h"

#include <QtTest/QtTest>

namespace headroom::testing::named_sound_test {

class NamedSoundTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Any text between brackets was called a sound.
    void oneOrTwoWordsInBracketsNameASound_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sound");
        const auto row = [](const char* text, const char* sound) { QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(sound); };
        row("Thanks. (Applause)", "(Applause)");
        row("Danke. (Beifall) (Lachen)", "(Beifall)");
        row("And then (Music ends) we went.", "(Music ends)");
        row("(Überraschtes Lachen)", "(Überraschtes Lachen)");
        row("谢谢。（掌声）", "（掌声）");
        row("so [noise] and", "[noise]");
        row("so [background noise] and", "[background noise]");
        row("so <laugh> and", "<laugh>");
        row("he said (as always) that (Laughter)", "(Laughter)");
        row("(il jeta un coup d'oeil sur le calepin …)", "");
        row("(dit-il)", "");
        row("the alliance (NATO) and (U.S.)", "");
        row("(Mr. Smith) left (Dr. No)", "");
        row("(ТАСС)", "");
        row("(APPLAUSE)", "(APPLAUSE)");
        row("(Laughter.)", "(Laughter.)");
        row("(NATO) (MUSIC)", "(MUSIC)");
        row("(Laughter...)", "(Laughter...)");
        row("（Music…）", "（Music…）");
        row("(Applause. Cheers.)", "(Applause. Cheers.)");
        row("(A cough)", "(A cough)");
        row("(Clap.)", "(Clap.)");
        row("(NATO.) and (A. Smith)", "");
        row("[UNK] and", "[UNK]");
        row("(He looked away)", "");
        row("in (1984)", "");
        row("( )", "");
        row("()", "");
        row("a (Laugh", "");
        row("3 < 4 and 5 > 2", "");
        row("", "");
    }
    void oneOrTwoWordsInBracketsNameASound() {
        QFETCH(QString, text);
        QFETCH(QString, sound);
        const std::string bytes = text.toStdString();
        const auto found = namedSound(bytes);
        QCOMPARE(QString::fromUtf8(found.data(), qsizetype(found.size())), sound);
    }
};

HEADROOM_TEST(NamedSoundTest)

} // namespace headroom::testing::named_sound_test

#include "named_sound_test.moc"
