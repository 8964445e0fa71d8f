import { setTimeout as pause } from 'node:timers/promises'
import { find, type CallOptions } from './ask.ts'
import { leaving } from './leaving.ts'
import { refuseNoList } from './listed.ts'

/** A kind of resource and how it is read, individually or by resource group. */
export interface Kind<T extends Named> {
  /** Completes 'read the ...'. */
  readonly called: string
  alone(resourceGroup: string, name: string, options: CallOptions): Promise<T>
  list(resourceGroup: string, options: CallOptions): { byPage(): AsyncIterable<T[]> }
}

interface Named {
  readonly name?: string
}

/**
 * Reads a resource; null: it does not exist. With `long`, the caller knows that the resource was created long ago, so a
 * list without it is trusted. A list may omit a new resource, which is then read individually.
 */
export type LookTogether<T> = (
  resourceGroup: string,
  name: string,
  signal: AbortSignal,
  stood?: 'long',
) => Promise<T | null>

/** The reads that wait for a group's next turn, by name in lower case, with their `stood` argument. */
interface Turn<T> {
  readonly names: Map<string, 'long' | undefined>
  readonly found: Promise<Map<string, T>>
}

const SHARED_WORK = 30_000

export type Alone = () => Promise<void>

/** Allows at most one read every `everyMs`, for all callers together. */
export function aloneEvery(everyMs: number): Alone {
  let free = -Infinity
  return async () => {
    const now = performance.now()
    const turn = Math.max(now, free)
    free = turn + everyMs
    if (turn > now) await pause(turn - now)
  }
}

/**
 * Returns a batching reader of resources in transition. Many of one group are read within the same seconds, and the
 * read rate is limited: each group is read at most every `everyMs`, and one list answers all waiting reads. A single
 * waiting read is made individually.
 */
export function lookTogether<T extends Named>(kind: Kind<T>, everyMs: number, alone: Alone): LookTogether<T> {
  const waiting = new Map<string, Turn<T>>()
  const lastLook = new Map<string, number>()
  /** Groups with so many resources that a list costs more reads than it saves. */
  const tooLong = new Set<string>()

  function nextTurn(resourceGroup: string, key: string): Turn<T> {
    const names = new Map<string, 'long' | undefined>()
    const since = performance.now() - (lastLook.get(key) ?? -Infinity)
    const found = pause(Math.max(0, everyMs - since)).then(() => {
      waiting.delete(key)
      lastLook.set(key, performance.now())
      return lookFor(resourceGroup, key, names)
    })
    return { names, found }
  }

  async function lookFor(resourceGroup: string, key: string, names: Turn<T>['names']): Promise<Map<string, T>> {
    const found = new Map<string, T>()
    let read = false
    if (names.size > 1 && !tooLong.has(key)) {
      read = await readList(kind, resourceGroup, new Set(names.keys()), found)
      if (!read) tooLong.add(key)
    }
    for (const [name, stood] of names) {
      if (found.has(name) || (read && stood === 'long')) continue
      await alone()
      const { body } = await find(`read the ${kind.called} ${name}`, limit(), (options) =>
        kind.alone(resourceGroup, name, options),
      )
      if (body !== null) found.set(name, body)
    }
    return found
  }

  return async (resourceGroup, name, signal, stood) => {
    const key = resourceGroup.toLowerCase()
    const turn = waiting.get(key) ?? nextTurn(resourceGroup, key)
    waiting.set(key, turn)
    turn.names.set(name.toLowerCase(), stood)
    const found = await leaving(`Reading the ${kind.called} at Azure`, turn.found, signal)
    return found.get(name.toLowerCase()) ?? null
  }
}

/**
 * Fills `found`, by name in lower case. Returns false if the list was left because it takes more requests than
 * individual reads.
 */
async function readList<T extends Named>(
  kind: Kind<T>,
  resourceGroup: string,
  left: Set<string>,
  found: Map<string, T>,
) {
  const most = left.size
  const { body } = await find(`read the ${kind.called} of ${resourceGroup}`, limit(), async (options) => {
    const pages = kind.list(resourceGroup, {
      ...options,
      onResponse: (response, reply) => {
        options.onResponse(response, reply)
        if (response.status < 400) refuseNoList(reply)
      },
    })
    let read = 0
    for await (const page of pages.byPage()) {
      for (const one of page) {
        const name = one.name?.toLowerCase() ?? ''
        if (left.delete(name)) found.set(name, one)
      }
      if (left.size === 0) return true
      if (++read === most) return false
    }
    return true
  })
  return body ?? true
}

const limit = () => AbortSignal.timeout(SHARED_WORK)
