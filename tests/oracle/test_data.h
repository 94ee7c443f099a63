// SPDX-License-Identifier: Apache-2.0
// Deterministic operands for the oracle's own tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace swgen::oracle {

// Integers from -8 to 8: sums of products of these are exact in float, whatever the order.
template <typename T>
std::vector<T> integers(int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> data(static_cast<size_t>(count));
    for (T& value : data) value = static_cast<T>(static_cast<int>(random() % 17) - 8);
    return data;
}

// Multiples of 2^-20 from -1 up to 1; the lower bits of products are lost in float, not in double.
template <typename T>
std::vector<T> fractions(int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> data(static_cast<size_t>(count));
    for (T& value : data) value = static_cast<T>(static_cast<int>(random() % 2097152) - 1048576) / T{1048576};
    return data;
}

}  // namespace swgen::oracle
