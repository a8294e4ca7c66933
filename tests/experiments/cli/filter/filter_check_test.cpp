#include "experiments/cli/filter/filter_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/statistics/seed_sequence.hpp"
#include "core/statistics/special_functions.hpp"
#include "experiments/cli/filter/check_output.hpp"
#include "experiments/cli/filter/check_state.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/workload/zipf_ranks.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kCapacity = 1000;
constexpr double kTarget = 0.01;
constexpr unsigned kNumHistories = 1000;
constexpr unsigned kNumChecks = 20;

/// A filter of integers that grows from check to check.
class CheckedFilter {
 public:
  explicit CheckedFilter(std::uint64_t history)
      : random_(SeedSequence(test::test_seed()).seed("check", "test", history)) {
    FileHeader header;
    header.notes = {.capacity = kCapacity, .target_false_positive_rate = kTarget};
    filter_ = std::make_unique<BloometryFilter>(
        find_variant("standard")
            .schemes.front()
            .make({.capacity = kCapacity, .target_false_positive_rate = kTarget}),
        FilterHash("xxh3", 0, std::nullopt), header);
  }

  /// Returns a random word of this filter.
  [[nodiscard]] std::uint64_t identity() const noexcept { return identity_; }

  [[nodiscard]] std::mt19937_64& random() noexcept { return random_; }

  /// Inserts new keys. Keys are random words of 64 bits, so that a query is never one of them.
  void insert(std::uint64_t num_keys) { (void)filter_->insert(views_of(new_words(num_keys))); }

  /// Inserts random words of num_bits bits.
  void insert_narrow(std::uint64_t num_keys, unsigned num_bits) {
    (void)filter_->insert(views_of(narrow_words(num_keys, num_bits)));
  }

  [[nodiscard]] std::vector<std::uint64_t> narrow_words(std::size_t num_words, unsigned num_bits) {
    std::vector<std::uint64_t> words = new_words(num_words);
    for (std::uint64_t& word : words) word >>= 64U - num_bits;
    return words;
  }

  /// Queries the words. Returns the counters of a service that counts num_present queries of
  /// members, too.
  [[nodiscard]] QueryCounters query(const std::vector<std::uint64_t>& words,
                                    std::uint64_t num_present) const {
    const auto answers = std::make_unique<bool[]>(words.size());
    filter_->contains(views_of(words), {answers.get(), words.size()});
    const auto num_false =
        static_cast<std::uint64_t>(std::count(answers.get(), answers.get() + words.size(), true));
    return {words.size() - num_false, num_false + num_present, num_present};
  }

  [[nodiscard]] std::vector<std::uint64_t> new_words(std::size_t num_words) {
    std::vector<std::uint64_t> words(num_words);
    for (std::uint64_t& word : words) word = random_();
    return words;
  }

  /// Returns the facts. The rate of the cells is exact, and the expected rate is left out.
  [[nodiscard]] FilterFacts facts() const {
    FilterFacts facts = filter_->description();
    facts.set_given_state({.rate = facts.state.conditional_false_positive_rate});
    return facts;
  }

 private:
  static std::vector<KeyView> views_of(const std::vector<std::uint64_t>& words) {
    std::vector<KeyView> views;
    views.reserve(words.size());
    for (const std::uint64_t& word : words) {
      views.emplace_back(std::string_view(reinterpret_cast<const char*>(&word), sizeof word));
    }
    return views;
  }

  std::mt19937_64 random_;
  std::uint64_t identity_ = random_();
  std::unique_ptr<BloometryFilter> filter_;
};

/// The results of the checks of one filter.
struct History {
  CheckHistory kept{};
  FilterCheck last{};
  double largest_log_evidence = -std::numeric_limits<double>::infinity();
};

/// Checks the filter after each of 20 equal parts of its keys.
/// @param count counts the queries of one check: QueryCounters(CheckedFilter&, const FilterFacts&)
template <class Count>
History history_of(std::uint64_t seed, std::uint64_t num_keys,
                   std::optional<std::uint64_t> max_repeats, Count count) {
  CheckedFilter filter(seed);
  History history;
  for (unsigned i = 0; i < kNumChecks; ++i) {
    filter.insert(num_keys / kNumChecks);
    const FilterFacts facts = filter.facts();
    const QueryCounters counters = count(filter, facts);
    history.last = check_filter(facts, false, counters, max_repeats, history.kept);
    history.largest_log_evidence =
        std::max(history.largest_log_evidence, history.last.log_evidence);
  }
  return history;
}

/// The numbers of the histories with each verdict at their end, and with a raised alarm.
struct Tally {
  std::map<CheckVerdict, unsigned> num_verdicts{};
  unsigned num_raised = 0;
  unsigned num_above_20 = 0;  ///< histories whose evidence reached 20
};

template <class Count>
Tally tally_of(std::uint64_t num_keys, std::optional<std::uint64_t> max_repeats, Count count) {
  Tally tally;
  for (unsigned i = 0; i < kNumHistories; ++i) {
    const History history = history_of(i, num_keys, max_repeats, count);
    ++tally.num_verdicts[history.last.verdict];
    tally.num_raised += history.kept.is_raised ? 1U : 0U;
    tally.num_above_20 += history.largest_log_evidence >= std::log(20.0) ? 1U : 0U;
  }
  return tally;
}

/// Checks that false alarms of probability at most `probability` each explain their number.
void check_false_alarms(unsigned num_alarms, double probability) {
  INFO(num_alarms << " false alarms of probability " << probability);
  CHECK(statistics::binomial_upper_tail(kNumHistories, probability, num_alarms) >=
        test::rejection_threshold());
}

/// Returns counters of num_queries new keys with the given rate. A fifth of the queries more are of
/// members.
QueryCounters drawn_counters(std::mt19937_64& random, std::uint64_t num_queries, double rate) {
  std::binomial_distribution<std::uint64_t> draw(num_queries, rate);
  const std::uint64_t num_false = draw(random);
  const std::uint64_t num_present = num_queries / 5;
  return {num_queries - num_false, num_false + num_present, num_present};
}

/// Returns a count of queries whose absent keys have a Zipf law, so that a few keys have most of
/// them. The keys are the same in all checks of a filter.
auto zipf_queries(std::uint64_t num_queries) {
  return [ranks = ZipfRanks(1.0, 10'000), num_queries](CheckedFilter& filter, const FilterFacts&) {
    std::vector<std::uint64_t> words = filter.new_words(num_queries);
    // Members are random words, so that a rank is absent. Each history has other keys.
    const std::uint64_t first = filter.identity();
    for (std::uint64_t& word : words) word = first + ranks.rank(word);
    return filter.query(words, num_queries / 5);
  };
}

FilterFacts facts_after(std::uint64_t num_keys) {
  CheckedFilter filter(0);
  filter.insert(num_keys);
  return filter.facts();
}

FilterCheck checked(const FilterFacts& facts, const QueryCounters& counters) {
  CheckHistory history;
  return check_filter(facts, false, counters, std::nullopt, history);
}

std::string message_of_counters(std::vector<std::string> items) {
  return test::message_of<ConfigError>([&] { (void)parse_counters(items); });
}

}  // namespace

TEST_CASE("filter check: correct filters raise no more alarms than promised",
          "[filter_check][statistical]") {
  const Tally tally =
      tally_of(kCapacity, std::nullopt, [](CheckedFilter& filter, const FilterFacts&) {
        return filter.query(filter.new_words(2000), 400);
      });
  INFO("correct: " << tally.num_raised << " of 1000 raised, " << tally.num_above_20
                   << " reached the evidence 20");
  check_false_alarms(tally.num_raised, kCheckFalseAlarm);
  check_false_alarms(tally.num_above_20, 0.05);
  // The estimate of the keys exceeds the capacity by 5 standard deviations by chance.
  const auto overfull = tally.num_verdicts.find(CheckVerdict::kOverfull);
  check_false_alarms(overfull == tally.num_verdicts.end() ? 0 : overfull->second,
                     statistics::normal_upper_tail(5));
}

TEST_CASE("filter check: filters with half as many keys again are overfull",
          "[filter_check][statistical]") {
  const Tally tally = tally_of(
      3 * kCapacity / 2, std::nullopt, [](CheckedFilter& filter, const FilterFacts& facts) {
        return drawn_counters(filter.random(), 2000, *facts.rate_given_state);
      });
  CHECK(tally.num_verdicts == std::map<CheckVerdict, unsigned>{{CheckVerdict::kOverfull, 1000}});
  check_false_alarms(tally.num_raised, kCheckFalseAlarm);
}

TEST_CASE("filter check: finds a rate of 1.5 times that of the fill",
          "[filter_check][statistical]") {
  // The checks expect about 2,400 false positives together. The alarm needs 1.5 times as many less
  // 10 standard deviations.
  const Tally tally =
      tally_of(kCapacity, std::nullopt, [](CheckedFilter& filter, const FilterFacts& facts) {
        return drawn_counters(filter.random(), 40'000, 1.5 * *facts.rate_given_state);
      });
  CHECK(tally.num_verdicts == std::map<CheckVerdict, unsigned>{{CheckVerdict::kHashSuspect, 1000}});
}

TEST_CASE("filter check: finds a doubled rate with the number of queries that it demands",
          "[filter_check][statistical]") {
  unsigned num_missed = 0;
  for (unsigned i = 0; i < kNumHistories; ++i) {
    CheckedFilter filter(i);
    filter.insert(kCapacity);
    const FilterFacts facts = filter.facts();
    const std::uint64_t num_needed =
        statistics::queries_to_detect_double(*facts.rate_given_state, 1e-6, 0.99).value();
    const FilterCheck check =
        checked(facts, drawn_counters(filter.random(), num_needed, 2 * *facts.rate_given_state));
    REQUIRE(check.num_needed == num_needed);
    CHECK(check.verdict != CheckVerdict::kUndecided);
    num_missed += check.is_raised ? 0U : 1U;
  }
  INFO("doubled: " << num_missed << " of 1000 missed");
  check_false_alarms(num_missed, 0.01);
}

TEST_CASE("filter check: finds digests that have lost bits", "[filter_check][statistical]") {
  // Queries and members are words of 17 bits, as if digests had 17 bits: a query equals one of 1000
  // members with probability 0.0076, which the rate given the cells does not contain. The rate is
  // 1.76 times that of the cells, and a check finds it with probability 0.98.
  unsigned num_raised = 0;
  for (unsigned i = 0; i < kNumHistories; ++i) {
    CheckedFilter filter(i);
    filter.insert_narrow(kCapacity, 17);
    const std::vector<std::uint64_t> words = filter.narrow_words(16'000, 17);
    num_raised += checked(filter.facts(), filter.query(words, 0)).is_raised ? 1U : 0U;
  }
  INFO("17 bits: " << num_raised << " of 1000 raised by one check");
  CHECK(num_raised > kNumHistories / 2);
}

TEST_CASE("filter check: popular keys raise false alarms unless their repeats are given",
          "[filter_check][statistical]") {
  constexpr std::uint64_t kQueries = 1000;
  const Tally as_new = tally_of(kCapacity, std::nullopt, zipf_queries(kQueries));
  // The most popular key has 102 queries on average, with a standard deviation of 10.
  const Tally repeated = tally_of(kCapacity, 200, zipf_queries(kQueries));
  INFO("Zipf keys: " << as_new.num_raised << " of 1000 raised as new keys, " << repeated.num_raised
                     << " with --max-repeats");
  CHECK(as_new.num_raised > 0);
  check_false_alarms(repeated.num_raised, kCheckFalseAlarm);
}

TEST_CASE("filter check: divides by the queries of absent keys", "[filter_check]") {
  const FilterFacts facts = facts_after(kCapacity);
  // 980 absent and 20 false positives, beside 4000 true positives.
  const FilterCheck check = checked(facts, {980, 4020, 4000});
  CHECK(check.measured_rate == 0.02);
  const statistics::Interval interval = statistics::clopper_pearson(20, 1000, 0.05);
  CHECK(check.interval.lower == interval.lower);
  CHECK(check.interval.upper == interval.upper);
  CHECK(check.rate == facts.state.conditional_false_positive_rate);
  statistics::ExcessEvidence evidence;
  evidence.observe({.positives = 20, .num_queries = 1000}, check.rate);
  CHECK(check.log_evidence == evidence.log_evidence());
}

TEST_CASE("filter check: parses counters in any order and names the wrong one", "[filter_check]") {
  const QueryCounters counters = parse_counters({"true=1", "positives=3", "negatives=1e3"});
  CHECK(counters.negatives == 1000);
  CHECK(counters.positives == 3);
  CHECK(counters.true_positives == 1);
  CHECK(message_of_counters({"negatives=1", "positives=1"}).ends_with("true is missing"));
  CHECK(message_of_counters({"negatives=1", "negatives=1"}).ends_with("got negatives twice"));
  CHECK(message_of_counters({"hits=1"}).ends_with("got 'hits=1'"));
  CHECK(message_of_counters({"true"}).ends_with("got 'true'"));
  CHECK(message_of_counters({"negatives=1", "positives=1", "true=2"}) ==
        "--counters: true must be at most positives = 1, got 2");
  CHECK(message_of_counters({"negatives=0", "positives=1", "true=1"}).find("absent key") !=
        std::string::npos);
  CHECK_THROWS_AS(parse_counters({"negatives=1.5", "positives=1", "true=0"}), ConfigError);
  CHECK_THROWS_AS(parse_counters({"negatives=-1", "positives=1", "true=0"}), ConfigError);
  CHECK_THROWS_AS(parse_false_alarm("--false-alarm", "0"), ConfigError);
  CHECK_THROWS_AS(parse_false_alarm("--false-alarm", "1"), ConfigError);
}

TEST_CASE("filter check: an alarm stays raised, and few queries are undecided", "[filter_check]") {
  const FilterFacts facts = facts_after(kCapacity);
  CheckHistory history;
  const auto check = [&](const QueryCounters& counters) {
    return check_filter(facts, false, counters, std::nullopt, history);
  };
  CHECK(check({990, 10, 0}).verdict == CheckVerdict::kUndecided);
  CHECK(check({99'000, 1000, 0}).verdict == CheckVerdict::kSound);
  CHECK(check({900, 100, 0}).verdict == CheckVerdict::kHashSuspect);
  CHECK(check({990'000, 10'000, 0}).verdict == CheckVerdict::kHashSuspect);
}

TEST_CASE("filter check: without a rate to tell, the verdict is undecided", "[filter_check]") {
  const FilterCheck empty = checked(facts_after(0), {1000, 0, 0});
  CHECK(empty.verdict == CheckVerdict::kUndecided);
  CHECK_FALSE(empty.num_needed);
  CHECK(checked(facts_after(0), {1000, 1, 0}).verdict == CheckVerdict::kHashSuspect);
}

TEST_CASE("filter check: a filter that lost keys is tested against its target", "[filter_check]") {
  const FilterFacts facts = facts_after(100);
  CheckHistory history;
  CHECK(check_filter(facts, true, {1000, 1, 0}, std::nullopt, history).allowed_rate == kTarget);
  FilterFacts forgetting = facts;
  forgetting.generations = GenerationCounts{.num_inserted = {100, 0}, .num_rotations = 3};
  forgetting.params = {{"generation_capacity", 500.0}};
  history = {};
  CHECK(check_filter(forgetting, false, {1000, 1, 0}, std::nullopt, history).allowed_rate ==
        kTarget);
  CHECK(history.num_rotations == 3);
  CHECK(check_filter(forgetting, false, {1000, 1, 0}, std::nullopt, history).allowed_rate ==
        facts.rate_given_state);
  forgetting.notes.target_false_positive_rate.reset();
  forgetting.generations->num_rotations = 4;
  CHECK_THROWS_AS(check_filter(forgetting, false, {1000, 1, 0}, std::nullopt, history),
                  ConfigError);
}

TEST_CASE("filter check: refuses filters without a rate, and the history of others",
          "[filter_check]") {
  FilterFacts facts = facts_after(500);
  CheckHistory history;
  (void)check_filter(facts, false, {1000, 1, 0}, std::nullopt, history);
  CHECK_THROWS_AS(check_filter(facts_after(499), false, {1, 0, 0}, std::nullopt, history),
                  ConfigError);
  FilterFacts other = facts_after(501);
  other.seed = 7;
  CHECK_THROWS_AS(check_filter(other, false, {1, 0, 0}, std::nullopt, history), ConfigError);
  facts.rate_given_state.reset();
  CHECK_THROWS_AS(checked(facts, {1000, 1, 0}), ConfigError);
}

TEST_CASE("filter check: a state that was written is read again, and damage is found",
          "[filter_check]") {
  CheckHistory history;
  const FilterFacts facts = facts_after(500);
  (void)check_filter(facts, false, {1000, 1, 0}, std::nullopt, history);
  (void)check_filter(facts, false, {1000, 1, 0}, 10, history);
  CHECK(parse_history(to_text(history)) == history);
  CHECK(parse_history("") == CheckHistory{});
  CheckHistory certain;
  (void)check_filter(facts_after(0), false, {1000, 1, 0}, std::nullopt, certain);
  CHECK(parse_history(to_text(certain)) == certain);
  const std::string text = to_text(history);
  CHECK(test::message_of<ConfigError>([&] {
          (void)parse_history("bits");
        }).starts_with("is not a state"));
  for (const std::size_t at : {std::size_t{60}, text.size() / 2, text.size() - 10}) {
    std::string damaged = text;
    damaged[at] = damaged[at] == '1' ? '2' : '1';
    CHECK(test::message_of<ConfigError>([&] {
            (void)parse_history(damaged);
          }).starts_with("is damaged"));
    CHECK_THROWS_AS(parse_history(text.substr(0, at)), ConfigError);
  }
}

TEST_CASE("filter check: prints gauges with an escaped label", "[filter_check]") {
  const FilterFacts facts = facts_after(kCapacity);
  const std::string text = prometheus_text(checked(facts, {980, 20, 0}), facts, "a\"b\\c\n");
  CHECK(text.find("# HELP bloometry_filter_measured_rate ") == 0);
  CHECK(text.find("\n# TYPE bloometry_filter_measured_rate gauge\n"
                  "bloometry_filter_measured_rate{file=\"a\\\"b\\\\c\\n\"} 0.02\n") !=
        std::string::npos);
  CHECK(text.find("bloometry_filter_alarm{file=\"a\\\"b\\\\c\\n\"} 0\n") != std::string::npos);
  CheckHistory history;
  const FilterFacts empty = facts_after(0);
  const FilterCheck certain = check_filter(empty, false, {1, 1, 0}, std::nullopt, history);
  CHECK(prometheus_text(certain, empty, "f").find("evidence_log10{file=\"f\"} +Inf\n") !=
        std::string::npos);
}

}  // namespace bloometry
