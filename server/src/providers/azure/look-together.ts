import { setTimeout as pause } from 'node:timers/promises'
import { find, type CallOptions } from './ask.ts'
import { leaving } from './leaving.ts'
import { refuseNoList } from './listed.ts'

/** One kind of thing that a class has many of in one resource group, and how it is read. */
export interface Kind<T extends Named> {
  /** In words that complete 'look at the ...'. */
  readonly called: string
  alone(resourceGroup: string, name: string, options: CallOptions): Promise<T>
  list(resourceGroup: string, options: CallOptions): { byPage(): AsyncIterable<T[]> }
}

interface Named {
  readonly name?: string
}

/**
 * Null: there is none. `long`: whoever looks knows that it stood long ago, so that a list which lacks it is believed;
 * what was made just now a list may lack, and it is then asked for alone.
 */
export type LookTogether<T> = (
  resourceGroup: string,
  name: string,
  signal: AbortSignal,
  stood?: 'long',
) => Promise<T | null>

/** The looks that wait for a group's next turn: names in lower case, and how long each is known to have stood. */
interface Turn<T> {
  readonly names: Map<string, 'long' | undefined>
  readonly found: Promise<Map<string, T>>
}

const SHARED_WORK = 30_000

/** Waits until one more thing may be asked for alone. */
export type Alone = () => Promise<void>

/** At most one look every `everyMs` goes through, whoever they are for. */
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
 * Looks at things that are being made or removed. A class has that done in the same seconds, and reads are limited: a
 * group is asked at most every `everyMs`, and one list answers all who waited for it. One that waits by itself is asked
 * for alone.
 */
export function lookTogether<T extends Named>(kind: Kind<T>, everyMs: number, alone: Alone): LookTogether<T> {
  const waiting = new Map<string, Turn<T>>()
  const lastLook = new Map<string, number>()
  /** Groups in which so much stands that a list costs more than it saves. */
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
      const { body } = await find(`look at the ${kind.called} ${name}`, limit(), (options) =>
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
    const found = await leaving(`The look at the ${kind.called} at Azure`, turn.found, signal)
    return found.get(name.toLowerCase()) ?? null
  }
}

/** Fills `found`, by name in lower case. False: the list is longer than asking for each alone would be, and was left. */
async function readList<T extends Named>(
  kind: Kind<T>,
  resourceGroup: string,
  left: Set<string>,
  found: Map<string, T>,
) {
  const most = left.size
  const { body } = await find(`look at the ${kind.called} of ${resourceGroup}`, limit(), async (options) => {
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
  // No such group: nothing stands in it.
  return body ?? true
}

const limit = () => AbortSignal.timeout(SHARED_WORK)
