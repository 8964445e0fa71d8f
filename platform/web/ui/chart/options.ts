import './readable-language.ts'
import uPlot from 'uplot'

interface Point {
  readonly at: string
  readonly value: number
}

export interface ChartProps {
  title: string
  xLabel: string
  /** Must be a stable reference (a query's data, or a memo). */
  points: readonly Point[]
  format: (value: number) => string
  kind?: 'bars' | 'steps'
}

type Drawn = Required<Pick<ChartProps, 'title' | 'xLabel' | 'points' | 'format' | 'kind'>> & {
  readonly width: number
  readonly height: number
}

const LABEL_PIXELS = 56
const LETTER_PIXELS = 7

export function optionsOf(element: HTMLElement, drawn: Drawn): uPlot.Options {
  const { title, xLabel, points, format, kind, width, height } = drawn
  const colour = (token: `--${string}`) => colourOf(element, token)
  const accent = colour('--accent')
  const { fontFamily } = getComputedStyle(element)
  const axis = { stroke: colour('--dim'), font: `12px ${fontFamily}`, ticks: { show: false } }
  const at = (index: number | null) => (index === null ? undefined : points[index]?.at)
  return {
    width,
    height,
    padding: [8, 8, 0, 0],
    scales: {
      x: { time: false, range: [-0.5, points.length - 0.5] },
      y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        incrs: [1, 2, 5, 7, 10, 14, 20, 30, 50, 100, 200, 500],
        space: LABEL_PIXELS,
        values: (_, places) => places.map((place) => (Number.isInteger(place) ? (at(place) ?? '') : '')),
      },
      {
        ...axis,
        grid: { stroke: colour('--hairline'), width: 1 },
        size: (_, labels) => LETTER_PIXELS * Math.max(2, ...(labels ?? []).map((label) => label.length)) + 10,
        values: (_, values) => shortened(values.map((value) => format(value))),
      },
    ],
    legend: { markers: { show: false } },
    cursor: { y: false, points: { show: kind === 'steps' }, drag: { x: false, y: false } },
    series: [
      { label: xLabel, value: (_, index) => at(index) ?? '' },
      {
        label: title,
        stroke: accent,
        width: kind === 'bars' ? 0 : 2,
        ...(kind === 'bars'
          ? { fill: accent, paths: uPlot.paths.bars!({ size: [0.7, 28] }) }
          : { fill: colour('--accent-wash'), paths: uPlot.paths.stepped!({ align: 1 }) }),
        points: { show: false },
        value: (_, value) => (value === null ? '' : format(value)),
      },
    ],
  }
}

/** Removes the decimals of whole amounts along an axis: ₹200. */
const shortened = (texts: readonly string[]) =>
  texts.every((text) => text.endsWith('.00')) ? texts.map((text) => text.slice(0, -3)) : [...texts]

/** Returns a token's current colour, since a canvas can't use CSS variables. */
function colourOf(element: HTMLElement, token: `--${string}`): string {
  const before = element.style.color
  element.style.color = `var(${token})`
  const { color } = getComputedStyle(element)
  element.style.color = before
  return color
}
