import { z } from 'zod'
import type { Database } from '@/db/client'
import { TaplineError } from '@/server/platform/errors'
import { type EpisodePage, episodeSorts, type ListEpisodesInput } from './contract'
import { selectPage } from './store/episodes'

const position = z.object({ sort: z.enum(episodeSorts), value: z.union([z.string(), z.number()]), id: z.uuid() })

/** A page of episodes. Throws `bad-input` for a cursor that is not from the same list. */
export async function listEpisodes(db: Database, input: ListEpisodesInput): Promise<EpisodePage> {
  const after = input.cursor ? parseCursor(input.cursor, input.sort) : null
  const { rows, total } = await selectPage(db, { ...input, after, limit: input.limit + 1 })
  const page = rows.slice(0, input.limit)
  const last = page.at(-1)
  const hasMore = rows.length > input.limit && last !== undefined
  const nextCursor = hasMore ? toCursor({ sort: input.sort, value: last.value, id: last.episode.id }) : null
  return { episodes: page.map((row) => row.episode), nextCursor, total }
}

function toCursor(value: z.infer<typeof position>): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function parseCursor(cursor: string, sort: string): z.infer<typeof position> {
  try {
    const parsed = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    if (sort === parsed.sort && (sort === 'title' || Number.isSafeInteger(Number(parsed.value)))) return parsed
  } catch (error) {
    throw new TaplineError('bad-input', 'The cursor is not one of this list: start again without it.', { cause: error })
  }
  throw new TaplineError('bad-input', 'The cursor is of another order: start again without it.')
}
