import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Font as ShapingFont } from 'harfbuzzjs'

export type Paper = PDFKit.PDFDocument

/** Tables of a font for shaping. Text layout is many times faster without them. */
const SHAPING = new Set(['GSUB', 'GPOS', 'GDEF'])
const DIRECTORY = 12
const RECORD = 16

/**
 * Returns a TrueType font without its shaping tables, for Latin texts, which need none. Removes their entries from the
 * table directory; the other tables keep their offsets.
 * Source: https://learn.microsoft.com/en-us/typography/opentype/spec/otff#organization-of-an-opentype-font
 */
function plainFont(font: Buffer): Buffer {
  const count = font.readUInt16BE(4)
  const plain = Buffer.from(font)
  const records: Buffer[] = []
  for (let at = DIRECTORY; at < DIRECTORY + count * RECORD; at += RECORD) {
    const record = font.subarray(at, at + RECORD)
    const name = record.toString('latin1', 0, 4)
    if (!SHAPING.has(name)) records.push(Buffer.from(record))
    // Changes the checksum, because the library treats two fonts with the same checksum as one.
    if (name === 'head') plain.writeUInt32BE(1, record.readUInt32BE(8) + 8)
  }
  plain.writeUInt16BE(records.length, 4)
  Buffer.concat(records).copy(plain, DIRECTORY)
  return plain
}

const FACES = { regular: '400Regular', bold: '600SemiBold' } as const
export type Face = keyof typeof FACES

/** Unicode blocks with a font other than Noto Sans, which has Latin, Greek, Cyrillic and Devanagari. */
const BLOCKS = {
  Bengali: [0x09_80, 0x09_ff],
  Gurmukhi: [0x0a_00, 0x0a_7f],
  Gujarati: [0x0a_80, 0x0a_ff],
  Oriya: [0x0b_00, 0x0b_7f],
  Tamil: [0x0b_80, 0x0b_ff],
  Telugu: [0x0c_00, 0x0c_7f],
  Kannada: [0x0c_80, 0x0c_ff],
  Malayalam: [0x0d_00, 0x0d_7f],
} as const
type Family = keyof typeof BLOCKS | 'shaped'

/** Matches texts that can be printed without shaping tables. */
const PLAIN = /^[\t\n\r -~\u00A0-\u024F\u2013\u2014\u2018\u2019\u201C\u201D₹]*$/

function familyOf(character: string): Family {
  const code = character.codePointAt(0)!
  for (const [family, [first, last]] of Object.entries(BLOCKS))
    if (first <= code && code <= last) return family as Family
  return 'shaped'
}

interface OpenFont {
  readonly ascender: number
  readonly descender: number
  readonly font: FontFile
}

interface FontFile {
  readonly hasGlyphForCodePoint: (code: number) => boolean
  readonly stringsForGlyph: (id: number) => string[]
  readonly getGlyph: (id: number, codePoints: number[]) => { readonly advanceWidth: number }
  layout: (text: string) => unknown
}

interface FontData {
  readonly bytes: Buffer
  readonly shaping: ShapingFont
}

type HarfBuzz = typeof import('harfbuzzjs')

const read = new Map<string, Promise<Buffer>>()
const opened = new Map<string, Promise<FontData>>()

function cached<T>(cache: Map<string, Promise<T>>, name: string, load: () => Promise<T>): Promise<T> {
  const existing = cache.get(name)
  if (existing !== undefined) return existing
  const loading = load()
  cache.set(name, loading)
  loading.catch(() => cache.delete(name))
  return loading
}

function readFont(family: Family, face: Face): Promise<Buffer> {
  const script = family === 'shaped' ? '' : family
  const file = `noto-sans${script === '' ? '' : `-${script.toLowerCase()}`}/${FACES[face]}/NotoSans${script}_${FACES[face]}.ttf`
  return cached(read, file, () => readFile(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`))))
}

const plainFonts = new Map<string, Promise<Buffer>>()

const openShaping = (harfBuzz: HarfBuzz, family: Family, face: Face): Promise<FontData> =>
  cached(opened, `${face} ${family}`, async () => {
    const bytes = await readFont(family, face)
    return { bytes, shaping: new harfBuzz.Font(new harfBuzz.Face(new harfBuzz.Blob(bytes))) }
  })

const paperFonts = new WeakMap<Paper, Map<string, OpenFont>>()

/** True for a text that the paper prints with the font without shaping tables. */
export const isPlain = (paper: Paper, text: string): boolean => PLAIN.test(text) || !paperFonts.has(paper)

function textsOf(content: unknown): string {
  const texts: string[] = []
  JSON.stringify(content, (_key, value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts.join('')
}

/** Registers Noto Sans, and for each other script in the content its font, with shaping by HarfBuzz. */
export async function registerFonts(paper: Paper, content: unknown): Promise<void> {
  const texts = textsOf(content)
  const faces = Object.keys(FACES) as Face[]
  for (const face of faces)
    paper.registerFont(face, await cached(plainFonts, face, async () => plainFont(await readFont('shaped', face))))
  if (PLAIN.test(texts)) return
  // Loaded on first use, because most documents contain Latin text only.
  const harfBuzz = await import('harfbuzzjs')
  const families = new Set<Family>(['shaped', ...[...texts].map(familyOf)])
  const fonts = new Map<string, OpenFont>()
  for (const family of families)
    for (const face of faces) {
      const { bytes, shaping } = await openShaping(harfBuzz, family, face)
      const name = `${face} ${family}`
      paper.registerFont(name, bytes).font(name)
      // The library does not export the current font, and its own shaping throws on five of the nine Indian scripts.
      const font = (paper as unknown as { readonly _font: OpenFont })._font
      font.font.layout = (text) => shape(harfBuzz, shaping, font.font, text)
      fonts.set(name, font)
    }
  paperFonts.set(paper, fonts)
}

const ZERO_WIDTH_SPACE = 0x20_0b

const codesIn = (text: string): number[] => [...text].map((character) => character.codePointAt(0)!)

const charactersOf = (font: FontFile, glyph: number): number[] =>
  codesIn((font.stringsForGlyph(glyph)[0] ?? '').normalize('NFC'))

/**
 * Returns glyphs and positions in the form of the PDF library. The text of a glyph is its character in the font; a
 * glyph without one gets the other characters of its syllable.
 */
function shape(harfBuzz: HarfBuzz, shaping: ShapingFont, font: FontFile, text: string) {
  const buffer = new harfBuzz.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  harfBuzz.shape(shaping, buffer)
  const positions = buffer.getGlyphPositions()
  const infos = buffer.getGlyphInfos()
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].toSorted((a, b) => a - b)
  const rests = new Map(
    starts.map((start, index) => {
      const owned = new Set(
        infos.flatMap(({ cluster, codepoint }) => (cluster === start ? charactersOf(font, codepoint) : [])),
      )
      return [start, codesIn(text.slice(start, starts[index + 1])).filter((code) => !owned.has(code))] as const
    }),
  )
  const glyphs = infos.map(({ codepoint, cluster }) => {
    const own = charactersOf(font, codepoint)
    if (own.length > 0) return font.getGlyph(codepoint, own)
    const rest = rests.get(cluster)!
    rests.set(cluster, [])
    // Viewers show the number of a glyph as a character if the glyph has no text.
    return font.getGlyph(codepoint, rest.length > 0 ? rest : [ZERO_WIDTH_SPACE])
  })
  return {
    glyphs,
    positions: positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({ xAdvance, yAdvance, xOffset, yOffset })),
    advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0),
  }
}

export interface Run {
  readonly font: string
  readonly text: string
}

/** Characters used with several scripts: danda, Vedic accents, joiners and the dotted circle. */
const SHARED = new Set('\u0964\u0965\u0951\u0952\u200C\u200D\u25CC')

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/** Returns the parts of a text that one font covers each. A character without a font is replaced by its code. */
export function runsOf(paper: Paper, face: Face, text: string): Run[] {
  const runs: { font: string; text: string }[] = []
  const fonts = paperFonts.get(paper)!
  const covers = (name: string, character: string) =>
    fonts.get(name)?.font.hasGlyphForCodePoint(character.codePointAt(0)!) === true
  let isAfterCode = false
  for (const character of text.normalize('NFC')) {
    const last = runs.at(-1)
    const own = `${face} ${familyOf(character)}`
    const font = last !== undefined && SHARED.has(character) && covers(last.font, character) ? last.font : own
    const isCovered = !/\p{Cc}/u.test(character) && covers(font, character)
    const [name, drawn] = isCovered
      ? [font, character]
      : [`${face} shaped`, `${isAfterCode ? ' ' : ''}${codeOf(character)}`]
    if (last?.font === name) last.text += drawn
    else runs.push({ font: name, text: drawn })
    isAfterCode = !isCovered
  }
  return runs
}

/** Ascender and descender of a font, in thousandths of its size. */
export const heightsOf = (paper: Paper, name: string): Pick<OpenFont, 'ascender' | 'descender'> =>
  paperFonts.get(paper)!.get(name)!
