#include "experiments/workload/digest_store.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "experiments/unit/key_demand.hpp"
#include "experiments/workload/line_file_cache.hpp"

namespace bloometry {
namespace {

/// All values on which a list of digests depends. The lines of a file are one list, with role
/// kMember.
using ListKey = std::tuple<std::uint64_t, std::string, std::string, std::string, std::uint64_t,
                           KeyRole>;  // root seed, source, path, hash, trial, role

bool is_file(const Unit& unit) {
  return unit.keys.kind == KeySource::Kind::kFile;
}

ListKey list_key(const Unit& unit, KeyRole role) {
  return {unit.root_seed, unit.keys.name, unit.keys.path,
          unit.hash,      unit.trial,     is_file(unit) ? KeyRole::kMember : role};
}

/// Returns the index at which the keys of a role begin in their list.
std::uint64_t list_offset(const Unit& unit, KeyRole role) {
  return is_file(unit) && role == KeyRole::kQuery ? key_demand(unit).num_members : 0;
}

struct Entry {
  explicit Entry(KeyRole r) : role(r) {}

  const KeyRole role;
  std::mutex making;  // held while the list is made; Impl::mutex guards the other members
  DigestList list;
  std::uint64_t reserved = 0;   // length of the longest list that the run will need
  std::uint64_t num_users = 0;  // number of unfinished units that reserved the list
  std::uint64_t last_use = 0;   // key in Impl::kept; 0 if the list does not exist
};

std::uint64_t bytes_of(std::uint64_t num_digests) {
  return num_digests * sizeof(Digest);
}

}  // namespace

struct DigestStore::Impl {
  Impl(std::uint64_t budget, std::uint64_t member_bytes)
      : max_bytes(budget), max_query_bytes(budget - std::min(budget, member_bytes)) {}

  DigestGenerator generator(const Unit& unit) {
    const KeyDistribution keys =
        is_file(unit) ? KeyDistribution(files.keys(unit)) : synthetic_keys(unit);
    return {unit, keys, key_demand(unit).num_members};
  }

  std::shared_ptr<Entry> entry(const ListKey& key) {
    const std::lock_guard lock(mutex);
    std::shared_ptr<Entry>& found = entries[key];
    if (!found) found = std::make_shared<Entry>(std::get<KeyRole>(key));
    return found;
  }

  void reserve(const ListKey& key, std::uint64_t length) {
    const std::shared_ptr<Entry> found = entry(key);
    const std::lock_guard lock(mutex);
    found->reserved = std::max(found->reserved, length);
    ++found->num_users;
  }

  /// Decrements the number of users, and frees the list if the number becomes 0.
  void release(const ListKey& key) {
    const std::lock_guard lock(mutex);
    const auto found = entries.find(key);
    if (found == entries.end() || found->second->num_users == 0) return;
    if (--found->second->num_users == 0) drop_list(*found->second);
  }

  /// Returns the list, or null if the list does not exist or is too short.
  DigestList find(Entry& entry, std::uint64_t length) {
    const std::lock_guard lock(mutex);
    if (!entry.list || entry.list->size() < length) return nullptr;
    note_use(entry);
    return entry.list;
  }

  void note_use(Entry& entry) {
    kept.erase(entry.last_use);
    entry.last_use = ++clock;
    kept.emplace(entry.last_use, &entry);
  }

  void drop_list(Entry& entry) {
    if (!entry.list) return;
    count(entry, -bytes_of(entry.list->size()));
    kept.erase(std::exchange(entry.last_use, 0));
    entry.list = nullptr;
  }

  /// Reserves memory for a list of the entry, and frees unused lists if necessary. Returns false if
  /// the list does not fit and `must` is false.
  bool take_room(const Entry& entry, std::uint64_t bytes, bool must) {
    const std::lock_guard lock(mutex);
    const bool is_query = entry.role == KeyRole::kQuery;
    if (is_query && !must && bytes > max_query_bytes)
      return false;  // so that lists are not freed in vain
    const std::uint64_t replaced = entry.list ? bytes_of(entry.list->size()) : 0;
    const auto queries_fit = [&] {
      return !is_query || held_queries + bytes <= max_query_bytes + replaced;
    };
    const auto fits = [&] { return queries_fit() && held + bytes <= max_bytes + replaced; };
    while (!fits()) {
      Entry* victim = least_recently_used(entry, !queries_fit());
      if (victim == nullptr) break;
      drop_list(*victim);
    }
    if (!must && !fits()) return false;
    count(entry, bytes);
    return true;
  }

  /// Adds `bytes` to the number of stored bytes. The sum is modulo 2^64, so a negated number is
  /// subtracted.
  void count(const Entry& entry, std::uint64_t bytes) {
    held += bytes;
    if (entry.role == KeyRole::kQuery) held_queries += bytes;
  }

  /// Returns the entry of the least recently used list that is not in use, or null if all other
  /// lists are in use.
  Entry* least_recently_used(const Entry& wanted, bool of_queries) {
    for (const auto& [last_use, candidate] : kept) {
      if (candidate == &wanted || candidate->list.use_count() != 1) continue;
      if (!of_queries || candidate->role == KeyRole::kQuery) return candidate;
    }
    return nullptr;
  }

  void publish(Entry& entry, DigestList list) {
    const std::lock_guard lock(mutex);
    drop_list(entry);
    entry.list = std::move(list);
    note_use(entry);
  }

  void give_back_room(const Entry& entry, std::uint64_t bytes) {
    const std::lock_guard lock(mutex);
    count(entry, -bytes);
  }

  std::uint64_t wanted_length(const Entry& entry, std::uint64_t length) {
    const std::lock_guard lock(mutex);
    return std::max(entry.reserved, length);
  }

  /// Returns a list of at least `length` digests for a role. Returns null if the list does not fit
  /// and `must` is false.
  DigestList list(const Unit& unit, KeyRole role, std::uint64_t length, bool must) {
    const std::shared_ptr<Entry> found = entry(list_key(unit, role));
    if (DigestList ready = find(*found, length)) return ready;
    const std::lock_guard making(found->making);
    if (DigestList ready = find(*found, length)) return ready;  // another thread made the list
    const std::uint64_t wanted = wanted_length(*found, length);
    if (!take_room(*found, bytes_of(wanted), must)) return nullptr;
    return make(*found, unit, role, wanted);
  }

  DigestList make(Entry& entry, const Unit& unit, KeyRole role, std::uint64_t length) {
    try {
      auto digests = std::make_shared<KeptDigests>(length);
      generator(unit).fill(is_file(unit) ? KeyRole::kMember : role, 0, *digests);
      publish(entry, digests);
      return digests;
    } catch (...) {
      give_back_room(entry, bytes_of(length));
      throw;
    }
  }

  std::mutex mutex;
  std::map<ListKey, std::shared_ptr<Entry>> entries;
  std::map<std::uint64_t, Entry*> kept;  // entries with a list, by the time of their last use
  LineFileCache files;
  std::uint64_t max_bytes;
  std::uint64_t max_query_bytes;   // part of the budget that queries may use
  std::uint64_t held = 0;          // bytes of all lists, including unfinished ones
  std::uint64_t held_queries = 0;  // bytes of the lists of queries
  std::uint64_t clock = 0;         // number of uses so far
};

DigestStore::DigestStore(std::uint64_t max_bytes, std::uint64_t member_bytes)
    : impl_(std::make_unique<Impl>(max_bytes, member_bytes)) {}

DigestStore::~DigestStore() = default;

void DigestStore::reserve(const Unit& unit) {
  // find_key_hash() throws if the hash is unknown, before any unit runs.
  static_cast<void>(find_key_hash(unit.hash));
  if (is_file(unit)) impl_->files.require(unit);
  const KeyDemand demand = key_demand(unit);
  impl_->reserve(list_key(unit, KeyRole::kMember), demand.num_members);
  const std::uint64_t offset = list_offset(unit, KeyRole::kQuery);
  impl_->reserve(list_key(unit, KeyRole::kQuery), offset + demand.num_nonmembers());
}

void DigestStore::release(const Unit& unit) {
  impl_->release(list_key(unit, KeyRole::kMember));
  impl_->release(list_key(unit, KeyRole::kQuery));
}

DigestList DigestStore::members(const Unit& unit, std::uint64_t num_keys) {
  return impl_->list(unit, KeyRole::kMember, num_keys, true);
}

DigestCursor DigestStore::queries(const Unit& unit, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t begin = list_offset(unit, KeyRole::kQuery) + first;
  if (DigestList list = impl_->list(unit, KeyRole::kQuery, begin + count, false)) {
    return {std::move(list), begin, count};
  }
  return hash_anew(unit, KeyRole::kQuery, first, count);
}

DigestCursor DigestStore::hash_anew(const Unit& unit, KeyRole role, std::uint64_t first,
                                    std::uint64_t count) {
  return {impl_->generator(unit), role, first, count};
}

std::uint64_t DigestStore::held_bytes() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->held;
}

}  // namespace bloometry
