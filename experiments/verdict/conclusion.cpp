#include "experiments/verdict/conclusion.hpp"

#include <algorithm>
#include <array>

namespace bloometry {

bool has_faults(std::span<const CheckedFile> files) {
  return std::any_of(files.begin(), files.end(),
                     [](const CheckedFile& file) { return is_fault(file.state); });
}

Conclusion conclude(const Verdict& verdict, std::span<const CheckedFile> files) {
  if (verdict.num_deviations > 0) return Conclusion::kRejected;
  if (has_faults(files)) return Conclusion::kAltered;
  if (verdict.num_missing_units > 0 || verdict.rows.empty()) return Conclusion::kIncomplete;
  return verdict.accepted() ? Conclusion::kAccepted : Conclusion::kNothingTested;
}

std::string_view name_of(Conclusion conclusion) {
  constexpr std::array<std::string_view, 5> kNames = {"accepted", "rejected", "altered",
                                                      "incomplete", "nothing tested"};
  return kNames.at(static_cast<std::size_t>(conclusion));
}

}  // namespace bloometry
