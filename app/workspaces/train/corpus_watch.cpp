// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/corpus_watch.h"

#include <QMetaObject>

namespace headroom::app {

namespace fs = std::filesystem;

void CorpusWatch::follow(const fs::path& corpus, std::vector<fs::path> files, const CorpusVersion& version) {
    m_corpus = corpus;
    m_files = std::move(files);
    m_version = version;
}

void CorpusWatch::begin() {
    if (m_corpus.empty())
        return;
    if (m_looking)
        return look();
    m_looking = true;
    m_pool.start([this, corpus = m_corpus, files = m_files, before = m_version] {
        const bool isChanged = versionOfCorpus(corpus, files) != before;
        QMetaObject::invokeMethod(
            this,
            [this, corpus, isChanged] {
                m_looking = false;
                if (isChanged && corpus == m_corpus)
                    Q_EMIT changed();
            },
            Qt::QueuedConnection);
    });
}

} // namespace headroom::app
