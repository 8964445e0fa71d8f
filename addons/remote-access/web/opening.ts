import type { OpeningKind } from '@trainyard/machines/contract/operation.ts'
import { OPENING_MS_MAX } from '../contract/remote-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { CLICKED_AT } from '@trainyard/machines/web/clicked-at.ts'

/** Time measurement from a click until the machine is usable. */
export interface Opening {
  /** Reports the elapsed time on the first call; later calls are ignored. */
  usable(kind: OpeningKind): void
  leave(): void
}

/** @param clickedAt by default the time that the console stored for this tab */
export function openingOf(machine: string, ticket: string, clickedAt: number | null = takeClick()): Opening {
  let from = clickedAt
  return {
    usable(kind) {
      if (from === null) return
      const milliseconds = Math.round(Date.now() - from)
      from = null
      // The time is discarded if the clock was changed during the measurement.
      if (milliseconds < 1 || milliseconds > OPENING_MS_MAX) return
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
