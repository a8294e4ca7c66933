#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/theory/coincidence_strata.hpp"
#include "core/theory/coincidences.hpp"
#include "core/theory/modulo_scheme.hpp"

/// Numerical integration of the rate of a scheme over its coincidences (theory 1.10).
namespace bloometry::theory {

/// Nodes of the integration over queries, for neighbouring indices. Coincidences of indices that
/// are further apart contribute less, and get fewer nodes.
inline constexpr double kNodesOfQuery = 50000;

/// Returns the number of nodes of the integration over members. With many keys, own coincidences
/// dominate, and fewer nodes suffice. Each stratum first gets kPilotNodes, which only decide how
/// the other nodes are distributed.
constexpr double nodes_of_members(double num_keys) noexcept {
  return num_keys > 200 ? 40000 : num_keys > 10 ? 200000 : 500000;
}

inline constexpr unsigned kPilotNodes = 8;
inline constexpr unsigned kLeastNodes = 4;
/// Above this number of hashes, nodes are fewer, and independent probes are approximated.
inline constexpr unsigned kManyHashes = 64;
inline constexpr std::uint64_t kSeed = 0x5eed;

/// The integrands of a rate. The rate is E[B(T)] + E[T] E[C(T)] + n E[F(T, A)]. T is the number of
/// distinct indices of a query, and A is the number of these indices that a member covers.
class Integrands {
 public:
  Integrands(const CoverProbabilities& cover, double n, std::uint64_t m)
      : cover_(cover), n_(n), m_(static_cast<double>(m)) {}

  /// Returns the rate if no member covers more than its share.
  [[nodiscard]] double without_members(unsigned t) const {
    return cover_.with_all[t] - cover_.gain[t];
  }

  /// Returns the coefficient of the mean number of cells that a member sets.
  [[nodiscard]] double per_member_cell(unsigned t) const { return n_ * t / m_ * first_cell(t); }

  [[nodiscard]] std::optional<double> cells_per_member() const { return cover_.cells_per_member; }

  /// Returns the gain by a member that covers `a` of t cells, beyond `a` times the gain by one
  /// cell.
  [[nodiscard]] double of_member(unsigned t, unsigned a) const {
    return cover_.without_one[t - a] - cover_.without_one[t] - a * first_cell(t);
  }

 private:
  [[nodiscard]] double first_cell(unsigned t) const {
    return t == 0 ? 0 : cover_.without_one[t - 1] - cover_.without_one[t];
  }

  const CoverProbabilities& cover_;
  double n_;
  double m_;
};

/// Integrates over queries with coincident indices, and over members that cover two indices of a
/// query.
template <class Scheme>
class Integration {
 public:
  Integration(const Scheme& scheme, const Integrands& integrands, double n, double effort)
      : scheme_(scheme),
        integrands_(integrands),
        n_(n),
        k_(scheme.num_hashes()),
        effort_(k_ > kManyHashes ? effort * kManyHashes / k_ : effort),
        query_(k_),
        member_(k_) {}

  [[nodiscard]] ModelRate rate() {
    const std::vector<PairsOfPlaces> classes = classes_of_pairs(k_);
    for (unsigned d = 0; d < classes.size(); ++d) {
      integrate_queries(classes[d], num_nodes(kNodesOfQuery / (d + 1)));
    }
    integrate_members(classes);
    return sum();
  }

 private:
  /// The pairs of a query that a member meets at pairs of its own places, in one direction.
  struct Meeting {
    const PairsOfPlaces* of_query;
    const PairsOfPlaces* of_member;
    bool is_reversed;
  };

  [[nodiscard]] unsigned num_nodes(double number) const {
    return std::max(kLeastNodes, static_cast<unsigned>(number * effort_));
  }

  void integrate_queries(const PairsOfPlaces& pairs, unsigned num_nodes) {
    const auto num_pairs = static_cast<double>(pairs.size());
    Stratum value(num_pairs);
    Stratum per_cell(num_pairs);
    Stratum missing(num_pairs);
    for (unsigned node = 0; node < num_nodes; ++node) {
      const auto [i, j] = pairs.draw(draws_);
      KeyWords words = scheme_.draw(draws_);
      double weight = scheme_.meet(words, i, j, draws_);
      unsigned t = k_;
      if (weight > 0) {
        set_sorted(query_, words);
        const Coincidences own = coincidences(query_, {});
        t = own.num_distinct;
        weight /= own.num_own_pairs;
      }
      value.add(weight * (integrands_.without_members(t) - integrands_.without_members(k_)));
      per_cell.add(weight * (integrands_.per_member_cell(t) - integrands_.per_member_cell(k_)));
      missing.add(weight * (k_ - t));
    }
    of_queries_ += value;
    per_cell_ += per_cell;
    missing_ += missing;
  }

  void integrate_members(const std::vector<PairsOfPlaces>& classes) {
    std::vector<Meeting> meetings;
    for (const PairsOfPlaces& of_query : classes) {
      for (const PairsOfPlaces& of_member : classes) {
        meetings.push_back({&of_query, &of_member, false});
        meetings.push_back({&of_query, &of_member, true});
      }
    }
    const std::vector<double> spreads = spreads_of(meetings, classes.size());
    const double nodes = nodes_of_members(n_);
    double sum = 0;
    double sum_by_distance = 0;
    for (const Meeting& meeting : meetings) {
      sum += spreads[group_of(meeting)];
      sum_by_distance += share_by_distance(meeting);
    }
    for (const Meeting& meeting : meetings) {
      const double by_distance = share_by_distance(meeting) / sum_by_distance;
      const double share = sum > 0 ? spreads[group_of(meeting)] / sum : by_distance;
      of_members_ += integrated(meeting, num_nodes(nodes * (share + by_distance) / 2));
    }
  }

  /// Returns the relative number of nodes of a meeting by its distance. Half of the nodes are
  /// distributed by distance, because the pilot nodes may miss rare values.
  static double share_by_distance(const Meeting& meeting) {
    const auto distance = static_cast<double>(group_of(meeting) + 1);
    return 1 / (distance * distance);
  }

  /// Returns the root mean square spread of the meetings of each group, by the pilot nodes.
  std::vector<double> spreads_of(const std::vector<Meeting>& meetings, std::size_t num_groups) {
    std::vector<double> squares(num_groups);
    std::vector<double> counts(num_groups);
    for (const Meeting& meeting : meetings) {
      const double spread = integrated(meeting, kPilotNodes).spread();
      squares[group_of(meeting)] += spread * spread;
      ++counts[group_of(meeting)];
    }
    for (std::size_t g = 0; g < num_groups; ++g) squares[g] = std::sqrt(squares[g] / counts[g]);
    return squares;
  }

  /// Returns the group of a meeting: the meetings with the same larger distance.
  static std::size_t group_of(const Meeting& meeting) {
    return std::min(
        std::max(meeting.of_query->least_distance(), meeting.of_member->least_distance()) - 1,
        kMaxDistance);
  }

  Stratum integrated(const Meeting& meeting, unsigned num_nodes) {
    Stratum gain(static_cast<double>(meeting.of_query->size()) *
                 static_cast<double>(meeting.of_member->size()));
    for (unsigned node = 0; node < num_nodes; ++node) {
      gain.add(gain_of_member(meeting.of_query->draw(draws_), meeting.of_member->draw(draws_),
                              meeting.is_reversed));
    }
    return gain;
  }

  double gain_of_member(std::pair<unsigned, unsigned> at, std::pair<unsigned, unsigned> by,
                        bool is_reversed) {
    if (is_reversed) std::swap(by.first, by.second);
    scheme_.indices(scheme_.draw(draws_), query_);
    KeyWords words = scheme_.draw(draws_);
    const double weight =
        scheme_.place(words, by.first, query_[at.first], by.second, query_[at.second], draws_);
    if (weight == 0) return 0;
    std::sort(query_.begin(), query_.end());
    set_sorted(member_, words);
    const Coincidences found = coincidences(query_, member_);
    if (found.num_met_pairs <= 0) return 0;
    return weight * integrands_.of_member(found.num_distinct, found.num_covered) /
           found.num_met_pairs;
  }

  void set_sorted(std::vector<std::uint64_t>& indices, const KeyWords& words) {
    scheme_.indices(words, indices);
    std::sort(indices.begin(), indices.end());
  }

  [[nodiscard]] ModelRate sum() const {
    const double num_cells = integrands_.cells_per_member().value_or(k_ - missing_.value);
    const double per_cell = integrands_.per_member_cell(k_) + per_cell_.value;
    const double rate = integrands_.without_members(k_) + of_queries_.value + num_cells * per_cell +
                        n_ * of_members_.value;
    return {std::clamp(rate, 0.0, 1.0),
            std::sqrt(of_queries_.variance + num_cells * num_cells * per_cell_.variance +
                      n_ * n_ * of_members_.variance)};
  }

  const Scheme& scheme_;
  const Integrands& integrands_;
  double n_;
  unsigned k_;
  double effort_;
  std::vector<std::uint64_t> query_;
  std::vector<std::uint64_t> member_;
  Draws draws_{kSeed};
  Estimate of_queries_;
  Estimate per_cell_;
  Estimate missing_;
  Estimate of_members_;
};

}  // namespace bloometry::theory
