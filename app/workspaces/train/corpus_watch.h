// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/file_watch.h"
#include "app/workspaces/train/corpus_version.h"

#include <QWidget>

namespace headroom::app {

/// Says that the corpus of the form is not as it was read. Looks as a FileWatch does, without watching files: a corpus may have more
/// than the system can watch. Window's thread.
class CorpusWatch : public FileWatch {
    Q_OBJECT

public:
    explicit CorpusWatch(QWidget* form) : FileWatch(form), m_form(form) {}
    ~CorpusWatch() override { waitForLooks(); }

    /// `version`: of the corpus and these files when they were read.
    void follow(const std::filesystem::path& corpus, std::vector<std::filesystem::path> files, const CorpusVersion& version);
    bool isPending() const { return isSoon() || m_looking; }

Q_SIGNALS:
    void changed();

private:
    void begin() override;
    bool isIdle() const override { return m_corpus.empty() || !m_form->isVisible(); }

    QWidget* m_form; ///< looks when it is shown, so there is nothing to look at while it is not
    std::filesystem::path m_corpus; ///< empty: none was read
    std::vector<std::filesystem::path> m_files; ///< likewise
    CorpusVersion m_version;
    bool m_looking = false;
};

} // namespace headroom::app
