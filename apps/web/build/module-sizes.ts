import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** Characters of code by file of the build and by module of the repository, or `packages`. */
export type ModuleSizes = Readonly<Record<string, Readonly<Record<string, number>>>>

export const SIZES = '.modules.json'

/** Writes how much code of each module is in each file, for the budget. */
export function moduleSizes(root: string): Plugin {
  return {
    name: 'module-sizes',
    apply: 'build',
    generateBundle(_, bundle) {
      const sizes: Record<string, Record<string, number>> = {}
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue
        const ofFile: Record<string, number> = (sizes[part.fileName] = {})
        for (const [id, { renderedLength }] of Object.entries(part.modules)) {
          const owner = ownerOf(relative(root, id))
          ofFile[owner] = (ofFile[owner] ?? 0) + renderedLength
        }
      }
      this.emitFile({ type: 'asset', fileName: SIZES, source: JSON.stringify(sizes) })
    },
  }
}

const ownerOf = (path: string): string => /^(?:platform|(?:core|addons|apps)\/[^/]+)/.exec(path)?.[0] ?? 'packages'
