// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/evaluations.h"
#include "core/statistics/undefined.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <string>

namespace headroom::widgets {

/// How a job of another place stands.
struct Elsewhere {
    QString place; ///< where it is, or will be, computed; empty: this machine
    /// How far it is: computed, or not looked at yet; its data is copied there; it waits there; no contact with the place.
    enum class There { No, Copying, Waiting, Lost } there = There::No;
    QString contact;        ///< what it waits for, as a sentence; may be empty
    bool hasScript = false; ///< as of RunItem
    bool held = false;      ///< the script waits for the user, who sends it
    /// Of what is copied, while it is: 0 … 1; NaN: unknown.
    double copied = kUndefined, bytesPerSecond = kUndefined, secondsLeft = kUndefined;
};

/// A waiting job in RUNS/queue.
struct WaitingItem : Elsewhere {
    std::filesystem::path file; ///< RUNS/queue/NAME.json
    std::filesystem::path run;
    QString name;
    QString brief{}; ///< of an evaluation, as that of EvaluationItem
    std::int64_t maxUpdates = 0; ///< 0: unknown
    bool resume = false; ///< it goes on with a run that is there, whether or not it was made for that
    bool evaluates = false; ///< an evaluation; `run` is its folder
    EvaluationRequest evaluation; ///< if it evaluates
    QString device; ///< of this machine, as it was asked for ("cuda:1"); empty: the CPU
    QString error; ///< in failed/: why it was not started
    std::string ended; ///< in failed/: when, UTC; else empty
};

/// An evaluation for the queue.
struct EvaluationItem {
    EvaluationInfo info;
    QString title; ///< "Evaluate local-17, seed 1, at update 100, on test of digits, asr"
    Elsewhere elsewhere{};
    QString brief{}; ///< "local-17, seed 1 … on test…": for little room, with marks where words are left out
};

} // namespace headroom::widgets
