import type { Plugin } from 'vite'
import { entries } from '@trainyard/modules/entries.ts'
import { scriptText, styleText } from './public-page.ts'

type Pages = typeof import('@trainyard/modules/pages.tsx')

/** Serves the pages of modules at their paths, and app.html for all paths that are not public pages. */
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
          const name = path.slice(1).replace(/^join\/[^/]*$/, 'join')
          const publicPage = pages[name]
          if (publicPage === undefined) {
            const { readFile } = await import('node:fs/promises')
            const own = entries[path.replaceAll('/', '')]
            const page = own?.endsWith('.html') ? own : 'apps/web/app.html'
            return server.transformIndexHtml(path, await readFile(`${root}/${page}`, 'utf8'))
          }
          return renderPage(publicPage, {
            style: await styleText(root, publicPage.sheet),
            script: publicPage.script === null ? '' : await scriptText(root, publicPage.script),
            app: [],
            secondStep: `/${entries['secondStep'] ?? ''}`,
          })
        }
        answer().then((html) => response.setHeader('content-type', 'text/html').end(html), next)
      })
    },
  }
}
