'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useFormatter, useTranslations } from 'next-intl'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useState } from 'react'
import { useTRPC } from '@/components/api/trpc'
import { Button } from '@/components/ui/button'
import { Elapsed } from '@/components/ui/elapsed'
import { EmptyState } from '@/components/ui/empty-state'
import { formatCost } from '@/components/ui/format'
import { StatusBadge } from '@/components/ui/status-badge'
import { episodeStatuses } from '@/server/trajectory/contract'
import { SortHeader } from './sort-header'
import { useRowKeys } from './use-row-keys'

const sortColumns = ['created', 'title', 'steps', 'cost'] as const
const directions = ['ascending', 'descending'] as const

const searchState = {
  q: parseAsString.withDefault(''),
  status: parseAsStringLiteral(episodeStatuses),
  sort: parseAsStringLiteral(sortColumns).withDefault('created'),
  order: parseAsStringLiteral(directions).withDefault('descending'),
}

/** All episodes, newest first; what is filtered and sorted stands in the address. */
export function EpisodeTable() {
  const t = useTranslations('episodes')
  const statusName = useTranslations('status')
  const plannerName = useTranslations('episode.planner')
  const format = useFormatter()
  const router = useRouter()
  const trpc = useTRPC()
  const [search, setSearch] = useQueryStates(searchState, { history: 'replace', throttleMs: 200 })
  const listed = JSON.stringify(search)
  // Cursors belong to one list: another filter or order starts at its first page.
  const [pages, setPages] = useState({ listed, cursors: [] as string[] })
  const cursors = pages.listed === listed ? pages.cursors : []
  const setCursors = (next: string[]) => setPages({ listed, cursors: next })
  const cursor = cursors.at(-1)
  const list = useQuery(
    trpc.trajectory.list.queryOptions(
      {
        limit: 50,
        sort: search.sort,
        direction: search.order,
        text: search.q,
        statuses: search.status === null ? [] : [search.status],
        cursor,
      },
      { placeholderData: keepPreviousData, refetchInterval: 5_000 },
    ),
  )
  const rows = list.data?.episodes ?? []
  const activeRow = useRowKeys(rows.length, (index) => {
    const row = rows[index]
    if (row !== undefined) router.push(`/episodes/${row.id}`)
  })
  const sortBy = (column: (typeof sortColumns)[number]) =>
    void setSearch({
      sort: column,
      order: search.sort === column && search.order === 'descending' ? 'ascending' : 'descending',
    })
  const header = { sort: search.sort, order: search.order, onSort: sortBy }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-b px-4 py-2">
        <input
          type="search"
          value={search.q}
          onChange={(event) => void setSearch({ q: event.target.value })}
          placeholder={t('search')}
          aria-label={t('search')}
          className="h-7 w-56 rounded-md border border-control bg-bg px-2 max-lg:h-11 max-lg:w-full"
        />
        <select
          value={search.status ?? ''}
          aria-label={t('status')}
          onChange={(event) =>
            void setSearch({ status: episodeStatuses.find((status) => status === event.target.value) ?? null })
          }
          className="h-7 rounded-md border border-control bg-bg px-2 max-lg:h-11"
        >
          <option value="">{t('anyStatus')}</option>
          {episodeStatuses.map((status) => (
            <option key={status} value={status}>
              {statusName(status)}
            </option>
          ))}
        </select>
        <span className="flex-1" />
        {list.data === undefined ? null : <span className="cap num">{t('total', { count: list.data.total })}</span>}
      </div>
      <div className="min-h-0 flex-1 overflow-auto">
        {list.isError ? (
          <EmptyState icon={ListFilter} title={t('errorTitle')} text={list.error.message}>
            <Button onClick={() => void list.refetch()}>{t('retry')}</Button>
          </EmptyState>
        ) : list.data !== undefined && rows.length === 0 ? (
          <EmptyState
            icon={ListFilter}
            title={t(search.q === '' && search.status === null ? 'emptyTitle' : 'noMatchTitle')}
            text={t(search.q === '' && search.status === null ? 'emptyText' : 'noMatchText')}
          >
            {search.q === '' && search.status === null ? (
              <Link href="/live" className="text-accent hover:underline">
                {t('toLive')}
              </Link>
            ) : (
              <Button onClick={() => void setSearch({ q: '', status: null })}>{t('clear')}</Button>
            )}
          </EmptyState>
        ) : (
          <table className="w-full border-collapse" aria-busy={list.isFetching}>
            <thead className="sticky top-0 z-10 bg-bg text-left text-xs text-text2">
              <tr>
                <SortHeader column="title" {...header} isFirst label={t('title')} />
                <th className="h-8 border-b px-2.5 font-medium">{t('status')}</th>
                <th className="border-b px-2.5 font-medium max-lg:hidden">{t('planner')}</th>
                <th className="border-b px-2.5 font-medium max-lg:hidden">{t('device')}</th>
                <SortHeader column="steps" {...header} label={t('steps')} isNumber />
                <th className="border-b px-2.5 text-right font-medium max-lg:hidden">{t('duration')}</th>
                <SortHeader column="cost" {...header} label={t('cost')} isNumber isWide />
                <SortHeader column="created" {...header} label={t('started')} isNumber isWide />
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr
                  key={row.id}
                  aria-selected={index === activeRow}
                  className="hover:bg-s1 aria-selected:bg-accent-soft"
                >
                  <td className="h-[34px] max-w-0 w-full truncate border-b pr-2.5 pl-4 max-lg:h-11">
                    <Link href={`/episodes/${row.id}`} className="hover:underline">
                      {row.title}
                    </Link>{' '}
                    <span className="text-text2">{row.request}</span>
                  </td>
                  <td className="border-b px-2.5">
                    <StatusBadge status={row.status} quiet />
                  </td>
                  <td className="border-b px-2.5 whitespace-nowrap text-text2 max-lg:hidden">
                    {plannerName(row.planner)}
                  </td>
                  <td className="border-b px-2.5 whitespace-nowrap text-text2 max-lg:hidden">
                    {row.device?.name ?? '—'}
                  </td>
                  <td className="num border-b px-2.5 text-right">{row.stepCount}</td>
                  <td className="border-b px-2.5 text-right max-lg:hidden">
                    <Elapsed since={row.createdAt} until={row.finishedAt} />
                  </td>
                  <td className="num border-b px-2.5 text-right max-lg:hidden">{formatCost(row.costMicroUsd)}</td>
                  <td className="num border-b px-2.5 text-right whitespace-nowrap text-text2 max-lg:hidden">
                    {format.dateTime(row.createdAt, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {cursors.length === 0 && list.data?.nextCursor == null ? null : (
        <div className="flex shrink-0 justify-end gap-2 border-t px-4 py-2">
          <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('previous')}
          </Button>
          <Button
            disabled={list.data?.nextCursor == null}
            onClick={() => {
              const next = list.data?.nextCursor
              if (next != null) setCursors([...cursors, next])
            }}
          >
            {t('next')}
          </Button>
        </div>
      )}
    </div>
  )
}
