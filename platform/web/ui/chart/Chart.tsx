import 'uplot/dist/uPlot.min.css'
import { type CSSProperties, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import './readable-language.ts'
import uPlot from 'uplot'
import { useScheme } from '../../theme/scheme.ts'
import styles from './Chart.module.css'
import { type ChartProps, heightsOf, optionsOf, type Series } from './options.ts'

const HEIGHT = 200

interface Props extends ChartProps {
  /** Controls beside the title. */
  tools?: ReactNode
  /** A further column of the table of figures. */
  column?: { readonly label: string; readonly values: readonly string[] }
  /** Opens what is behind a label. */
  pick?: (index: number) => void
}

export function Chart({
  title,
  xLabel,
  labels,
  series,
  format,
  tick,
  barTick,
  limit,
  today,
  tools,
  column,
  pick,
}: Props) {
  const container = useRef<HTMLDivElement>(null)
  const picked = useRef(pick)
  useEffect(() => {
    picked.current = pick
  })
  const titleId = useId()
  const [scheme] = useScheme()
  const [pointed, setPointed] = useState<number | null>(null)
  useEffect(() => {
    const element = container.current!
    const width = () => Math.max(element.clientWidth, 160)
    const options = optionsOf(element, {
      labels,
      series,
      format,
      width: width(),
      height: HEIGHT,
      point: setPointed,
      ...(tick && { tick }),
      ...(barTick && { barTick }),
      ...(limit && { limit }),
      ...(today !== undefined && { today }),
    })
    const plot = new uPlot(options, [labels.map((_, index) => index), ...series.map(heightsOf)], element)
    plot.over.addEventListener('click', () => plot.cursor.idx != null && picked.current?.(plot.cursor.idx))
    const resize = new ResizeObserver(() => plot.setSize({ width: width(), height: HEIGHT }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
    // `scheme` is a dependency because optionsOf() reads the computed colours, which differ between schemes.
  }, [labels, series, format, tick, barTick, limit, today, scheme])
  return (
    <figure className={`panel ${styles.chart}`} aria-labelledby={titleId}>
      <div className={styles.head}>
        <figcaption id={titleId} className={styles.title}>
          {title}
        </figcaption>
        <span className={styles.readout} aria-hidden="true">
          {pointed !== null && labels[pointed] !== undefined && readout(labels[pointed], pointed, series, format)}
        </span>
        {series.length > 1 && (
          <span className={styles.legend} aria-hidden="true">
            {series.map(({ label, kind, colour = '--chart-1', dashed }) => (
              <span key={label} data-kind={kind} data-dashed={dashed || undefined}>
                <i style={{ '--colour': `var(${colour})` } as CSSProperties} />
                {label}
              </span>
            ))}
          </span>
        )}
        {tools}
      </div>
      <div ref={container} className={styles.canvas} aria-hidden="true" data-picks={pick !== undefined || undefined} />
      <details className={styles.figures}>
        <summary>Figures as a table</summary>
        <div className={styles.scroll}>
          <table>
            <thead>
              <tr>
                <th scope="col">{xLabel}</th>
                {series.map(({ label }) => (
                  <th key={label} scope="col" className="number">
                    {label}
                  </th>
                ))}
                {column && (
                  <th scope="col" className="number">
                    {column.label}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {labels.map((label, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- two entries of one day have equal labels
                <tr key={index}>
                  <th scope="row">
                    {pick ? (
                      <button type="button" onClick={() => pick(index)}>
                        {label}
                      </button>
                    ) : (
                      label
                    )}
                  </th>
                  {series.map((each) => (
                    <td key={each.label} className="number">
                      {each.values[index] == null ? '' : format(each.values[index])}
                    </td>
                  ))}
                  {column && <td className="number">{column.values[index]}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

function readout(label: string, index: number, series: readonly Series[], format: (value: number) => string): string {
  const parts = series.flatMap((each) => {
    const value = each.values[index]
    if (value == null) return []
    return series.length === 1 ? [format(value)] : [`${each.label.toLowerCase()} ${format(value)}`]
  })
  return `${label}: ${parts.join(', ')}`
}
