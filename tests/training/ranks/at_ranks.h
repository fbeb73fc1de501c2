// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "training/ranks/ranks.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace headroom::testing {

/// Runs `work` at every rank, each in a thread: the group does not mind. Returns what went wrong.
inline std::string atRanks(int world, const std::function<std::string(training::Ranks&)>& work) {
    std::vector<std::thread> others;
    std::vector<std::string> problems(static_cast<std::size_t>(world));
    const auto one = [&](training::Ranks& ranks) {
        auto& problem = problems[static_cast<std::size_t>(ranks.rank())];
        try {
            problem = work(ranks);
        } catch (const std::exception& error) {
            problem = error.what();
        }
    };
    {
        training::Ranks first({0, world, "127.0.0.1", 0}, [&](int port) {
            for (int rank = 1; rank < world; ++rank)
                others.emplace_back([&, rank, port] {
                    training::Ranks ranks({rank, world, "127.0.0.1", port});
                    one(ranks);
                });
        });
        one(first);
        for (std::thread& thread : others)
            thread.join();
    }
    std::string all;
    for (std::size_t rank = 0; rank < problems.size(); ++rank)
        if (!problems[rank].empty())
            all += "rank " + std::to_string(rank) + ": " + problems[rank] + " ";
    return all;
}

/// Runs `work` at the first of two ranks, of which the other fails because "The disk is full."; `work` waits for its thread when it wants
/// it to have failed. Returns what `work` threw.
inline std::string toldOfAFailure(const std::function<void(training::Ranks& first, std::thread& other)>& work) {
    std::thread other;
    std::string told;
    training::Ranks first({0, 2, "127.0.0.1", 0}, [&](int port) {
        other = std::thread([port] {
            training::Ranks ranks({1, 2, "127.0.0.1", port});
            ranks.fail("The disk is full.");
        });
    });
    try {
        work(first, other);
    } catch (const Error& error) {
        told = error.what();
    }
    if (other.joinable())
        other.join();
    return told;
}

} // namespace headroom::testing
