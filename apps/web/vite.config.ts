import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { entries } from '@trainyard/modules/entries.ts'
import { apiReference } from './build/api-reference.ts'
import { chunks, withoutApplication } from './build/chunks.ts'
import { contractCalls } from './build/contract-calls.ts'
import { contractShapes } from './build/contract-shapes.ts'
import { appPage } from './build/app-page.ts'
import { desktopEngine } from './build/desktop-engine.ts'
import { moduleSizes } from './build/module-sizes.ts'
import { noServerCode } from './build/no-server-code.ts'
import { out } from './build/out.ts'
import { pagesInDevelopment } from './build/pages-in-development.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const root = here('../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const inputs = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)]))

export default defineConfig({
  root,
  appType: 'custom',
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(version) },
  plugins: [
    react(),
    contractCalls(here('../modules/contract.ts'), here('../../platform/contract/audit-labels.ts')),
    contractShapes(root),
    appPage(),
    desktopEngine(),
    apiReference(),
    moduleSizes(root),
    noServerCode(),
    pagesInDevelopment(),
  ],
  server: { proxy: { '/api': { target: process.env['TRAINYARD_API'] ?? 'http://127.0.0.1:4000', ws: true } } },
  build: {
    outDir: out,
    emptyOutDir: true,
    manifest: 'manifest.json',
    // The notices that the licences of the bundled packages require.
    license: true,
    // Keeps light-dark() and nesting in CSS, and needs no polyfill: supported by all browsers of the last two years.
    modulePreload: { polyfill: false, resolveDependencies: withoutApplication },
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      input: { app: here('app.html'), ...inputs },
      output: { codeSplitting: { groups: chunks } },
    },
  },
})
