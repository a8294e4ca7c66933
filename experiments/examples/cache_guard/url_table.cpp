#include "experiments/examples/cache_guard/url_table.hpp"

#include <libpq-fe.h>

#include <fmt/core.h>

#include "core/error.hpp"

namespace bloometry::examples {
namespace {

struct Clear {
  void operator()(PGresult* result) const noexcept { PQclear(result); }
};

using Result = std::unique_ptr<PGresult, Clear>;

}  // namespace

void UrlTable::Close::operator()(pg_conn* connection) const noexcept {
  PQfinish(connection);
}

UrlTable::UrlTable(const std::string& connection) : connection_(PQconnectdb(connection.c_str())) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) fail("connect");
}

void UrlTable::fail(const char* what) const {
  throw IoError(fmt::format("PostgreSQL: {}: {}", what, PQerrorMessage(connection_.get())));
}

void UrlTable::run(const char* sql) {
  const Result result(PQexec(connection_.get(), sql));
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail(sql);
}

void UrlTable::create(const RequestLog& log) {
  run("CREATE TABLE old_urls (url text PRIMARY KEY, target text NOT NULL)");
  {
    const Result copy(PQexec(connection_.get(), "COPY old_urls FROM STDIN"));
    if (PQresultStatus(copy.get()) != PGRES_COPY_IN) fail("COPY");
  }
  for (std::uint64_t i = 0; i < log.num_urls; ++i) {
    const std::string line = fmt::format("{}\t{}\n", log.urls[i], target_number(i));
    if (PQputCopyData(connection_.get(), line.data(), static_cast<int>(line.size())) != 1) {
      fail("COPY");
    }
  }
  if (PQputCopyEnd(connection_.get(), nullptr) != 1) fail("COPY");
  while (const Result end{PQgetResult(connection_.get())}) {
    if (PQresultStatus(end.get()) != PGRES_COMMAND_OK) fail("COPY");
  }
  run("VACUUM ANALYZE old_urls");
  const Result statement(PQprepare(connection_.get(), "find",
                                   "SELECT target FROM old_urls WHERE url = $1", 1, nullptr));
  if (PQresultStatus(statement.get()) != PGRES_COMMAND_OK) fail("PREPARE");
}

std::optional<std::string> UrlTable::find(const std::string& url) {
  const char* const parameter = url.c_str();
  const Result result(
      PQexecPrepared(connection_.get(), "find", 1, &parameter, nullptr, nullptr, 0));
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) fail("lookup");
  if (PQntuples(result.get()) == 0) return std::nullopt;
  return PQgetvalue(result.get(), 0, 0);
}

std::uint64_t UrlTable::num_lookups() {
  run("SELECT pg_stat_force_next_flush()");
  const Result result(PQexec(connection_.get(),
                             "SELECT seq_scan + idx_scan FROM pg_stat_user_tables "
                             "WHERE relname = 'old_urls'"));
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK || PQntuples(result.get()) != 1) {
    fail("statistics");
  }
  return std::stoull(PQgetvalue(result.get(), 0, 0));
}

}  // namespace bloometry::examples
