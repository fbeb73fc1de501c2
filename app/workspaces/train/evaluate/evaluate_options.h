// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/path_question.h"
#include "core/runs/evaluations.h"

#include <QByteArray>
#include <QString>
#include <QWidget>

#include <filesystem>
#include <map>
#include <string>

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;
class QToolButton;

namespace headroom::app {

/// What the chosen model can be decoded with. A model that says nothing about itself can do all of it.
struct DecodableModel {
    bool hasDecoder = true, hasCtc = true, isLanguageModel = false, readsText = false;
    bool isKnown = false; ///< it says so of itself
    /// Of a model folder, by its architecture.json. Reads one small file.
    static DecodableModel of(const std::filesystem::path& folder);
};

/// What a folder has to evaluate on, by split and task. A value.
struct EvaluationSplits {
    struct Count {
        int texts = 0, withoutText = 0; ///< what has no text is left out
    };
    using Counts = std::map<std::string, std::map<std::string, Count>>; ///< without tasks that have no text at all
    Counts utterances; ///< for models that read speech or parallel text
    Counts sentences;  ///< for a language model, whose tasks are "lm" and "lm_TASK"; −1 texts: a file whose lines were not counted
    QString mistake;   ///< why there are no utterances
    /// Reads the corpus and looks for files of sentences. Blocks: call it off the window's thread.
    static EvaluationSplits of(const std::filesystem::path& folder);
};

/// How an evaluation decodes, apart from the number of beams: folded away until somebody opens it. A field that the
/// model cannot follow is disabled and says why. Window's thread.
class EvaluateOptions : public QWidget {
    Q_OBJECT

public:
    explicit EvaluateOptions(QWidget* parent = nullptr);

    PathQuestion askPath; ///< tests answer in its place

    void setModel(const DecodableModel& model, int beams);
    /// Sets what the enabled fields say.
    void applyTo(EvaluationRequest& request) const;
    /// For the next time: every field, and whether the options are open.
    QByteArray state() const;
    void restore(const QByteArray& state);

    QToolButton* opener() const { return m_opener; }
    bool isOpen() const;
    QString whyNotDecoded() const; ///< empty: the model is decoded
    const DecodableModel& model() const { return m_model; }
    QDoubleSpinBox* lengthPenaltyField() const { return m_lengthPenalty; }
    QDoubleSpinBox* coverageWeightField() const { return m_coverageWeight; }
    QSpinBox* nBestField() const { return m_nBest; }
    QDoubleSpinBox* ctcWeightField() const { return m_ctcWeight; }
    QComboBox* languageModelField() const { return m_languageModel; }
    QDoubleSpinBox* languageModelWeightField() const { return m_languageModelWeight; }
    QComboBox* rulesField() const { return m_rules; }
    QDoubleSpinBox* windowField() const { return m_window; }
    /// Offers this language model or file of rules, and chooses it.
    void chooseLanguageModel(const std::filesystem::path& folder);
    void chooseRules(const std::filesystem::path& file);

Q_SIGNALS:
    void changed();
    void folded(); ///< the fields have been folded away

private:
    void refresh();

    DecodableModel m_model;
    int m_beams = 1;
    QToolButton* m_opener;
    QWidget* m_fields;
    QDoubleSpinBox *m_lengthPenalty, *m_coverageWeight, *m_ctcWeight, *m_languageModelWeight, *m_window;
    QSpinBox* m_nBest;
    QComboBox *m_languageModel, *m_rules;
};

} // namespace headroom::app
