import { type Paper, registerFonts } from './fonts.ts'
import { drawText } from './text.ts'

export const mm = (length: number): number => (length * 72) / 25.4

export const MARGIN = mm(15)
export const WIDTH = mm(210) - 2 * MARGIN
const FOOT = mm(20)
export const BOTTOM = mm(297) - FOOT

export type { Paper }

/**
 * Creates a PDF/A-3b document. Its timestamps are the given day, so that equal content gives identical bytes.
 * @param content an object with all texts of the document, which decides which fonts are loaded
 */
export async function createPaper(title: string, author: string, day: string, content: unknown): Promise<Paper> {
  // Loaded on first use, because most processes never create a PDF.
  const { default: PDFDocument } = await import('pdfkit')
  const at = new Date(`${day}T00:00:00Z`)
  const paper = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    lang: 'en-IN',
    displayTitle: true,
    bufferPages: true,
    // There is no default font, because the library would read its file again for each document.
    font: null as unknown as string,
    info: { Title: title, Author: author, Creator: 'Trainyard', Producer: 'Trainyard', CreationDate: at, ModDate: at },
  })
  await registerFonts(paper, [title, content])
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
    paper.font('regular').fontSize(7.5).fillColor(DIM)
    const y = BOTTOM + mm(6)
    drawText(paper, 'regular', foot, { x: MARGIN, y, width: WIDTH * 0.8, lineBreak: false })
    paper
      .font('regular')
      .text(`Page ${page + 1} of ${count}`, MARGIN, y, { width: WIDTH, align: 'right', lineBreak: false })
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
