#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the XXH3-128 of the bytes as 32 hex digits, high word first, in the format of
/// `xxhsum -H2`. The hash identifies units, configs, key files and the contents of run files.
[[nodiscard]] std::string content_hash(std::string_view bytes);

/// Computes content_hash() incrementally.
class ContentHasher {
 public:
  ContentHasher();
  ~ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;

  void add(std::string_view bytes);

  /// Returns content_hash() of all bytes added so far.
  [[nodiscard]] std::string text() const;

 private:
  struct State;  // opaque, so that this header does not include xxHash

  std::unique_ptr<State> state_;
};

}  // namespace bloometry
