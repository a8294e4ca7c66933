#include "variants/registry/table_sizing.hpp"

#include <string>

#include "core/error.hpp"
#include "core/rates/search.hpp"
#include "variants/registry/refusal.hpp"
#include "variants/registry/table_room.hpp"

namespace bloometry {
namespace {

/// Computes the sizes of one variant.
class TableSizing {
 public:
  TableSizing(const VariantInfo& variant, const SizeRequest& request)
      : variant_(variant), request_(request), scheme_(requested_scheme(variant, request)) {}

  [[nodiscard]] SizeAnswer solve() const {
    if (!has_size(request_))
      return answer_for(spec_for_rate(*request_.num_keys), *request_.num_keys);
    if (!request_.num_keys) return most_keys();
    const std::uint64_t n = *request_.num_keys;
    SizeAnswer answer = answer_for(spec_for_size(n), n);
    if (request_.rate && answer.rate > *request_.rate) {
      throw Refusal("its rate at this size, " + text_above(answer.rate, *request_.rate) +
                    ", is above p");
    }
    return answer;
  }

 private:
  /// Returns the spec of the filter that chooses its size for n keys at p.
  [[nodiscard]] FilterSpec spec_for_rate(std::uint64_t num_keys) const {
    return {.capacity = num_keys,
            .target_false_positive_rate = *request_.rate,
            .num_hashes = request_.num_hashes,
            .params = request_.params};
  }

  /// Returns the spec of the filter for n keys whose size is the given size, rounded down to whole
  /// buckets in each part of the table.
  [[nodiscard]] FilterSpec spec_for_size(std::uint64_t num_keys) const {
    FilterSpec spec{
        .capacity = num_keys, .num_hashes = request_.num_hashes, .params = request_.params};
    const std::uint64_t size = given_size();
    const SizeAxis axis = request_.num_blocks  ? SizeAxis::kNumBlocks
                          : request_.num_cells ? variant_.cell_axis()
                                               : SizeAxis::kNumBits;
    set_size(spec, axis, size);
    const Geometry rounded_up = variant_.geometry(spec);
    spec.params = variant_.resolved_params(spec);
    FilterSpec smallest{.num_hashes = request_.num_hashes, .params = spec.params};
    smallest.params.erase("max_capacity");  // the smallest table may not be able to grow so far
    set_size(smallest, variant_.cell_axis(), std::uint64_t{1});
    const std::uint64_t unit = size_of(variant_.geometry(smallest));
    const std::uint64_t num_units = size / unit;
    if (num_units == 0) {
      throw Refusal("the size must be at least " + std::to_string(unit) + ", got " +
                    std::to_string(size));
    }
    if (size_of(rounded_up) > size) set_size(spec, axis, num_units * unit);
    require_room(spec, num_keys);
    return spec;
  }

  void require_room(const FilterSpec& spec, std::uint64_t num_keys) const {
    if (has_room(variant_, spec, num_keys)) return;
    throw Refusal(no_room_text(variant_, spec, num_keys));
  }

  [[nodiscard]] SizeAnswer most_keys() const {
    const std::uint64_t size = given_size();
    const auto fits = [&](std::uint64_t num_keys) {
      try {
        return size_of(variant_.geometry(spec_for_rate(num_keys))) <= size;
      } catch (const ConfigError&) {
        return false;  // p is below the lowest rate of so many keys
      }
    };
    const auto keys = most_that_holds(size / 16 + 1, 2 * kMaxRequestedCount, fits);
    if (!keys) throw Refusal("it needs more than 2^53 cells");
    if (*keys == 0) throw Refusal("the size is too small for one key at p");
    return answer_for(spec_for_rate(*keys), *keys);
  }

  [[nodiscard]] std::uint64_t given_size() const {
    if (request_.num_blocks) return *request_.num_blocks;
    if (request_.num_cells) return *request_.num_cells;
    return requested_memory(request_).value_or(0);
  }

  /// Returns the size of a geometry in the unit of the given size.
  [[nodiscard]] std::uint64_t size_of(const Geometry& geometry) const {
    if (request_.num_blocks) return geometry.num_blocks();
    return request_.num_cells ? geometry.num_cells : geometry.num_bits();
  }

  [[nodiscard]] SizeAnswer answer_for(const FilterSpec& spec, std::uint64_t num_keys) const {
    const Geometry geometry = variant_.geometry(spec);
    const RatedFilter filter{
        .variant = variant_, .scheme = scheme_, .spec = spec, .hash = request_.hash};
    const ExpectedRate expected = predict(filter, num_keys).expected.value();
    const double highest = expected_rate(filter, max_capacity_of(spec.params).value_or(num_keys));
    if (!has_size(request_) && highest > *request_.rate) {
      throw Refusal("p is below the rate of its fingerprints and of the hash, " +
                    text_above(highest, *request_.rate));
    }
    return {.variant = variant_.name,
            .model = scheme_.model,
            .probes = scheme_.name,
            .num_keys = num_keys,
            .num_cells = geometry.num_cells,
            .cell_bits = geometry.cell_bits,
            .num_hashes = geometry.num_hashes,
            .params = variant_.resolved_params(spec),
            .rate = expected.rate,
            .expected_rate = expected.rate,
            .rate_by = name_of(expected.kind),
            .why_not_exact = expected.why_not_exact,
            .floor = expected.floor,
            .rate_at_twice_num_keys = rate_with_room(filter, 2 * num_keys)};
  }

  /// Returns the expected rate, or std::nullopt if the table does not have room for the keys.
  [[nodiscard]] static std::optional<double> rate_with_room(const RatedFilter& filter,
                                                            std::uint64_t num_keys) {
    if (!has_room(filter.variant, filter.spec, num_keys)) return std::nullopt;
    return expected_rate(filter, num_keys);
  }

  const VariantInfo& variant_;
  const SizeRequest& request_;
  SchemeInfo scheme_;
};

}  // namespace

SizeAnswer solve_table(const VariantInfo& variant, const SizeRequest& request) {
  return TableSizing(variant, request).solve();
}

}  // namespace bloometry
