#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/contract/filter.hpp"
#include "core/contract/filter_state.hpp"
#include "core/contract/variant_description.hpp"
#include "core/contract/window.hpp"
#include "core/error.hpp"
#include "core/store/aligned_words.hpp"
#include "core/store/memory.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/rotating/generation.hpp"
#include "variants/rotating/rotating_filter.hpp"
#include "variants/rotating/rotating_params.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {

/// Order of the insert calls and rotations of a rotating filter that several threads use. One
/// atomic number, the position, contains the number q of the newest generation and the number c of
/// inserts in it: position = q (g+1) + c, with c in [0, g]. Inserts and ticks change it in one step
/// each, so that a tick at a full generation rotates once.
class GenerationTickets {
 public:
  /// Largest g. The number of a generation then has 32 bits at least, so that the position does not
  /// overflow in 136 years of one rotation per second.
  static constexpr std::uint64_t kMaxCapacity = std::uint64_t{1} << 31U;

  /// @param capacity g, in [1, kMaxCapacity]
  explicit GenerationTickets(std::uint64_t capacity) noexcept : period_(capacity + 1) {}

  /// The place of an insert in the order.
  struct Place {
    std::uint64_t generation;
    bool opens;  ///< whether the insert is the first of its generation, which it opens
  };

  /// Takes the next place. If the newest generation is full, the place is in a new one.
  Place next() noexcept {
    std::uint64_t before = position_.load(std::memory_order_acquire);
    for (;;) {
      const std::uint64_t generation = before / period_;
      const bool is_full = before % period_ == period_ - 1;
      if (position_.compare_exchange_weak(before, before + (is_full ? 2 : 1),
                                          std::memory_order_acq_rel)) {
        return {is_full ? generation + 1 : generation, is_full};
      }
    }
  }

  /// A generation that a tick closed, and its number of inserts.
  struct Closed {
    std::uint64_t generation;
    std::uint64_t num_inserts;
  };

  /// Closes the newest generation and opens the next one.
  Closed tick() noexcept {
    std::uint64_t before = position_.load(std::memory_order_acquire);
    while (!position_.compare_exchange_weak(before, (before / period_ + 1) * period_,
                                            std::memory_order_acq_rel)) {
    }
    return {before / period_, before % period_};
  }

  /// Returns the number of the newest generation.
  [[nodiscard]] std::uint64_t newest() const noexcept {
    return position_.load(std::memory_order_acquire) / period_;
  }

  /// Returns the number of inserts in the newest generation.
  [[nodiscard]] std::uint64_t num_in_newest() const noexcept {
    return position_.load(std::memory_order_acquire) % period_;
  }

  void clear() noexcept { position_.store(0, std::memory_order_release); }

 private:
  std::uint64_t period_;
  std::atomic<std::uint64_t> position_ = 0;
};

/// Rotating filter that any number of threads may fill and query at the same time (README,
/// "Threads"). The functions insert, contains, age, tick and state may run concurrently. A thread
/// that calls any other function needs exclusive access. F is a filter over Atomic memory.
///
/// Each insert call and each tick has a place in one order (GenerationTickets). A key whose insert
/// returned before the query began is found if, when the query ends, at most (B-1) g + 1 insert
/// calls have places from that of the key's insert on, its own included, and no tick. With ticks,
/// the key is found if the number of later ticks, plus the number of later insert calls divided by
/// g and rounded up, is at most B - 1. The caller must order the insert before the query as for
/// AtomicStandardFilter. The cells are those of a filter of one thread that makes the same calls in
/// the order of their places.
///
/// A generation is cleared only after every insert with a place in it has written its bits, also if
/// a thread is stopped in between. The thread whose insert or tick opens a generation clears the
/// cells of the oldest; until then, inserts into the new generation wait. Queries never wait.
///
/// If insert returns true, no generation contained the key when the call began, so other inserts of
/// the key within the window were not complete. If several threads insert a new key at the same
/// time, insert returns true in at least one of them.
template <class F>
class BasicAtomicRotatingFilter {
  using G = Generation<F, RemixedPart>;

 public:
  static constexpr std::string_view kName = RotatingFilter::kName;
  static constexpr ProbeModel kModel = F::kModel;

  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return RotatingFilter::geometry(of_kind(spec));
  }

  /// Returns the window of a filter with the spec.
  /// @throws ConfigError if the constructor throws ConfigError
  [[nodiscard]] static Window window_of(const FilterSpec& spec) {
    return settings_of(spec).window();
  }

  /// Makes an empty filter and allocates its memory.
  /// @throws ConfigError if RotatingFilter would throw, if the parameter `generation` is not the
  /// kind of F, if `rotation` is not "inserts", or if the capacity of a generation is above
  /// GenerationTickets::kMaxCapacity; MemoryError if memory cannot be allocated
  explicit BasicAtomicRotatingFilter(const FilterSpec& spec)
      : settings_(settings_of(spec)), shared_(std::make_unique<Shared>(settings_)) {}

  bool insert(const Digest& digest) noexcept {
    const bool was_present = contains(digest);
    const GenerationTickets::Place place = shared_->tickets.next();
    if (place.opens) open(place.generation);
    Slot& slot = slot_of(place.generation);
    wait_until([&] { return slot.is_open(place.generation); });
    const bool has_changed = slot.cells.insert(digest);
    slot.num_done.fetch_add(1, std::memory_order_release);
    return has_changed && !was_present;
  }

  /// Returns whether the filter may contain the key. The function does not wait.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return age(digest).has_value();
  }

  /// Returns the number of rotations since the newest generation that contains the key was opened.
  [[nodiscard]] std::optional<std::uint64_t> age(const Digest& digest) const noexcept {
    const std::uint64_t newest = shared_->tickets.newest();
    for (std::uint64_t age = 0; age < num_open(newest); ++age) {
      if (slot_of(newest - age).cells.contains(digest)) return age;
    }
    return std::nullopt;
  }

  /// Closes the newest generation and clears the oldest.
  void tick() noexcept {
    const GenerationTickets::Closed closed = shared_->tickets.tick();
    if (closed.num_inserts < settings_.generation_capacity) close(closed);
    open(closed.generation + 1);
  }

  /// Resets the filter to B empty generations.
  void clear() noexcept {
    for (std::size_t s = 0; s < shared_->slots.size(); ++s) {
      shared_->slots[s]->cells.clear();
      shared_->slots[s]->reset(s, settings_.generation_capacity);
    }
    shared_->tickets.clear();
  }

  [[nodiscard]] Window window() const noexcept { return settings_.window(); }

  [[nodiscard]] const RotatingSettings& settings() const noexcept { return settings_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return settings_.whole().num_bits(); }

  /// Returns the counts of the cells and the rate given them. During inserts, the values are those
  /// of different moments.
  [[nodiscard]] FilterState state() const noexcept {
    FilterState state{.num_bits = num_bits()};
    const std::uint64_t newest = shared_->tickets.newest();
    double rate = 0;
    for (std::uint64_t age = 0; age < num_open(newest); ++age) {
      const FilterState part = slot_of(newest - age).cells.filter().state();
      state.num_ones += part.num_ones;
      rate += part.conditional_false_positive_rate * (1 - rate);
      if (part.exceeds_max_fill) {
        state.exceeds_max_fill = state.exceeds_max_fill.value_or(false) || *part.exceeds_max_fill;
      }
    }
    if (settings_.generation.max_fill && !state.exceeds_max_fill) state.exceeds_max_fill = false;
    state.conditional_false_positive_rate = rate;
    return state;
  }

  /// Returns the number of the newest generation, counted from 0, and the number of its inserts.
  [[nodiscard]] std::uint64_t num_rotations() const noexcept { return shared_->tickets.newest(); }

  [[nodiscard]] std::uint64_t num_in_newest() const noexcept {
    return shared_->tickets.num_in_newest();
  }

  /// Returns the words of the cells in a slot, of which there are settings().num_generations.
  /// @pre no other thread changes the filter
  [[nodiscard]] std::span<const std::uint64_t> words_in_slot(std::size_t slot) const noexcept {
    return std::as_const(shared_->slots[slot]->cells).words();
  }

 private:
  /// A slot of the ring: the cells of one generation, and its inserts.
  struct Slot {
    Slot(const Geometry& geometry, std::size_t number, std::uint64_t capacity)
        : cells(geometry, number, Atomic<OwnedMemory>{}) {
      reset(number, capacity);
    }

    /// Gives the slot to a generation whose cells are clear.
    void reset(std::uint64_t generation, std::uint64_t capacity) noexcept {
      num_done.store(0, std::memory_order_relaxed);
      num_places.store(capacity, std::memory_order_relaxed);
      owner.store(generation, std::memory_order_release);
    }

    [[nodiscard]] bool is_open(std::uint64_t generation) const noexcept {
      return owner.load(std::memory_order_acquire) == generation;
    }

    /// Returns whether every insert with a place in the generation has written its bits.
    [[nodiscard]] bool is_done() const noexcept {
      const std::uint64_t done = num_done.load(std::memory_order_acquire);
      return done == num_places.load(std::memory_order_acquire);
    }

    G cells;
    std::atomic<std::uint64_t> owner;       ///< generation whose inserts may write the cells
    std::atomic<std::uint64_t> num_done;    ///< inserts of the generation that have written
    std::atomic<std::uint64_t> num_places;  ///< inserts of the generation, once it is closed
  };

  struct Shared {
    explicit Shared(const RotatingSettings& settings) : tickets(settings.generation_capacity) {
      for (std::size_t s = 0; s < settings.num_generations; ++s) {
        slots.push_back(
            std::make_unique<Slot>(settings.generation, s, settings.generation_capacity));
      }
    }

    alignas(kCacheLineBytes) GenerationTickets tickets;
    std::vector<std::unique_ptr<Slot>> slots;
  };

  /// Returns the spec with the kind of F as its parameter `generation`.
  static FilterSpec of_kind(FilterSpec spec) {
    const ParamValue kind(std::string(F::kName));
    const auto [param, is_new] = spec.params.emplace("generation", kind);
    if (param->second == kind) return spec;
    throw ConfigError("generation", "must be " + to_string(kind) + " for this class, got " +
                                        to_string(param->second));
  }

  static RotatingSettings settings_of(const FilterSpec& spec) {
    const RotatingSettings settings = rotating_settings(of_kind(spec));
    if (!settings.rotates_on_inserts) {
      throw ConfigError("rotation", "must be inserts for several threads, got ticks");
    }
    if (settings.generation_capacity > GenerationTickets::kMaxCapacity) {
      throw ConfigError("generation_capacity", "must be at most " +
                                                   std::to_string(GenerationTickets::kMaxCapacity) +
                                                   " for several threads, got " +
                                                   std::to_string(settings.generation_capacity));
    }
    return settings;
  }

  template <class Condition>
  static void wait_until(Condition holds) noexcept {
    while (!holds()) std::this_thread::yield();
  }

  [[nodiscard]] Slot& slot_of(std::uint64_t generation) const noexcept {
    return *shared_->slots[generation % settings_.num_generations];
  }

  /// Returns the number of generations that have been opened and not forgotten.
  [[nodiscard]] std::uint64_t num_open(std::uint64_t newest) const noexcept {
    return std::min<std::uint64_t>(newest + 1, settings_.num_generations);
  }

  /// Records the number of inserts of a generation that a tick closed before it was full. The
  /// thread that opens the generation sets the number to its capacity, which must come first. All
  /// waits are for older generations or for the opening of the same one, so that no two threads
  /// wait for each other.
  void close(const GenerationTickets::Closed& closed) noexcept {
    Slot& slot = slot_of(closed.generation);
    wait_until([&] { return slot.is_open(closed.generation); });
    slot.num_places.store(closed.num_inserts, std::memory_order_release);
  }

  /// Clears the cells of the slot of a generation that this thread opens, once the generation that
  /// had the slot is complete.
  void open(std::uint64_t generation) noexcept {
    if (generation < settings_.num_generations) return;  // the slot is new
    Slot& slot = slot_of(generation);
    const std::uint64_t forgotten = generation - settings_.num_generations;
    wait_until([&] { return slot.is_open(forgotten) && slot.is_done(); });
    for (std::uint64_t& word : slot.cells.words()) {
      std::atomic_ref(word).store(0, std::memory_order_relaxed);
    }
    slot.reset(generation, settings_.generation_capacity);
  }

  RotatingSettings settings_;
  std::unique_ptr<Shared> shared_;
};

using AtomicRotatingFilter = BasicAtomicRotatingFilter<AtomicStandardFilter>;
using AtomicRotatingBlockedFilter = BasicAtomicRotatingFilter<AtomicBlockedFilter>;

static_assert(ForgettingFilter<AtomicRotatingFilter>);
static_assert(ForgettingFilter<AtomicRotatingBlockedFilter>);

}  // namespace bloometry
