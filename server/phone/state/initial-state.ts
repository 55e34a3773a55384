import { seedContacts } from './fixtures/contacts'
import { seedThreads } from './fixtures/threads'
import { localTime } from './local-time'
import type { PhoneState } from './phone-state'
import { createRandom } from './random'

/** Where every phone's clock starts: Monday 30 November 2026, 18:02. */
export const startTime = localTime(2026, 11, 30, 18, 2)

/**
 * A fresh phone on its home screen. Equal seeds give equal states; another seed gives other people, times and codes, so
 * that nothing learnt by heart on one seed is right on the next. `seed` is a non-negative safe integer.
 */
export function initialState(seed: number): PhoneState {
  const random = createRandom(seed)
  const contacts = seedContacts(random)
  return {
    data: {
      system: { airplaneMode: false, faults: [] },
      contacts,
      messages: { threads: seedThreads(random, contacts, startTime), drafts: {} },
    },
    ui: {
      tasks: [],
      foreground: null,
      focus: null,
      keyboard: { isOpen: false, page: 'letters', shift: 'off' },
      fields: {},
      scroll: {},
      pointer: null,
      fling: null,
      toasts: [],
    },
    clock: { now: startTime, ticks: 0 },
  }
}
