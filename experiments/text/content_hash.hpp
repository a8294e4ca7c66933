#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bloometry {

/// 32 hex digits of the XXH3-128 of some bytes, high word first: names units, configs, key files
/// and the contents of run files. The same text as `xxhsum -H2` prints.
[[nodiscard]] std::string content_hash(std::string_view bytes);

/// The same of bytes that come in pieces.
class ContentHasher {
 public:
  ContentHasher();
  ~ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;

  void add(std::string_view bytes);

  /// content_hash() of everything added so far.
  [[nodiscard]] std::string text() const;

 private:
  struct State;  // of xxHash, whose header stays out of this one

  std::unique_ptr<State> state_;
};

}  // namespace bloometry
