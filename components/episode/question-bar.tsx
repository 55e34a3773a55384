'use client'

import { useMutation } from '@tanstack/react-query'
import { CircleHelp } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { toast } from 'sonner'
import { useTRPC } from '@/components/api/trpc'
import { Button } from '@/components/ui/button'
import type { FoldedEpisode } from '@/server/trajectory/contract'

type QuestionBarProps = { episodeId: string; question: NonNullable<FoldedEpisode['question']>; mayAnswer: boolean }

/** The open question, above everything else: the episode waits for it. */
export function QuestionBar({ episodeId, question, mayAnswer }: QuestionBarProps) {
  const t = useTranslations('episode.question')
  const trpc = useTRPC()
  const [text, setText] = useState('')
  const answer = useMutation(
    trpc.harness.answer.mutationOptions({
      onError: (error) => toast.error(error.message),
      onSuccess: () => setText(''),
    }),
  )
  const send = (value: string) => answer.mutate({ episodeId, callId: question.callId, text: value })
  return (
    <section
      aria-label={t('label')}
      role="status"
      className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-wait bg-wait/8 px-4 py-2.5"
    >
      <p className="flex min-w-0 flex-1 items-start gap-2 max-lg:basis-full">
        <CircleHelp aria-hidden className="mt-0.5 size-4 shrink-0 text-wait" strokeWidth={1.8} />
        <span>
          <span className="font-medium text-wait">{t('label')}</span> {question.text}
        </span>
      </p>
      {mayAnswer ? (
        <form
          className="flex flex-wrap items-center gap-2 max-lg:w-full"
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() !== '') send(text.trim())
          }}
        >
          {question.options.map((option) => (
            <Button key={option} disabled={answer.isPending} onClick={() => send(option)} className="max-lg:h-11">
              {option}
            </Button>
          ))}
          <span className="flex gap-2 max-lg:w-full">
            <input
              value={text}
              onChange={(event) => setText(event.target.value)}
              placeholder={t('placeholder')}
              aria-label={t('placeholder')}
              maxLength={2_000}
              className="h-7 w-44 rounded-md border border-control bg-bg px-2 max-lg:h-11 max-lg:min-w-0 max-lg:flex-1"
            />
            <Button
              type="submit"
              look="primary"
              disabled={answer.isPending || text.trim() === ''}
              className="max-lg:h-11"
            >
              {t('send')}
            </Button>
          </span>
        </form>
      ) : (
        <span className="cap">{t('operatorsOnly')}</span>
      )}
    </section>
  )
}
