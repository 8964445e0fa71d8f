import { WebSocket } from 'ws'
import type { MessageToOwnDesktop } from '../../../contract/remote.ts'
import { WATCHING } from '../../../contract/watching.ts'
import type { Watch } from '../../watch.ts'
import type { Desktop } from '../../desktop.ts'
import { WatchedScreen, type ScreenInfo, type WatchedScreenDependencies } from '../watched-screen.ts'
import { Watcher, type WatcherSocket } from '../watcher.ts'
import { DesktopView, type SharedDesktop } from './desktop-view.ts'
import { RecordedHandshake } from './recorded-handshake.ts'
import {
  beginsCodec,
  beginsUpdate,
  confirmTls,
  isConnectInitial,
  isCompressed,
  RELEASE_KEYS,
  pointerIn,
  refreshRect,
} from './rdp.ts'
import { isPacket, PduSplitter } from './pdu-splitter.ts'

/** Minimum interval between full redraws, in milliseconds. The learner receives them too. */
const REFRESH_SOON_MS = 500
const REFRESH_MS = 10_000
const POINTER_MS = 40
/** Maximum bytes of the first picture of a codec, which every new client must receive first. */
const MAX_CODEC_BYTES = 2 * 1024 * 1024

interface DesktopScreenInfo extends ScreenInfo {
  readonly machine: string
  readonly watching: 'asked' | 'unasked'
  acted(): void
}

export class WatchedDesktop extends WatchedScreen<DesktopView> {
  readonly #desktop: Desktop
  readonly #shown: SharedDesktop
  readonly #at: DesktopScreenInfo
  readonly #opening = new RecordedHandshake()
  readonly #fromLearner = new PduSplitter()
  readonly #fromMachine = new PduSplitter()
  #codec: { units: Buffer[]; bytes: number; isWhole: boolean } | null = null
  #begun = false
  /** True if the stream cannot be followed. The learner's desktop continues, but no watcher sees it. */
  #lost = false
  #owner: WebSocket | null = null
  #refreshing: NodeJS.Timeout | null = null
  #refreshAt = 0
  #refreshedAt = 0
  #pointerAt = 0

  constructor(at: DesktopScreenInfo, desktop: Desktop, parts: WatchedScreenDependencies) {
    super(at, parts)
    this.#desktop = desktop
    this.#at = at
    this.#shown = {
      opening: this.#opening,
      codec: () => this.#codec?.units ?? [],
      answer: { confirm: confirmTls(desktop.confirm), chain: desktop.chain, machine: at.machine },
      refresh: (soon) => this.#refresh(soon),
      acted: (watcher, unit) => this.#acted(watcher, unit),
      leave: (watcher, sentence) => this.removeWatcher(watcher as Watcher<DesktopView>, sentence),
    }
  }

  /** Ignores input on this socket, because watchers of a desktop send it on the view's socket. */
  override input(): boolean {
    return true
  }

  override whyNotWatchable(learner: string): string | null {
    if (this.#lost || !this.#opening.isComplete) return WATCHING.notShown
    // Without the control socket the learner cannot see who watches.
    return this.#owner === null ? WATCHING.pageUnreachable(learner) : null
  }

  protected override tellLearner(message: MessageToOwnDesktop): void {
    if (this.#owner?.readyState === WebSocket.OPEN) this.#owner.send(JSON.stringify(message))
  }

  protected override createWatcher(watch: Watch, socket: WatcherSocket): Watcher<DesktopView> {
    return new Watcher(watch, socket, (watcher) => new DesktopView(watcher, this.#shown))
  }

  protected override keyboardMoved(): void {
    if (!this.#desktop.stream.destroyed) this.#desktop.stream.write(RELEASE_KEYS)
  }

  /** Attaches the learner's control socket, which shows who watches. Watching is not possible without it. */
  attachOwner(socket: WebSocket): void {
    // The socket may have closed while the ticket was checked.
    if (socket.readyState !== WebSocket.OPEN) return
    this.#owner?.close(1000)
    this.#owner = socket
    socket.on('close', () => {
      if (this.#owner !== socket) return
      this.#owner = null
      for (const watcher of this.watchers())
        this.removeWatcher(watcher, WATCHING.pageUnreachable(watcher.watch.learner))
    })
    this.tellLearner({ kind: 'consent', watching: this.#at.watching })
    this.notifyAll()
  }

  handleOutput(bytes: Buffer): void {
    if (!this.#begun || this.#lost) return
    try {
      for (const unit of this.#fromMachine.take(bytes)) this.#hearMachine(unit)
    } catch {
      this.#lose()
    }
  }

  /**
   * Handles input of the learner. Drops keys and clicks while a watcher has the keyboard. Returns false if the
   * machine's buffer is full.
   */
  handleInput(bytes: Buffer): boolean {
    const { stream } = this.#desktop
    this.#begun ||= isConnectInitial(bytes)
    if (!this.#begun) return stream.write(bytes)
    let canContinue = true
    for (const unit of this.#fromLearner.take(bytes)) {
      this.#opening.recordLearner(unit)
      if (!isPacket(unit)) {
        if (!this.learnerHasKeyboard()) continue
        this.#pointed(unit, null)
      }
      canContinue = stream.write(unit) && canContinue
    }
    return canContinue
  }

  drained(): void {
    for (const { view } of this.watchers()) view.resume()
  }

  override async close(): Promise<void> {
    if (this.#refreshing !== null) clearTimeout(this.#refreshing)
    await super.close()
    this.#owner?.close(1000)
  }

  #hearMachine(unit: Buffer): void {
    const heardBy = this.#opening.recordMachine(unit)
    if (heardBy === 'none') return
    if (heardBy === 'reopen') {
      for (const { view } of this.watchers()) view.reopen()
      return
    }
    if (!isPacket(unit)) {
      if (isCompressed(unit)) return this.#lose()
      this.#keepCodec(unit)
    }
    for (const { view } of this.watchers()) view.update(unit)
  }

  #keepCodec(unit: Buffer): void {
    if (beginsCodec(unit)) this.#codec = { units: [], bytes: 0, isWhole: false }
    const codec = this.#codec
    if (codec === null || codec.isWhole) return
    if (codec.units.length > 0 && beginsUpdate(unit)) return void (codec.isWhole = true)
    codec.units.push(Buffer.from(unit))
    codec.bytes += unit.length
    if (codec.bytes > MAX_CODEC_BYTES) this.#lose()
  }

  #acted(watcher: Watcher, unit: Buffer): boolean {
    // The input was sent before the learner took the keyboard back.
    if (watcher.keyboard !== 'held') return true
    watcher.recordInput()
    this.#at.acted()
    this.#pointed(unit, watcher)
    return this.#desktop.stream.write(unit)
  }

  /** Sends the pointer position to the other users, because the machine does not draw the pointer. */
  #pointed(unit: Buffer, by: Watcher | null): void {
    const now = performance.now()
    if (now - this.#pointerAt < POINTER_MS || (by === null && this.watchers().length === 0)) return
    const pointer = pointerIn(unit)
    if (pointer === null) return
    this.#pointerAt = now
    const pointerMessage = { kind: 'pointer', ...pointer } as const
    if (by !== null) this.tellLearner(pointerMessage)
    for (const watcher of this.watchers()) if (watcher !== by && watcher.sees) watcher.send(pointerMessage)
  }

  #refresh(soon: boolean): void {
    const at = Math.max(performance.now(), this.#refreshedAt + (soon ? REFRESH_SOON_MS : REFRESH_MS))
    if (this.#refreshing !== null) {
      if (this.#refreshAt <= at) return
      clearTimeout(this.#refreshing)
    }
    this.#refreshAt = at
    this.#refreshing = setTimeout(() => {
      this.#refreshing = null
      this.#refreshedAt = performance.now()
      const { session } = this.#opening
      if (session !== null && !this.#desktop.stream.destroyed) this.#desktop.stream.write(refreshRect(session))
    }, at - performance.now())
  }

  #lose(): void {
    this.#lost = true
    for (const watcher of this.watchers()) this.removeWatcher(watcher, WATCHING.notShown)
  }
}
