import { SearchX } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'

export default async function NotFound() {
  const t = await getTranslations('notFound')
  return (
    <main>
      <EmptyState icon={SearchX} title={t('title')} text={t('text')}>
        <Link href="/live" className="text-accent hover:underline">
          {t('home')}
        </Link>
      </EmptyState>
    </main>
  )
}
