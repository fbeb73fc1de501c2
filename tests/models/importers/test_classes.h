// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;

namespace headroom::testing {

/// The test classes of this folder; main() runs one after the other.
QObject* makeExportTest();
QObject* makeFairseqTest();
QObject* makeImportParityTest();
QObject* makeMultiformerHeadsTest();
QObject* makeTorchWeightsTest();

} // namespace headroom::testing
