#include "core/rates/block_words.hpp"

#include <cmath>

#include "core/rates/binomial_mixture.hpp"

namespace bloometry {

BlockWords::BlockWords(double num_word_bits, std::uint64_t num_blocks) noexcept
    : num_words_(std::exp2(num_word_bits)),
      num_blocks_(static_cast<double>(num_blocks)),
      few_(std::floor(num_words_ / num_blocks_)),
      num_many_(num_words_ - few_ * num_blocks_) {}

double BlockWords::collision_bits() const noexcept {
  const double many = few_ + 1;
  const double num_few = num_blocks_ - num_many_;
  return -std::log2((num_many_ * many * many + num_few * few_ * few_) / num_words_ / num_words_);
}

std::vector<BlockGroup> BlockWords::groups() const {
  if (num_many_ == 0) return {{num_blocks_, 1, num_words_ / few_}};
  const double share_of_many = num_many_ * (few_ + 1) / num_words_;
  const BlockGroup many = {num_many_, share_of_many, num_words_ / (few_ + 1)};
  if (few_ == 0) return {many};
  return {{num_blocks_ - num_many_, 1 - share_of_many, num_words_ / few_}, many};
}

std::vector<BlockGroup> equal_blocks(std::uint64_t num_blocks) {
  const auto blocks = static_cast<double>(num_blocks);
  return {{blocks, 1, blocks}};
}

double mean_over_blocks(std::span<const BlockGroup> groups, std::uint64_t n,
                        const std::function<double(std::uint64_t)>& at) {
  double mean = 0;
  for (const BlockGroup& group : groups) {
    mean += group.share * cell_mean_of(static_cast<double>(n), group.inverse_probability, at);
  }
  return mean;
}

}  // namespace bloometry
