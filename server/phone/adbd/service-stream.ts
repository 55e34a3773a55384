import type { ByteSink, ByteSource } from '@/server/phone/shell/byte-pipe'

/** One adb stream as a service sees it. `read` returns null after the host has closed. */
export type ServiceStream = ByteSource &
  ByteSink & {
    /** Bytes written and not yet acknowledged by the host. */
    readonly queuedBytes: number
    /** Aborts when the host has closed the stream or the transport has gone. */
    readonly signal: AbortSignal
    /** Resolves when at most `maxBytes` are queued. Rejects with BrokenPipeError once closed. */
    drained(maxBytes: number): Promise<void>
    /** Sends what is queued, then closes. */
    end(): void
  }

/** Serves one stream; the stream is ended when it returns. */
export type Service = (stream: ServiceStream) => Promise<void>
