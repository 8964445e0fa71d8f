import type { FromPage, ToPage } from '@trainyard/contract/calls/remote.ts'
import { REMOTE } from '@trainyard/contract/words/remote.ts'
import { WATCH_ASK_SECONDS, WATCHING } from '@trainyard/contract/words/watching.ts'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../db/schema.ts'
import type { Holder } from '../../domain/lab/remote/ticket.ts'
import { beginWatch, endWatch, moveKeyboard, type Watch } from '../../domain/lab/remote/watch.ts'
import { closePage } from '../close-page.ts'
import type { View, Watcher, WatcherSocket } from './watcher.ts'

export interface WatchedAt {
  /** The terminal's or desktop's row. */
  readonly id: string
  readonly machineId: MachineId
  readonly learner: Holder
  readonly requestId: string
}

export interface WatchedParts {
  readonly db: Db
  readonly onBug: (bug: unknown) => void
}

/** A learner's screen as it is shown to those who watch: who they are, what each may, and who has the keyboard. */
export abstract class Watched<V extends View = View> {
  readonly at: WatchedAt
  readonly #db: Db
  readonly #onBug: (bug: unknown) => void
  readonly #watchers = new Map<string, Watcher<V>>()
  readonly #writing = new Set<Promise<void>>()

  constructor(at: WatchedAt, parts: WatchedParts) {
    this.at = at
    this.#db = parts.db
    this.#onBug = parts.onBug
  }

  protected abstract tellLearner(message: Extract<ToPage, { kind: 'watchers' }>): void
  protected abstract seat(watch: Watch, socket: WatcherSocket): Watcher<V>

  /** Hears what somebody types by the socket that they watch by; answers false when the machine wants no more for now. */
  abstract typed(watcher: Watcher, bytes: Buffer): boolean

  /** The sentence why nobody can watch it now; null: they can. */
  refusal(_learner: string): string | null {
    return null
  }

  /** The keyboard went from one to another. */
  protected keyboardMoved(): void {}

  watchers = (): readonly Watcher<V>[] => [...this.#watchers.values()]

  /** The keyboard is the learner's own, unless they gave it to somebody. */
  isLearners = (): boolean => this.#keyboardOf() === null

  /** Takes somebody in: the learner is asked, or was told that nobody would ask. */
  join(watch: Watch, socket: WatcherSocket): Watcher<V> {
    const watcher = this.seat(watch, socket)
    this.#watchers.set(watch.id, watcher)
    if (watch.mustAsk) {
      watcher.tell({ kind: 'asking', learner: watch.learner })
      watcher.patience = setTimeout(
        () => this.leave(watcher, WATCHING.unanswered(watch.learner)),
        WATCH_ASK_SECONDS * 1000,
      )
      this.tellAll()
    } else this.#begin(watcher)
    return watcher
  }

  /** The learner answers. */
  answered({ id, answer }: Extract<FromPage, { kind: 'watcher' }>): void {
    const watcher = this.#watchers.get(id)
    // They may have left at the same moment.
    if (watcher === undefined) return
    const { watch, sees } = watcher
    switch (answer) {
      case 'allow':
        if (!sees && watcher.patience !== null) this.#begin(watcher)
        return
      case 'end':
        if (watch.mustAsk) {
          this.leave(watcher, (sees ? WATCHING.consentTakenBack : WATCHING.refused)(watch.learner), this.at.learner)
        }
        return
      case 'giveKeyboard':
        if (!sees) return
        for (const other of this.#watchers.values()) if (other.keyboard === 'held') other.keyboard = 'none'
        watcher.keyboard = 'held'
        this.#moved(watcher, this.at.learner, 'watcher')
        return
      case 'takeKeyboard':
        this.#takeBack(watcher, this.at.learner)
    }
  }

  /** A watcher asks for the keyboard, or gives it back. */
  wants(watcher: Watcher<V>, want: boolean): void {
    if (!want) return this.#takeBack(watcher, watcher.at.holder)
    if (!watcher.sees || watcher.keyboard !== 'none') return
    watcher.keyboard = 'asked'
    this.tellAll()
  }

  /** Ends a watch, and tells both sides. */
  leave(watcher: Watcher<V>, sentence: string, by: Holder = watcher.at.holder): void {
    if (!this.#watchers.delete(watcher.watch.id)) return
    if (watcher.keyboard === 'held') this.keyboardMoved()
    // A page that does not close its sockets types and clicks nowhere any more.
    watcher.keyboard = 'none'
    watcher.sees = false
    watcher.view.close()
    if (watcher.patience !== null) clearTimeout(watcher.patience)
    watcher.tell({ kind: 'ended', sentence })
    closePage(watcher.at.socket)
    const { requestId } = watcher.at
    this.#write(watcher, (tx) => endWatch(tx, watcher.watch, { actor: by.actor, requestId, ended: sentence }))
    this.tellAll()
  }

  /** The screen is over. Settles once it is written down of everybody. */
  async close(): Promise<void> {
    for (const watcher of this.#watchers.values()) {
      this.leave(watcher, WATCHING.closed(watcher.watch.learner), this.at.learner)
    }
    await Promise.all(this.#writing)
  }

  #keyboardOf(): Watcher<V> | null {
    return this.watchers().find(({ keyboard }) => keyboard === 'held') ?? null
  }

  #begin(watcher: Watcher<V>): void {
    if (watcher.patience !== null) clearTimeout(watcher.patience)
    watcher.patience = null
    const { holder, requestId } = watcher.at
    this.#write(
      watcher,
      (tx) => beginWatch(tx, watcher.watch, { actor: holder.actor, requestId, viewHash: watcher.view.hash }),
      () => {
        if (!this.#watchers.has(watcher.watch.id)) return
        // The learner reads the name before the watcher sees anything.
        watcher.sees = true
        this.tellAll()
        watcher.view.begin()
      },
    )
  }

  #takeBack(watcher: Watcher<V>, by: Holder): void {
    const held = watcher.keyboard === 'held'
    watcher.keyboard = 'none'
    if (held) this.#moved(watcher, by, 'learner')
    else this.tellAll()
  }

  #moved(watcher: Watcher<V>, by: Holder, to: 'watcher' | 'learner'): void {
    this.keyboardMoved()
    this.tellAll()
    const { requestId } = watcher.at
    this.#write(watcher, (tx) => moveKeyboard(tx, watcher.watch, { actor: by.actor, requestId, to }))
  }

  protected tellAll(): void {
    const all = this.watchers()
    this.tellLearner({ kind: 'watchers', watchers: all.map((watcher) => watcher.said()) })
    const holds = this.#keyboardOf()
    for (const watcher of all) {
      if (!watcher.sees) continue
      const heldByAnother = holds !== null && holds !== watcher
      watcher.tell({ kind: 'keyboard', state: watcher.keyboard, heldByAnother })
    }
  }

  #write(watcher: Watcher<V>, write: (tx: Tx) => Promise<unknown>, then?: () => void): void {
    const written = this.#db
      .transaction()
      .execute(write)
      .then(then, (bug: unknown) => {
        this.#onBug(bug)
        // Nothing goes on that can't be written down.
        this.leave(watcher, REMOTE.portalStops)
      })
      .finally(() => this.#writing.delete(written))
    this.#writing.add(written)
  }
}
