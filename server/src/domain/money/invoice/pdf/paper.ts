import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Text layout is many times faster without these tables. */
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

/** SIL Open Font License. Has the rupee sign and Devanagari. */
const FONTS = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
} as const
export type Face = keyof typeof FONTS

let fonts: Promise<Record<Face, Font>> | undefined
const loadFonts = () => (fonts ??= readFonts())

interface Font {
  readonly whole: Buffer
  readonly plain: Buffer
}

async function readFonts(): Promise<Record<Face, Font>> {
  const [regular, bold] = await Promise.all(
    [FONTS.regular, FONTS.bold].map(async (name): Promise<Font> => {
      const whole = await readFile(fileURLToPath(import.meta.resolve(name)))
      return { whole, plain: plainFont(whole) }
    }),
  )
  return { regular: regular!, bold: bold! }
}

/** Devanagari needs the shaped font; Latin text renders faster without shaping tables. */
export const setFace = (paper: Paper, face: Face, text: string): Paper =>
  paper.font(/[\u0900-\u097F]/.test(text) ? `${face} shaped` : face)

export const mm = (length: number): number => (length * 72) / 25.4

export const MARGIN = mm(15)
export const WIDTH = mm(210) - 2 * MARGIN
const FOOT = mm(20)
export const BOTTOM = mm(297) - FOOT

export type Paper = PDFKit.PDFDocument

/** PDF/A-3b. Timestamps are the given day, so that equal content produces identical bytes. */
export async function createPaper(title: string, author: string, day: string): Promise<Paper> {
  // Loaded on first use, because most processes never create a PDF.
  const [{ default: PDFDocument }, { regular, bold }] = await Promise.all([import('pdfkit'), loadFonts()])
  const at = new Date(`${day}T00:00:00Z`)
  const paper = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    lang: 'en-IN',
    displayTitle: true,
    bufferPages: true,
    // No default font: the library would read its file again for each document.
    font: null as unknown as string,
    info: { Title: title, Author: author, Creator: 'Trainyard', Producer: 'Trainyard', CreationDate: at, ModDate: at },
  })
  for (const [face, font] of Object.entries({ regular, bold })) {
    paper.registerFont(face, font.plain)
    paper.registerFont(`${face} shaped`, font.whole)
  }
  paper.on('pageAdded', () => paper.fillColor(INK))
  return paper.font('regular').fontSize(9).fillColor(INK)
}

export const INK = '#16202c'
export const DIM = '#4a5568'
const LINE = '#b8c0cc'

export const rule = (paper: Paper, y: number): Paper =>
  paper
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor(LINE)
    .stroke()

export function finishPaper(paper: Paper, foot: string): Promise<Buffer> {
  const { count } = paper.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    paper.switchToPage(page)
    setFace(paper, 'regular', foot).fontSize(7.5).fillColor(DIM)
    const y = BOTTOM + mm(6)
    paper.text(foot, MARGIN, y, { width: WIDTH * 0.8, lineBreak: false })
    paper.text(`Page ${page + 1} of ${count}`, MARGIN, y, { width: WIDTH, align: 'right', lineBreak: false })
  }
  const done = new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    paper.on('data', (chunk: Buffer) => chunks.push(chunk))
    paper.on('end', () => resolve(Buffer.concat(chunks)))
    paper.on('error', reject)
  })
  paper.end()
  return done
}

export const formatDay = (date: string): string => date.split('-').toReversed().join('/')
