// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/audio_devices.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::sound_cards_test {

namespace {

/// What a piece of code writes to standard error, whoever writes it.
class StandardError {
public:
    explicit StandardError(const QString& file) : m_file(file), m_saved(::dup(2)) {
        const int descriptor = ::open(file.toUtf8(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::dup2(descriptor, 2);
        ::close(descriptor);
    }
    ~StandardError() { restore(); }
    QByteArray written() {
        restore();
        QFile file(m_file);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot read");
    }

private:
    void restore() {
        if (m_saved < 0)
            return;
        ::dup2(m_saved, 2);
        ::close(m_saved);
        m_saved = -1;
    }
    QString m_file;
    int m_saved;
};

} // namespace

/// PortAudio itself, on an ALSA device that writes to a file. In a process of its own, because ALSA's
/// configuration holds for the whole process.
class SoundCardsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_output = m_directory.filePath("played.raw");
        QFile configuration(m_directory.filePath("asound.conf"));
        QVERIFY(configuration.open(QIODevice::WriteOnly));
        configuration.write(
            QStringLiteral("pcm.!default {\n  type plug\n  slave.pcm {\n    type file\n    file \"%1\"\n"
                           "    format raw\n    slave.pcm { type null }\n  }\n}\n")
                .arg(m_output)
                .toUtf8());
        configuration.close();
        qputenv("ALSA_CONFIG_PATH", configuration.fileName().toUtf8());
    }

    void lookingForCardsIsQuietAndPlayingReachesTheDevice() {
        StandardError standardError(m_directory.filePath("stderr.txt"));
        std::unique_ptr<AudioDevices> devices;
        std::unique_ptr<Player> player;
        std::string refusal;
        try {
            devices = openSoundCards();
            player = devices->makePlayer();
        } catch (const Error& error) {
            refusal = error.code() + ": " + error.what();
        }
        const auto written = standardError.written();
        QVERIFY2(written.isEmpty(), written);
        if (!player) {
            QVERIFY(refusal.rfind("devices.none", 0) == 0 || refusal.rfind("devices.failed", 0) == 0);
            QSKIP(("PortAudio cannot use the ALSA file device: " + refusal).c_str());
        }
        QVERIFY(
            std::ranges::any_of(devices->list(), [](const AudioDeviceInfo& d) { return d.isDefaultPlayer; }));

        auto samples = std::make_shared<std::vector<float>>(16000);
        for (std::size_t i = 0; i < samples->size(); ++i)
            (*samples)[i] = 0.5F * std::sin(static_cast<float>(i) * 0.1F);
        try {
            player->play({samples, kModelSampleRate}, Seconds(0));
        } catch (const Error& error) {
            QSKIP(error.what());
        }
        QTRY_VERIFY_WITH_TIMEOUT(!player->playing(), 60000);
        QCOMPARE(player->position(), Seconds(1.0));
        player->stop();
        player.reset();
        devices.reset();
        QFile file(m_output);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        // Unpaced, in the format that ALSA negotiated; that something other than silence arrived is what
        // counts.
        QVERIFY(bytes.size() >= 16000 * 2);
        QVERIFY(std::ranges::count_if(bytes, [](char byte) { return byte != 0; }) > 16000);
    }

private:
    QTemporaryDir m_directory;
    QString m_output;
};

HEADROOM_TEST(SoundCardsTest)

} // namespace headroom::testing::sound_cards_test

#include "sound_cards_test.moc"
