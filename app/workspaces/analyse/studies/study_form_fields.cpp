// SPDX-License-Identifier: GPL-3.0-or-later
// How the study form is laid out, and what its fields ask for.
#include "app/settings/app_settings.h"
#include "app/studies/study_settings.h"
#include "app/workspaces/analyse/studies/study_form_private.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QScrollArea>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;

namespace {

constexpr int kMostUtterances = 1000000;

/// Two fields and what the second is, on one line.
QWidget* twoFields(QWidget* first, const QString& between, QWidget* second, QWidget* parent) {
    auto* box = new QWidget(parent);
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
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* content = new QWidget(scroll);
    content->setProperty("panel", true);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    layout->setSpacing(unit / 2);
    const auto combo = [&](const char* name) {
        auto* box = new QComboBox(content);
        box->setObjectName(QLatin1String(name));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        return box;
    };
    const auto add = [&](FormRow*& place, const QString& label, QWidget* field) {
        place = new FormRow(label, field, content);
        layout->addWidget(place);
    };
    m->kind = combo("studyKind");
    for (const StudyKind kind : studyKinds())
        m->kind->addItem(kindTitle(kind));
    m->models = new QLabel(content);
    m->models->setFixedHeight(Sizes::control());
    m->data = combo("studyData");
    m->split = combo("studySplit");
    m->utterances = new QSpinBox(content);
    m->utterances->setObjectName(QStringLiteral("studyUtterances"));
    m->utterances->setLocale(QLocale::c());
    m->utterances->setRange(1, kMostUtterances);
    m->utterances->setValue(400);
    m->utterances->setToolTip(tr("Maximum number of utterances, sampled without replacement; all if there "
                                 "are fewer."));
    m->seed = new QSpinBox(content);
    m->seed->setLocale(QLocale::c());
    m->seed->setRange(1, kMostUtterances);
    m->seed->setToolTip(tr("Seed of the sample and all random numbers. The same seed gives the same "
                           "results."));
    m_rows = new StudySettingsRows(content);
    m->figures = new QCheckBox(tr("Figures and tables for a paper"), content);
    m->figures->setToolTip(
        tr("Write SVG, PDF and PNG figures beside the tables, like headroom-worker study --figures."));
    m->name = new QLineEdit(content);
    m->name->setObjectName(QStringLiteral("studyName"));
    m->command = new QPlainTextEdit(content);
    m->command->setObjectName(QStringLiteral("studyCommand"));
    m->command->setReadOnly(true);
    m->command->setTabChangesFocus(true);
    m->command->setFont(Sizes::mono());
    m->command->setWordWrapMode(QTextOption::WrapAnywhere);
    m->command->setFixedHeight(QFontMetrics(Sizes::mono()).lineSpacing() * 4 + 2 * unit);
    m->command->setToolTip(tr("The equivalent command line."));
    add(m->kindRow, tr("Study"), m->kind);
    add(m->modelsRow, tr("Models"), m->models);
    add(m->dataRow, tr("Data"), m->data);
    add(m->splitRow, tr("Split"), m->split);
    add(m->countRow, tr("Utterances"), twoFields(m->utterances, tr("Seed"), m->seed, content));
    m->utterances->setAccessibleName(tr("Utterances"));
    layout->addWidget(m_rows);
    add(m->figuresRow, {}, m->figures);
    m->figures->setAccessibleName(m->figures->text());
    add(m->nameRow, tr("Name"), m->name);
    FormRow* commandRow = nullptr;
    add(commandRow, tr("Command"), m->command);
    layout->addStretch(1);
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    outer->addWidget(makeFoot());
}

QWidget* StudyForm::makeFoot() {
    const int unit = qRound(Sizes::unit());
    auto* foot = new QWidget(this);
    foot->setProperty("panel", true);
    auto* layout = new QVBoxLayout(foot);
    layout->setContentsMargins(unit * 3 / 2, unit / 2, unit * 3 / 2, unit);
    layout->setSpacing(unit / 2);
    m->reason = new QLabel(foot);
    m->reason->setObjectName(QStringLiteral("studyReason"));
    m->reason->setProperty("caption", true);
    m->reason->setWordWrap(true);
    layout->addWidget(m->reason);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(unit);
    m->run = new QPushButton(widgets::iconOnAccent(QStringLiteral("play")), tr("Run the study"), foot);
    m->run->setObjectName(QStringLiteral("runStudy"));
    m->run->setProperty("primary", true);
    m->copy = new QPushButton(widgets::icon(QStringLiteral("terminal")), tr("Copy command"), foot);
    m->copy->setToolTip(tr("Copy the equivalent command line."));
    m->close = new QPushButton(tr("Close"), foot);
    m->close->setToolTip(tr("Return to the list of studies. Esc"));
    buttons->addWidget(m->run, 1);
    buttons->addWidget(m->copy);
    buttons->addWidget(m->close);
    layout->addLayout(buttons);
    return foot;
}

void StudyForm::connectFields() {
    connect(m->kind, &QComboBox::currentIndexChanged, this, &StudyForm::showKind);
    connect(m->data, &QComboBox::activated, this, &StudyForm::chooseData);
    connect(m->split, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling)
            revalidateSoon();
    });
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
            m_parts.settings->addRecentCorpus(m->data->toolTip());
        m_nameIsOwn = false;
        Q_EMIT runRequested(request);
    });
    connect(m->copy, &QPushButton::clicked, this, [this] {
        revalidate();
        if (m_request)
            QGuiApplication::clipboard()->setText(commandLine(*m_request));
    });
    connect(m->close, &QPushButton::clicked, this, &StudyForm::closed);
}

} // namespace headroom::app
