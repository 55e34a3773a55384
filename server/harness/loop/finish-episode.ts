import type { CheckEvidence, EnvironmentSession } from '@/server/environment/contract'
import type { FoldedEpisode, Verdict } from '@/server/trajectory/contract'
import type { EpisodeLog } from './episode-log'

/** Has the environment judge what was reached, and ends the episode: what the planner claims stands apart from it. */
export async function finishEpisode(
  { log, session }: { log: EpisodeLog; session: EnvironmentSession },
  end: { claim: string | null; reason: string | null },
  signal: AbortSignal,
): Promise<void> {
  const verdict: Verdict = await session.verify(evidenceOf(log.state()), signal)
  await log.append({
    actor: 'harness',
    body: {
      type: 'episode.finished',
      status: verdict.outcome,
      claim: end.claim,
      verdict,
      reason: end.reason === null ? verdict.reason : `${end.reason} ${verdict.reason}`,
    },
  })
}

/** Ends an episode that a person stopped; nothing is judged. */
export async function finishStopped(log: EpisodeLog): Promise<void> {
  const by = log.state().controls.findLast((control) => control.action === 'stop')?.by ?? 'Somebody'
  await log.append({
    actor: 'harness',
    body: { type: 'episode.finished', status: 'stopped', claim: null, verdict: null, reason: `${by} stopped it.` },
  })
}

export async function finishInterrupted(log: EpisodeLog, reason: string): Promise<void> {
  await log.append({
    actor: 'harness',
    body: { type: 'episode.finished', status: 'interrupted', claim: null, verdict: null, reason },
  })
}

/** The questions that were answered, in order. */
export function evidenceOf(episode: FoldedEpisode): CheckEvidence {
  const calls = episode.steps.flatMap((step) => step.calls)
  return {
    answers: calls.flatMap(({ question }) =>
      question?.answer ? [{ question: question.text, text: question.answer.text }] : [],
    ),
  }
}
