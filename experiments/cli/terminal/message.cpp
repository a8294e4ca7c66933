#include "experiments/cli/terminal/message.hpp"

#include <iostream>

#include "experiments/text/printable.hpp"

namespace bloometry {

void print_message(std::string_view text) {
  std::cerr << "bloometry: " + printable(text, kMaxMessage) + "\n";
}

}  // namespace bloometry
