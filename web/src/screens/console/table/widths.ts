import type { Machine } from '@trainyard/contract/calls/machine.ts'

/** The width that the longest text of each column needs, in pixels. */
export interface Widths {
  readonly learner: number
  readonly name: number
  readonly address: number
}

/** Of so many longest texts one is the widest: characters differ in width, but not by half. */
const MEASURED = 8
const LEARNER_MOST = 320

let canvas: CanvasRenderingContext2D | null = null

/**
 * Measures the columns by their content. Only the rows in sight are drawn, so a browser's own table would size its
 * columns anew at each step of scrolling.
 */
export function widthsOf(machines: readonly Machine[], fonts: { text: string; mono: string }): Widths {
  canvas ??= document.createElement('canvas').getContext('2d')
  const widest = (font: string, least: number, of: (machine: Machine) => string | null) => {
    if (canvas) canvas.font = font
    const longest = [...new Set(machines.map((machine) => of(machine) ?? ''))]
      .toSorted((a, b) => b.length - a.length)
      .slice(0, MEASURED)
    return Math.ceil(Math.max(least, ...longest.map((text) => canvas?.measureText(text).width ?? text.length * 8)))
  }
  return {
    learner: Math.min(
      LEARNER_MOST,
      widest(fonts.text, 64, ({ email }) => email),
    ),
    name: widest(fonts.mono, 64, ({ name }) => name),
    address: widest(fonts.mono, 96, ({ publicIp }) => publicIp),
  }
}
