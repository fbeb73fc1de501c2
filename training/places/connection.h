// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"
#include "training/processes/child_process.h"

#include <memory>

namespace headroom::training {

// Programs at a place: through OpenSSH's `ssh`, or directly where the place is a cluster that this machine is
// the login host of. Each call of ssh joins the host's one multiplexed connection (ControlMaster). ssh never
// asks for anything: no password, no passphrase, and no answer about a host key. HEADROOM_SSH_CONFIG names a
// file to use instead of ~/.ssh/config.

/// The words that run a program there: "ssh", its options, the host and one quoted command line; or `words`
/// as they are.
std::vector<std::string> wordsAt(const Place& place, const std::vector<std::string>& words);

/// The words that run headroom-worker there: the place's own, else the one of this version that was installed
/// (install_worker.h), else FOLDER/worker/bin/headroom-worker, else the one on PATH.
std::vector<std::string> workerAt(const Place& place, const std::vector<std::string>& arguments);

/// `ssh` with its options, without a host: what `rsync --rsh` is given, as one line in rsync's own quoting.
std::string shellForRsync();

/// Runs a program there to its end. Throws Error as problemOf() says it if ssh itself failed, and
/// "place.slow" if there was no answer in time.
Ended runAt(const Place& place, const std::vector<std::string>& words, std::string_view input = {},
            std::chrono::milliseconds patience = std::chrono::seconds(30));

/// Turns what ssh said when it could not connect (status 255) into one sentence with what to do. Codes:
/// place.unknownHost, place.unreachable, place.refused, place.keyChanged, place.keyUnknown, place.denied,
/// place.ssh. `text`: its standard error.
Error problemOf(const Place& place, const std::string& text);
/// Whether trying again may help: the host or the network is away, not a key or a name that is wrong.
bool mayPass(const Error& error);

/// Ends the host's multiplexed connection, if there is one.
void disconnect(const Place& place);

} // namespace headroom::training
