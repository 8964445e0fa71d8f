/** Tags that a customer's Azure policies require, as names and values. */
export type AzureTags = Readonly<Record<string, string>>

/**
 * Maximum number of tags. Azure allows 50 per resource; the portal's own tags and the tags that policies add need the
 * rest.
 */
export const TAGS_MAX = 15
const NAME_MAX = 128
const VALUE_MAX = 256

/** Returns why a tag cannot be used, without its subject; null if it can. The limits are Azure's. */
function tagProblem(name: string, value: string): string | null {
  if (name === '' || name.length > NAME_MAX) return `must have a name of at most ${NAME_MAX} characters`
  if (value.length > VALUE_MAX) return `must have a value of at most ${VALUE_MAX} characters`
  if (/[<>%&\\?/]|\p{Cc}/u.test(name) || /\p{Cc}/u.test(value)) {
    return 'must not contain control characters, nor <, >, %, &, \\, ? or / in its name'
  }
  if (/^(trainyard|microsoft|azure|windows)/i.test(name)) {
    return 'must not begin with trainyard, microsoft, azure or windows'
  }
  return null
}

/** Returns the first problem of a set of tags as the end of a sentence; null if there is none. */
export function tagsProblem(tags: AzureTags): string | null {
  const entries = Object.entries(tags)
  if (entries.length > TAGS_MAX) return `must be at most ${TAGS_MAX} tags`
  const names = entries.map(([name]) => name.toLowerCase())
  // Azure compares names case-insensitively.
  if (new Set(names).size < names.length) return 'must not name a tag twice'
  for (const [name, value] of entries) {
    const problem = tagProblem(name, value)
    if (problem !== null) return `has a tag ${name} that ${problem}`
  }
  return null
}

/** Parses one `name=value` per line and skips empty lines. Returns null if a line has no equals sign or repeats a name. */
export function parseTags(text: string): AzureTags | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const pairs = lines.map((line) => /^([^=]+?)\s*=\s*(.*)$/.exec(line))
  const tags = Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
  if (pairs.includes(null) || Object.keys(tags).length < pairs.length) return null
  return tags
}

/** Reads tags for a shape, which validates them. A text that cannot be parsed stays a text, which the shape refuses. */
export const tagsIn = (text: string): AzureTags => parseTags(text) ?? (text as unknown as AzureTags)

export const formatTags = (tags: AzureTags): string =>
  Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
