// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/kept_names.h"

#include "app/documents/items/paths.h"
#include "app/runs/run_reading.h"
#include "core/runs/jobs.h"
#include "core/runs/kept_name.h"
#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"

#include <vector>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostBytes = 1000;

QString lineIn(const fs::path& file) {
    return QString::fromStdString(tailOf(file, kMostBytes)).simplified();
}

void writeLine(const fs::path& file, const QString& name) {
    const std::string line = name.simplified().toStdString() + "\n";
    writeAtomically(file, std::string_view(line), "run.unwritable");
}

} // namespace

QString givenName(const fs::path& run) {
    return lineIn(RunPaths{run}.name());
}

void giveName(const fs::path& run, const QString& name) {
    writeLine(RunPaths{run}.name(), name);
}

QString keptName(const fs::path& run) {
    const QString settled = lineIn(startedAsFile(run));
    return settled.isEmpty() ? lineIn(nameInput(run)) : settled;
}

void keepName(const fs::path& run, const QString& name) {
    writeLine(nameInput(run), name);
}

void changeKeptName(const fs::path& run, const QString& name) {
    for (const fs::path& file : {startedAsFile(run), nameInput(run)})
        if (!lineIn(file).isEmpty())
            return writeLine(file, name);
}

void settleKeptNames(const fs::path& runs) {
    std::error_code ignored;
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(jobInputs(runs), ignored))
        if (entry.path().filename().string().ends_with(kNameInputEnding))
            names.push_back(entry.path());
    for (const fs::path& file : names) {
        std::string run = file.filename().string();
        run.resize(run.size() - std::string(kNameInputEnding).size());
        if (fs::exists(RunPaths{runs / run}.run(), ignored))
            fs::rename(file, startedAsFile(runs / run), ignored);
    }
}

void forgetName(const fs::path& run) {
    std::error_code ignored;
    fs::remove(nameInput(run), ignored);
}

} // namespace headroom::app
