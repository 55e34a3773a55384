import { TaplineError } from '@/server/platform/errors'
import { procedureFor, router } from '@/server/platform/procedure'
import { followDevices } from './follow-devices'
import { listDevices } from './list-devices'

export const deviceRouter = router({
  list: procedureFor('viewer').query(({ ctx }) => listDevices(ctx.db)),
  /** The list now and after each change. */
  follow: procedureFor('viewer').subscription(async function* ({ ctx, signal }) {
    if (ctx.listener === null) throw new TaplineError('unavailable', 'Devices can only be followed over the WebSocket.')
    yield* followDevices(ctx.db, ctx.listener, signal ?? new AbortController().signal)
  }),
})
