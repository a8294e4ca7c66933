#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "core/filter/batch.hpp"
#include "core/filter/filter.hpp"

namespace bloometry {

/// A filter whose type is chosen at run time. Calls take spans, so that the virtual call happens
/// once a batch and the loop inside is inlined; there are no calls for a single key.
class AnyFilter {
 public:
  template <Filter F>
  explicit AnyFilter(F filter) : held_(std::make_unique<Held<F>>(std::move(filter))) {}

  AnyFilter(const AnyFilter& other) : held_(other.held_->clone()) {}

  AnyFilter(AnyFilter&&) noexcept = default;

  AnyFilter& operator=(AnyFilter other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }

  ~AnyFilter() = default;

  /// Inserts every key; returns for how many insert proved that the key was new.
  std::uint64_t insert(std::span<const Digest> digests) { return held_->insert(digests); }

  /// answers[i] = contains(digests[i]); both spans have the same length.
  void contains(std::span<const Digest> digests, std::span<bool> answers) const noexcept {
    held_->contains(digests, answers);
  }

  [[nodiscard]] std::uint64_t count_positives(std::span<const Digest> digests) const noexcept {
    return held_->count_positives(digests);
  }

  /// Erases every key; returns how many erases were carried out.
  /// @throws std::logic_error if the variant cannot erase: ask can_erase() first.
  std::uint64_t erase(std::span<const Digest> digests) { return held_->erase(digests); }

  void clear() { held_->clear(); }

  [[nodiscard]] bool can_erase() const noexcept { return held_->can_erase(); }

  [[nodiscard]] std::string_view name() const noexcept { return held_->name(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return held_->num_bits(); }

  [[nodiscard]] FilterState state() const { return held_->state(); }

 private:
  struct Interface {
    Interface() = default;
    Interface(const Interface&) = default;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;
    [[nodiscard]] virtual std::unique_ptr<Interface> clone() const = 0;
    virtual std::uint64_t insert(std::span<const Digest> digests) = 0;
    virtual void contains(std::span<const Digest> digests,
                          std::span<bool> answers) const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t count_positives(
        std::span<const Digest> digests) const noexcept = 0;
    virtual std::uint64_t erase(std::span<const Digest> digests) = 0;
    virtual void clear() = 0;
    [[nodiscard]] virtual bool can_erase() const noexcept = 0;
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t num_bits() const noexcept = 0;
    [[nodiscard]] virtual FilterState state() const = 0;
  };

  template <Filter F>
  struct Held final : Interface {
    explicit Held(F f) : filter(std::move(f)) {}

    [[nodiscard]] std::unique_ptr<Interface> clone() const override {
      return std::make_unique<Held>(*this);
    }

    std::uint64_t insert(std::span<const Digest> digests) override {
      return insert_all(filter, digests);
    }

    void contains(std::span<const Digest> digests,
                  std::span<bool> answers) const noexcept override {
      contains_each(filter, digests, answers);
    }

    [[nodiscard]] std::uint64_t count_positives(
        std::span<const Digest> digests) const noexcept override {
      return bloometry::count_positives(filter, digests);
    }

    std::uint64_t erase(std::span<const Digest> digests) override {
      if constexpr (ErasableFilter<F>) return erase_all(filter, digests);
      throw std::logic_error(std::string(F::kName) + " cannot erase");
    }

    void clear() override { filter.clear(); }

    [[nodiscard]] bool can_erase() const noexcept override { return ErasableFilter<F>; }

    [[nodiscard]] std::string_view name() const noexcept override { return F::kName; }

    [[nodiscard]] std::uint64_t num_bits() const noexcept override { return filter.num_bits(); }

    [[nodiscard]] FilterState state() const override { return filter.state(); }

    F filter;
  };

  std::unique_ptr<Interface> held_;
};

}  // namespace bloometry
