// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headroom {

/// What a name in a pickle becomes. This is an allow list: any other name is Forbidden.
enum class PickleRole : std::uint8_t {
    Forbidden,
    Inert,       ///< a class: building one gives a stub
    Value,       ///< a name that is only mentioned (torch.float32, typing.Any); never called
    OrderedDict, ///< collections.OrderedDict
    List,        ///< builtins.list, tuple, set, frozenset of one list or tuple
    Tuple,       ///< also torch.Size
    Set,
    Encode,        ///< _codecs.encode(text, "latin1"): how protocol 2 writes bytes
    Reconstructor, ///< copyreg._reconstructor(class, object, None): a stub of the class
    Subscript,     ///< operator.getitem(typing.List, float): a stub of typing's; nothing else
    Storage,       ///< torch.FloatStorage …: the type of a storage
    Tensor,        ///< torch._utils._rebuild_tensor, _rebuild_tensor_v2
    Parameter      ///< torch._utils._rebuild_parameter: its first argument
};

PickleRole pickleRole(const std::string& module, const std::string& name);

/// Returns the element type of "torch.FloatStorage"; `nullopt` for unsupported storages.
std::optional<DType> storageType(const std::string& className);

} // namespace headroom
