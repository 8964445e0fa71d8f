import type { Plugin } from 'vite'
import { FAVICON, SCHEME_SCRIPT, withPolicy } from './head.ts'

/** Completes app.html: favicon, light or dark before the first paint, and in the build the page's policy. */
export function appPage(): Plugin {
  let building = false
  return {
    name: 'app-page',
    configResolved: (config) => {
      building = config.command === 'build'
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const whole = html.replace('%FAVICON%', FAVICON).replace('%SCHEME_SCRIPT%', () => SCHEME_SCRIPT)
        return building ? withPolicy(whole, 'any inline') : whole
      },
    },
  }
}
