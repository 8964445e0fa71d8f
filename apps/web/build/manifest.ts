import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from 'vite'

export const APPLICATION = 'apps/web/app.html'
/** Name of the chunk of the open screens, which the application loads instead of the console. */
export const OPEN_SCREENS = 'open'

/** Returns the manifest of a build. Its keys are the paths of files in this repository. */
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest

export function filesOf(manifest: Manifest, entries: readonly string[]): string[] {
  const files = new Set<string>()
  const seen = new Set<string>()
  const add = (key: string) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no ${key}`)
    if (seen.has(key)) return
    seen.add(key)
    files.add(chunk.file)
    for (const sheet of chunk.css ?? []) files.add(sheet)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  for (const entry of entries) add(entry)
  return [...files]
}

/** Returns the entries of the console without screens: its page and that page's dynamic imports. */
export const applicationIn = (manifest: Manifest): string[] => [
  APPLICATION,
  ...(manifest[APPLICATION]?.dynamicImports ?? []).filter((key) => manifest[key]?.name !== OPEN_SCREENS),
]

/** Returns the entries of the application that open screens need. */
export const openScreensIn = (manifest: Manifest): string[] => [
  APPLICATION,
  ...Object.keys(manifest).filter((key) => manifest[key]?.name === OPEN_SCREENS),
]
