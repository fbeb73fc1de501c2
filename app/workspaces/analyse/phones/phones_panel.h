// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/common/captioned.h"
#include "app/workspaces/analyse/phones/phone_content.h"

#include <QWidget>

#include <nlohmann/json_fwd.hpp>

#include <vector>

class QAction;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace headroom::widgets {
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

class EvidenceField;
class MetricsNote;

/// The phone attention relation of a layer and head, or of several, with its choosers and the list of places
/// behind a cell. Data in, intentions out; window's thread.
class PhonesPanel : public QWidget, public Captioned {
    Q_OBJECT

public:
    explicit PhonesPanel(EvidenceField* evidence, QWidget* parent = nullptr);

    /// What can be chosen; keeps the choice where it still can be.
    void setExtent(int layers, int heads);
    void setChoice(const PhoneChoice& choice); ///< tells nobody
    PhoneChoice choice() const { return m_choice; }
    /// Colours, and whether the pairs stand as a table: of the session's view.
    nlohmann::json look() const;
    void setLook(const nlohmann::json& look);
    void showMap(widgets::PhoneRelation map, const QString& title, const QString& caption);
    QString figureCaption() const override { return m_map->map().par.empty() ? QString() : m_caption; }
    QString viewInFileName() const override;
    void setEmptySentence(const QString& sentence);
    /// The action offered beside the sentence (“Align…”); null hides it. Borrowed.
    void setRemedy(QAction* action);

    /// The strongest pairs of a cell of the utterance that is open.
    struct Place {
        Seconds query, key;
        double ofUniform = NAN; ///< weight as a multiple of 1/T
    };
    void showPlaces(const QString& title, std::vector<Place> places);
    void hidePlaces();

    widgets::PhoneMatrixView* map() const { return m_map; }
    widgets::StudyTableView* pairs() const { return m_pairs; }
    widgets::StudyTableView* places() const { return m_placesTable; }
    QComboBox* layerField() const { return m_layer; }
    QComboBox* headField() const { return m_head; }
    QToolButton* tableButton() const { return m_tableButton; }
    MetricsNote* note() const { return m_note; }

Q_SIGNALS:
    void choiceChanged(const headroom::app::PhoneChoice& choice);
    void cellActivated(headroom::widgets::PhonePair pair);
    void placeChosen(headroom::Seconds query, headroom::Seconds key);

private:
    QWidget* makeHead(EvidenceField* evidence);
    QWidget* makePlaces();
    void fillFields();
    void choose();
    void showPage();

    PhoneChoice m_choice;
    int m_layers = 0, m_heads = 0;
    QString m_title, m_caption; ///< of the map
    std::vector<Place> m_shownPlaces;
    QComboBox *m_layer, *m_head, *m_colours;
    QToolButton *m_tableButton, *m_copyButton;
    QStackedLayout* m_pages;
    widgets::PhoneMatrixView* m_map;
    widgets::StudyTableView *m_pairs, *m_placesTable;
    QWidget* m_placesPart = nullptr;
    QLabel* m_placesTitle = nullptr;
    QPushButton* m_remedy;
    QAction* m_remedyAction = nullptr;
    MetricsNote* m_note;
};

} // namespace headroom::app
