#include "experiments/keys/key_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "experiments/keys/key_bytes.hpp"
#include "experiments/keys/key_spool.hpp"
#include "experiments/keys/line_ends.hpp"
#include "experiments/keys/split_csv.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/text/shell_text.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

// A batch of this size stays in a core's cache while it is read, divided into keys and hashed.
constexpr std::size_t kBatchBytes = std::size_t{1} << 18U;
constexpr std::size_t kLongestEnd = 2;  // length of CR LF in bytes

[[noreturn]] void fail_to_read(const std::string& name) {
  throw IoError(fmt::format("cannot read {}: {}", name, std::strerror(errno)));
}

}  // namespace

KeyInput::KeyInput(const std::vector<fs::path>& files, KeyFormat format, KeyInputOptions options)
    : format_(std::move(format)), options_(std::move(options)) {
  ProblemCollector problems;
  for (const fs::path& file : files) {
    problems.collect([&] { sources_.push_back(source_of(file)); });
  }
  problems.throw_if_any();
  if (!options_.records.empty()) {
    sources_.push_back(source_of_records());
  } else if (files.empty()) {
    sources_.push_back(source_of("-"));
  }
}

KeyInput::Source KeyInput::source_of_records() const {
  Source source{.name = options_.record_option, .is_regular = true};
  for (const std::string& record : options_.records) source.text.append(record).push_back('\n');
  source.num_bytes = source.text.size();
  return source;
}

KeyInput::Source KeyInput::source_of(const fs::path& path) const {
  const bool is_standard_input = path == "-";
  Source source{.name = is_standard_input ? "standard input" : path.string()};
  source.is_standard_input = is_standard_input;

  struct stat status {};

  if (is_standard_input) {
    if (::fstat(STDIN_FILENO, &status) != 0) fail_to_read(source.name);
  } else {
    source.path = path;
    if (::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), R_OK) != 0) {
      const int reason = errno;
      const bool may_be_key = reason == ENOENT && !options_.record_option.empty();
      const std::string name = name_unless_secret(source.name);
      const std::string key = name == source.name ? shell_word(name) : "KEY";
      throw ConfigError(fmt::format(
          "cannot open key file {}: {}{}", name, std::strerror(reason),
          may_be_key ? fmt::format("; to give a key itself: {} {}", options_.record_option, key)
                     : ""));
    }
  }
  if (S_ISDIR(status.st_mode)) {
    throw ConfigError(fmt::format("key file {} must not be a folder", source.name));
  }
  source.is_regular = S_ISREG(status.st_mode);
  if (!source.is_regular) return source;
  if (is_standard_input) {
    source.start = std::max<std::int64_t>(0, ::lseek(STDIN_FILENO, 0, SEEK_CUR));
  }
  source.num_bytes =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, status.st_size - source.start));
  return source;
}

int KeyInput::open(Source& source) {
  if (source.file.get() >= 0) return source.file.get();
  if (source.path.empty()) return STDIN_FILENO;
  // Opening a FIFO blocks until another process opens the FIFO for writing.
  const int fd = ::open(source.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail_to_read(source.name);
  source.file = FileDescriptor::adopt(source.path, fd);
  return fd;
}

/// Returns the bytes of the source's records.
ByteStream KeyInput::bytes_of(Source& source) {
  if (!source.text.empty()) return ByteStream::of(source.text);
  const int fd = open(source);
  ByteStream raw(
      [this, &source, fd](char* to, std::size_t size) { return read_some(source, fd, to, size); });
  const auto note = [this,
                     is_new = !std::exchange(source.is_noted, true)](const std::string& text) {
    if (is_new && options_.on_note) options_.on_note(text);
  };
  return key_bytes({.bytes = std::move(raw), .name = source.name, .is_pipe = !source.is_regular},
                   format_, options_.encoding, note);
}

bool KeyInput::read(KeyBatch& batch) {
  for (; at_ < sources_.size(); ++at_) {
    Source& source = sources_[at_];
    if (read_from(source, batch)) return true;
    if (!source.path.empty()) source.file = {};
    bytes_.reset();
    is_at_start_ = true;
    is_at_end_ = false;
    next_record_ = 1;
  }
  return false;
}

/// Waits until input is available or has ended. Returns false if stop() was called.
bool KeyInput::wait_for_input(const Source& source, int fd) const {
  constexpr int kPatienceMs = 100;
  if (source.is_regular) return true;
  while (!is_stopped_) {
    pollfd wait{fd, POLLIN, 0};
    const int num_ready = ::poll(&wait, 1, kPatienceMs);
    if (num_ready > 0) return true;
    if (num_ready < 0 && errno != EINTR) fail_to_read(source.name);
  }
  return false;
}

std::size_t KeyInput::read_some(const Source& source, int fd, char* to, std::size_t size) {
  for (;;) {
    if (!wait_for_input(source, fd)) return 0;
    const ::ssize_t num_read = ::read(fd, to, size);
    if (num_read >= 0) {
      num_bytes_read_ += static_cast<std::uint64_t>(num_read);
      return static_cast<std::size_t>(num_read);
    }
    if (errno != EINTR) fail_to_read(source.name);
  }
}

std::size_t KeyInput::whole_records(std::string_view text, std::uint64_t& num_records) const {
  if (format_.is_binary()) return text.size() - text.size() % format_.integer_bytes();
  if (format_.kind == KeyFormat::Kind::kCsv) return whole_csv_rows(text, num_records);
  const std::size_t last = text.rfind('\n');
  if (last == std::string_view::npos) return 0;
  // Only the errors of encoded keys need the number of the line.
  if (format_.is_encoded()) num_records += count_line_ends(text.data(), text.data() + last + 1);
  return last + 1;
}

bool KeyInput::read_from(Source& source, KeyBatch& batch) {
  if (is_at_end_) return false;
  if (!bytes_) bytes_ = bytes_of(source);
  std::vector<char>& buffer = batch.buffer;
  if (buffer.size() < kBatchBytes + rest_.size()) buffer.resize(kBatchBytes + rest_.size());
  std::copy(rest_.begin(), rest_.end(), buffer.begin());
  std::size_t size = rest_.size();
  std::size_t whole = 0;
  std::uint64_t num_records = 0;
  while (whole == 0 && !is_at_end_) {
    if (size == buffer.size()) {
      if (size > kMaxRecordBytes + kLongestEnd) refuse_length(source, next_record_);
      buffer.resize(std::min(2 * size, kMaxRecordBytes + kLongestEnd + 1));
    }
    const std::size_t num_read = bytes_->read(buffer.data() + size, buffer.size() - size);
    is_at_end_ = num_read == 0;
    size += num_read;
    if (source.is_regular && !is_at_end_ && size < buffer.size()) continue;
    whole = is_at_end_ ? size : whole_records({buffer.data(), size}, num_records = 0);
  }
  if (is_at_end_ && is_at_start_ && size == 0) require_keys(source);
  if (is_at_end_ && format_.is_binary())
    require_whole_integers(source, size % format_.integer_bytes());
  rest_.assign(buffer.begin() + static_cast<std::ptrdiff_t>(whole),
               buffer.begin() + static_cast<std::ptrdiff_t>(size));
  if (is_at_end_ && whole == 0) return false;
  if (whole > kMaxRecordBytes && !format_.is_binary()) {
    require_short_records(source, {buffer.data(), whole});
  }
  batch.bytes = {buffer.data(), whole};
  batch.names = {};
  batch.file = &source.name;
  batch.first_record = next_record_;
  next_record_ += num_records;
  if (format_.kind == KeyFormat::Kind::kCsv) find_column(source, batch);
  is_at_start_ = false;
  return true;
}

/// Checks the lengths of the records without their ends. Only a batch with a long record has more
/// than kMaxRecordBytes bytes.
void KeyInput::require_short_records(const Source& source, std::string_view records) const {
  for (std::uint64_t number = next_record_; records.size() > kMaxRecordBytes; ++number) {
    const std::size_t size = format_.kind == KeyFormat::Kind::kCsv
                                 ? csv_row_size(records)
                                 : std::min(records.find('\n'), records.size() - 1) + 1;
    std::string_view record = records.substr(0, size);
    if (record.ends_with('\n')) record.remove_suffix(1);
    if (record.ends_with('\r')) record.remove_suffix(1);
    if (record.size() > kMaxRecordBytes) refuse_length(source, number);
    records.remove_prefix(size);
  }
}

/// @param number number of the row of a csv file or the line of encoded keys; other lines are not
/// counted
void KeyInput::refuse_length(const Source& source, std::uint64_t number) const {
  const bool is_csv = format_.kind == KeyFormat::Kind::kCsv;
  const std::string which = is_csv                 ? fmt::format("row {}", number)
                            : format_.is_encoded() ? fmt::format("line {}", number)
                                                   : std::string("a line");
  throw ConfigError(fmt::format("{}: {} must be at most 16 MiB long, got more{}", source.name,
                                which, is_csv ? "; a quote may be unclosed" : ""));
}

void KeyInput::require_keys(const Source& source) const {
  const bool may_be_empty =
      options_.may_be_empty == EmptySources::kAny ||
      (options_.may_be_empty == EmptySources::kStandardInput && source.is_standard_input);
  if (may_be_empty || is_stopped_) return;
  throw ConfigError(
      fmt::format("{} must contain at least one key, got {}; --allow-empty accepts it", source.name,
                  source.is_standard_input ? "an empty input" : "an empty file"));
}

void KeyInput::require_whole_integers(const Source& source, std::size_t num_left_over) const {
  if (num_left_over == 0) return;
  throw ConfigError(fmt::format(
      "{} must have a multiple of {} bytes, the size of an integer, got {} after the last integer",
      source.name, format_.integer_bytes(), plural(num_left_over, "byte")));
}

void KeyInput::find_column(const Source& source, KeyBatch& batch) {
  if (is_at_start_) {
    column_ = format_.column;
    if (!format_.column_name.empty()) {
      const auto columns = csv_columns_named(batch.bytes, format_.column_name);
      if (columns.size() > 1) {
        throw ConfigError(fmt::format(
            "{}: the first row must contain the column name '{}' once, got it in columns {} and {}",
            source.name, format_.column_name, columns[0], columns[1]));
      }
      if (columns.empty()) {
        throw ConfigError(fmt::format(
            "{}: the first row must contain the column name '{}', got '{}'", source.name,
            format_.column_name,
            printable(batch.bytes.substr(0, batch.bytes.find_first_of("\r\n")), kMaxShownPointer)));
      }
      column_ = columns.front();
      const std::size_t row_size = csv_row_size(batch.bytes);
      if (!has_given_names_) batch.names = batch.bytes.substr(0, row_size);
      has_given_names_ = true;
      batch.bytes.remove_prefix(row_size);
      batch.first_record = 2;
    }
  }
  batch.column = column_;
}

bool KeyInput::can_rewind() const noexcept {
  return std::all_of(sources_.begin(), sources_.end(),
                     [](const Source& source) { return source.is_regular; });
}

void KeyInput::rewind() {
  for (Source& source : sources_) {
    if (!source.path.empty() || !source.text.empty()) continue;
    if (::lseek(open(source), source.start, SEEK_SET) < 0) fail_to_read(source.name);
  }
  at_ = 0;
  bytes_.reset();
  has_given_names_ = false;
  is_at_start_ = true;
  is_at_end_ = false;
  rest_.clear();
  next_record_ = 1;
  num_bytes_read_ = 0;
}

void KeyInput::spool(const std::function<void(std::uint64_t)>& on_bytes) {
  std::uint64_t num_bytes = 0;
  for (Source& source : sources_) {
    if (source.is_regular) continue;
    const int fd = open(source);
    FileDescriptor copy = unnamed_file();
    std::vector<char> buffer(kBatchBytes);
    std::uint64_t size = 0;
    while (const std::size_t num_read = read_some(source, fd, buffer.data(), buffer.size())) {
      copy.write({buffer.data(), num_read});
      size += num_read;
      on_bytes(num_bytes + size);
    }
    num_bytes += size;
    source.file = std::move(copy);
    source.path.clear();
    source.is_regular = true;
    source.start = 0;
    source.num_bytes = size;
  }
  rewind();
}

std::optional<std::uint64_t> KeyInput::num_bytes() const noexcept {
  if (!can_rewind()) return std::nullopt;
  std::uint64_t sum = 0;
  for (const Source& source : sources_) sum += source.num_bytes;
  return sum;
}

std::string KeyInput::name() const {
  return sources_.size() == 1 ? sources_.front().name : plural(sources_.size(), "file");
}

}  // namespace bloometry
