import { join, le16 } from './bytes.ts'

/** Characters of 5 by 7 dots from space to tilde. One byte per column, the lowest bit is the top dot. */
const COLUMNS = Buffer.from(
  `0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649562050 0008070300 001c224100 0041221c00
   2a1c7f1c2a 08083e0808 0080703000 0808080808 0000606000 2010080402 3e5149453e 00427f4000 7249494946 2141494d33
   1814127f10 2745454539 3c4a494931 4121110907 3649494936 464949291e 0000140000 0040340000 0008142241 1414141414
   0041221408 0201590906 3e415d594e 7c1211127c 7f49494936 3e41414122 7f4141413e 7f49494941 7f09090901 3e41415173
   7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f021c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e
   7f09192946 2649494932 03017f0103 3f4040403f 1f2040201f 3f4038403f 6314081463 0304780403 6159494d43 007f414141
   0204081020 004141417f 0402010204 4040404040 0003070800 2054547840 7f28444438 3844444428 384444287f 3854545418
   00087e0902 18a4a49c78 7f08040478 00447d4000 2040403d00 7f10284400 00417f4000 7c04780478 7c08040478 3844444438
   fc18242418 18242418fc 7c08040408 4854545424 04043f4424 3c4040207c 1c2040201c 3c4030403c 4428102844 4c9090907c
   4464544c44 0008364100 0000770000 0041360800 0201020402`.replaceAll(/\s/g, ''),
  'hex',
)

function dotsOf(character: string): Buffer {
  const codePoint = character.normalize('NFD').codePointAt(0)! - 0x20
  const dots = COLUMNS.subarray(5 * codePoint, 5 * codePoint + 5)
  if (codePoint < 0 || dots.length < 5) return Buffer.from([0x7f, 0x41, 0x5d, 0x41, 0x7f])
  // The accent becomes a dot at the top, so that the character looks different.
  return character.length > 1 || character.normalize('NFD') !== character
    ? Buffer.from(dots.map((column, i) => (i === 2 ? column | 1 : column)))
    : dots
}

/** Side of a tile in pixels. Changes are sent in whole tiles. */
const TILE = 64

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
      const start = row * this.width + left
      if (!same(this.#pixels, this.#sent, start, start + width)) return true
    }
    return false
  }

  #tile(left: number, top: number, width: number, bottom: number): Buffer {
    const height = bottom - top
    const pixels = new Uint16Array(width * height)
    // Rows are sent from bottom to top.
    for (let row = 0; row < height; row += 1) {
      const start = (bottom - 1 - row) * this.width + left
      pixels.set(this.#pixels.subarray(start, start + width), row * width)
    }
    const bits = compress(pixels)
    const rectangle = le16(left, top, left + width - 1, bottom - 1, width, height, 16, 0x0401, bits.length)
    const body = join(le16(1, 1), rectangle, bits)
    return join([0], [0x80 | ((body.length + 6) >> 8), (body.length + 6) & 0xff], [1], le16(body.length), body)
  }
}

const same = (a: Uint16Array, b: Uint16Array, from: number, to: number): boolean =>
  Buffer.from(a.buffer, from * 2, (to - from) * 2).equals(Buffer.from(b.buffer, from * 2, (to - from) * 2))

/** Compresses runs of one colour and copies the rest. Source: MS-RDPBCGR, section 2.2.9.1.1.3.1.2.4 */
function compress(pixels: Uint16Array): Buffer {
  const output = Buffer.alloc(pixels.length * 5)
  let end = 0
  let literalStart = 0
  const flush = (to: number) => {
    if (to === literalStart) return
    output[end] = 0xf4
    output.writeUInt16LE(to - literalStart, end + 1)
    end += 3
    for (let i = literalStart; i < to; i += 1, end += 2) output.writeUInt16LE(pixels[i]!, end)
  }
  for (let index = 0; index < pixels.length;) {
    let next = index + 1
    while (next < pixels.length && pixels[next] === pixels[index]) next += 1
    if (next - index >= 4) {
      flush(index)
      output[end] = 0xf3
      output.writeUInt16LE(next - index, end + 1)
      output.writeUInt16LE(pixels[index]!, end + 3)
      end += 5
      literalStart = next
    }
    index = next
  }
  flush(pixels.length)
  return output.subarray(0, end)
}
