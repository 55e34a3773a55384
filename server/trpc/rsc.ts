import { headers } from 'next/headers'
import { cache } from 'react'
import { z } from 'zod'
import type { Device } from '@/server/device/contract'
import { TaplineError } from '@/server/platform/errors'
import type { SignedInPerson } from '@/server/platform/people/contract'
import { createCallerFactory } from '@/server/platform/procedure'
import { appRouter } from './app-router'
import { createContext } from './context'
import { webServices } from './web-services'

const createCaller = createCallerFactory(appRouter)

const requestContext = cache(async () => createContext(await webServices(), (await headers()).get('cookie')))

/** The person the page is made for. The web server has refused everyone else already; this asks again. */
export async function signedInPerson(): Promise<SignedInPerson> {
  const { person } = await requestContext()
  if (person === null) throw new TaplineError('not-signed-in', 'Sign in first: run `npm run link` for a link.')
  return person
}

export const listDevices = cache(async (): Promise<Device[]> => createCaller(await requestContext()).device.list())

/** The first stretch of an episode's log, for the first paint; null when there is no such episode. */
export const loadEpisode = cache(async (episodeId: string) => {
  if (!z.uuid().safeParse(episodeId).success) return null
  try {
    return await createCaller(await requestContext()).trajectory.get({ episodeId })
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    if (cause instanceof TaplineError && cause.code === 'not-found') return null
    throw error
  }
})
