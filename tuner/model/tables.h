// SPDX-License-Identifier: Apache-2.0
// Measured tables that the models read; data and their sources are in tuner/model/data.
#pragma once

#include <map>
#include <string>

namespace swgen::tuner {

/// Path below tuner/model/data -> text. Generated.
const std::map<std::string, std::string>& embedded_tables();

/// Bytes per second of all 64 cores of a core group in strided DMA with blocks of `block_bytes`.
double strided_dma_rate(double block_bytes);

}  // namespace swgen::tuner
