#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fmt/core.h>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/quantity.hpp"

namespace bloometry {

/// The number type of an option's target, which is a number or an optional number.
template <class Target>
struct NumberOf {
  using type = Target;
};

template <class Number>
struct NumberOf<std::optional<Number>> {
  using type = Number;
};

/// A command and its options. Only main.cpp and the headers of its commands include this file,
/// because CLI11 needs seconds to compile. The class parses values in our own number formats (1e6,
/// 1.5M, 64MiB). After an invalid value, the class records a problem and continues, so that all
/// mistakes are reported at once.
class Command {
 public:
  Command(CLI::App* app, ProblemCollector& problems) : app_(app), problems_(&problems) {}

  /// Records the values that shell completion offers for an option, and returns the option.
  /// @param names a range of strings
  template <class Names>
  CLI::Option* offer(CLI::Option* option, const Names& names) const {
    std::vector<std::string>& values = (*values_)[option];
    values.clear();
    for (const auto& name : names) values.emplace_back(name);
    return option;
  }

  CLI::Option* offer(CLI::Option* option, std::initializer_list<const char*> names) const {
    return offer(option, std::vector<std::string>(names.begin(), names.end()));
  }

  /// Returns the values that shell completion offers for an option of this program.
  [[nodiscard]] std::vector<std::string> offered_values(const CLI::Option* option) const {
    const auto found = values_->find(option);
    return found == values_->end() ? std::vector<std::string>{} : found->second;
  }

  [[nodiscard]] CLI::App* operator->() const noexcept { return app_; }

  [[nodiscard]] CLI::App* app() const noexcept { return app_; }

  [[nodiscard]] Command subcommand(const std::string& name, const std::string& help) const {
    return part(app_->add_subcommand(name, help));
  }

  [[nodiscard]] Command group(const std::string& title) const {
    return part(app_->add_option_group(title));
  }

  /// Adds an option with a value. The function `read` parses the value and throws ConfigError for
  /// an invalid value.
  CLI::Option* value(const std::string& names, const std::string& type_name,
                     const std::string& help, std::function<void(const std::string&)> read) const {
    return app_
        ->add_option_function<std::string>(
            names,
            [read = std::move(read), problems = problems_](const std::string& text) {
              problems->collect([&] { read(text); });
            },
            help)
        ->type_name(type_name);
  }

  /// Adds an option for a count. The target is a std::uint64_t or a std::optional<std::uint64_t>.
  template <class Target>
  CLI::Option* count(const std::string& names, Target& target, const std::string& help) const {
    return value(names, "N", help,
                 [names, &target](const std::string& text) { target = parse_count(names, text); });
  }

  /// Adds an option for a whole number in [min, max]. The error message contains the unit, for
  /// example "milliseconds".
  template <class Target>
  CLI::Option* count_within(const std::string& name, Target& target, std::uint64_t min,
                            std::uint64_t max, const std::string& help,
                            const std::string& unit = "") const {
    const std::string allowed =
        fmt::format("a whole number{} in [{}, {}]", unit.empty() ? "" : " of " + unit, min, max);
    return value(name, "N", help, [=, &target](const std::string& text) {
      const std::uint64_t number = parse_whole(name, allowed, text);
      if (number < min || number > max) {
        throw ConfigError(fmt::format("{} must be {}, got '{}'", name, allowed, text));
      }
      target = static_cast<typename NumberOf<Target>::type>(number);
    });
  }

  /// Adds an option for a seed, which has 64 bits.
  template <class Target>
  CLI::Option* seed(Target& target, const std::string& help) const {
    return count_within("--seed", target, 0, std::numeric_limits<std::uint64_t>::max(), help);
  }

  /// Adds an option for a real number. The string `allowed` describes the allowed values in the
  /// error message.
  template <class Target>
  CLI::Option* real(const std::string& name, Target& target, const std::string& allowed,
                    const std::string& help) const {
    return value(name, "X", help, [name, allowed, &target](const std::string& text) {
      target = parse_real(name, allowed, text);
    });
  }

  /// Adds an option for a real number in [min, max].
  CLI::Option* real_within(const std::string& name, double& target, double min, double max,
                           const std::string& help) const {
    const std::string allowed =
        fmt::format("a number in [{}, {}]", number_text(min), number_text(max));
    return value(name, "X", help, [=, &target](const std::string& text) {
      target = parse_real(name, allowed, text);
      if (!(target >= min && target <= max)) {
        throw ConfigError(fmt::format("{} must be {}, got '{}'", name, allowed, text));
      }
    });
  }

  /// Adds an option for a comma-separated list. The option has a single argument, so that the next
  /// word of the command line is not an item of the list.
  CLI::Option* list(const std::string& names, const std::string& help,
                    std::function<void(const std::vector<std::string>&)> store) const {
    return list_split_by([](const std::string& word) { return split_list(word); }, names, help,
                         std::move(store));
  }

  /// Adds an option for a comma-separated list of numbers of at least `min`.
  CLI::Option* numbers(const std::string& name, std::uint64_t min, const std::string& help,
                       std::function<void(const std::vector<std::string>&)> store) const {
    return list_split_by(
        [name, min](const std::string& word) { return split_numbers(name, word, min); }, name, help,
        std::move(store));
  }

  CLI::Option* names(const std::string& name, std::vector<std::string>& target,
                     const std::string& help) const {
    return list(name, help, [&target](const std::vector<std::string>& items) { target = items; });
  }

 private:
  using Split = std::function<std::vector<std::string>(const std::string&)>;

  /// Adds an option for a list. The function `split` returns the items of one argument.
  CLI::Option* list_split_by(Split split, const std::string& names, const std::string& help,
                             std::function<void(const std::vector<std::string>&)> store) const {
    const auto read = [split = std::move(split), store = std::move(store),
                       problems = problems_](const std::vector<std::string>& words) {
      problems->collect([&] {
        std::vector<std::string> items;
        for (const std::string& word : words) {
          for (std::string& item : split(word)) items.push_back(std::move(item));
        }
        store(items);
      });
    };
    return app_->add_option_function<std::vector<std::string>>(names, read, help)
        ->allow_extra_args(false)
        ->type_name("LIST");
  }

  using OfferedValues = std::map<const CLI::Option*, std::vector<std::string>>;

  /// Returns a command that shares the problems and the offered values.
  [[nodiscard]] Command part(CLI::App* app) const {
    Command command(app, *problems_);
    command.values_ = values_;
    return command;
  }

  CLI::App* app_;
  ProblemCollector* problems_;
  std::shared_ptr<OfferedValues> values_ = std::make_shared<OfferedValues>();
};

}  // namespace bloometry
