import type { Clock } from '@/server/platform/clock'

const messagesPerSecond = 200
const secondsOfExcess = 3
const badMessages = 20

export type BudgetVerdict = 'accept' | 'drop' | 'drop-and-tell' | 'close'

/**
 * Limits what one client sends: over 200 messages in a second the rest of that second is dropped, after 3 such seconds
 * in a row the client is closed, and so is one that has sent 20 messages nobody can read.
 */
export class MessageBudget {
  readonly #clock: Clock
  #secondStartedAt = 0
  #inThisSecond = 0
  #badSeconds = 0
  #unreadable = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  count(): BudgetVerdict {
    const now = this.#clock()
    const age = now - this.#secondStartedAt
    if (age >= 1_000 || age < 0) {
      // A quiet second in between ends a row.
      const wasBad = this.#inThisSecond > messagesPerSecond && age < 2_000
      this.#badSeconds = wasBad ? this.#badSeconds + 1 : 0
      this.#secondStartedAt = now
      this.#inThisSecond = 0
    }
    this.#inThisSecond += 1
    if (this.#inThisSecond <= messagesPerSecond) return 'accept'
    if (this.#badSeconds + 1 > secondsOfExcess) return 'close'
    return this.#inThisSecond === messagesPerSecond + 1 ? 'drop-and-tell' : 'drop'
  }

  countUnreadable(): BudgetVerdict {
    this.#unreadable += 1
    return this.#unreadable >= badMessages ? 'close' : 'drop-and-tell'
  }
}
