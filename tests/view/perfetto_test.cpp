// SPDX-License-Identifier: Apache-2.0
// The trace is read back by a reader of its own, written from the published schema: wire types and field numbers.
#include "view/perfetto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "kernels.h"
#include "laid_out.h"
#include "runs.h"

namespace millrace::test {
namespace {

struct Field {
  std::uint64_t number = 0;
  std::string bytes;
};
using Fields = std::multimap<std::uint64_t, Field>;

// Throws where the bytes are no message.
class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  Fields fields() {
    Fields all;
    while (at_ < bytes_.size()) {
      const std::uint64_t key = varint();
      Field f;
      switch (key & 7) {
        case 0: f.number = varint(); break;
        case 1: f.number = fixed(); break;
        case 2: {
          const std::uint64_t size = varint();
          if (size > bytes_.size() - at_) throw std::runtime_error("too long");
          f.bytes = bytes_.substr(at_, size), at_ += size;
          break;
        }
        default: throw std::runtime_error("wire type");
      }
      all.emplace(key >> 3, std::move(f));
    }
    return all;
  }

 private:
  std::uint64_t byte() {
    if (at_ >= bytes_.size()) throw std::runtime_error("too short");
    return static_cast<unsigned char>(bytes_[at_++]);
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t b = byte();
      value |= (b & 0x7f) << shift;
      if (b < 0x80) return value;
    }
    throw std::runtime_error("varint");
  }
  std::uint64_t fixed() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value |= byte() << (8 * i);
    return value;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

struct Slices {
  std::map<std::uint64_t, std::string> tracks;
  std::map<std::uint64_t, int> depth;
  std::size_t begins = 0, instants = 0, counts = 0;
  std::multiset<std::uint64_t> flows, ended_flows;
  bool ordered = true;
};

Slices read_back(const std::string& trace) {
  Slices s;
  std::uint64_t last = 0;
  for (const auto& [field, packet] : Reader(trace).fields()) {
    EXPECT_EQ(field, 1u);
    const Fields p = Reader(packet.bytes).fields();
    if (const auto d = p.find(60); d != p.end()) {
      const Fields descriptor = Reader(d->second.bytes).fields();
      s.tracks[descriptor.find(1)->second.number] = descriptor.find(2)->second.bytes;
      continue;
    }
    const std::uint64_t at = p.find(8)->second.number;
    s.ordered = s.ordered && at >= last, last = at;
    const Fields e = Reader(p.find(11)->second.bytes).fields();
    const std::uint64_t track = e.find(11)->second.number;
    EXPECT_TRUE(s.tracks.contains(track));
    switch (e.find(9)->second.number) {
      case 1: ++s.begins, ++s.depth[track]; break;
      case 2: --s.depth[track]; break;
      case 3: ++s.instants; break;
      default: ++s.counts;
    }
    EXPECT_LE(s.depth[track], 1) << "slices of a track overlap";
    EXPECT_GE(s.depth[track], 0);
    for (auto [f, end] = e.equal_range(47); f != end; ++f) s.flows.insert(f->second.number);
    for (auto [f, end] = e.equal_range(48); f != end; ++f) s.ended_flows.insert(f->second.number);
  }
  return s;
}

TEST(Perfetto, HasATrackALaneASliceABarAndAFlowAnArrow) {
  const timing::Timeline t =
      laid_out(pipelined_axpy(2, 2), {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)}).timeline;
  const Slices s = read_back(view::to_perfetto(t));
  EXPECT_TRUE(s.ordered);
  EXPECT_EQ(s.begins + s.instants, t.bars.size());
  for (const auto& [track, depth] : s.depth) EXPECT_EQ(depth, 0) << s.tracks.at(track);
  std::set<std::string> names;
  for (const auto& [id, name] : s.tracks) names.insert(name);
  for (const timing::Lane& l : t.lanes) EXPECT_TRUE(names.contains(name_of(t, l))) << name_of(t, l);
  EXPECT_EQ(s.flows.size(), t.arrows.size());
  EXPECT_EQ(s.flows, s.ended_flows);
  std::size_t points = 0;
  for (const timing::Counter& c : t.counters) points += c.points.size();
  EXPECT_EQ(s.counts, points);
}

TEST(Perfetto, MarksFindings) {
  const timing::Timeline t = laid_out(small_case("faults_small/slot_rewritten_under_store")).timeline;
  const std::string trace = view::to_perfetto(t);
  EXPECT_NE(trace.find("race.read-write"), std::string::npos);
  const Slices s = read_back(trace);
  std::size_t moments = 0;
  for (const timing::Fault& f : t.faults) moments += f.moments.size();
  EXPECT_EQ(s.begins + s.instants, t.bars.size() + moments);
}

TEST(Perfetto, TheReaderRefusesWhatIsNoMessage) {
  EXPECT_THROW(Reader(std::string("\x0a\x05xy")).fields(), std::runtime_error);
  EXPECT_THROW(Reader(std::string("\x0f")).fields(), std::runtime_error);
}

}  // namespace
}  // namespace millrace::test
