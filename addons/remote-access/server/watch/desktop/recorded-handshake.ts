import {
  channelData,
  type ChannelData,
  isFontMap,
  isSessionInfo,
  pduTypeOf,
  type RdpSession,
  PDU_TYPE,
  sizeIn,
} from './rdp.ts'
import { isPacket } from './pdu-splitter.ts'

interface RecordedPacket {
  readonly clientPackets: number
  /** True for a Demand Active PDU, which contains the size. */
  readonly isOffer: boolean
  readonly packet: Buffer
}

const MAX_BYTES = 256 * 1024

/**
 * Recording of a handshake, for replay to watchers. Only the machine's part is recorded, because the learner's part
 * contains the password.
 */
export class RecordedHandshake {
  #packets: RecordedPacket[] = []
  #bytes = 0
  #clientPackets = 0
  #channel: Pick<ChannelData, 'user' | 'channel'> | null = null
  #share: number | null = null
  #size: RdpSession['size'] | null = null
  #complete = false
  #isReopening = false

  get isComplete(): boolean {
    return this.#complete && !this.#isReopening && this.#bytes <= MAX_BYTES
  }

  /** null until the session is established for the first time. */
  get session(): RdpSession | null {
    if (this.#channel === null || this.#share === null || this.#size === null) return null
    return { ...this.#channel, share: this.#share, size: this.#size }
  }

  recordLearner(unit: Buffer): void {
    if (!isPacket(unit)) return
    if (!this.#complete) this.#clientPackets += 1
    const sent = channelData(unit)
    if (sent === null) return
    this.#channel ??= { user: sent.user, channel: sent.channel }
    if (sent.channel === this.#channel.channel && pduTypeOf(sent.data) === PDU_TYPE.confirmActive) {
      this.#share = sent.data.readUInt32LE(6)
    }
  }

  /**
   * Records a PDU of the machine. Returns 'none' for data of the learner's own channels, and 'reopen' if the session
   * was reactivated, for example in another size.
   */
  recordMachine(unit: Buffer): 'all' | 'none' | 'reopen' {
    if (!isPacket(unit)) return 'all'
    const sent = channelData(unit)
    if (sent !== null && sent.channel !== this.#channel?.channel) return 'none'
    if (sent !== null && isSessionInfo(sent.data)) return 'none'
    const kind = sent === null ? null : pduTypeOf(sent.data)
    const isOffer = kind === PDU_TYPE.demandActive
    if (isOffer) this.#size = sizeIn(sent!.data)
    if (!this.#complete) this.#keep({ clientPackets: this.#clientPackets, isOffer, packet: Buffer.from(unit) })
    else if (isOffer) {
      this.#packets = this.#packets.map((each) => (each.isOffer ? { ...each, packet: Buffer.from(unit) } : each))
    }
    this.#isReopening ||= this.#complete && kind === PDU_TYPE.deactivateAll
    const wasReopening = this.#isReopening
    if (sent !== null && isFontMap(sent.data)) {
      this.#complete = true
      this.#isReopening = false
    }
    return !wasReopening ? 'all' : this.#isReopening ? 'none' : 'reopen'
  }

  /** Returns the packets after index `from` that a client receives after it has sent `sent` packets. */
  packetsAfter(sent: number, from: number): { readonly packets: readonly Buffer[]; readonly isLast: boolean } {
    const packets = this.#packets.slice(from).filter(({ clientPackets }) => clientPackets <= sent)
    return { packets: packets.map(({ packet }) => packet), isLast: from + packets.length === this.#packets.length }
  }

  #keep(recorded: RecordedPacket): void {
    this.#bytes += recorded.packet.length
    if (this.#bytes <= MAX_BYTES) this.#packets.push(recorded)
  }
}
