import { type Face, heightsOf, isPlain, type Paper, type Run, runsOf } from './fonts.ts'

export interface TextBox {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly align?: 'left' | 'right'
  /** False prints one line, which may exceed the width. */
  readonly lineBreak?: false
}

interface Word {
  readonly runs: readonly Run[]
  /** Width without the space after the word. */
  readonly width: number
  readonly space: number
}

interface Layout {
  readonly lines: readonly (readonly Word[])[]
  readonly ascent: number
  readonly height: number
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const widthOf = (paper: Paper, runs: readonly Run[]): number =>
  runs.reduce((sum, { font, text }) => sum + paper.font(font).widthOfString(text), 0)

/** Returns the words of a text. A word wider than the box is split between graphemes. */
function wordsOf(paper: Paper, face: Face, text: string, width: number): Word[] {
  const space = paper.font(`${face} shaped`).widthOfString(' ')
  const wordOf = (part: string, after: number): Word => {
    const runs = runsOf(paper, face, part)
    return { runs, width: widthOf(paper, runs), space: after }
  }
  return text.split(/[ \t]/).flatMap((part) => {
    const word = wordOf(part, space)
    if (word.width <= width) return [word]
    const pieces: string[] = []
    for (const { segment } of graphemes.segment(part)) {
      const longer = `${pieces.at(-1) ?? ''}${segment}`
      if (pieces.length > 0 && wordOf(longer, 0).width <= width) pieces[pieces.length - 1] = longer
      else pieces.push(segment)
    }
    return pieces.map((piece, index) => wordOf(piece, index === pieces.length - 1 ? space : 0))
  })
}

function wrap(words: readonly Word[], width: number): Word[][] {
  const lines: Word[][] = [[]]
  let used = 0
  for (const word of words) {
    if (used + word.width > width && lines.at(-1)!.length > 0) {
      lines.push([])
      used = 0
    }
    lines.at(-1)!.push(word)
    used += word.width + word.space
  }
  return lines
}

function layOut(paper: Paper, face: Face, text: string, { width, lineBreak }: TextBox): Layout {
  const room = lineBreak === false ? Number.POSITIVE_INFINITY : width
  const lines = text.split(/\r\n?|\n/).flatMap((line) => wrap(wordsOf(paper, face, line, room), room))
  const words = lines.flat()
  const fonts = [`${face} shaped`, ...new Set(words.flatMap(({ runs }) => runs.map(({ font }) => font)))]
  const heights = fonts.map((font) => heightsOf(paper, font))
  const ascender = Math.max(...heights.map((each) => each.ascender))
  const descender = Math.min(...heights.map((each) => each.descender))
  // Returns the font size, which the library does not export, from the line height of a known font.
  const base = heights[0]!
  const size = paper.font(face).currentLineHeight() / (base.ascender - base.descender)
  return { lines, ascent: ascender * size, height: (ascender - descender) * size }
}

/** Prints a text of any script at the current size, as the PDF library prints Latin text. */
export function drawText(paper: Paper, face: Face, text: string, { x = paper.x, y = paper.y, ...box }: TextBox): Paper {
  if (isPlain(paper, text)) return paper.font(face).text(text, x, y, box)
  const { lines, ascent, height } = layOut(paper, face, text, box)
  lines.forEach((words, index) => {
    const width = words.reduce((sum, word, at) => sum + word.width + (at === words.length - 1 ? 0 : word.space), 0)
    let left = box.align === 'right' ? x + box.width - width : x
    for (const word of words) {
      for (const { font, text: part } of word.runs) {
        paper.font(font)
        const partWidth = paper.widthOfString(part)
        // Text that readers copy and search. In shaped scripts, glyphs are not in the order of the characters.
        paper.markContent('Span', { actual: part })
        paper.text(part, left, y + index * height + ascent, { lineBreak: false, baseline: 'alphabetic' })
        paper.endMarkedContent()
        left += partWidth
      }
      left += word.space
    }
  })
  paper.x = x
  paper.y = y + lines.length * height
  return paper.font(face)
}

export const heightOfText = (paper: Paper, face: Face, text: string, box: TextBox): number => {
  if (isPlain(paper, text)) return paper.font(face).heightOfString(text, box)
  const { lines, height } = layOut(paper, face, text, box)
  return lines.length * height
}
