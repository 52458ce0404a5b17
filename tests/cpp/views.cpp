// Views: the README's chain by numbers, then 10,000 random ones, each as the C function makes it: the same layout, or
// the same record, thrown or returned.
#include "check.hpp"

using namespace stride;

namespace {

void chain() {
  const auto view = layout::try_make(U8, {480, 640, 3})
                        .and_then([](const layout &l) { return l.try_crop({10, 20, 0}, {100, 200, 3}); })
                        .and_then([](const layout &l) { return l.try_flip({1}); })
                        .and_then([](const layout &l) { return l.try_permute({2, 0, 1}); });
  CHECK(view && *view == *layout::try_make(U8, {3, 100, 200}, {1, 1920, -3}, 10 * 1920 + 219 * 3));
  WITH_EXCEPTIONS(
      CHECK(layout(U8, {480, 640, 3}).crop({10, 20, 0}, {100, 200, 3}).flip({1}).permute({2, 0, 1}) == *view);)
}

/// Two layouts in all that C looks at, unused entries left out.
bool same(const stride_layout &lhs, const stride_layout &rhs) {
  uint32_t answer = 0;
  return stride_layout_equal(&lhs, &rhs, &answer, nullptr) == STRIDE_STATUS_OK && answer == 1;
}

/// What C says, and the layout that it writes.
struct wanted {
  stride_status status;
  stride_error record;
  stride_layout out;
};

void agree(const result<layout> &got, const wanted &from_c, int line) {
  const bool equal = from_c.status == STRIDE_STATUS_OK ? got && same(*got, from_c.out)
                                                       : !got && same_record(got.record(), from_c.record);
  check(equal && got.status() == from_c.status, "the try_ form and C agree", __FILE__, line);
}

// As C, in both forms. `...` is the call of the C function, with `out` and `record`.
#define VIEW(name, arguments, ...)                                                                              \
  {                                                                                                             \
    wanted from_c{};                                                                                            \
    stride_layout *const out = &from_c.out;                                                                     \
    stride_error *const record = &from_c.record;                                                                \
    from_c.status = __VA_ARGS__;                                                                                \
    agree(from.try_##name arguments, from_c, __LINE__);                                                         \
    succeeded += from_c.status == STRIDE_STATUS_OK;                                                             \
    WITH_EXCEPTIONS(try {                                                                                       \
      const layout made = from.name arguments;                                                                  \
      check(from_c.status == STRIDE_STATUS_OK && same(made, from_c.out), "the throwing form", __FILE__, __LINE__); \
    } catch (const error &e) {                                                                                  \
      check(same_record(e.record(), from_c.record) && sentence(from_c.record) == e.what(), "what is thrown",    \
            __FILE__, __LINE__);                                                                                \
    })                                                                                                          \
    break;                                                                                                      \
  }

dims numbers(random_numbers &random, uint32_t n, int64_t lowest, int64_t highest) {
  dims made(n);
  for (uint32_t k = 0; k < n; k++) made.data()[k] = random.in(lowest, highest);
  return made;
}

layout any_layout(random_numbers &random) {
  const auto rank = static_cast<uint32_t>(random.in(0, 4));
  const dtype types[] = {U8, S16, F32, F64, bytes(3), S4, S4.high_first(), U1};
  for (;;) {
    const dtype type = types[random.in(0, 7)];
    const dims sizes = numbers(random, rank, random.next() % 2 == 0 ? 0 : 1, 5);
    const dims strides = numbers(random, random.next() % 3 == 0 ? 0 : rank, -20, 40);
    if (const auto made = layout::try_make(type, sizes, strides, random.in(0, 100))) return *made;
  }
}

/// One view of a layout by arguments that are right about as often as wrong.
void any_view(random_numbers &random, int which, unsigned long &succeeded) {
  const layout from = any_layout(random);
  const uint32_t n = random.in(0, 7) == 0 ? static_cast<uint32_t>(random.in(0, 5)) : from.rank, r = from.rank;
  const stride_layout *const c = &from;
  const int64_t axis = random.in(-static_cast<int64_t>(r) - 1, r), index = random.in(-1, 5);
  dims axes(n), a = numbers(random, n, -1, 3), b = numbers(random, n, 0, 4), d = numbers(random, n, 1, 2);
  for (uint32_t k = 0; k < n; k++) axes.data()[k] = k;
  for (uint32_t k = n; k-- > 1;) std::swap(axes.data()[k], axes.data()[random.in(0, k)]);
  const auto count = static_cast<uint32_t>(random.in(0, 3));
  const dims few = numbers(random, count, -static_cast<int64_t>(r) - 1, r);
  const int64_t steps[] = {1, -1, 2, -2, 3}, rest = -1;
  switch (which) {
    case 0: VIEW(permute, (axes), stride_layout_permute(c, n, axes.data(), out, record))
    case 1:
      if (n != r) break;
      VIEW(slice, (a, b, d), stride_layout_slice(c, n, a.data(), b.data(), d.data(), out, record))
    case 2:
      if (r == 0) break;
      VIEW(slice, (list(), list(), list(steps, r)), stride_layout_slice(c, r, nullptr, nullptr, steps, out, record))
    case 3:
      if (n != r) break;
      VIEW(crop, (b, d), stride_layout_crop(c, n, b.data(), d.data(), out, record))
    case 4: VIEW(flip, (few), stride_layout_flip(c, count, few.data(), out, record))
    case 5: VIEW(squeeze, (few), stride_layout_squeeze(c, count, few.data(), out, record))
    case 6: VIEW(squeeze, (), stride_layout_squeeze_all(c, out, record))
    case 7: VIEW(expand_dims, (few), stride_layout_expand_dims(c, count, few.data(), out, record))
    case 8: VIEW(pad_rank, (count + 2, 1), stride_layout_pad_rank(c, count + 2, 1, out, record))
    case 9: VIEW(reshape, (a), stride_layout_reshape(c, n, a.data(), out, record))
    case 10: VIEW(reshape, ({-1}), stride_layout_reshape(c, 1, &rest, out, record))
    case 11: VIEW(split, (axis, d), stride_layout_split(c, axis, n, d.data(), out, record))
    case 12: VIEW(merge, (axis, count), stride_layout_merge(c, axis, count, out, record))
    case 13: VIEW(diagonal, (index, axis, 0), stride_layout_diagonal(c, index, axis, 0, out, record))
    case 14: VIEW(window, (d), stride_layout_window(c, n, d.data(), nullptr, nullptr, out, record))
    case 15: VIEW(window, (b, d, d), stride_layout_window(c, n, b.data(), d.data(), d.data(), out, record))
    case 16: VIEW(as_strided, (b, a, index), stride_layout_as_strided(c, n, b.data(), a.data(), index, out, record))
    case 17: VIEW(reinterpret, (U8), stride_layout_reinterpret(c, U8.number(), out, record))
    case 18: VIEW(select, (axis, index), stride_layout_select(c, axis, index, out, record))
    case 19: VIEW(repeat, (axis, index), stride_layout_repeat(c, axis, index, out, record))
    case 20: VIEW(tile, (d), stride_layout_tile(c, n, d.data(), out, record))
    case 21: VIEW(broadcast_to, (b), stride_layout_broadcast_to(c, n, b.data(), out, record))
    case 22: VIEW(broadcast_in_dim, (b, few),
                  stride_layout_broadcast_in_dim(c, n, b.data(), count, few.data(), out, record))
    case 23: VIEW(inverse, (), stride_layout_inverse(c, out, record))
    case 24: VIEW(packed_like, (), stride_layout_packed_like(c, out, record))
    case 25: VIEW(canonicalize, (count), stride_layout_canonicalize(c, count, out, record))
    case 26: {
      const layout inner = any_layout(random);
      uint32_t groups[64];
      VIEW(compose, (inner), stride_layout_compose(c, &inner, out, inner.rank, groups, record))
    }
    case 27: {
      requirements asked;
      asked.flags = STRIDE_REQUIRE_NESTED, asked.row_alignment = 16, asked.rank_max = 3;
      VIEW(adapt, (asked), stride_layout_adapt(c, &asked, out, record))
    }
    case 28: {
      stride_layout halves[2];
      stride_error record{};
      const auto status = stride_layout_cut(c, axis, index, &halves[0], &halves[1], &record);
      const auto cut = from.try_cut(axis, index);
      CHECK(cut.status() == status && (cut ? same((*cut)[0], halves[0]) && same((*cut)[1], halves[1])
                                           : same_record(cut.record(), record)));
      succeeded += status == STRIDE_STATUS_OK;
      break;
    }
    case 29: {
      stride_layout view;
      int64_t shift = 0;
      stride_error record{};
      const auto status = stride_layout_rebase(c, &view, &shift, &record);
      const auto moved = from.try_rebase();
      CHECK(moved.status() == status && (!moved || (same(moved->view, view) && moved->shift_bytes == shift)));
      succeeded += status == STRIDE_STATUS_OK;
      break;
    }
    case 30: VIEW(as_bytes, (), stride_layout_as_bytes(c, out, record))
    default: CHECK(false);
  }
}

/// Lists of which C is told one number.
void numbers_of_entries() {
  const layout cube = *layout::try_make(F32, {4, 5, 6});
  CHECK(cube.try_slice({1, 2}).record().argument == STRIDE_ARGUMENT_STARTS);
  CHECK(cube.try_slice({1, 2, 3}, {1}).record().argument == STRIDE_ARGUMENT_STOPS);
  CHECK(cube.try_slice({}, {}, {1, 1, 1, 1}).record().argument == STRIDE_ARGUMENT_STEPS);
  CHECK(cube.try_slice({}) && *cube.try_slice({}) == cube);
  CHECK(cube.try_crop({0, 0, 0}, {1, 1}).record().argument == STRIDE_ARGUMENT_SIZES);
  CHECK(cube.try_crop({0, 0}, {1, 1, 1}).record().argument == STRIDE_ARGUMENT_STARTS);
  // Of lists that may not be left out, one without entries has too few.
  std::vector<int64_t> emptied = {1};
  emptied.clear();
  for (const list none : {list(), list(emptied)}) {
    CHECK(cube.try_crop(none, none).status() == STRIDE_STATUS_INVALID_RANK);
    CHECK(cube.try_crop(none, {1, 1, 1}).record().argument == STRIDE_ARGUMENT_STARTS);
    CHECK(cube.try_as_strided({2, 2}, none).status() == STRIDE_STATUS_INVALID_RANK);
    CHECK(cube.try_slice(none, none, none).has_value());
  }
  CHECK(layout::try_make(F32, {})->try_crop({}, {}).has_value());
  CHECK(cube.try_window({1, 1, 1}, {1, 1}).record().argument == STRIDE_ARGUMENT_STEPS);
  CHECK(cube.try_window({1, 1, 1}, {}, {1}).record().argument == STRIDE_ARGUMENT_DILATIONS);
  CHECK(cube.try_as_strided({2, 2}, {1}).record().argument == STRIDE_ARGUMENT_STRIDES);
  CHECK(cube.try_permute({0, 1}).status() == STRIDE_STATUS_INVALID_RANK);
  CHECK_THROWS(STRIDE_STATUS_INVALID_RANK, cube.slice({1, 2}));
}

}  // namespace

void test_views() {
  chain();
  numbers_of_entries();
  random_numbers random(16);
  unsigned long succeeded[31] = {};
  for (int k = 0; k < 10000; k++) any_view(random, k % 31, succeeded[k % 31]);
  // Each kind of view was made, so that the layouts were compared and not only the records.
  for (const unsigned long made : succeeded) CHECK(made >= 10);
}
