import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { apiReference } from './build/api-reference.ts'
import { chunks, withoutApplication } from './build/chunks.ts'
import { contractCalls } from './build/contract-calls.ts'
import { appPage } from './build/app-page.ts'
import { desktopEngine } from './build/desktop-engine.ts'
import { out } from './build/out.ts'
import { publicPagesInDevelopment } from './build/public-pages-in-development.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  appType: 'custom',
  plugins: [
    react(),
    contractCalls(here('../apps/modules/contract.ts'), here('../contract/src/audit-labels.ts')),
    appPage(),
    desktopEngine(),
    apiReference(),
    publicPagesInDevelopment(),
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
      input: {
        app: here('app.html'),
        remote: here('remote.html'),
        developers: here('developers.html'),
        secondStep: here('src/public/second-step.ts'),
      },
      // The login page imports its second step by URL, so its exports must stay.
      preserveEntrySignatures: 'exports-only',
      output: { codeSplitting: { groups: chunks } },
    },
  },
})
