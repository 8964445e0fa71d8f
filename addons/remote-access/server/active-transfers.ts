import { FILE_MESSAGES, TRANSFERS_PER_USER_MAX } from '@trainyard/platform/contract/words/file.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { transferEndReasons } from './ending.ts'
import { recordMachineUse } from './input.ts'
import type { GrantedTransfer } from './transfer.ts'
import { recordSessionUse } from '@trainyard/users/server/identify.ts'
import { type Claimant, Shares } from '@trainyard/platform/server/http/shares.ts'
import type { FileConnection, FilesConnector } from './machine-files.ts'

const CHECK_INTERVAL_MS = 3_000
const MAX_UNCHECKED_MS = 45_000
/** Maximum number of concurrent transfers in a process. Each needs some memory and a connection to a machine. */
const TRANSFERS = { user: TRANSFERS_PER_USER_MAX, organisation: 40, all: 160 }

export interface ActiveTransfer {
  readonly connection: FileConnection
  /** Aborted when the transfer must end, with the message as its reason. */
  readonly signal: AbortSignal
  end(message: string): void
}

export interface TransferRequest {
  readonly granted: GrantedTransfer
  readonly sessionHash: Buffer
  readonly claimant: Claimant
  readonly address: string
}

export class ActiveTransfers {
  readonly #open = new Set<ActiveTransfer & { readonly request: TransferRequest }>()
  readonly #shares = new Shares(TRANSFERS)
  readonly #db: Db
  readonly #connector: FilesConnector
  readonly #secondFactor: SecondFactorRule
  readonly #checkTimer: NodeJS.Timeout
  #checkedAt = performance.now()

  constructor({
    db,
    connector,
    secondFactor,
    onBug,
  }: {
    readonly db: Db
    readonly connector: FilesConnector
    readonly secondFactor: SecondFactorRule
    readonly onBug: (bug: unknown) => void
  }) {
    this.#db = db
    this.#connector = connector
    this.#secondFactor = secondFactor
    let busy = false
    this.#checkTimer = setInterval(() => {
      if (busy || this.#open.size === 0) {
        if (!busy) this.#checkedAt = performance.now()
        return
      }
      busy = true
      this.#check()
        .catch((bug: unknown) => {
          onBug(bug)
          if (performance.now() - this.#checkedAt > MAX_UNCHECKED_MS) this.#endAll()
        })
        .finally(() => (busy = false))
    }, CHECK_INTERVAL_MS)
  }

  /** @throws Problem tooMany, unavailable; ShellError */
  async start(request: TransferRequest): Promise<ActiveTransfer> {
    const release = this.#shares.acquire(request.claimant)
    if (release === 'user') throw new Problem('tooMany', FILE_MESSAGES.busy, 30)
    if (typeof release === 'string') throw new Problem('unavailable', FILE_MESSAGES.portalBusy, 60)
    const controller = new AbortController()
    const { machine, target } = request.granted
    let connection: FileConnection | null = null
    const end = (message: string) => {
      if (controller.signal.aborted) return
      controller.abort(new Problem('conflict', message))
      this.#open.delete(activeTransfer)
      release()
      connection?.close()
    }
    const activeTransfer = {
      request,
      signal: controller.signal,
      end,
      get connection() {
        return connection!
      },
    }
    this.#open.add(activeTransfer)
    try {
      const opened = await this.#connector.open(target, controller.signal)
      if (controller.signal.aborted) opened.close()
      controller.signal.throwIfAborted()
      connection = opened
      return activeTransfer
    } catch (error) {
      end(REMOTE_MESSAGES.unreachable(machine.name))
      throw error
    }
  }

  async #check(): Promise<void> {
    const open = [...this.#open]
    // A transfer counts as use of the session and of the machine.
    for (const { request } of open) await recordSessionUse(this.#db, request.sessionHash, request.address)
    await recordMachineUse(this.#db, [...new Set(open.map(({ request }) => request.granted.machine.id))])
    const endReasons = await transferEndReasons(
      this.#db,
      open.map(({ request }) => request.granted.id),
      this.#secondFactor,
    )
    for (const { request, end } of open) {
      const message = endReasons.get(request.granted.id)
      if (message !== undefined) end(message)
    }
    this.#checkedAt = performance.now()
  }

  #endAll(): void {
    for (const { end } of this.#open) end(REMOTE_MESSAGES.portalRestarting)
  }

  stop(): void {
    clearInterval(this.#checkTimer)
    this.#endAll()
  }
}
