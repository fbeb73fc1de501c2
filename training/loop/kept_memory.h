// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::training {

/// Makes this process keep freed memory for its next tensors. Every update needs the same memory again, and
/// the system would have to clear each page first (a fifth of an update's processor time). Affects the whole
/// process until its end; glibc only.
void keepFreedMemory();

} // namespace headroom::training
