'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, createWSClient, httpBatchLink, splitLink, wsLink } from '@trpc/client'
import { type ReactNode, useEffect, useState } from 'react'
import superjson from 'superjson'
import type { AppRouter } from '@/server/trpc/app-router'
import { TRPCProvider } from './trpc'

/** Questions and commands go over HTTP; everything that is followed shares one WebSocket a tab. */
function createClients() {
  const socket = createWSClient({
    url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/trpc`,
    lazy: { enabled: true, closeMs: 10_000 },
    retryDelayMs: (attempt) => Math.min(3_000, 250 * 2 ** attempt),
    keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 5_000 },
  })
  const client = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: wsLink({ client: socket, transformer: superjson }),
        false: httpBatchLink({ url: '/api/trpc', transformer: superjson, maxItems: 10 }),
      }),
    ],
  })
  return { client, socket }
}

export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: 1, refetchOnWindowFocus: true } } }),
  )
  const [clients] = useState(createClients)
  useEffect(() => () => void clients.socket.close(), [clients])
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={clients.client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  )
}
