import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'

const withNextIntl = createNextIntlPlugin('./i18n/request.ts')

const config: NextConfig = {
  agentRules: false,
  poweredByHeader: false,
  reactStrictMode: true,
  // The gateway, not Next, compresses nothing; pages are small and local.
  compress: true,
  devIndicators: false,
  serverExternalPackages: ['@napi-rs/canvas', 'yoga-layout', 'postgres', 'graphile-worker', 'pino'],
}

export default withNextIntl(config)
