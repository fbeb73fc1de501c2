// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "packaging/cmake/precompiled/qt.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
