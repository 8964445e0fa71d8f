import type { Machine } from '../../contract/machine.ts'
import { learnerOf } from '../machine-list.ts'

export interface Widths {
  readonly learner: number
  readonly name: number
  readonly address: number
}

/**
 * Number of longest texts that are measured. Character widths differ little, so the widest text is one of the longest.
 */
const MEASURED = 8
const LEARNER_MAX = 320

let canvas: CanvasRenderingContext2D | null = null

/**
 * Measures column widths. Automatic table layout would change them while the user scrolls, because only visible rows
 * are rendered.
 */
export function measureWidths(machines: readonly Machine[], fonts: { text: string; mono: string }): Widths {
  canvas ??= document.createElement('canvas').getContext('2d')
  const widest = (font: string, least: number, textOf: (machine: Machine) => string | null) => {
    if (canvas) canvas.font = font
    const distinctTexts = [...new Set(machines.map((machine) => textOf(machine) ?? ''))]
      .toSorted((a, b) => b.length - a.length)
      .slice(0, MEASURED)
    return Math.ceil(
      Math.max(least, ...distinctTexts.map((text) => canvas?.measureText(text).width ?? text.length * 8)),
    )
  }
  return {
    learner: Math.min(LEARNER_MAX, widest(fonts.text, 64, learnerOf)),
    name: widest(fonts.mono, 64, ({ name }) => name),
    address: widest(fonts.mono, 96, ({ publicIp }) => publicIp),
  }
}
