import { join, le32 } from './bytes.ts'
import { indication } from './connect.ts'

const CHUNK = 1_600
const FIRST = 1
const LAST = 2
/** More than this is no text that anybody copies. */
const MOST = 1024 * 1024

/** A static channel: messages in chunks, both ways. Source: MS-RDPBCGR, section 2.2.6.1 */
export class Channel {
  readonly #id: number
  readonly #send: (bytes: Buffer) => void
  #heard: Buffer[] = []
  #length = 0

  constructor(id: number, send: (bytes: Buffer) => void) {
    this.#id = id
    this.#send = send
  }

  send(message: Buffer): void {
    for (let at = 0; at < message.length || at === 0; at += CHUNK) {
      const flags = 0x10 | (at === 0 ? FIRST : 0) | (at + CHUNK >= message.length ? LAST : 0)
      this.#send(indication(this.#id, join(le32(message.length, flags), message.subarray(at, at + CHUNK))))
    }
  }

  /** Takes a chunk; answers the message that it completes, or null. */
  hear(chunk: Buffer): Buffer | null {
    const flags = chunk.readUInt32LE(4)
    if (flags & FIRST) {
      this.#heard = []
      this.#length = 0
    }
    this.#length += chunk.length - 8
    if (this.#length > MOST) throw new Error('The message is too long.')
    this.#heard.push(chunk.subarray(8))
    return flags & LAST ? Buffer.concat(this.#heard) : null
  }
}
