// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_task.h"
#include "app/parts/path_question.h"
#include "core/corpus/kinds/import_corpus.h"

#include <QDialog>
#include <QTimer>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace headroom::app {

class FormColumn;
class FormRow;
class PathField;

/// The words of `headroom-worker corpus` that import. Only what differs from the defaults is written. `pieces`: of the SentencePiece
/// models; nothing: the sizes that the worker chooses. Pure.
std::vector<std::string> importArguments(const CorpusImport& request, std::optional<int> pieces = std::nullopt);

/// Names the fields of the dialogue in what the command says of its options: “Use --language to name it.” has “Language”. Pure.
QString withFieldNames(QString sentence);

/// Imports a corpus of another kind with the worker, in place, with the options of the command. It stays open while the worker reads,
/// shows how far it is, and can cancel. Window's thread.
class ImportDialog : public QDialog {
    Q_OBJECT

public:
    explicit ImportDialog(QWidget* parent = nullptr);
    ~ImportDialog() override; ///< ends the import: nobody waits for it unseen

    PathQuestion askPath; ///< until it is set, folders are not remembered

    void setFrom(const std::filesystem::path& folder);
    void setOut(const std::filesystem::path& folder);
    void setKind(const QString& name); ///< empty: recognised
    /// "dev=dev-clean train=train-clean-100,train-clean-360"
    void setSplits(const QString& text);
    void setHeldOut(double devPercent, double testPercent); ///< 0: none
    void askForDev(double usualPercent); ///< the same, for dev alone: the question that the dialogue is opened for
    void setMap(const QString& text); ///< "/data/old=/corpora/new"
    void setCopy(bool copies);
    void setLowercase(bool lowercase);
    void setLanguage(const QString& code); ///< empty: as the corpus says
    void setPieces(const QString& number); ///< empty: as many as the worker chooses
    void setSpeeds(const QString& text);   ///< "0.9, 1.1"

    const CorpusImport& request() const { return m_request; }
    std::vector<std::string> arguments() const { return importArguments(m_request, m_sizeOfPieces); } ///< for the worker
    QString sentence() const;
    QString plan() const; ///< how the share will be held out; empty: none, or not known
    bool isRunning() const { return m_task.isRunning(); }
    QPushButton* startButton() const { return m_start; }
    QPushButton* cancelButton() const { return m_cancel; }

Q_SIGNALS:
    /// What the worker says about the whole corpus, such as speakers in several splits; before imported().
    void noted(const std::filesystem::path& corpus, const QString& sentence);
    void imported(const std::filesystem::path& folder);

protected:
    void reject() override; ///< cancels the import, if it runs

private:
    FormRow* addField(FormColumn& form, const QString& label, QLineEdit* field, const QString& placeholder, const QString& toolTip);
    void validate();
    QString readSpeeds();
    QString readPieces();
    void planHeldOut();
    void fitHeight();
    void setFieldsEnabled(bool on);
    void start();
    void showLine(const QString& line);
    void sayNotes(const QByteArray& output);
    void finish(const WorkerTask::End& end);
    void removeUnfinished() const;

    WorkerTask m_task;
    CorpusImport m_request;
    std::optional<int> m_sizeOfPieces;
    QComboBox* m_kind;
    PathField *m_from, *m_out;
    QLineEdit* m_splits;
    QDoubleSpinBox *m_dev, *m_test;
    QLineEdit *m_language, *m_pieces, *m_speeds, *m_map;
    QCheckBox *m_copy, *m_lowercase;
    FormRow *m_fromRow = nullptr, *m_outRow = nullptr, *m_splitRow = nullptr, *m_shareRow = nullptr, *m_piecesRow = nullptr, *m_speedRow = nullptr, *m_mapRow = nullptr;
    QLabel* m_sentence;
    QProgressBar* m_progress;
    QPushButton *m_start, *m_copyCommand, *m_cancel;
    QTimer m_planWait;       ///< until nobody types
    bool m_planning = false; ///< on another thread
};

} // namespace headroom::app
