import type { z } from 'zod'

/** Values in the place of wrong ones, without which nothing of their object could be checked. */
const STAND_INS: Readonly<Record<string, unknown>> = {
  format: 1,
  title: 'Title',
  summary: 'Summary',
  language: 'en',
  minutes: 1,
  machines: [{ name: 'machine', os: 'linux' }],
}
const ROUNDS_MAX = 20

export interface ReadablePart<T> {
  /** What is left without the wrong parts; null if nothing is. */
  readonly value: T | null
  /** What is wrong with the whole. */
  readonly issues: readonly z.core.$ZodIssue[]
  /** Names and ids of the parts that were left out. */
  readonly lost: ReadonlySet<string>
  /** Returns the keys in the whole that lead to a value of the rest. */
  keysOf(keys: readonly string[]): string[]
}

/** Reads what a schema accepts, so that one wrong field does not hide what is wrong elsewhere. Changes `raw`. */
export function readPart<T>(schema: z.ZodType<T>, raw: unknown): ReadablePart<T> {
  /** Places that the items of a list had in the whole. */
  const places = new Map<unknown, number[]>()
  const lost = new Set<string>()
  const valueAt = (path: readonly PropertyKey[]) =>
    path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], raw)

  const leaveOut = (path: readonly PropertyKey[]): void => {
    const key = path.at(-1) as string
    const parent = valueAt(path.slice(0, -1)) as Record<string, unknown> | undefined
    if (path.length === 0 || typeof parent !== 'object' || parent === null) return
    const { id = parent['id'], name = parent['name'] } = (parent[key] ?? {}) as Record<string, unknown>
    lost.add(String(id ?? name).toLowerCase())
    if (Array.isArray(parent)) {
      if (!places.has(parent)) places.set(parent, [...parent.keys()])
      for (const list of [parent, places.get(parent)!]) list.splice(Number(key), 1)
    } else if (key in STAND_INS) parent[key] = STAND_INS[key]
    else if (key === 'id' && path.length === 1) parent[key] = 'id'
    else if (key in parent) delete parent[key]
    else leaveOut(path.slice(0, -1))
  }

  let read = schema.safeParse(raw)
  const issues = read.error?.issues ?? []
  for (let round = 0; !read.success && round < ROUNDS_MAX; round += 1) {
    // From the end, so that the places of the others stay.
    for (const issue of read.error.issues.toReversed())
      if (issue.code === 'unrecognized_keys') for (const key of issue.keys) leaveOut([...issue.path, key])
      else leaveOut(issue.path)
    read = schema.safeParse(raw)
  }
  return {
    value: read.data ?? null,
    issues,
    lost,
    keysOf: (keys) => keys.map((key, depth) => String(places.get(valueAt(keys.slice(0, depth)))?.[Number(key)] ?? key)),
  }
}
