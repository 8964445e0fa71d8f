import type { Plugin } from 'vite'
import { FAVICON, SCHEME_SCRIPT } from './head.ts'

/** Completes app.html: favicon, and light or dark before the first paint. */
export function appPage(): Plugin {
  return {
    name: 'app-page',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        return html.replace('%FAVICON%', FAVICON).replace('%SCHEME_SCRIPT%', () => SCHEME_SCRIPT)
      },
    },
  }
}
