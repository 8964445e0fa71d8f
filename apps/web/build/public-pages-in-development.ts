import type { Plugin } from 'vite'
import { entries } from '@trainyard/modules/entries.ts'
import { scriptText, styleText } from './public-page.ts'

type Pages = typeof import('@trainyard/modules/pages.tsx')

/** Serves remote.html and developers.html at their paths, and app.html for all paths that are not public pages. */
export function publicPagesInDevelopment(): Plugin {
  return {
    name: 'public-pages-in-development',
    apply: 'serve',
    configureServer: (server) => () => {
      server.middlewares.use((request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname
        if (path.startsWith('/api')) return next()
        const { root } = server.config
        const answer = async () => {
          const { pages, renderPage } = (await server.ssrLoadModule('/apps/modules/pages.tsx')) as Pages
          const name = path.slice(1).replace(/^join\/[^/]*$/, 'join') as keyof typeof pages
          if (!(name in pages)) {
            const { readFile } = await import('node:fs/promises')
            const [, own = 'app'] = /^\/(remote|developers)\/?$/.exec(path) ?? []
            const page = own === 'app' ? 'apps/web/app.html' : entries[own as 'remote' | 'developers']
            return server.transformIndexHtml(path, await readFile(`${root}/${page}`, 'utf8'))
          }
          return renderPage(pages[name], {
            style: await styleText(root, pages[name].sheet),
            script: pages[name].script === null ? '' : await scriptText(root, pages[name].script),
            app: [],
            secondStep: `/${entries.secondStep}`,
          })
        }
        answer().then((html) => response.setHeader('content-type', 'text/html').end(html), next)
      })
    },
  }
}
