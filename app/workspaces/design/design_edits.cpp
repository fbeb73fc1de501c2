// SPDX-License-Identifier: GPL-3.0-or-later
// What Design does to a draft, and its files.
#include "app/documents/items/paths.h"
#include "app/documents/items/saved_message.h"
#include "app/parts/file_dialogs.h"
#include "app/parts/last_folder.h"
#include "app/parts/shown_number.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/design/heads_text_field.h"
#include "app/workspaces/design/presets_panel.h"
#include "widgets/look/number_text.h"

#include <QAction>
#include <QDir>
#include <QDoubleSpinBox>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace {

/// Steps by key that follow within this time are one undo step.
constexpr qint64 kMergeMilliseconds = 1000;

std::vector<HeadsText> textsOf(const std::vector<widgets::CellEdit>& edits) {
    std::vector<HeadsText> texts;
    for (const widgets::CellEdit& edit : edits)
        texts.push_back({edit.layer, edit.firstHead, edit.lastHead, edit.text});
    return texts;
}

/// "multiformer-v1-copy-1.json" of "Multiformer v1, copy 1".
QString architectureFileOf(QString name) {
    name = name.toLower();
    name.replace(QRegularExpression(QStringLiteral("[^a-z0-9]+")), QStringLiteral("-"));
    name.remove(QRegularExpression(QStringLiteral("^-|-$")));
    return (name.isEmpty() ? QStringLiteral("architecture") : name) + QStringLiteral(".json");
}

} // namespace

void DesignWorkspace::write(const std::vector<widgets::CellEdit>& edits, bool goesOn) {
    const std::vector<HeadsText> texts = textsOf(edits);
    const bool soon = goesOn && m_sinceStep.isValid() && m_sinceStep.elapsed() < kMergeMilliseconds;
    m_drafts->write(m_drafts->current(), texts, soon ? EditStep::Continue : EditStep::New);
    if (goesOn)
        m_sinceStep.start();
    else
        m_sinceStep.invalidate();
}

void DesignWorkspace::writeText(const std::vector<widgets::CellEdit>& edits) {
    if (m_textOf == m_drafts->current())
        return write(edits, false);
    // Another one has become current, perhaps by an undo step, within which none can be pushed.
    QMetaObject::invokeMethod(
        this, [this, key = m_textOf, texts = textsOf(edits)] { m_drafts->write(key, texts); }, Qt::QueuedConnection);
}

int DesignWorkspace::currentLayer() const {
    return m_actions->showText->isChecked() ? m_text->currentLayer() : m_editor->currentLayer();
}

void DesignWorkspace::goToLayer(int layer) {
    const HeadGrid& grid = m_editor->gridModel()->grid();
    if (!grid.has(layer))
        return;
    if (m_actions->showText->isChecked())
        return m_text->goToLayer(layer);
    m_editor->selectHeads(layer, 1, int(grid.layer(layer).cells.size()));
    m_editor->setFocus();
}

void DesignWorkspace::goToNextMistake() {
    m_actions->showText->isChecked() ? m_text->goToNextMistake() : m_editor->selectNextMistake();
}

void DesignWorkspace::useSuggestedWindows() {
    const DraftKey key = m_drafts->current();
    if (!m_drafts->has(key))
        return;
    const WindowSuggestions suggestions = m_facts.suggestions(key);
    if (!suggestions.why.isEmpty()) {
        m_parts.session->messages()->post(Severity::Warning, suggestions.why);
        return;
    }
    std::vector<LayerWindow> windows;
    int layer = 0, full = 0;
    for (const widgets::WindowsRow& row : suggestions.rows) {
        ++layer;
        const auto suggested = row.suggestion(m_parts.session->fullAbove());
        if (!suggested)
            continue;
        full += *suggested == 0;
        windows.push_back({layer, *suggested > 0 ? suggested : std::nullopt});
    }
    m_drafts->setWindows(key, windows,
                         tr("suggested windows, %1 of %2 full").arg(QString::number(full), widgets::counted(std::ssize(windows), tr("1 layer"), tr("%1 layers"))));
}

/// Without masked ones, and those that cannot be read.
std::vector<std::pair<widgets::CellEdit, HeadGroup>> DesignWorkspace::relaxable() const {
    const HeadGrid& grid = m_editor->gridModel()->grid();
    std::vector<std::pair<widgets::CellEdit, HeadGroup>> heads;
    if (m_editor->isCrossSelected()) {
        int first = 1;
        for (HeadGroup group : m_drafts->crossAttention(m_drafts->current())) {
            const int last = first + std::exchange(group.count, 1) - 1;
            heads.push_back({{kCrossAttention, first, last, {}}, group});
            first = last + 1;
        }
    }
    for (const widgets::CellEdit& run : m_editor->selectedHeads())
        for (int head = run.firstHead; head <= run.lastHead; ++head)
            try {
                const std::string& text = grid.layer(run.layer).cells[static_cast<std::size_t>(head) - 1].text;
                if (const auto groups = parseHeads("1 " + text); groups.size() == 1 && groups.front().kind != HeadKind::Masked)
                    heads.push_back({{run.layer, head, head, {}}, groups.front()});
            } catch (const Error&) {
                continue;
            }
    return heads;
}

void DesignWorkspace::relaxSelected() {
    const double before = m_gamma->value();
    m_gamma->interpretText(); // what is typed there; heads that are relaxed get it at once
    const auto heads = relaxable();
    const bool allRelaxed = std::ranges::all_of(heads, [](const auto& head) { return head.second.relaxed.has_value(); });
    if (allRelaxed && m_gamma->value() != before)
        return;
    relax(heads, allRelaxed ? std::nullopt : std::optional(m_gamma->value()), false);
}

void DesignWorkspace::changeGamma(double gamma) {
    auto heads = relaxable();
    std::erase_if(heads, [](const auto& head) { return !head.second.relaxed; });
    relax(std::move(heads), gamma, true);
}

/// The γ of the selected heads, where they have one.
void DesignWorkspace::showGamma() {
    std::optional<double> shown;
    for (const auto& [edit, group] : relaxable())
        if (group.relaxed) {
            if (shown && *shown != *group.relaxed)
                return;
            shown = group.relaxed;
        }
    const QSignalBlocker quiet(m_gamma);
    if (shown)
        showNumber(m_gamma, *shown);
}

/// Head by head, because a selection may hold several kinds; others stay as they are. Conv heads go group by group:
/// those of a group share their convolutions, and two groups have their own even where their texts are equal.
void DesignWorkspace::relax(std::vector<std::pair<widgets::CellEdit, HeadGroup>> heads, std::optional<double> gamma, bool goesOn) {
    std::vector<widgets::CellEdit> edits;
    for (auto& [edit, group] : heads) {
        group.relaxed = gamma;
        if (!gamma) {
            group.relaxedMatched = false;
            group.relaxedFuzzy.reset();
        }
        const bool isConv = group.kind == HeadKind::Conv;
        const auto& cells = m_editor->gridModel()->grid().layer(edit.layer).cells;
        if (isConv && !edits.empty() && edits.back().layer == edit.layer && edits.back().lastHead == edit.firstHead - 1 &&
            cells[static_cast<std::size_t>(edit.firstHead) - 1].joined) {
            edit.firstHead = edits.back().firstHead;
            group.count = edit.lastHead - edit.firstHead + 1;
            edits.pop_back();
        }
        const QString text = QString::fromStdString(toText({group}));
        edit.text = isConv ? text : text.mid(2); // with its count it joins no neighbour
        edits.push_back(edit);
    }
    if (!edits.empty())
        write(edits, goesOn);
}

void DesignWorkspace::startFrom(int preset) {
    const Preset& chosen = m_presets->presets().at(std::size_t(preset));
    m_drafts->newDocument(chosen.architecture, chosen.name);
}

void DesignWorkspace::putHeads(int preset) {
    const Preset& chosen = m_presets->presets().at(std::size_t(preset));
    const DraftKey key = m_drafts->current();
    if (!m_drafts->has(key))
        return;
    std::vector<HeadsText> texts;
    const auto& layers = chosen.architecture.encoder.layers;
    for (int layer = 1; layer <= m_drafts->grid(key).layerCount() && layer <= int(layers.size()); ++layer)
        texts.push_back({layer, 1, int(m_drafts->grid(key).layer(layer).cells.size()),
                         QString::fromStdString(toText(layers[std::size_t(layer) - 1].heads))});
    const auto& decoder = chosen.architecture.decoder;
    if (const int cross = headCount(m_drafts->crossAttention(key)); decoder && cross > 0 && cross == headCount(decoder->crossAttention))
        texts.push_back({kCrossAttention, 1, cross, QString::fromStdString(toText(decoder->crossAttention))});
    m_drafts->write(key, texts, EditStep::New, tr("heads of %1").arg(chosen.name));
}

void DesignWorkspace::resetDraft() {
    m_drafts->revert(m_drafts->current());
}

QString DesignWorkspace::chooseOpen() const {
    return askBeside(*m_parts.settings, AppSettings::FolderOf::Architectures, [this](const QString& folder) {
        return (*m_parts.dialogs)->openFile(window(), tr("Open an architecture"), folder, tr("Architectures (*.json)"));
    });
}

QString DesignWorkspace::chooseSave(const QString& suggested) const {
    return askBeside(*m_parts.settings, AppSettings::FolderOf::Architectures, [&](const QString& folder) {
        return (*m_parts.dialogs)->save(window(), tr("Save architecture"), QDir(folder).filePath(suggested), {tr("Architecture (*.json)")});
    });
}

void DesignWorkspace::open() {
    if (const QString file = askOpen(); !file.isEmpty())
        openFile(file);
}

void DesignWorkspace::openFile(const QString& file) {
    try {
        m_drafts->openDocument(toPath(file));
    } catch (const Error& error) {
        m_parts.session->messages()->post(Severity::Error, QString::fromUtf8(error.what()));
    }
}

void DesignWorkspace::save() {
    const DraftKey key = m_drafts->current();
    if (!m_drafts->has(key) || m_drafts->file(key).empty())
        return saveAs();
    const std::filesystem::path file = m_drafts->file(key);
    if (m_drafts->isFileChanged(key))
        switch (askChanged(toQString(file.filename()))) {
        case FileDialogs::Changed::SaveAs:
            return saveAs();
        case FileDialogs::Changed::Reload:
            return openFile(toQString(file));
        case FileDialogs::Changed::Cancel:
            return;
        case FileDialogs::Changed::Overwrite:
            break;
        }
    saveTo(toQString(file));
}

void DesignWorkspace::saveAs() {
    const DraftKey key = m_drafts->current();
    if (!m_drafts->has(key))
        return;
    const std::filesystem::path own = m_drafts->file(key);
    const QString file = askSave(own.empty() ? architectureFileOf(m_drafts->designName(key)) : toQString(own.filename()));
    if (!file.isEmpty())
        saveTo(file);
}

void DesignWorkspace::saveUnread(int number) {
    const QString name = m_drafts->unreadName(number);
    const QString file = name.isEmpty() ? QString() : askSave(architectureFileOf(name));
    if (file.isEmpty())
        return;
    try {
        m_drafts->saveUnread(number, toPath(file));
        announceSaved(m_parts.session->messages(), file);
    } catch (const Error& error) {
        m_parts.session->messages()->post(Severity::Error, QString::fromUtf8(error.what()));
    }
}

void DesignWorkspace::saveTo(const QString& file) {
    const DraftKey key = m_drafts->current();
    try {
        m_drafts->save(key, toPath(file));
        announceSaved(m_parts.session->messages(), file,
                      m_drafts->grid(key).mistakes().empty()
                          ? QString()
                          : tr("Layers with mistakes were saved with their last valid heads."));
    } catch (const Error& error) {
        m_parts.session->messages()->post(Severity::Error, QString::fromUtf8(error.what()));
    }
}

} // namespace headroom::app
