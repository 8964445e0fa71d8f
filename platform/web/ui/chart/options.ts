import './readable-language.ts'
import uPlot from 'uplot'

export interface Series {
  readonly label: string
  /** A value per label of the axis; null where there is none. */
  readonly values: readonly (number | null)[]
  readonly kind: 'bars' | 'steps' | 'line'
  readonly colour?: `--chart-${number}`
  readonly dashed?: boolean
  /** Values on top of which bars are drawn. */
  readonly above?: readonly (number | null)[]
}

export interface ChartProps {
  title: string
  xLabel: string
  /** Labels of the horizontal axis. Must be a stable reference, as `series` and `limit`. */
  labels: readonly string[]
  series: readonly Series[]
  format: (value: number) => string
  /** Short form of a value for the vertical axis. */
  tick?: (value: number) => string
  /** Form of a value on the axis of bars, where they have their own. Must be a stable reference. */
  barTick?: (value: number) => string
  /** Horizontal line that the values must not exceed. */
  limit?: { readonly label: string; readonly value: number } | null
  /** Label that is today. */
  today?: string
}

type Drawn = Omit<ChartProps, 'xLabel' | 'title'> & {
  readonly width: number
  readonly height: number
  readonly point: (index: number | null) => void
}

const LABEL_PIXELS = 56
const LETTER_PIXELS = 7
const TICKS = 4
/** Height of a chart divided by that of its highest bar, where lines are drawn above the bars. */
const BARS_PART = 2.2

export function optionsOf(element: HTMLElement, drawn: Drawn): uPlot.Options {
  const { labels, series, format, tick, barTick, limit, today, width, height, point } = drawn
  const colour = (token: `--${string}`) => colourOf(element, token)
  const { fontFamily } = getComputedStyle(element)
  // Beside a sum over all labels, the bars of single ones would be too flat to read: they have the axis on the right.
  const isMixed = series.some(({ kind }) => kind === 'bars') && series.some(({ kind }) => kind !== 'bars')
  const highest = Math.max(0, ...series.flatMap((each) => (each.kind === 'bars' ? heightsOf(each) : [])).map(Number))
  const barStep = roundStep(highest)
  const axis = { stroke: colour('--dim'), font: `12px ${fontFamily}`, ticks: { show: false } }
  return {
    width,
    height,
    padding: [8, 8, 0, 0],
    scales: {
      x: { time: false, range: [-0.5, labels.length - 0.5] },
      y: {
        range: (_, low, high) => {
          // The label of the limit is drawn above its line.
          const top = Math.max(high, (limit?.value ?? 0) * 1.1)
          const step = roundStep(Math.max(top, 0) - Math.min(low, 0))
          return [Math.floor(Math.min(0, low) / step) * step, Math.max(step, Math.ceil(top / step) * step)]
        },
      },
      ...(isMixed && { bars: { range: (): [number, number] => [0, highest * BARS_PART || 1] } }),
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        incrs: [1, 2, 5, 7, 10, 14, 20, 30, 50, 100, 200, 500],
        space: LABEL_PIXELS,
        values: (_, places) => places.map((place) => (Number.isInteger(place) ? (labels[place] ?? '') : '')),
      },
      {
        ...axis,
        grid: { stroke: colour('--hairline'), width: 1 },
        size: (_, texts) => LETTER_PIXELS * Math.max(2, ...(texts ?? []).map((label) => label.length)) + 10,
        splits: (_, _axis, from, to) => {
          const step = roundStep(to - from)
          return Array.from({ length: Math.round((to - from) / step) + 1 }, (_split, index) => from + index * step)
        },
        values: (_, values) => shortened(values.map((value) => (tick ?? format)(value))),
      },
      ...(isMixed
        ? [
            {
              ...axis,
              scale: 'bars',
              side: 1 as const,
              grid: { show: false },
              size: 64,
              splits: () => [0, 1, 2, 3, 4].map((count) => count * barStep).filter((value) => value <= highest),
              values: (_: uPlot, values: number[]) => values.map(barTick ?? format),
            },
          ]
        : []),
    ],
    legend: { show: false },
    cursor: { y: false, points: { show: series[0]?.kind === 'steps' }, drag: { x: false, y: false } },
    series: [{}, ...series.map((each) => seriesOf(each, colour, isMixed))],
    hooks: {
      setCursor: [({ cursor }) => point(cursor.idx ?? null)],
      draw: [
        (plot) => {
          const { ctx, bbox } = plot
          const line = (from: [number, number], to: [number, number], text: string, token: `--${string}`) => {
            ctx.save()
            ctx.strokeStyle = ctx.fillStyle = colour(token)
            ctx.lineWidth = devicePixelRatio
            ctx.setLineDash([3, 3].map((part) => part * devicePixelRatio))
            ctx.beginPath()
            ctx.moveTo(...from)
            ctx.lineTo(...to)
            ctx.stroke()
            ctx.font = `${12 * devicePixelRatio}px ${fontFamily}`
            ctx.textBaseline = 'bottom'
            const isLate = from[0] === to[0] && from[0] > bbox.left + bbox.width * 0.85
            ctx.textAlign = isLate ? 'right' : 'left'
            const gap = 4 * devicePixelRatio
            ctx.fillText(text, from[0] + (isLate ? -gap : gap), from[0] === to[0] ? to[1] + gap * 4 : to[1] - gap / 2)
            ctx.restore()
          }
          const place = today === undefined ? -1 : labels.indexOf(today)
          if (place !== -1) {
            const x = plot.valToPos(place, 'x', true)
            line([x, bbox.top + bbox.height], [x, bbox.top], 'today', '--dim')
          }
          if (limit) {
            const y = plot.valToPos(limit.value, 'y', true)
            line([bbox.left, y], [bbox.left + bbox.width, y], limit.label, '--danger')
          }
        },
      ],
    },
  }
}

function seriesOf(
  { kind, colour = '--chart-1', dashed }: Series,
  colourIn: (token: `--${string}`) => string,
  isMixed: boolean,
) {
  const stroke = colourIn(colour)
  const base: uPlot.Series = { stroke, width: kind === 'bars' ? 0 : 2, points: { show: false } }
  if (kind === 'bars')
    return { ...base, ...(isMixed && { scale: 'bars' }), fill: stroke, paths: uPlot.paths.bars!({ size: [0.7, 28] }) }
  if (kind === 'line') return dashed ? { ...base, dash: [4, 4] } : base
  return { ...base, fill: colourIn('--accent-wash'), paths: uPlot.paths.stepped!({ align: 1 }) }
}

/** Returns the values at which a series is drawn. */
export const heightsOf = ({ values, above }: Series): (number | null)[] =>
  values.map((value, index) => (value === null ? null : value + (above?.[index] ?? 0)))

/** Returns a step of 1, 2 or 5 times a power of ten, so that a span has about four ticks. */
function roundStep(span: number): number {
  const least = span / TICKS || 1
  const power = 10 ** Math.floor(Math.log10(least))
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999)!
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
