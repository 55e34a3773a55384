import { describe, expect, test } from 'vitest'
import type { TaskInstance } from '@/server/environment/contract'
import { openPhoneSession } from '@/server/environment/testing/phone-session'
import { createPhoneMachine } from '@/server/phone/machine'
import type { PhoneMachine } from '@/server/phone/contract'
import type { PhoneData } from '@/server/phone/state/phone-state'
import type { ToolResult } from '@/server/tool/contract'
import { taskInstance, taskList } from './task-list'

/** The answer of this call never arrives, whether or not it did something. */
type Lost = { callNumber: number; tookEffect: boolean }
const unknown: ToolResult = { ok: false, code: 'unknown-outcome', message: 'Not known.', data: null }

/** Runs the gold plan on a phone; the user answers `answer`. */
async function play(task: TaskInstance, options: { answer?: string | null; lost?: Lost } = {}) {
  const machine = createPhoneMachine({ seed: 0 })
  const session = openPhoneSession(machine, task, { isNew: true })
  const signal = new AbortController().signal
  const answers: { question: string; text: string }[] = []
  const decisions: { reasoning: string; tool: string; arguments: Record<string, unknown>; code: string }[] = []
  const plan = task.plan()
  let claim: string | null = null
  for (let next = plan.next(); !next.done;) {
    const results: ToolResult[] = []
    for (const { tool, arguments: input } of next.value.calls) {
      let result: ToolResult = { ok: true, code: 'ok', message: '', data: {} }
      const answer = options.answer === undefined ? task.expectedAnswer : options.answer
      if (tool === 'ask_user') {
        if (answer !== null) answers.push({ question: String(input.question), text: answer })
        result = { ...result, data: { answer: answer ?? '' } }
      } else if (tool === 'finish') claim = String(input.claim)
      else {
        const isLost = options.lost?.callNumber === decisions.length
        if (!isLost || options.lost?.tookEffect) {
          result = (await session.call({ callId: `${decisions.length}`, tool, arguments: input }, signal)).result
        }
        if (isLost) result = unknown
      }
      decisions.push({ reasoning: next.value.reasoning, tool, arguments: input, code: result.code })
      results.push(result)
    }
    next = plan.next(results)
  }
  const verdict = await session.verify({ answers }, signal)
  return { verdict, decisions, claim, machine, initial: session.initialData as PhoneData, answers }
}

const seeds = [0, 1, 2, 3, 7, 42, 1_000]

describe.each(taskList.map(({ id }) => id))('%s', (id) => {
  test.each(seeds)('the gold plan succeeds with seed %i, within budget and with its reasons', async (seed) => {
    const task = taskInstance(id, seed)
    const { verdict, decisions, claim } = await play(task)
    expect(verdict).toMatchObject({ outcome: 'succeeded' })
    expect(decisions.length).toBeGreaterThanOrEqual(8)
    expect(decisions.length).toBeLessThanOrEqual(Math.min(14, task.budget.steps))
    expect(decisions.at(-1)?.tool).toBe('finish')
    expect(claim).not.toBeNull()
    for (const { reasoning } of decisions) expect(reasoning.length).toBeGreaterThan(80)
  })

  test('another seed asks for something else', async () => {
    const told = await Promise.all(seeds.map((seed) => play(taskInstance(id, seed))))
    const written = new Set(told.map(({ decisions }) => JSON.stringify(decisions.map((one) => one.arguments))))
    expect(written.size).toBeGreaterThan(seeds.length / 2)
  })

  test('doing nothing fails, whatever is claimed', () => {
    const task = taskInstance(id, 5)
    const machine = createPhoneMachine({ seed: 5 })
    const session = openPhoneSession(machine, task, { isNew: true })
    expect(
      task.check(session.initialData, session.initialData, { answers: [{ question: 'q', text: 'Lin Hao' }] }).outcome,
    ).toBe('failed')
  })

  test('a lost answer of any one call is looked after: one message, never two', async () => {
    const task = taskInstance(id, 5)
    const { decisions } = await play(task)
    for (const [callNumber, { tool }] of decisions.entries()) {
      if (tool === 'ask_user' || tool === 'finish') continue
      for (const tookEffect of [false, true]) {
        const { verdict } = await play(task, { lost: { callNumber, tookEffect } })
        expect({ callNumber, tool, tookEffect, outcome: verdict.outcome }).toEqual({
          callNumber,
          tool,
          tookEffect,
          outcome: 'succeeded',
        })
      }
    }
  })
})

test('two contacts are called Lin, so it asks before it writes; and the answer decides who is right', async () => {
  const task = taskInstance('messages-tell-lin', 3)
  const other = task.expectedAnswer === 'Lin Hao' ? 'Lin Yue 林悦' : 'Lin Hao'
  const { verdict, decisions, answers } = await play(task, { answer: other })
  expect(verdict.outcome).toBe('succeeded')
  const tools = decisions.map(({ tool }) => tool)
  expect(tools.indexOf('ask_user')).toBeGreaterThan(0)
  expect(tools.indexOf('ask_user')).toBeLessThan(tools.indexOf('open_app'))
  expect(tools).toContain('read_screen')
  expect(answers).toHaveLength(1)
})

test('an answer that names nobody leaves everything as it is, and fails', async () => {
  const { verdict, claim, machine, initial } = await play(taskInstance('messages-tell-lin', 3), { answer: 'whoever' })
  expect(verdict.outcome).toBe('failed')
  expect(claim).toMatch(/sent nothing/)
  expect(machine.state().data).toEqual(initial)
})

describe('the check of messages-tell-lin refuses', () => {
  const task = taskInstance('messages-tell-lin', 3)
  const text = task.request.replace('Tell Lin ', '')
  const right = task.expectedAnswer === 'Lin Hao' ? 'lin-hao' : 'lin-yue'
  const wrong = right === 'lin-hao' ? 'lin-yue' : 'lin-hao'
  const asked = { answers: [{ question: 'Which Lin?', text: task.expectedAnswer ?? '' }] }

  async function after(act: (machine: PhoneMachine) => void, evidence = asked) {
    const machine = createPhoneMachine({ seed: 0 })
    const session = openPhoneSession(machine, task, { isNew: true })
    act(machine)
    const verdict = await session.verify(evidence, new AbortController().signal)
    return { outcome: verdict.outcome, failed: verdict.checks.filter(({ passed }) => !passed).map(({ id }) => id) }
  }
  const send = (machine: PhoneMachine, contactId: string, said = text) =>
    machine.callTool('messages.send_message', { contactId, text: said })

  test('nothing of the right message', async () => {
    expect(await after((machine) => send(machine, right))).toEqual({ outcome: 'succeeded', failed: [] })
  })
  test('the other Lin', async () => {
    expect((await after((machine) => send(machine, wrong))).failed).toEqual(['no-wrong-recipient', 'delivered'])
  })
  test('both Lins', async () => {
    const both = (machine: PhoneMachine) => (send(machine, right), send(machine, wrong))
    expect((await after(both)).failed).toEqual(['no-wrong-recipient'])
  })
  test('a guess without a question, even a lucky one', async () => {
    expect((await after((machine) => send(machine, right), { answers: [] })).failed).toEqual(['asked'])
  })
  test('twice, or with another number', async () => {
    expect((await after((machine) => (send(machine, right), send(machine, right)))).failed).toEqual(['delivered'])
    expect((await after((machine) => send(machine, right, 'I will be 99 minutes late'))).failed).toEqual(['delivered'])
  })
  test('a draft left behind', async () => {
    const act = (machine: PhoneMachine) => {
      send(machine, right)
      machine.callTool('messages.save_draft', { contactId: wrong, text })
    }
    expect((await after(act)).failed).toEqual(['nothing-else'])
  })
})

describe('the check of messages-forward-code refuses', () => {
  const task = taskInstance('messages-forward-code', 4)

  async function after(act: (machine: PhoneMachine, code: string) => void) {
    const machine = createPhoneMachine({ seed: 0 })
    const session = openPhoneSession(machine, task, { isNew: true })
    const data = session.initialData as PhoneData
    const thread = data.messages.threads.find(({ contactId }) => contactId === 'doctor-wang')
    const code = thread?.messages.map(({ text }) => /密码\D*(\d+)/.exec(text)?.[1]).find((found) => found !== undefined)
    act(machine, code ?? '')
    const verdict = await session.verify({ answers: [] }, new AbortController().signal)
    return { outcome: verdict.outcome, failed: verdict.checks.filter(({ passed }) => !passed).map(({ id }) => id) }
  }
  const send = (machine: PhoneMachine, text: string, contactId = 'zhou-min') =>
    machine.callTool('messages.send_message', { contactId, text })
  const retry = (machine: PhoneMachine, messageId: string) => machine.callTool('messages.retry_message', { messageId })
  const idOf = (result: ToolResult) => (result.data as { messageId: string }).messageId
  /** Sends and sees it through. */
  const deliver = (machine: PhoneMachine, text: string) => {
    const id = idOf(send(machine, text))
    while (!retry(machine, id).ok) expect(machine.state()).toBeDefined()
  }

  test('nothing of the right message', async () => {
    expect(await after((machine, code) => deliver(machine, `密码是 ${code}`))).toEqual({
      outcome: 'succeeded',
      failed: [],
    })
  })
  test('the failed message, claimed as sent', async () => {
    expect((await after((machine, code) => send(machine, code))).failed).toEqual(['delivered-once', 'right-code'])
  })
  test('a second message beside the failed one', async () => {
    const act = (machine: PhoneMachine, code: string) => {
      while (!send(machine, code).ok) expect(machine.state()).toBeDefined()
    }
    expect((await after(act)).failed).toEqual(['delivered-once'])
  })
  test('another code, also one that only contains it', async () => {
    expect((await after((machine) => deliver(machine, '密码是 1'))).failed).toEqual(['right-code'])
    expect((await after((machine, code) => deliver(machine, `密码是 9${code}9`))).failed).toEqual(['right-code'])
  })
  test('somebody else', async () => {
    expect((await after((machine, code) => send(machine, code, 'mum'))).failed).toContain('no-wrong-recipient')
  })
})
