// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/train/data/corpus_reader.h"

#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <map>

class QAction;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace headroom::app {

class AppSettings;
class Banner;
class CorpusExport;
class CorpusList;
class DataCharts;
class DefectsPanel;
class ImportDialog;
class PiecesPanel;

/// The Data view of Train: at the left the corpora, in the middle what the chosen one holds, what a recipe
/// would leave out of it, and its defects with the utterances that have them. Corpora are read on another
/// thread, one at a time; nothing in them is changed. Window's thread.
class DataView : public QWidget {
    Q_OBJECT

public:
    /// Borrowed.
    explicit DataView(AppSettings* settings, QWidget* parent = nullptr);
    ~DataView() override;

    /// Lists a corpus without reading it, unless it was taken off the list.
    void addCorpus(const std::filesystem::path& folder);
    /// Lists a corpus, makes it the current one and reads it.
    void open(const std::filesystem::path& folder);
    /// The view is shown: reads the current corpus, or else the first, if nothing was read yet.
    void begin();
    void readAgain();
    /// Takes the current corpus off the list, of the recent ones too, until it is opened again. Its folder is not touched.
    void takeOffList();
    void cancel();
    /// The splits that the recipe trains on and validates on. Without them in the corpus, training is not offered.
    void setRecipeSplits(const std::string& train, const std::string& validation);
    /// The recipes that can be chosen; the limits of the chosen one, those of the form, and the task.
    void setRecipes(const QStringList& names, int current, const SplitLimits& recipe, const SplitLimits& form,
                    const std::string& task);

    const std::shared_ptr<const ReadCorpus>& current() const { return m_read; } ///< null: none was read
    bool isPending() const; ///< something is read or learnt
    QString statusText() const;
    DataCharts* charts() const { return m_charts; }
    DefectsPanel* defects() const { return m_defects; }
    CorpusList* list() const { return m_list; }
    PiecesPanel* pieces() const { return m_pieces; }
    CorpusExport* exports() const { return m_exports; }
    QString kindText() const; ///< what the corpus is, and what it was imported from
    /// The dialogue that imports a corpus of another kind; what it made is opened. One at a time.
    ImportDialog* askImport(const std::filesystem::path& from = {});
    /// The same for a corpus with one split only, with a share for dev.
    ImportDialog* askHoldOut(const std::filesystem::path& corpus);
    QAction* piecesAction() const { return m_showPieces; } ///< shows the column Pieces
    QAction* importAction() const { return m_import; }     ///< stands in the Runs menu, too
    /// Its other actions, for Find action. Each has the view shown first (wanted()).
    QList<QAction*> listedActions() const;
    QPushButton* trainButton() const { return m_train; }

    /// Asks for a folder; replaced in tests. Empty: given up.
    std::function<QString(const QString& title)> askFolder;

Q_SIGNALS:
    /// `task`: the one whose texts are shown.
    void trainRequested(const std::filesystem::path& folder, const headroom::LengthLimits& limits, const std::string& task);
    void recipeChosen(int index);
    void corpusRead(const std::filesystem::path& folder); ///< for the first time, or again
    void said(const QString& sentence); ///< a failure, for Messages
    void noted(const std::filesystem::path& corpus, const QString& sentence); ///< about a corpus that was imported, likewise
    void exported(const QString& folder);
    void wanted(); ///< an action of the view was chosen, perhaps while it is not shown
    void shownChanged();                ///< statusText()

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeLeft();
    QWidget* makeSource();
    QWidget* makeMessagePage();
    QWidget* makeContent();
    void read(const std::filesystem::path& folder);
    void showCorpus(const std::shared_ptr<const ReadCorpus>& read);
    void showReading();
    void showFailure(const std::filesystem::path& folder, const QString& sentence, bool canBeImported);
    void showProgress(qint64 done, qint64 total);
    void showMessage(const QString& sentence, bool reading);
    void showNothing(); ///< no corpus is chosen
    void forgetRead(const QString& place);
    void showSource();
    bool isAsDownloaded() const;
    bool canBeDivided() const;
    void showBanner();
    QString missingSplit() const;
    void showFoot();

    AppSettings* m_settings;
    CorpusReader m_reader;
    QTimer m_slow; ///< until it is worth saying that something is read
    std::filesystem::path m_folder; ///< the current one; empty: none
    std::string m_task;             ///< of the recipe; of a language model: the one whose texts it learns, or "lm"
    bool m_limitsAreTokens = false; ///< those of the recipe: not of lengths in time
    std::string m_trainSplit, m_validationSplit; ///< of the recipe; empty: unknown
    std::shared_ptr<const ReadCorpus> m_read;
    QAction *m_add, *m_import, *m_remove, *m_again, *m_showPieces;
    CorpusExport* m_exports;
    CorpusList* m_list = nullptr;
    DataCharts* m_charts = nullptr;
    DefectsPanel* m_defects = nullptr;
    PiecesPanel* m_pieces = nullptr;
    QStackedWidget* m_pages;
    Banner* m_banner = nullptr; ///< over the plots: a corpus that has to be read first
    QLabel *m_message, *m_foot;
    std::map<QString, QLabel*> m_source; ///< by what they say: "place", "kind", "origin", "read"
    QLabel* m_originWord = nullptr;      ///< beside "origin"; both only of a corpus that names it
    QProgressBar* m_progress;
    QPushButton *m_cancel, *m_retry, *m_importThis, *m_holdOut, *m_train; ///< of the message: m_importThis imports the current one
    QComboBox* m_tasks;
};

} // namespace headroom::app
