#include "experiments/report/html_text.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace bloometry::report;

TEST_CASE("html_text: escaped text has no tags or quotes", "[report]") {
  CHECK(escape_html("<b a='1' c=\"2\">&") == "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
}

TEST_CASE("html_text: escaped JSON reads back unchanged and has no tags", "[report]") {
  const nlohmann::json document = {{"a", "</script><!--"}, {"b", {1, 2.5}}};
  const std::string escaped = escape_json(document);
  CHECK(escaped.find('<') == std::string::npos);
  CHECK(nlohmann::json::parse(escaped) == document);
}

TEST_CASE("html_text: bytes that are not UTF-8 become replacement characters", "[report]") {
  CHECK(escape_json(nlohmann::json("a\xff")) == "\"a\xEF\xBF\xBD\"");
}

TEST_CASE("html_text: a script cannot end its element or open a comment", "[report]") {
  CHECK(escape_script("a='</script>'") == "a='<\\/script>'");
  CHECK(escape_script("'</ScRiPt'") == "'<\\/ScRiPt'");
  CHECK(escape_script("'<!--'") == "'<\\!--'");
  CHECK(escape_script("a<b && b</c/") == "a<b && b</c/");
}

TEST_CASE("html_text: values of a template are not filled in again", "[report]") {
  CHECK(fill_template("{{a}}-{{b}}-{{a}}", {{"a", "{{b}}"}, {"b", "1"}}) == "{{b}}-1-{{b}}");
}

TEST_CASE("html_text: a template that names a missing value is an error", "[report]") {
  CHECK_THROWS_AS(fill_template("{{missing}}", {}), std::out_of_range);
}
