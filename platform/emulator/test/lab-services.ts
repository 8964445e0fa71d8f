import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder with the OpenAPI files and the recorded conversations of Lab Services. */
const checkout = resolve(fileURLToPath(import.meta.url), '../../../..')
const folder = [process.env['AZURE_LABSERVICES'], join(checkout, '../shared/references/azure-labservices')].find(
  (path) => path !== undefined && existsSync(path),
)
const pathInFolder = (name: string): string | undefined =>
  folder === undefined || !existsSync(join(folder, name)) ? undefined : join(folder, name)

/** undefined if the files are not on this machine: tests that need them are skipped and say so in their name. */
export const labServicesSpecification = pathInFolder('specification')
export const labServicesCsvFolder = pathInFolder('csv')
export const whyNoLabServices =
  'the files of Lab Services are missing: copy them to shared/references/azure-labservices next to the checkout, or set AZURE_LABSERVICES'

export interface RecordedInteraction {
  readonly request: { readonly method: string; readonly url: string; readonly body: unknown }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
    /** Set if the body was shortened. */
    readonly excerpt?: string
  }
}

export interface RecordedConversation {
  readonly conversation: string
  readonly interactions: readonly RecordedInteraction[]
}

/** All recorded conversations, without the placeholders for interactions that were left out. */
export const labServicesConversations: readonly RecordedConversation[] | undefined = readConversations(
  pathInFolder('recorded'),
)

function readConversations(root: string | undefined): RecordedConversation[] | undefined {
  if (root === undefined) return undefined
  return readdirSync(root)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => {
      const { conversation, interactions } = JSON.parse(readFileSync(join(root, name), 'utf8')) as {
        conversation: string
        interactions: (RecordedInteraction | { elided: unknown })[]
      }
      return { conversation, interactions: interactions.filter((interaction) => 'request' in interaction) }
    })
}
