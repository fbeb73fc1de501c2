// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_tables_dialog.h"

#include "app/parts/forms/few_lines.h"
#include "app/parts/name_views.h"
#include "app/parts/tab_parts.h"
#include "app/studies/study_layers.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;

StudyTablesDialog::StudyTablesDialog(OpenStudyPtr study, int model, QWidget* parent)
    : QDialog(parent)
    , m_study(std::move(study))
    , m_chooser(new NameCombo(this))
    , m_table(new widgets::StudyTableView(this))
    , m_caption(new QLabel(this))
    , m_captionArea(new FewLines(m_caption)) {
    setWindowTitle(tr("Tables of the study “%1”").arg(m_study->name()));
    const int unit = qRound(Sizes::unit());
    auto* head = new QHBoxLayout;
    head->setSpacing(unit);
    auto* label = new QLabel(tr("Table"), this);
    label->setBuddy(m_chooser);
    head->addWidget(label);
    head->addWidget(m_chooser, 1);
    head->addWidget(tableFilter(m_table, this));
    m_chooser->setAccessibleName(label->text());
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const StudyTable& table : m_study->document.tables)
        m_chooser->addItem(QString::fromStdString(table.title));
    m_chooser->setCurrentIndex(static_cast<int>(firstTable(*m_study, model)));
    m_table->setToolTip(tr("Ctrl+C copies the rows, Ctrl+Shift+C copies them as LaTeX."));
    m_caption->setWordWrap(true);
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setProperty("caption", true);
    m_captionArea->setAccessibleName(tr("Caption"));
    m_captionArea->viewport()->setAutoFillBackground(false); // a dialogue is no panel
    m_caption->setAutoFillBackground(false);
    auto* foot = new QHBoxLayout;
    auto* close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    foot->addStretch(1);
    foot->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * unit, 2 * unit, 2 * unit, 2 * unit);
    column->setSpacing(unit);
    column->addLayout(head);
    column->addWidget(m_table, 1);
    column->addWidget(m_captionArea);
    column->addLayout(foot);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_chooser, &QComboBox::currentIndexChanged, this, &StudyTablesDialog::showTable);
    resize(unit * 120, unit * 72);
    showTable(m_chooser->currentIndex());
}

void StudyTablesDialog::showTable(int at) {
    if (at < 0)
        return;
    const StudyTable& table = m_study->document.tables[static_cast<std::size_t>(at)];
    m_table->setAccessibleName(QString::fromStdString(table.title));
    m_table->setTable(table);
    m_captionArea->setText(QString::fromStdString(table.caption));
}

} // namespace headroom::app
