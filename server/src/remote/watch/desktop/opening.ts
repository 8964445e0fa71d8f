import { channelData, type ChannelData, isFontMap, isSessionInfo, pduTypeOf, type RdpSession, PDU_TYPE, sizeIn } from './rdp.ts'
import { isPacket } from './units.ts'

/** A packet of the machine, and the number of client packets received before it. */
interface RecordedPacket {
  readonly packetsAfter: number
  /** True for a Demand Active PDU, which contains the size. */
  readonly isOffer: boolean
  readonly packet: Buffer
}

/** Maximum recorded bytes, far more than any handshake needs. */
const MOST = 256 * 1024

/**
 * Records the machine's part of a session's handshake, to replay it to a watcher's client, which is the same program
 * with the same
 * settings. The learner's part contains the password and is not recorded.
 */
export class RecordedHandshake {
  #said: RecordedPacket[] = []
  #bytes = 0
  #heard = 0
  #channel: Pick<ChannelData, 'user' | 'channel'> | null = null
  #share: number | null = null
  #size: RdpSession['size'] | null = null
  #complete = false
  #isOfferedAgain = false

  /** True when the handshake is complete and fully recorded. */
  get isComplete(): boolean {
    return this.#complete && !this.#isOfferedAgain && this.#bytes <= MOST
  }

  /** null until the session is established for the first time. */
  get place(): RdpSession | null {
    if (this.#channel === null || this.#share === null || this.#size === null) return null
    return { ...this.#channel, share: this.#share, size: this.#size }
  }

  recordLearner(unit: Buffer): void {
    if (!isPacket(unit)) return
    if (!this.#complete) this.#heard += 1
    const said = channelData(unit)
    if (said === null) return
    this.#channel ??= { user: said.user, channel: said.channel }
    if (said.channel === this.#channel.channel && pduTypeOf(said.data) === PDU_TYPE.confirmActive) {
      this.#share = said.data.readUInt32LE(6)
    }
  }

  /**
   * Records a PDU of the machine and returns which watchers receive it: all, or none if it belongs to the learner's own
   * channels.
   * Returns 'anew' when the machine has deactivated and reactivated the session, for example in another size: watchers
   * must reopen.
   */
  recordMachine(unit: Buffer): 'all' | 'none' | 'anew' {
    if (!isPacket(unit)) return 'all'
    const said = channelData(unit)
    if (said !== null && said.channel !== this.#channel?.channel) return 'none'
    if (said !== null && isSessionInfo(said.data)) return 'none'
    const kind = said === null ? null : pduTypeOf(said.data)
    const isOffer = kind === PDU_TYPE.demandActive
    if (isOffer) this.#size = sizeIn(said!.data)
    if (!this.#complete) this.#keep({ packetsAfter: this.#heard, isOffer, packet: Buffer.from(unit) })
    else if (isOffer) {
      this.#said = this.#said.map((each) => (each.isOffer ? { ...each, packet: Buffer.from(unit) } : each))
    }
    this.#isOfferedAgain ||= this.#complete && kind === PDU_TYPE.deactivateAll
    const wasOfferedAgain = this.#isOfferedAgain
    if (said !== null && isFontMap(said.data)) {
      this.#complete = true
      this.#isOfferedAgain = false
    }
    return !wasOfferedAgain ? 'all' : this.#isOfferedAgain ? 'none' : 'anew'
  }

  /**
   * Returns the packets after index `from` that a client receives once it has sent `sent` packets, and whether the
   * handshake is complete then.
   */
  after(sent: number, from: number): { readonly packets: readonly Buffer[]; readonly isOver: boolean } {
    const said = this.#said.slice(from).filter(({ packetsAfter }) => packetsAfter <= sent)
    return { packets: said.map(({ packet }) => packet), isOver: from + said.length === this.#said.length }
  }

  #keep(said: RecordedPacket): void {
    this.#bytes += said.packet.length
    if (this.#bytes <= MOST) this.#said.push(said)
  }
}
