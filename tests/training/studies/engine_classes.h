// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;

namespace headroom::testing {

QObject* makeStudyAlignmentTest();
QObject* makeStudyCacheTest();
QObject* makeStudyKindsTest();
QObject* makeStudyRunnerTest();

} // namespace headroom::testing
