// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;

namespace headroom::testing {

/// The test classes of this folder; main() of each executable runs its own one after the other.
QObject* makeAttentionGradientsTest();
QObject* makeAttentionLayersTest();
QObject* makeAttentionMapsTest();
QObject* makeAttentionParityTest();
QObject* makeKernelsTest();
QObject* makeBandedTest();
QObject* makeNetworksTest();
QObject* makeAnalysisTest();
QObject* makeDecoderAnalysisTest();
QObject* makeContributionsTest();
QObject* makeCostsTest();
QObject* makeExplainedLayersTest();
QObject* makeCheckpointsTest();
QObject* makeImportTest();
QObject* makeParityTest();

} // namespace headroom::testing
