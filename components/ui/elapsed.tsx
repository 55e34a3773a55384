'use client'

import { useEffect, useState } from 'react'
import { formatDuration } from './format'

/** A running stopwatch from `since` (epoch ms), or the fixed time to `until`. */
export function Elapsed({ since, until }: { since: number; until: number | null }) {
  const [now, setNow] = useState(until ?? since)
  useEffect(() => {
    if (until !== null) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [until])
  return <span className="num">{formatDuration((until ?? now) - since)}</span>
}
