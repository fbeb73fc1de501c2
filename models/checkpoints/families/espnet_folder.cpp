// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/espnet_folder.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/model_folders/espnet_weights.h"
#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/weights.h"
#include "models/checkpoints/yaml_document.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace headroom::models {

namespace fs = std::filesystem;
using nlohmann::json;

json readEspnetConfig(const fs::path& folder) {
    const fs::path file = folder / "config.yaml";
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream)
        throw Error("model.missingFile", shown(file) + " cannot be read.", {{"file", file.string()}});
    return parseYaml(text.str(), shown(file));
}

fs::path espnetWeights(const fs::path& folder) {
    const EspnetWeights weights = espnetWeightsIn(folder);
    if (!weights.file.empty())
        return weights.file;
    throw Error("model.missingFile",
                folderName(folder) + (weights.several ? " has several files of weights (*.pth) and no valid.acc.ave.pth; open "
                                                        "one of them."
                                                      : " has only checkpoint.pth, which resumes a training. Headroom opens "
                                                        "valid.acc.ave.pth, another average, or an epoch."),
                {{"folder", folder.string()}});
}

bool isEspnetFolder(const fs::path& folder) {
    if (!fs::is_regular_file(folder / "config.yaml"))
        return false;
    const auto isWeights = [](const auto& entry) { return entry.path().extension() == ".pth"; };
    if (std::none_of(fs::directory_iterator(folder), fs::directory_iterator(), isWeights))
        return false; // other programs have a config.yaml too, with whatever YAML allows
    const json config = readEspnetConfig(folder);
    return config.is_object() && config.contains("encoder") && config.contains("encoder_conf");
}

} // namespace headroom::models
