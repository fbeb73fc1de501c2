// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/pickle/pickle_classes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom {

namespace {

struct Known {
    std::string_view name;
    PickleRole role;
};

constexpr std::array kKnown{Known{"collections.OrderedDict", PickleRole::OrderedDict},
                            Known{"collections.defaultdict", PickleRole::Inert},
                            Known{"collections.Counter", PickleRole::Inert},
                            Known{"collections.deque", PickleRole::Inert},
                            Known{"argparse.Namespace", PickleRole::Inert},
                            Known{"builtins.list", PickleRole::List},
                            Known{"__builtin__.list", PickleRole::List},
                            Known{"builtins.tuple", PickleRole::Tuple},
                            Known{"__builtin__.tuple", PickleRole::Tuple},
                            Known{"builtins.set", PickleRole::Set},
                            Known{"__builtin__.set", PickleRole::Set},
                            Known{"builtins.frozenset", PickleRole::Set},
                            Known{"__builtin__.frozenset", PickleRole::Set},
                            Known{"builtins.dict", PickleRole::Value},
                            Known{"__builtin__.dict", PickleRole::Value},
                            Known{"builtins.object", PickleRole::Value},
                            Known{"__builtin__.object", PickleRole::Value},
                            Known{"builtins.int", PickleRole::Value},
                            Known{"__builtin__.int", PickleRole::Value},
                            Known{"builtins.float", PickleRole::Value},
                            Known{"__builtin__.float", PickleRole::Value},
                            Known{"builtins.str", PickleRole::Value},
                            Known{"__builtin__.str", PickleRole::Value},
                            Known{"builtins.bool", PickleRole::Value},
                            Known{"__builtin__.bool", PickleRole::Value},
                            Known{"builtins.bytes", PickleRole::Value},
                            Known{"__builtin__.long", PickleRole::Value},    // int, in protocol 2
                            Known{"__builtin__.unicode", PickleRole::Value}, // str
                            Known{"_operator.getitem", PickleRole::Subscript},
                            Known{"operator.getitem", PickleRole::Subscript},
                            Known{"typing.Any", PickleRole::Value},
                            Known{"typing.List", PickleRole::Value},
                            Known{"typing.Dict", PickleRole::Value},
                            Known{"typing.Tuple", PickleRole::Value},
                            Known{"typing.Union", PickleRole::Value},
                            Known{"typing.Optional", PickleRole::Value},
                            Known{"_codecs.encode", PickleRole::Encode},
                            Known{"copyreg._reconstructor", PickleRole::Reconstructor},
                            Known{"copy_reg._reconstructor", PickleRole::Reconstructor},
                            Known{"pathlib.Path", PickleRole::Inert},
                            Known{"pathlib.PosixPath", PickleRole::Inert},
                            Known{"pathlib.PurePosixPath", PickleRole::Inert},
                            Known{"pathlib.WindowsPath", PickleRole::Inert},
                            Known{"numpy.dtype", PickleRole::Inert},
                            Known{"numpy.ndarray", PickleRole::Value},
                            Known{"numpy.core.multiarray.scalar", PickleRole::Inert},
                            Known{"numpy._core.multiarray.scalar", PickleRole::Inert},
                            Known{"numpy.core.multiarray._reconstruct", PickleRole::Inert},
                            Known{"numpy._core.multiarray._reconstruct", PickleRole::Inert},
                            Known{"torch.Size", PickleRole::Tuple},
                            Known{"torch.device", PickleRole::Inert},
                            Known{"torch.strided", PickleRole::Value},
                            Known{"torch._utils._rebuild_tensor", PickleRole::Tensor},
                            Known{"torch._utils._rebuild_tensor_v2", PickleRole::Tensor},
                            Known{"torch._utils._rebuild_parameter", PickleRole::Parameter}};

struct StorageType {
    std::string_view name;
    DType type;
};

constexpr std::array kStorages{
    StorageType{"FloatStorage", DType::F32}, StorageType{"DoubleStorage", DType::F64},
    StorageType{"HalfStorage", DType::F16},  StorageType{"BFloat16Storage", DType::BF16},
    StorageType{"LongStorage", DType::I64},  StorageType{"IntStorage", DType::I32},
    StorageType{"ShortStorage", DType::I16}, StorageType{"CharStorage", DType::I8},
    StorageType{"ByteStorage", DType::U8},   StorageType{"BoolStorage", DType::Bool}};

constexpr std::array<std::string_view, 14> kTypes{"float16", "float32", "float64", "bfloat16", "half",
                                                  "float",   "double",  "int64",   "int32",    "int16",
                                                  "int8",    "uint8",   "bool",    "long"};

/// Packages whose classes are stubs. Functions of theirs are not: those have effects.
constexpr std::array<std::string_view, 3> kPackages{"fairseq", "omegaconf", "examples"};

bool startsLikeAClass(std::string_view name) {
    const auto first = name.find_first_not_of('_');
    return first != std::string_view::npos && name[first] >= 'A' && name[first] <= 'Z' &&
           name.find('.') == std::string_view::npos; // a dot would look something up inside
}

bool isIn(std::string_view module, std::string_view package) {
    return module == package || (module.starts_with(package) && module[package.size()] == '.');
}

} // namespace

PickleRole pickleRole(const std::string& module, const std::string& name) {
    const auto whole = module + "." + name;
    for (const auto& known : kKnown)
        if (known.name == whole)
            return known.role;
    if (storageType(whole))
        return PickleRole::Storage;
    if (module == "torch" && std::find(kTypes.begin(), kTypes.end(), name) != kTypes.end())
        return PickleRole::Value;
    for (const auto package : kPackages)
        if (isIn(module, package) && startsLikeAClass(name))
            return PickleRole::Inert;
    return PickleRole::Forbidden;
}

std::optional<DType> storageType(const std::string& className) {
    for (const std::string_view module : {"torch.", "torch.cuda."})
        if (className.starts_with(module))
            for (const auto& storage : kStorages)
                if (storage.name == std::string_view(className).substr(module.size()))
                    return storage.type;
    return std::nullopt;
}

} // namespace headroom
