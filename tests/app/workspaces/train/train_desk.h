// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/runs/jobs.h"
#include "tests/app/runs/train_workshop.h"

#include <QTest>

#include <memory>

namespace headroom::testing {

/// A window's worth of Train, with runs, index and settings of its own.
struct Desk {
    explicit Desk(const char* mode) {
        qputenv("HEADROOM_FAKE_MODE", mode);
        qputenv("HEADROOM_WORKER", HEADROOM_FAKE_TRAINER);
        qputenv("HEADROOM_RUNS", app::toQString(shop.runs()).toLocal8Bit());
        settings = std::make_unique<app::AppSettings>(app::toQString(shop.path() / "settings.ini"));
        open();
    }
    void open() {
        auto nextPlaces = std::make_unique<app::PlaceStore>();
        auto nextDevices = std::make_unique<app::DeviceList>();
        workspace = std::make_unique<app::TrainWorkspace>(
            app::TrainWorkspace::Parts{&session, &drafts, settings.get(), &actions, nextPlaces.get(), nextDevices.get(),
                                       app::toQString(shop.path() / "index.sqlite")});
        places = std::move(nextPlaces); // the workspace before used those before
        devices = std::move(nextDevices);
        workspace->store()->setPeriod(50);
        workspace->resize(1400, 800);
        workspace->show();
        QVERIFY(QTest::qWaitFor([&] { return !workspace->isPending(); }, 60000));
    }
    QString start(std::vector<std::uint64_t> seeds = {1}) {
        return workspace->queue()->start(shop.launch(std::move(seeds)));
    }
    /// The trainer takes one step by itself, then as far as this (fake_trainer.cpp).
    void allow(std::int64_t steps = 1000000) {
        writeFile(queueFolder(shop.runs()) / "allowed", std::to_string(steps));
    }
    /// The first run comes into this state.
    bool becomes(RunState state) {
        return QTest::qWaitFor(
            [&] {
                return !workspace->store()->runs().empty() &&
                       workspace->store()->runs().front().info.state == state;
            },
            60000);
    }
    bool reaches(std::int64_t update) {
        return QTest::qWaitFor(
            [&] {
                return !workspace->store()->runs().empty() &&
                       workspace->store()->runs().front().update >= update;
            },
            60000);
    }
    QString said() {
        QStringList sentences;
        for (int row = 0; row < session.messages()->rowCount(); ++row)
            sentences << session.messages()->at(row).sentence;
        return sentences.join(QLatin1Char('\n'));
    }
    bool queueEnds() {
        return QTest::qWaitFor([&] { return !queueIsRunning(shop.runs()); }, 60000);
    }

    TrainWorkshop shop;
    app::Session session;
    app::Drafts& drafts = *session.drafts();
    app::Actions actions{session.undoStack(), nullptr};
    std::unique_ptr<app::AppSettings> settings;
    std::unique_ptr<app::PlaceStore> places;
    std::unique_ptr<app::DeviceList> devices;
    std::unique_ptr<app::TrainWorkspace> workspace;
};

} // namespace headroom::testing
