// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QSize>
#include <QString>
#include <QStringList>

class QWidget;

namespace headroom::testing {

/// Defects of layout found so far, each once, with where it was seen first. Window's thread.
class LayoutFindings {
public:
    /// Walks everything that can be seen of a window, in `setting` ("one utterance, PAR, 1280 × 720, dark").
    /// README.md says what counts as a defect.
    void look(QWidget* window, const QString& setting);
    /// The smallest size that the window takes must not exceed `most`.
    void lookAtMinimum(const QWidget* window, QSize most, const QString& setting);

    int looks() const { return m_looks; }
    qsizetype texts() const { return m_texts; }
    bool isEmpty() const { return m_found.isEmpty(); }
    /// One line each: "text cut: analyse/QTabBar “Statist” (one utterance, 1280 × 720)".
    QString report() const;

private:
    struct Look;
    void add(const Look& look, const char* defect, const QWidget* widget, const QString& detail);
    void lookAtPlace(const Look& look, QWidget* widget);
    void lookAtName(const Look& look, QWidget* widget);
    void lookAtTexts(const Look& look, QWidget* widget);

    QMap<QString, QString> m_found; ///< defect, widget and detail → setting
    int m_looks = 0;
    qsizetype m_texts = 0;
};

} // namespace headroom::testing
