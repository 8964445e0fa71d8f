import type { UserId } from '@trainyard/contract/words/ids.ts'
import { FILES, FILES_PER_PERSON, FILES_PER_PROCESS } from '@trainyard/contract/words/file.ts'
import { REMOTE } from '@trainyard/contract/words/remote.ts'
import type { Db } from '../db/schema.ts'
import { Problem } from '../core/errors.ts'
import { transferEndReasons } from '../domain/lab/remote/ending.ts'
import { recordInput } from '../domain/lab/remote/input.ts'
import type { GrantedTransfer } from '../domain/lab/remote/transfer.ts'
import { recordSessionUse } from '../http/authenticate.ts'
import { ConcurrencyLimit } from '../http/concurrency-limit.ts'
import type { FilesConnector, MachineFiles } from '../providers/machine-files.ts'

const CHECK_INTERVAL_MS = 3_000
const MAX_UNCHECKED_MS = 45_000

export interface ActiveTransfer {
  readonly files: MachineFiles
  /** Aborted when the transfer must end, with the message as its reason. */
  readonly signal: AbortSignal
  end(sentence: string): void
}

export interface TransferRequest {
  readonly granted: GrantedTransfer
  readonly sessionHash: Buffer
  readonly person: UserId
  readonly address: string
}

export class ActiveTransfers {
  readonly #open = new Set<ActiveTransfer & { readonly of: TransferRequest }>()
  readonly #userLimit = new ConcurrencyLimit(FILES_PER_PERSON)
  readonly #db: Db
  readonly #connector: FilesConnector
  readonly #checkTimer: NodeJS.Timeout
  #checkedAt = performance.now()

  constructor(db: Db, connector: FilesConnector, onBug: (bug: unknown) => void) {
    this.#db = db
    this.#connector = connector
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
    if (this.#open.size >= FILES_PER_PROCESS) throw new Problem('unavailable', FILES.portalBusy, 60)
    const release = this.#userLimit.acquire(request.person)
    if (release === null) throw new Problem('tooMany', FILES.busy, 30)
    const ending = new AbortController()
    const { machine, target } = request.granted
    let files: MachineFiles | null = null
    const end = (sentence: string) => {
      if (ending.signal.aborted) return
      ending.abort(new Problem('conflict', sentence))
      this.#open.delete(activeTransfer)
      release()
      files?.close()
    }
    const activeTransfer = {
      of: request,
      signal: ending.signal,
      end,
      get files() {
        return files!
      },
    }
    this.#open.add(activeTransfer)
    try {
      const opened = await this.#connector.open(target, ending.signal)
      if (ending.signal.aborted) opened.close()
      ending.signal.throwIfAborted()
      files = opened
      return activeTransfer
    } catch (error) {
      end(REMOTE.unreachable(machine.name))
      throw error
    }
  }

  async #check(): Promise<void> {
    const open = [...this.#open]
    // A transfer counts as use of the session and of the machine.
    for (const { of } of open) await recordSessionUse(this.#db, of.sessionHash, of.address)
    await recordInput(this.#db, [...new Set(open.map(({ of }) => of.granted.machine.id))])
    const ending = await transferEndReasons(
      this.#db,
      open.map(({ of }) => of.granted.id),
    )
    for (const { of, end } of open) {
      const sentence = ending.get(of.granted.id)
      if (sentence !== undefined) end(sentence)
    }
    this.#checkedAt = performance.now()
  }

  #endAll(): void {
    for (const { end } of this.#open) end(REMOTE.portalRestarting)
  }

  stop(): void {
    clearInterval(this.#checkTimer)
    this.#endAll()
  }
}
