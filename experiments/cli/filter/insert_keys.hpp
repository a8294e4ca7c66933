#pragma once

#include <cstdint>

#include "experiments/cli/command_line/key_options.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/filter_files/file_filter.hpp"
#include "experiments/keys/key_input.hpp"

/// The code that the commands share which read keys and change a filter.
namespace bloometry {

/// Shows the progress of reading the input.
class Reading {
 public:
  Reading(const KeyInput& input, bool is_quiet);

  void show(const char* what);

 private:
  const KeyInput& input_;
  bool is_quiet_;
  InputLine line_;
};

struct InsertTally {
  std::uint64_t num_inserted = 0;
  std::uint64_t num_new = 0;  ///< number of keys that the filter did not contain before
};

/// Inserts all keys of the input.
/// @param is_new whether the filter is not a file yet, for the error message of a full filter
/// @throws the errors of KeyInput::read() and FileFilter::insert(), with an IoError for a limited
/// filter that has no room for a key. The filter must then not be written.
InsertTally insert_all(KeyInput& input, const KeyOptions& options, FileFilter& filter, bool is_new);

/// Throws ConfigError if the input did not contain a key, such as a CSV file with only a header.
void require_keys(const KeyOptions& options, const KeyInput& input, std::uint64_t num_keys);

/// Returns the number of threads that divide the input into keys, besides the thread that changes
/// the filter.
[[nodiscard]] unsigned num_splitting_workers(unsigned num_threads) noexcept;

}  // namespace bloometry
