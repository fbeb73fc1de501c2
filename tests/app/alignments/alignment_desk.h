// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alignments/alignment_store.h"
#include "tests/support/app_fixtures.h"

#include <QtTest>

namespace headroom::testing {

/// A session with a store, in which files are open and checked.
struct AlignmentDesk {
    Workshop workshop;
    app::Session session;
    app::AlignmentStore store{&session};

    bool open(const std::vector<std::filesystem::path>& files) {
        session.open(files);
        return quiet();
    }
    bool quiet() {
        return QTest::qWaitFor([&] { return !session.isReading() && !store.isPending(); }, 60000);
    }
    const AlignmentReport* report(int row = 0) { return session.utterances()->at(row).alignmentReport.get(); }
    QStringList codes(int row = 0) {
        QStringList all;
        if (report(row))
            for (const auto& finding : report(row)->findings)
                all << QString::fromStdString(finding.code);
        return all;
    }
    /// Three phones over the half second of the tone, one of them odd.
    std::filesystem::path table(const std::string& name, const std::string& odd = "PT") const {
        return workshop.text(name, "start\tend\tphone\n0\t0.15\tAA\n0.15\t0.22\t" + odd +
                                       "\n0.22\t0.36\tN\n0.36\t0.5\tIY\n");
    }
};

} // namespace headroom::testing
