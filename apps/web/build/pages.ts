import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { modules } from '@trainyard/modules/web.ts'
import { screensOf } from '@trainyard/platform/web/shell/module.ts'
import { withPolicy } from './head.ts'
import { applicationIn, filesOf, manifestOf } from './manifest.ts'
import { out } from './out.ts'
import { scriptText, styleText } from './public-page.ts'

const root = join(import.meta.dirname, '../../..')

type Pages = typeof import('@trainyard/modules/pages.tsx')

const rendered = join(out, 'render')
await build({
  root,
  logLevel: 'warn',
  configFile: false,
  build: {
    ssr: 'apps/modules/pages.tsx',
    outDir: rendered,
    rolldownOptions: { output: { entryFileNames: 'pages.js' } },
  },
})
const { pages, renderPage } = (await import(pathToFileURL(join(rendered, 'pages.js')).href)) as Pages
rmSync(rendered, { recursive: true })

for (const file of Object.keys(manifestOf(out)).filter((key) => key.endsWith('.html')))
  renameSync(join(out, file), join(out, basename(file)))
for (const folder of ['apps', 'addons']) rmSync(join(out, folder), { recursive: true, force: true })

// The server answers 404 at any other path.
writeFileSync(join(out, '.paths.json'), JSON.stringify(screensOf(modules).map(({ path }) => path)))

// Files of the first screen after a login.
const manifest = manifestOf(out)
const parts = Object.keys(manifest).filter((key) => ['home', 'hand'].includes(manifest[key]!.name!))
const app = filesOf(manifest, [...applicationIn(manifest), ...parts]).map((file) => `/${file}`)
const secondStep = `/${Object.values(manifest).find(({ name, isEntry }) => isEntry && name === 'secondStep')?.file ?? ''}`
for (const [name, page] of Object.entries(pages)) {
  const style = await styleText(root, page.sheet)
  const script = page.script === null ? '' : await scriptText(root, page.script)
  const html = renderPage(page, { style, script, app, secondStep })
  writeFileSync(join(out, `${name}.html`), withPolicy(html, name === 'lti' ? '*' : "'self'"))
}
