// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headroom {

/// Python's opcodes (Lib/pickletools.py). All others are rejected: text forms of protocols 0 and 1, the
/// extension registry, out-of-band buffers.
enum PickleOpcode : std::uint8_t {
    kProto = 0x80,
    kFrame = 0x95,
    kStop = '.',
    kMark = '(',
    kPop = '0',
    kPopMark = '1',
    kDup = '2',
    kNone = 'N',
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kBinInt = 'J',
    kBinInt1 = 'K',
    kBinInt2 = 'M',
    kLong1 = 0x8a,
    kLong4 = 0x8b,
    kBinFloat = 'G',
    kShortBinString = 'U',
    kBinString = 'T',
    kShortBinUnicode = 0x8c,
    kBinUnicode = 'X',
    kBinUnicode8 = 0x8d,
    kShortBinBytes = 'C',
    kBinBytes = 'B',
    kBinBytes8 = 0x8e,
    kByteArray8 = 0x96,
    kEmptyTuple = ')',
    kTuple = 't',
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kEmptyList = ']',
    kAppend = 'a',
    kAppends = 'e',
    kEmptyDict = '}',
    kSetItem = 's',
    kSetItems = 'u',
    kEmptySet = 0x8f,
    kAddItems = 0x90,
    kFrozenSet = 0x91,
    kBinGet = 'h',
    kLongBinGet = 'j',
    kBinPut = 'q',
    kLongBinPut = 'r',
    kMemoize = 0x94,
    kGlobal = 'c',
    kStackGlobal = 0x93,
    kReduce = 'R',
    kNewObj = 0x81,
    kNewObjEx = 0x92,
    kBuild = 'b',
    kBinPersId = 'Q'
};

} // namespace headroom
