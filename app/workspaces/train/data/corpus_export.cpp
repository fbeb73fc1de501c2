// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/corpus_export.h"

#include "app/documents/items/paths.h"
#include "app/jobs/in_background.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "core/corpus/exports/export_corpus.h"
#include "widgets/look/icons.h"

#include <QAction>
#include <QMenu>
#include <QWidget>

namespace headroom::app {

namespace fs = std::filesystem;

CorpusExport::CorpusExport(QWidget* parent)
    : QObject(parent)
    , m_action(new QAction(widgets::icon(QStringLiteral("export")), tr("Export as…"), this))
    , m_menu(new QMenu(parent)) {
    m_action->setToolTip(tr("Export as: write the tables of another toolkit for this corpus. Recordings stay where they are."));
    m_menu->setToolTipsVisible(true);
    for (const ExportKind& kind : exportKinds()) {
        const std::string name(kind.name);
        QAction* form = m_menu->addAction(QString::fromStdString(name));
        form->setToolTip(QString::fromStdString(std::string(kind.about)));
        form->setProperty("menu", tr("Export as")); // Find action lists it alone
        setSearchWords(form, tr("corpus dataset tables manifest toolkit write"));
        connect(form, &QAction::triggered, this, [this, name] {
            if (const QString folder = askFolder(tr("Export as %1").arg(QString::fromStdString(name))); !folder.isEmpty())
                exportAs(name, toPath(folder));
        });
    }
    m_action->setMenu(m_menu);
    update();
}

CorpusExport::~CorpusExport() = default;

void CorpusExport::setCorpus(const std::shared_ptr<const ReadCorpus>& read) {
    m_read = read;
    update();
}

void CorpusExport::update() {
    const bool isText = m_read && !m_read->corpus->document().tasks.empty() && m_read->corpus->document().tasks.front().isText;
    const QString why = m_running ? tr("The corpus is being exported.")
                        : !m_read ? tr("Choose a corpus first.")
                        : isText  ? tr("These tables describe recordings, and parallel text has none.")
                                  : QString();
    setAvailable(m_action, why);
    for (QAction* form : m_menu->actions())
        setAvailable(form, why);
}

void CorpusExport::exportAs(const std::string& kind, const fs::path& folder) {
    if (!m_read || m_running)
        return;
    std::error_code ignored;
    const bool isFree = !fs::exists(folder, ignored) || fs::is_empty(folder, ignored);
    const fs::path out = isFree ? folder : folder / (m_read->folder.filename().string() + "-" + kind);
    m_running = true;
    update();
    buildInBackground(
        this,
        [corpus = m_read->folder, kind, out] {
            exportCorpus(corpus, exportKind(kind), out);
            return true;
        },
        [this, out](const Built<bool>& built) {
            m_running = false;
            update();
            if (built.mistake.isEmpty())
                Q_EMIT exported(toQString(out));
            else
                Q_EMIT failed(built.mistake);
            Q_EMIT ended();
        });
}

} // namespace headroom::app
