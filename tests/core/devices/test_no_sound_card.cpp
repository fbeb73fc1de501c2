// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/audio_devices.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace headroom;

#ifdef __SANITIZE_ADDRESS__
// ALSA opens every plug-in that is installed and closes it again; some of the libraries behind them (codecs)
// do not free what they took when they were loaded. That is theirs; what is ours is still reported. The slow
// unwinder sees through them.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
    return "fast_unwind_on_malloc=0";
}
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions() {
    return "leak:snd_dlopen\n";
}
#endif

/// In a process of its own: what PortAudio has found once would stand in the way of the other tests.
class TestNoSoundCard : public QObject {
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

QTEST_GUILESS_MAIN(TestNoSoundCard)
#include "test_no_sound_card.moc"
