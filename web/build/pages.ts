import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Manifest } from 'vite'
import { modules } from '../../apps/modules/web.ts'
import { screensOf } from '../src/shell/module.ts'
import { withPolicy } from './head.ts'
import { applicationIn, filesOf } from './manifest.ts'
import { out } from './out.ts'
import { scriptText, styleText } from './public-page.ts'

const root = join(import.meta.dirname, '..')

type Pages = typeof import('./page-list.tsx')

const rendered = join(out, 'render')
await build({
  root,
  logLevel: 'warn',
  configFile: false,
  build: { ssr: 'build/page-list.tsx', outDir: rendered, rolldownOptions: { output: { entryFileNames: 'pages.js' } } },
})
const { pages, renderPage } = (await import(pathToFileURL(join(rendered, 'pages.js')).href)) as Pages
rmSync(rendered, { recursive: true })

// The server answers 404 at any other path.
writeFileSync(join(out, '.paths.json'), JSON.stringify(screensOf(modules).map(({ path }) => path)))

// Files of the first screen after a login.
const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as Manifest
const parts = ['home', 'hand'].map((part) => Object.keys(manifest).find((key) => manifest[key]!.name === part)!)
const app = filesOf(manifest, [...applicationIn(manifest), ...parts]).map((file) => `/${file}`)
const secondStep = `/${manifest['src/public/second-step.ts']!.file}`
for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
  const style = await styleText(root, `src/public/${pages[name].sheet}`)
  const script = 'script' in pages[name] ? '' : await scriptText(root, `src/public/${name}.script.ts`)
  const html = renderPage(pages[name], { style, script, app, secondStep })
  writeFileSync(join(out, `${name}.html`), withPolicy(html, name === 'lti' ? '*' : "'self'"))
}
