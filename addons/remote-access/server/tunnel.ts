import type { WebSocket } from 'ws'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { REMOTE_MESSAGES, TERMINAL_IDLE_MINUTES } from '../contract/remote-words.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { endReasons } from './ending.ts'
import type { GrantedDesktop } from './open.ts'
import type { Holder } from './ticket.ts'
import type { RefusalAudit } from '@trainyard/platform/server/http/refusals.ts'
import type { Shells, Size } from './shell.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { WatchedScreens } from './watch/watched-screens.ts'

export interface TunnelDependencies {
  readonly db: Db
  readonly seal: Pick<Seal, 'open'>
  readonly shells: Shells
  readonly refusals: RefusalAudit
  readonly watching: WatchedScreens
  readonly kept: KeptShells
  readonly secondFactor: SecondFactorRule
  readonly onBug: (bug: unknown) => void
}

/** Shells of this process, by terminal, to which a page can reconnect. */
export type KeptShells = Map<string, (page: ReconnectingPage) => boolean>

export interface ReconnectingPage {
  readonly socket: WebSocket
  readonly holder: TunnelHolder
  readonly received: number
  readonly size: Size
}

/** Parts of the request that a relay to the process that holds a terminal needs of the request. */
export interface Relayable {
  readonly cookie: string
  readonly wasRelayed: boolean
}

export interface Tunnel {
  terminal(): { readonly id: string; readonly machineId: MachineId; readonly trainingId: TrainingId } | null
  isIdle(): boolean
  takeActivity(): { readonly sessionHash: Buffer; readonly address: string } | null
  /** Closes both sides and sends the reason to the page. Only the first call has an effect. */
  end(sentence: string): void
  readonly closed: Promise<void>
}

export type TunnelHolder = Holder & { readonly address: string }
type Granted = { readonly id: string; readonly machine: GrantedDesktop['machine'] }

/** Input of a tunnel's user: a tunnel without input is closed, and its use is recorded. */
export class TunnelInput {
  #holder: TunnelHolder
  #lastAt = performance.now()
  #isUsed = false

  constructor(holder: TunnelHolder) {
    this.#holder = holder
  }

  /** Replaces the holder after a reconnect, perhaps from another address. Counts as typing. */
  moved(holder: TunnelHolder): void {
    this.#holder = holder
    this.#lastAt = performance.now()
  }

  /** Records input of the user. */
  record(): void {
    this.recordFromWatcher()
    this.#isUsed = true
  }

  /**
   * Records input of an instructor who has the user's keyboard. The input keeps the tunnel open, but does not count as
   * use of the machine.
   */
  recordFromWatcher(): void {
    this.#lastAt = performance.now()
  }

  isIdle(): boolean {
    return performance.now() - this.#lastAt > TERMINAL_IDLE_MINUTES * 60_000
  }

  /** Returns the user if they sent input since the last call. */
  takeActivity(): TunnelHolder | null {
    const isUsed = this.#isUsed
    this.#isUsed = false
    return isUsed ? this.#holder : null
  }
}

export const idsOf = ({ id, machine }: Granted) => ({ id, machineId: machine.id, trainingId: machine.trainingId })

/**
 * Returns the reason why the machine's side closed: a stored reason, such as a power-off, otherwise that the machine
 * closed the connection.
 */
export async function reasonOfHangUp(
  { db, secondFactor }: Pick<TunnelDependencies, 'db' | 'secondFactor'>,
  { id, machine }: Granted,
): Promise<string> {
  const reasons = await endReasons(db, [id], secondFactor).catch(() => new Map<string, string>())
  return reasons.get(id) ?? REMOTE_MESSAGES.machineClosed(machine.name)
}
