import type { ImportItem } from '../contract/lab-import.ts'
import { IMPORT_ITEM_LABELS } from '../contract/lab-import-words.ts'
import { csvOf } from '@trainyard/platform/contract/words/csv.ts'
import {
  createPaper,
  DIM,
  finishPaper,
  formatDay,
  INK,
  MARGIN,
  mm,
  rule,
  WIDTH,
} from '@trainyard/platform/server/pdf/paper.ts'
import { drawTable } from '@trainyard/platform/server/pdf/table.ts'
import { drawText } from '@trainyard/platform/server/pdf/text.ts'
import type { LabState } from './state.ts'

type Part = 'Moved' | 'Differs' | 'Left behind' | 'Not imported yet'

interface ReportLine {
  readonly part: Part
  readonly what: string
  readonly name: string
  readonly value: string
  readonly reason: string
}

export interface LabReport {
  readonly title: string
  readonly about: readonly (readonly [string, string])[]
  readonly lines: readonly ReportLine[]
}

const PARTS: readonly Part[] = ['Moved', 'Differs', 'Left behind', 'Not imported yet']

export function reportOf({ row, source, items, trainingName, template }: LabState): LabReport {
  const at = (date: Date | null) =>
    date === null ? 'not yet' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const lines = items.map((each): ReportLine => ({
    part: partOf(each),
    what: IMPORT_ITEM_LABELS[each.kind],
    name: each.name,
    value: each.to ?? each.from ?? '',
    reason: [each.reason, each.todo].filter((text) => text !== null).join(' '),
  }))
  return {
    title: source.title,
    about: [
      ['Lab', row.resource_key],
      ['Organisation', row.organization],
      ['Training', trainingName],
      ['Template', template?.name ?? 'none'],
      ['Imported', at(row.applied_at)],
      ['Moved', row.moved_at === null ? 'not yet' : `${at(row.moved_at)} by ${row.moved_by}`],
      ['Machines ready for the class', at(row.class_at)],
    ],
    lines: lines.toSorted((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part)),
  }
}

function partOf({ state }: ImportItem): Part {
  if (state === 'blocked' || state === 'leftover') return 'Left behind'
  if (state === 'differs' || state === 'kept' || state === 'conflict') return 'Differs'
  if (state === 'same') return 'Moved'
  return 'Not imported yet'
}

export function reportCsv({ about, lines }: LabReport): string {
  return `\uFEFF${csvOf([
    ...about,
    [],
    ['Part', 'What', 'Name', 'Value', 'Reason and what to do'],
    ...lines.map(({ part, what, name, value, reason }) => [part, what, name, value, reason]),
  ])}`
}

export async function reportPdf(report: LabReport, today: string): Promise<Buffer> {
  const { title, about, lines } = report
  const heading = `Move of ${title}`
  const paper = await createPaper(heading, 'Trainyard', today, report)
  drawText(paper.fontSize(16), 'bold', heading, { x: MARGIN, y: MARGIN, width: WIDTH })
  paper.moveDown(0.5)
  for (const [name, value] of about) {
    const { y } = paper
    paper.fontSize(9).fillColor(DIM)
    paper.font('regular').text(name, MARGIN, y, { width: mm(50) })
    drawText(paper.fillColor(INK), 'regular', value, { x: MARGIN + mm(52), y, width: WIDTH - mm(52) })
    paper.x = MARGIN
  }
  for (const part of PARTS) {
    const rows = lines.filter((line) => line.part === part)
    if (rows.length === 0) continue
    paper.y += mm(5)
    paper.font('bold').fontSize(11).fillColor(INK).text(`${part} (${rows.length})`, MARGIN, paper.y)
    paper.y += mm(1)
    rule(paper, paper.y)
    paper.y += mm(2)
    drawTable<ReportLine>(
      paper,
      [
        { head: 'What', part: 10, text: ({ what }) => what },
        { head: 'Name', part: 26, text: ({ name }) => name },
        { head: 'Value', part: 30, text: ({ value }) => value },
        { head: 'Reason and what to do', part: 34, text: ({ reason }) => reason },
      ],
      rows,
    )
  }
  return finishPaper(paper, `${heading} · ${formatDay(today)}`)
}
