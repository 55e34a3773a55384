import { deviceRouter } from '@/server/device/router'
import { harnessRouter } from '@/server/harness/router'
import { router } from '@/server/platform/procedure'
import { trajectoryRouter } from '@/server/trajectory/router'

/** Every domain's procedures under its own name. */
export const appRouter = router({
  device: deviceRouter,
  harness: harnessRouter,
  trajectory: trajectoryRouter,
})
export type AppRouter = typeof appRouter
