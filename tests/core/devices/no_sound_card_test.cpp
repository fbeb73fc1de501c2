// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/audio_devices.h"
#include "tests/support/runner.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::no_sound_card_test {


/// In a process of its own: what PortAudio has found once would stand in the way of the other tests.
class NoSoundCardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMachineWithoutASoundCardSaysSo() {
        if (!QDir("/dev/snd").entryList({"pcm*"}, QDir::System).isEmpty() || QFile::exists("/dev/dsp"))
            QSKIP("this machine has a sound card");
        qputenv("JACK_DEFAULT_SERVER", "no such server");
        try {
            // With a sound server's plug-in there may be devices all the same; then nothing can be said here.
            const auto devices = openSoundCards();
            devices->makePlayer();
            QSKIP("this machine has no sound card, but a sound server");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("devices.none"));
            QVERIFY(std::string(error.what()).ends_with("analyse recordings."));
        }
    }

    void aMissingConfigurationSaysSo() {
        QTemporaryDir directory;
        QFile configuration(directory.filePath("asound.conf"));
        QVERIFY(configuration.open(QIODevice::WriteOnly));
        configuration.close();
        qputenv("ALSA_CONFIG_PATH", configuration.fileName().toUtf8());
        QVERIFY_EXCEPTION_THROWN(openSoundCards(), Error);
    }
};

HEADROOM_TEST(NoSoundCardTest)

} // namespace headroom::testing::no_sound_card_test

#include "no_sound_card_test.moc"
