// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/scratch_folder.h"

#include "core/errors/error.h"

#include <cstdlib>

namespace headroom {

ScratchFolder::ScratchFolder(const std::string& name, const std::string& code, const std::string& advice) {
    const std::filesystem::path top = std::filesystem::temp_directory_path();
    std::string made = (top / (name + "-XXXXXX")).string();
    if (!::mkdtemp(made.data()))
        throw Error(code, "A folder for temporary files could not be created in “" + top.string() + "”." +
                              (advice.empty() ? "" : " " + advice));
    m_path = made;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace headroom
