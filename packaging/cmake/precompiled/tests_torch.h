// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "packaging/cmake/precompiled/torch.h"

#include <QTemporaryDir>
#include <QTest>
