/* SPDX-License-Identifier: BSD-2-Clause */
// Plans against the walk that they stand for. Whatever was posted before, bytes are found clean
// exactly when the validator, which remembers nothing, finds them clean, and the segments are where
// its walk meets them. Beginning with every legal layout of the catalogue, fields are set to what
// is at their limits and beyond. usage: engine_plan_test CORPUS [COUNT [SEED]]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/text/walk.h"
#include "segue/gen/machines.h"
extern "C" {
#include "tools/softhca/engine/queue/plan.h"
}

namespace {

const char *corpus_path;
unsigned long count = 100000;
unsigned long seed;

using Bytes = std::vector<uint8_t>;

struct Sample {
  unsigned grammar;
  Bytes bytes;
};

std::vector<Sample> Corpus() {
  std::map<std::string, unsigned> grammars;
  for (unsigned g = 0; g < SOFTHCA_GRAMMARS; g++)
    if (softhca_machine(g))
      grammars[softhca_machine(g)->name] = g;
  std::vector<Sample> all;
  std::ifstream in(corpus_path);
  std::string name, hex;
  for (unsigned stride; in >> name >> stride >> hex;) {
    if (!grammars.count(name))
      continue;
    Sample s{grammars[name], {}};
    for (size_t i = 0; i + 2 <= hex.size(); i += 2)
      s.bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    all.push_back(s);
  }
  return all;
}

struct Seen {
  std::vector<softhca_step> steps;
  static void Note(void *arg, const seguei_step_seen *step) {
    if (step->symbol)
      static_cast<Seen *>(arg)->steps.push_back({step->segment, SOFTHCA_PART_OTHER,
                                                 static_cast<uint16_t>(step->offset),
                                                 static_cast<uint16_t>(step->size)});
  }
};

std::string Hex(const Bytes &bytes) {
  std::string text;
  char two[3];
  for (uint8_t b : bytes) {
    snprintf(two, sizeof(two), "%02x", b);
    text += two;
  }
  return text;
}

// True if the plan says what the walk says.
bool Agrees(const Sample &s) {
  const segue_offence *told;
  segue_offence offence;
  Seen seen;
  const softhca_plan *plan =
      softhca_plan_of(s.grammar, s.bytes.data(), static_cast<unsigned>(s.bytes.size()), &told);
  const segue_machine_start *start = seguei_walk(softhca_machine(s.grammar), s.bytes.data(),
						 s.bytes.size(), Seen::Note, &seen, &offence);
  char expected[384], got[384] = "nothing";
  segue_offence_print(&offence, expected, sizeof(expected));
  if (told)
    segue_offence_print(told, got, sizeof(got));
  EXPECT_EQ(offence.kind, told ? told->kind : SEGUE_OFFENCE_NONE)
      << softhca_machine(s.grammar)->name << ' ' << Hex(s.bytes) << "\nalone: " << expected
      << "\nnow: " << got;
  if (told)
    return told->kind == offence.kind;
  EXPECT_EQ(start, plan->start);
  EXPECT_EQ(seen.steps.size(), plan->n_steps);
  for (unsigned i = 0; i < plan->n_steps && i < seen.steps.size(); i++) {
    EXPECT_EQ(seen.steps[i].segment, plan->step[i].segment);
    EXPECT_EQ(seen.steps[i].at, plan->step[i].at);
    EXPECT_EQ(seen.steps[i].size, plan->step[i].size);
  }
  return !::testing::Test::HasFailure();
}

class Mutator {
 public:
  Mutator(std::mt19937_64 &random, Sample *s) : random(random), s(s) {}
  void Once() {
    places.clear();
    segue_offence offence;
    seguei_walk(softhca_machine(s->grammar), s->bytes.data(), s->bytes.size(), Collect, this,
                &offence);
    if (places.empty() || Below(8) == 0) {
      s->bytes[Below(s->bytes.size())] ^= static_cast<uint8_t>(1u << Below(8));
      return;
    }
    const Place p = places[Below(places.size())];
    Set(p.segment->fields[Below(p.segment->field_count)], p.at);
  }

 private:
  struct Place {
    const segue_segment_desc *segment;
    size_t at;
  };
  static void Collect(void *arg, const seguei_step_seen *step) {
    for (size_t at = 0; at + step->segment->size <= step->size; at += step->segment->size) {
      static_cast<Mutator *>(arg)->places.push_back({step->segment, step->offset + at});
      if (!step->symbol || step->symbol->op != SEGUE_MACHINE_SYMBOL_LIST)
	      break;
    }
  }
  size_t Below(size_t n) { return random() % n; }
  uint64_t Value(const segue_field_desc &f) {
    switch (Below(8)) {
    case 0:
      return 0;
    case 1:
      return f.min - Below(2);
    case 2:
      return f.max + Below(2);
    case 3:
      return f.never_count ? f.never[Below(f.never_count)] : ~UINT64_C(0);
    case 4:
      return Below(64);
    default:
      return random();
    }
  }
  void Set(const segue_field_desc &f, size_t at) {
    if (f.word == 0) {
      s->bytes[at + f.byte + Below(f.width / 8)] = static_cast<uint8_t>(random());
      return;
    }
    const uint64_t ones = f.width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << f.width) - 1;
    const uint64_t bits = (Value(f) & ones) << f.lsb, mask = ones << f.lsb;
    for (unsigned i = 0; i < f.word / 8u && at + f.byte + i < s->bytes.size(); i++) {
      uint8_t &b = s->bytes[at + f.byte + i];
      b = static_cast<uint8_t>((b & ~(mask >> (f.word - 8 - 8 * i))) |
                               bits >> (f.word - 8 - 8 * i));
    }
  }
  std::mt19937_64 &random;
  Sample *s;
  std::vector<Place> places;
};

TEST(Plan, KnowsEveryLegalLayout) {
  const std::vector<Sample> corpus = Corpus();
  ASSERT_GT(corpus.size(), 500u);
  for (int lap = 0; lap < 2; lap++)
    for (const Sample &s : corpus)
      ASSERT_TRUE(Agrees(s));
}

TEST(Plan, DoesNotDependOnHistory) {
  printf("seed %lu, %lu mutations\n", seed, count);
  std::mt19937_64 random(seed);
  const std::vector<Sample> corpus = Corpus();
  for (unsigned long i = 0; i < count;) {
    // A family of relatives: the shapes of the first are still there when the last come.
    const Sample &from = corpus[random() % corpus.size()];
    ASSERT_TRUE(Agrees(from));
    Sample s = from;
    for (unsigned n = 0; n < 16; n++, i++) {
      if (random() % 4 == 0)
        s = from;
      Mutator(random, &s).Once();
      ASSERT_TRUE(Agrees(s)) << "seed " << seed << ", mutation " << i;
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc < 2) {
    fprintf(stderr, "usage: %s CORPUS [COUNT [SEED]]\n", argv[0]);
    return 2;
  }
  corpus_path = argv[1];
  if (argc > 2)
    count = strtoul(argv[2], nullptr, 0);
  seed =
      argc > 3
          ? strtoul(argv[3], nullptr, 0)
          : static_cast<unsigned long>(std::chrono::system_clock::now().time_since_epoch().count());
  return RUN_ALL_TESTS();
}
