import type { MessageFromPage, MessageToPage } from '../../contract/remote.ts'
import { REMOTE_MESSAGES } from '../../contract/remote-words.ts'
import { WATCH_ASK_SECONDS, WATCHING } from '../../contract/watching.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Holder } from '../ticket.ts'
import { beginWatch, endWatch, moveKeyboard, type Watch } from '../watch.ts'
import { closePage } from '../close-page.ts'
import type { View, Watcher, WatcherSocket } from './watcher.ts'

export interface ScreenInfo {
  readonly id: string
  readonly machineId: MachineId
  readonly learner: Holder
  readonly requestId: string
}

export interface WatchedScreenDependencies {
  readonly db: Db
  readonly onBug: (bug: unknown) => void
}

export abstract class WatchedScreen<V extends View = View> {
  readonly at: ScreenInfo
  readonly #db: Db
  readonly #onBug: (bug: unknown) => void
  readonly #watchers = new Map<string, Watcher<V>>()
  readonly #writing = new Set<Promise<void>>()

  constructor(at: ScreenInfo, parts: WatchedScreenDependencies) {
    this.at = at
    this.#db = parts.db
    this.#onBug = parts.onBug
  }

  protected abstract tellLearner(message: Extract<MessageToPage, { kind: 'watchers' }>): void
  protected abstract createWatcher(watch: Watch, socket: WatcherSocket): Watcher<V>

  /** Handles input that a watcher sends on the watch socket. Returns false if the machine's buffer is full. */
  abstract input(watcher: Watcher, bytes: Buffer): boolean

  whyNotWatchable(_learner: string): string | null {
    return null
  }

  protected keyboardMoved(): void {}

  watchers = (): readonly Watcher<V>[] => [...this.#watchers.values()]

  learnerHasKeyboard = (): boolean => this.#keyboardOf() === null

  /** Adds a watcher. Asks the learner first, unless the learner was informed that watching needs no consent. */
  addWatcher(watch: Watch, socket: WatcherSocket): Watcher<V> {
    const watcher = this.createWatcher(watch, socket)
    this.#watchers.set(watch.id, watcher)
    if (watch.mustAsk) {
      watcher.send({ kind: 'asking', learner: watch.learner })
      watcher.answerTimer = setTimeout(
        () => this.removeWatcher(watcher, WATCHING.unanswered(watch.learner)),
        WATCH_ASK_SECONDS * 1000,
      )
      this.notifyAll()
    } else this.#begin(watcher)
    return watcher
  }

  handleAnswer({ id, answer }: Extract<MessageFromPage, { kind: 'watcher' }>): void {
    const watcher = this.#watchers.get(id)
    // The watcher may have left in the meantime.
    if (watcher === undefined) return
    const { watch, sees } = watcher
    switch (answer) {
      case 'allow':
        if (!sees && watcher.answerTimer !== null) this.#begin(watcher)
        return
      case 'end':
        if (watch.mustAsk) {
          this.removeWatcher(
            watcher,
            (sees ? WATCHING.consentWithdrawn : WATCHING.refused)(watch.learner),
            this.at.learner,
          )
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

  requestKeyboard(watcher: Watcher<V>, isRequested: boolean): void {
    if (!isRequested) return this.#takeBack(watcher, watcher.at.holder)
    if (!watcher.sees || watcher.keyboard !== 'none') return
    watcher.keyboard = 'asked'
    this.notifyAll()
  }

  removeWatcher(watcher: Watcher<V>, sentence: string, by: Holder = watcher.at.holder): void {
    if (!this.#watchers.delete(watcher.watch.id)) return
    if (watcher.keyboard === 'held') this.keyboardMoved()
    // A page that does not close its socket can still send input, which must have no effect.
    watcher.keyboard = 'none'
    watcher.sees = false
    watcher.view.close()
    if (watcher.answerTimer !== null) clearTimeout(watcher.answerTimer)
    watcher.send({ kind: 'ended', sentence })
    closePage(watcher.at.socket)
    const { requestId } = watcher.at
    this.#write(watcher, (tx) => endWatch(tx, watcher.watch, { actor: by.actor, requestId, ended: sentence }))
    this.notifyAll()
  }

  async close(): Promise<void> {
    for (const watcher of this.#watchers.values()) {
      this.removeWatcher(watcher, WATCHING.closed(watcher.watch.learner), this.at.learner)
    }
    await Promise.all(this.#writing)
  }

  #keyboardOf(): Watcher<V> | null {
    return this.watchers().find(({ keyboard }) => keyboard === 'held') ?? null
  }

  #begin(watcher: Watcher<V>): void {
    if (watcher.answerTimer !== null) clearTimeout(watcher.answerTimer)
    watcher.answerTimer = null
    const { holder, requestId } = watcher.at
    this.#write(
      watcher,
      (tx) => beginWatch(tx, watcher.watch, { actor: holder.actor, requestId, viewHash: watcher.view.hash }),
      () => {
        if (!this.#watchers.has(watcher.watch.id)) return
        // The learner must see the watcher's name before the watcher sees the screen.
        watcher.sees = true
        this.notifyAll()
        watcher.view.begin()
      },
    )
  }

  #takeBack(watcher: Watcher<V>, by: Holder): void {
    const hasKeyboard = watcher.keyboard === 'held'
    watcher.keyboard = 'none'
    if (hasKeyboard) this.#moved(watcher, by, 'learner')
    else this.notifyAll()
  }

  #moved(watcher: Watcher<V>, by: Holder, to: 'watcher' | 'learner'): void {
    this.keyboardMoved()
    this.notifyAll()
    const { requestId } = watcher.at
    this.#write(watcher, (tx) => moveKeyboard(tx, watcher.watch, { actor: by.actor, requestId, to }))
  }

  /** Sends the watchers to a learner's page that has reconnected. */
  tellAgain(): void {
    if (this.#watchers.size > 0) this.notifyAll()
  }

  protected notifyAll(): void {
    const all = this.watchers()
    this.tellLearner({ kind: 'watchers', watchers: all.map((watcher) => watcher.toView()) })
    const keyboardHolder = this.#keyboardOf()
    for (const watcher of all) {
      if (!watcher.sees) continue
      const heldByAnother = keyboardHolder !== null && keyboardHolder !== watcher
      watcher.send({ kind: 'keyboard', state: watcher.keyboard, heldByAnother })
    }
  }

  #write(watcher: Watcher<V>, write: (tx: Tx) => Promise<unknown>, onWritten?: () => void): void {
    const written = this.#db
      .transaction()
      .execute(write)
      .then(onWritten, (bug: unknown) => {
        this.#onBug(bug)
        // A watch that cannot be audited must end.
        this.removeWatcher(watcher, REMOTE_MESSAGES.portalRestarting)
      })
      .finally(() => this.#writing.delete(written))
    this.#writing.add(written)
  }
}
