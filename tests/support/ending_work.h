// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/runs/file_lock.h"

#include <QTest>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

namespace headroom::testing {

/// Lets a thread hold the lock, `begin` and `end` again and again, as a worker would, and looks meanwhile: work that ends is never seen
/// as interrupted, whenever somebody looks. `begin` has been called before the first look.
template <class Begin, class End, class IsInterrupted>
void neverInterrupted(const std::filesystem::path& lockFile, Begin begin, End end, IsInterrupted isInterrupted) {
    std::filesystem::create_directories(lockFile.parent_path());
    std::atomic<bool> begun = false, enough = false;
    std::atomic<int> looks = 0;
    std::thread worker([&] {
        while (!enough) {
            {
                const auto lock = FileLock::tryTake(lockFile, "test");
                begin();
                begun = true;
                end();
            }
            for (const int before = looks; looks == before && !enough;)
                std::this_thread::yield(); // until a look that began earlier has ended
        }
    });
    while (!begun)
        std::this_thread::yield();
    int interrupted = 0;
    std::string mistake;
    try {
        for (; looks < 3000; ++looks)
            interrupted += isInterrupted() ? 1 : 0;
    } catch (const Error& error) {
        mistake = error.what();
    }
    enough = true;
    worker.join();
    QCOMPARE(QString::fromStdString(mistake), QString());
    QCOMPARE(interrupted, 0);
}

} // namespace headroom::testing
