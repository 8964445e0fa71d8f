import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A request to the real Azure and its reply, recorded by a public project. */
export interface Recording {
  /** File and line, such as `machines:12`, for test output. */
  readonly id: string
  readonly source: string
  /** The project's own file name, and the position in the file. */
  readonly file: string
  readonly seq: number
  readonly method: string
  /** Path and query, without a host. */
  readonly path: string
  readonly requestBody: unknown
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Identifier shared by all recordings of a conversation, which are in order. */
  readonly sequence?: string
  /** Number of polls that were left out before this recording. */
  readonly pollsOmittedBefore?: number
  /** True if lists in the body were shortened. */
  readonly truncated?: boolean
}

const checkout = resolve(fileURLToPath(import.meta.url), '../../../..')

const folder = [process.env.AZURE_RECORDED, join(checkout, '../shared/azure-recorded')].find(
  (path) => path !== undefined && existsSync(join(path, 'machines.ndjson')),
)

/**
 * All recordings, or null if they are not on this machine. Tests that need them are skipped and say so in their name.
 */
export const recordings: readonly Recording[] | null = folder === undefined ? null : readRecordings(folder)

export const whereRecordings =
  folder ??
  'the recordings of Azure are missing: copy them to shared/azure-recorded next to the checkout, or set AZURE_RECORDED'

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
