// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::training {

/// From now on this process keeps freed memory for its next tensors instead of handing it back to the system:
/// every update needs the same again, and the system would clear each page first (a fifth of an update's
/// processor time). Of the whole process, until its end; only where glibc allocates.
void keepFreedMemory();

} // namespace headroom::training
