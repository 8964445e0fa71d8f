import { WebSocket } from 'ws'
import type { MessageToPage } from '../../contract/remote.ts'
import type { Watch } from '../watch.ts'
import type { Size } from '../shell.ts'
import type { ScreenModel } from './screen-model.ts'
import { WatchedScreen, type ScreenInfo, type WatchedScreenDependencies } from './watched-screen.ts'
import { type View, Watcher, type WatcherSocket } from './watcher.ts'

/**
 * Number of unsent bytes at which output is skipped, and the number at which the watcher receives the current screen
 * again.
 */
const MAX_BUFFERED_BYTES = 256 * 1024
const RESUME_BYTES = 32 * 1024

interface TerminalScreenInfo extends ScreenInfo {
  tell(message: MessageToPage): void
  readonly model: ScreenModel
  type(bytes: Buffer): boolean
}

export class WatchedTerminal extends WatchedScreen<TerminalView> {
  readonly #model: ScreenModel
  readonly #type: TerminalScreenInfo['type']
  protected override readonly tellLearner: TerminalScreenInfo['tell']

  constructor(at: TerminalScreenInfo, parts: WatchedScreenDependencies) {
    super(at, parts)
    this.#model = at.model
    this.#type = at.type
    this.tellLearner = at.tell
  }

  protected override createWatcher(watch: Watch, socket: WatcherSocket): Watcher<TerminalView> {
    return new Watcher(watch, socket, (watcher) => new TerminalView(watcher, this.#model))
  }

  printed(bytes: Buffer): void {
    this.#model.printed(bytes)
    for (const { view } of this.watchers()) view.printed(bytes)
  }

  resized(size: Size): void {
    this.#model.resized(size)
    for (const { view } of this.watchers()) view.resized(size)
  }

  drained(): void {
    for (const { at } of this.watchers()) at.socket.resume()
  }

  override input(watcher: Watcher, bytes: Buffer): boolean {
    // The keys were sent before the learner took the keyboard back.
    if (watcher.keyboard !== 'held') return true
    watcher.recordInput()
    return this.#type(bytes)
  }

  override async close(): Promise<void> {
    await super.close()
    this.#model.close()
  }
}

class TerminalView implements View {
  readonly hash = null
  readonly #watcher: Watcher<TerminalView>
  readonly #model: ScreenModel
  #state: 'waiting' | 'syncing' | 'following' | 'behind' = 'waiting'
  #ahead = 0
  #since: (Buffer | Size)[] = []
  #sinceBytes = 0

  constructor(watcher: Watcher<TerminalView>, model: ScreenModel) {
    this.#watcher = watcher
    this.#model = model
  }

  begin(): void {
    this.#state = 'syncing'
    this.#since = []
    this.#sinceBytes = 0
    this.#model.snapshot(({ size, text }) => {
      const since = this.#since
      this.#since = []
      this.#state = 'following'
      this.#watcher.send({ kind: 'screen', learner: this.#watcher.watch.learner, ...size })
      this.#send(Buffer.from(text))
      for (const each of since) {
        if (Buffer.isBuffer(each)) this.printed(each)
        else this.resized(each)
      }
    })
  }

  printed(bytes: Buffer): void {
    if (this.#state === 'syncing') {
      this.#sinceBytes += bytes.length
      // Above this size the watcher receives another snapshot anyway.
      if (this.#sinceBytes <= 2 * MAX_BUFFERED_BYTES) this.#since.push(bytes)
      return
    }
    if (this.#state !== 'following') return
    if (this.#ahead + bytes.length > MAX_BUFFERED_BYTES) this.#state = 'behind'
    else this.#send(bytes)
  }

  resized(size: Size): void {
    if (this.#state === 'syncing') this.#since.push(size)
    else if (this.#state === 'following') this.#watcher.send({ kind: 'size', ...size })
  }

  shown(bytes: number): void {
    this.#ahead = Math.max(0, this.#ahead - bytes)
    if (this.#state === 'behind' && this.#ahead < RESUME_BYTES) this.begin()
  }

  close(): void {}

  #send(bytes: Buffer): void {
    this.#ahead += bytes.length
    const { socket } = this.#watcher.at
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes, { binary: true })
  }
}
