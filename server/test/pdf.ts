import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

async function opened<T>(pdf: Buffer, read: (document: PDFDocumentProxy) => Promise<T>): Promise<T> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  try {
    return await read(await task.promise)
  } finally {
    await task.destroy()
  }
}

/** Reads a PDF's text, page after page; where it was broken into lines, a space stands. */
export const pdfText = (pdf: Buffer): Promise<string> =>
  opened(pdf, async (document) => {
    const pages: string[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const { items } = await (await document.getPage(number)).getTextContent()
      pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : '')).join(''))
    }
    return pages.join(' ').replaceAll(/\s+/g, ' ')
  })

/** Reads a file that a PDF carries. */
export const pdfAttachment = (pdf: Buffer, name: string): Promise<string> =>
  opened(pdf, async (document) => Buffer.from((await document.getAttachmentContent(name))!).toString())
