import { html, formatInstant, type Html } from './html.ts'

const style = `
:root { color-scheme: light dark; --line: #d0d4da; --soft: #f4f6f8; --quiet: #4a5462; --accent: #0b57a4 }
@media (prefers-color-scheme: dark) { :root { --line: #3a424d; --soft: #1d232b; --quiet: #b3bcc8; --accent: #8cc2ff } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif }
header, main { max-width: 64rem; margin: 0 auto; padding: 1rem }
header { display: flex; gap: 1.5rem; align-items: baseline; flex-wrap: wrap; border-bottom: 1px solid var(--line) }
header strong { font-size: 1.1rem } header p { margin: 0; color: var(--quiet) }
nav { display: flex; gap: 1rem; flex-wrap: wrap } td label { white-space: nowrap } a { color: var(--accent) } a[aria-current] { color: inherit; font-weight: 600 }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem } .quiet { color: var(--quiet) }
.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse } th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap }
th { color: var(--quiet); font-weight: 600 } td:has(.wide) { white-space: normal }
tbody tr:hover { background: var(--soft) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem } dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; background: var(--soft); padding: 1rem; border-radius: .4rem }
`

export interface Tab {
  readonly path: string
  readonly title: string
}

export function pageHtml(
  title: string,
  { tabs, current, now, content }: { tabs: readonly Tab[]; current: string | undefined; now: string; content: Html },
): string {
  const link = ({ path, title: label }: Tab): Html =>
    path === current ? html`<a href="${path}" aria-current="page">${label}</a>` : html`<a href="${path}">${label}</a>`
  const { text } = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Emulator</title>
<style>`
  const body = html`
</head>
<body>
<header><strong>Emulator</strong><nav aria-label="Pages">${tabs.map(link)}</nav><p>Emulator clock: <time datetime="${now}">${formatInstant(now)}</time></p></header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>`
  return `<!doctype html>\n${text}${style}</style>${body.text}`
}
