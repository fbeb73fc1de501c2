// SPDX-License-Identifier: GPL-3.0-or-later
// Both containers of torch.save: the ZIP with its directory, and the row of pickles before it.
#include "core/errors/error.h"
#include "core/tensors/pickle/torch_file.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/pickle_writer.h"

using namespace headroom;
using namespace headroom::testing;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        TorchFile file(std::as_bytes(std::span(data, size)), "fuzz.pt");
        const auto root = file.root();
        for (std::size_t i = 0; root.is(PickleKind::Dict) && i < root.size(); ++i)
            if (root.value(i).is(PickleKind::Tensor)) {
                const auto tensor = file.tensor(root.value(i));
                const auto needed = byteCount(tensor.dtype, tensor.shape);
                require(needed && *needed == tensor.bytes.size(), "a tensor has the bytes of its shape");
                std::size_t sum = 0; // a sanitizer sees whether they are there
                for (const auto byte : tensor.bytes)
                    sum += static_cast<std::size_t>(byte);
                require(sum <= 255 * tensor.bytes.size(), "bytes are bytes");
            }
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with("pickle."), "bad bytes are pickle.…");
        require(!error.values().dump().empty(), "sentences are UTF-8");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    const auto matrix = Tensor::of<float>({2, 3}, numbers);
    std::vector<std::string> seeds;
    for (const bool legacy : {false, true}) {
        TorchSaver saver(legacy);
        PickleWriter pickle;
        saver.stateDict(pickle, {{"a", matrix}, {"b", Tensor::of<float>({6}, numbers)}});
        seeds.push_back(saver.file(pickle));
    }
    PickleWriter views;
    views.emptyDict().mark().text("turned");
    views.rebuiltTensor([](PickleWriter& w) { w.storage("FloatStorage", "0", 6); }, 0, {3, 2}, {1, 3});
    const std::string data(reinterpret_cast<const char*>(matrix.bytes.data()), matrix.bytes.size());
    seeds.push_back(zipFile(
        {{"x/data.pkl", views.setItems().finish(), true}, {"x/data/0", data, true}, {"x/version", "3"}}));
    return seeds;
}
