import type { MessageToPage } from '../../contract/remote.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { GrantedTerminal, GrantedDesktop } from '../open.ts'
import type { Holder } from '../ticket.ts'
import { watchEndReasons } from '../watch-ending.ts'
import type { Desktop } from '../desktop.ts'
import type { Size } from '../shell.ts'
import { WatchedDesktop } from './desktop/watched-desktop.ts'
import { loadScreenModels } from './screen-model.ts'
import type { WatchedScreen } from './watched-screen.ts'
import { WatchedTerminal } from './watched-terminal.ts'
import type { Watcher } from './watcher.ts'

interface Learner {
  readonly learner: Holder
  readonly requestId: string
  readonly size: Size
  tell(message: MessageToPage): void
  type(bytes: Buffer): boolean
}

interface DesktopLearner {
  readonly learner: Holder
  readonly requestId: string
  acted(): void
}

export class WatchedScreens {
  readonly url: string | null
  readonly #db: Db
  readonly #secondFactor: SecondFactorRule
  readonly #onBug: (bug: unknown) => void
  readonly #screens = new Map<string, WatchedScreen>()
  #makeModel: ReturnType<typeof loadScreenModels> | null = null

  constructor(parts: {
    readonly db: Db
    readonly secondFactor: SecondFactorRule
    readonly onBug: (bug: unknown) => void
    readonly url: string | null
  }) {
    this.url = parts.url
    this.#db = parts.db
    this.#secondFactor = parts.secondFactor
    this.#onBug = parts.onBug
  }

  async open({ id, machine }: GrantedTerminal, { size, ...learner }: Learner): Promise<WatchedTerminal> {
    const makeModel = await (this.#makeModel ??= loadScreenModels())
    const terminal = new WatchedTerminal(
      { ...learner, id, machineId: machine.id, model: makeModel(size) },
      { db: this.#db, onBug: this.#onBug },
    )
    this.#screens.set(id, terminal)
    return terminal
  }

  /** Registers a learner's own desktop. Returns null for an instructor's, which cannot be watched. */
  openDesktop(
    { id, machine, watching }: GrantedDesktop,
    desktop: Desktop,
    learner: DesktopLearner,
  ): WatchedDesktop | null {
    if (watching === null) return null
    const watched = new WatchedDesktop(
      { ...learner, id, machineId: machine.id, machine: machine.name, watching },
      desktop,
      { db: this.#db, onBug: this.#onBug },
    )
    this.#screens.set(id, watched)
    return watched
  }

  find = (screen: string): WatchedScreen | null => this.#screens.get(screen) ?? null

  findDesktop(desktop: string): WatchedDesktop | null {
    const found = this.find(desktop)
    return found instanceof WatchedDesktop ? found : null
  }

  async close(screen: WatchedScreen): Promise<void> {
    this.#screens.delete(screen.at.id)
    await screen.close()
  }

  /** Returns the watchers' sessions with input since the previous call, by machine. */
  async checkWatches(): Promise<
    readonly (NonNullable<ReturnType<Watcher['takeActivity']>> & { readonly machineId: MachineId })[]
  > {
    const all = [...this.#screens.values()].flatMap((screen) =>
      screen.watchers().map((watcher) => ({ screen, watcher })),
    )
    const ending = await watchEndReasons(
      this.#db,
      all.map(({ watcher }) => watcher.watch.id),
      this.#secondFactor,
    )
    for (const { screen, watcher } of all) {
      const sentence = ending.get(watcher.watch.id)
      if (sentence !== undefined) screen.removeWatcher(watcher, sentence)
    }
    return all.flatMap(({ screen, watcher }) => {
      const use = watcher.takeActivity()
      return use === null ? [] : [{ ...use, machineId: screen.at.machineId }]
    })
  }
}
