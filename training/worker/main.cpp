// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/command_line.h"

int main(int argc, char** argv) {
    return headroom::training::runWorker(argc, argv);
}
