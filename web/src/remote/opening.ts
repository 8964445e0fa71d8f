import type { OpeningKind } from '@trainyard/contract/words/remote.ts'
import { OPENING_MOST_MS } from '@trainyard/contract/words/remote.ts'
import { api } from '#src/api/client.ts'
import { CLICKED_AT } from './clicked-at.ts'

/** A way in that was clicked, until the machine can be used. */
export interface Opening {
  /** The machine can be used now: the first time that this is said, the portal is told how long it took. */
  usable(kind: OpeningKind): void
  /** Somebody did not wait for it: nothing is told. */
  leave(): void
}

/**
 * Measures from the click that led to this page, or from the one that reconnected it.
 * @param clickedAt of a click in this page; left out: the click stands where the console's page put it
 */
export function openingOf(machine: string, ticket: string, clickedAt: number | null = takeClick()): Opening {
  let from = clickedAt
  return {
    usable(kind) {
      if (from === null) return
      const milliseconds = Math.round(Date.now() - from)
      from = null
      // A clock that was set meanwhile measures nothing.
      if (milliseconds < 1 || milliseconds > OPENING_MOST_MS) return
      // A figure is not worth a word to somebody who wants to work.
      void api.remote.usable({ vmName: machine, password: ticket, kind, milliseconds }).catch(() => {})
    },
    leave() {
      from = null
    },
  }
}

function takeClick(): number | null {
  const clicked = sessionStorage.getItem(CLICKED_AT)
  sessionStorage.removeItem(CLICKED_AT)
  return clicked === null ? null : Number(clicked)
}
