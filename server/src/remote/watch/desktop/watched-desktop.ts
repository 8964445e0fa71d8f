import { WebSocket } from 'ws'
import type { ToOwnDesktop } from '@trainyard/contract/calls/remote.ts'
import { WATCHING } from '@trainyard/contract/words/watching.ts'
import type { Watch } from '../../../domain/lab/remote/watch.ts'
import type { Desktop } from '../../../providers/desktop.ts'
import { Watched, type WatchedAt, type WatchedParts } from '../watched.ts'
import { Watcher, type WatcherSocket } from '../watcher.ts'
import { DesktopView, type Shown } from './desktop-view.ts'
import { Opening } from './opening.ts'
import {
  beginsCodec,
  beginsUpdate,
  confirmTls,
  isConnectInitial,
  isPacked,
  LET_GO,
  pointerIn,
  refreshRect,
} from './rdp.ts'
import { isPacket, Units } from './units.ts'

/** A whole picture goes to the learner too: no more often than this for who has none, and for who fell behind. */
const REFRESH_SOON_MS = 500
const REFRESH_MS = 10_000
/** A pointer's way is told this often. */
const POINTER_MS = 40
/** The first picture of a codec: what a client must see of it before any other. */
const CODEC_MOST = 2 * 1024 * 1024

interface DesktopAt extends WatchedAt {
  readonly machine: string
  readonly watching: 'asked' | 'unasked'
  /** A watcher who has the keyboard did something there. */
  acted(): void
}

/** A learner's desktop as it is shown to those who watch: the one connection to the machine, fanned out. */
export class WatchedDesktop extends Watched<DesktopView> {
  readonly #desktop: Desktop
  readonly #shown: Shown
  readonly #at: DesktopAt
  readonly #opening = new Opening()
  readonly #said = new Units()
  readonly #drawn = new Units()
  #codec: { units: Buffer[]; bytes: number; isWhole: boolean } | null = null
  #begun = false
  /** Its stream is none that can be followed: nobody watches it, and its learner goes on. */
  #lost = false
  #owner: WebSocket | null = null
  #refreshing: NodeJS.Timeout | null = null
  #refreshAt = 0
  #refreshedAt = 0
  #pointerAt = 0

  constructor(at: DesktopAt, desktop: Desktop, parts: WatchedParts) {
    super(at, parts)
    this.#desktop = desktop
    this.#at = at
    this.#shown = {
      opening: this.#opening,
      codec: () => this.#codec?.units ?? [],
      answer: { confirm: confirmTls(desktop.confirm), chain: desktop.chain, machine: at.machine },
      refresh: (soon) => this.#refresh(soon),
      acted: (watcher, unit) => this.#acted(watcher, unit),
      leave: (watcher, sentence) => this.leave(watcher as Watcher<DesktopView>, sentence),
    }
  }

  /** At a desktop they act by the picture's own socket. */
  override typed(): boolean {
    return true
  }

  override refusal(learner: string): string | null {
    if (this.#lost || !this.#opening.isComplete) return WATCHING.notShown
    // Nobody would tell the learner who watches.
    return this.#owner === null ? WATCHING.notTold(learner) : null
  }

  protected override tellLearner(message: ToOwnDesktop): void {
    if (this.#owner?.readyState === WebSocket.OPEN) this.#owner.send(JSON.stringify(message))
  }

  protected override seat(watch: Watch, socket: WatcherSocket): Watcher<DesktopView> {
    return new Watcher(watch, socket, (watcher) => new DesktopView(watcher, this.#shown))
  }

  protected override keyboardMoved(): void {
    if (!this.#desktop.stream.destroyed) this.#desktop.stream.write(LET_GO)
  }

  /** The learner's page has a second socket, by which it is told who watches: while it has none, nobody does. */
  attachOwner(socket: WebSocket): void {
    // It may have gone while its ticket was looked at, and another may have come.
    if (socket.readyState !== WebSocket.OPEN) return
    this.#owner?.close(1000)
    this.#owner = socket
    socket.on('close', () => {
      if (this.#owner !== socket) return
      this.#owner = null
      for (const watcher of this.watchers()) this.leave(watcher, WATCHING.notTold(watcher.watch.learner))
    })
    this.tellLearner({ kind: 'consent', watching: this.#at.watching })
    this.tellAll()
  }

  /** The machine has drawn something, which its learner was sent already. */
  drawn(bytes: Buffer): void {
    if (!this.#begun || this.#lost) return
    try {
      for (const unit of this.#drawn.take(bytes)) this.#hearMachine(unit)
    } catch {
      this.#lose()
    }
  }

  /**
   * Hands on what the learner's page says, but for keys and clicks while somebody else has them; answers false when the
   * machine wants no more for now, and throws on what is no RDP.
   */
  said(bytes: Buffer): boolean {
    const { stream } = this.#desktop
    this.#begun ||= isConnectInitial(bytes)
    if (!this.#begun) return stream.write(bytes)
    let goesOn = true
    for (const unit of this.#said.take(bytes)) {
      this.#opening.hearLearner(unit)
      if (!isPacket(unit)) {
        if (!this.isLearners()) continue
        this.#pointed(unit, null)
      }
      goesOn = stream.write(unit) && goesOn
    }
    return goesOn
  }

  /** The machine takes more again. */
  drained(): void {
    for (const { view } of this.watchers()) view.goOn()
  }

  override async close(): Promise<void> {
    if (this.#refreshing !== null) clearTimeout(this.#refreshing)
    await super.close()
    this.#owner?.close(1000)
  }

  #hearMachine(unit: Buffer): void {
    const heardBy = this.#opening.hearMachine(unit)
    if (heardBy === 'none') return
    if (heardBy === 'anew') {
      for (const { view } of this.watchers()) view.openAnew()
      return
    }
    if (!isPacket(unit)) {
      if (isPacked(unit)) return this.#lose()
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
    if (codec.bytes > CODEC_MOST) this.#lose()
  }

  #acted(watcher: Watcher, unit: Buffer): boolean {
    // On its way while it was taken back.
    if (watcher.keyboard !== 'held') return true
    watcher.typed()
    this.#at.acted()
    this.#pointed(unit, watcher)
    return this.#desktop.stream.write(unit)
  }

  /** Tells all others where the pointer is: the machine draws it nowhere. */
  #pointed(unit: Buffer, by: Watcher | null): void {
    const now = performance.now()
    if (now - this.#pointerAt < POINTER_MS || (by === null && this.watchers().length === 0)) return
    const place = pointerIn(unit)
    if (place === null) return
    this.#pointerAt = now
    const told = { kind: 'pointer', ...place } as const
    if (by !== null) this.tellLearner(told)
    for (const watcher of this.watchers()) if (watcher !== by && watcher.sees) watcher.tell(told)
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
      const { place } = this.#opening
      if (place !== null && !this.#desktop.stream.destroyed) this.#desktop.stream.write(refreshRect(place))
    }, at - performance.now())
  }

  #lose(): void {
    this.#lost = true
    for (const watcher of this.watchers()) this.leave(watcher, WATCHING.notShown)
  }
}
