// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/tab_parts.h"

#include "app/parts/flow_layout.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/row_filter.h"
#include "widgets/study_table/study_table_view.h"

#include <QLabel>
#include <QLineEdit>

namespace headroom::app {

using widgets::Sizes;

namespace {

/// The titles of the columns that are searched, as within a sentence.
QStringList searchedTitles(const StudyTable& table) {
    QStringList titles;
    for (const std::size_t column : widgets::RowFilter::searchedColumns(table)) {
        const QString title = QString::fromStdString(table.columns[column].title);
        titles << title.left(1).toLower() + title.mid(1);
    }
    return titles;
}

} // namespace

TabHead::TabHead(QWidget* parent, Spacing spacing) : QWidget(parent), m_layout(new FlowLayout(this)) {
    const int unit = qRound(Sizes::unit());
    m_layout->setContentsMargins(unit, unit, unit, unit / 2);
    m_layout->setSpacing(spacing == Spacing::Tight ? unit / 2 : unit);
    // Not Fixed: that is the height of one row, whatever the width asks for.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TabHead::add(QWidget* widget) {
    if (!widget)
        return;
    widget->setParent(this);
    m_layout->addWidget(widget);
    if (!widget->isHidden() || !widget->testAttribute(Qt::WA_WState_ExplicitShowHide)) // what hides itself stays hidden
        widget->show();
}

void TabHead::addStretch() {
    m_layout->addStretch();
}

QLineEdit* tableFilter(widgets::StudyTableView* table, QWidget* parent, const QString& placeholder) {
    auto* field = new QLineEdit(parent);
    const auto name = [field](const QString& text, const QString& tip) {
        field->setPlaceholderText(text);
        field->setAccessibleName(tip);
        field->setToolTip(tip);
    };
    const auto nameSearched = [table, name] {
        const QStringList titles = searchedTitles(table->study()->table());
        const QString all = QLineEdit::tr("Filter the rows"), by = QLineEdit::tr("Filter by %1");
        name(titles.isEmpty() ? all : by.arg(titles.front()), // a narrow panel has room for one of them
             titles.isEmpty() ? all : by.arg(titles.join(QStringLiteral(", "))));
    };
    if (placeholder.isEmpty()) {
        nameSearched();
        QObject::connect(table->study(), &QAbstractItemModel::modelReset, field, nameSearched);
    } else {
        name(placeholder, placeholder);
    }
    field->setClearButtonEnabled(true);
    field->setProperty("small", true);
    field->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition)->setText(QLineEdit::tr("Search"));
    QObject::connect(field, &QLineEdit::textChanged, table, &widgets::StudyTableView::setFilter);
    return field;
}

QLabel* emptyPage(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setProperty("secondary", true);
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setMargin(qRound(Sizes::unit() * 3));
    return label;
}

} // namespace headroom::app
