// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;

namespace headroom::testing {

/// The test classes of the studies of phones, of the probe and of latency.
QObject* makePhonesMeasureTest();
QObject* makePhonesSummaryTest();
QObject* makeProbeTest();
QObject* makeLatencyTest();

} // namespace headroom::testing
