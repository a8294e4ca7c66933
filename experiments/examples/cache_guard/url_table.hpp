#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "experiments/examples/cache_guard/request_log.hpp"

struct pg_conn;  // of libpq

namespace bloometry::examples {

/// The table old_urls of a PostgreSQL database: where each old URL has moved to.
class UrlTable {
 public:
  /// @param connection as PQconnectdb takes it @throws IoError
  explicit UrlTable(const std::string& connection);

  /// Makes the table and fills it with the existing URLs of a log. @throws IoError
  void create(const RequestLog& log);

  /// Looks a URL up by the primary key. @throws IoError
  [[nodiscard]] std::optional<std::string> find(const std::string& url);

  /// Look-ups so far, as PostgreSQL itself counts them. @throws IoError
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
