// A program that includes headers by the paths of version 0.1 (core/moved_headers.cmake).

#include "core/block/integer_kernels.hpp"
#include "core/block/lane_bits.hpp"
#include "core/block/lane_stage.hpp"
#include "core/block/remix_insert.hpp"
#include "core/block/split_block_bits.hpp"
#include "core/filter/compatible.hpp"
#include "core/filter/filter.hpp"
#include "core/filter/filter_spec.hpp"
#include "core/filter/filter_state.hpp"
#include "core/filter/operation.hpp"
#include "core/filter/params.hpp"
#include "core/filter/set_estimates.hpp"
#include "core/filter/size_axis.hpp"
#include "core/filter/variant_description.hpp"
#include "core/handle/any_filter.hpp"
#include "core/handle/filter_file.hpp"
#include "core/handle/keyed.hpp"
#include "core/handle/make_variant_info.hpp"
#include "core/handle/variant_info.hpp"
#include "core/key/key_range.hpp"
#include "core/key/key_view.hpp"
#include "core/store/nibbles.hpp"
#include "variants/standard/standard_filter.hpp"

int main() {
  bloometry::Keyed<bloometry::StandardFilter> filter(
      bloometry::FilterSpec{.capacity = 100, .target_false_positive_rate = 0.01});
  filter.insert("a");
  return filter.contains("a") ? 0 : 1;
}
