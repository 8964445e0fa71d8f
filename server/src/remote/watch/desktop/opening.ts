import { channelData, type ChannelData, isFontMap, isSessionInfo, kindOf, type Place, SAID, sizeIn } from './rdp.ts'
import { isPacket } from './units.ts'

/** One of the machine's packets, and how many of the client's it had before it. */
interface Said {
  readonly after: number
  /** It offers the session, in its size. */
  readonly isOffer: boolean
  readonly packet: Buffer
}

/** Far more than any opening takes. */
const MOST = 256 * 1024

/**
 * A machine's half of the opening of a session, kept so that a watcher's client, which is the same program with the same
 * wishes, can be answered alike. Nothing of the learner's own half is kept: there is the password.
 */
export class Opening {
  #said: Said[] = []
  #bytes = 0
  #heard = 0
  #channel: Pick<ChannelData, 'user' | 'channel'> | null = null
  #share: number | null = null
  #size: Place['size'] | null = null
  #complete = false
  #isOfferedAgain = false

  /** The session stands, and this is all of its opening. */
  get isComplete(): boolean {
    return this.#complete && !this.#isOfferedAgain && this.#bytes <= MOST
  }

  /** Null before the session has stood for the first time. */
  get place(): Place | null {
    if (this.#channel === null || this.#share === null || this.#size === null) return null
    return { ...this.#channel, share: this.#share, size: this.#size }
  }

  hearLearner(unit: Buffer): void {
    if (!isPacket(unit)) return
    if (!this.#complete) this.#heard += 1
    const said = channelData(unit)
    if (said === null) return
    this.#channel ??= { user: said.user, channel: said.channel }
    if (said.channel === this.#channel.channel && kindOf(said.data) === SAID.confirmActive) {
      this.#share = said.data.readUInt32LE(6)
    }
  }

  /**
   * Answers who of the watchers' clients hears this of the machine: all, but not what belongs to the learner's own
   * channels. Once the session was taken back and offered anew, in another size, say, they all open anew.
   */
  hearMachine(unit: Buffer): 'all' | 'none' | 'anew' {
    if (!isPacket(unit)) return 'all'
    const said = channelData(unit)
    if (said !== null && said.channel !== this.#channel?.channel) return 'none'
    if (said !== null && isSessionInfo(said.data)) return 'none'
    const kind = said === null ? null : kindOf(said.data)
    const isOffer = kind === SAID.demandActive
    if (isOffer) this.#size = sizeIn(said!.data)
    if (!this.#complete) this.#keep({ after: this.#heard, isOffer, packet: Buffer.from(unit) })
    else if (isOffer) {
      this.#said = this.#said.map((each) => (each.isOffer ? { ...each, packet: Buffer.from(unit) } : each))
    }
    this.#isOfferedAgain ||= this.#complete && kind === SAID.deactivateAll
    const wasOfferedAgain = this.#isOfferedAgain
    if (said !== null && isFontMap(said.data)) {
      this.#complete = true
      this.#isOfferedAgain = false
    }
    return !wasOfferedAgain ? 'all' : this.#isOfferedAgain ? 'none' : 'anew'
  }

  /** The packets that a client hears after it has sent so many, and none of those before; the last of all says so. */
  after(sent: number, from: number): { readonly packets: readonly Buffer[]; readonly isOver: boolean } {
    const said = this.#said.slice(from).filter(({ after }) => after <= sent)
    return { packets: said.map(({ packet }) => packet), isOver: from + said.length === this.#said.length }
  }

  #keep(said: Said): void {
    this.#bytes += said.packet.length
    if (this.#bytes <= MOST) this.#said.push(said)
  }
}
