import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { modules } from '@trainyard/modules/web.ts'
import { OpenPage } from '@trainyard/platform/web/public/OpenPage.tsx'
import { loadScreen } from '@trainyard/platform/web/shell/load.ts'
import { type OpenScreen, openScreensOf } from '@trainyard/platform/web/shell/module.ts'
import { connectModules } from '@trainyard/platform/web/shell/modules.ts'
import { FAVICON, HEAD_SCRIPT, HOLD_SCRIPT } from './head.ts'

// Runs at build, in Vite's module runner: it imports components.

/** ID of the element after the content. */
const END = 'end'

export interface Rendered {
  readonly screen: OpenScreen
  readonly content: string
}

export async function renderOpenScreens(): Promise<readonly Rendered[]> {
  connectModules(modules)
  return Promise.all(
    openScreensOf(modules).map(async (screen) => {
      const { default: Content } = await loadScreen(modules, screen, null)
      const content = renderToString(
        <OpenPage>
          <Content />
        </OpenPage>,
      )
      return { screen, content }
    }),
  )
}

export interface PageParts {
  readonly style: string
  /** URL of the application's script. */
  readonly start: string
  /** URLs of the further scripts that the screen needs. */
  readonly scripts: readonly string[]
  /** URLs of the application's files, prefetched while the user types. */
  readonly app: readonly string[]
}

export function htmlOf({ screen, content }: Rendered, { style, start, scripts, app }: PageParts): string {
  const html = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${screen.title} · Trainyard`}</title>
        <link rel="icon" href={FAVICON} />
        <script dangerouslySetInnerHTML={{ __html: HEAD_SCRIPT }} />
        {screen.script !== 'never' && <script dangerouslySetInnerHTML={{ __html: HOLD_SCRIPT }} />}
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {/* Paints the page once it is complete, because parts of it would move while it arrives on a slow line. */}
        <link rel="expect" href={`#${END}`} blocking="render" />
      </head>
      <body data-app={app.join(' ') || undefined} data-start={screen.script === 'on use' ? start : undefined}>
        <div id="root" data-screen={screen.path} dangerouslySetInnerHTML={{ __html: content }} />
        <span id={END} />
        {screen.script === undefined && (
          <>
            {scripts.map((href) => (
              <link key={href} rel="modulepreload" crossOrigin="" href={href} />
            ))}
            <script type="module" crossOrigin="" src={start} />
          </>
        )}
      </body>
    </html>,
  )
  return `<!doctype html>${html}`
}
