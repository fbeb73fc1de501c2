// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;

namespace headroom::testing {

QObject* makePlotTest();
QObject* makeSceneFilesTest();
QObject* makeStudyFiguresTest();

} // namespace headroom::testing
