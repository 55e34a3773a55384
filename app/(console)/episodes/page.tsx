import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { EpisodeTable } from '@/components/episodes/episode-table'
import { TopBar } from '@/components/layout/top-bar'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('episodes'))('heading') }
}

export default async function EpisodesPage() {
  const t = await getTranslations('episodes')
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <TopBar>
        <h1 className="text-sm font-semibold">{t('heading')}</h1>
      </TopBar>
      <EpisodeTable />
    </main>
  )
}
