// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::widgets {

/// Makes :/headroom/… (icons, themes) readable. The linker drops the resources of a static library unless
/// they are referenced, which this does. Cheap to call again.
void loadResources();

} // namespace headroom::widgets
