#pragma once

#include <array>
#include <string_view>

namespace bloometry {

/// Languages of the subjects in the folder templates.
inline constexpr std::array<std::string_view, 2> kSubjectLanguages = {"python", "cpp"};

/// Returns the source text of a complete subject. The program contains the texts of the folder
/// templates.
/// @param language one of kSubjectLanguages
[[nodiscard]] std::string_view subject_template(std::string_view language) noexcept;

}  // namespace bloometry
