// Mutates filter files for libFuzzer. A reader rejects a file with a wrong checksum, and nearly
// every changed byte makes a checksum wrong. The mutator therefore corrects lengths and checksums
// in most inputs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash/little_endian.hpp"
#include "tests/fuzz/file_parts.hpp"
#include "variants/registry/registry.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace bloometry::fuzz {
namespace {

using Generator = std::minstd_rand;

std::size_t draw(Generator& generator, std::size_t range) {
  return generator() / 16 % std::max<std::size_t>(range, 1);
}

/// Mutates a string by libFuzzer's mutations. The string may grow by up to `growth` bytes.
void mutate(std::string& text, std::size_t growth) {
  const std::size_t size = text.size();
  text.resize(size + growth);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
}

std::string bytes_of(std::uint64_t number) {
  std::string bytes;
  append_little_endian(bytes, number);
  return bytes;
}

/// Returns a small number, or a number at or near a power of two.
std::uint64_t draw_number(Generator& generator) {
  const std::uint64_t power = std::uint64_t{1} << draw(generator, 64);
  const std::uint64_t numbers[] = {power, power - 1, power + 1, ~power + 1, draw(generator, 600)};
  return numbers[draw(generator, std::size(numbers))];
}

/// Changes the scheme in the file, and with probability 1/2 also the variant.
void change_class(FileParts& parts, Generator& generator) {
  const auto variants = all_variant_infos();
  const VariantInfo& variant = variants[draw(generator, variants.size())];
  const bool keeps_variant = draw(generator, 2) == 0;
  for (FieldPart& field : parts.fields) {
    if (field.name == "variant" && !keeps_variant) field.value = variant.name;
    if (field.name == "probes") {
      field.value = variant.schemes[draw(generator, variant.schemes.size())].name;
    }
  }
}

/// Returns a field with a random value. The field is a parameter of a variant or an optional field.
FieldPart draw_field(Generator& generator) {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names = {"hash",     "seed",         "key_id",
                                      "max_fill", "num_inserted", "num_refused_erases",
                                      "capacity", "block_cells",  "target_false_positive_rate"};
    for (const VariantInfo& variant : all_variant_infos()) {
      for (const ParamInfo& param : variant.params) {
        names.push_back("param." + std::string(param.name));
      }
    }
    return names;
  }();
  const std::string& name = kNames[draw(generator, kNames.size())];
  const auto type = static_cast<std::uint8_t>(1 + draw(generator, 4));
  const std::string value = type == 3 ? "xxh3" : bytes_of(draw_number(generator));
  return {type, static_cast<std::uint8_t>(draw(generator, 2)), name, value};
}

void change_fields(FileParts& parts, Generator& generator) {
  if (parts.fields.empty() || draw(generator, 8) == 0) {
    parts.fields.push_back(draw_field(generator));
    return;
  }
  const std::size_t at = draw(generator, parts.fields.size());
  FieldPart& field = parts.fields[at];
  switch (draw(generator, 8)) {
    case 0:
      return mutate(field.name, 8);
    case 1:
      parts.fields.erase(parts.fields.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    case 2:
      return parts.fields.push_back(FieldPart(field));
    case 3:
      return std::swap(field, parts.fields[draw(generator, parts.fields.size())]);
    case 4:
      field.type = static_cast<std::uint8_t>(draw(generator, 7));
      return;
    case 5:
      if (field.value.size() >= 8) {
        const std::size_t word = draw(generator, field.value.size() / 8);
        field.value.replace(8 * word, 8, bytes_of(draw_number(generator)));
      }
      return;
    default:
      return mutate(field.value, 40);
  }
}

void change(FileParts& parts, Generator& generator, std::size_t max_size) {
  const std::size_t kind = draw(generator, 8);
  if (kind == 0) {
    change_class(parts, generator);
  } else if (kind <= 2) {
    mutate(parts.payload, 64);
  } else {
    change_fields(parts, generator);
  }
  if (draw(generator, 2) == 0) fit_payload(parts, max_size);
  if (draw(generator, 16) == 0) {
    parts.num_fields = static_cast<std::uint32_t>(draw_number(generator));
  }
}

/// Writes the file to `data` if the file has at most max_size bytes. Returns the number of bytes in
/// `data` after the call.
std::size_t put(const std::string& file, std::uint8_t* data, std::size_t size,
                std::size_t max_size) {
  if (file.size() > max_size) return size;
  std::memcpy(data, file.data(), file.size());
  return file.size();
}

std::string_view view_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace
}  // namespace bloometry::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  using namespace bloometry::fuzz;
  Generator generator(seed);
  generator.discard(2);
  const std::size_t kind = draw(generator, 8);
  if (kind == 0) return LLVMFuzzerMutate(data, size, max_size);  // not repaired
  if (kind == 1) size = LLVMFuzzerMutate(data, size, max_size);
  FileParts parts = parts_of(view_of(data, size));
  for (std::size_t left = kind == 1 ? 0 : 1 + draw(generator, 3); left > 0; --left) {
    change(parts, generator, max_size);
  }
  return put(file_of(parts), data, size, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                                 const std::uint8_t* data2, std::size_t size2,
                                                 std::uint8_t* out, std::size_t max_out_size,
                                                 unsigned seed) {
  using namespace bloometry::fuzz;
  Generator generator(seed);
  generator.discard(2);
  FileParts parts = parts_of(view_of(data1, size1));
  const FileParts other = parts_of(view_of(data2, size2));
  for (const FieldPart& field : other.fields) {
    if (draw(generator, 3) != 0) continue;
    const auto same = std::ranges::find(parts.fields, field.name, &FieldPart::name);
    if (same == parts.fields.end()) {
      parts.fields.push_back(field);
    } else {
      *same = field;
    }
  }
  if (draw(generator, 2) == 0) parts.payload = other.payload;
  if (draw(generator, 2) == 0) fit_payload(parts, max_out_size);
  return put(file_of(parts), out, 0, max_out_size);
}
