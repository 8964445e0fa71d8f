import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One request to the real Azure and its answer, as public projects recorded it. */
export interface Recording {
  /** File and line, `machines:12`: how a test names it. */
  readonly id: string
  /** The public project. */
  readonly source: string
  /** The project's own name of the file it is from, and its place in there. */
  readonly file: string
  readonly seq: number
  readonly method: string
  /** With its query, without a host. */
  readonly path: string
  readonly requestBody: unknown
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** null: empty. */
  readonly body: unknown
  /** Lines of one conversation have the same, and stand in order. */
  readonly sequence?: string
  /** Looks at the long operation that were left out before this one. */
  readonly pollsOmittedBefore?: number
  /** Lists in the body were cut. */
  readonly truncated?: boolean
}

const checkout = resolve(fileURLToPath(import.meta.url), '../../..')

const folder = [process.env.AZURE_RECORDED, join(checkout, '../shared/azure-recorded')].find(
  (one) => one !== undefined && existsSync(join(one, 'machines.ndjson')),
)

/** Every recording there is; null where this machine has none: what needs them is skipped, and its name says so. */
export const recordings: readonly Recording[] | null = folder === undefined ? null : readRecordings(folder)

/** Stands in the name of each test that needs the recordings. */
export const whereRecordings =
  folder ??
  'the recordings of Azure are not here: put them beside the checkout in shared/azure-recorded, or set AZURE_RECORDED'

/** Reads every file of recordings in a folder. */
export function readRecordings(root: string): Recording[] {
  return readdirSync(root)
    .filter((name) => name.endsWith('.ndjson'))
    .toSorted()
    .flatMap((name) =>
      readFileSync(join(root, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line, index) => {
          const read = JSON.parse(line) as Omit<Recording, 'id'>
          const headers = Object.entries(read.headers).map(([header, value]) => [header.toLowerCase(), value] as const)
          return { ...read, id: `${name.replace('.ndjson', '')}:${index + 1}`, headers: Object.fromEntries(headers) }
        }),
    )
}
