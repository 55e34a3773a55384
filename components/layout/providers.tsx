'use client'

import { ThemeProvider } from 'next-themes'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import type { ReactNode } from 'react'
import { Toaster } from 'sonner'
import { ApiProvider } from '@/components/api/api-provider'

export function Providers({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="dark" enableSystem nonce={nonce} disableTransitionOnChange>
      <NuqsAdapter>
        <ApiProvider>{children}</ApiProvider>
      </NuqsAdapter>
      <Toaster position="bottom-right" theme="system" />
    </ThemeProvider>
  )
}
