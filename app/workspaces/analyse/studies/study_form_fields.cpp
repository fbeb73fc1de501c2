// SPDX-License-Identifier: GPL-3.0-or-later
// How the study form is laid out, and what its fields ask for.
#include "app/documents/items/paths.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_settings.h"
#include "app/workspaces/analyse/studies/study_form_private.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;

namespace {

constexpr int kMostUtterances = 1000000;

/// Two fields and what the second is, on one line. The box is made before the fields: behind them, its focus proxy
/// would lead Tab back to the first.
QWidget* twoFields(QWidget* box, QWidget* first, const QString& between, QWidget* second) {
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(qRound(Sizes::unit()));
    auto* label = new QLabel(between, box);
    label->setBuddy(second);
    second->setAccessibleName(between);
    row->addWidget(first, 1);
    row->addWidget(label);
    row->addWidget(second, 1);
    box->setFocusProxy(first);
    return box;
}

} // namespace

void StudyForm::makeFields() {
    const auto combo = [this](const char* name) {
        QComboBox* box = newCombo();
        box->setObjectName(QLatin1String(name));
        return box;
    };
    m->kind = combo("studyKind");
    for (const StudyKind kind : kStudyKinds)
        m->kind->addItem(kindTitle(kind));
    m->models = new QLabel(column());
    m->models->setFixedHeight(Sizes::control());
    m->models->setMinimumWidth(1); // long names are elided, the form keeps the panel's width
    m->data = combo("studyData");
    m->split = combo("studySplit");
    auto* count = new QWidget(column());
    m->utterances = new QSpinBox(count);
    m->utterances->setObjectName(QStringLiteral("studyUtterances"));
    m->utterances->setLocale(QLocale::c());
    m->utterances->setRange(1, kMostUtterances);
    m->utterances->setValue(400);
    m->utterances->setToolTip(tr("Maximum number of utterances, sampled without replacement; all if there "
                                 "are fewer."));
    m->seed = new QSpinBox(count);
    m->seed->setLocale(QLocale::c());
    m->seed->setRange(1, kMostUtterances);
    m->seed->setToolTip(tr("Seed of the sample and all random numbers. The same seed gives the same "
                           "results."));
    m_rows = new StudySettingsRows(column());
    m->figures = new QCheckBox(tr("Figures and tables for a paper"), column());
    m->figures->setToolTip(
        tr("Write SVG, PDF and PNG figures beside the tables, like headroom-worker study --figures."));
    m->place = new WhereField(m_parts.places, m_parts.devices, column());
    m->place->setObjectName(QStringLiteral("studyPlace"));
    m->name = new QLineEdit(column());
    m->name->setObjectName(QStringLiteral("studyName"));
    m->command = new widgets::TextField(column());
    m->command->setObjectName(QStringLiteral("studyCommand"));
    m->command->setReadOnly(true);
    m->command->setTabChangesFocus(true);
    m->command->setWordWrapMode(QTextOption::WrapAnywhere);
    widgets::withTextSize(m->command, [field = m->command] {
        field->setFont(Sizes::mono());
        field->setFixedHeight(QFontMetrics(Sizes::mono()).lineSpacing() * 4 + 2 * qRound(Sizes::unit()));
    });
    m->command->setToolTip(tr("The equivalent command line."));
    addRow(QStringLiteral("kind"), tr("Study"), m->kind);
    addRow(QStringLiteral("models"), tr("Models"), m->models);
    m->dataRow = addRow(QStringLiteral("data"), tr("Data"), m->data);
    m->splitRow = addRow(QStringLiteral("split"), tr("Split"), m->split);
    m->countRow = addRow(QStringLiteral("count"), tr("Utterances"), twoFields(count, m->utterances, tr("Seed"), m->seed));
    m->utterances->setAccessibleName(tr("Utterances"));
    rows()->addWidget(m_rows);
    addRow(QStringLiteral("figures"), {}, m->figures);
    m->figures->setAccessibleName(m->figures->text());
    m->placeRow = addRow(QStringLiteral("place"), tr("Where"), m->place);
    m->placeRow->setVisible(m->place->hasChoice());
    addRow(QStringLiteral("name"), tr("Name"), m->name);
    addRow(QStringLiteral("command"), tr("Command"), m->command);
    makeFoot();
}

void StudyForm::makeFoot() {
    m->run = new QPushButton(widgets::iconOnAccent(QStringLiteral("play")), tr("Run the study"), this);
    m->run->setObjectName(QStringLiteral("runStudy"));
    m->run->setProperty("primary", true);
    m->run->setToolTip(tr("Start the study in the background."));
    m->copy = new QPushButton(widgets::icon(QStringLiteral("terminal")), tr("Copy command"), this);
    m->copy->setToolTip(tr("Copy the equivalent command line."));
    m->close = new QPushButton(tr("Close"), this);
    m->close->setToolTip(tr("Return to the list of studies. Esc"));
    addFoot({m->run, m->copy, m->close});
}

void StudyForm::connectFields() {
    connect(m->kind, &QComboBox::currentIndexChanged, this, &StudyForm::showKind);
    connect(m->data, &QComboBox::activated, this, &StudyForm::chooseData);
    connect(m->split, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling)
            revalidateSoon();
    });
    connect(m->place, &QComboBox::currentIndexChanged, this, &StudyForm::revalidateSoon);
    connect(m->place, &WhereField::choicesChanged, this, [this] { m->placeRow->setVisible(m->place->hasChoice()); });
    for (QSpinBox* spin : {m->utterances, m->seed})
        connect(spin, &QSpinBox::valueChanged, this, &StudyForm::revalidateSoon);
    connect(m->figures, &QCheckBox::toggled, this, &StudyForm::revalidateSoon);
    connect(m_rows, &StudySettingsRows::changed, this, &StudyForm::revalidateSoon);
    connect(m->name, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_nameIsOwn = !text.isEmpty();
        revalidateSoon();
    });
    connect(m->run, &QPushButton::clicked, this, [this] {
        revalidate();
        if (!m_request)
            return;
        const StudyRequest request = *m_request;
        if (!m_data.empty())
            m_parts.settings->addRecentCorpus(toQString(m_data));
        m_nameIsOwn = false;
        Q_EMIT runRequested(request);
    });
    connect(m->copy, &QPushButton::clicked, this, [this] {
        revalidate();
        if (!m_request)
            return;
        try {
            writePhoneMap(*m_request); // the line names its file
        } catch (const Error& error) {
            return m_rows->showMistakes({{QStringLiteral("phoneMap"), QString::fromUtf8(error.what())}});
        }
        QGuiApplication::clipboard()->setText(commandLine(*m_request));
    });
    connect(m->close, &QPushButton::clicked, this, &StudyForm::closed);
}

} // namespace headroom::app
