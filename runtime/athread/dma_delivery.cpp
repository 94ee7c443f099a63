// SPDX-License-Identifier: Apache-2.0
// DMA on the answering side. After each scheduler round at most one request per CPE is answered, oldest first and
// never in the round of its issue, so that code which touches data before its own reply fails. The copy happens with
// the answer.
#include <cstring>

#include "core_group.h"
#include "slave.h"

namespace swgen::athread {
namespace {

void move_bytes(bool is_get, char* memory, char* ldm, std::size_t bytes) {
  if (is_get) {
    std::memcpy(ldm, memory, bytes);
  } else {
    std::memcpy(memory, ldm, bytes);
  }
}

// LDM side packed, memory side in blocks with gaps.
void copy_single(const DmaRequest& r, char* ldm) {
  const std::uint32_t block = r.block == 0 ? r.size : r.block;
  char* memory = r.memory;
  for (std::uint32_t done = 0; done < r.size; done += block, memory += block + r.gap) {
    move_bytes(r.is_get, memory, ldm + done, block);
  }
}

// ROW_MODE: consecutive blocks belong to columns 0..7 in turn; a gap follows each group of eight.
void copy_row(CoreGroup& g, const DmaRequest& r) {
  const Cpe& issuer = g.cpes[static_cast<std::size_t>(r.cpe)];
  const auto offset = r.ldm - issuer.ldm;
  char* memory = r.memory;
  for (std::uint32_t done = 0; done < r.size; done += r.block, memory += r.gap) {
    for (int column = 0; column < kSide; ++column, memory += r.block) {
      const Cpe& target = g.cpes[static_cast<std::size_t>(issuer.row() * kSide + column)];
      move_bytes(r.is_get, memory, target.ldm + offset + done, r.block);
    }
  }
}

void copy_broadcast(CoreGroup& g, const DmaRequest& r) {
  const auto offset = r.ldm - g.cpes[static_cast<std::size_t>(r.cpe)].ldm;
  for (const Cpe& target : g.cpes) {
    if (((r.mask >> target.row()) & 1U) != 0) copy_single(r, target.ldm + offset);
  }
}

void tick(char* reply) {
  int value = 0;
  std::memcpy(&value, reply, sizeof value);
  ++value;
  std::memcpy(reply, &value, sizeof value);
}

}  // namespace

// RANK_MODE is a collective of a row: answered column by column once all eight have issued. The data of all arrive with
// the last answer, since on the machine a row sync must stand between the own reply and the use of the data.
bool CoreGroup::release_rank(Cpe& cpe) {
  const std::size_t first = static_cast<std::size_t>(cpe.row()) * kSide;
  for (std::size_t i = first; i < first + kSide; ++i) {
    if (cpes[i].pending.empty() || cpes[i].pending.front().mode != RANK_MODE) return false;
  }
  const DmaRequest& own = cpe.pending.front();
  for (std::size_t i = first; i < first + kSide; ++i) {
    const DmaRequest& other = cpes[i].pending.front();
    if (other.size != own.size || other.block != own.block || other.is_get != own.is_get) {
      const std::string message = cpe_name(cpes[i]) + ": RANK_MODE size " + std::to_string(other.size) + ", block " +
                                  std::to_string(other.block) + ", expected size " + std::to_string(own.size) +
                                  ", block " + std::to_string(own.block) + " as in " + cpe_name(cpe);
      abandon();
      report(message);
    }
  }
  for (std::size_t i = first; i < first + kSide; ++i) {
    cpes[i].pending.front().released = true;
    cpes[i].pending.front().due = round + 1 + (i - first);
  }
  return true;
}

bool CoreGroup::deliver_one(Cpe& cpe) {
  if (cpe.pending.empty()) return false;
  if (cpe.pending.front().mode == RANK_MODE && !cpe.pending.front().released && !release_rank(cpe)) return false;
  if (cpe.pending.front().due > round) return true;
  const DmaRequest r = cpe.pending.front();
  cpe.pending.erase(cpe.pending.begin());
  if (r.mode == RANK_MODE) {
    auto& row = rank_data[static_cast<std::size_t>(cpe.row())];
    row.push_back(r);
    if (row.size() == kSide) {
      for (const DmaRequest& piece : row) copy_single(piece, piece.ldm);
      row.clear();
    }
  } else if (r.mode == BCAST_MODE) {
    copy_broadcast(*this, r);
  } else if (r.mode == ROW_MODE) {
    copy_row(*this, r);
  } else {
    copy_single(r, r.ldm);
  }
  tick(r.reply);
  if (observer != nullptr) observer->on_dma_reply(cpe.id);
  return true;
}

bool CoreGroup::deliver_dma() {
  bool any = false;
  for (Cpe& cpe : cpes) any |= deliver_one(cpe);
  return any;
}

}  // namespace swgen::athread
