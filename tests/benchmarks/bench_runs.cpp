// SPDX-License-Identifier: GPL-3.0-or-later
// What Train costs where there are many runs: opening their table with and without the index, drawing one
// more experiment of three seeds beside those that are drawn, and watching a run that writes 1,000 lines of log and 100 events a
// second. The runs are made in a temporary folder; their
// events are hard links to a few texts, so a thousand runs of 100 metrics and 1,000 points need megabytes,
// not gigabytes.
//
//     headroom-benchmark-runs [runs = 1000] [metrics = 100] [points = 1000]
//     headroom-benchmark-runs --watch RUNS RUN [seconds = 10]     a run that somebody else writes (tests/benchmarks/watch-runs --window)
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/parts/actions.h"
#include "app/places/place_store.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/runs/curve_reader.h"
#include "core/runs/events.h"
#include "core/runs/recipe.h"
#include "core/runs/run_folder.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/run_table.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <random>
#include <string_view>
#include <thread>

using namespace headroom;
using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

constexpr int kSeeds = 3;
constexpr int kTexts = 6; ///< different events.jsonl

double millisecondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void waitFor(const std::function<bool()>& condition) {
    while (!condition())
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
}

void writeEvents(const fs::path& file, int metrics, int points, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.05);
    EventWriter writer(file);
    for (int point = 1; point <= points; ++point) {
        nlohmann::ordered_json event{{"event", "step"},
                                     {"update", point * 50},
                                     {"loss", 8.0 / (1 + 0.02 * point) + noise(random)},
                                     {"learningRate", 0.002 / (1 + 0.01 * point)},
                                     {"framesPerSecond", 30000 * (1 + noise(random))},
                                     {"secondsLeft", points - point}};
        for (int metric = 4; metric < metrics; ++metric)
            event["metric" + std::to_string(metric)] = noise(random);
        writer.add(event);
        if (point % 20 == 0)
            writer.add({{"event", "validation"},
                        {"update", point * 50},
                        {"loss", 8.0 / (1 + 0.02 * point)},
                        {"wer", 100.0 / (1 + 0.02 * point) + noise(random)}});
    }
}

void makeRuns(const fs::path& runs, int count, int metrics, int points) {
    Architecture architecture =
        readArchitecture(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.architecture.json");
    const std::string recipe = canonicalText(readRecipe(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.json"));
    const fs::path texts = runs.parent_path() / "texts";
    fs::create_directories(texts);
    for (int text = 0; text < kTexts; ++text)
        writeEvents(texts / std::to_string(text), metrics, points, static_cast<unsigned>(text) + 1);
    for (int run = 0; run < count; ++run) {
        char id[40];
        std::snprintf(id, sizeof id, "2026-11-%02d_run-%04d", run / 100 % 28 + 1, run);
        const RunPaths paths{runs / id};
        fs::create_directories(paths.folder);
        architecture.name = "experiment " + std::to_string(run / kSeeds);
        std::ofstream(paths.architecture()) << canonicalText(architecture);
        std::ofstream(paths.recipe()) << recipe;
        fs::create_hard_link(texts / std::to_string(run % kTexts), paths.events());
        RunInfo info;
        info.id = id;
        info.state = RunState::Finished;
        info.created = std::string(id, 10) + "T10:00:00Z";
        info.seed = static_cast<std::uint64_t>(run % kSeeds + 1);
        info.data = "/corpora/demo";
        info.update = info.maxUpdates = points * 50;
        info.best = {{"update", points * 50}, {"loss", 2.0}, {"wer", 20.0 + run % 7}};
        writeRun(paths.folder, info);
    }
}

/// Train with a session and settings of its own.
struct Desk {
    explicit Desk(const fs::path& place)
        : settings(toQString(place / "settings.ini"))
        , workspace({&session, &drafts, &settings, &actions, &places, &devices, toQString(place / "index.sqlite")}) {
        workspace.resize(1600, 900);
        workspace.show();
    }
    /// The table holds every run and stands on the screen.
    void waitForTable(int experiments) {
        waitFor([&] { return workspace.runTable()->runs()->rowCount() >= experiments; });
        workspace.runTable()->repaint();
    }
    Session session;
    Drafts& drafts = *session.drafts();
    Actions actions{session.undoStack(), nullptr};
    AppSettings settings;
    PlaceStore places;
    DeviceList devices;
    TrainWorkspace workspace;
};

void print(const char* what, double milliseconds, double limit) {
    std::printf("%-52s %9.1f   %s %.0f ms\n", what, milliseconds, milliseconds <= limit ? "within" : "ABOVE",
                limit);
}

double processorMilliseconds() { // of this thread
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// How long the window answers to nothing at most, in so many seconds. The processor time says it where other programs take their
/// share of the machine. Milliseconds.
struct Blocked {
    double longest = 0, work = 0;
};
Blocked blockedFor(std::chrono::seconds seconds) {
    Blocked most;
    QElapsedTimer sinceLast;
    double workBefore = processorMilliseconds();
    QTimer tick;
    tick.setTimerType(Qt::PreciseTimer);
    QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
        const double work = processorMilliseconds();
        most.longest = std::max(most.longest, static_cast<double>(sinceLast.nsecsElapsed()) / 1e6);
        most.work = std::max(most.work, work - workBefore);
        sinceLast.restart();
        workBefore = work;
    });
    sinceLast.start();
    tick.start(5);
    const auto until = std::chrono::steady_clock::now() + seconds;
    while (std::chrono::steady_clock::now() < until)
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    return most;
}

/// A run of another process, as RunWatch mirrors it, for ten seconds.
void watchBusyRun(Desk& desk, const fs::path& runs) {
    constexpr int kLines = 1000, kEvents = 100, kSeconds = 10;
    const RunPaths paths{runs / "2026-12-01_busy"};
    fs::create_directories(paths.folder);
    const fs::path other = fs::directory_iterator(runs)->path();
    fs::copy_file(RunPaths{other}.architecture(), paths.architecture());
    fs::copy_file(RunPaths{other}.recipe(), paths.recipe());
    RunInfo info;
    info.id = "2026-12-01_busy";
    info.state = RunState::Running;
    info.created = "2026-12-01T10:00:00Z";
    info.maxUpdates = kEvents * kSeconds;
    const auto lock = takeRun(paths.folder);
    writeRun(paths.folder, info);
    EventWriter events(paths.events());
    std::ofstream log(paths.log());
    waitFor([&] { return desk.workspace.store()->find(paths.folder) != nullptr; });
    desk.workspace.setCurrentRun(paths.folder);
    const auto begin = std::chrono::steady_clock::now();
    std::thread writer([&] {
        for (int tick = 0; tick < kSeconds * 100; ++tick) {
            events.add({{"event", "step"}, {"update", tick + 1}, {"loss", 8.0 / (1 + 0.01 * tick)}, {"learningRate", 0.001}});
            for (int line = 0; line < kLines / 100; ++line)
                log << "Batch " << tick << ", part " << line << ": a line of the usual length, with a number or two\n";
            log.flush();
            std::this_thread::sleep_until(begin + std::chrono::milliseconds(10 * (tick + 1)));
        }
    });
    const Blocked most = blockedFor(std::chrono::seconds(kSeconds + 1));
    writer.join();
    print("1,000 lines and 100 events a second: blocked at most", most.longest, 50);
    std::printf("%-52s %9.1f\n", "of it: work of the window's thread", most.work);
}

/// A run in a folder that somebody else writes into. Prints one JSON document.
int watchOther(const fs::path& runs, const std::string& name, int seconds) {
    const QTemporaryDir folder;
    qputenv("HEADROOM_RUNS", toQString(runs).toLocal8Bit());
    Desk desk(toPath(folder.path()));
    waitFor([&] { return desk.workspace.store()->find(runs / name) != nullptr; });
    desk.workspace.setCurrentRun(runs / name);
    const Blocked most = blockedFor(std::chrono::seconds(seconds));
    const auto* run = desk.workspace.store()->find(runs / name);
    std::printf("{\"blockedMilliseconds\": %.1f, \"workMilliseconds\": %.1f, \"update\": %lld}\n", most.longest, most.work,
                run ? static_cast<long long>(run->update) : -1LL);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    widgets::Theme::apply(QStringLiteral("light"));
    if (argc > 3 && std::string_view(argv[1]) == "--watch")
        return watchOther(argv[2], argv[3], argc > 4 ? std::atoi(argv[4]) : 10);
    const auto argument = [&](int place, int least, int otherwise) {
        return argc > place ? std::max(std::atoi(argv[place]), least) : otherwise;
    };
    const int count = argument(1, 18, 1000), metrics = argument(2, 4, 100), points = argument(3, 20, 1000);
    const QTemporaryDir folder;
    const fs::path place = toPath(folder.path()), runs = place / "runs";
    makeRuns(runs, count, metrics, points);
    qputenv("HEADROOM_RUNS", toQString(runs).toLocal8Bit());
    std::printf("%d runs × %d metrics × %d points; milliseconds\n", count, metrics, points);

    const fs::path events = RunPaths{*fs::directory_iterator(runs)}.events();
    const double parsed = millisecondsOf([&] {
        RunCurves curves;
        for (const auto& event : EventFollower(events).poll())
            curves.add(event);
    });
    const double read = millisecondsOf([&] { CurveReader(events).poll(); });
    std::printf("%-52s %9.1f   %.1f × the JSON library's %.1f\n", "events of one run into curves", read,
                parsed / read, parsed);

    const int experiments = (count + kSeeds - 1) / kSeeds;
    for (const char* what : {"table opens, no index yet", "table opens, from the index"}) {
        std::unique_ptr<Desk> desk;
        print(what, millisecondsOf([&] {
                  desk = std::make_unique<Desk>(place);
                  desk->waitForTable(experiments);
              }),
              1000);
    }

    Desk desk(place);
    desk.waitForTable(experiments);
    waitFor([&] { return !desk.workspace.isPending(); });
    auto* table = desk.workspace.runTable()->runs();
    std::vector<QString> keys;
    for (const auto& group : table->groups())
        if (group.runs.size() == kSeeds)
            keys.push_back(group.key);
    while (!table->compared().empty())
        table->setCompared(QString(table->compared().front()->key), false);
    std::vector<double> costs, busy;
    std::size_t key = 0;
    for (int round = 0; round < 5; ++round) {
        for (std::size_t drawn = 1; drawn <= 6; ++drawn, ++key) {
            const std::clock_t before = std::clock();
            costs.push_back(millisecondsOf([&] {
                table->setCompared(keys[key % keys.size()], true);
                waitFor(
                    [&] { return desk.workspace.curves()->plots().front()->valuesHere().size() == drawn; });
                for (auto* plot : desk.workspace.curves()->plots())
                    plot->repaint();
            }));
            busy.push_back(1000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
        }
        if (round == 0) {
            auto* plot = desk.workspace.curves()->plots().front();
            std::printf("%-52s %9.1f\n", "of it: one plot of six experiments, prepared and drawn",
                        millisecondsOf([&] {
                            plot->setMetric(plot->metric());
                            plot->repaint();
                        }));
        }
        while (!table->compared().empty())
            table->setCompared(QString(table->compared().front()->key), false);
    }
    std::sort(costs.begin(), costs.end());
    std::sort(busy.begin(), busy.end());
    print("one more experiment of 3 seeds drawn, median", costs[costs.size() / 2], 200);
    print("the same, slowest of 30", costs.back(), 200);
    std::printf("%-52s %9.1f\n", "of it: work of all threads, median", busy[busy.size() / 2]);
    watchBusyRun(desk, runs);
    return 0;
}
