import type { Reply } from '../test-emulator.ts'
import type { Recording } from '../recordings.ts'

/** Objects whose field names the caller chooses, so they are not part of Azure's format. */
const FREE = new Set(['tags', 'settings', 'protectedSettings', 'parameters', 'metadata'])

/** Headers of long-running operations. Retry-After is compared only for sources that recorded it. */
const HEADERS = ['azure-asyncoperation', 'location', 'retry-after']
const KEEPS_RETRY_AFTER = 'azure-service-operator'

/** Fields whose values are compared, not only their types. */
const COMPARED_FIELDS = /^(properties\.provisioningState|status|error\.code|error\.details\[\]\.code)$/

export function compareReply(recording: Recording, reply: Reply): string[] {
  if (recording.status !== reply.status) {
    const errorCode = (reply.body as { error?: { code?: string } } | undefined)?.error?.code
    return [`status ${reply.status}${errorCode === undefined ? '' : ` ${errorCode}`}, not ${recording.status}`]
  }
  const headers = HEADERS.filter((name) => name !== 'retry-after' || recording.source === KEEPS_RETRY_AFTER).flatMap(
    (name) => {
      const [recordedHas, emulatedHas] = [name in recording.headers, reply.headers.has(name)]
      return recordedHas === emulatedHas ? [] : [`${recordedHas ? 'lacks' : 'adds'} header ${name}`]
    },
  )
  return [...headers, ...bodyDifferences(recording.body, reply.body ?? null)]
}

function bodyDifferences(recorded: unknown, emulatedHas: unknown): string[] {
  const theirFields = fieldsOf(recorded)
  const ourFields = fieldsOf(emulatedHas)
  const differences: string[] = []
  for (const [path, { types, value }] of theirFields) {
    const ourValue = ourFields.get(path)
    if (ourValue === undefined) {
      if (isTop(path, ourFields)) differences.push(`lacks ${path} (${[...types].join('|')})`)
    } else if (![...types].every((type) => ourValue.types.has(type))) {
      differences.push(`${path} is ${[...ourValue.types].join('|')}, not ${[...types].join('|')}`)
    } else if (COMPARED_FIELDS.test(path) && value !== ourValue.value) {
      differences.push(`${path} is ${String(ourValue.value)}, not ${String(value)}`)
    }
  }
  for (const path of ourFields.keys()) {
    if (!theirFields.has(path) && isTop(path, theirFields)) differences.push(`adds ${path}`)
  }
  return differences
}

interface Field {
  readonly types: Set<string>
  readonly value: unknown
}

/** Returns every field by its path. List items are merged as `[]`. */
function fieldsOf(value: unknown, path = '', fields = new Map<string, Field>()): Map<string, Field> {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const fieldValue = fields.get(path)
  if (fieldValue === undefined) fields.set(path, { types: new Set([type]), value })
  else fieldValue.types.add(type)
  if (typeof value !== 'object' || value === null || FREE.has(path.slice(path.lastIndexOf('.') + 1))) return fields
  if (Array.isArray(value)) for (const item of value) fieldsOf(item, `${path}[]`, fields)
  else {
    for (const [name, inner] of Object.entries(value)) fieldsOf(inner, path === '' ? name : `${path}.${name}`, fields)
  }
  return fields
}

/** Returns false for a field inside a missing object, which is already reported. */
function isTop(path: string, others: ReadonlyMap<string, Field>): boolean {
  const above = path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf('.')))
  return path === '' || others.has(above)
}
