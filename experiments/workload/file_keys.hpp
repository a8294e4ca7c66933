#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "experiments/workload/line_file.hpp"

namespace bloometry {

/// Key source "file". The keys are the lines of a file in the order of a trial's split. Key i is
/// the i-th line in the order of the split.
class FileKeys {
 public:
  FileKeys(std::shared_ptr<const LineFile> file,
           std::shared_ptr<const std::vector<std::uint32_t>> order)
      : file_(std::move(file)), order_(std::move(order)) {}

  [[nodiscard]] KeyView key(std::uint64_t index) const noexcept {
    return file_->lines()[(*order_)[index]];
  }

 private:
  std::shared_ptr<const LineFile> file_;
  std::shared_ptr<const std::vector<std::uint32_t>> order_;
};

}  // namespace bloometry
