import { getDocument, OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

async function opened<T>(pdf: Buffer, read: (document: PDFDocumentProxy) => Promise<T>): Promise<T> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0, fontExtraProperties: true })
  try {
    return await read(await task.promise)
  } finally {
    await task.destroy()
  }
}

/** Returns a PDF's text from all pages, with line breaks replaced by spaces. */
export const pdfText = (pdf: Buffer): Promise<string> =>
  opened(pdf, async (document) => {
    const pages: string[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const { items } = await (await document.getPage(number)).getTextContent()
      pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : '')).join(''))
    }
    return pages.join(' ').replaceAll(/\s+/g, ' ')
  })

/** Returns the different amounts in rupees in the text of a PDF. */
export const amountsIn = (text: string): ReadonlySet<string> => new Set(text.match(/[-−]?₹[\d,]+\.\d\d/g))

export const pdfAttachment = (pdf: Buffer, name: string): Promise<string> =>
  opened(pdf, async (document) => Buffer.from((await document.getAttachmentContent(name))!).toString())

/**
 * Returns everything drawn in a PDF in drawing order: each text with its position in millimetres from the left and from
 * the top, font, size and colour; and each line or area.
 */
export const pdfDrawn = (pdf: Buffer): Promise<string[]> =>
  opened(pdf, async (document) => {
    const drawn: string[] = []
    for (let number = 1; number <= document.numPages; number++) {
      drawn.push(`page ${number}`, ...(await drawnOn(await document.getPage(number))))
    }
    return drawn
  })

async function drawnOn(page: PDFPageProxy): Promise<string[]> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const [, , , height] = page.view as [number, number, number, number]
  const toMillimetres = (points: number) => Number(((points * 25.4) / 72).toFixed(1))
  const drawn: string[] = []
  let [color, font, position] = ['#000000', '', '']
  for (const [index, does] of fnArray.entries()) {
    const argument = argsArray[index]
    if (does === OPS.setFillRGBColor) color = argument[0]
    else if (does === OPS.setFont) font = `${fontNameOf(page.commonObjs.get(argument[0]))} ${argument[1]}`
    else if (does === OPS.setTextMatrix)
      position = `${toMillimetres(argument[0][4])} ${toMillimetres(height - argument[0][5])}`
    else if (does === OPS.showText) drawn.push(`${position} ${font} ${color} ${textOf(argument[0])}`)
    else if (does === OPS.constructPath) {
      const [[path], [left, top, right, bottom]] = [argument[1], argument[2]]
      const area = argument[0] === OPS.stroke ? 'line' : `${color} area`
      drawn.push(`${area} ${[left, top, right, bottom].map(toMillimetres).join(' ')}, ${path.length} numbers`)
    }
  }
  return drawn
}

const fontNameOf = ({ name }: { readonly name: string }): string => (name.includes('SemiBold') ? 'bold' : 'regular')

/** Returns the text of glyphs. Numbers between the glyphs only move the next glyph. */
const textOf = (glyphs: readonly (number | { readonly unicode: string })[]): string =>
  glyphs.map((glyph) => (typeof glyph === 'number' ? '' : glyph.unicode)).join('')
