// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/latex_bold.h"

namespace headroom::widgets {

class RunTable;

enum class RunNumbers {
    Apart,   ///< means and deviations in columns of their own, for programs
    Printed, ///< "1.392 ± 0.001", for papers, without state and time
};

struct CopiedRunTable {
    StudyTable table;
    TableCells best; ///< bold on the screen; of RunNumbers::Printed only
};

/// The selected rows of Runs (all if none is) with the columns that are shown, and a result for each split that one of them was
/// evaluated on.
CopiedRunTable runsTable(const RunTable& table, RunNumbers form);

} // namespace headroom::widgets
