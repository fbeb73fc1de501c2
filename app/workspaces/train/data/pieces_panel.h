// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_task.h"
#include "app/workspaces/train/data/corpus_reader.h"
#include "core/commands/pieces_options.h"

#include <nlohmann/json_fwd.hpp>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace headroom {
class Tokenizer;
}

namespace headroom::app {

class PanelHeader;

/// The SentencePiece model of a corpus's task: its options, what it makes of the held-out texts, an example
/// taken apart, and texts that the normalisation changes, before and after. *Try* writes nothing; *Train
/// pieces* replaces the corpus's model. Window's thread; the worker learns.
class PiecesPanel : public QWidget {
    Q_OBJECT

public:
    explicit PiecesPanel(QWidget* parent = nullptr);
    ~PiecesPanel() override;

    /// `read` null: no corpus is shown.
    void setCorpus(std::shared_ptr<const ReadCorpus> read);
    PiecesOptions options() const;
    bool isPending() const { return m_task.isRunning(); }

    QComboBox* modelField() const { return m_model; }
    QSpinBox* sizeField() const { return m_size; }
    QComboBox* normaliseField() const { return m_normalise; }
    QLineEdit* exampleField() const { return m_example; }
    QPushButton* trainButton() const { return m_train; }
    QPushButton* tryButton() const { return m_try; }
    QString state() const;     ///< "8,000 pieces in 14 s", or what is wrong
    QString pieces() const;    ///< of the example
    QString changed() const;   ///< texts before and after, as rich text
    QString heldFacts() const; ///< of the held-out texts

Q_SIGNALS:
    void failed(const QString& sentence);
    void finished();

private:
    QWidget* makeOptions();
    void start(bool trial);
    bool isOfCorpus() const;
    void finish(const WorkerTask::End& end);
    void show(const nlohmann::json& report);
    void showChanged(const nlohmann::json& report);
    void takeApart();
    void showAvailable();

    std::shared_ptr<const ReadCorpus> m_read;
    std::unique_ptr<Tokenizer> m_tokenizer; ///< of the corpus; null: there is none
    WorkerTask m_task; ///< `corpus pieces`
    PiecesOptions m_learns; ///< what it learns, or has learnt
    PanelHeader* m_header;
    QComboBox *m_model, *m_normalise;
    QSpinBox* m_size;
    QDoubleSpinBox* m_coverage;
    QCheckBox* m_joint;
    QLineEdit* m_example;
    QPushButton *m_train, *m_try, *m_cancel;
    QLabel *m_state, *m_pieces, *m_held, *m_sizes, *m_changed;
};

} // namespace headroom::app
