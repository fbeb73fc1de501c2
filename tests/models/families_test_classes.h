// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;

namespace headroom::testing {

/// The test classes of models_families_test.
QObject* makeFamiliesTest();
QObject* makeFrontEndTest();
QObject* makeConvolutionModuleTest();
QObject* makeLanguageModelTest();

} // namespace headroom::testing
