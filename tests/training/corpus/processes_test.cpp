// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "training/corpus/processes.h"

#include <QTest>

#include <cerrno>
#include <csignal>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::testing::processes_test {

using namespace headroom::training;

class ProcessesTest : public QObject {
    Q_OBJECT

    static bool noChildIsLeft() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

private Q_SLOTS:
    void everyPieceOfWorkIsDoneOnceElsewhere() {
        for (const int processes : {1, 3, 50}) {
            std::map<std::int64_t, std::string> results;
            inProcesses(
                5, 25, processes,
                [](std::int64_t i) {
                    return std::to_string(::getpid()) + " " + std::string(i % 4 == 0 ? 200000 : 0, 'x');
                },
                [&](std::int64_t i, const std::string& text) {
                    QVERIFY(results.try_emplace(i, text).second);
                    QVERIFY(!text.starts_with(std::to_string(::getpid()) + " "));
                    QVERIFY((text.size() > 200000) == (i % 4 == 0));
                });
            QCOMPARE(results.size(), std::size_t(20));
            QCOMPARE(results.begin()->first, std::int64_t(5));
            QVERIFY(noChildIsLeft());
        }
    }

    void nothingToDoIsDone() {
        inProcesses(
            3, 3, 4, [](std::int64_t) { return std::string("x"); },
            [](std::int64_t, const std::string&) { QFAIL("there was nothing to do"); });
    }

    void mistakesOfAChildArriveWithTheirCode() {
        try {
            inProcesses(
                0, 1000, 2,
                [](std::int64_t i) -> std::string {
                    if (i == 7)
                        throw Error("test.seven", "Seven is too much.\nBy far.");
                    if (i > 7)
                        ::pause(); // still at work when the other fails: ended by the parent
                    return {};
                },
                [](std::int64_t, const std::string&) {});
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("test.seven"));
            QCOMPARE(std::string(error.what()), std::string("Seven is too much.\nBy far."));
        }
        QVERIFY(noChildIsLeft());
    }

    void aChildThatDiesIsNoticed() {
        try {
            inProcesses(
                0, 100, 2,
                [](std::int64_t i) -> std::string {
                    if (i == 11)
                        ::raise(SIGKILL);
                    return "x";
                },
                [](std::int64_t, const std::string&) {});
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("processes.lost"));
        }
        QVERIFY(noChildIsLeft());
    }

    void whatTheListenerThrowsEndsTheChildren() {
        const auto listen = [] {
            inProcesses(
                0, 1000000, 3, [](std::int64_t) { return std::string("x"); },
                [](std::int64_t, const std::string&) { throw Error("test.enough", "Enough."); });
        };
        QVERIFY_EXCEPTION_THROWN(listen(), Error);
        QVERIFY(noChildIsLeft());
    }
};

HEADROOM_TEST(ProcessesTest)

} // namespace headroom::testing::processes_test

#include "processes_test.moc"
