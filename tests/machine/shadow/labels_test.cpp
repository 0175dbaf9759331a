// SPDX-License-Identifier: Apache-2.0
#include "machine/shadow/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::machine::shadow {
namespace {

using event::UndefinedSource;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(Labels, JoiningWithDefinedChangesNothing) {
  Labels l;
  const Label a = l.origin(1, "scratch0", false).label;
  EXPECT_EQ(l.join(a, kDefined), a);
  EXPECT_EQ(l.join(kDefined, a), a);
  EXPECT_EQ(l.join(kDefined, kDefined), kDefined);
  EXPECT_TRUE(l.sources(kDefined).empty());
}

TEST(Labels, ReadsOfTwoPlacesAreBothKept) {
  Labels l;
  const Label a = l.origin(1, "scratch0", false).label, b = l.origin(2, "scratch0", false).label,
              c = l.origin(2, "scratch1", false).label;
  const Label all = l.join(l.join(a, b), c);
  EXPECT_THAT(l.sources(all), UnorderedElementsAre(UndefinedSource{0}, UndefinedSource{1}, UndefinedSource{2}));
  EXPECT_EQ(all, l.join(c, l.join(b, a)));
  EXPECT_EQ(all, l.join(all, b));
}

TEST(Labels, OfOnePlaceAndMemoryTheEarliestStands) {
  Labels l;
  const Label first = l.origin(1, "scratch0", false).label;
  Label sum = first;
  for (int step = 0; step < 100; ++step) sum = l.join(l.origin(1, "scratch0", false).label, sum);
  EXPECT_EQ(sum, first);
  EXPECT_THAT(l.sources(sum), ElementsAre(UndefinedSource{0}));
}

TEST(Labels, EndlessReadsOfOnePlaceAreNotToldApartForEver) {
  Labels l;
  Label last = kDefined;
  for (std::uint32_t i = 0; i < Labels::kMost; ++i) {
    const Labels::Origin origin = l.origin(1, "in0", true);
    ASSERT_EQ(origin.fresh, i);
    last = origin.label;
  }
  EXPECT_EQ(l.origin(1, "in0", true).label, last);
  EXPECT_FALSE(l.origin(1, "in0", true).fresh.has_value());
  EXPECT_TRUE(l.origin(2, "in0", true).fresh.has_value());
}

TEST(Labels, AFoldIsRememberedForPaddingAloneAndOnlyTheFirst) {
  Labels l;
  const Label padding = l.origin(1, "in0", true).label, unwritten = l.origin(1, "scratch0", false).label;
  const Label folded = l.folded(l.join(padding, unwritten), 7);
  EXPECT_THAT(l.sources(folded), UnorderedElementsAre(UndefinedSource{0, 7}, UndefinedSource{1}));
  EXPECT_EQ(l.folded(folded, 8), folded);
  EXPECT_EQ(l.folded(kDefined, 8), kDefined);
  EXPECT_THAT(l.sources(l.join(folded, padding)),
              UnorderedElementsAre(UndefinedSource{0, 7}, UndefinedSource{1}, UndefinedSource{0}));
}

}  // namespace
}  // namespace millrace::machine::shadow
