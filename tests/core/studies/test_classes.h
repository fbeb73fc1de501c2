// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;

namespace headroom::testing {

QObject* makePlacesTest();
QObject* makeStudyFolderTest();
QObject* makeStudyTableTest();

} // namespace headroom::testing
