#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/file/file_calls.hpp"

namespace bloometry::test {

inline const std::string kOld = "the old file";

/// Exception that the simulated disk throws at a power failure.
struct Crash {};

/// A simulated disk in memory. Bytes of a file are durable once the file has a name and is synced.
/// Names are durable once their folder is synced. At a power failure, data that was not synced may
/// be stored completely, partly, or not at all.
class Disk final : public FileCalls {
 public:
  /// @param has_unnamed whether the disk supports files without a name
  Disk(std::uint64_t seed, bool has_unnamed) : random_(seed), has_unnamed_(has_unnamed) {
    files_.push_back({.written = kOld, .num_durable = kOld.size()});
    names_["new.bloom"] = 0;
    durable_names_ = names_;
  }

  /// Arranges a power failure at file call number `call`, or a failure of this call with `error`.
  void at_call(std::uint64_t call, std::optional<int> error) {
    call_ = call;
    error_ = error;
  }

  [[nodiscard]] std::uint64_t num_calls() const { return num_calls_; }

  /// Returns the content of the named file, as a running process reads it.
  [[nodiscard]] std::string content(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? "" : files_[found->second].written;
  }

  /// Returns the content of the named file after the power failure.
  [[nodiscard]] std::string durable_content(const std::string& name) {
    // A random number of the first name changes that were not synced are on the disk.
    std::map<std::string, std::size_t> names = durable_names_;
    for (std::size_t i = random_() % (pending_.size() + 1), j = 0; j < i; ++j) pending_[j](names);
    const auto found = names.find(name);
    if (found == names.end()) return "";
    const File& file = files_[found->second];
    const std::size_t unsynced = file.written.size() - file.num_durable;
    return file.written.substr(0, file.num_durable + random_() % (unsynced + 1));
  }

  [[nodiscard]] std::size_t num_names() const { return names_.size(); }

  [[nodiscard]] bool is_renamed() const { return is_renamed_; }

  int open_folder(const std::filesystem::path& /*path*/) override { return fails() ? -1 : kFolder; }

  void remove_abandoned(int /*folder*/) override {}

  int open_unnamed(int /*folder*/) override {
    if (fails()) return -1;
    if (!has_unnamed_) {
      errno = EOPNOTSUPP;
      return -1;
    }
    return new_file();
  }

  int create(int /*folder*/, const char* name) override {
    if (fails()) return -1;
    if (names_.contains(name)) {
      errno = EEXIST;
      return -1;
    }
    change([name = std::string(name), file = files_.size()](auto& names) { names[name] = file; });
    return new_file();
  }

  int draw(std::uint64_t& bits) override {
    bits = random_();
    return fails() ? -1 : 0;
  }

  int lock(int /*fd*/) override { return fails() ? -1 : 0; }

  int find(int /*folder*/, const char* name) override {
    if (fails()) return -1;
    if (names_.contains(name)) return 0;
    errno = ENOENT;
    return -1;
  }

  int copy_permissions(int /*fd*/, int /*folder*/, const char* /*like*/) override {
    return fails() ? -1 : 0;
  }

  int duplicate(int fd) override { return fails() ? -1 : fd; }

  int link(int fd, int /*folder*/, const char* name) override {
    if (fails()) return -1;
    if (names_.contains(name)) {
      errno = EEXIST;
      return -1;
    }
    change([name = std::string(name), fd](auto& names) {
      names[name] = static_cast<std::size_t>(fd);
    });
    return 0;
  }

  std::ptrdiff_t write(int fd, const void* bytes, std::size_t size) override {
    // A write may store only a part of the bytes, and the disk may become full during a write.
    const std::size_t taken = size == 0 ? 0 : 1 + random_() % size;
    const bool is_cut = num_calls_ == call_;
    if (is_cut && !error_) {
      files_[static_cast<std::size_t>(fd)].written.append(static_cast<const char*>(bytes),
                                                          random_() % (taken + 1));
    }
    if (fails()) return -1;
    files_[static_cast<std::size_t>(fd)].written.append(static_cast<const char*>(bytes), taken);
    return static_cast<std::ptrdiff_t>(taken);
  }

  int fsync(int fd) override {
    if (fails()) return -1;
    if (fd == kFolder) {
      durable_names_ = names_;
      pending_.clear();
    } else if (has_name(fd)) {  // btrfs does not store the size of a file without a name
      File& file = files_[static_cast<std::size_t>(fd)];
      file.num_durable = file.written.size();
    }
    return 0;
  }

  int close(int /*fd*/) override { return is_off_ || !fails() ? 0 : -1; }

  int rename(int /*folder*/, const char* from, const char* to) override {
    if (fails()) return -1;
    is_renamed_ = true;
    change([from = std::string(from), to = std::string(to)](auto& names) {
      names[to] = names.at(from);
      names.erase(from);
    });
    return 0;
  }

  int unlink(int /*folder*/, const char* name) override {
    if (is_off_) return -1;
    change([name = std::string(name)](auto& names) { names.erase(name); });
    return 0;
  }

 private:
  static constexpr int kFolder = 1'000'000;

  struct File {
    std::string written{};
    std::size_t num_durable = 0;
  };

  using Names = std::map<std::string, std::size_t>;

  [[nodiscard]] bool has_name(int fd) const {
    return std::any_of(names_.begin(), names_.end(), [fd](const auto& name) {
      return name.second == static_cast<std::size_t>(fd);
    });
  }

  int new_file() {
    files_.push_back({});
    return static_cast<int>(files_.size() - 1);
  }

  bool fails() {
    if (is_off_) throw Crash{};
    if (num_calls_++ != call_) return false;
    if (error_) {
      errno = *error_;
      return true;
    }
    is_off_ = true;
    throw Crash{};
  }

  void change(std::function<void(Names&)> how) {
    how(names_);
    pending_.push_back(std::move(how));
  }

  std::mt19937_64 random_;
  std::vector<File> files_;
  Names names_;
  Names durable_names_;
  std::vector<std::function<void(Names&)>> pending_;
  std::uint64_t num_calls_ = 0;
  std::uint64_t call_ = ~std::uint64_t{0};
  std::optional<int> error_{};
  bool is_off_ = false;
  bool has_unnamed_;
  bool is_renamed_ = false;
};

}  // namespace bloometry::test
