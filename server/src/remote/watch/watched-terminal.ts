import { WebSocket } from 'ws'
import type { MessageToPage } from '@trainyard/contract/calls/remote.ts'
import type { Watch } from '../../domain/lab/remote/watch.ts'
import type { Size } from '../../providers/shell.ts'
import type { ScreenModel } from './screen-model.ts'
import { WatchedScreen, type ScreenInfo, type WatchedScreenParts } from './watched.ts'
import { type View, Watcher, type WatcherSocket } from './watcher.ts'

/**
 * Bytes sent but not yet shown at which output for a watcher is skipped, and at which the watcher receives the current
 * screen again.
 */
const AHEAD_MOST = 256 * 1024
const AHEAD_AGAIN = 32 * 1024

interface TerminalScreenInfo extends ScreenInfo {
  tell(message: MessageToPage): void
  readonly model: ScreenModel
  /** Sends input to the machine. Returns false if the machine's buffer is full. */
  type(bytes: Buffer): boolean
}

/** A learner's terminal with its watchers. */
export class WatchedTerminal extends WatchedScreen<TerminalView> {
  readonly #model: ScreenModel
  readonly #type: TerminalScreenInfo['type']
  protected override readonly tellLearner: TerminalScreenInfo['tell']

  constructor(at: TerminalScreenInfo, parts: WatchedScreenParts) {
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
    // Keys that were sent before the keyboard was taken back.
    if (watcher.keyboard !== 'held') return true
    watcher.recordInput()
    return this.#type(bytes)
  }

  override async close(): Promise<void> {
    await super.close()
    this.#model.close()
  }
}

/** A watcher's view of a terminal. */
class TerminalView implements View {
  readonly hash = null
  readonly #watcher: Watcher<TerminalView>
  readonly #model: ScreenModel
  #state: 'waits' | 'syncs' | 'follows' | 'is behind' = 'waits'
  #ahead = 0
  /** Output and resizes that arrived while the snapshot was being taken. */
  #since: (Buffer | Size)[] = []
  #sinceBytes = 0

  constructor(watcher: Watcher<TerminalView>, model: ScreenModel) {
    this.#watcher = watcher
    this.#model = model
  }

  /** Sends the current screen and then later output. */
  begin(): void {
    this.#state = 'syncs'
    this.#since = []
    this.#sinceBytes = 0
    this.#model.snapshot(({ size, text }) => {
      const since = this.#since
      this.#since = []
      this.#state = 'follows'
      this.#watcher.send({ kind: 'screen', learner: this.#watcher.watch.learner, ...size })
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
      // Beyond this the watcher receives another snapshot anyway.
      if (this.#sinceBytes <= 2 * AHEAD_MOST) this.#since.push(bytes)
      return
    }
    if (this.#state !== 'follows') return
    if (this.#ahead + bytes.length > AHEAD_MOST) this.#state = 'is behind'
    else this.#send(bytes)
  }

  resized(size: Size): void {
    if (this.#state === 'syncs') this.#since.push(size)
    else if (this.#state === 'follows') this.#watcher.send({ kind: 'size', ...size })
  }

  shown(bytes: number): void {
    this.#ahead = Math.max(0, this.#ahead - bytes)
    if (this.#state === 'is behind' && this.#ahead < AHEAD_AGAIN) this.begin()
  }

  close(): void {}

  #send(bytes: Buffer): void {
    this.#ahead += bytes.length
    const { socket } = this.#watcher.at
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes, { binary: true })
  }
}
