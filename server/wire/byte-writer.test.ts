import { expect, test } from 'vitest'
import { ByteReader } from '@/server/wire/byte-reader'
import { ByteWriter, encodeUtf8 } from '@/server/wire/byte-writer'
import { WireError } from '@/server/wire/wire-error'

test.each([
  ['over', (writer: ByteWriter) => writer.u8(256, 'key action')],
  ['negative', (writer: ByteWriter) => writer.u16(-1, 'key action')],
  ['a fraction', (writer: ByteWriter) => writer.i32(1.5, 'key action')],
  ['not a number', (writer: ByteWriter) => writer.u32(Number.NaN, 'key action')],
  ['over 64 bits', (writer: ByteWriter) => writer.u64(1n << 64n, 'key action')],
])('refuses a value that is %s, naming the field', (_, write) => {
  expect(() => write(new ByteWriter(8, 'big-endian'))).toThrow(/^key action/)
})

test('refuses a message of another size than announced', () => {
  expect(() => new ByteWriter(2, 'big-endian').u8(1, 'a').finish()).toThrow(WireError)
  expect(() => new ByteWriter(2, 'big-endian').u32(1, 'a')).toThrow(WireError)
})

test('both byte orders read what they wrote', () => {
  for (const order of ['big-endian', 'little-endian'] as const) {
    const bytes = new ByteWriter(29, order)
      .u8(1, 'a')
      .u16(0x0203, 'b')
      .i16(-2, 'c')
      .u32(0xfffe_0102, 'd')
      .i32(-5, 'e')
      .u64(0xfedc_ba98_7654_3210n, 'f')
      .i64(-7n, 'g')
      .finish()
    const reader = new ByteReader(bytes, order)
    expect([reader.u8(), reader.u16(), reader.i16(), reader.u32(), reader.i32(), reader.u64(), reader.i64()]).toEqual([
      1,
      0x0203,
      -2,
      0xfffe_0102,
      -5,
      0xfedc_ba98_7654_3210n,
      -7n,
    ])
    expect(() => reader.u8()).toThrow(WireError)
  }
})

test('keeps a byte order mark at the start of a text', () => {
  const bytes = encodeUtf8('\uFEFFé漢😀')
  expect(new ByteReader(bytes, 'big-endian').utf8(bytes.length)).toBe('\uFEFFé漢😀')
})
