import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Replay } from '@/components/episode/replay'
import { hasRole } from '@/server/platform/people/contract'
import { loadEpisode, signedInPerson } from '@/server/trpc/rsc'

type EpisodePageProps = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: EpisodePageProps): Promise<Metadata> {
  const found = await loadEpisode((await params).id)
  return { title: found?.episode.title ?? 'Tapline' }
}

export default async function EpisodePage({ params }: EpisodePageProps) {
  const { id } = await params
  const found = await loadEpisode(id)
  if (found === null) notFound()
  const person = await signedInPerson()
  return <Replay episodeId={id} initialEvents={found.events} mayOperate={hasRole(person.role, 'operator')} />
}
