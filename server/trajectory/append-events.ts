import type { Database, Transaction } from '@/db/client'
import type { Clock } from '@/server/platform/clock'
import { TaplineError } from '@/server/platform/errors'
import { notify } from '@/server/platform/notify'
import { type EpisodeEvent, episodeEventBody, type FoldedEpisode, type NewEpisodeEvent } from './contract'
import { emptyEpisode, foldEvent } from './model/fold'
import { toStorableJson } from './model/storable-json'
import { type EpisodeRow, lockEpisode, updateEpisode } from './store/episodes'
import { insertEvents, selectEvents, selectFirstSeqOfStep, upsertSteps } from './store/events'

/** The channel that carries `<episode id>:<seq of the last event>`. */
export const episodeChannel = 'episode'

/** An event is text and numbers; whatever is larger belongs in an artefact. */
const largestEventBytes = 256 * 1024

/**
 * Appends events with the next `seq`s, in one transaction with the rows that lists read and the notice to followers.
 * With `heldBy`, only while that worker holds the episode: one that was taken for dead must not write on.
 * Throws `bad-input` for an event that is not one, `not-found`, and `conflict` once the episode has finished.
 */
export async function appendEvents(
  db: Database | Transaction,
  options: { episodeId: string; events: readonly NewEpisodeEvent[]; clock: Clock; heldBy?: string },
): Promise<EpisodeEvent[]> {
  const { episodeId, clock, heldBy } = options
  if (options.events.length === 0) return []
  const bodies = options.events.map((event) => toBody(event))
  return db.transaction(async (tx) => {
    const row = await lockEpisode(tx, episodeId)
    if (!row) throw new TaplineError('not-found', `There is no episode ${episodeId}.`)
    if (row.finishedAt !== null) {
      throw new TaplineError('conflict', `Episode ${episodeId} has ended (${row.status}); its log no longer grows.`)
    }
    if (heldBy !== undefined && row.workerId !== heldBy) {
      throw new TaplineError('conflict', `Episode ${episodeId} is no longer held by worker ${heldBy}.`)
    }
    const appended = options.events.map((event, index): EpisodeEvent => ({
      episodeId,
      seq: row.nextSeq + index,
      at: event.at ?? clock(),
      actor: event.actor,
      body: bodies[index]!,
    }))
    await insertEvents(tx, appended)
    await updateRows(tx, row, appended)
    await notify(tx, episodeChannel, `${episodeId}:${row.nextSeq + appended.length - 1}`)
    return appended
  })
}

function toBody(event: NewEpisodeEvent) {
  const body = episodeEventBody.safeParse(toStorableJson(event.body))
  if (!body.success) {
    throw new TaplineError('bad-input', `Not a ${event.body.type} event: ${body.error.message}`, { cause: body.error })
  }
  const bytes = Buffer.byteLength(JSON.stringify(body.data))
  if (bytes > largestEventBytes) {
    throw new TaplineError(
      'bad-input',
      `A ${event.body.type} event of ${bytes} bytes is too large: keep what is large as an artefact.`,
    )
  }
  return body.data
}

/** Folds from the last step on: what came before it can't change any more. */
async function updateRows(tx: Transaction, row: EpisodeRow, appended: EpisodeEvent[]): Promise<void> {
  const firstSeq = row.stepCount > 0 ? await selectFirstSeqOfStep(tx, row.id, row.stepCount) : null
  const isInStep = firstSeq !== null
  const known = isInStep
    ? (await selectEvents(tx, { episodeId: row.id, fromSeq: firstSeq })).filter((event) => event.seq < row.nextSeq)
    : []
  const start: FoldedEpisode = { ...emptyEpisode(), lastSeq: (isInStep ? firstSeq : row.nextSeq) - 1 }
  // The open question is in the last step; the status may date from before it.
  const before: FoldedEpisode = { ...known.reduce(foldEvent, start), status: row.status }
  const after = appended.reduce(foldEvent, before)
  const offset = isInStep ? row.stepCount - 1 : row.stepCount
  const changed = after.steps
    .filter((step) => step.lastSeq >= row.nextSeq || step.number === after.steps.length - 1)
    .map((step) => ({ ...step, number: step.number + offset }))
  await upsertSteps(tx, row.id, changed)
  await updateEpisode(tx, row.id, {
    status: after.status,
    nextSeq: row.nextSeq + appended.length,
    stepCount: after.steps.length + offset,
    costMicroUsd: row.costMicroUsd + after.totals.costMicroUsd - before.totals.costMicroUsd,
    ...(after.finished
      ? { claim: after.finished.claim, verdict: after.finished.verdict, finishedAt: after.finished.at, workerId: null }
      : {}),
  })
}
