// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/colour/colour_ramp.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace headroom {

namespace {

// Control points, evenly spaced, six hexadecimal digits each. magma and viridis (S. van der Walt and N.
// Smith, 2015, CC0) at every third of their 256 published colours: straight lines between them miss the
// others by at most 0.7 of 255. cividis (J. Nuñez, C. Anderton, R. Renslow, 2018) bends too sharply at its
// dark end for that; all 256 stand here.
// clang-format off
constexpr std::string_view kMagma =
    "00000401010802020d04041406051a0907200c0926100b2d130d34160f3b1a10421e11492211502712582c115f311165"
    "36106b3b0f70400f744510774a10794f127b54137d59157e5d177f621980671b806b1d81701f817521817922827e2482"
    "8326818827818c2981912b81962c809b2e7fa02f7fa5317eaa337dae347bb3367ab83779bd3977c23b75c73d73cc3f71"
    "d0416fd5446dd9466bde4968e24d66e55064e95462ec5860ef5d5ef2625df4675cf66c5cf7725cf9785dfa7d5efb835f"
    "fc8961fc8e64fd9467fd9a6afe9f6dfea571feaa74feb078feb67cfebb81fec185fec68afecc8ffed194fed799fddc9e"
    "fde2a3fde7a9fcecaefcf2b4fcf7b9fcfdbf";
constexpr std::string_view kViridis =
    "440154450559460a5d470e61471365481769481b6d481f70482374482677472a7a472e7c46327e453581443983433d84"
    "4240864144873f47883e4a893d4e8a3b518b3a548c38588c375b8d355e8d34618d32648e31678e306a8e2e6d8e2d708e"
    "2c728e2b758e2a788e297b8e277e8e26818e25838e24868e23898e228c8d218f8d20928c1f948c1f978b1f9a8a1e9d89"
    "1fa0881fa28721a58522a88425ab8227ad812ab07f2eb37c32b67a37b8783bbb7540bd7246c06f4cc26c52c56958c765"
    "5ec96265cb5e6ccd5a73d0567ad15181d34d89d54890d74398d83ea0da39a8db34b0dd2fb8de29c0df25c8e020d0e11c"
    "d8e219dfe318e7e419efe51cf6e620fde725";
constexpr std::string_view kCividis =
    "00224e00234f00245100255300255400265600275800285900285b00295d002a5f002a61002b62002c64002c66002d68"
    "002e6a002e6c002f6d00306f0030700031700031710132710533710833700c34700f357012357014367016377018376f"
    "1a386f1c396f1e3a6f203a6f213b6e233c6e243c6e263d6e273e6e293f6e2a3f6d2b406d2d416d2e416d2f426d31436d"
    "32436d33446d34456c35456c36466c38476c39486c3a486c3b496c3c4a6c3d4a6c3e4b6c3f4c6c404c6c414d6c424e6c"
    "434e6c444f6c45506c46516c47516c48526c49536c4a536c4b546c4c556c4d556c4e566c4f576c50576c51586d52596d"
    "535a6d545a6d555b6d555c6d565c6d575d6d585e6d595e6e5a5f6e5b606e5c616e5d616e5e626e5e636f5f636f60646f"
    "61656f62656f636670646770656870656870666970676a71686a71696b716a6c716b6d726c6d726c6e726d6f726e6f73"
    "6f70737071737172747272747273747374757474757575757676767777767777777878777979777a7a787b7a787c7b78"
    "7d7c787e7c787e7d787f7e78807f78817f788280798381798482798582798683798784788885788985788a86788b8778"
    "8c88788d88788e89788f8a78908b78918b78928c78928d78938e78948e77958f779690779791779892779992779a9376"
    "9b94769c95769d95769e96769f9775a09875a19975a29975a39a74a49b74a59c74a69c74a79d73a89e73a99f73aaa073"
    "aba072aca172ada272aea371afa471b0a571b1a570b3a670b4a76fb5a86fb6a96fb7a96eb8aa6eb9ab6dbaac6dbbad6d"
    "bcae6cbdae6cbeaf6bbfb06bc0b16ac1b26ac2b369c3b369c4b468c5b568c6b667c7b767c8b866c9b965cbb965ccba64"
    "cdbb63cebc63cfbd62d0be62d1bf61d2c060d3c05fd4c15fd5c25ed6c35dd7c45cd9c55cdac65bdbc75adcc859ddc858"
    "dec958dfca57e0cb56e1cc55e2cd54e4ce53e5cf52e6d051e7d150e8d24fe9d34eead34cebd44bedd54aeed649efd748"
    "f0d846f1d945f2da44f3db42f5dc41f6dd3ff7de3ef8df3cf9e03afbe138fce236fde334fee434fee535fee636fee838";
// clang-format on
constexpr std::string_view kGreyLight = "ffffff14171b"; // dark = loud, as in Praat
constexpr std::string_view kGreyDark = "15181bf4f6f8";  // bright = loud
constexpr std::string_view kDifferenceLight = "1f4e797fa9c9f2f2f2d9a2738a4a12";
constexpr std::string_view kDifferenceDark = "1f4e797fa9c92a2e34d9a2738a4a12";

std::string_view hexadecimalOf(ColourScheme scheme) {
    switch (scheme) {
    case ColourScheme::Magma:
        return kMagma;
    case ColourScheme::Viridis:
        return kViridis;
    case ColourScheme::Cividis:
        return kCividis;
    case ColourScheme::GreyLight:
        return kGreyLight;
    case ColourScheme::GreyDark:
        return kGreyDark;
    case ColourScheme::DifferenceLight:
        return kDifferenceLight;
    case ColourScheme::DifferenceDark:
        return kDifferenceDark;
    }
    return kMagma;
}

std::vector<Colour> colourPoints(ColourScheme scheme) {
    const std::string_view text = hexadecimalOf(scheme);
    std::vector<Colour> points;
    for (std::size_t at = 0; at + 6 <= text.size(); at += 6) {
        std::uint32_t value = 0;
        std::from_chars(text.data() + at, text.data() + at + 6, value, 16);
        points.push_back(rgb(value));
    }
    return points;
}

} // namespace

ColourRamp::ColourRamp(ColourScheme scheme) : m_points(colourPoints(scheme)) {}

Colour ColourRamp::at(double value) const {
    const auto last = static_cast<double>(m_points.size() - 1);
    const double position = value > 0 ? std::min(value, 1.0) * last : 0; // NaN: 0
    const auto left = std::min(static_cast<std::size_t>(position), m_points.size() - 2);
    const double share = position - static_cast<double>(left);
    const Colour &a = m_points[left], &b = m_points[left + 1];
    const auto part = [&](int x, int y) {
        return static_cast<std::uint8_t>(std::lround(x + (y - x) * share));
    };
    return {part(a.red, b.red), part(a.green, b.green), part(a.blue, b.blue), 1};
}

} // namespace headroom
