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
/** What an item of these lists is called. */
const KINDS: Readonly<Record<string, string>> = {
  machines: 'machine',
  variables: 'variable',
  steps: 'step',
  tasks: 'task',
  checks: 'check',
  questions: 'question',
}
const ROUNDS_MAX = 20

export interface ReadablePart<T> {
  /** What is left without the wrong parts; null if nothing is. */
  readonly value: T | null
  /** What is wrong with the whole. */
  readonly issues: readonly z.core.$ZodIssue[]
  /** True for something with an id or a name that was left out, such as `task`. */
  isLost(kind: string, id: string): boolean
  /** True if a value of one of these fields, or of their lists, was left out below a value of the rest. */
  isIncomplete(keys: readonly string[], fields: readonly string[]): boolean
  /** Returns the keys in the whole that lead to a value of the rest. */
  keysOf(keys: readonly string[]): string[]
}

/** Reads what a schema accepts, so that one wrong field does not hide what is wrong elsewhere. Changes `raw`. */
export function readPart<T>(schema: z.ZodType<T>, raw: unknown): ReadablePart<T> {
  const left = new Remainder(raw)
  let read = schema.safeParse(raw)
  const issues = read.error?.issues ?? []
  for (let round = 0; !read.success && round < ROUNDS_MAX; round += 1) {
    left.without(read.error.issues)
    read = schema.safeParse(raw)
  }
  return {
    value: read.data ?? null,
    issues,
    isLost: (kind, id) => left.lost.has(`${kind} ${id}`) || left.lost.has(`${kind} `),
    isIncomplete: (keys, fields) =>
      fields.some((field) => left.incomplete.has([...left.keysOf(keys), field].join('.'))),
    keysOf: (keys) => left.keysOf(keys),
  }
}

class Remainder {
  /** Kinds with ids, and kinds alone of which a whole list has no ids that can be read. */
  readonly lost = new Set<string>()
  /** Keys in the whole of each value above something that was left out, with the field that it belonged to. */
  readonly incomplete = new Set<string>()
  readonly #raw: unknown
  /** Places that the items of a list had in the whole. */
  readonly #places = new Map<unknown, number[]>()

  constructor(raw: unknown) {
    this.#raw = raw
  }

  keysOf(keys: readonly PropertyKey[]): string[] {
    let value = this.#raw
    return keys.map((key) => {
      const place = String(this.#places.get(value)?.[Number(key)] ?? key)
      value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
      return place
    })
  }

  without(issues: readonly z.core.$ZodIssue[]): void {
    /** Items go at the end of the round, so that the places of the others stay until then. */
    const dropped = new Map<unknown[], Set<number>>()
    for (const issue of issues)
      if (issue.code === 'unrecognized_keys') this.#deleteKeys(issue.path, issue.keys)
      else this.#leaveOut(issue.path, dropped)
    for (const [list, items] of dropped) {
      const places = this.#places.get(list) ?? [...list.keys()]
      const kept = [...list.keys()].filter((index) => !items.has(index))
      this.#places.set(
        list,
        kept.map((index) => places[index]!),
      )
      list.splice(0, list.length, ...kept.map((index) => list[index]))
    }
  }

  #deleteKeys(path: readonly PropertyKey[], keys: readonly string[]): void {
    const { value } = this.#valueAt(path)
    for (const key of keys) delete (value as Record<string, unknown>)[key]
  }

  #valueAt(path: readonly PropertyKey[], dropped?: ReadonlyMap<unknown[], ReadonlySet<number>>) {
    let value = this.#raw
    let isDropped = false
    for (const key of path) {
      isDropped ||= dropped?.get(value as unknown[])?.has(Number(key)) === true
      value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
    }
    return { value, isDropped }
  }

  #leaveOut(path: readonly PropertyKey[], dropped: Map<unknown[], Set<number>>): void {
    const found = this.#valueAt(path.slice(0, -1), dropped)
    const parent = found.value as Record<string, unknown> | unknown[] | undefined
    if (path.length === 0 || found.isDropped || typeof parent !== 'object' || parent === null) return
    const key = path.at(-1) as string
    this.#note(path)
    if (Array.isArray(parent)) {
      if (!dropped.has(parent)) dropped.set(parent, new Set())
      dropped.get(parent)!.add(Number(key))
    } else if (Object.hasOwn(STAND_INS, key)) parent[key] = structuredClone(STAND_INS[key])
    else if (key === 'id' && path.length === 1) parent[key] = 'id'
    else if (Object.hasOwn(parent, key)) delete parent[key]
    else this.#leaveOut(path.slice(0, -1), dropped)
  }

  #note(path: readonly PropertyKey[]): void {
    const { value } = this.#valueAt(path)
    const names = path.filter((key) => typeof key === 'string')
    const [field, list] = [names.at(-1)!, names.at(-2)]
    this.#lose(field, value, typeof path.at(-1) === 'number')
    if (field === 'id' || field === 'name') this.#loseName(KINDS[list ?? ''], value)
    const keys = this.keysOf(path)
    for (let depth = 0; depth < keys.length; depth += 1) this.incomplete.add([...keys.slice(0, depth), field].join('.'))
  }

  /** Notes all ids in a value. @param isItem true for an item of the list `field` */
  #lose(field: string, value: unknown, isItem: boolean): void {
    const kind = Object.hasOwn(KINDS, field) ? KINDS[field] : undefined
    if (isItem || !Array.isArray(value)) {
      // Nothing says which ids the author had in mind.
      if (!isItem && kind !== undefined && value !== undefined) this.lost.add(`${kind} `)
      if (typeof value !== 'object' || value === null) return
      const { id, name } = value as Record<string, unknown>
      if (isItem) this.#loseName(kind, id ?? name)
      for (const [key, each] of Object.entries(value)) if (Array.isArray(each)) this.#lose(key, each, false)
    } else for (const item of value) this.#lose(field, item, true)
  }

  #loseName(kind: string | undefined, name: unknown): void {
    // References to a name such as Folder are often written in small letters.
    if (kind !== undefined && typeof name === 'string') this.lost.add(`${kind} ${name.toLowerCase()}`)
  }
}
