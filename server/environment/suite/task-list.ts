import type { TaskInstance, TaskTemplate } from '@/server/environment/contract'
import { TaplineError } from '@/server/platform/errors'
import { messagesForwardCode } from './messages-forward-code'
import { messagesTellLin } from './messages-tell-lin'

/** Every task of the suite, in the order people choose from. */
export const taskList: readonly TaskTemplate[] = [messagesTellLin, messagesForwardCode]

/** The task of an id with its parameters drawn from the seed. Throws `not-found` for an unknown id. */
export function taskInstance(taskId: string, seed: number): TaskInstance {
  const template = taskList.find((one) => one.id === taskId)
  if (!template) throw new TaplineError('not-found', `There is no task ${taskId}.`)
  return template.instantiate(seed)
}
