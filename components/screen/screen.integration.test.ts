import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { chromiumArguments } from '@/server/platform/testing/chromium-arguments'
import { startTestGateway, type TestGateway } from '@/server/device/testing/test-gateway'
import { startTestPhone, type TestPhone } from '@/server/device/testing/test-phone'
import { serveScreenPage } from './testing/serve-screen-page'

let phone: TestPhone
let gateway: TestGateway
let site: Awaited<ReturnType<typeof serveScreenPage>>
let browser: Browser
let context: BrowserContext
let page: Page
let screen: Locator
let deviceId: string

beforeAll(async () => {
  phone = await startTestPhone('TEST5')
  gateway = await startTestGateway([phone.address])
  site = await serveScreenPage({ port: Number(gateway.host.split(':')[1]) })
  gateway.answerAlsoTo(site.port)
  const [device] = await gateway.waitForDevices((devices) => devices[0]?.state === 'online')
  deviceId = device?.id ?? ''
  browser = await chromium.launch({
    executablePath: process.env['TAPLINE_CHROMIUM'] ?? '/usr/bin/chromium',
    args: chromiumArguments,
  })
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await gateway?.close()
  await phone?.stop()
})

beforeEach(async () => {
  phone.inputs.length = 0
  context = await browser.newContext()
  const [name, value] = (await gateway.cookieFor('operator', 'Ada')).split('=')
  await context.addCookies([{ name: name ?? '', value: value ?? '', url: `http://127.0.0.1:${site.port}` }])
  page = await context.newPage()
})
afterEach(() => context?.close())

async function openScreen(host = '127.0.0.1'): Promise<void> {
  await page.goto(`http://${host}:${site.port}/?device=${deviceId}`)
  screen = page.locator('[data-device-screen]')
}

async function untilState(state: string): Promise<void> {
  await page.locator(`[data-device-screen][data-state="${state}"]`).waitFor()
}

/** How many different colours the canvas shows on the way down its middle. */
function coloursShown(): Promise<number> {
  return page.evaluate(async () => {
    const canvas = document.querySelector('canvas')
    if (canvas === null) return 0
    const bitmap = await createImageBitmap(canvas)
    const copy = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    copy?.drawImage(bitmap, 0, 0)
    const pixels = copy?.getImageData(bitmap.width >> 1, 0, 1, bitmap.height).data ?? []
    const colours = new Set<string>()
    for (let index = 0; index < pixels.length; index += 4) colours.add(pixels.slice(index, index + 3).join())
    return colours.size
  })
}

async function framesDrawn(): Promise<number> {
  return Number(await screen.getAttribute('data-frames'))
}

test('shows the phone’s picture, decoded, in its size', async () => {
  await openScreen()
  await untilState('live')
  await expect.poll(framesDrawn).toBeGreaterThan(0)
  expect(await coloursShown()).toBeGreaterThan(8)
  expect(await page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.offsetHeight)).toBeGreaterThan(500)
  expect(await screen.getByRole('status').count()).toBe(0)
})

test('touches go through only with the lease, at the pixels that are seen', async () => {
  await openScreen()
  await untilState('live')
  const surface = screen.locator('> div').first()
  const box = await surface.boundingBox()
  if (box === null) throw new Error('the screen has no box')
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.click(middle.x, middle.y)
  await page.getByRole('button', { name: 'Take' }).click()
  await page.locator('[data-lease="mine"]').waitFor()
  expect(await page.locator('output').textContent()).toBe('Ada')
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.mouse.move(middle.x, middle.y - box.height / 4, { steps: 3 })
  await page.mouse.up()
  await page.keyboard.press('a')
  await page.keyboard.press('Escape')
  await page.mouse.wheel(0, 100)
  await page.getByRole('button', { name: 'Home' }).click()
  await phone.waitForInputs((inputs) =>
    inputs.some((input) => input.type === 'key' && input.keycode === 3 && input.action === 'up'),
  )
  const [down] = phone.inputs
  expect(down).toMatchObject({ type: 'pointer', action: 'down', pointerId: 0 })
  if (down?.type !== 'pointer') throw new Error('the first input is no pointer')
  expect(Math.abs(down.x - 270)).toBeLessThanOrEqual(2)
  expect(Math.abs(down.y - 600)).toBeLessThanOrEqual(2)
  const kinds = phone.inputs.map((input) => ('action' in input ? `${input.type} ${input.action}` : input.type))
  expect(kinds.filter((kind) => kind !== 'pointer move')).toEqual([
    'pointer down',
    'pointer up',
    'text',
    'key down',
    'key up',
    'scroll',
    'key down',
    'key up',
  ])
  expect(phone.inputs.find((input) => input.type === 'scroll')).toMatchObject({ vertical: -1 })
})

test('comes back after the connection breaks, with the last picture still there', async () => {
  await openScreen()
  await untilState('live')
  await expect.poll(framesDrawn).toBeGreaterThan(0)
  const before = await framesDrawn()
  site.dropConnections()
  await untilState('connecting')
  expect(await coloursShown()).toBeGreaterThan(8)
  await untilState('live')
  await expect.poll(framesDrawn).toBeGreaterThan(before)
})

test('a phone that goes is said to be gone, and is live again when it is back', async () => {
  await openScreen()
  await untilState('live')
  await phone.stop()
  await untilState('gone')
  expect(await screen.getByRole('status').textContent()).toContain('Phone not connected')
  await phone.start()
  await untilState('live')
})

test('on plain http under another name the page says what is missing', async () => {
  const other = await chromium.launch({
    executablePath: process.env['TAPLINE_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [...chromiumArguments, '--host-resolver-rules=MAP lan.test 127.0.0.1'],
  })
  try {
    page = await other.newPage()
    await openScreen('lan.test')
    await untilState('unsupported')
    expect(await screen.getByRole('status').textContent()).toContain('https or localhost')
  } finally {
    await other.close()
  }
})
