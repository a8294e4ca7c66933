#include "experiments/report/stream_axes.hpp"

#include <fmt/core.h>

#include "core/text.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

constexpr const char* kNoStream = "no stream";

}  // namespace

std::string label_stream_zipf(const SummaryRow& row, const Wording&) {
  return row.stream ? fmt::format("Zipf({}) stream", number_text(row.stream->zipf)) : kNoStream;
}

std::string label_stream_num_distinct(const SummaryRow& row, const Wording&) {
  return row.stream ? plural(row.stream->num_distinct, "key") : kNoStream;
}

std::string label_stream_insert(const SummaryRow& row, const Wording&) {
  return row.stream ? fmt::format("{} items inserted", row.stream->insert_name()) : kNoStream;
}

std::string label_stream_clear_every(const SummaryRow& row, const Wording&) {
  if (!row.stream) return kNoStream;
  if (row.stream->clear_every == 0) return "never cleared";
  return "cleared every " + plural(row.stream->clear_every, "insert");
}

}  // namespace bloometry::report
