import type { BillLine } from './columns.ts'

type Tag = Pick<BillLine, 'tag' | 'tagValue'>

const NONE: Tag = { tag: null, tagValue: null }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Tags that the portal sets at the provider; the first that is there says what a thing belongs to. */
const OURS = [
  ['trainyard-machine', 'machine'],
  ['trainyard-sandbox', 'sandbox'],
  ['trainyard-image', 'image'],
] as const

/**
 * Returns our own tag among those of a line. They come as JSON, and in Azure's older exports without its braces; AWS puts
 * `user:` or `user_` before their names and may write `_` for `-`.
 */
export function tagIn(text: string): Tag {
  if (!/trainyard/i.test(text)) return NONE
  return ourTag(tagsIn(text))
}

/** Returns our own tag among tags by their names. */
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
    // Azure cuts long lists of tags off: what is whole of them is read.
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
