import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { moduleOf } from './modules.ts'
import { probed, REACHED, RECORDER } from './probes.ts'
import { read, trackedFiles, type Workplace } from './workplace.ts'

/** The record of a test file's run when nothing is planted. */
export interface Known {
  readonly test: string
  /** How long it took alone, in milliseconds; null: it failed, and judges nothing. */
  readonly ms: number | null
  /** The mutations that would have changed what it ran, in its own process or in one that it started. */
  readonly reached: ReadonlySet<string>
}

interface Stored {
  /** Of the test file alone, and of everything that tests share. */
  readonly own: string
  readonly all: string
  readonly ms: number | null
  readonly reached: readonly string[]
}

/** Returns the server's test files; of storms the short form is run, as by `npm test`. */
export const serverTests = (root: string): string[] =>
  trackedFiles(root).filter((file) => /^server\/.*\.test\.ts$/.test(file))

/**
 * Runs every test file alone and without a mutant, and learns how long it takes and which mutations it could notice.
 * The results are kept in `store` for as long as neither the test nor anything changes that tests share; with
 * `stale`, for as long as the test itself doesn't.
 */
export async function scout(
  root: string,
  places: readonly Workplace[],
  { store, stale, say }: { store: string; stale: boolean; say: (line: string) => void },
): Promise<Known[]> {
  const sources = trackedFiles(root).filter((file) => /^(server|emulator|contract)\/.*\.ts$/.test(file))
  const all = hashOf(...sources.filter((file) => !file.endsWith('.test.ts')).map((file) => read(root, file)))
  const kept: Record<string, Stored> = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {}
  const known: Record<string, Stored> = {}
  const unknown: string[] = []
  for (const test of serverTests(root)) {
    const found = kept[test]
    // One that failed may do better when less else is at work.
    const holds = found?.own === hashOf(read(root, test)) && found.ms !== null && (stale || found.all === all)
    if (found !== undefined && holds) known[test] = found
    else unknown.push(test)
  }
  if (unknown.length > 0) {
    say(`Running ${unknown.length} test files without a mutant.`)
    const told = sources.filter((file) => moduleOf(file) !== null)
    for (const { folder, write } of places) {
      writeFileSync(join(folder, 'recorder.mjs'), RECORDER)
      for (const file of told) write(file, probed(file, read(root, file), join(folder, 'recorder.mjs')))
    }
    await Promise.all(
      places.map(async (place) => {
        for (let test = unknown.shift(); test !== undefined; test = unknown.shift()) {
          const met = await meet(place, test)
          if (met.ms === null) say(`${test} fails as it is: it judges nothing.`)
          known[test] = { own: hashOf(read(root, test)), all, ...met }
          mkdirSync(dirname(store), { recursive: true })
          // With what was known before of those that are still to be run: it may hold again for another checkout.
          writeFileSync(store, JSON.stringify({ ...kept, ...known }))
        }
      }),
    )
    for (const { write } of places) for (const file of told) write(file, read(root, file))
  }
  return Object.entries(known).map(([test, { ms, reached }]) => ({ test, ms, reached: new Set(reached) }))
}

async function meet(place: Workplace, test: string): Promise<{ ms: number | null; reached: string[] }> {
  const into = join(place.folder, REACHED)
  for (let again = 0; again < 2; again++) {
    writeFileSync(into, '')
    const began = Date.now()
    const { end } = await place.judge([test], 300_000)
    if (end === 'passed') {
      return { ms: Date.now() - began, reached: [...new Set(readFileSync(into, 'utf8').trim().split('\n'))] }
    }
  }
  return { ms: null, reached: [] }
}

const hashOf = (...texts: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex').slice(0, 16)
}
