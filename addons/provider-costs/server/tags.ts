import type { BillLine } from './columns.ts'

type Tag = Pick<BillLine, 'tag' | 'tagValue'>

const NONE: Tag = { tag: null, tagValue: null }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Names of the portal's tags. The first tag that is present determines the owner. */
const OURS = [
  ['trainyard-machine', 'machine'],
  ['trainyard-sandbox', 'sandbox'],
  ['trainyard-image', 'image'],
] as const

/**
 * Reads a tag. Azure's older exports omit the braces. AWS prefixes names with `user:` or `user_`, and may write `_`
 * instead of `-`.
 */
export function tagIn(text: string): Tag {
  if (!/trainyard/i.test(text)) return NONE
  return ourTag(tagsIn(text))
}

export function ourTag(tags: ReadonlyMap<string, string>): Tag {
  for (const [name, tag] of OURS) {
    const value = tags.get(name)?.trim().toLowerCase()
    if (value !== undefined && UUID.test(value)) return { tag, tagValue: value }
  }
  return tags.has('trainyard') ? { tag: 'shared', tagValue: null } : NONE
}

function tagsIn(text: string): ReadonlyMap<string, string> {
  const trimmed = text.trim()
  const json = trimmed.startsWith('{') ? trimmed : `{${trimmed}}`
  try {
    const read = JSON.parse(json) as object
    return new Map(Object.entries(read).map(([name, value]) => [tagName(name), String(value)]))
  } catch {
    // Only complete entries are read, because Azure truncates long lists of tags.
    return new Map(
      [...trimmed.matchAll(/"([^"]*)"\s*:\s*"([^"]*)"/g)].map(([, name, value]) => [tagName(name!), value!]),
    )
  }
}

export const tagName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^resourcetags\//, '')
    .replace(/^user[:_]/, '')
    .replaceAll('_', '-')
