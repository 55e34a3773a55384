'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { toast } from 'sonner'
import { useTRPC } from '@/components/api/trpc'
import { Button } from '@/components/ui/button'

type ComposerProps = { deviceId: string; isOnline: boolean; onStarted: (episodeId: string) => void }

const firstSeed = 7

/** Starts a demonstration on this phone. */
export function Composer({ deviceId, isOnline, onStarted }: ComposerProps) {
  const t = useTranslations('composer')
  const trpc = useTRPC()
  const [seed, setSeed] = useState(firstSeed)
  const [taskId, setTaskId] = useState<string | null>(null)
  const tasks = useQuery(trpc.harness.tasks.queryOptions({ seed }, { placeholderData: (previous) => previous }))
  const start = useMutation(
    trpc.harness.start.mutationOptions({
      onError: (error) => toast.error(error.message),
      onSuccess: ({ episodeId }) => onStarted(episodeId),
    }),
  )
  const chosen = taskId ?? tasks.data?.[0]?.id ?? null
  return (
    <form
      className="flex flex-col gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== null) start.mutate({ deviceId, taskId: chosen, seed, planner: 'demonstration' })
      }}
    >
      <h2 className="text-sm font-semibold">{t('title')}</h2>
      <p className="text-text2">{t('explain')}</p>
      <fieldset className="flex flex-col gap-2">
        <legend className="cap mb-1.5">{t('request')}</legend>
        {tasks.isPending ? <p className="text-text2">{t('loading')}</p> : null}
        {tasks.isError ? <p className="text-fail">{tasks.error.message}</p> : null}
        {tasks.data?.map((task) => (
          <label
            key={task.id}
            className="flex cursor-pointer gap-2.5 rounded-lg border p-3 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="task"
              value={task.id}
              checked={task.id === chosen}
              onChange={() => setTaskId(task.id)}
              className="mt-1 accent-[var(--accent)]"
            />
            <span>
              <span className="block">{task.exampleRequest}</span>
              <span className="cap">{task.title}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="flex items-center gap-3">
        <label className="cap flex items-center gap-2">
          {t('seed')}
          <input
            type="number"
            min={0}
            max={2_147_483_647}
            value={seed}
            onChange={(event) =>
              setSeed(Math.min(2_147_483_647, Math.max(0, Math.trunc(Number(event.target.value) || 0))))
            }
            className="num h-7 w-20 rounded-md border border-control bg-bg px-2 text-[13px] text-text"
          />
        </label>
        <span className="flex-1" />
        <Button type="submit" look="primary" disabled={!isOnline || chosen === null || start.isPending} data-start>
          <Play aria-hidden className="size-3.5" strokeWidth={2} />
          {t(start.isPending ? 'starting' : 'run')}
        </Button>
      </div>
      <p className="cap">{t(isOnline ? 'notAModel' : 'offline')}</p>
    </form>
  )
}
