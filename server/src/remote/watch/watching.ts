import type { ToPage } from '@trainyard/contract/calls/remote.ts'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../db/schema.ts'
import type { Granted } from '../../domain/remote/open.ts'
import type { Holder } from '../../domain/remote/ticket.ts'
import { watchEndingOf } from '../../domain/remote/watch-ending.ts'
import type { Size } from '../../providers/shell.ts'
import { loadScreenModels } from './screen-model.ts'
import { WatchedTerminal } from './watched-terminal.ts'
import type { Watcher } from './watcher.ts'

interface Learner {
  readonly learner: Holder
  readonly requestId: string
  readonly size: Size
  tell(message: ToPage): void
  type(bytes: Buffer): boolean
}

/** The learners' terminals that this process holds, and all who watch them. */
export class Watching {
  /** Where other processes reach this one; null: they don't. */
  readonly url: string | null
  readonly #db: Db
  readonly #onBug: (bug: unknown) => void
  readonly #terminals = new Map<string, WatchedTerminal>()
  #makeModel: ReturnType<typeof loadScreenModels> | null = null

  constructor(parts: { readonly db: Db; readonly onBug: (bug: unknown) => void; readonly url: string | null }) {
    this.url = parts.url
    this.#db = parts.db
    this.#onBug = parts.onBug
  }

  async open({ id, machine }: Granted, { size, ...learner }: Learner): Promise<WatchedTerminal> {
    const makeModel = await (this.#makeModel ??= loadScreenModels())
    const terminal = new WatchedTerminal(
      { ...learner, id, machineId: machine.id, model: makeModel(size) },
      { db: this.#db, onBug: this.#onBug },
    )
    this.#terminals.set(id, terminal)
    return terminal
  }

  find = (terminal: string): WatchedTerminal | null => this.#terminals.get(terminal) ?? null

  async close(terminal: WatchedTerminal): Promise<void> {
    this.#terminals.delete(terminal.at.id)
    await terminal.close()
  }

  /** Ends what may not go on, and answers who typed at which machine since this was asked the last time. */
  async look(): Promise<readonly (NonNullable<ReturnType<Watcher['takeUse']>> & { readonly machineId: MachineId })[]> {
    const all = [...this.#terminals.values()].flatMap((terminal) =>
      terminal.watchers().map((watcher) => ({ terminal, watcher })),
    )
    const ending = await watchEndingOf(
      this.#db,
      all.map(({ watcher }) => watcher.watch.id),
    )
    for (const { terminal, watcher } of all) {
      const sentence = ending.get(watcher.watch.id)
      if (sentence !== undefined) terminal.leave(watcher, sentence)
    }
    return all.flatMap(({ terminal, watcher }) => {
      const use = watcher.takeUse()
      return use === null ? [] : [{ ...use, machineId: terminal.at.machineId }]
    })
  }
}
