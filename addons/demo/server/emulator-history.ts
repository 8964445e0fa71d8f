import { setTimeout as pause } from 'node:timers/promises'
import type { Place, Size } from '@trainyard/templates/contract/provider.ts'

export interface PastMachine {
  readonly name: string
  readonly place: Place
  readonly size: Size
  readonly os: string
  readonly createdAt: Date
  readonly deletedAt: Date
  readonly billed: readonly { readonly from: Date; readonly to: Date }[]
}

/** Adds the demo's history to the emulator's records. A repeated call replaces the history. */
export type RecordHistory = (machines: readonly PastMachine[]) => Promise<void>

const PATIENCE_MS = 30_000
const AGAIN_MS = 100

/** @throws Error if the emulator rejects the request or does not respond within 30 s */
export function historyRecorder(emulatorUrl: string, subscription: string): RecordHistory {
  return async (machines) => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const past = machines.map(({ place, size, ...machine }) => {
      return { ...machine, resourceGroup: place.group, location: place.location, size: size.name }
    })
    const body = JSON.stringify({ subscription, machines: past })
    const postHistory = () =>
      fetch(`${emulatorUrl}/_past`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal })
    const reply = await untilItAnswers(postHistory, signal)
    if (!reply.ok) throw new Error(`The emulator rejected the demo's history: ${reply.status} ${await reply.text()}`)
  }
}

async function untilItAnswers(postHistory: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  for (;;) {
    try {
      return await postHistory()
    } catch (error) {
      if (signal.aborted)
        throw new Error('The emulator does not respond, so no demo data was created.', { cause: error })
    }
    await pause(AGAIN_MS)
  }
}
