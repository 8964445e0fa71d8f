import { WebSocket } from 'ws'
import type { KeyboardState, ToWatcher, Watcher as WatcherView } from '@trainyard/contract/calls/remote.ts'
import type { Watch } from '../../domain/lab/remote/watch.ts'
import type { Holder } from '../../domain/lab/remote/ticket.ts'

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

/** The part of a screen that a watcher sees. */
export interface View {
  /** Of the ticket that leads their page to the picture; null: it comes by the socket that they have. */
  readonly hash: Buffer | null
  /** Whoever is asked has allowed it, and it is written down. */
  begin(): void
  /** Their page has shown so many bytes more. */
  shown(bytes: number): void
  close(): void
}

/** Somebody who watches a screen, or asks to: the gateway's side of their page. Nobody waits for them. */
export class Watcher<V extends View = View> {
  readonly watch: Watch
  readonly at: WatcherSocket
  readonly view: V
  keyboard: KeyboardState = 'none'
  sees = false
  /** Waits for the learner's answer. */
  patience: NodeJS.Timeout | null = null
  #used = false

  constructor(watch: Watch, at: WatcherSocket, viewOf: (watcher: Watcher<V>) => V) {
    this.watch = watch
    this.at = at
    this.view = viewOf(this)
  }

  tell(message: ToWatcher): void {
    if (this.at.socket.readyState === WebSocket.OPEN) this.at.socket.send(JSON.stringify(message))
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

  said(): WatcherView {
    const { watch, sees, keyboard } = this
    return { id: watch.id, email: this.at.holder.actor.email, sees, wasAsked: watch.mustAsk, keyboard }
  }
}
