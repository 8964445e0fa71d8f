import { WebSocket } from 'ws'
import type { KeyboardState, ToWatcher, Watcher as WatcherView } from '@trainyard/contract/calls/remote.ts'
import type { Watch } from '../../domain/remote/watch.ts'
import type { Holder } from '../../domain/remote/ticket.ts'
import type { Size } from '../../providers/shell.ts'
import type { ScreenModel } from './screen-model.ts'

/** Bytes sent and not shown yet, at which a watcher is left behind, and shown the screen as it is then. */
const AHEAD_MOST = 256 * 1024
const AHEAD_AGAIN = 32 * 1024

export interface WatcherSocket {
  readonly socket: WebSocket
  readonly holder: Holder & { readonly address: string }
  readonly requestId: string
}

export interface WatcherRequest extends WatcherSocket {
  readonly cookie: string
  /** Another process sent it here: it goes no further. */
  readonly wasRelayed: boolean
}

/** Somebody who watches a terminal, or asks to: the gateway's side of their page. Nobody waits for them. */
export class Watcher {
  readonly watch: Watch
  readonly at: WatcherSocket
  readonly #model: ScreenModel
  keyboard: KeyboardState = 'none'
  sees = false
  /** Waits for the learner's answer. */
  patience: NodeJS.Timeout | null = null
  #state: 'waits' | 'syncs' | 'follows' | 'is behind' = 'waits'
  #ahead = 0
  /** Came while the screen was being drawn. */
  #since: (Buffer | Size)[] = []
  #sinceBytes = 0
  #used = false

  constructor(watch: Watch, at: WatcherSocket, model: ScreenModel) {
    this.watch = watch
    this.at = at
    this.#model = model
  }

  tell(message: ToWatcher): void {
    if (this.at.socket.readyState === WebSocket.OPEN) this.at.socket.send(JSON.stringify(message))
  }

  /** Shows the screen as it is, and what is printed from then on. */
  sync(): void {
    this.#state = 'syncs'
    this.#since = []
    this.#sinceBytes = 0
    this.#model.snapshot(({ size, text }) => {
      const since = this.#since
      this.#since = []
      this.#state = 'follows'
      this.tell({ kind: 'screen', learner: this.watch.learner, ...size })
      this.#send(Buffer.from(text))
      for (const each of since) {
        if (Buffer.isBuffer(each)) this.printed(each)
        else this.resized(each)
      }
    })
  }

  printed(bytes: Buffer): void {
    if (this.#state === 'syncs') {
      this.#sinceBytes += bytes.length
      // More than would be sent is not kept either: the rest is shown with the next screen.
      if (this.#sinceBytes <= 2 * AHEAD_MOST) this.#since.push(bytes)
      return
    }
    if (this.#state !== 'follows') return
    if (this.#ahead + bytes.length > AHEAD_MOST) this.#state = 'is behind'
    else this.#send(bytes)
  }

  resized(size: Size): void {
    if (this.#state === 'syncs') this.#since.push(size)
    else if (this.#state === 'follows') this.tell({ kind: 'size', ...size })
  }

  shown(bytes: number): void {
    this.#ahead = Math.max(0, this.#ahead - bytes)
    if (this.#state === 'is behind' && this.#ahead < AHEAD_AGAIN) this.sync()
  }

  typed(): void {
    this.#used = true
  }

  /** Returns the session that something was typed in since this was asked the last time; null: nothing was. */
  takeUse(): WatcherSocket['holder'] | null {
    const use = this.#used ? this.at.holder : null
    this.#used = false
    return use
  }

  view(): WatcherView {
    const { watch, sees, keyboard } = this
    return { id: watch.id, email: this.at.holder.actor.email, sees, wasAsked: watch.mustAsk, keyboard }
  }

  #send(bytes: Buffer): void {
    this.#ahead += bytes.length
    if (this.at.socket.readyState === WebSocket.OPEN) this.at.socket.send(bytes, { binary: true })
  }
}
