// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/presets.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace headroom::app {

namespace {

struct Paper {
    const char *name, *title;
};
constexpr std::array kPapers{ // in the order of the list
    Paper{"Alastruey et al. 2022", "On the Locality of Attention in Direct Speech Translation"},
    Paper{"Sant et al. 2022", "Multiformer"},
    Paper{"Shim et al. 2022", "Understanding the Role of Self Attention"},
    Paper{"Lohrenz et al. 2022", "Relaxed Attention for Transformer Models"},
    Paper{"Baevski et al. 2020",
          "wav2vec 2.0: A Framework for Self-Supervised Learning of Speech Representations"},
    Paper{"Baevski et al. 2022",
          "data2vec: A General Framework for Self-supervised Learning in Speech, Vision and Language"},
    Paper{"Chen et al. 2022",
          "WavLM: Large-Scale Self-Supervised Pre-Training for Full Stack Speech Processing"},
    Paper{"Radford et al. 2022", "Robust Speech Recognition via Large-Scale Weak Supervision"},
    Paper{"Barrault et al. 2023", "Seamless: Multilingual Expressive and Streaming Speech Translation"},
    Paper{"Gong et al. 2021", "AST: Audio Spectrogram Transformer"},
    Paper{"Kim et al. 2023", "E-Branchformer: Branchformer with Enhanced Merging for Speech Recognition"},
    Paper{"Rekesh et al. 2023", "Fast Conformer with Linearly Scalable Attention"},
};

/// Its place in kPapers; papers that are not there come behind.
std::size_t orderOf(const QString& paper) {
    const auto* found = std::find_if(kPapers.begin(), kPapers.end(), [&](const Paper& one) { return paper == QLatin1String(one.name); });
    return static_cast<std::size_t>(found - kPapers.begin());
}

QString paperOf(const std::string& source) {
    static const QRegularExpression pattern(QStringLiteral("\\p{Lu}\\p{L}+ et al\\. \\d{4}"));
    return pattern.match(QString::fromStdString(source)).captured();
}

} // namespace

QString titleOf(const QString& paper) {
    const std::size_t place = orderOf(paper);
    return place < kPapers.size() ? QString::fromUtf8(kPapers[place].title) : QString();
}

std::vector<Preset> readPresets(const std::filesystem::path& folder, QStringList* mistakes) {
    std::vector<Preset> presets;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (entry.path().extension() != ".json")
            continue;
        try {
            Preset preset;
            preset.architecture = readArchitecture(entry.path());
            preset.name = QString::fromStdString(preset.architecture.name);
            preset.paper = paperOf(preset.architecture.source);
            preset.file = entry.path();
            presets.push_back(std::move(preset));
        } catch (const Error& error) {
            if (mistakes)
                mistakes->append(QString::fromUtf8(error.what()));
        }
    }
    // Papers in the order of kPapers. In each the untouched baseline first, then by name: people look for the difference.
    // Language models behind.
    const auto isFull = [](const Preset& preset) {
        return std::all_of(preset.architecture.encoder.layers.begin(),
                           preset.architecture.encoder.layers.end(),
                           [](const auto& layer) { return layer.heads.front().kind == HeadKind::Full; });
    };
    std::sort(presets.begin(), presets.end(), [&](const Preset& a, const Preset& b) {
        const auto place = [&](const Preset& one) {
            return std::tuple(orderOf(one.paper), one.paper, one.architecture.languageModel.has_value(), !isFull(one), one.file);
        };
        return place(a) < place(b);
    });
    return presets;
}

} // namespace headroom::app
