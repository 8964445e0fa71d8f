import { WebSocket } from 'ws'
import type { KeyboardState, MessageToWatcher, Watcher as WatcherView } from '../../contract/remote.ts'
import type { Watch } from '../watch.ts'
import type { Holder } from '../ticket.ts'

export interface WatcherSocket {
  readonly socket: WebSocket
  readonly holder: Holder & { readonly address: string }
  readonly requestId: string
}

export interface WatcherRequest extends WatcherSocket {
  readonly cookie: string
  /** True if another process relayed the request, which is not relayed again. */
  readonly wasRelayed: boolean
}

export interface View {
  /** Hash of the ticket for the view's own socket; null: the view uses the watch socket. */
  readonly hash: Buffer | null
  begin(): void
  shown(bytes: number): void
  close(): void
}

/** User who watches or has requested to. A slow watcher delays no other user. */
export class Watcher<V extends View = View> {
  readonly watch: Watch
  readonly at: WatcherSocket
  readonly view: V
  keyboard: KeyboardState = 'none'
  sees = false
  answerTimer: NodeJS.Timeout | null = null
  #used = false

  constructor(watch: Watch, at: WatcherSocket, viewOf: (watcher: Watcher<V>) => V) {
    this.watch = watch
    this.at = at
    this.view = viewOf(this)
  }

  send(message: MessageToWatcher): void {
    if (this.at.socket.readyState === WebSocket.OPEN) this.at.socket.send(JSON.stringify(message))
  }

  recordInput(): void {
    this.#used = true
  }

  takeActivity(): WatcherSocket['holder'] | null {
    const use = this.#used ? this.at.holder : null
    this.#used = false
    return use
  }

  toView(): WatcherView {
    const { watch, sees, keyboard } = this
    return { id: watch.id, email: this.at.holder.actor.email, sees, wasAsked: watch.mustAsk, keyboard }
  }
}
