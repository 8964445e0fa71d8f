import { BOTTOM, DIM, INK, MARGIN, mm, type Paper, rule, WIDTH } from './paper.ts'
import { isPlain } from './fonts.ts'
import { drawText, heightOfText } from './text.ts'

export interface PaperColumn<Row> {
  readonly head: string
  readonly part: number
  readonly align?: 'right'
  readonly text: (row: Row, index: number) => string
}

const GAP = mm(2)
const SIZE = 8

/**
 * Returns true if a text is certainly shorter than its column, because measuring each text would dominate the rendering
 * time.
 */
const isShort = (text: string, width: number): boolean => text.length * SIZE <= width

export function drawTable<Row>(
  paper: Paper,
  columns: readonly PaperColumn<Row>[],
  rows: readonly Row[],
  total: readonly string[] | null = null,
): void {
  const whole = columns.reduce((sum, { part }) => sum + part, 0)
  let x = MARGIN
  const places = columns.map(({ part, align }) => {
    const width = (WIDTH * part) / whole
    const place = { x, width: width - GAP, align: align ?? ('left' as const) }
    x += width
    return place
  })
  const draw = (texts: readonly string[], face: 'regular' | 'bold', color: string) => {
    paper.fontSize(SIZE).fillColor(color)
    const heights = texts.map((text, index) =>
      text === ''
        ? 0
        : heightOfText(
            paper,
            face,
            isPlain(paper, text) && isShort(text, places[index]!.width) ? '0' : text,
            places[index]!,
          ),
    )
    const height = Math.max(...heights)
    if (paper.y + height > BOTTOM) return false
    const { y } = paper
    texts.forEach((text, index) => {
      if (text !== '') drawText(paper, face, text, { ...places[index]!, y })
    })
    paper.x = MARGIN
    paper.y = y + height + mm(1.2)
    return true
  }
  const heads = () => {
    draw(
      columns.map(({ head }) => head),
      'bold',
      DIM,
    )
    rule(paper, paper.y)
    paper.y += mm(1.2)
  }
  const line = (texts: readonly string[], face: 'regular' | 'bold') => {
    if (draw(texts, face, INK)) return
    paper.addPage()
    paper.y = MARGIN
    heads()
    draw(texts, face, INK)
  }
  if (paper.y + mm(20) > BOTTOM) {
    paper.addPage()
    paper.y = MARGIN
  }
  heads()
  rows.forEach((row, index) =>
    line(
      columns.map(({ text }) => text(row, index)),
      'regular',
    ),
  )
  rule(paper, paper.y)
  paper.y += mm(1.2)
  if (total !== null) line(total, 'bold')
}
