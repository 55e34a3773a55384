import { expect, test } from 'vitest'
import { parseForeground, pngSize } from './phone-shell'

test('finds the app in front in the dumps of several Android versions', () => {
  const inFront = { app: 'com.android.settings', activity: '.Settings' }
  expect(parseForeground('  mResumedActivity: ActivityRecord{9f3c2d1 u0 com.android.settings/.Settings t42}')).toEqual(
    inFront,
  )
  expect(
    parseForeground('    topResumedActivity=ActivityRecord{1234abc u0 com.android.settings/.Settings t7 d0}'),
  ).toEqual(inFront)
  expect(
    parseForeground('  mCurrentFocus=Window{7a91 u0 com.android.settings/com.android.settings.Settings$Wifi}'),
  ).toEqual({ app: 'com.android.settings', activity: 'com.android.settings.Settings$Wifi' })
  expect(parseForeground('mCurrentFocus=null')).toBeNull()
})

test('reads the size of a PNG, and refuses other bytes', () => {
  const png = Buffer.alloc(33)
  png.writeUInt32BE(0x89504e47, 0)
  png.write('IHDR', 12, 'latin1')
  png.writeUInt32BE(540, 16)
  png.writeUInt32BE(1200, 20)
  expect(pngSize(png)).toEqual({ width: 540, height: 1200 })
  expect(pngSize(png.subarray(0, 20))).toBeNull()
  expect(pngSize(Buffer.from('screencap: permission denied, sorry'))).toBeNull()
})
