/**
 * First bytes of the kinds of pictures that a guide can contain, in latin1; dots are any bytes. SVG is not among them,
 * because it can contain scripts.
 */
const KINDS: readonly (readonly [start: string, type: string])[] = [
  ['\u0089PNG\r\n', 'image/png'],
  ['\u00FF\u00D8\u00FF', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['RIFF....WEBP', 'image/webp'],
]

/** Returns the media type of a picture by its first bytes; null for other files. */
export function pictureTypeOf(content: Buffer): string | null {
  const start = content.toString('latin1', 0, 12)
  const isLike = (kind: string) => [...kind].every((char, at) => char === '.' || char === start[at])
  return KINDS.find(([kind]) => isLike(kind))?.[1] ?? null
}
