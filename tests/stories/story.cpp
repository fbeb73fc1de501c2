// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stories/story.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_process.h"
#include "app/window/session_actions.h"
#include "core/alignment/text_grid.h"
#include "core/audio/audio_file.h"

#include <QApplication>
#include <QTest>

#include <cmath>
#include <numbers>
#include <random>

namespace headroom::testing {

using namespace headroom::app;

Story::Story(std::shared_ptr<QTemporaryDir> home, Geometry geometry) : m_home(std::move(home)) {
    // Never the user's own files.
    qputenv("XDG_DATA_HOME", m_home->filePath(QStringLiteral("data")).toUtf8());
    if (!qEnvironmentVariableIsSet("HEADROOM_WORKER"))
        qputenv("HEADROOM_WORKER", HEADROOM_BINARY_DIR "/bin/headroom-worker");
    m_settings = std::make_unique<AppSettings>(m_home->filePath(QStringLiteral("settings.ini")));
    m_theme = std::make_unique<ThemeSwitch>(m_settings.get(), QString());
    m_settings->setTheme(AppSettings::ThemeChoice::Light);
    m_theme->apply();
    m_window = std::make_unique<MainWindow>(m_settings.get(), m_theme.get());
    m_window->setRemembersGeometry(geometry == Geometry::Remembered);
    auto answers = std::make_unique<Answers>();
    m_answers = answers.get();
    m_window->sessionActions()->setDialogs(std::move(answers));
    m_window->resize(1600, 1000);
    m_window->show();
    (void)QTest::qWaitForWindowActive(m_window.get());
}

Story::~Story() = default;

QString Story::model() {
    return QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/model");
}

QString Story::utterance(const QString& name, double seconds) const {
    const auto count = std::size_t(std::lround(seconds * 16000));
    std::vector<float> samples(count);
    std::mt19937 generator(7);
    std::normal_distribution<float> noise(0, 0.002F);
    TextGrid grid;
    grid.end = Seconds(seconds);
    grid.tiers.resize(2);
    grid.tiers[0].name = "words";
    grid.tiers[1].name = "phones";
    constexpr double kSyllable = 0.5;
    for (std::size_t i = 0; i < count; ++i) {
        const double time = double(i) / 16000, within = std::fmod(time, kSyllable) / kSyllable;
        const double pitch = 110 + 40 * std::floor(time / kSyllable);
        double value = 0;
        for (int harmonic = 1; harmonic < 12; ++harmonic)
            value += std::sin(2 * std::numbers::pi * pitch * harmonic * time) / harmonic;
        samples[i] = float(0.15 * value * std::sin(std::numbers::pi * within)) + noise(generator);
    }
    for (int word = 0; word * kSyllable + kSyllable <= seconds + 1e-9; ++word) {
        const Seconds start(word * kSyllable), middle(word * kSyllable + 0.2),
            end(word * kSyllable + kSyllable);
        grid.tiers[0].intervals.push_back({start, end, "word" + std::to_string(word)});
        grid.tiers[1].intervals.push_back({start, middle, "AH"});
        grid.tiers[1].intervals.push_back({middle, end, "M"});
    }
    const QString file = path(name + QStringLiteral(".wav"));
    saveWav(toPath(file), samples, kModelSampleRate);
    writeTextGrid(toPath(path(name + QStringLiteral(".TextGrid"))), grid);
    return file;
}

void Story::open(const QStringList& files) {
    m_window->sessionActions()->openFiles(files);
}

bool Story::quiet(int milliseconds) {
    // Three turns in a row: what just arrived may ask for more at the next turn of the event loop.
    const auto isQuiet = [this] { return !m_window->isPending(); };
    for (int turn = 0; turn < 3; ++turn) {
        if (!QTest::qWaitFor(isQuiet, milliseconds))
            return false;
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
    return isQuiet();
}

bool Story::openAndWait(const QStringList& files) {
    open(files);
    return quiet() && m_window->worker()->state() != WorkerProcess::State::Failed;
}

const AnalysisResult* Story::result() {
    return m_window->analysis()->current();
}

QString Story::messages() {
    QStringList sentences;
    for (int row = 0; row < session().messages()->rowCount(); ++row)
        sentences << session().messages()->at(row).sentence;
    return sentences.join(QLatin1Char('\n'));
}

void Story::key(int key, Qt::KeyboardModifiers modifiers) {
    QWidget* target = QApplication::focusWidget();
    QTest::keyClick(target ? target : m_window.get(), Qt::Key(key), modifiers);
}

} // namespace headroom::testing
