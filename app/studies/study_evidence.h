// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/open_study.h"
#include "app/studies/study_colours.h"

#include <QObject>

#include <map>
#include <vector>

namespace headroom::app {

/// What the analysis tabs speak about: the current utterance, live, or an open study. One choice per tab:
/// `windows` and `diagonality` share the Windows tab, `heads` serves CAD, Heads and Statistics, `phones` PAR,
/// the others have a tab of their own. Tabs read it and follow shownChanged(); a click on a number in any of
/// them is requestPlaces(). Window's thread.
///
///     const OpenStudyPtr study = evidence->shown(StudyKind::Heads);
///     study ? showStudy(*study, evidence->model(*study)) : showLive();
class StudyEvidence : public QObject {
    Q_OBJECT

public:
    explicit StudyEvidence(QObject* parent = nullptr);
    ~StudyEvidence() override;

    /// The study that the tab of this kind shows; null: this utterance.
    OpenStudyPtr shown(StudyKind kind) const;
    const std::vector<OpenStudyPtr>& open() const { return m_studies; } ///< newest opened first
    /// Every open study that the tab of this kind can show, newest opened first.
    std::vector<OpenStudyPtr> choices(StudyKind kind) const;
    /// Which of the study's models is shown, from 1: the one that was chosen, else the session's current model, else the
    /// first. Never more than the study has.
    int model(const OpenStudy& study) const;
    /// Shows another of its models, from 1, until another model becomes the session's current one.
    void chooseModel(const OpenStudyPtr& study, int model);
    /// The models that were chosen, by the study's folder, from 1; what was chosen in another session is replaced.
    const std::map<std::filesystem::path, int>& chosenModels() const { return m_chosenModels; }
    void setChosenModels(std::map<std::filesystem::path, int> chosen);
    /// Whether there is a current model that is none of the study's.
    bool lacksCurrent(const OpenStudy& study) const;

    /// Shows an open study in the tabs of its kind.
    void show(const OpenStudyPtr& study);
    /// Shows this utterance in the tabs of this kind.
    void showLive(StudyKind kind);
    /// Adds it to the choices and shows it. The same folder again replaces what was open of it.
    void add(const OpenStudyPtr& study);
    /// Adds it behind the other choices and shows it nowhere. One that is open already stays as it is.
    void addLast(const OpenStudyPtr& study);
    void close(const std::filesystem::path& folder);
    void closeAll();
    /// The session's current model: its folder and hash as the worker gave it.
    void setCurrentModel(const std::filesystem::path& folder, const std::string& hash);

    /// The session's open models, whose colours their curves have in every study.
    void setModelColours(std::vector<ModelColour> open);
    /// Colour and dash (runPen) of each of a study's models.
    std::vector<int> colours(const OpenStudy& study) { return m_colours.of(study.document); }

    /// Whether a study's model is the session's current one, by its weights.
    bool isCurrent(const StudyModel& model) const {
        return !model.weightsHash.empty() && model.weightsHash == m_modelHash;
    }

    /// Opens the list of places behind a number.
    void requestPlaces(const PlacesQuery& query);
    /// Lists these instead, if places of the same table are listed; opens no list.
    void followPlaces(const PlacesQuery& query);

    /// The kind whose choice a kind shares: Diagonality → Windows.
    static StudyKind tabOf(StudyKind kind);

Q_SIGNALS:
    void shownChanged();   ///< another study, or another of its models, in any tab
    void coloursChanged(); ///< of the models of any study
    void choicesChanged(); ///< a study was opened or closed
    void placesRequested(const headroom::app::PlacesQuery& query);
    void placesFollowed(const headroom::app::PlacesQuery& query);

private:
    int currentIn(const OpenStudy& study) const; ///< from 1; 0: the current model is none of these

    std::vector<OpenStudyPtr> m_studies; ///< newest opened first
    std::map<StudyKind, OpenStudyPtr> m_shown; ///< by tabOf(); none or null: this utterance
    std::map<std::filesystem::path, int> m_chosenModels; ///< by the study's folder, from 1
    StudyColours m_colours;
    std::filesystem::path m_modelFolder;
    std::string m_modelHash;
};

} // namespace headroom::app
