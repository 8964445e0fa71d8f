import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'
import { FRAME_HTML, FRAME_STYLE } from './frame.ts'
import { FAVICON, HEAD_SCRIPT } from './head.ts'
import { OPEN_SCREENS } from './manifest.ts'

const FRAME = '<!--frame-->'

/** Completes app.html. Tags for the application's files let the browser request them before the first script runs. */
export function appPage(): Plugin {
  return {
    name: 'app-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, chunk }) {
        const framed = html.includes(FRAME)
        return {
          html: html
            .replace('%FAVICON%', FAVICON)
            .replace('%HEAD_SCRIPT%', () => HEAD_SCRIPT)
            .replace(FRAME, FRAME_HTML),
          tags: [
            ...(framed ? [{ tag: 'style', children: FRAME_STYLE, injectTo: 'head' as const }] : []),
            // A style sheet in the head would delay painting the frame. Scripts wait for style sheets in either place.
            ...(bundle && chunk ? filesOfImports(chunk, bundle, framed ? 'body' : 'head') : []),
          ],
        }
      },
    },
  }
}

function filesOfImports(
  page: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  sheetsTo: 'head' | 'body',
): HtmlTagDescriptor[] {
  const scripts = new Set<string>()
  const sheets = new Set<string>()
  const add = (name: string) => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || scripts.has(name)) return
    scripts.add(name)
    for (const imported of chunk.imports) add(imported)
    for (const sheet of chunk.viteMetadata?.importedCss ?? []) sheets.add(sheet)
  }
  const isConsole = (name: string) => bundle[name]?.name !== OPEN_SCREENS
  for (const imported of page.dynamicImports.filter(isConsole)) add(imported)
  const had = new Set(page.imports)
  return [
    ...[...scripts].filter((name) => !had.has(name)).map((name) => tag('modulepreload', name, 'head')),
    ...[...sheets].map((name) => tag('stylesheet', name, sheetsTo)),
  ]
}

const tag = (rel: string, name: string, injectTo: 'head' | 'body'): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel, crossorigin: true, href: `/${name}` },
  injectTo,
})
