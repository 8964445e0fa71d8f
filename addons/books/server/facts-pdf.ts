import type { SupplierSettings } from '@trainyard/invoices/contract/supplier.ts'
import { DIM, INK, MARGIN, mm, type Paper, rule, WIDTH } from '@trainyard/platform/server/pdf/paper.ts'
import { drawText } from '@trainyard/platform/server/pdf/text.ts'

type Facts = readonly (readonly [name: string, value: string])[]

/** Draws a heading and named values at the top of the first page. */
export function drawFacts(paper: Paper, heading: string, facts: Facts): void {
  paper.font('bold').fontSize(17).text(heading, MARGIN, MARGIN, { width: WIDTH })
  paper.y += mm(2)
  for (const [name, value] of facts) {
    const { y } = paper
    paper
      .font('regular')
      .fontSize(8.5)
      .fillColor(DIM)
      .text(name, MARGIN, y, { width: WIDTH * 0.2 })
    drawText(paper.fillColor(INK), 'bold', value, { x: MARGIN + WIDTH * 0.2, y, width: WIDTH * 0.8 })
    paper.y += 1.5
  }
  paper.y += mm(2)
  rule(paper, paper.y)
  paper.y += mm(3)
}

export const fromSupplier = ({ legalName, gstin }: SupplierSettings): Facts =>
  legalName === null ? [] : [['From', `${legalName}${gstin === null ? '' : `, GSTIN ${gstin}`}`]]
