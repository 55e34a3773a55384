import { ArrowDown, ArrowUp } from 'lucide-react'

type SortHeaderProps<Column extends string> = {
  column: Column
  label: string
  sort: Column
  order: 'ascending' | 'descending'
  onSort: (column: Column) => void
  isNumber?: boolean
  isFirst?: boolean
  /** Left out on narrow screens. */
  isWide?: boolean
}

export function SortHeader<Column extends string>({
  column,
  label,
  sort,
  order,
  onSort,
  isNumber = false,
  isFirst = false,
  isWide = false,
}: SortHeaderProps<Column>) {
  const isSorted = sort === column
  const Arrow = order === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th
      aria-sort={isSorted ? order : 'none'}
      className={`h-8 border-b pr-2.5 font-medium whitespace-nowrap ${isFirst ? 'pl-4' : 'pl-2.5'} ${isNumber ? 'text-right' : ''} ${isWide ? 'max-lg:hidden' : ''}`}
    >
      <button
        type="button"
        onClick={() => onSort(column)}
        className="inline-flex h-6 items-center gap-1 hover:text-text"
      >
        {label}
        {isSorted ? <Arrow aria-hidden className="size-3" /> : null}
      </button>
    </th>
  )
}
