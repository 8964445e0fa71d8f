import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createServer, isRunnableDevEnvironment } from 'vite'
import { modules } from '@trainyard/modules/web.ts'
import { screensOf } from '@trainyard/platform/web/shell/module.ts'
import { contractCalls } from './contract-calls.ts'
import { SHEET, withPolicy } from './head.ts'
import { styleText } from './inline.ts'
import { APPLICATION, applicationIn, filesOf, manifestOf, openScreensIn } from './manifest.ts'
import { out } from './out.ts'

type Pages = typeof import('./render-page.tsx')

const root = join(import.meta.dirname, '../../..')

for (const file of Object.keys(manifestOf(out)).filter((key) => key.endsWith('.html')))
  renameSync(join(out, file), join(out, basename(file)))
for (const folder of ['apps', 'addons']) rmSync(join(out, folder), { recursive: true, force: true })

// The server answers 404 at any other path.
writeFileSync(join(out, '.paths.json'), JSON.stringify(screensOf(modules).map(({ path }) => path)))

const manifest = manifestOf(out)
const start = `/${manifest[APPLICATION]!.file}`
// Files of the first screen after a login.
const parts = Object.keys(manifest).filter((key) => ['home', 'hand'].includes(manifest[key]!.name!))
const app = urlsOf([...applicationIn(manifest), ...parts])
const scripts = urlsOf(openScreensIn(manifest)).filter((url) => url.endsWith('.js') && url !== start)

// Vite transforms only the modules that the pages import; a build would contain all screens.
const server = await createServer({
  root,
  mode: 'production',
  configFile: false,
  logLevel: 'warn',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  plugins: [contractCalls(join(root, 'apps/modules/contract.ts'), join(root, 'platform/contract/audit-labels.ts'))],
})
try {
  const environment = server.environments['ssr']
  if (!isRunnableDevEnvironment(environment)) throw new Error('Vite cannot run modules of the web app')
  const { renderOpenScreens, htmlOf } = await environment.runner.import<Pages>('/apps/web/build/render-page.tsx')
  for (const rendered of await renderOpenScreens()) {
    const { path, sheet = SHEET, sendsForms = false } = rendered.screen
    const html = htmlOf(rendered, { style: await styleText(root, sheet), start, scripts, app })
    writeFileSync(join(out, `${path}.html`), withPolicy(html, sendsForms ? '*' : "'self'"))
  }
} finally {
  await server.close()
}

function urlsOf(keys: readonly string[]): string[] {
  return filesOf(manifest, keys).map((file) => `/${file}`)
}
