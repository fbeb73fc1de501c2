// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;

namespace headroom::testing {

/// Makes the object whose slots are the tests of one file.
using MakeTest = QObject* (*)();

/// Adds a test to this program under the name of its file, without folder and ending. Called before main().
bool addTest(const char* file, MakeTest make);

} // namespace headroom::testing

/// Ends every x_test.cpp, inside its namespace headroom::testing::x_test. The program's main() is runner.cpp:
/// without arguments it runs all tests, with `x_test` as first argument that one; what follows goes to Qt Test.
#define HEADROOM_TEST(Class)                                                                                 \
    static const bool kAdded =                                                                               \
        ::headroom::testing::addTest(__FILE__, []() -> QObject* { return new Class; });
