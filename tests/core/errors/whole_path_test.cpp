// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/whole_path.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::whole_path_test {

namespace fs = std::filesystem;

class WholePathTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySpellingIsOnePath() {
        const fs::path here = fs::current_path();
        for (const char* text : {"runs/a", "runs/a/", "./runs/a//", "runs/b/../a/."})
            QCOMPARE(wholePath(text), here / "runs" / "a");
        QCOMPARE(wholePath("/"), fs::path("/"));
        QCOMPARE(wholePath("."), here);
    }
    void anEmptyPathIsNone() {
        QVERIFY_EXCEPTION_THROWN(wholePath({}), fs::filesystem_error);
        std::error_code error;
        QVERIFY(wholePath({}, error).empty() && error);
        QVERIFY(!wholePath("a", error).empty() && !error);
    }
};

HEADROOM_TEST(WholePathTest)

} // namespace headroom::testing::whole_path_test

#include "whole_path_test.moc"
