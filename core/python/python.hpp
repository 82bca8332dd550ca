// SPDX-License-Identifier: Apache-2.0
// What the bindings share: texts from Python, arrays to Python, the families.
//
// The files of this folder are the only ones of the core that know Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "base/batch.hpp"
#include "text/tokenize.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tertium {

// Every family adds its functions and classes to the module.
void bind_metrics(nb::module_& m);
void bind_pairs(nb::module_& m);
void bind_align(nb::module_& m);
void bind_bilingual(nb::module_& m);
void bind_meteor(nb::module_& m);
void bind_order(nb::module_& m);
void bind_tree_edit(nb::module_& m);
void bind_derp(nb::module_& m);
void bind_meta(nb::module_& m);
void bind_trueskill(nb::module_& m);
void bind_features(nb::module_& m);
void bind_lexical(nb::module_& m);
void bind_surface(nb::module_& m);
void bind_dense(nb::module_& m);
void bind_closest(nb::module_& m);
void bind_line_ends(nb::module_& m);
void bind_mbr(nb::module_& m);
void bind_text_distance(nb::module_& m);
void bind_segmentation(nb::module_& m);
void bind_tuning(nb::module_& m);
void bind_preorder_risk(nb::module_& m);
void bind_preorder_parse(nb::module_& m);
void bind_preorder_grammar(nb::module_& m);
void bind_preorder_btg(nb::module_& m);

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OutMatrix = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;
using OutVector = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig>;

// ------------------------------------------------------------- texts from Python

[[noreturn]] inline void wrong_type(const char* what, std::size_t i, PyObject* found) {
  const nb::str name(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(found))).attr("__name__"));
  const std::string message = std::string(what) + " " + std::to_string(i) +
                              " is of type " + name.c_str() + ", not str";
  throw nb::type_error(message.c_str());
}

// A view of the UTF-8 form that CPython keeps inside the string object: valid
// as long as the string lives, also while the GIL is released.
inline Text view(PyObject* object, const char* what, std::size_t i) {
  if (!PyUnicode_Check(object)) wrong_type(what, i, object);
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(object, &size);
  if (!data) throw nb::python_error();
  return Text(data, static_cast<std::size_t>(size));
}

// Texts in tuples of our own: they stay as they are and alive for as long as the
// views are used, whatever other threads do to the caller's lists.
struct HeldBatch {
  Batch batch;
  std::vector<nb::object> held;

  PyObject* hold(PyObject* sequence) {
    PyObject* tuple = PySequence_Tuple(sequence);  // itself, if it is a tuple
    if (!tuple) throw nb::python_error();
    held.push_back(nb::steal(tuple));
    return tuple;
  }
};

inline void add_refs(HeldBatch& out, PyObject* item, std::size_t i) {
  if (PyUnicode_Check(item)) {
    out.batch.refs.push_back(view(item, "reference", i));
    return;
  }
  // The outer tuple holds an inner one; anything else is copied into a tuple.
  PyObject* tuple = PyTuple_Check(item) ? item : out.hold(item);
  const Py_ssize_t count = PyTuple_Size(tuple);
  for (Py_ssize_t r = 0; r < count; ++r)
    out.batch.refs.push_back(view(PyTuple_GetItem(tuple, r), "reference of segment", i));
}

inline HeldBatch read_batch(const std::vector<nb::list>& systems, const nb::list& refs) {
  HeldBatch out;
  PyObject* ref_items = out.hold(refs.ptr());
  const auto n = static_cast<std::size_t>(PyTuple_Size(ref_items));
  for (const nb::list& hyps : systems) {
    PyObject* items = out.hold(hyps.ptr());
    if (static_cast<std::size_t>(PyTuple_Size(items)) != n)
      throw std::invalid_argument("as many references as hypotheses");
    std::vector<Text>& texts = out.batch.systems.emplace_back();
    texts.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      texts.push_back(view(PyTuple_GetItem(items, static_cast<Py_ssize_t>(i)), "hypothesis", i));
  }
  out.batch.refs.reserve(n);
  out.batch.first.reserve(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    out.batch.first.push_back(out.batch.refs.size());
    add_refs(out, PyTuple_GetItem(ref_items, static_cast<Py_ssize_t>(i)), i);
    if (out.batch.refs.size() == out.batch.first.back())
      throw std::invalid_argument("segment " + std::to_string(i) + " has no reference");
  }
  out.batch.first.push_back(out.batch.refs.size());
  return out;
}

// --------------------------------------------------------------- arrays to Python

inline OutMatrix make_matrix(std::size_t rows, std::size_t columns, double*& data) {
  if (columns > 0 && rows > SIZE_MAX / sizeof(double) / columns) throw std::bad_alloc();
  data = new double[rows * columns];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return OutMatrix(data, {rows, columns}, owner);
}

// -------------------------------------------------------------------------- names

inline Scheme scheme(const std::string& name) {
  if (name == "none") return Scheme::kNone;
  if (name == "13a") return Scheme::k13a;
  if (name == "intl") return Scheme::kIntl;
  if (name == "zh") return Scheme::kZh;
  if (name == "char") return Scheme::kChar;
  if (name == "words") return Scheme::kWords;
  throw std::invalid_argument("unknown tokeniser " + name);
}

}  // namespace tertium
