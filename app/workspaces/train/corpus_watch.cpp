// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/corpus_watch.h"

#include <QMetaObject>

namespace headroom::app {

namespace fs = std::filesystem;

void CorpusWatch::follow(const fs::path& corpus, const CorpusVersion& version, bool hasMistakes) {
    m_corpus = corpus;
    m_version = version;
    m_hasMistakes = hasMistakes;
}

void CorpusWatch::begin() {
    if (m_corpus.empty())
        return;
    if (m_hasMistakes) {
        Q_EMIT changed();
        return;
    }
    if (m_looking)
        return look();
    m_looking = true;
    m_pool.start([this, corpus = m_corpus, before = m_version] {
        const bool isChanged = versionOfCorpus(corpus) != before;
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
