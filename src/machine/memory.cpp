// SPDX-License-Identifier: Apache-2.0
#include "machine/memory.h"

#include <cstring>

#include "millrace/error.h"

namespace millrace::machine {

namespace {

// Poison by element size: quiet NaNs with a payload of their own, and far-off integers.
struct Poison {
  std::uint32_t bits;
  std::size_t bytes;
};

Poison poison_of(Element element) {
  switch (element) {
    case Element::kF32: return {0x7fc0dead, 4};
    case Element::kBF16: return {0x7fdd, 2};
    case Element::kF16: return {0x7ead, 2};
    case Element::kI16: return {0xa5ad, 2};
    case Element::kI8: return {0xad, 1};
    case Element::kI4: return {0xfd, 1};
    case Element::kI1: return {1, 1};
    case Element::kF8E5M2: return {0x7d, 1};
    case Element::kF8E4M3FN: return {0x7f, 1};
    case Element::kF8E4M3B11FNUZ: return {0x80, 1};
    default: return {0xa5adbeef, 4};
  }
}

std::unique_ptr<Memory> shaped(const program::MemorySlot& slot) {
  auto m = std::make_unique<Memory>();
  m->name = slot.name;
  m->kind = slot.kind;
  m->element = slot.element;
  m->element_bytes = bytes_in_memory(slot.element);
  m->shape = slot.shape;
  m->strides.assign(slot.shape.size(), 1);
  for (std::size_t d = slot.shape.size(); d-- > 1;) m->strides[d - 1] = m->strides[d] * slot.shape[d];
  m->count = element_count(slot.shape);
  return m;
}

}  // namespace

std::size_t bytes_or_none(Element element) {
  switch (element) {
    case Element::kBF16:
    case Element::kF16:
    case Element::kI16: return 2;
    case Element::kI8:
    case Element::kF8E5M2:
    case Element::kF8E4M3FN:
    case Element::kF8E4M3B11FNUZ:
    case Element::kI4:  // a byte each; four bits each where bytes are counted
    case Element::kI1: return 1;
    case Element::kF32:
    case Element::kI32:
    case Element::kSemaphore:
    case Element::kDmaSemaphore: return 4;
    default: return 0;
  }
}

std::size_t bytes_in_memory(Element element) {
  if (const std::size_t bytes = bytes_or_none(element)) return bytes;
  throw Error(ErrorCode::kUnsupported, "memories of this element type are not supported");
}

// Writes only: one page is made up, then laid down again and again.
void fill_with_poison(std::byte* data, std::size_t bytes, Element element) {
  constexpr std::size_t kPage = 4096;
  const Poison p = poison_of(element);
  for (std::size_t i = 0; i < bytes && i < p.bytes; ++i) data[i] = static_cast<std::byte>(p.bits >> (8 * i));
  std::size_t done = p.bytes;
  for (; done < bytes && done < kPage; done *= 2) std::memcpy(data + done, data, std::min(done, bytes - done));
  for (; done < bytes; done += kPage) std::memcpy(data + done, data, std::min(kPage, bytes - done));
}

void fill_with_poison(Array& array) {
  const DType dtype = array.dtype();
  Element element = size_of(dtype) == 1 ? Element::kI8 : size_of(dtype) == 2 ? Element::kI16 : Element::kI32;
  for (Element e : {Element::kF32, Element::kBF16, Element::kF16})
    if (dtype_of(e) == dtype) element = e;
  fill_with_poison(array.data(), array.bytes(), element);
}

DType dtype_of(Element element) {
  switch (element) {
    case Element::kF32: return DType::f32;
    case Element::kBF16: return DType::bf16;
    case Element::kF16: return DType::f16;
    case Element::kI16: return DType::i16;
    case Element::kI8:
    case Element::kI4: return DType::i8;
    case Element::kI1: return DType::i1;
    case Element::kF8E5M2:
    case Element::kF8E4M3FN:
    case Element::kF8E4M3B11FNUZ: return DType::u8;
    default: return DType::i32;
  }
}

std::unique_ptr<Memory> Memory::fresh(const program::MemorySlot& slot) {
  auto m = shaped(slot);
  if (slot.kind == event::MemoryKind::kSemaphore) {
    m->counts.assign(static_cast<std::size_t>(m->count), 0);
    return m;
  }
  m->owned_.resize(static_cast<std::size_t>(m->count) * m->element_bytes);
  fill_with_poison(m->owned_.data(), m->owned_.size(), slot.element);
  m->data_ = m->writable_ = m->owned_.data();
  return m;
}

std::unique_ptr<Memory> Memory::into(const program::MemorySlot& slot, Array& array) {
  auto m = shaped(slot);
  m->data_ = m->writable_ = array.data();
  m->untouched_ = std::make_unique<Untouched>(array.data(), array.bytes(), slot.element);
  return m;
}

std::unique_ptr<Memory> Memory::over(const program::MemorySlot& slot, const Array& array) {
  auto m = shaped(slot);
  m->data_ = array.data();
  return m;
}

std::unique_ptr<Memory> Memory::at(const program::MemorySlot& slot, std::byte* data) {
  auto m = shaped(slot);
  if (slot.kind == event::MemoryKind::kSemaphore) m->counts.assign(static_cast<std::size_t>(m->count), 0);
  m->move_to(data);
  return m;
}

void Memory::settle() {
  if (untouched_) untouched_->fill();
  untouched_.reset();
}

void Memory::own() {
  owned_.assign(data_, data_ + static_cast<std::size_t>(count) * element_bytes);
  data_ = writable_ = owned_.data();
}

}  // namespace millrace::machine
