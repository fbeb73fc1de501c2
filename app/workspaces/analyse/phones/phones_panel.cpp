// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/phones/phones_panel.h"

#include "app/parts/availability.h"
#include "app/parts/choice_focus.h"
#include "app/parts/least_height_area.h"
#include "app/parts/tab_parts.h"
#include "app/parts/view_values.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/common/named_colours.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace headroom::app {

using widgets::ColourMap;
using widgets::Sizes;
using widgets::PhonePair;

namespace {

constexpr std::array kPhoneColourMaps{ColourMap::Name::Viridis, ColourMap::Name::Magma, ColourMap::Name::Cividis,
                                 ColourMap::Name::Grey};

QComboBox* field(const QString& name, int units, QWidget* parent) {
    auto* made = new QComboBox(parent);
    made->setProperty("small", true);
    made->setAccessibleName(name);
    made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    made->setMinimumWidth(qRound(units * Sizes::unit()));
    return made;
}

QToolButton* button(const QString& icon, const QString& toolTip, QWidget* parent) {
    auto* made = new QToolButton(parent);
    made->setIcon(widgets::icon(icon));
    made->setToolTip(toolTip);
    made->setAccessibleName(toolTip);
    made->setProperty("small", true);
    return made;
}

} // namespace

PhonesPanel::PhonesPanel(EvidenceField* evidence, QWidget* parent)
    : QWidget(parent)
    , m_layer(field(tr("Layers"), 9, this))
    , m_head(field(tr("Heads"), 9, this))
    , m_colours(field(tr("Colour map"), 6, this))
    , m_tableButton(button(QStringLiteral("text"), tr("Show the pairs as a table"), this))
    , m_copyButton(button(QStringLiteral("copy"), tr("Copy"), this))
    , m_pages(new QStackedLayout)
    , m_map(new widgets::PhoneMatrixView)
    , m_pairs(new widgets::StudyTableView)
    , m_placesTable(new widgets::StudyTableView)
    , m_remedy(new QPushButton(this))
    , m_note(new MetricsNote(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* shown = new QWidget(this);
    m_pages->addWidget(m_map);
    m_pages->addWidget(m_pairs);
    shown->setLayout(m_pages);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setHandleWidth(1);
    parts->addWidget(shown);
    parts->addWidget(makePlaces());
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 1);
    parts->setChildrenCollapsible(false);
    auto* outRow = new QHBoxLayout;
    outRow->setContentsMargins(qRound(Sizes::unit()), 0, qRound(Sizes::unit()), 0);
    outRow->addStretch(1);
    outRow->addWidget(m_remedy);
    outRow->addStretch(1);
    m_remedy->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead(evidence));
    layout->addWidget(new LeastHeightArea(parts, this), 1);
    layout->addLayout(outRow);
    layout->addWidget(m_note);
    connect(m_map, &widgets::PhoneMatrixView::pairActivated, this, &PhonesPanel::cellActivated);
    connect(m_remedy, &QPushButton::clicked, this, [this] {
        if (m_remedyAction)
            m_remedyAction->trigger();
    });
    connect(m_placesTable, &widgets::StudyTableView::rowChosen, this, [this](int row) {
        if (row >= 0 && std::size_t(row) < m_shownPlaces.size())
            Q_EMIT placeChosen(m_shownPlaces[std::size_t(row)].query, m_shownPlaces[std::size_t(row)].key);
    });
    setExtent(0, 0);
}

QWidget* PhonesPanel::makeHead(EvidenceField* evidence) {
    for (const QString& name : {tr("Viridis"), tr("Magma"), tr("Cividis"), tr("Grey")})
        m_colours->addItem(name);
    m_tableButton->setCheckable(true);
    auto* menu = new QMenu(this);
    menu->addAction(tr("The map as a table"), this,
                    [this] { QApplication::clipboard()->setText(m_map->asText()); });
    menu->addAction(tr("The pairs as LaTeX"), this, [this] {
        QApplication::clipboard()->setText(
            QString::fromStdString(latexText(phonePairsTable(m_map->map(), m_title, m_caption))));
    });
    menu->addAction(tr("The figure"), this, [this] {
        QPixmap picture(m_map->figureSize() * 2);
        picture.setDevicePixelRatio(2);
        QPainter painter(&picture);
        m_map->renderTo(painter, QRect(QPoint(), m_map->figureSize()));
        painter.end();
        QApplication::clipboard()->setPixmap(picture);
    });
    m_copyButton->setMenu(menu);
    m_copyButton->setPopupMode(QToolButton::InstantPopup);
    m_copyButton->setProperty("noIndicator", true); // it would lie on the icon
    auto* head = new TabHead(this, TabHead::Spacing::Tight);
    if (evidence)
        evidence->setMaximumWidth(qRound(Sizes::unit() * 18)); // its tool tip and its list have the rest
    head->add(m_layer);
    head->add(m_head);
    head->add(evidence);
    if (evidence)
        head->add(evidence->makeModelField(m_map, this));
    head->add(m_colours);
    head->addStretch();
    head->add(m_tableButton);
    head->add(m_copyButton);
    for (QComboBox* chooser : {m_layer, m_head})
        connect(chooser, &QComboBox::activated, this, &PhonesPanel::choose);
    connect(m_colours, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_map->setColourMap(kPhoneColourMaps.at(std::size_t(index))); });
    for (QComboBox* chooser : {m_layer, m_head, m_colours})
        passFocusOn(chooser, m_map);
    connect(m_tableButton, &QToolButton::toggled, this, &PhonesPanel::showPage);
    return head;
}

QWidget* PhonesPanel::makePlaces() {
    const int unit = qRound(Sizes::unit());
    m_placesPart = new QWidget(this);
    auto* layout = new QVBoxLayout(m_placesPart);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(unit, unit / 2, unit, 0);
    m_placesTitle = new QLabel(m_placesPart);
    m_placesTitle->setProperty("caption", true);
    auto* close = button(QStringLiteral("close"), tr("Hide the places"), m_placesPart);
    connect(close, &QToolButton::clicked, this, &PhonesPanel::hidePlaces);
    row->addWidget(m_placesTitle, 1);
    row->addWidget(close);
    layout->addLayout(row);
    layout->addWidget(m_placesTable, 1);
    m_placesTable->setProperty("notInFiles", true); // the tab's own numbers are those of PAR
    m_placesPart->hide();
    return m_placesPart;
}

void PhonesPanel::setExtent(int layers, int heads) {
    if (layers == m_layers && heads == m_heads && m_layer->count() > 0)
        return;
    m_layers = layers;
    m_heads = heads;
    m_layer->clear();
    for (int layer = 1; layer <= layers; ++layer)
        m_layer->addItem(tr("Layer %1").arg(layer));
    if (layers > 1) {
        const auto range = [layers](LayerRange::Kind kind) {
            const auto [first, last] = LayerRange{kind, 0}.in(layers);
            return tr("Layers %1–%2").arg(first).arg(last);
        };
        m_layer->addItem(range(LayerRange::Kind::LowerHalf));
        m_layer->addItem(range(LayerRange::Kind::UpperHalf));
        m_layer->addItem(tr("All %1 layers").arg(layers));
    }
    m_head->clear();
    m_head->addItem(heads == 0 ? tr("Heads") : heads == 1 ? tr("1 head") : tr("Mean of heads"));
    for (int head = 1; head <= heads; ++head)
        m_head->addItem(tr("Head %1").arg(head));
    if (layers == 0)
        m_layer->addItem(tr("Layer"));
    for (QComboBox* chooser : {m_layer, m_head}) {
        setAvailable(chooser, layers > 0 ? QString() : tr("Open a model first."));
    }
    setChoice(m_choice);
}

void PhonesPanel::fillFields() {
    const int place = m_choice.layers.kind == LayerRange::Kind::One
                          ? m_choice.layers.layer - 1
                          : m_layers + int(m_choice.layers.kind) - 1;
    m_layer->setCurrentIndex(std::min(place, m_layer->count() - 1));
    m_head->setCurrentIndex(std::min(m_choice.head, m_heads));
}

void PhonesPanel::setChoice(const PhoneChoice& choice) {
    m_choice = choice;
    if (m_layers > 0) {
        m_choice.layers.layer = std::clamp(choice.layers.layer, 1, m_layers);
        m_choice.head = choice.head > m_heads ? 0 : choice.head;
    }
    fillFields();
}

nlohmann::json PhonesPanel::look() const {
    return {{"colourMap", coloursText(kPhoneColourMaps.at(std::size_t(m_colours->currentIndex())))}, {"table", m_tableButton->isChecked()}};
}

void PhonesPanel::setLook(const nlohmann::json& look) {
    const auto colours = std::ranges::find(kPhoneColourMaps, coloursOf(stringIn(look, "colourMap"), kPhoneColourMaps.front()));
    m_colours->setCurrentIndex(int(colours - kPhoneColourMaps.begin()));
    m_tableButton->setChecked(truthIn(look, "table", false));
}

void PhonesPanel::choose() {
    const int row = m_layer->currentIndex();
    if (row < m_layers)
        m_choice.layers = {LayerRange::Kind::One, row + 1};
    else
        m_choice.layers.kind = LayerRange::Kind(row - m_layers + 1);
    m_choice.head = std::max(m_head->currentIndex(), 0);
    Q_EMIT choiceChanged(m_choice);
}

QString PhonesPanel::viewInFileName() const {
    const auto [first, last] = m_choice.layers.in(m_layers);
    const QString layers = first == last ? QStringLiteral("layer %1").arg(first) : QStringLiteral("layers %1 to %2").arg(first).arg(last);
    return m_choice.head > 0 ? QStringLiteral("%1, head %2").arg(layers).arg(m_choice.head) : layers;
}

void PhonesPanel::showMap(widgets::PhoneRelation map, const QString& title, const QString& caption) {
    m_title = title;
    m_caption = caption;
    const bool any = !map.par.empty();
    for (QToolButton* one : {m_tableButton, m_copyButton})
        setAvailable(one, any ? QString() : tr("There is no map of phones yet."));
    m_map->setMap(std::move(map));
    m_map->setAccessibleName(title);
    showPage();
}

/// The table has more than a thousand rows: it is filled where it is seen.
void PhonesPanel::showPage() {
    const bool table = m_tableButton->isChecked() && !m_map->map().par.empty();
    if (table)
        m_pairs->setTable(phonePairsTable(m_map->map(), m_title, m_caption));
    m_pages->setCurrentIndex(table ? 1 : 0);
}

void PhonesPanel::setEmptySentence(const QString& sentence) {
    m_map->setEmptySentence(sentence);
}

void PhonesPanel::setRemedy(QAction* action) {
    m_remedyAction = action;
    m_remedy->setVisible(action != nullptr);
    if (!action)
        return;
    m_remedy->setText(action->text());
    m_remedy->setToolTip(action->toolTip());
    m_remedy->setEnabled(action->isEnabled());
    copyReason(action, m_remedy);
}

void PhonesPanel::showPlaces(const QString& title, std::vector<Place> places) {
    m_shownPlaces = std::move(places);
    m_placesTitle->setText(title);
    StudyTable table;
    table.name = "places";
    table.title = title.toStdString();
    table.columns = {{"query", tr("Query").toStdString(), "s", 3, false},
                     {"key", tr("Key").toStdString(), "s", 3, false},
                     {"offset", tr("Offset").toStdString(), "ms", 0, false},
                     {"weight", tr("× uniform").toStdString(), "", 2, false}};
    for (const Place& place : m_shownPlaces)
        table.rows.push_back({place.query.value(), place.key.value(),
                              (place.key - place.query).value() * 1000, place.ofUniform});
    m_placesTable->setTable(std::move(table));
    m_placesTable->setCurrentRow(-1);
    m_placesPart->show();
}

void PhonesPanel::hidePlaces() {
    m_shownPlaces.clear();
    m_placesPart->hide();
}

} // namespace headroom::app
