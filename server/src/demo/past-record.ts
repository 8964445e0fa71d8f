import { setTimeout as pause } from 'node:timers/promises'

/** A machine of the demo's past as the provider's record has it. */
export interface PastMachine {
  readonly name: string
  readonly resourceGroup: string
  readonly location: string
  readonly size: string
  readonly os: string
  readonly createdAt: Date
  readonly deletedAt: Date
  readonly billed: readonly { readonly from: Date; readonly to: Date }[]
}

/** Writes the demo's past into the provider's record; told again, it takes the place of what was told before. */
export type RecordPast = (machines: readonly PastMachine[]) => Promise<void>

/** The emulator is being started beside whoever makes the demo. */
const PATIENCE_MS = 30_000
const AGAIN_MS = 100

/** The record of an emulator. @throws Error when it refuses, or does not answer within half a minute */
export function pastRecordOf(emulatorUrl: string, subscription: string): RecordPast {
  return async (machines) => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const body = JSON.stringify({ subscription, machines })
    const tell = () =>
      fetch(`${emulatorUrl}/_past`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal })
    const reply = await untilItAnswers(tell, signal)
    if (!reply.ok) throw new Error(`The emulator refused the demo's past: ${reply.status} ${await reply.text()}`)
  }
}

async function untilItAnswers(tell: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  for (;;) {
    try {
      return await tell()
    } catch (error) {
      if (signal.aborted) throw new Error('The emulator does not answer: no demo is made.', { cause: error })
    }
    await pause(AGAIN_MS)
  }
}
