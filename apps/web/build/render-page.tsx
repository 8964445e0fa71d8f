import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { FAVICON, HEAD_SCRIPT } from './head.ts'

export interface PublicPage {
  readonly title: string
  readonly body: (parts: Parts) => ReactNode
  readonly sheet: string
  /** Null: the page has no script. */
  readonly script: string | null
}

/** ID of the element after the content. */
const END = 'end'

interface Parts {
  readonly style: string
  readonly script: string
  /** The application's files, prefetched while the user types. */
  readonly app: readonly string[]
  readonly secondStep: string
}

export function renderPage(page: PublicPage, parts: Parts): string {
  const { style, script, app } = parts
  const html = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${page.title} · Trainyard`}</title>
        <link rel="icon" href={FAVICON} />
        <script dangerouslySetInnerHTML={{ __html: HEAD_SCRIPT }} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {/* Paints the page once it is complete, because parts of it would move while it arrives on a slow line. */}
        <link rel="expect" href={`#${END}`} blocking="render" />
      </head>
      <body data-app={app.join(' ')}>
        {page.body(parts)}
        <span id={END} />
        {script !== '' && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>,
  )
  return `<!doctype html>${html}`
}
