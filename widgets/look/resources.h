// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::widgets {

/// Makes :/headroom/… (icons, themes) readable. A static library's resources are dropped by the linker unless
/// somebody asks for them; this asks. Cheap to call again.
void loadResources();

} // namespace headroom::widgets
