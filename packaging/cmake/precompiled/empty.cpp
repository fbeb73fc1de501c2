// SPDX-License-Identifier: GPL-3.0-or-later
// A precompiled header belongs to a target, and a target has a source.
