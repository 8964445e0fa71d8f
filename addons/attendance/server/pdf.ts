import type { AttendanceReport } from '../contract/attendance.ts'
import { nameOf } from '../contract/attendance-words.ts'
import {
  createPaper,
  DIM,
  finishPaper,
  formatDay,
  INK,
  MARGIN,
  mm,
  WIDTH,
} from '@trainyard/platform/server/pdf/paper.ts'
import { drawTable } from '@trainyard/platform/server/pdf/table.ts'
import { drawText } from '@trainyard/platform/server/pdf/text.ts'
import { timeIn } from './lines.ts'

interface Subject {
  readonly training: string
  readonly organization: string
  readonly from: string
  readonly until: string
  readonly author: string
  readonly today: string
}

interface Line {
  readonly learner: string
  readonly date: string
  readonly first: string
  readonly last: string
  readonly connected: string
  readonly active: string
}

/** Returns the PDF. The same content on the same day produces identical bytes. */
export async function attendancePdf(report: AttendanceReport, subject: Subject): Promise<Buffer> {
  const { training, organization, from, until, author, today } = subject
  const title = `Attendance of ${training}, ${formatDay(from)} to ${formatDay(until)}`
  const paper = await createPaper(title, author, today, [report, subject])
  paper.font('bold').fontSize(17).fillColor(INK).text('Attendance', MARGIN, MARGIN, { width: WIDTH })
  paper.y += mm(2)
  paper.font('regular').fontSize(8.5).fillColor(DIM)
  for (const line of [
    `${training}, ${organization}`,
    `${formatDay(from)} to ${formatDay(until)}. Times are in the zone ${report.timeZone}.`,
    'Connected: minutes with an open connection in the browser. Active: minutes with keyboard or mouse input.',
  ]) {
    drawText(paper, 'regular', line, { x: MARGIN, width: WIDTH })
  }
  paper.y += mm(4)
  const { timeZone } = report
  const rows = report.learners.flatMap((learner): Line[] => [
    ...learner.days.map((day, index) => ({
      learner: index === 0 ? nameOf(learner) : '',
      date: formatDay(day.date),
      first: timeIn(day.firstSeen, timeZone),
      last: timeIn(day.lastSeen, timeZone),
      connected: String(day.connected),
      active: String(day.active),
    })),
    {
      learner: learner.days.length === 0 ? nameOf(learner) : learner.learnerName === null ? '' : learner.email,
      date: 'Total',
      first: '',
      last: '',
      connected: String(learner.connected),
      active: String(learner.active),
    },
  ])
  const sum = (of: 'connected' | 'active') => String(report.learners.reduce((total, learner) => total + learner[of], 0))
  drawTable<Line>(
    paper,
    [
      { head: 'Learner', part: 38, text: ({ learner }) => learner },
      { head: 'Date', part: 14, text: ({ date }) => date },
      { head: 'First seen', part: 11, text: ({ first }) => first },
      { head: 'Last seen', part: 11, text: ({ last }) => last },
      { head: 'Connected', part: 13, align: 'right', text: ({ connected }) => connected },
      { head: 'Active', part: 13, align: 'right', text: ({ active }) => active },
    ],
    rows,
    ['All learners', '', '', '', sum('connected'), sum('active')],
  )
  return finishPaper(paper, title)
}
