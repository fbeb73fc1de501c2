// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::app {

/// A tab whose fields and text say what its plots are of. A figure of it has neither, and takes this line instead.
class Captioned {
public:
    virtual QString figureCaption() const = 0;
    /// What of the model or the study it shows now, "layer 3, head 2", for the name of a file; empty: all of it.
    virtual QString viewInFileName() const { return {}; }

protected:
    ~Captioned() = default;
};

} // namespace headroom::app
