#include "core/theory/fill_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/support/catch.hpp"

namespace {

using namespace bloometry;
using namespace bloometry::theory;

constexpr double kNotWritten = -1;

/// Returns random values between 1e-40 and 1, the range of the probabilities in a band.
std::vector<double> some_band(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> exponent(-40, 0);
  std::vector<double> band(size);
  for (double& p : band) p = std::pow(10.0, exponent(generator));
  return band;
}

std::vector<double> thrown(const std::vector<double>& before, double first, double taken,
                           double num_bits) {
  const double scale = 1.0 / (num_bits - taken);
  std::vector<double> after = {before[0] * ((first - taken) * scale)};
  for (std::size_t i = 1; i < before.size(); ++i) {
    const double ones = first + static_cast<double>(i);
    after.push_back((before[i] * (ones - taken) + before[i - 1] * (num_bits - ones + 1.0)) * scale);
  }
  return after;
}

std::vector<double> convolution(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sums(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) sums[i + j] += a[i] * b[j];
  }
  return sums;
}

std::vector<double> convolution_of(const FillKernels& kernels, const std::vector<double>& a,
                                   const std::vector<double>& b) {
  constexpr std::size_t kMargin = FillKernels::kBlockSize - 1;
  std::vector<double> padded(b.size() + 2 * kMargin, 0.0);
  std::copy(b.begin(), b.end(), padded.begin() + kMargin);
  std::vector<double> sums(a.size() + b.size() + kMargin, kNotWritten);
  kernels.convolve(a.data(), a.size(), padded.data() + kMargin, b.size(), sums.data());
  sums.resize(a.size() + b.size() - 1);
  return sums;
}

}  // namespace

TEST_CASE("fill kernels: every instruction set gives the results of plain loops bit for bit",
          "[core][theory]") {
  for (const Isa isa : supported_isas()) {
    INFO(isa_name(isa));
    const FillKernels& kernels = fill_kernels(isa);
    for (const std::size_t size : {1U, 2U, 3U, 8U, 9U, 17U, 31U, 64U, 517U}) {
      INFO("size " << size);
      const std::vector<double> band = some_band(size, size);
      for (const double taken : {0.0, 3.0}) {
        std::vector<double> after(size + 8, kNotWritten);
        kernels.throw_probe(band.data(), after.data(), size, 1000, taken, 123'457);
        CHECK(std::count(after.begin() + static_cast<std::ptrdiff_t>(size), after.end(),
                         kNotWritten) == 8);
        after.resize(size);
        CHECK(after == thrown(band, 1000, taken, 123'457));
      }
      for (const std::size_t other : {1U, 5U, 16U, 100U}) {
        const std::vector<double> more = some_band(other, other + 1000);
        CHECK(convolution_of(kernels, band, more) == convolution(band, more));
        CHECK(convolution_of(kernels, more, band) == convolution(more, band));
      }
    }
  }
}
