// SPDX-License-Identifier: Apache-2.0
// Peers are shell scripts here.
#include "bench/peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "bench/compared.h"

namespace millrace::bench {
namespace {

using ::testing::HasSubstr;

// Answers `prepare` with the first input as it is, and `run` with `run`.
std::string echo_peer(const std::string& run) {
  return "echo hello an echo; while read what name steps folder; do case $what in "
         "prepare) cp $folder/in0.npy $folder/out0.npy; echo ready;; "
         "run) echo " +
         run + ";; esac; done";
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Peer, PreparesAndRuns) {
  Peer peer(echo_peer("2.5"));
  EXPECT_EQ(peer.who(), "an echo");
  const Workload w = pipelined_axpy(16);
  EXPECT_TRUE(same_bits(peer.prepare(w), w.inputs[0]));
  EXPECT_EQ(peer.milliseconds(w), 2.5);
}

TEST(Peer, WhatItSaysInsteadIsTold) {
  const Workload w = pipelined_axpy(16);
  EXPECT_THAT(error_of([] { Peer("echo good morning"); }), HasSubstr("says `good morning` where hello is due"));
  EXPECT_THAT(error_of([] { Peer("exit 3"); }), HasSubstr("the peer `exit 3` ended without an answer"));
  EXPECT_THAT(error_of([&] { Peer("echo hello x; read line; echo error no such thing").prepare(w); }),
              HasSubstr(": no such thing"));
  EXPECT_THAT(error_of([&] { Peer("echo hello x; read line; echo what").prepare(w); }), HasSubstr("ready is due"));
  EXPECT_THAT(error_of([&] { Peer("echo hello x").milliseconds(w); }), HasSubstr("ended without an answer"));
  for (const char* bad : {"soon", "-1", "0", "1.5ms", "nan", "inf"}) {
    Peer peer(echo_peer(bad));
    EXPECT_THAT(error_of([&] { peer.milliseconds(w); }), HasSubstr("where milliseconds are due")) << bad;
  }
}

TEST(Peer, OneThatHangsIsEnded) {
  EXPECT_THAT(error_of([] { Peer("sleep 1000; echo hello", 100); }), HasSubstr("gave no answer in 0 seconds"));
  EXPECT_THAT(error_of([] { Peer("echo hello x; sleep 1000", 2000).milliseconds(pipelined_axpy(16)); }),
              HasSubstr("gave no answer in 2 seconds"));
}

TEST(Peer, OneThatComputesSomethingElseIsNotMeasured) {
  Peer peer(echo_peer("1"));
  EXPECT_THAT(error_of([&] { against_peer(pipelined_axpy(16), peer); }),
              HasSubstr("the simulated axpy of 16 steps and an echo are"));
}

TEST(Peer, OneThatAgreesIsMeasured) {
  Workload w = pipelined_axpy(16);
  w.inputs = {Array::full(f32, w.inputs[0].shape(), -0.25), Array::full(f32, w.inputs[0].shape(), 0.25)};  // 2x + y = x
  Peer peer(echo_peer("1000"));
  const Pairing p = against_peer(w, peer);
  EXPECT_TRUE(p.speedup);
  EXPECT_EQ(p.name, "axpy-16/jax");
  EXPECT_EQ(p.baseline_ms.median, 1000);
  EXPECT_LT(p.ratio.median, 1);
}

}  // namespace
}  // namespace millrace::bench
