import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Manifest } from 'vite'
import { withPolicy } from './head.ts'
import { scriptText, styleText } from './public-page.ts'

/** Renders the public pages to finished HTML in dist/, each whole in one file: markup, style and script. */
const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

type Pages = typeof import('../src/public/pages.tsx')

const rendered = join(dist, 'render')
await build({
  root,
  logLevel: 'warn',
  configFile: false,
  build: { ssr: 'src/public/pages.tsx', outDir: rendered, rolldownOptions: { output: { entryFileNames: 'pages.js' } } },
})
const { pages, renderPage } = (await import(pathToFileURL(join(rendered, 'pages.js')).href)) as Pages
rmSync(rendered, { recursive: true })

const style = await styleText(root, 'src/public/public.css')
const app = appFiles(JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Manifest)
for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
  const script = await scriptText(root, `src/public/${name}.script.ts`)
  const html = renderPage(name, { style, script, app })
  writeFileSync(join(dist, `${name}.html`), withPolicy(html, 'inline by hash'))
}
rmSync(join(dist, 'manifest.json'))

/** What the first screen after a login loads: the app's entry and Home, with what they import. */
function appFiles(manifest: Manifest): string[] {
  const files = new Set<string>()
  const add = (key: string) => {
    const chunk = manifest[key]!
    if (files.has(chunk.file)) return
    if (!chunk.file.endsWith('.html')) files.add(chunk.file)
    for (const sheet of chunk.css ?? []) files.add(sheet)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  add('app.html')
  add('src/screens/home/Home.tsx')
  return [...files].map((file) => `/${file}`)
}
