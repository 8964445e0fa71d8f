import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import { entries } from '@trainyard/modules/entries.ts'
import { modules } from '@trainyard/modules/web.ts'
import { openScreensOf } from '@trainyard/platform/web/shell/module.ts'
import { SHEET } from './head.ts'

/** Serves the pages of modules at their paths, and app.html at all others. An open screen is not rendered before. */
export function pagesInDevelopment(): Plugin {
  return {
    name: 'pages-in-development',
    apply: 'serve',
    configureServer: (server) => () => {
      server.middlewares.use((request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname
        if (path.startsWith('/api')) return next()
        const own = entries[path.replaceAll('/', '')]
        const screen = openScreensOf(modules).find((each) => path === each.path || path.startsWith(`${each.path}/`))
        const answer = async () => {
          const html = await readFile(`${server.config.root}/${own ?? 'apps/web/app.html'}`, 'utf8')
          const page = await server.transformIndexHtml(path, html)
          if (screen === undefined) return page
          const sheet = `<link rel="stylesheet" href="/${screen.sheet ?? SHEET}"></head>`
          return page.replace('</head>', () => sheet).replace('id="root"', `id="root" data-screen="${screen.path}"`)
        }
        answer().then((html) => response.setHeader('content-type', 'text/html').end(html), next)
      })
    },
  }
}
