// SPDX-License-Identifier: GPL-3.0-or-later
// What the pickles of checkpoints build by calling something: done here without calling anything.
#include "core/tensors/pickle/pickle_builder.h"

namespace headroom {

namespace {

constexpr std::size_t kMostExtents = 16; // dimensions of a tensor

} // namespace

PickleId PickleBuilder::object(const std::string& className, PickleId arguments) {
    PickleNode made;
    made.kind = PickleKind::Object;
    made.text = className;
    made.arguments = arguments;
    return add(std::move(made));
}

PickleId PickleBuilder::call(PickleId callable, PickleId argumentsId) {
    if (node(callable).kind != PickleKind::Class)
        refuse(std::string("it calls ") + nameOfKind(node(callable).kind));
    if (node(argumentsId).kind != PickleKind::Tuple)
        refuse(std::string("it calls ") + quotable(node(callable).text) + " with " +
               nameOfKind(node(argumentsId).kind) + " for its arguments");
    const std::string className = node(callable).text; // a copy: the nodes may move
    const PickleNode arguments = node(argumentsId);
    charge(arguments.items.size());
    switch (static_cast<PickleRole>(node(callable).role)) {
    case PickleRole::Inert:
        return object(className, argumentsId);
    case PickleRole::OrderedDict:
        return orderedDict(arguments);
    case PickleRole::List:
        return copied(PickleKind::List, arguments);
    case PickleRole::Tuple:
        return copied(PickleKind::Tuple, arguments);
    case PickleRole::Set:
        return copied(PickleKind::Set, arguments);
    case PickleRole::Encode:
        return encoded(arguments);
    case PickleRole::Reconstructor: {
        const bool fits = arguments.items.size() == 3 && node(arguments.items[0]).kind == PickleKind::Class;
        if (!fits || node(arguments.items[0]).role != static_cast<std::uint8_t>(PickleRole::Inert))
            refuse("it rebuilds an object of no class");
        return object(std::string(node(arguments.items[0]).text), argumentsId);
    }
    case PickleRole::Subscript: {
        const bool fits = arguments.items.size() == 2 && node(arguments.items[0]).kind == PickleKind::Class;
        if (!fits || !node(arguments.items[0]).text.starts_with("typing."))
            refuse("it looks something up in a value that is not a type");
        return object(std::string(node(arguments.items[0]).text), argumentsId);
    }
    case PickleRole::Tensor:
        return tensor(arguments);
    case PickleRole::Parameter:
        if (arguments.items.empty() || node(arguments.items[0]).kind != PickleKind::Tensor)
            refuse("it has a parameter without a tensor");
        return arguments.items[0];
    case PickleRole::Forbidden:
    case PickleRole::Value:
    case PickleRole::Storage:
        break;
    }
    forbid(className);
}

PickleId PickleBuilder::orderedDict(const PickleNode& arguments) {
    std::vector<PickleId> items;
    if (arguments.items.size() > 1)
        refuse("it builds an ordered dictionary from several values");
    if (!arguments.items.empty()) {
        const auto& pairs = node(arguments.items[0]);
        if (pairs.kind != PickleKind::List && pairs.kind != PickleKind::Tuple)
            refuse("it builds an ordered dictionary from something other than pairs");
        charge(2 * pairs.items.size());
        for (const auto pair : pairs.items) {
            if ((node(pair).kind != PickleKind::List && node(pair).kind != PickleKind::Tuple) ||
                node(pair).items.size() != 2)
                refuse("it builds an ordered dictionary from something other than pairs");
            items.insert(items.end(), node(pair).items.begin(), node(pair).items.end());
        }
    }
    return container(PickleKind::Dict, std::move(items));
}

PickleId PickleBuilder::copied(PickleKind kind, const PickleNode& arguments) {
    if (arguments.items.empty())
        return container(kind);
    const auto source = node(arguments.items[0]);
    if (arguments.items.size() != 1 || (source.kind != PickleKind::List && source.kind != PickleKind::Tuple))
        refuse(std::string("it builds ") + nameOfKind(kind) + " from something other than a list");
    return container(kind, source.items);
}

PickleId PickleBuilder::encoded(const PickleNode& arguments) {
    if (arguments.items.empty() || arguments.items.size() > 2 ||
        node(arguments.items[0]).kind != PickleKind::Text)
        refuse("it encodes something other than a text");
    const std::string source = node(arguments.items[0]).text;
    charge(source.size());
    std::string latin;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const auto c = static_cast<unsigned char>(source[i]);
        if (c < 0x80)
            latin += static_cast<char>(c);
        else if ((c == 0xC2 || c == 0xC3) && i + 1 < source.size()) // U+0080 … U+00FF
            latin += static_cast<char>((c & 3) << 6 | (source[++i] & 0x3f));
        else
            refuse("it encodes a text that is not Latin-1");
    }
    return bytes(PickleKind::Bytes, std::move(latin));
}

std::vector<std::int64_t> PickleBuilder::extents(PickleId tuple) const {
    const auto& list = node(tuple);
    std::vector<std::int64_t> result;
    if ((list.kind != PickleKind::Tuple && list.kind != PickleKind::List) || list.items.size() > kMostExtents)
        refuse("a tensor's shape is not a short list of numbers", "pickle.badTensor");
    for (const auto item : list.items) {
        if (node(item).kind != PickleKind::Integer || node(item).integer < 0)
            refuse("a tensor's shape holds something other than whole numbers from 0", "pickle.badTensor");
        result.push_back(node(item).integer);
    }
    return result;
}

PickleId PickleBuilder::tensor(const PickleNode& arguments) {
    constexpr const char* kCode = "pickle.badTensor";
    const auto& items = arguments.items;
    if (items.size() < 4 || node(items[0]).kind != PickleKind::Storage ||
        node(items[1]).kind != PickleKind::Integer)
        refuse("it builds a tensor from something other than a storage", kCode);
    PickleTensor made;
    made.storage = static_cast<std::size_t>(node(items[0]).integer);
    made.offset = node(items[1]).integer;
    made.shape = extents(items[2]);
    made.strides = extents(items[3]);
    const auto& storage = m_graph.storages[made.storage];
    const auto name = "a tensor in storage “" + quotable(storage.key) + "”";
    if (made.shape.size() != made.strides.size())
        refuse(name + " has " + std::to_string(made.shape.size()) + " dimensions and " +
                   std::to_string(made.strides.size()) + " strides",
               kCode);
    const auto size = byteCount(storage.dtype, made.shape);
    const auto count = size ? *size / elementSize(storage.dtype) : 0;
    if (!size || count > static_cast<std::size_t>(storage.count))
        refuse(name + " claims more numbers than the " + std::to_string(storage.count) + " there", kCode);
    bool inside = made.offset >= 0 && made.offset <= storage.count;
    if (count > 0) {
        std::int64_t last = made.offset; // of the elements it shows; stays below count, or is given up
        for (std::size_t i = 0; inside && i < made.shape.size(); ++i) {
            const auto steps = made.shape[i] - 1;
            inside = steps == 0 || made.strides[i] <= (storage.count - 1 - last) / steps;
            if (inside)
                last += steps * made.strides[i];
        }
        inside = inside && last < storage.count;
    }
    if (!inside)
        refuse(name + " lies outside the " + std::to_string(storage.count) + " numbers there", kCode);
    PickleNode view;
    view.kind = PickleKind::Tensor;
    view.integer = static_cast<std::int64_t>(m_graph.tensors.size());
    m_graph.tensors.push_back(std::move(made));
    return add(std::move(view));
}

} // namespace headroom
