'use client'

type SegmentedProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string; disabled?: boolean }[]
  onChange: (value: Value) => void
}

export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <div role="group" aria-label={label} className="inline-flex overflow-hidden rounded-md border bg-bg">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          disabled={option.disabled}
          onClick={() => onChange(option.value)}
          className="h-6 px-2.5 text-xs text-text2 hover:text-text focus-visible:-outline-offset-2 disabled:opacity-60 aria-pressed:bg-s2 aria-pressed:text-text"
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
