'use client'

import { TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('error')
  return (
    <main>
      <EmptyState icon={TriangleAlert} title={t('title')} text={t('text', { code: error.digest ?? '—' })}>
        <Button onClick={reset}>{t('retry')}</Button>
      </EmptyState>
    </main>
  )
}
