import type { Plugin } from 'vite'
import { scriptText, styleText } from './public-page.ts'

type Pages = typeof import('./page-list.tsx')

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
          const { pages, renderPage } = (await server.ssrLoadModule('/build/page-list.tsx')) as Pages
          const name = path.slice(1).replace(/^join\/[^/]*$/, 'join') as keyof typeof pages
          if (!(name in pages)) {
            const { readFile } = await import('node:fs/promises')
            const [, own = 'app'] = /^\/(remote|developers)\/?$/.exec(path) ?? []
            const page = `${own}.html`
            return server.transformIndexHtml(path, await readFile(`${root}/${page}`, 'utf8'))
          }
          return renderPage(pages[name], {
            style: await styleText(root, `src/public/${pages[name].sheet}`),
            script: 'script' in pages[name] ? '' : await scriptText(root, `src/public/${name}.script.ts`),
            app: [],
            secondStep: '/src/public/second-step.ts',
          })
        }
        answer().then((html) => response.setHeader('content-type', 'text/html').end(html), next)
      })
    },
  }
}
