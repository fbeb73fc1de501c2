// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/file_watch.h"
#include "app/workspaces/train/corpus_version.h"

#include <QWidget>

namespace headroom::app {

/// Says that the corpus of the form may not be as it was read. Looks as a FileWatch does, without watching files: a corpus may have more
/// than the system can watch. Window's thread.
class CorpusWatch : public FileWatch {
    Q_OBJECT

public:
    explicit CorpusWatch(QWidget* form) : FileWatch(form), m_form(form) {}
    ~CorpusWatch() override { waitForLooks(); }

    /// `hasMistakes`: any of its recordings may be put right, so that each look says that it may have changed.
    void follow(const std::filesystem::path& corpus, const CorpusVersion& version, bool hasMistakes);
    bool isPending() const { return isSoon() || m_looking; }

Q_SIGNALS:
    void changed();

private:
    void begin() override;
    bool isIdle() const override { return m_corpus.empty() || !m_form->isVisible(); }

    QWidget* m_form; ///< looks when it is shown, so there is nothing to look at while it is not
    std::filesystem::path m_corpus; ///< empty: none was read
    CorpusVersion m_version;
    bool m_hasMistakes = false, m_looking = false;
};

} // namespace headroom::app
