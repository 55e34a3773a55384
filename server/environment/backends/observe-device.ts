import type { Adb } from '@yume-chan/adb'
import type { EnvironmentObservation } from '@/server/environment/contract'
import { parseUiTree } from '@/server/environment/model/ui-tree'
import {
  captureScreen,
  pngSize,
  readForeground,
  readScreenSize,
  readState,
  readStateHash,
  readTree,
} from './phone-shell'

/** What a device shows and tells at this moment. Throws TaplineError `unavailable` when it does not answer. */
export async function observeDevice(
  adb: Adb,
  signal: AbortSignal,
): Promise<Omit<EnvironmentObservation, 'frameNumber'>> {
  const [screen, tree, foreground, state, stateHash] = await Promise.all([
    captureScreen(adb, signal),
    readTree(adb, signal),
    readForeground(adb, signal),
    readState(adb, signal),
    readStateHash(adb, signal),
  ])
  const size = (screen && pngSize(screen)) ?? (await readScreenSize(adb, signal))
  return {
    screen: screen && { bytes: screen, mediaType: 'image/png' },
    tree,
    app: foreground?.app ?? null,
    activity: foreground?.activity ?? null,
    ...size,
    rotation: rotationOf(tree),
    stateHash,
    phoneAt: state?.clock.now ?? null,
  }
}

function rotationOf(tree: string): number {
  try {
    return parseUiTree(tree).rotation
  } catch {
    // Some screens (DRM, games) have no tree that can be read; the picture still counts.
    return 0
  }
}
