/** A small seeded generator: equal seeds give equal sequences on every machine. Not for secrets. */
export type Random = {
  /** Uniform integer, both ends included. */
  integer(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
  shuffle<Item>(items: readonly Item[]): Item[]
}

/** mulberry32 (Tommy Ettinger, public domain), its seed spread by the 32-bit finaliser of MurmurHash3. */
export function createRandom(seed: number): Random {
  let state = finalise((seed >>> 0) ^ finalise(Math.floor(seed / 2 ** 32) >>> 0))
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    integer,
    pick(items) {
      const item = items[integer(0, items.length - 1)]
      if (item === undefined) throw new RangeError('Nothing to pick from')
      return item
    },
    shuffle(items) {
      const keyed = items.map((item) => ({ item, key: next() }))
      return keyed.sort((one, other) => one.key - other.key).map((one) => one.item)
    },
  }
}

function finalise(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
