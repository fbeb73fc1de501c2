// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTextBrowser>

#include <vector>

namespace headroom::widgets {

/// One decoded example of a validation.
struct DecodedSample {
    QString id, reference, hypothesis;
};

/// Aligns the words of two sentences with the fewest edits. `same[i]`: word i of the hypothesis is also in
/// the reference.
std::vector<bool> wordsThatMatch(const QStringList& reference, const QStringList& hypothesis);

/// Reference and hypothesis of each example, one below the other, with differing words marked by colour and
/// line. Window's thread only.
class SamplesView : public QTextBrowser {
    Q_OBJECT

public:
    explicit SamplesView(QWidget* parent = nullptr);
    /// `head`: "After update 400"; without samples the sentence below is shown.
    void setSamples(const QString& head, std::vector<DecodedSample> samples);
    /// Why there are no samples; empty: none came yet.
    void setEmptySentence(const QString& sentence);

protected:
    void changeEvent(QEvent* event) override;

private:
    void show();

    QString m_head, m_emptySentence;
    std::vector<DecodedSample> m_samples;
};

} // namespace headroom::widgets
