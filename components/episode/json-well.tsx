/** Data from a call as text: never markup, whatever it contains. */
export function JsonWell({ value, label }: { value: unknown; label: string }) {
  return (
    <pre
      // A long result scrolls inside its well, so the well itself must be reachable by keyboard.
      // oxlint-disable-next-line no-noninteractive-tabindex
      tabIndex={0}
      aria-label={label}
      className="mono max-h-64 overflow-auto rounded-md bg-s2 px-3 py-2 break-words whitespace-pre-wrap"
    >
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  )
}
