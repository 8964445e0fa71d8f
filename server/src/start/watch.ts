import { watch } from 'node:fs'
import type { KeptPart } from './part.ts'

const QUIET = 120

/** Restarts each part when something in its folders changed, once the writing has come to rest. */
export function restartOnChange(parts: readonly KeptPart[]): void {
  for (const kept of parts) {
    let timer: NodeJS.Timeout | undefined
    for (const folder of kept.part.watch ?? []) {
      watch(folder, { recursive: true }, (_event, file) => {
        if (file === null || !file.endsWith('.ts') || file.endsWith('.test.ts')) return
        clearTimeout(timer)
        timer = setTimeout(() => kept.restart(), QUIET)
      }).unref()
    }
  }
}
