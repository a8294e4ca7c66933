#include "experiments/filter_files/bloometry_filter.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/contract/compatible.hpp"
#include "core/contract/size_axis.hpp"
#include "core/error.hpp"
#include "core/file/filter_image.hpp"
#include "core/file/stored_file.hpp"
#include "core/hash/xxh64_hasher.hpp"
#include "core/probe/limits.hpp"
#include "core/text.hpp"
#include "experiments/filter_files/foldable_size.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"
#include "variants/registry/filter_rates.hpp"
#include "variants/registry/sizing.hpp"
#include "variants/split_block/split_block_filter.hpp"

namespace bloometry {
namespace {

/// Returns the spec of a filter with this variant and this header.
FilterSpec spec_of(const VariantInfo& variant, const FileHeader& header) {
  FilterSpec spec{.params = header.params};
  if (variant.can(Operation::kGrow)) {
    spec.target_false_positive_rate = header.notes.target_false_positive_rate;
  } else {
    spec.num_hashes = header.geometry.num_hashes;
    set_size(spec, variant.cell_axis(), header.geometry.num_cells);
  }
  return spec;
}

/// Returns whether the stages of the file are those that this version plans. Version 0.1.0 wrote
/// stages with more than kMaxNumHashes hashes.
bool has_planned_stages(const FileHeader& header) {
  return std::ranges::all_of(
      header.stages, [](const StoredStage& stage) { return stage.num_hashes <= kMaxNumHashes; });
}

RatedFilter rated(const VariantInfo& variant, const SchemeInfo& scheme, const FileHeader& header) {
  return {.variant = variant,
          .scheme = scheme,
          .spec = spec_of(variant, header),
          .hash = hash_bits_of(header.hash)};
}

/// Sets the expected rate, or the reason why it is unknown.
void predict_rate(const RatedFilter& filter, FilterFacts& facts) {
  try {
    facts.set_expected(predict(filter, *facts.num_keys).expected);
  } catch (const ConfigError& error) {
    // The theory has limits that filters do not have, such as the number of stages.
    facts.why_no_expected_rate = error.what();
    return;
  }
  if (!facts.expected && !filter.scheme.follows_model) {
    facts.why_no_expected_rate = fmt::format(
        "the scheme {} does not follow a model whose rate is known", filter.scheme.name);
  }
}

/// Sets num_keys of a filter that forgets: the number of its insert calls, as if all keys
/// were distinct. It is unknown after ticks, with which generations close before they are full.
void set_num_keys_of_generations(const FileHeader& header, FilterFacts& facts) {
  facts.num_keys.reset();
  const GenerationCounts& counts = *header.generations;
  if (counts.num_ticks > 0) return;
  const auto capacity =
      static_cast<std::uint64_t>(std::get<double>(header.params.at("generation_capacity")));
  facts.num_keys = counts.num_rotations * capacity + counts.num_inserted.front();
}

/// Returns the number of keys in the cells, of which the digests may collide with that of a query.
std::optional<std::uint64_t> num_held_keys(const FilterFacts& facts) {
  if (!facts.generations) return facts.num_keys;
  const std::vector<std::uint64_t>& inserts = facts.generations->num_inserted;
  return std::accumulate(inserts.begin(), inserts.end(), std::uint64_t{0});
}

void add_expected_rate(const RatedFilter& filter, const FileHeader& header, FilterFacts& facts) {
  if (facts.generations && facts.generations->num_ticks > 0) {
    facts.why_no_expected_rate = "the theory is for filters without ticks";
  } else if (!facts.num_keys && !facts.why_no_estimate.empty()) {
    facts.why_no_expected_rate = "the number of keys is unknown";
  } else if (!facts.num_keys) {
    facts.why_no_expected_rate = "neither the file nor its cells state how many keys were inserted";
  } else if (!has_planned_stages(header)) {
    facts.why_no_expected_rate = fmt::format(
        "version 0.1.0 wrote the file, with stages of more than {} hashes", kMaxNumHashes);
  } else {
    predict_rate(filter, facts);
  }
}

void add_keys_at_target(const VariantInfo& variant, const SchemeInfo& scheme,
                        const FileHeader& header, FilterFacts& facts) {
  const std::optional<double>& target = facts.notes.target_false_positive_rate;
  if (!target || !has_valid_target(facts.notes) || facts.grows || !scheme.follows_model) return;
  if (facts.generations) return;  // the window determines the size
  if (const auto max_capacity = max_capacity_of(header.params)) {
    const double rate = expected_rate(rated(variant, scheme, header), *max_capacity);
    if (rate <= *target) facts.num_keys_at_target = max_capacity;
    return;
  }
  const SizeAnswer answer = solve_size(variant, {.rate = target,
                                                 .num_cells = header.geometry.num_cells,
                                                 .num_hashes = header.geometry.num_hashes,
                                                 .probes = std::string(scheme.name),
                                                 .params = header.params,
                                                 .hash = hash_bits_of(header.hash)});
  if (answer.is_sized()) facts.num_keys_at_target = answer.num_keys;
}

/// Returns whether the filter will double on its own.
bool will_double(const FileHeader& header) {
  const auto max_capacity = max_capacity_of(header.params);
  if (!max_capacity) return false;
  const VariantInfo& variant = find_variant(header.variant);
  const Geometry largest = variant.geometry_at(spec_of(variant, header), *max_capacity);
  return largest.num_cells > header.geometry.num_cells;
}

bool needs_secret(const FileHeader& header) {
  return header.key_id.has_value();
}

std::string text_of(const std::optional<std::uint64_t>& number) {
  return number ? std::to_string(*number) : "none";
}

}  // namespace

BloometryFilter::BloometryFilter(AnyFilter filter, std::optional<FilterHash> hash,
                                 FileHeader header)
    : filter_(std::move(filter)), hash_(std::move(hash)), notes_(header.notes) {
  named_.hash = header.hash;
  named_.seed = header.seed;
  named_.key_id = header.key_id;
  if (hash_) hash_->describe(named_);
}

std::unique_ptr<BloometryFilter> BloometryFilter::load(const std::filesystem::path& path,
                                                       std::optional<SipHashKey> secret) {
  LoadedFilter loaded = load_any(path);
  std::optional<FilterHash> hash;
  const FileHeader& header = loaded.header;
  if (!header.hash.empty() && (secret || !needs_secret(header))) {
    try {
      hash = FilterHash::of(header, secret);
    } catch (const ConfigError& error) {
      if (secret) throw;
      refuse_file(path, error.what());
    }
  }
  return std::make_unique<BloometryFilter>(std::move(loaded.filter), std::move(hash), header);
}

FilterImage BloometryFilter::image() const {
  FilterImage image = filter_.image();
  FileHeader& header = image.header;
  header.hash = named_.hash;
  header.seed = named_.seed;
  header.key_id = named_.key_id;
  header.notes = with_notes(header.notes, notes_);
  return image;
}

FileHeader BloometryFilter::header() const {
  return image().header;
}

const FilterHash& BloometryFilter::known_hash() const {
  if (hash_) return *hash_;
  throw ConfigError(
      "secret",
      named_.hash.empty()
          ? "must be left out: the file does not name the hash of its keys"
          : fmt::format("must be given with the hash {}: a file with 32 hexadecimal digits",
                        named_.hash));
}

std::uint64_t BloometryFilter::insert(std::span<const KeyView> keys) {
  return filter_.insert(keys, known_hash().call());
}

void BloometryFilter::require_erasable() const {
  if (filter_.can_erase()) return;
  throw ConfigError(fmt::format("{} cannot erase keys; variants that can: {}", filter_.name(),
                                joined(variants_that_can(Operation::kErase))));
}

void BloometryFilter::erase(std::span<const KeyView> keys, std::span<bool> answers) {
  require_erasable();
  const HashCall call = known_hash().call();
  std::vector<Digest> digests(keys.size());
  call.hash(call.hasher, keys, digests.data());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    answers[i] = filter_.erase(std::span(&digests[i], 1)) > 0;
  }
}

void BloometryFilter::contains(std::span<const KeyView> keys, std::span<bool> answers) const {
  filter_.contains(keys, known_hash().call(), answers);
}

FilterFacts BloometryFilter::description(std::optional<std::uint64_t> /*num_inserted*/) const {
  const FileHeader header = this->header();
  const VariantInfo& variant = find_variant(header.variant);
  FilterFacts facts{.format = std::string(kFormat),
                    .variant = header.variant,
                    .probes = header.probes,
                    .hash = header.hash,
                    .seed = header.seed,
                    .key_id = header.key_id,
                    .params = header.params,
                    .num_cells = header.geometry.num_cells,
                    .cell_bits = header.geometry.cell_bits,
                    .num_hashes = header.geometry.num_hashes,
                    .grows = variant.can(Operation::kGrow),
                    .is_table = variant.is_limited,
                    .stores_copies = variant.stores_copies,
                    .notes = header.notes,
                    .generations = header.generations,
                    .window = filter_.window(),
                    .state = filter_.state()};
  if (facts.grows) facts.num_cells = facts.state.num_bits;
  facts.initial_capacity = variant.initial_capacity(spec_of(variant, header));
  if (facts.notes.is_intersected) {
    facts.why_no_estimate = kWhyNoEstimateOfIntersection;
  } else if (filter_.can_estimate_count()) {
    facts.estimated_num_keys = filter_.estimate_count();
  }
  facts.set_num_keys();
  if (facts.generations) set_num_keys_of_generations(header, facts);
  return facts;
}

void BloometryFilter::add_rates(FilterFacts& facts) const {
  const FileHeader header = this->header();
  const VariantInfo& variant = find_variant(header.variant);
  const SchemeInfo& scheme = variant.scheme(header.probes);
  const RatedFilter filter = rated(variant, scheme, header);
  const double of_ideal_digests = facts.state.conditional_false_positive_rate;
  if (scheme.follows_model) {
    facts.set_given_state(rate_given_state(filter, of_ideal_digests, num_held_keys(facts)));
  } else {
    facts.rate_if_independent = of_ideal_digests;
    const auto given_ones = facts.num_keys
                                ? rate_given_ones(filter, facts.state.num_ones, *facts.num_keys)
                                : std::nullopt;
    if (given_ones) facts.set_given_state(*given_ones);
  }
  add_expected_rate(filter, header, facts);
  add_keys_at_target(variant, scheme, header, facts);
}

const BloometryFilter& BloometryFilter::like(const FileFilter& other) const {
  const auto* const theirs = dynamic_cast<const BloometryFilter*>(&other);
  if (theirs == nullptr) {
    throw ConfigError("the second file must have the format bloometry, got " +
                      other.description().format);
  }
  require_equal("hash", named_.hash, theirs->named_.hash);
  require_equal("seed", text_of(named_.seed), text_of(theirs->named_.seed));
  require_equal("key_id", text_of(named_.key_id), text_of(theirs->named_.key_id));
  return *theirs;
}

void BloometryFilter::merge(const FileFilter& other) {
  if (!filter_.can_merge()) {
    throw ConfigError(
        fmt::format("{} with probes {} cannot be merged; `bloometry variants` lists the operations "
                    "of every variant",
                    filter_.name(), filter_.probes()));
  }
  const BloometryFilter& theirs = like(other);
  filter_.merge(theirs.filter_);
  notes_.num_inserted.reset();
  notes_.is_intersected |= theirs.notes_.is_intersected;
}

void BloometryFilter::intersect(const FileFilter& other) {
  if (!filter_.can_intersect()) {
    throw ConfigError(
        fmt::format("{} with probes {} cannot be intersected; `bloometry variants` lists the "
                    "operations of every variant",
                    filter_.name(), filter_.probes()));
  }
  filter_.intersect(like(other).filter_);
  notes_.num_inserted.reset();
  notes_.is_intersected = true;
}

void BloometryFilter::grow() {
  if (!filter_.can_be_grown()) {
    throw ConfigError(fmt::format("{} cannot be grown; variants that can: {}", filter_.name(),
                                  joined(growable_variants())));
  }
  const bool is_early = will_double(header());
  filter_.grow();
  if (is_early) return;  // capacity and target rate are those of the largest table
  // At twice the capacity, the rate is twice as high.
  if (notes_.capacity) *notes_.capacity *= 2;
  notes_.target_false_positive_rate.reset();
}

void BloometryFilter::tick() {
  if (!filter_.can_tick()) {
    throw ConfigError(fmt::format("{} does not forget; variants that do: {}", filter_.name(),
                                  joined(variants_that_can(Operation::kTick))));
  }
  filter_.tick();
}

std::uint64_t BloometryFilter::foldable_size() const {
  if (!filter_.can_fold()) {
    throw ConfigError(
        fmt::format("{} with probes {} cannot be folded", filter_.name(), filter_.probes()));
  }
  const Geometry geometry = filter_.image().header.geometry;
  const SchemeInfo& scheme = find_variant(filter_.name()).scheme(filter_.probes());
  const std::uint64_t unit = fold_unit(scheme, geometry);
  return geometry.num_cells % unit == 0 ? geometry.num_cells / unit : 1;
}

std::unique_ptr<FileFilter> BloometryFilter::fold(std::uint64_t divisor) const {
  static_cast<void>(foldable_size());
  FileHeader header = this->header();
  // Capacity and target rate describe the original filter and are wrong for the folded filter.
  header.notes.capacity.reset();
  header.notes.target_false_positive_rate.reset();
  return std::make_unique<BloometryFilter>(filter_.fold(divisor), hash_, header);
}

std::vector<std::span<const std::uint64_t>> BloometryFilter::cells() const {
  return filter_.image().stores;
}

bool BloometryFilter::has_hash_of(const BloometryFilter& other) const noexcept {
  return named_.hash == other.named_.hash && named_.seed == other.named_.seed &&
         named_.key_id == other.named_.key_id;
}

std::unique_ptr<FileFilter> BloometryFilter::converted(std::string_view format) const {
  const FilterImage image = this->image();
  const FileHeader& header = image.header;
  const bool fits_parquet = header.variant == SplitBlockFilter::kName &&
                            header.hash == Xxh64Hasher::kName && header.seed == 0;
  const bool is_to_parquet = format == ParquetSbbfFilter::kName;
  if (!is_to_parquet || !fits_parquet) {
    const std::string hash = header.hash.empty() ? "an unknown hash" : "hash " + header.hash;
    const std::string seed = header.seed ? fmt::format(" and seed {}", *header.seed) : "";
    refuse_conversion(fmt::format("{} with {}{}", header.variant, hash, seed), format,
                      is_to_parquet  ? ", which requires split_block with hash xxh64 and seed 0"
                      : fits_parquet ? ", only to parquet_sbbf"
                                     : "");
  }
  return parquet_filter_of(image.stores.front().first(image.header.geometry.num_cells / 64));
}

void BloometryFilter::write(const std::filesystem::path& path) const {
  const FilterImage image = this->image();
  write_filter_file(path, image.header, image.stores);
}

}  // namespace bloometry
