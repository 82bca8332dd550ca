// SPDX-License-Identifier: Apache-2.0
// The features of BEER 4, word lists, and linear models.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <span>
#include <tuple>

#include "learn/lexical.hpp"
#include "learn/linear_model.hpp"
#include "python.hpp"
#include "text/lexemes.hpp"
#include "text/letters.hpp"
#include "text/unicode.hpp"
#include "text/word_list.hpp"

namespace tertium {
namespace {

Scaling scaling(const std::string& name) {
  if (name == "sigmoid") return Scaling::kSigmoid;
  if (name == "quasi") return Scaling::kQuasi;
  if (name == "relative") return Scaling::kRelative;
  if (name == "linear") return Scaling::kLinear;
  if (name == "isotonic") return Scaling::kIsotonic;
  throw std::invalid_argument("unknown scaling " + name);
}

template <class Number>
std::span<const Number> all(const nb::ndarray<const Number, nb::ndim<1>, nb::c_contig>& array) {
  return {array.data(), array.size()};
}

using Scripts = std::vector<unsigned>;
// Begin, end, lower case, stem, kind, whether it has a capital, whether it is ASCII.
using ReadLexeme = std::tuple<std::size_t, std::size_t, std::string, std::string, std::string,
                              bool, bool>;

const char* kind_name(Lexeme::Kind kind) {
  switch (kind) {
    case Lexeme::Kind::kWord: return "word";
    case Lexeme::Kind::kNumber: return "number";
    default: return "symbol";
  }
}

// The characters of a text as features read it, their scripts, and its lexemes.
std::tuple<std::string, Scripts, std::vector<ReadLexeme>> read_lexemes(const std::string& text) {
  LexemeReader reader;
  reader.read(text);
  const std::vector<char32_t>& characters = reader.characters();
  std::string bytes;
  Scripts scripts;
  for (const char32_t c : characters) scripts.push_back(static_cast<unsigned>(script_of(c)));
  std::vector<ReadLexeme> lexemes;
  std::size_t begin = 0;
  for (const Lexeme& lexeme : reader.lexemes()) {
    while (characters[begin] == U' ') ++begin;
    std::size_t end = begin;  // lower case keeps the number of characters
    for (std::size_t i = 0; i < lexeme.lower.size(); ++end) next_point(lexeme.lower, i);
    lexemes.emplace_back(begin, end, lexeme.lower, lexeme.stem, kind_name(lexeme.kind),
                         lexeme.capital, lexeme.ascii);
    begin = end;
  }
  std::string encoded(encode({characters.data(), characters.size()}, bytes));
  return {std::move(encoded), std::move(scripts), std::move(lexemes)};
}

}  // namespace

void bind_lexical(nb::module_& m) {
  nb::class_<LinearOptions>(m, "LinearModel")
      .def(
          "__init__",
          [](LinearOptions* self, std::vector<double> weights, double bias,
             const std::string& scale, double slope, double offset, std::vector<double> knots,
             std::vector<double> heights, bool anchor) {
            new (self) LinearOptions{std::move(weights), bias, scaling(scale), slope, offset,
                                     std::move(knots), std::move(heights), anchor};
          },
          "weights"_a, "bias"_a, "scaling"_a, "slope"_a, "offset"_a, "knots"_a, "heights"_a,
          "anchor"_a);
  using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig>;
  using Pairs = nb::ndarray<const std::uint16_t, nb::ndim<1>, nb::c_contig>;
  nb::class_<WordList>(m, "WordList")
      .def(
          "__init__",
          [](WordList* self, const Bytes& counts, const Pairs& fingerprints, const Bytes& bands) {
            new (self) WordList(all(counts), all(fingerprints), all(bands));
          },
          "counts"_a, "fingerprints"_a, "bands"_a)
      .def("band", [](const WordList& self, const std::string& word) { return self.band(word); },
           "word"_a);
  m.def("word_hash", [](const std::string& word) { return word_hash(word); }, "word"_a);
  m.def("lexemes",
        [](const std::vector<std::string>& texts) {
          LexemeReader reader;
          std::vector<std::vector<std::string>> out;
          for (const std::string& text : texts) {
            reader.read(text);
            auto& words = out.emplace_back();
            for (const Lexeme& lexeme : reader.lexemes()) words.emplace_back(lexeme.lower);
          }
          return out;
        },
        "texts"_a);
  m.def("read_lexemes", &read_lexemes, "text"_a);
  using List = std::shared_ptr<WordList>;
  m.def("lexical_features", [](List list) { return make_lexical_features(std::move(list)); },
        "word_list"_a.none());
  m.def("lexical_model",
        [](List list, const LinearOptions& model) {
          return make_lexical_model(std::move(list), model);
        },
        "word_list"_a.none(), "model"_a);
}

}  // namespace tertium
