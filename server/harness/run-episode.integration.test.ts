import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { workers } from '@/db/schema/queue'
import { episodes } from '@/db/schema/trajectory'
import { deviceGone, leaseLost } from '@/server/environment/contract'
import { taskInstance } from '@/server/environment/suite/task-list'
import { TaplineError } from '@/server/platform/errors'
import { followEpisode } from '@/server/trajectory/follow-episode'
import { answerQuestion } from './answer-question'
import { controlEpisode } from './control-episode'
import { createDemonstrationPlanner } from './planners/demonstration'
import { recoverEpisodes } from './recover-episodes'
import { type HarnessBench, hostId, openHarnessBench, withSession } from './testing/harness-bench'

let bench: HarnessBench
beforeAll(async () => {
  bench = await openHarnessBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.db.delete(workers)
  await bench.addWorker('worker-1')
  bench.opened.length = 0
})

const control = (episodeId: string, action: 'pause' | 'resume' | 'stop' | 'take-over' | 'hand-back') =>
  controlEpisode({ db: bench.db, clock: bench.clock, episodeId, action, note: null, by: bench.by })

async function answer(episodeId: string, text?: string) {
  const { question, started } = await bench.fold(episodeId)
  if (!question || !started) throw new Error('nothing was asked')
  const { expectedAnswer } = taskInstance(started.task.id, started.task.seed)
  const given = text ?? expectedAnswer ?? ''
  await answerQuestion({
    db: bench.db,
    clock: bench.clock,
    episodeId,
    callId: question.callId,
    text: given,
    by: bench.by,
  })
}

async function startTellLin(seed = 3) {
  const device = await bench.device()
  const { episodeId } = await bench.start(device.id, 'messages-tell-lin', seed)
  return { device, episodeId }
}

const messagesSent = (text: string) => {
  const data = bench.machine.state().data as { messages: { threads: { messages: { text: string }[] }[] } }
  return data.messages.threads.flatMap((thread) => thread.messages).filter((message) => message.text === text).length
}

test('runs to a question, ends its job, and goes on after the answer to a verdict of its own', async () => {
  const { episodeId } = await startTellLin()
  await bench.run(episodeId, bench.services('worker-1'))
  const asked = await bench.fold(episodeId)
  expect(asked).toMatchObject({ status: 'waiting', question: { text: 'Which Lin should I tell?' } })
  expect(asked.question?.options).toHaveLength(2)
  const [waiting] = await bench.db.select().from(episodes).where(eq(episodes.id, episodeId))
  expect(waiting).toMatchObject({ status: 'waiting', workerId: null })

  await answer(episodeId)
  expect((await bench.fold(episodeId)).status).toBe('queued')
  await bench.addWorker('worker-2')
  await bench.run(episodeId, bench.services('worker-2'))
  const done = await bench.fold(episodeId)
  expect(done.finished).toMatchObject({ status: 'succeeded', verdict: { outcome: 'succeeded' } })
  expect(done.finished?.claim).toMatch(/^I told Lin/)
  expect(done.steps.length).toBeGreaterThanOrEqual(8)
  for (const step of done.steps) {
    expect(step.context).not.toBeNull()
    expect(step.before).not.toBeNull()
    expect(step.reasoning?.text).toBeTruthy()
    for (const call of step.calls) expect(call.result).not.toBeNull()
  }
  expect(done.steps.flatMap(({ calls }) => calls.flatMap(({ touches }) => touches)).length).toBeGreaterThanOrEqual(3)
  // The phone was set up once: the second job took it as it was.
  expect(bench.opened).toEqual([{ isNew: true }, { isNew: false }])
  // What is done again by mistake does nothing.
  await bench.run(episodeId, bench.services('worker-2'))
  expect(await bench.fold(episodeId)).toEqual(done)
})

test('the wrong answer leads to the wrong person only where the person said so', async () => {
  const { episodeId } = await startTellLin()
  await bench.run(episodeId, bench.services('worker-1'))
  const { question } = await bench.fold(episodeId)
  const other = question?.options.find((option) => option !== taskInstance('messages-tell-lin', 3).expectedAnswer)
  await answer(episodeId, other)
  await bench.run(episodeId, bench.services('worker-1'))
  expect((await bench.fold(episodeId)).finished?.status).toBe('succeeded')
})

test('recovers a message that was not delivered, and says so in feedback', async () => {
  const device = await bench.device()
  const { episodeId } = await bench.start(device.id, 'messages-forward-code', 4)
  await bench.run(episodeId, bench.services('worker-1'))
  const done = await bench.fold(episodeId)
  expect(done.finished?.verdict?.checks.every(({ passed }) => passed)).toBe(true)
  const failed = done.steps.find(({ calls }) => calls.some(({ result }) => result?.code === 'not-delivered'))
  expect(failed?.feedback).toMatchObject([{ kind: 'recovery' }])
})

test('a busy device is refused by name, also when two start at once', async () => {
  const device = await bench.device()
  const both = await Promise.allSettled([bench.start(device.id), bench.start(device.id)])
  const made = both.filter((one) => one.status === 'fulfilled')
  expect(made).toHaveLength(1)
  const episodeId = made[0]?.value.episodeId
  expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({
    code: 'busy',
    message: expect.stringContaining(String(episodeId)),
  })
  await expect(bench.start(device.id)).rejects.toMatchObject({ code: 'busy' })
  const jobs = (await bench.jobs()).filter(({ key }) => key === `episode:${episodeId}`)
  expect(jobs).toEqual([{ task: `harness.continue-episode@${hostId}`, key: `episode:${episodeId}` }])
  await control(String(episodeId), 'stop')
  await bench.start(device.id)
})

test('refuses what is not there and a device that is off', async () => {
  const device = await bench.device()
  await expect(bench.start(bench.by.id)).rejects.toMatchObject({ code: 'not-found' })
  await expect(bench.start(device.id, 'no-such-task')).rejects.toMatchObject({ code: 'not-found' })
  const { devices } = await import('@/db/schema/device')
  await bench.db.update(devices).set({ state: 'offline' }).where(eq(devices.id, device.id))
  await expect(bench.start(device.id)).rejects.toMatchObject({ code: 'unavailable' })
})

test('an answer to a question that is not open is refused, and one question is answered once', async () => {
  const { episodeId } = await startTellLin()
  await bench.run(episodeId, bench.services('worker-1'))
  const { question } = await bench.fold(episodeId)
  const callId = question?.callId ?? ''
  const give = (id: string) =>
    answerQuestion({ db: bench.db, clock: bench.clock, episodeId, callId: id, text: 'Lin Hao', by: bench.by })
  await expect(give('other')).rejects.toMatchObject({ code: 'conflict' })
  const both = await Promise.allSettled([give(callId), give(callId)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a pause breaks reasoning off and parks the step; resuming decides it anew', async () => {
  const { episodeId } = await startTellLin()
  // So slow that it would take minutes: only the pause can end it.
  const slow = createDemonstrationPlanner({ taskInstance, charactersPerSecond: 2 })
  const running = bench.run(episodeId, bench.services('worker-1', { planners: { demonstration: slow } }))
  await bench.waitFor(episodeId, (episode) => episode.steps.length === 1)
  await control(episodeId, 'pause')
  await running
  const paused = await bench.fold(episodeId)
  expect(paused.status).toBe('paused')
  expect(paused.steps[0]?.reasoning).toBeNull()
  // A job that comes although it is paused leaves it alone.
  await bench.run(episodeId, bench.services('worker-1'))
  expect((await bench.fold(episodeId)).lastSeq).toBe(paused.lastSeq)
  await expect(control(episodeId, 'pause')).rejects.toMatchObject({ code: 'conflict' })
  await control(episodeId, 'resume')
  await bench.run(episodeId, bench.services('worker-1'))
  const resumed = await bench.fold(episodeId)
  expect(resumed.status).toBe('waiting')
  expect(resumed.steps[0]?.feedback).toMatchObject([{ kind: 'resumed' }])
  expect(resumed.steps.map(({ number }) => number)).toEqual(resumed.steps.map((_, index) => index + 1))
})

test('a question stays open over a pause, and its answer is kept until the episode is resumed', async () => {
  const { episodeId } = await startTellLin()
  await bench.run(episodeId, bench.services('worker-1'))
  await control(episodeId, 'pause')
  await control(episodeId, 'resume')
  expect((await bench.fold(episodeId)).status).toBe('waiting')
  await control(episodeId, 'pause')
  await answer(episodeId)
  expect((await bench.fold(episodeId)).status).toBe('paused')
  await control(episodeId, 'resume')
  await bench.run(episodeId, bench.services('worker-1'))
  expect((await bench.fold(episodeId)).finished?.status).toBe('succeeded')
})

test('a stop ends a running call at once, and frees the device', async () => {
  const { device, episodeId } = await startTellLin()
  const openEnvironment = withSession(bench.openEnvironment, () => ({
    // Never answers: only the stop ends it.
    call: (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  }))
  const running = bench.run(episodeId, bench.services('worker-1', { openEnvironment }))
  await bench.waitFor(episodeId, (episode) => episode.steps[0]?.calls.length === 1)
  await control(episodeId, 'stop')
  await running
  const stopped = await bench.fold(episodeId)
  expect(stopped.finished).toMatchObject({ status: 'stopped', verdict: null, reason: 'Ann stopped it.' })
  expect(stopped.steps[0]?.calls[0]?.result?.code).toBe('unknown-outcome')
  await bench.start(device.id)
})

test('stopping an episode that waits ends it without a worker', async () => {
  const { episodeId } = await startTellLin()
  await bench.run(episodeId, bench.services('worker-1'))
  await control(episodeId, 'stop')
  expect((await bench.fold(episodeId)).finished?.status).toBe('stopped')
  await expect(control(episodeId, 'stop')).rejects.toMatchObject({ code: 'conflict' })
})

test('a person who takes the device stops the planner; handed back, it looks again and goes on', async () => {
  const { episodeId } = await startTellLin()
  await bench.run(episodeId, bench.services('worker-1'))
  await answer(episodeId)
  let isLost = false
  const openEnvironment = withSession(bench.openEnvironment, (session) => ({
    call: async (call, signal) => {
      if (call.tool !== 'type_text' || isLost) return session.call(call, signal)
      isLost = true
      const result = { ok: false, code: leaseLost, message: 'Ann has the device.', data: null }
      return { result, touches: [], durationMs: 1 }
    },
  }))
  await bench.run(episodeId, bench.services('worker-1', { openEnvironment }))
  expect((await bench.fold(episodeId)).status).toBe('taken-over')
  // What a person might do meanwhile.
  bench.machine.dispatch({ type: 'key', action: 'down', keycode: 3, metaState: 0 })
  bench.machine.dispatch({ type: 'key', action: 'up', keycode: 3, metaState: 0 })
  await control(episodeId, 'hand-back')
  await bench.run(episodeId, bench.services('worker-1', { openEnvironment }))
  const done = await bench.fold(episodeId)
  expect(done.finished?.status).toBe('succeeded')
  expect(done.steps.flatMap(({ feedback }) => feedback.map(({ kind }) => kind))).toContain('takeover')
})

test('the budget ends an episode with a verdict and no claim', async () => {
  const { episodeId } = await startTellLin()
  const lost = { ok: false, code: 'unknown-outcome', message: 'Not known.', data: null }
  const openEnvironment = withSession(bench.openEnvironment, () => ({
    call: async () => ({ result: lost, touches: [], durationMs: 1 }),
  }))
  const endless = {
    kind: 'demonstration' as const,
    version: '1',
    isModel: false,
    async *decide() {
      yield { type: 'call' as const, tool: 'read_screen', arguments: {} }
    },
  }
  await bench.run(episodeId, bench.services('worker-1', { openEnvironment, planners: { demonstration: endless } }))
  const done = await bench.fold(episodeId)
  expect(done.finished).toMatchObject({ status: 'failed', claim: null, verdict: { outcome: 'failed' } })
  expect(done.steps).toHaveLength(done.started?.budget.steps ?? 0)
})

test('a claim does not make a verdict', async () => {
  const { episodeId } = await startTellLin()
  const liar = {
    kind: 'demonstration' as const,
    version: '1',
    isModel: false,
    async *decide() {
      yield { type: 'reasoning-delta' as const, text: 'Surely it is fine.' }
      yield { type: 'call' as const, tool: 'finish', arguments: { claim: 'I told Lin.' } }
    },
  }
  await bench.run(episodeId, bench.services('worker-1', { planners: { demonstration: liar } }))
  expect((await bench.fold(episodeId)).finished).toMatchObject({ status: 'failed', claim: 'I told Lin.' })
})

test('wrong arguments to the tools of the harness come back as a result', async () => {
  const { episodeId } = await startTellLin()
  let decided = 0
  const clumsy = {
    kind: 'demonstration' as const,
    version: '1',
    isModel: false,
    async *decide() {
      decided += 1
      if (decided === 1) yield { type: 'call' as const, tool: 'ask_user', arguments: {} }
      else if (decided === 2) yield { type: 'reasoning-delta' as const, text: 'Hm.' }
      else if (decided === 3) yield { type: 'call' as const, tool: 'no_such_tool', arguments: {} }
      else yield { type: 'call' as const, tool: 'finish', arguments: { claim: 'Nothing done.' } }
    },
  }
  await bench.run(episodeId, bench.services('worker-1', { planners: { demonstration: clumsy } }))
  const done = await bench.fold(episodeId)
  expect(done.steps.map(({ calls }) => calls[0]?.result?.code)).toEqual([
    'bad-arguments',
    undefined,
    'unknown-tool',
    'ok',
  ])
  expect(done.steps[1]?.feedback).toMatchObject([{ kind: 'recovery' }])
})

test.each([false, true])(
  'after a worker died in the middle of Send (done: %s) another looks first: one message, no call repeated blindly',
  async (tookEffect) => {
    const { episodeId } = await startTellLin()
    await bench.run(episodeId, bench.services('worker-1'))
    await answer(episodeId)
    const text = taskInstance('messages-tell-lin', 3).request.replace('Tell Lin ', '')
    const death = new AbortController()
    const openEnvironment = withSession(bench.openEnvironment, (session) => ({
      call: async (call, signal) => {
        if (call.tool !== 'tap' || call.arguments.target !== 'send') return session.call(call, signal)
        if (tookEffect) await session.call(call, signal)
        death.abort(new Error('killed'))
        return Promise.reject(new Error('killed'))
      },
    }))
    await expect(bench.run(episodeId, bench.services('worker-1', { openEnvironment }), death.signal)).rejects.toThrow()
    // A killed process cleans nothing up: its claim stays, its row is removed by those who find it.
    await bench.db.update(episodes).set({ workerId: 'worker-1' }).where(eq(episodes.id, episodeId))
    await bench.addWorker('worker-2')
    await bench.run(episodeId, bench.services('worker-2'))
    expect((await bench.fold(episodeId)).finished).toBeNull()
    await bench.db.delete(workers).where(eq(workers.id, 'worker-1'))
    const recovered = await recoverEpisodes({ ...bench.services('worker-2'), hostId })
    expect(recovered.continued).toContain(episodeId)
    await bench.run(episodeId, bench.services('worker-2'))
    const done = await bench.fold(episodeId)
    expect(done.finished?.status).toBe('succeeded')
    expect(messagesSent(text)).toBe(1)
    const calls = done.steps.flatMap((step) => step.calls)
    const lost = calls.findIndex(({ result }) => result?.code === 'unknown-outcome')
    expect(calls[lost]).toMatchObject({ tool: 'tap', arguments: { target: 'send' } })
    expect(calls[lost + 1]?.tool).toBe('messages.read_thread')
    expect(done.steps.flatMap(({ feedback }) => feedback.map(({ kind }) => kind))).toContain('unknown-outcome')
  },
)

test('episodes of a dead worker whose machine has no other are interrupted, and the device is free', async () => {
  const { device, episodeId } = await startTellLin()
  await bench.db.update(episodes).set({ workerId: 'worker-gone' }).where(eq(episodes.id, episodeId))
  await bench.db.delete(workers)
  const recovered = await recoverEpisodes({ ...bench.services('worker-9'), hostId: 'host-b' })
  expect(recovered.interrupted).toEqual([episodeId])
  expect((await bench.fold(episodeId)).finished?.status).toBe('interrupted')
  await bench.start(device.id)
})

test('a device that can not be opened interrupts the episode and says why', async () => {
  const { device, episodeId } = await startTellLin()
  const openEnvironment = async () => {
    throw new TaplineError('unavailable', 'No adb daemon answers at 127.0.0.1:1.')
  }
  await bench.run(episodeId, bench.services('worker-1', { openEnvironment, reopenWithinMs: 1 }))
  expect((await bench.fold(episodeId)).finished).toMatchObject({
    status: 'interrupted',
    reason: expect.stringContaining('No adb daemon answers'),
  })
  await bench.start(device.id)
})

test('a device that goes away in the middle of a call is opened again, the call looked at', async () => {
  const { episodeId } = await startTellLin()
  let isGone = false
  const openEnvironment = withSession(bench.openEnvironment, (session) => ({
    call: async (call, signal) => {
      if (call.tool !== 'messages.read_thread' || isGone) return session.call(call, signal)
      isGone = true
      return { result: { ok: false, code: deviceGone, message: 'Gone.', data: null }, touches: [], durationMs: 1 }
    },
  }))
  await bench.run(episodeId, bench.services('worker-1', { openEnvironment }))
  const episode = await bench.fold(episodeId)
  expect(episode.status).toBe('waiting')
  expect(bench.opened).toEqual([{ isNew: true }, { isNew: false }])
  const codes = episode.steps.flatMap(({ calls }) => calls.map(({ result }) => result?.code))
  expect(codes).toEqual(['ok', 'unknown-outcome', 'ok', 'ok', undefined])
})

test('a defect is tried three times, then the episode is interrupted', async () => {
  const { runEpisode } = await import('./run-episode')
  const { episodeId } = await startTellLin()
  const broken = {
    kind: 'demonstration' as const,
    version: '1',
    isModel: false,
    decide: () => {
      throw new TypeError('a defect')
    },
  }
  const services = bench.services('worker-1', { planners: { demonstration: broken } })
  const attempt = (number: number) => runEpisode(services, { episodeId, attempt: number }, new AbortController().signal)
  await expect(attempt(1)).rejects.toThrow('a defect')
  expect((await bench.fold(episodeId)).finished).toBeNull()
  await attempt(3)
  expect((await bench.fold(episodeId)).finished?.status).toBe('interrupted')
})

test('an answer that comes while a job is ending is not lost', async () => {
  const { episodeId } = await startTellLin()
  await bench.addWorker('worker-2')
  const jobsOfIt = async () => (await bench.jobs()).filter(({ key }) => key === `episode:${episodeId}`)
  const openEnvironment = withSession(bench.openEnvironment, (session) => ({
    async close() {
      await session.close()
      await answer(episodeId)
      // Its job is taken at once, and finds the episode still held: it does nothing and is gone.
      await bench.run(episodeId, bench.services('worker-2'))
      await bench.database.sql`select graphile_worker.remove_job(${`episode:${episodeId}`})`
      expect(await jobsOfIt()).toEqual([])
    },
  }))
  await bench.run(episodeId, bench.services('worker-1', { openEnvironment }))
  expect((await bench.fold(episodeId)).status).toBe('queued')
  expect(await jobsOfIt()).toHaveLength(1)
})

test('reasoning is heard while it is spoken and stored once at its end', async () => {
  const { episodeId } = await startTellLin()
  const paced = createDemonstrationPlanner({ taskInstance, charactersPerSecond: 400 })
  const stop = new AbortController()
  let heard = ''
  const listening = (async () => {
    const options = { db: bench.db, listener: bench.listener, episodeId, fromSeq: 0, signal: stop.signal }
    for await (const item of followEpisode(options)) {
      if (item.type === 'reasoning-delta') heard += item.text
      else if (item.event.body.type === 'reasoned') return item.event.body.text
    }
    return ''
  })()
  const running = bench.run(episodeId, bench.services('worker-1', { planners: { demonstration: paced } }))
  const stored = await listening
  stop.abort()
  await control(episodeId, 'stop')
  await running
  expect(heard.length).toBeGreaterThan(20)
  expect(stored.startsWith(heard)).toBe(true)
})
