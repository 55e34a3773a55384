function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** A small page in English and Chinese that needs no script and no file; `link` is a path of ours. */
export function plainPage(page: {
  title: string
  english: string
  chinese: string
  link?: { href: string; label: string }
}): string {
  const link = page.link ? `<p><a href="${escapeHtml(page.link.href)}">${escapeHtml(page.link.label)}</a></p>` : ''
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(page.title)}</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem }
h1 { font-size: 1.25rem }
a { display: inline-block; padding: .5rem 1rem; border: 1px solid; border-radius: .375rem; text-decoration: none }
</style>
<main>
<h1>${escapeHtml(page.title)}</h1>
<p>${escapeHtml(page.english)}</p>
<p lang="zh-CN">${escapeHtml(page.chinese)}</p>
${link}
</main>
</html>
`
}

export const continueLabel = 'Continue · 继续'

/** For somebody who opens a page without a session; after a link on another site they may have one all the same. */
export function signInPage(continueTo: string | null): string {
  if (continueTo !== null) {
    return plainPage({
      title: 'Tapline',
      english: 'You came here from another site. Continue to use your session here.',
      chinese: '你从其他网站来到这里。点击继续以使用你在此处的登录。',
      link: { href: continueTo, label: continueLabel },
    })
  }
  return plainPage({
    title: 'You are not signed in',
    english: 'Run `npm run link` where Tapline runs, and open the link it prints.',
    chinese: '请在运行 Tapline 的机器上执行 npm run link，然后打开它打印的链接。',
  })
}
