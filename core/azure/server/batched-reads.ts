import { setTimeout as pause } from 'node:timers/promises'
import { callOrNull, type CallOptions } from './calls.ts'
import { abortable } from './abortable.ts'
import { requireList } from './list-all.ts'

export interface ResourceKind<T extends Named> {
  /** Name of the kind of resource, which completes 'read the ...'. */
  readonly label: string
  get(resourceGroup: string, name: string, options: CallOptions): Promise<T>
  list(resourceGroup: string, options: CallOptions): { byPage(): AsyncIterable<T[]> }
}

interface Named {
  readonly name?: string
}

/**
 * Reads a resource. With `old`, a list without the resource proves that it is missing. Otherwise the resource is also
 * read individually, because a list may omit a new resource.
 */
export type BatchedRead<T> = (
  resourceGroup: string,
  name: string,
  signal: AbortSignal,
  age?: 'old',
) => Promise<T | null>

interface Turn<T> {
  readonly names: Map<string, 'old' | undefined>
  readonly found: Promise<Map<string, T>>
}

const SHARED_TIMEOUT_MS = 30_000

export type WaitForRead = () => Promise<void>

export function readLimiter(everyMs: number): WaitForRead {
  let nextFree = -Infinity
  return async () => {
    const now = performance.now()
    const slot = Math.max(now, nextFree)
    nextFree = slot + everyMs
    if (slot > now) await pause(slot - now)
  }
}

/** Reads one list per group and interval for all waiting reads. A single waiting read is made individually. */
export function batchedRead<T extends Named>(
  kind: ResourceKind<T>,
  everyMs: number,
  waitForRead: WaitForRead,
): BatchedRead<T> {
  const waiting = new Map<string, Turn<T>>()
  const lastRead = new Map<string, number>()
  /** Groups with so many resources that a list needs more requests than it saves. */
  const tooLong = new Set<string>()

  function nextTurn(resourceGroup: string, key: string): Turn<T> {
    const names = new Map<string, 'old' | undefined>()
    const since = performance.now() - (lastRead.get(key) ?? -Infinity)
    const found = pause(Math.max(0, everyMs - since)).then(() => {
      waiting.delete(key)
      lastRead.set(key, performance.now())
      return readAll(resourceGroup, key, names)
    })
    return { names, found }
  }

  async function readAll(resourceGroup: string, key: string, names: Turn<T>['names']): Promise<Map<string, T>> {
    const found = new Map<string, T>()
    let read = false
    if (names.size > 1 && !tooLong.has(key)) {
      read = await readList(kind, resourceGroup, new Set(names.keys()), found)
      if (!read) tooLong.add(key)
    }
    for (const [name, age] of names) {
      if (found.has(name) || (read && age === 'old')) continue
      await waitForRead()
      const { body } = await callOrNull(`read the ${kind.label} ${name}`, sharedTimeout(), (options) =>
        kind.get(resourceGroup, name, options),
      )
      if (body !== null) found.set(name, body)
    }
    return found
  }

  return async (resourceGroup, name, signal, age) => {
    const key = resourceGroup.toLowerCase()
    const slot = waiting.get(key) ?? nextTurn(resourceGroup, key)
    waiting.set(key, slot)
    slot.names.set(name.toLowerCase(), age)
    const found = await abortable(`Reading the ${kind.label} at Azure`, slot.found, signal)
    return found.get(name.toLowerCase()) ?? null
  }
}

async function readList<T extends Named>(
  kind: ResourceKind<T>,
  resourceGroup: string,
  missing: Set<string>,
  found: Map<string, T>,
) {
  const maxPages = missing.size
  const { body } = await callOrNull(`read the ${kind.label} of ${resourceGroup}`, sharedTimeout(), async (options) => {
    const pages = kind.list(resourceGroup, {
      ...options,
      onResponse: (response, reply) => {
        options.onResponse(response, reply)
        if (response.status < 400) requireList(reply)
      },
    })
    let read = 0
    for await (const page of pages.byPage()) {
      for (const each of page) {
        const name = each.name?.toLowerCase() ?? ''
        if (missing.delete(name)) found.set(name, each)
      }
      if (missing.size === 0) return true
      if (++read === maxPages) return false
    }
    return true
  })
  return body ?? true
}

const sharedTimeout = () => AbortSignal.timeout(SHARED_TIMEOUT_MS)
