import { join, le16 } from './bytes.ts'
import { dotsOf } from './font.ts'

/** Side of a tile in pixels. Changes are sent in whole tiles. */
const TILE = 64

/** Pixels of a screen, 16 bits each, and a copy of the pixels that were last sent. */
export class Picture {
  readonly width: number
  readonly height: number
  readonly #pixels: Uint16Array
  readonly #sent: Uint16Array
  #isNew = true

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#pixels = new Uint16Array(width * height)
    this.#sent = new Uint16Array(width * height)
  }

  fill(x: number, y: number, width: number, height: number, colour: number): void {
    const right = Math.min(this.width, x + width)
    for (let row = Math.max(0, y); row < Math.min(this.height, y + height); row += 1) {
      this.#pixels.fill(colour, row * this.width + Math.max(0, x), row * this.width + Math.max(0, right))
    }
  }

  write(x: number, y: number, text: string, colour: number, scale = 2): void {
    let left = x
    for (const character of text) {
      dotsOf(character).forEach((column, i) => {
        for (let dot = 0; dot < 8; dot += 1) {
          if (column & (1 << dot)) this.fill(left + i * scale, y + dot * scale, scale, scale, colour)
        }
      })
      left += 6 * scale
    }
  }

  markAllChanged(): void {
    this.#isNew = true
  }

  /** Returns the updates since the last call. Source: MS-RDPBCGR, section 2.2.9.1.2.1.2 */
  updates(): Buffer[] {
    const updates: Buffer[] = []
    for (let top = 0; top < this.height; top += TILE) {
      const bottom = Math.min(this.height, top + TILE)
      if (!this.#isNew && same(this.#pixels, this.#sent, top * this.width, bottom * this.width)) continue
      for (let left = 0; left < this.width; left += TILE) {
        const width = Math.min(TILE, this.width - left)
        if (this.#isNew || this.#differs(left, top, width, bottom)) updates.push(this.#tile(left, top, width, bottom))
      }
    }
    this.#sent.set(this.#pixels)
    this.#isNew = false
    return updates
  }

  #differs(left: number, top: number, width: number, bottom: number): boolean {
    for (let row = top; row < bottom; row += 1) {
      const at = row * this.width + left
      if (!same(this.#pixels, this.#sent, at, at + width)) return true
    }
    return false
  }

  #tile(left: number, top: number, width: number, bottom: number): Buffer {
    const height = bottom - top
    const pixels = new Uint16Array(width * height)
    // Rows are sent from bottom to top.
    for (let row = 0; row < height; row += 1) {
      const at = (bottom - 1 - row) * this.width + left
      pixels.set(this.#pixels.subarray(at, at + width), row * width)
    }
    const bits = compress(pixels)
    const rectangle = le16(left, top, left + width - 1, bottom - 1, width, height, 16, 0x0401, bits.length)
    const body = join(le16(1, 1), rectangle, bits)
    return join([0], [0x80 | ((body.length + 6) >> 8), (body.length + 6) & 0xff], [1], le16(body.length), body)
  }
}

const same = (one: Uint16Array, other: Uint16Array, from: number, to: number): boolean =>
  Buffer.from(one.buffer, from * 2, (to - from) * 2).equals(Buffer.from(other.buffer, from * 2, (to - from) * 2))

/** Compresses runs of one colour and copies the rest. Source: MS-RDPBCGR, section 2.2.9.1.1.3.1.2.4 */
function compress(pixels: Uint16Array): Buffer {
  const out = Buffer.alloc(pixels.length * 5)
  let end = 0
  let plainFrom = 0
  const flush = (to: number) => {
    if (to === plainFrom) return
    out[end] = 0xf4
    out.writeUInt16LE(to - plainFrom, end + 1)
    end += 3
    for (let i = plainFrom; i < to; i += 1, end += 2) out.writeUInt16LE(pixels[i]!, end)
  }
  for (let at = 0; at < pixels.length;) {
    let next = at + 1
    while (next < pixels.length && pixels[next] === pixels[at]) next += 1
    if (next - at >= 4) {
      flush(at)
      out[end] = 0xf3
      out.writeUInt16LE(next - at, end + 1)
      out.writeUInt16LE(pixels[at]!, end + 3)
      end += 5
      plainFrom = next
    }
    at = next
  }
  flush(pixels.length)
  return out.subarray(0, end)
}
