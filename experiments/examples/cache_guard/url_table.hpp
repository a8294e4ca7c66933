#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "experiments/examples/cache_guard/request_log.hpp"

struct pg_conn;  // defined by libpq

namespace bloometry::examples {

/// The table old_urls in a PostgreSQL database. The table contains the new address of each old URL.
class UrlTable {
 public:
  /// Connects to the database; the argument is a connection string for PQconnectdb. Throws IoError.
  explicit UrlTable(const std::string& connection);

  /// Creates the table and fills it with the existing URLs of a log. Throws IoError.
  void create(const RequestLog& log);

  /// Returns the new address of a URL, or nullopt for a missing URL. Throws IoError.
  [[nodiscard]] std::optional<std::string> find(const std::string& url);

  /// Returns the number of lookups so far according to PostgreSQL's statistics. Throws IoError.
  [[nodiscard]] std::uint64_t num_lookups();

 private:
  struct Close {
    void operator()(pg_conn* connection) const noexcept;
  };

  void run(const char* sql);
  [[noreturn]] void fail(const char* what) const;

  std::unique_ptr<pg_conn, Close> connection_;
};

}  // namespace bloometry::examples
