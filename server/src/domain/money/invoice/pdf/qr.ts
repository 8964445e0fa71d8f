import { encode } from 'uqr'
import type { Paper } from './paper.ts'

export function drawQr(paper: Paper, text: string, x: number, y: number, side: number): void {
  const { data, size } = encode(text, { ecc: 'L', border: 2 })
  const module = side / size
  paper.save().rect(x, y, side, side).fill('#ffffff')
  data.forEach((row, down) =>
    row.forEach((dark, across) => {
      // Slightly wider, so that no gaps show between modules.
      if (dark) paper.rect(x + across * module, y + down * module, module + 0.02, module + 0.02)
    }),
  )
  paper.fill('#000000').restore()
}
