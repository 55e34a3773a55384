import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Database } from '@/db/client'
import type { Clock } from '../clock'
import { TaplineError } from '../errors'
import { continueLabel, plainPage } from '../web/plain-page'
import { cameOverTls, sendPlain } from '../web/security-headers'
import { isNavigationFromElsewhere } from './check-request'
import { redeemLink } from './redeem-link'
import { sessionCookie } from './session-cookie'

type EnterContext = { db: Database; instanceId: string; clock: Clock }

/**
 * Answers `/enter` and `/enter/<token>`; false when the path is another. A link is used up only when a person follows
 * it: not by HEAD, not by a prefetch, and not straight from another site, where the Strict cookie we set would be
 * missing from the redirect; there a page of ours asks to continue.
 */
export async function handleEnter(
  request: IncomingMessage,
  response: ServerResponse,
  context: EnterContext,
): Promise<boolean> {
  const [pathname = ''] = (request.url ?? '').split('?', 1)
  if (pathname === '/enter' || pathname === '/enter/') {
    sendPlain(response, { status: 200, type: 'html', body: explainPage() })
    return true
  }
  const token = /^\/enter\/([^/]+)$/.exec(pathname)?.[1]
  if (token === undefined) return false
  const isPrefetch = /prefetch|prerender|preview/i.test(
    [request.headers['sec-purpose'], request.headers['purpose'], request.headers['x-purpose']].join(' '),
  )
  if (request.method !== 'GET' || isPrefetch || isNavigationFromElsewhere(toChecked(request))) {
    sendPlain(response, { status: 200, type: 'html', body: continuePage(pathname) })
    return true
  }
  try {
    const { sessionToken } = await redeemLink(context.db, { token, clock: context.clock })
    const cookie = sessionCookie(context.instanceId, sessionToken, cameOverTls(request))
    sendPlain(response, { status: 303, type: 'plain', body: '', headers: { Location: '/', 'Set-Cookie': cookie } })
  } catch (error) {
    if (!(error instanceof TaplineError) || error.code !== 'gone') throw error
    sendPlain(response, { status: 410, type: 'html', body: gonePage() })
  }
  return true
}

function toChecked(request: IncomingMessage) {
  return { headers: request.headers, method: request.method ?? 'GET' }
}

function continuePage(href: string): string {
  return plainPage({
    title: 'Sign in to Tapline',
    english: 'This link signs you in. It works once.',
    chinese: '此链接用于登录，只能使用一次。',
    link: { href, label: continueLabel },
  })
}

function gonePage(): string {
  return plainPage({
    title: 'This link no longer works',
    english: 'It was used already or is older than ten minutes. Run `npm run link` where Tapline runs for a new one.',
    chinese: '链接已被使用或已超过十分钟。请在运行 Tapline 的机器上执行 npm run link 获取新链接。',
    link: { href: '/', label: 'Open Tapline · 打开 Tapline' },
  })
}

function explainPage(): string {
  return plainPage({
    title: 'Sign in to Tapline',
    english: 'Run `npm run link` where Tapline runs, and open the link it prints.',
    chinese: '请在运行 Tapline 的机器上执行 npm run link，然后打开它打印的链接。',
  })
}
