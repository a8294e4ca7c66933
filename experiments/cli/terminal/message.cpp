#include "experiments/cli/terminal/message.hpp"

#include <fmt/core.h>
#include <iostream>

#include "experiments/text/printable.hpp"

namespace bloometry {

void print_message(std::string_view text) {
  std::cerr << fmt::format("bloometry: {}\n", printable(text, kMaxMessage));
}

}  // namespace bloometry
