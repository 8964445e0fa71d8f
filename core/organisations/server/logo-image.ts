import { LOGO_SIDE_MAX, LOGO_SIDE_MIN, type LogoType } from '../contract/logo.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'

interface Image {
  readonly type: LogoType
  readonly width: number
  readonly height: number
}

/**
 * Returns the type of a complete image that is not animated. Dimensions are limited, because a small file can
 * decompress to very many pixels.
 * @throws Problem malformed
 */
export function logoType(bytes: Buffer): LogoType {
  const image = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes)
  if (image === null) throw new Problem('malformed', 'image must be a PNG, JPEG or WebP image without animation.')
  const { width, height, type } = image
  if (Math.min(width, height) < LOGO_SIDE_MIN || Math.max(width, height) > LOGO_SIDE_MAX) {
    const bounds = `${LOGO_SIDE_MIN} to ${LOGO_SIDE_MAX} pixels wide and high`
    throw new Problem('malformed', `image must be ${bounds}; this one is ${width} x ${height}.`)
  }
  return type
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** https://www.w3.org/TR/png-3/#5DataRep */
function readPng(bytes: Buffer): Image | null {
  if (!bytes.subarray(0, PNG.length).equals(PNG) || bytes.length < 33) return null
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  for (let at = PNG.length; at + 12 <= bytes.length;) {
    const kind = bytes.toString('latin1', at + 4, at + 8)
    at += 12 + bytes.readUInt32BE(at)
    // The animation control chunk marks an animated PNG.
    if (kind === 'acTL') return null
    if (kind === 'IEND') return at === bytes.length ? { type: 'image/png', ...size } : null
  }
  return null
}

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B */
function readJpeg(bytes: Buffer): Image | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8 || bytes.readUInt16BE(bytes.length - 2) !== 0xffd9)
    return null
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
  }
  return null
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(bytes: Buffer): Image | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') {
    return null
  }
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return null
  const type = 'image/webp'
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      // The second bit of the flags marks an animation.
      if ((bytes[20]! & 2) !== 0) return null
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}
