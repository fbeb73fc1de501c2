// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/forms/form_panel.h"
#include "app/parts/path_question.h"
#include "app/workspaces/train/launch_values.h"

#include <QFutureWatcher>
#include <QTimer>

namespace headroom::app {

class CorpusWatch;
class DeviceList;
class PlaceStore;
class RecipeModel;
class RunStore;
class Session;

/// The New run panel: what to train, on what, from where, how often. Collects LaunchValues, shows what `validate` says
/// about them at the fields, and starts nothing itself. Files are read when they are chosen; the corpus on a thread of
/// its own. Window's thread.
class LaunchForm : public FormPanel {
    Q_OBJECT

public:
    struct Parts {
        Session* session;
        Drafts* drafts;
        RunStore* store;
        AppSettings* settings;
        PlaceStore* places;
        DeviceList* devices;
    };
    explicit LaunchForm(const Parts& parts, QWidget* parent = nullptr);
    ~LaunchForm() override;

    void chooseDraft(DraftKey key);
    bool chooseArchitecture(const std::filesystem::path& file);
    bool chooseRecipe(const std::filesystem::path& file);
    void setData(const std::filesystem::path& folder);
    /// A corpus that was divided: the recipe's own splits are trained and validated on.
    void setDividedData(const std::filesystem::path& folder);
    void readDataAgain(); ///< what is known stays in the form until then
    const std::filesystem::path& data() const { return m_data; } ///< empty: none is chosen
    QStringList recipeNames() const;
    int recipeIndex() const; ///< in recipeNames(); −1: none
    void chooseRecipeAt(int index);
    bool chooseStart(StartChoice::Kind kind, const std::filesystem::path& path);
    void startFresh(); ///< from random weights; everything else stays
    /// Fills in what the run was trained with, its seed too, and its checkpoint as the start of the whole model.
    void chooseBranch(const CheckpointName& checkpoint, const std::filesystem::path& data, std::uint64_t seed);
    void setSeeds(const QString& text);
    /// Why the folder of the runs that are shown cannot be used, as whyNotARunsFolder(); empty: it can.
    const QString& runsFolderMistake() const { return m_runsMistake; }
    /// Where runs will be computed; empty or unknown: this machine.
    void choosePlace(const QString& name);
    QString chosenPlace() const;
    /// The device of this machine on which runs will be computed, as --device takes it; empty: the CPU.
    QString chosenDevice() const;
    /// Empty or not there: the CPU. It stays chosen while the devices are looked for.
    void chooseDevice(const QString& device);
    RecipeModel* values() const { return m_values; }
    void focusFirst();
    /// What was chosen and changed, as sessions and settings keep it, and back; what is missing stays as it is. A draft
    /// whose model is not open yet is waited for: no architecture is chosen until then. Weights to start from that are missing are
    /// chosen, with a mistake. A run to resume is chosen once the runs are known, if it can still be resumed.
    nlohmann::json viewState() const;
    void restoreView(const nlohmann::json& view);

    /// What would be started now; nothing where something is wrong, is not known yet, or a run is to be
    /// resumed.
    const std::optional<Launch>& launch() const { return m_launch; }
    bool isPending() const;
    /// Why what was to be started was not, beside the button until something changes.
    void showFailure(const QString& sentence) { showSentence(sentence); }
    /// While the demo corpus is being made.
    void showMaking(const QString& progress, const QString& failure = {});

    PathQuestion askPath; ///< tests answer in its place

Q_SIGNALS:
    void runsFolderChecked(); ///< runsFolderMistake() is another one
    void changed(); ///< viewState()
    void startRequested(const headroom::app::Launch& launch);
    void resumeRequested(const std::filesystem::path& run);
    void copyRequested(const headroom::app::Launch& launch);
    void holdOutRequested(const std::filesystem::path& corpus); ///< it has one split only
    void demoCorpusRequested(bool text); ///< parallel text, as the recipe needs it, else speech
    void cancelMakingRequested();
    void placesRequested(const QString& chosen);

protected:
    void showEvent(QShowEvent* event) override;
    void revalidate() override;

private:
    struct Fields;
    void makeFields();
    QWidget* makeValues();
    void connectFields();
    void makeFoot();
    void fillArchitectures();
    void followRunTitles();
    void fillRecipes();
    void fillStarts();
    void fillPlaces();
    void showPlaceStates();
    void fillDevices();
    void openArchitecture();
    void openRecipe();
    void openStart();
    void openData();
    void loadRecipe();
    void followRecipe();
    void readData();
    void takeData();
    void followModel(ModelId id, const std::filesystem::path& from);
    std::filesystem::path vocabularyModel() const;
    void chooseCheckpoint(StartChoice::Kind kind, const CheckpointName& checkpoint);
    void revalidateSoon();
    LaunchValues read() const;
    nlohmann::json viewOf(const LaunchValues& values) const;
    void connectRunsFolder();
    void takeRunsFolder();
    void lookAtRunsFolder();
    void readArchitectureInto(LaunchValues& values) const;
    void showValues(const LaunchValues& values);
    void showTimes(const std::optional<CorpusExtent>& corpus);
    void showFoot(const LaunchReport& report, bool resumes);
    std::optional<DraftKey> chosenDraft() const;
    const StartChoice* start() const;

    Parts m_parts;
    std::unique_ptr<Fields> m;
    RecipeModel* m_values;
    std::vector<ArchitectureChoice> m_architectures;
    std::vector<RecipeChoice> m_recipes;
    std::vector<StartChoice> m_starts;
    QStringList m_openedArchitectures, m_openedRecipes, m_openedModels;
    QStringList m_runTitles; ///< of the runs whose files were opened
    std::vector<CheckpointName> m_branches; ///< newest first
    std::filesystem::path m_data;
    nlohmann::json m_wantedDraft; ///< draftPlace() of one that was chosen before this start; null: none
    std::filesystem::path m_loadedRecipe; ///< file of the one that was loaded last; empty: none
    std::filesystem::path m_wantedRun; ///< to resume, chosen before this start, until the runs are known; empty: none
    QString m_wantedDevice; ///< to be chosen by the next fillDevices()
    bool m_hasAccessKeys = false;
    std::filesystem::path m_runs; ///< the runs folder of which `m_runsMistake` is
    QString m_folderMistake; ///< of what is typed: also a path that is not full
    QString m_recipeMistake, m_runsMistake, m_making, m_makingFailure;
    nlohmann::json m_toldView; ///< last said by changed()
    std::optional<DataFacts> m_facts;
    QFutureWatcher<DataFacts> m_reader;
    QTimer m_revalidation;
    std::optional<Launch> m_launch;
    CorpusWatch* m_watch;
    bool m_reading = false;
    bool m_isStale = false; ///< what was read of the data may have changed
};

} // namespace headroom::app
