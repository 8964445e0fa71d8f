import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries } from '@trainyard/modules/entries.ts'
import { type ModuleSizes, SIZES } from './module-sizes.ts'
import { applicationIn, filesOf, manifestOf, openScreensIn } from './manifest.ts'

/** Sizes are kB of Brotli (1 kB = 1,000 bytes). Exits with 1 if a budget is exceeded. */
const dist = join(import.meta.dirname, '../dist')
const manifest = manifestOf(dist)

const read = (file: string) => readFileSync(join(dist, file))
/** Sum of the files as the server sends them. */
const together = (files: readonly string[]) => files.reduce((sum, file) => sum + read(`${file}.br`).length, 0)

const publicPage = (name: string) => ({
  what: `/${name}, visible after one request`,
  bytes: together([`${name}.html`]),
  budget: 8_000,
})
const assets = readdirSync(join(dist, 'assets')).map((name) => `assets/${name}`)
// Terminal and desktop are on a separate page, which nothing else loads.
const remote = manifest[entries['remote']!]!
const terminal = remote.file
const desktop = manifest['addons/remote-access/web/desktop/Desktop.tsx']!
// The page of the API reference, whose library nothing else loads.
const developers = manifest[entries['developers']!]!.file
const reference = assets.find((name) => /\/api-reference-[^/]+\.js$/.test(name))!
const engine = assets.find((name) => name.endsWith('.wasm'))!

const product = assets.filter(
  (name) => name.endsWith('.js') && ![terminal, desktop.file, developers, reference].includes(name),
)

const weights = [
  publicPage('login'),
  publicPage('welcome'),
  publicPage('sign-in'),
  {
    what: 'JS with which an open screen works',
    bytes: together(filesOf(manifest, openScreensIn(manifest)).filter((name) => name.endsWith('.js'))),
    budget: 130_000,
  },
  {
    what: 'console by deep link, JS and CSS',
    bytes: together(filesOf(manifest, [...applicationIn(manifest), 'core/machines/web/Console.tsx'])),
    budget: 190_000,
  },
  {
    what: 'all JS of the product, terminal, desktop and API reference aside',
    bytes: together(product),
    budget: 561_000,
  },
  {
    // Includes the page's dynamic imports, because a module of the shell among them would render the shell on this
    // page.
    what: 'the terminal page, all its JS and CSS',
    bytes: together(filesOf(manifest, [entries['remote']!, ...(remote.dynamicImports ?? [])])),
    budget: 190_000,
  },
  {
    what: 'what a desktop adds to it, JS and CSS',
    bytes: together([desktop.file, ...(desktop.css ?? [])]),
    budget: 20_000,
  },
  {
    what: 'the page of the API reference, JS and CSS',
    bytes: together(filesOf(manifest, [entries['developers']!])),
    budget: 3_000,
  },
  {
    what: 'the library of the API reference',
    bytes: together([reference]),
    budget: 1_200_000,
  },
  {
    what: "the desktop's engine, WebAssembly",
    bytes: together([engine]),
    budget: 1_400_000,
  },
]

for (const { what, bytes, budget } of weights) {
  const kilobytes = (bytes / 1000).toFixed(1).padStart(6)
  console.log(`${bytes <= budget ? 'ok  ' : 'OVER'} ${kilobytes} kB of ${budget / 1000} kB  ${what}`)
}

// Each module's part of these files, in proportion to its code.
const modules = new Map<string, number>()
const sizes = JSON.parse(read(SIZES).toString()) as ModuleSizes
for (const file of product) {
  const ofFile = Object.entries(sizes[file] ?? {})
  const all = ofFile.reduce((sum, [, size]) => sum + size, 0)
  for (const [owner, size] of ofFile)
    modules.set(owner, (modules.get(owner) ?? 0) + (size / all) * read(`${file}.br`).length)
}
for (const [owner, bytes] of [...modules].toSorted(([, a], [, b]) => b - a))
  console.log(`     ${(bytes / 1000).toFixed(1).padStart(6)} kB  ${owner}`)

if (weights.some(({ bytes, budget }) => bytes > budget)) process.exitCode = 1
