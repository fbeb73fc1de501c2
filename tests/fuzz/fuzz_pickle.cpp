// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/tensors/pickle/pickle_reader.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/pickle_writer.h"

using namespace headroom;
using headroom::testing::PickleWriter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto pickle = readPickle(std::as_bytes(std::span(data, size)), "fuzz.pt");
        const auto& graph = pickle.graph;
        const auto there = [&](PickleId id) { return id == kNoPickleId || id < graph.nodes.size(); };
        require(pickle.used <= size && graph.root < graph.nodes.size(), "a pickle has a value and an end");
        for (const auto& node : graph.nodes) {
            for (const auto item : node.items)
                require(item < graph.nodes.size(), "elements are values of the graph");
            require(there(node.arguments) && there(node.state), "so are arguments and states");
            require(node.kind != PickleKind::Dict || node.items.size() % 2 == 0, "every key has a value");
        }
        require(shapeOf(graph) == PickleShape::Fine, "nothing contains itself");
        for (const auto& tensor : graph.tensors) {
            require(tensor.storage < graph.storages.size(), "a tensor has a storage");
            const auto count = tensor.elementCount();
            std::int64_t last = tensor.offset;
            for (std::size_t d = 0; count > 0 && d < tensor.shape.size(); ++d)
                last += (tensor.shape[d] - 1) * tensor.strides[d];
            require(count == 0 || (tensor.offset >= 0 && last < graph.storages[tensor.storage].count),
                    "a tensor lies in its storage");
        }
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with("pickle."), "bad bytes are pickle.…");
        require(!error.values().dump().empty(), "sentences are UTF-8");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    PickleWriter state;
    state.global("collections", "OrderedDict").emptyTuple().reduce().mark().text("weight");
    state.rebuiltTensor([](PickleWriter& w) { w.storage("HalfStorage", "0", 12); }, 2, {2, 3}, {4, 1});
    state.text("bias").rebuiltTensor([](PickleWriter& w) { w.storage("FloatStorage", "1", 3, true); }, 0, {3},
                                     {1});
    state.setItems().emptyDict().text("version").integer(1).raw("s").build();

    PickleWriter objects;
    objects.emptyDict()
        .mark()
        .text("args")
        .global("argparse", "Namespace")
        .emptyTuple()
        .newObject()
        .remember(1);
    objects.emptyDict()
        .mark()
        .text("arch")
        .text("s2t_transformer_s")
        .text("lr")
        .emptyList()
        .mark()
        .real(0.002);
    objects.appends().text("self").recall(1).setItems().build();
    objects.text("choice").global("fairseq.dataclass.constants", "Choices").text("c10d").raw("\x85").reduce();
    objects.text("bytes").global("_codecs", "encode").mark().text("\xc3\xa9").text("latin1").tuple().reduce();
    objects.text("set")
        .global("builtins", "set")
        .emptyList()
        .mark()
        .integer(1)
        .appends()
        .raw("\x85")
        .reduce();
    objects.setItems();

    std::string four("\x80\x04\x95\x1d\0\0\0\0\0\0\0", 11);
    four += "}\x94(\x8c\x01"
            "a\x94]\x94(";
    four += std::string("G?\xf8\0\0\0\0\0\0", 9) + "\x8f\x94(K\x02\x90\x65\x8c\x01" + "bN0Nu.";
    return {state.finish(), objects.finish(), four, PickleWriter().integer(-5'000'000'000).finish()};
}
